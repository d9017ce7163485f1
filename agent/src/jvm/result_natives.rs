//! The native methods of `java.lang.SubsumeResultTables`.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jclass, jint, jlong};

use super::guard;
use super::jni::{Jni, Native};
use super::session::{tables, tables_of_tree};
use instrument::dataflow::results::threads::ResultTables;
use online::results::tables::Which;

/// `SubsumeResultTables.bindNatives`, which binds the others.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_SubsumeResultTables_bindNatives(
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
pub(super) fn natives() -> [Native; 5] {
    [
        (c"mostCalls", c"()J", most_calls as *mut c_void),
        (c"stopped", c"()J", stopped as *mut c_void),
        (c"attach", c"(I)J", attach as *mut c_void),
        (c"header", c"(II)J", header as *mut c_void),
        (c"makeRoom", c"(IIZ)V", make_room as *mut c_void),
    ]
}

extern "system" fn most_calls(_: *mut JNIEnv, _: jclass) -> jlong {
    guard(0, || {
        tables::<ResultTables>()
            .map_or(0, |kept| kept.tables.most_calls().min(i64::MAX as u64) as jlong)
    })
}

extern "system" fn stopped(_: *mut JNIEnv, _: jclass) -> jlong {
    guard(0, || tables::<ResultTables>().map_or(0, |kept| kept.tables.stopped() as jlong))
}

extern "system" fn attach(_: *mut JNIEnv, _: jclass, tree: jint) -> jlong {
    guard(0, || {
        tables_of_tree::<ResultTables>(tree as u32)
            .map_or(0, |kept| kept.tables.attach(tree as u32) as jlong)
    })
}

extern "system" fn header(_: *mut JNIEnv, _: jclass, tree: jint, method: jint) -> jlong {
    guard(0, || {
        tables::<ResultTables>()
            .map_or(0, |kept| kept.tables.header(tree as u32, method as u32) as jlong)
    })
}

extern "system" fn make_room(
    _: *mut JNIEnv,
    _: jclass,
    tree: jint,
    method: jint,
    receivers: jboolean,
) {
    guard((), || {
        let which = if receivers == 0 { Which::Inputs } else { Which::Receivers };
        if let Some(kept) = tables::<ResultTables>() {
            kept.tables.make_room(tree as u32, method as u32, which);
        }
    });
}
