//! The native methods of `java.lang.SubsumeLoops`.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jlong, jobjectArray};

use super::guard;
use super::jni::{Jni, Native};
use super::session::{Kept, tables, tables_of_tree};
use super::tag_natives::note;
use instrument::dataflow::loops::threads::LoopTables;

/// `SubsumeLoops.bindNatives`, which binds the others.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_SubsumeLoops_bindNatives(env: *mut JNIEnv, class: jclass) {
    guard((), || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        jni.bind(class, &natives());
    });
}

/// The other native methods: name, descriptor and code of each.
pub(super) fn natives() -> [Native; 4] {
    [
        (c"base", c"()J", base as *mut c_void),
        (c"untoldDepth", c"()I", untold_depth as *mut c_void),
        (c"attach", c"(I)J", attach as *mut c_void),
        (c"judge", c"(I)V", judge as *mut c_void),
    ]
}

extern "system" fn base(_: *mut JNIEnv, _: jclass) -> jlong {
    guard(0, || tables::<LoopTables>().map_or(0, |kept| kept.graph.arena().base_address() as jlong))
}

extern "system" fn untold_depth(_: *mut JNIEnv, _: jclass) -> jint {
    guard(1, || tables::<LoopTables>().map_or(1, |kept| kept.tables.untold_depth() as jint))
}

extern "system" fn attach(_: *mut JNIEnv, _: jclass, tree: jint) -> jlong {
    guard(0, || {
        tables_of_tree::<LoopTables>(tree as u32).map_or(0, |Kept { graph, tables, .. }| {
            tables.attach(graph.arena(), tree as u32) as jlong
        })
    })
}

extern "system" fn judge(_: *mut JNIEnv, _: jclass, tree: jint) {
    guard((), || {
        let Some(Kept { session, graph, tables }) = tables::<LoopTables>() else { return };
        let tree = tree as u32;
        let is_kept = graph.keeps(tree);
        tables.judge(graph.arena(), &session.recorder.trees, tree, is_kept, &note(session));
    });
}

/// `SubsumeRuntime.beginTest`.
pub(super) extern "system" fn begin_test(_: *mut JNIEnv, _: jclass, tree: jint) -> jlong {
    guard(0, || {
        let begun = tables_of_tree::<LoopTables>(tree as u32).and_then(
            |Kept { session, graph, tables }| {
                let trees = &session.recorder.trees;
                tables.begin_test(graph.arena(), trees, tree as u32, &note(session))
            },
        );
        begun.unwrap_or(0) as jlong
    })
}

/// `SubsumeRuntime.endTest`.
pub(super) extern "system" fn end_test(
    env: *mut JNIEnv,
    _: jclass,
    tree: jint,
    test: jlong,
) -> jobjectArray {
    let none = std::ptr::null_mut();
    guard(none, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        let said = tables_of_tree::<LoopTables>(tree as u32).and_then(
            |Kept { session, graph, tables }| {
                let trees = &session.recorder.trees;
                tables.end_test(graph.arena(), trees, tree as u32, test as u64, &note(session))
            },
        );
        jni.reserve_references();
        said.and_then(|said| jni.string_array(&said)).unwrap_or(none)
    })
}
