//! The native methods of `java.lang.SubsumeStatics`.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jlong};

use super::guard;
use super::jni::{Jni, Native};
use super::session::session;
use instrument::dataflow::last_writers::static_fields::StaticFields;

/// `SubsumeStatics.bindNatives`, which binds the others.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_SubsumeStatics_bindNatives(env: *mut JNIEnv, class: jclass) {
    guard((), || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        jni.bind(class, &natives());
    });
}

/// The other native methods: name, descriptor and code of each.
pub(super) fn natives() -> [Native; 2] {
    [(c"writers", c"()J", writers as *mut c_void), (c"meant", c"()J", meant as *mut c_void)]
}

/// The address of a table; 0 where last writers are not kept.
fn address(of: fn(&StaticFields) -> u64) -> jlong {
    guard(0, || {
        let graph = session().and_then(|session| session.recorder.graph.as_ref());
        let last_writers = graph.and_then(|graph| graph.last_writers.as_ref());
        last_writers.map_or(0, |known| of(&known.statics) as jlong)
    })
}

extern "system" fn writers(_: *mut JNIEnv, _: jclass) -> jlong {
    address(StaticFields::writers)
}

extern "system" fn meant(_: *mut JNIEnv, _: jclass) -> jlong {
    address(StaticFields::meant)
}
