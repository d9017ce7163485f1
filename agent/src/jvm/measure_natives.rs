//! The native methods of `java.lang.SubsumeRuntime` that measure what a thread executes.

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jlong, jobject, jstring};

use super::guard;
use super::jni::Jni;
use super::session::{Session, session};
use instrument::modified_utf8;

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
    within: jobject,
) -> jstring {
    let none = std::ptr::null_mut();
    guard(none, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        let measured = session().and_then(|session| {
            let name = name_of(session, jni, within);
            let (tree, number) = (tree as u32, number as u64);
            let measured = session.recorder.end_measuring(tree, number, name.as_deref());
            measured.filter(|_| within.is_null() || name.is_some())
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

/// Class, name and descriptor of a `java.lang.reflect.Method`, with tabs in between; `None` of
/// null.
fn name_of(session: &Session, jni: Jni, method: jobject) -> Option<String> {
    let id = jni.reflected_method(method)?;
    let class = session.jvmti.declaring_class(id).and_then(|class| {
        let name = session.jvmti.class_name(class);
        jni.forget_local(class);
        name
    });
    let (name, descriptor) = session.jvmti.method_name(id).ok()?;
    let parts =
        [class.ok()?, name, descriptor].map(|part| modified_utf8::decode(&part).into_owned());
    Some(format!("{}\t{}\t{}", parts[0].replace('/', "."), parts[1], parts[2]))
}
