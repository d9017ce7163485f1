//! The native methods of `java.lang.SubsumeIntrinsics`.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jlong, jlongArray};

use super::guard;
use super::jni::{Jni, Native};
use super::jvmti::{DeclaredField, Name};
use super::session::{Session, graph, session};
use instrument::dataflow::graph::edges::Edge;
use instrument::dataflow::objects::clones::CloneCall;
use instrument::dataflow::tables::Graph;
use instrument::probe::members;
use profile::layout::dataflow::shadow;

/// `SubsumeIntrinsics.bindNatives`, which binds the others.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_SubsumeIntrinsics_bindNatives(
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
        (c"fieldOffsets", c"(Ljava/lang/Class;)[J", field_offsets as *mut c_void),
        (c"findField", c"(Ljava/lang/Class;J)I", find_field as *mut c_void),
        (c"storeOf", c"(II)J", store_of as *mut c_void),
        (c"findClone", c"(Ljava/lang/Class;JI)J", find_clone as *mut c_void),
    ]
}

extern "system" fn field_offsets(env: *mut JNIEnv, _: jclass, class: jclass) -> jlongArray {
    guard(std::ptr::null_mut(), || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        let Some(session) = session() else { return std::ptr::null_mut() };
        let fields = instance_fields(session, jni, class);
        let mut offsets: Vec<i64> =
            fields.iter().map(|(_, field)| (field.offset << 32) as i64).collect();
        offsets.sort_unstable();
        jni.long_array(&offsets).unwrap_or(std::ptr::null_mut())
    })
}

extern "system" fn find_field(env: *mut JNIEnv, _: jclass, class: jclass, offset: jlong) -> jint {
    guard(0, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        session().map_or(0, |session| {
            let mut fields = instance_fields(session, jni, class).into_iter();
            let found = fields.find(|(_, field)| field.offset == offset as u64);
            let found = found.zip(graph());
            found.map_or(0, |((class, field), graph)| number(graph, &class, &field) as jint)
        })
    })
}

/// The number of an instance field that a class declares.
pub(super) fn number(graph: &Graph, class: &[u8], field: &DeclaredField) -> u32 {
    graph.field_number(class, &field.name, &field.descriptor)
}

/// The instance fields of a class, each with the internal name of the class
/// that declares it.
pub(super) fn instance_fields(
    session: &Session,
    jni: Jni,
    class: jclass,
) -> Vec<(Name, DeclaredField)> {
    let of_class = |class| {
        let name = session.jvmti.class_name(class).unwrap_or_default();
        let fields = session.jvmti.fields(class).unwrap_or_default().into_iter();
        let own = fields.filter(|field| !field.is_static && !members::is_added(&field.name));
        own.map(move |field| (name.clone(), field))
    };
    jni.with_superclasses(class).flat_map(of_class).collect()
}

extern "system" fn store_of(_: *mut JNIEnv, _: jclass, store: jint, field: jint) -> jlong {
    guard(0, || {
        // As many bytes as the name of the method says.
        let store = (store as u32, field as u32);
        let known = graph().and_then(|graph| graph.store_of_field_at(store.0, store.1));
        known.map_or(0, |address| address as jlong)
    })
}

extern "system" fn find_clone(
    env: *mut JNIEnv,
    _: jclass,
    class: jclass,
    tags: jlong,
    store: jint,
) -> jlong {
    guard(0, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        let Some((session, graph)) = session().zip(graph()) else { return 0 };
        let call = CloneCall { tags: tags as u64, store };
        let address = graph.clones.address(call, || {
            let may_be_overridden = store < 0;
            let store = if may_be_overridden { !store } else { store } as u32;
            // Then it was somebody else's clone.
            if may_be_overridden && jni.overrides_clone(class) {
                return Vec::new();
            }
            let (from, to) = ((call.tags >> 32) as u32, u64::from(call.tags as u32));
            let edge = |(class, field): &(Name, DeclaredField)| {
                let number = number(graph, class, field);
                let store = graph.store_of_field(store, number, Some(&field.descriptor));
                Edge { from: shadow::of(from, number), to: to << 32 | u64::from(store) }
            };
            instance_fields(session, jni, class).iter().map(edge).collect()
        });
        address as jlong
    })
}
