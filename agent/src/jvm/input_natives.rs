//! The native method of `java.lang.SubsumeInputs`.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jlong};

use super::guard;
use super::jni::{Jni, Native};

/// `SubsumeInputs.bindNatives`, which binds the other.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_SubsumeInputs_bindNatives(env: *mut JNIEnv, class: jclass) {
    guard((), || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        jni.bind(class, &natives());
    });
}

/// The other native method: name, descriptor and code.
pub(super) fn natives() -> [Native; 1] {
    [(c"firstByte", c"()J", first_byte as *mut c_void)]
}

/// Where the elements of an array of bytes begin, in bytes from the object's address.
extern "system" fn first_byte(env: *mut JNIEnv, _: jclass) -> jlong {
    guard(0, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        let class = jni.find_class(c"jdk/internal/misc/Unsafe");
        class.and_then(|class| jni.static_number(class, c"ARRAY_BYTE_BASE_OFFSET")).unwrap_or(0)
    })
}
