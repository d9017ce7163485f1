//! The native methods of `java.lang.SubsumeClockCache`.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jlong};

use super::dataflow_natives::address;
use super::guard;
use super::jni::{Jni, Native};

/// `SubsumeClockCache.bindNatives`, which binds the others.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_SubsumeClockCache_bindNatives(
    env: *mut JNIEnv,
    class: jclass,
) {
    guard((), || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        jni.bind(class, &natives());
    });
}

/// The other native methods: name, descriptor and code of each.
pub(super) fn natives() -> [Native; 2] {
    [(c"memory", c"(J)J", memory as *mut c_void), (c"counters", c"()J", counters as *mut c_void)]
}

extern "system" fn memory(_: *mut JNIEnv, _: jclass, bytes: jlong) -> jlong {
    guard(0, || {
        let at = usize::try_from(bytes).ok().and_then(arena::memory_beside);
        at.unwrap_or(0) as jlong
    })
}

extern "system" fn counters(_: *mut JNIEnv, _: jclass) -> jlong {
    address(|graph| Some(graph.arrays()))
}
