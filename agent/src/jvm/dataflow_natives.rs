//! The native methods of `java.lang.SubsumeDataflow`.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jlong};

use super::guard;
use super::jni::{Jni, Native};
use super::session::{graph, session};
use instrument::dataflow::graph::consumed::Consumed;
use instrument::dataflow::graph::edges::Edge;
use instrument::dataflow::tables::Graph;

/// `SubsumeDataflow.bindNatives`, which binds the others.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_SubsumeDataflow_bindNatives(env: *mut JNIEnv, class: jclass) {
    guard((), || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        jni.bind(class, &natives());
    });
}

/// The other native methods: name, descriptor and code of each.
pub(super) fn natives() -> [Native; 8] {
    [
        (c"base", c"()J", base as *mut c_void),
        (c"consumedTable", c"()J", consumed_table as *mut c_void),
        (c"consumedFields", c"()J", consumed_fields as *mut c_void),
        (c"lost", c"()J", lost as *mut c_void),
        (c"heads", c"(I)J", heads as *mut c_void),
        (c"create", c"(IJJ)I", create as *mut c_void),
        (c"having", c"()J", having as *mut c_void),
        (c"keepConsumed", c"(J)V", keep_consumed as *mut c_void),
    ]
}

/// Address of a word that the graph knows.
pub fn address(word: impl FnOnce(&Graph) -> Option<u32>) -> jlong {
    guard(0, || {
        session().map_or(0, |session| {
            let word = session.recorder.graph.as_ref().and_then(word).unwrap_or(0);
            (session.recorder.arena.base_address() + u64::from(word) * 4) as jlong
        })
    })
}

extern "system" fn base(_: *mut JNIEnv, _: jclass) -> jlong {
    address(|_| Some(0))
}

extern "system" fn consumed_table(_: *mut JNIEnv, _: jclass) -> jlong {
    consumed(|consumed| consumed.address())
}

extern "system" fn consumed_fields(_: *mut JNIEnv, _: jclass) -> jlong {
    consumed(|consumed| consumed.fields().into())
}

/// Something of what notes consumed shadows, 0 in other modes.
fn consumed(value: impl FnOnce(&Consumed) -> u64) -> jlong {
    guard(0, || graph().and_then(|graph| graph.consumed.as_ref()).map_or(0, value) as jlong)
}

extern "system" fn lost(_: *mut JNIEnv, _: jclass) -> jlong {
    address(|graph| Some(graph.lost()))
}

extern "system" fn having(_: *mut JNIEnv, _: jclass) -> jlong {
    guard(0, || {
        let known = graph().and_then(|graph| graph.last_writers.as_ref());
        known.map_or(0, |known| known.address() as jlong)
    })
}

extern "system" fn heads(_: *mut JNIEnv, _: jclass, tree: jint) -> jlong {
    guard(0, || graph().map_or(0, |graph| graph.edge_heads(tree as u32) as jlong))
}

extern "system" fn create(_: *mut JNIEnv, _: jclass, tree: jint, from: jlong, to: jlong) -> jint {
    guard(0, || {
        let edge = Edge { from: from as u64, to: to as u64 };
        graph().map_or(0, |graph| graph.create_edge(tree as u32, edge) as jint)
    })
}

extern "system" fn keep_consumed(_: *mut JNIEnv, _: jclass, shadow: jlong) {
    guard((), || {
        if let Some(graph) = graph() {
            graph.keep_consumed(shadow as u64);
        }
    });
}
