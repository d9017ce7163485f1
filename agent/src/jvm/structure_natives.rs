//! The native methods of `java.lang.SubsumeStructures`.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jlong};

use super::guard;
use super::intrinsic_natives::instance_fields;
use super::jni::{Jni, Native};
use super::jvmti::Name;
use super::session::{Kept, Session, tables};
use instrument::dataflow::results::layouts::Layout;
use instrument::dataflow::results::threads::ResultTables;

/// `SubsumeStructures.bindNatives`, which binds the others.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_SubsumeStructures_bindNatives(
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
pub(super) fn natives() -> [Native; 2] {
    [
        (c"layouts", c"()J", layouts as *mut c_void),
        (c"layout", c"(Ljava/lang/Class;I)J", layout as *mut c_void),
    ]
}

extern "system" fn layouts(_: *mut JNIEnv, _: jclass) -> jlong {
    guard(0, || tables::<ResultTables>().map_or(0, |kept| kept.tables.layouts() as jlong))
}

extern "system" fn layout(env: *mut JNIEnv, _: jclass, class: jclass, number: jint) -> jlong {
    guard(0, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        tables::<ResultTables>().map_or(0, |Kept { session, tables, .. }| {
            tables.layout(number as u32, || layout_of(session, jni, class)) as jlong
        })
    })
}

fn layout_of(session: &Session, jni: Jni, class: jclass) -> Layout {
    let name = |class| session.jvmti.class_name(class).unwrap_or_default();
    let names: Vec<Name> = jni.with_superclasses(class).map(name).collect();
    let fields = instance_fields(session, jni, class).into_iter().map(|(_, field)| {
        let letter = field.descriptor.first().copied().unwrap_or(b'L');
        (field.offset, if letter == b'[' { b'L' } else { letter })
    });
    let names: Vec<&[u8]> = names.iter().map(|name| &**name).collect();
    match names.split_first() {
        Some((name, superclasses)) => Layout::of(name, superclasses, fields.collect()),
        None => Layout::ByNumber,
    }
}
