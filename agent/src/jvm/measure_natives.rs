//! The native methods of `java.lang.SubsumeRuntime` that measure what a thread executes.

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jlong, jstring};

use super::guard;
use super::jni::Jni;
use super::session::session;

/// `SubsumeRuntime.beginMeasuring`.
pub(super) extern "system" fn begin_measuring(
    _: *mut JNIEnv,
    _: jclass,
    tree: jint,
    slot: jint,
) -> jlong {
    guard(0, || {
        session().map_or(0, |session| {
            session.recorder.begin_measuring(tree as u32, slot as u32) as jlong
        })
    })
}

/// `SubsumeRuntime.endMeasuring`.
pub(super) extern "system" fn end_measuring(
    env: *mut JNIEnv,
    _: jclass,
    tree: jint,
    number: jlong,
    within: jstring,
) -> jstring {
    let none = std::ptr::null_mut();
    guard(none, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        let within = jni.string(within);
        let measured = session().and_then(|session| {
            session.recorder.end_measuring(tree as u32, number as u64, within.as_deref())
        });
        measured.and_then(|measured| jni.new_string(&measured.to_string())).unwrap_or(none)
    })
}

/// `SubsumeRuntime.beginLink`.
pub(super) extern "system" fn begin_link(
    _: *mut JNIEnv,
    _: jclass,
    tree: jint,
    slot: jint,
) -> jlong {
    guard(0, || {
        session()
            .map_or(0, |session| session.recorder.begin_link(tree as u32, slot as u32) as jlong)
    })
}

/// `SubsumeRuntime.endLink`.
pub(super) extern "system" fn end_link(_: *mut JNIEnv, _: jclass, tree: jint, link: jlong) {
    guard((), || {
        if let Some(session) = session() {
            session.recorder.end_link(tree as u32, link as u64);
        }
    });
}
