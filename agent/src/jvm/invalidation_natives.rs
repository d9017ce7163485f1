//! The native methods of `java.lang.SubsumeInvalidation`.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jclass, jlongArray};

use super::guard;
use super::jni::{Jni, Native};
use super::jvmti::DeclaredField;
use super::session::{Session, session, tables};
use instrument::dataflow::costs::tables::CostTables;
use instrument::dataflow::graph::numbers::FieldName;
use instrument::dataflow::last_writers::fields;
use instrument::dataflow::last_writers::static_fields;
use instrument::probe::members;

/// `SubsumeInvalidation.bindNatives`, which binds the others.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_SubsumeInvalidation_bindNatives(
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
        (c"followsCosts", c"()Z", follows_costs as *mut c_void),
        (c"shadowFields", c"(Ljava/lang/Class;Z)[J", shadow_fields as *mut c_void),
    ]
}

extern "system" fn follows_costs(_: *mut JNIEnv, _: jclass) -> jboolean {
    guard(0, || tables::<CostTables>().is_some().into())
}

extern "system" fn shadow_fields(
    env: *mut JNIEnv,
    _: jclass,
    class: jclass,
    are_static: jboolean,
) -> jlongArray {
    guard(std::ptr::null_mut(), || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        let Some(session) = session() else { return std::ptr::null_mut() };
        let found = match are_static {
            0 => of_objects(session, jni, class),
            _ => of_class(session, class),
        };
        let found = found.and_then(|numbers| jni.long_array(numbers.as_flattened()));
        found.unwrap_or(std::ptr::null_mut())
    })
}

/// Offsets of the instance fields of a class, those that it inherits among them,
/// each with that of its last writer.
fn of_objects(session: &Session, jni: Jni, class: jclass) -> Option<Vec<[i64; 2]>> {
    let mut numbers = Vec::new();
    for class in jni.with_superclasses(class) {
        let mut fields = session.jvmti.fields(class).ok()?;
        fields.retain(|field| !field.is_static);
        let last_writer = |of: &DeclaredField| {
            let wanted = fields::name(&of.name, &of.descriptor);
            fields.iter().find(|field| *field.name == *wanted)
        };
        numbers.extend(
            fields
                .iter()
                .filter_map(|field| Some([field.offset as i64, last_writer(field)?.offset as i64])),
        );
    }
    Some(numbers)
}

/// Offsets of the static fields that a class declares, each with the address of
/// its last writer.
fn of_class(session: &Session, class: jclass) -> Option<Vec<[i64; 2]>> {
    let graph = session.recorder.graph.as_ref()?;
    let address = graph.last_writers.as_ref()?.statics.writers();
    let owner = session.jvmti.class_name(class).ok()?;
    let fields = session.jvmti.fields(class).ok()?;
    let fields = fields.iter().filter(|field| field.is_static && !members::is_added(&field.name));
    let numbers = fields.map(|field| {
        let named = FieldName {
            class: &owner,
            name: &field.name,
            descriptor: &field.descriptor,
            is_static: true,
        };
        let number = graph.numbers.field(named, |record| {
            session.recorder.writer.append(record);
        });
        (field, number)
    });
    let numbers = numbers.filter(|&(_, number)| number < static_fields::NUMBERS);
    let address = |number: u32| (address + u64::from(number) * 4) as i64;
    Some(numbers.map(|(field, number)| [field.offset as i64, address(number)]).collect())
}
