//! The native methods of `java.lang.SubsumeStructures`.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jlong};

use super::guard;
use super::jni::{Jni, Native};
use super::session::{Session, session};
use recorder::dataflow::results::layouts::Layout;
use recorder::dataflow::results::threads::ResultTables;
use recorder::modified_utf8;
use recorder::probe::members;

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

fn with_tables(body: impl FnOnce(&'static Session, &ResultTables) -> u64) -> jlong {
    guard(0, || {
        let found = session().and_then(|session| {
            let tables = session.recorder.graph.as_ref()?.tables::<ResultTables>()?;
            Some((session, tables))
        });
        found.map_or(0, |(session, tables)| body(session, tables) as jlong)
    })
}

extern "system" fn layouts(_: *mut JNIEnv, _: jclass) -> jlong {
    with_tables(|_, tables| tables.layouts())
}

extern "system" fn layout(env: *mut JNIEnv, _: jclass, class: jclass, number: jint) -> jlong {
    with_tables(|session, tables| {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        tables.layout(number as u32, || layout_of(session, jni, class))
    })
}

fn layout_of(session: &Session, jni: Jni, class: jclass) -> Layout {
    let mut names = Vec::new();
    let mut found = Vec::new();
    let mut next = Some(class);
    while let Some(class) = next {
        let signature = session.jvmti.class_signature(class).unwrap_or_default();
        names.push(modified_utf8::class_in(&signature).unwrap_or(&signature).to_vec());
        let fields = session.jvmti.fields(class).unwrap_or_default().into_iter();
        let own = fields.filter(|field| !field.is_static && !members::is_added(&field.name));
        found.extend(own.map(|field| {
            let letter = field.descriptor.first().copied().unwrap_or(b'L');
            (field.offset, if letter == b'[' { b'L' } else { letter })
        }));
        next = jni.superclass(class);
    }
    let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
    match names.split_first() {
        Some((name, superclasses)) => Layout::of(name, superclasses, found),
        None => Layout::ByNumber,
    }
}
