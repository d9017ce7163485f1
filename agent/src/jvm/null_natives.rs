//! The native methods of `java.lang.SubsumeNulls`.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jlong};
use profile::layout::dataflow;

use super::guard;
use super::jni::{Jni, Native};
use super::session::session;

/// `SubsumeNulls.bindNatives`, which binds the others.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_SubsumeNulls_bindNatives(env: *mut JNIEnv, class: jclass) {
    guard((), || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        jni.bind(class, &natives());
    });
}

/// The other native methods: name, descriptor and code of each.
pub(super) fn natives() -> [Native; 1] {
    [(c"lost", c"()J", lost as *mut c_void)]
}

extern "system" fn lost(_: *mut JNIEnv, _: jclass) -> jlong {
    guard(0, || {
        session().map_or(0, |session| {
            let lost = session
                .recorder
                .graph
                .as_ref()
                .map_or(0, |graph| graph.lost() + dataflow::ELSEWHERE);
            (session.recorder.arena.base_address() + u64::from(lost) * 4) as jlong
        })
    })
}
