//! Classes that the agent refers to beyond a callback.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::jclass;

/// A class reference that is never given back.
#[derive(Debug)]
pub struct GlobalClass(*mut c_void);

// SAFETY: global references may be used by any thread (JNI specification).
unsafe impl Send for GlobalClass {}
// SAFETY: as above.
unsafe impl Sync for GlobalClass {}

impl GlobalClass {
    /// Keeps a global reference.
    pub fn new(class: jclass) -> Self {
        Self(class)
    }

    /// The class, for a call to JNI.
    pub fn reference(&self) -> jclass {
        self.0
    }
}
