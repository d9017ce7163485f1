//! The native methods of `java.lang.SubsumeCosts`.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jlong};

use super::guard;
use super::jni::{Jni, Native};
use super::session::session;
use crate::flow::costs::tables::CostTables;

/// `SubsumeCosts.bindNatives`, which binds the others.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_SubsumeCosts_bindNatives(env: *mut JNIEnv, class: jclass) {
    guard((), || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        let natives: [Native; 6] = [
            (c"base", c"()J", base as *mut c_void),
            (c"table", c"(I)J", table as *mut c_void),
            (c"slots", c"()I", slots as *mut c_void),
            (c"factor", c"()I", factor as *mut c_void),
            (c"pages", c"(I)J", pages as *mut c_void),
            (c"counters", c"(III)I", counters as *mut c_void),
        ];
        jni.bind(class, &natives);
    });
}

/// Asks the tables; without them the answer is 0.
fn with_tables<R: Default>(body: impl FnOnce(&CostTables) -> R) -> R {
    guard(R::default(), || {
        let graph = session().and_then(|session| session.recorder.graph());
        graph.and_then(|graph| graph.costs.as_ref()).map_or_else(R::default, body)
    })
}

extern "system" fn base(_: *mut JNIEnv, _: jclass) -> jlong {
    guard(0, || session().map_or(0, |session| session.recorder.arena.base_address() as jlong))
}

extern "system" fn table(_: *mut JNIEnv, _: jclass, number: jint) -> jlong {
    with_tables(|tables| tables.address(number as u32) as jlong)
}

extern "system" fn slots(_: *mut JNIEnv, _: jclass) -> jint {
    with_tables(|tables| tables.slots() as jint)
}

extern "system" fn factor(_: *mut JNIEnv, _: jclass) -> jint {
    with_tables(|tables| tables.factor() as jint)
}

extern "system" fn pages(_: *mut JNIEnv, _: jclass, tree: jint) -> jlong {
    guard(0, || session().map_or(0, |session| session.recorder.counter_pages(tree as u32) as jlong))
}

extern "system" fn counters(
    _: *mut JNIEnv,
    _: jclass,
    tree: jint,
    method: jint,
    slot: jint,
) -> jint {
    guard(0, || {
        session().map_or(0, |session| {
            session.recorder.block_counters(tree as u32, method as u32, slot as u32) as jint
        })
    })
}
