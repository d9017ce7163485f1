//! What lies in an object beside its fields, read by the JDK's own `Unsafe`.
//!
//! The collector moves objects, so nobody else can read them. The methods that are called
//! here are natives: no code of Java runs.

use std::sync::OnceLock;

use jvmti_bindings::sys::jni::{jclass, jmethodID, jobject, jvalue};

use super::jni::Jni;

/// `jdk.internal.misc.Unsafe`, as far as the agent asks it.
#[derive(Debug)]
pub struct Unsafe {
    object: jobject,
    get_long: jmethodID,
    get_short: jmethodID,
}

// SAFETY: a global reference, and methods of its class, which it keeps alive.
unsafe impl Send for Unsafe {}
// SAFETY: as above.
unsafe impl Sync for Unsafe {}

impl Unsafe {
    /// The only one, which the runtime class knows.
    pub fn get(jni: Jni, runtime: jclass) -> Option<&'static Self> {
        static FOUND: OnceLock<Unsafe> = OnceLock::new();
        match FOUND.get() {
            Some(found) => Some(found),
            None => {
                let found = Self::find(jni, runtime)?;
                Some(FOUND.get_or_init(|| found))
            }
        }
    }

    fn find(jni: Jni, runtime: jclass) -> Option<Self> {
        let object = jni.static_object(runtime, c"U", c"Ljdk/internal/misc/Unsafe;")?;
        let class = jni.class_of(object)?;
        Some(Self {
            object: jni.global(object)?,
            get_long: jni.method(class, c"getLong", c"(Ljava/lang/Object;J)J")?,
            get_short: jni.method(class, c"getShort", c"(Ljava/lang/Object;J)S")?,
        })
    }

    /// Eight bytes of an object.
    ///
    /// # Safety
    /// They lie within the object, at a multiple of eight.
    pub unsafe fn long(&self, jni: Jni, object: jobject, offset: u64) -> Option<u64> {
        let arguments = [jvalue { l: object }, jvalue { j: offset as i64 }];
        // SAFETY: a live object; the method is one of its class, and the arguments are of the
        // types that its signature says. What it reads lies in the object by contract.
        let word = unsafe {
            (jni.table().CallLongMethodA)(jni.env(), self.object, self.get_long, arguments.as_ptr())
        };
        (!jni.failed()).then_some(word as u64)
    }

    /// Two bytes of an object.
    ///
    /// # Safety
    /// They lie within the object, at a multiple of two.
    pub unsafe fn short(&self, jni: Jni, object: jobject, offset: u64) -> Option<u16> {
        let arguments = [jvalue { l: object }, jvalue { j: offset as i64 }];
        // SAFETY: as in `long`.
        let half = unsafe {
            (jni.table().CallShortMethodA)(
                jni.env(),
                self.object,
                self.get_short,
                arguments.as_ptr(),
            )
        };
        (!jni.failed()).then_some(half as u16)
    }
}
