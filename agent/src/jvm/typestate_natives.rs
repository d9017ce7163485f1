//! The native methods of `java.lang.SubsumeTypestate`.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jclass, jint, jlong, jobject};
use recorder::dataflow::graph::Graph;
use recorder::dataflow::typestate::FIELD;
use recorder::dataflow::typestate::tables::TypestateTables;
use recorder::modified_utf8;
use recorder::plan::policy;
use recorder::probe::members::PREFIX;

use super::guard;
use super::jni::{Jni, Native};
use super::session::{Session, session};

/// What is known of a class whose objects follow no protocol.
const FOLLOWS_NONE: jlong = -1;

/// `SubsumeTypestate.bindNatives`, which binds the others.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_SubsumeTypestate_bindNatives(
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
pub(super) fn natives() -> [Native; 4] {
    [
        (c"ofClass", c"()J", of_class as *mut c_void),
        (c"classify", c"(Ljava/lang/Object;)J", classify as *mut c_void),
        (c"attach", c"(I)J", attach as *mut c_void),
        (c"fill", c"(IJ)Z", fill as *mut c_void),
    ]
}

/// Runs with what is kept of histories; without it there is nothing to do.
fn with_tables<R>(
    otherwise: R,
    body: impl FnOnce(&'static Session, &'static Graph, &'static TypestateTables) -> R,
) -> R {
    let found = session().and_then(|session| {
        let graph = session.recorder.graph.as_ref()?;
        Some((session, graph, graph.tables::<TypestateTables>()?))
    });
    match found {
        Some((session, graph, tables)) => body(session, graph, tables),
        None => otherwise,
    }
}

/// Offset of the field that the agent has added to a class itself.
fn offset_of_field(session: &Session, class: jclass) -> Option<u64> {
    let name = format!("{PREFIX}{FIELD}");
    let fields = session.jvmti.fields(class).ok()?;
    let field = fields.iter().find(|field| !field.is_static && *field.name == *name.as_bytes());
    field.map(|field| field.offset)
}

extern "system" fn of_class(env: *mut JNIEnv, class: jclass) -> jlong {
    guard(0, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        with_tables(0, |session, _, _| {
            // The class of a class.
            let offset = jni.class_of(class).and_then(|class| offset_of_field(session, class));
            offset.unwrap_or(0) as jlong
        })
    })
}

extern "system" fn classify(env: *mut JNIEnv, _: jclass, object: jobject) -> jlong {
    guard(FOLLOWS_NONE, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        with_tables(FOLLOWS_NONE, |session, _, tables| {
            jni.reserve_references();
            jni.class_of(object)
                .and_then(|class| followed(session, jni, tables, class))
                .unwrap_or(FOLLOWS_NONE)
        })
    })
}

/// The protocol of the objects of a class above the offset of their field.
fn followed(session: &Session, jni: Jni, tables: &TypestateTables, class: jclass) -> Option<jlong> {
    let mut supertypes: Vec<Vec<u8>> = Vec::new();
    let mut next = Some(class);
    while let Some(class) = next {
        note_supertypes(session, class, &mut supertypes)?;
        next = jni.superclass(class);
    }
    let name = supertypes.first()?.clone();
    let protocol = tables.protocol_of(&name, supertypes.iter().map(Vec::as_slice))?;
    let mut next = Some(class);
    while let Some(class) = next {
        if let Some(offset) = offset_of_field(session, class) {
            return Some((u64::from(protocol) << 32 | offset) as jlong);
        }
        next = jni.superclass(class);
    }
    if tables.lack(&name) {
        let reason = "its objects are not followed: they have no room for their state";
        session.recorder.writer.skip(&policy::display_name(&name), "", reason);
    }
    None
}

/// Adds the name of a class and those of all interfaces that it implements itself.
fn note_supertypes(session: &Session, class: jclass, names: &mut Vec<Vec<u8>>) -> Option<()> {
    let signature = session.jvmti.class_signature(class).ok()?;
    let name = modified_utf8::class_in(&signature)?;
    if names.iter().any(|known| known == name) {
        return Some(());
    }
    names.push(name.to_vec());
    for &interface in session.jvmti.interfaces(class).ok()?.as_slice() {
        note_supertypes(session, interface, names)?;
    }
    Some(())
}

extern "system" fn attach(_: *mut JNIEnv, _: jclass, tree: jint) -> jlong {
    guard(0, || {
        with_tables(0, |_, graph, tables| match graph.keeps(tree as u32) {
            true => tables.attach(graph.arena(), tree as u32) as jlong,
            false => 0,
        })
    })
}

extern "system" fn fill(_: *mut JNIEnv, _: jclass, tree: jint, key: jlong) -> jboolean {
    guard(0, || {
        with_tables(0, |_, graph, tables| {
            let is_kept = graph.keeps(tree as u32);
            jboolean::from(is_kept && tables.fill(graph.arena(), tree as u32, key as u64))
        })
    })
}
