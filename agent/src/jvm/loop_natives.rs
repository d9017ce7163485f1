//! The native methods of `java.lang.SubsumeLoops`.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jlong, jobjectArray};

use super::guard;
use super::jni::{Jni, Native};
use super::session::{Session, session};
use profile::metadata::Record;
use recorder::dataflow::graph::Graph;
use recorder::dataflow::loops::threads::LoopTables;
use recorder::recording::Recorder;

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

/// Runs with what is kept of loops; without it there is nothing to do.
fn with_tables<R>(
    otherwise: R,
    body: impl FnOnce(&'static Session, &'static Graph, &'static LoopTables) -> R,
) -> R {
    let found = session().and_then(|session| {
        let graph = session.recorder.graph.as_ref()?;
        Some((session, graph, graph.tables::<LoopTables>()?))
    });
    match found {
        Some((session, graph, tables)) => body(session, graph, tables),
        None => otherwise,
    }
}

extern "system" fn base(_: *mut JNIEnv, _: jclass) -> jlong {
    guard(0, || with_tables(0, |_, graph, _| graph.arena().base_address() as jlong))
}

extern "system" fn untold_depth(_: *mut JNIEnv, _: jclass) -> jint {
    guard(1, || with_tables(1, |_, _, tables| tables.untold_depth() as jint))
}

extern "system" fn attach(_: *mut JNIEnv, _: jclass, tree: jint) -> jlong {
    guard(0, || {
        with_tables(0, |_, graph, tables| match graph.keeps(tree as u32) {
            true => tables.attach(graph.arena(), tree as u32) as jlong,
            false => 0,
        })
    })
}

extern "system" fn judge(_: *mut JNIEnv, _: jclass, tree: jint) {
    guard((), || {
        with_tables((), |session, graph, tables| {
            let tree = tree as u32;
            let is_kept = graph.keeps(tree);
            let recorder = &session.recorder;
            tables.judge(graph.arena(), &recorder.trees, tree, is_kept, &|record| {
                // Without room for it the arena says that the file is not complete.
                recorder.writer.append(record);
            });
        });
    });
}

/// `SubsumeRuntime.beginTest`.
pub(super) extern "system" fn begin_test(_: *mut JNIEnv, _: jclass, tree: jint) -> jlong {
    guard(0, || {
        with_tables(0, |session, graph, tables| {
            let tree = tree as u32;
            if !graph.keeps(tree) {
                return 0;
            }
            let Recorder { trees, writer, .. } = &session.recorder;
            let write = |record: &Record| {
                writer.append(record);
            };
            tables.begin_test(graph.arena(), trees, tree, &write).unwrap_or(0) as jlong
        })
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
        with_tables(none, |session, graph, tables| {
            let tree = tree as u32;
            if !graph.keeps(tree) {
                return none;
            }
            let Recorder { trees, writer, .. } = &session.recorder;
            let write = |record: &Record| {
                writer.append(record);
            };
            let said = tables.end_test(graph.arena(), trees, tree, test as u64, &write);
            jni.reserve_references();
            said.and_then(|said| jni.string_array(&said)).unwrap_or(none)
        })
    })
}
