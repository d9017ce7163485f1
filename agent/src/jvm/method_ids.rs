//! What an id of a method is to HotSpot.
//!
//! Up to JDK 25 it is the address of a word that has the address of HotSpot's own description
//! of the method (`Method`), always that of the newest version of its class. JDK 26 numbers
//! methods instead (JDK-8268406).

use std::sync::OnceLock;

use jvmti_bindings::sys::jni::jmethodID;

use super::jvmti::Jvmti;

/// The last release whose ids are known.
const LAST_KNOWN: u16 = 25;

/// Whether ids of methods are addresses in this JVM.
pub fn are_addresses(jvmti: Jvmti) -> bool {
    static ARE_ADDRESSES: OnceLock<bool> = OnceLock::new();
    *ARE_ADDRESSES.get_or_init(|| jvmti.release() <= LAST_KNOWN)
}

/// The address of a method's description; null if its class is gone.
///
/// # Safety
/// [`are_addresses`], and the id is one that the JVM has given for a class that lives.
pub unsafe fn description_of(id: jmethodID) -> *const u8 {
    // SAFETY: by contract it is the address of such a word, which lives as long as the class
    // and is written whole.
    unsafe { id.cast::<*const u8>().read_volatile() }
}
