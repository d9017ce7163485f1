//! The native method of `java.lang.SubsumeIdentities`.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jlong};

use super::guard;
use super::jni::{Jni, Native};
use super::session::session;

/// `SubsumeIdentities.bindNatives`, which binds the other one.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_SubsumeIdentities_bindNatives(
    env: *mut JNIEnv,
    class: jclass,
) {
    guard((), || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        jni.bind(class, &natives());
    });
}

/// The other native method: name, descriptor and code.
pub(super) fn natives() -> [Native; 1] {
    [(c"next", c"()J", next as *mut c_void)]
}

extern "system" fn next(_: *mut JNIEnv, _: jclass) -> jlong {
    guard(0, || {
        let graph = session().and_then(|session| session.recorder.graph.as_ref());
        graph.map_or(0, |graph| graph.identities() as jlong)
    })
}
