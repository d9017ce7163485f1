//! Compares how HotSpot writes ids of fields with how [`field_ids`] reads them, before a mode
//! relies on it.
//!
//! [`field_ids`]: super::field_ids

use jvmti_bindings::sys::jni::jclass;

use super::field_ids::offset_if_sound;
use super::jni::Jni;
use super::jvmti::Jvmti;

/// Whether ids of fields are written as they are read, by one instance field and one static
/// field. `runtime` is a class of ours with a static field.
pub fn are_as_known(jni: Jni, jvmti: Jvmti, runtime: jclass) -> bool {
    let is_known = |class: jclass, is_static: bool| {
        let fields = jvmti.fields_of(class, is_static).unwrap_or_default();
        // Only then are the ids where they will be.
        let mappings = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
        fields.first().is_some_and(|&field| {
            let found = offset_if_sound(field, is_static, &mappings);
            found.is_some() && found == jni.unsafe_offset(class, field, is_static)
        })
    };
    let thread = jni.boot_class(runtime, "java.lang.Thread");
    thread.is_some_and(|thread| is_known(thread, false)) && is_known(runtime, true)
}
