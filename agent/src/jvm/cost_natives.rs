//! The native methods of `java.lang.SubsumeCosts`.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jclass, jint, jlong, jlongArray};

use super::guard;
use super::intrinsic_natives::number;
use super::jni::{Jni, Native};
use super::jvmti::DeclaredField;
use super::session::{Session, graph, session, tables};
use instrument::dataflow::costs::block_counters;
use instrument::dataflow::costs::tables::CostTables;
use instrument::dataflow::costs::tables::CountersKey;
use instrument::dataflow::last_writers::fields;
use instrument::probe::members;

/// `SubsumeCosts.bindNatives`, which binds the others.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_SubsumeCosts_bindNatives(env: *mut JNIEnv, class: jclass) {
    guard((), || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        jni.bind(class, &natives());
    });
}

/// The other native methods: name, descriptor and code of each.
pub(super) fn natives() -> [Native; 11] {
    [
        (c"base", c"()J", base as *mut c_void),
        (c"known", c"()J", known as *mut c_void),
        (c"limit", c"()J", limit as *mut c_void),
        (c"slots", c"()I", slots as *mut c_void),
        (c"factor", c"()I", factor as *mut c_void),
        (c"noRow", c"()I", no_row as *mut c_void),
        (c"rows", c"(I)J", rows as *mut c_void),
        (c"unread", c"()J", unread as *mut c_void),
        (c"counters", c"(IIII)I", counters as *mut c_void),
        (c"fields", c"(Ljava/lang/Class;)[J", fields as *mut c_void),
        (c"overridesClone", c"(Ljava/lang/Class;)Z", overrides_clone as *mut c_void),
    ]
}

/// Asks the tables; without them the answer is 0.
fn with_tables<R: Default>(body: impl FnOnce(&CostTables) -> R) -> R {
    guard(R::default(), || tables().map_or_else(R::default, |kept| body(kept.tables)))
}

extern "system" fn base(_: *mut JNIEnv, _: jclass) -> jlong {
    guard(0, || session().map_or(0, |session| session.recorder.arena.base_address() as jlong))
}

extern "system" fn known(_: *mut JNIEnv, _: jclass) -> jlong {
    with_tables(|tables| tables.known() as jlong)
}

extern "system" fn limit(_: *mut JNIEnv, _: jclass) -> jlong {
    guard(0, || {
        session().map_or(0, |session| {
            let arena = &session.recorder.arena;
            (arena.base_address() + u64::from(arena.overflow()) * 4) as jlong
        })
    })
}

extern "system" fn slots(_: *mut JNIEnv, _: jclass) -> jint {
    with_tables(|tables| tables.slots() as jint)
}

extern "system" fn factor(_: *mut JNIEnv, _: jclass) -> jint {
    with_tables(|tables| tables.factor() as jint)
}

extern "system" fn no_row(_: *mut JNIEnv, _: jclass) -> jint {
    with_tables(|tables| tables.no_row() as jint)
}

extern "system" fn rows(_: *mut JNIEnv, _: jclass, tree: jint) -> jlong {
    with_tables(|tables| tables.rows(tree as u32) as jlong)
}

extern "system" fn unread(_: *mut JNIEnv, _: jclass) -> jlong {
    with_tables(|tables| tables.unread() as jlong)
}

extern "system" fn counters(
    _: *mut JNIEnv,
    _: jclass,
    tree: jint,
    method: jint,
    slot: jint,
    receiver: jint,
) -> jint {
    guard(0, || {
        let key =
            CountersKey { method: method as u32, slot: slot as u32, receiver: receiver as u32 };
        graph().map_or(0, |graph| block_counters(graph, tree as u32, key) as jint)
    })
}

extern "system" fn fields(env: *mut JNIEnv, _: jclass, class: jclass) -> jlongArray {
    guard(std::ptr::null_mut(), || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        let Some(session) = session() else { return std::ptr::null_mut() };
        let declared = |class| declared(session, class).into_iter().flatten();
        let numbers: Vec<i64> = jni.with_superclasses(class).flat_map(declared).collect();
        jni.long_array(&numbers).unwrap_or(std::ptr::null_mut())
    })
}

extern "system" fn overrides_clone(env: *mut JNIEnv, _: jclass, class: jclass) -> jboolean {
    guard(0, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        jni.overrides_clone(class).into()
    })
}

/// Numbers of a field in what `SubsumeCosts.fields` returns, as `SubsumeFields` has them.
pub mod field {
    /// Offset of its last writer, 0 if it has none; behind the field's own number.
    pub const SHADOW: usize = 1;
    /// Its offset if it is a reference, else 0.
    pub const REFERENCE: usize = 2;
    /// How many numbers each field has.
    pub const EACH: usize = 3;
}

/// The instance fields that a class declares, as `SubsumeFields` wants them.
fn declared(session: &Session, class: jclass) -> Vec<[i64; field::EACH]> {
    let Some(graph) = session.recorder.graph.as_ref() else { return Vec::new() };
    let name = session.jvmti.class_name(class).unwrap_or_default();
    let mut fields = session.jvmti.fields(class).unwrap_or_default();
    fields.retain(|field| !field.is_static);
    let last_writer = |of: &DeclaredField| {
        let wanted = fields::name(&of.name, &of.descriptor);
        let found = fields.iter().find(|field| *field.name == *wanted);
        found.map_or(0, |field| field.offset as i64)
    };
    let own = fields.iter().filter(|field| !members::is_added(&field.name));
    own.map(|field| {
        let is_reference = matches!(field.descriptor.first(), Some(b'L' | b'['));
        let reference = if is_reference { field.offset as i64 } else { 0 };
        let mut numbers = [i64::from(number(graph, &name, field)); field::EACH];
        numbers[field::SHADOW] = last_writer(field);
        numbers[field::REFERENCE] = reference;
        numbers
    })
    .collect()
}
