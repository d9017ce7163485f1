//! The table of JNI's functions, in which the agent puts its own in the places of
//! some.

use std::sync::OnceLock;

use jvmti_bindings::sys::jni::JNINativeInterface_;

use super::jvmti::Jvmti;

/// The JVM's own functions.
static ORIGINAL: OnceLock<Original> = OnceLock::new();

struct Original(&'static JNINativeInterface_);

// SAFETY: the table is a copy that nobody changes or frees; its functions may be
// called by every thread with its own environment.
unsafe impl Send for Original {}
// SAFETY: as above.
unsafe impl Sync for Original {}

/// The JVM's own functions, if others are in their places.
pub fn original() -> Option<&'static JNINativeInterface_> {
    ORIGINAL.get().map(|original| original.0)
}

/// Has `replace` put functions into the table; false if that is not possible.
pub fn change(jvmti: Jvmti, replace: impl FnOnce(&mut JNINativeInterface_)) -> bool {
    let (Ok(found), Ok(table)) = (jvmti.jni_functions(), jvmti.jni_functions()) else {
        return false;
    };
    // SAFETY: both are copies of the JVM's table, made for us, and stay for ever.
    let (found, table) = unsafe { (&*found, &mut *table) };
    // The first time they are the JVM's own.
    ORIGINAL.get_or_init(|| Original(found));
    replace(table);
    jvmti.set_jni_functions(table).is_ok()
}
