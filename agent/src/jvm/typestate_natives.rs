//! The native methods of `java.lang.SubsumeTypestate`.

use std::ffi::c_void;

use instrument::dataflow::typestate::FIELD;
use instrument::dataflow::typestate::tables::TypestateTables;
use instrument::plan::policy;
use instrument::probe::members::PREFIX;
use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jclass, jint, jlong, jobject};

use super::guard;
use super::jni::{Jni, Native};
use super::jvmti::Name;
use super::session::{Kept, Session, tables, tables_of_tree};

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
        let offset = tables::<TypestateTables>().and_then(|kept| {
            // The class of a class.
            offset_of_field(kept.session, jni.class_of(class)?)
        });
        offset.unwrap_or(0) as jlong
    })
}

extern "system" fn classify(env: *mut JNIEnv, _: jclass, object: jobject) -> jlong {
    guard(FOLLOWS_NONE, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        let followed = tables().and_then(|Kept { session, tables, .. }| {
            jni.reserve_references();
            followed(session, jni, tables, jni.class_of(object)?)
        });
        followed.unwrap_or(FOLLOWS_NONE)
    })
}

/// The protocol of the objects of a class above the offset of their field.
fn followed(session: &Session, jni: Jni, tables: &TypestateTables, class: jclass) -> Option<jlong> {
    let mut supertypes: Vec<Name> = Vec::new();
    for class in jni.with_superclasses(class) {
        note_supertypes(session, class, &mut supertypes)?;
    }
    let name = supertypes.first()?.clone();
    let protocol = tables.protocol_of(&name, supertypes.iter().map(|name| &**name))?;
    let offset = jni.with_superclasses(class).find_map(|class| offset_of_field(session, class));
    if let Some(offset) = offset {
        return Some((u64::from(protocol) << 32 | offset) as jlong);
    }
    if tables.lack(&name) {
        let reason = "its objects are not followed: they have no room for their state";
        session.recorder.writer.skip(&policy::display_name(&name), "", reason);
    }
    None
}

/// Adds the name of a class and those of all interfaces that it implements itself.
fn note_supertypes(session: &Session, class: jclass, names: &mut Vec<Name>) -> Option<()> {
    let name = session.jvmti.class_name(class).ok()?;
    if names.contains(&name) {
        return Some(());
    }
    names.push(name);
    for &interface in session.jvmti.interfaces(class).ok()?.as_slice() {
        note_supertypes(session, interface, names)?;
    }
    Some(())
}

extern "system" fn attach(_: *mut JNIEnv, _: jclass, tree: jint) -> jlong {
    guard(0, || {
        tables_of_tree::<TypestateTables>(tree as u32)
            .map_or(0, |Kept { graph, tables, .. }| {
                tables.attach(graph.arena(), tree as u32) as jlong
            })
    })
}

extern "system" fn fill(_: *mut JNIEnv, _: jclass, tree: jint, key: jlong) -> jboolean {
    guard(0, || {
        let is_filled = tables_of_tree::<TypestateTables>(tree as u32).is_some_and(
            |Kept { graph, tables, .. }| tables.fill(graph.arena(), tree as u32, key as u64),
        );
        is_filled.into()
    })
}
