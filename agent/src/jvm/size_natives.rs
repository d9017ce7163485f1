//! The native methods of `java.lang.SubsumeRuntime` that tell how large objects are.

use std::ffi::CString;
use std::sync::OnceLock;

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jlong};

use super::guard;
use super::jni::Jni;
use super::object_layout::ObjectLayout;
use super::session::{Session, session};
use super::vm_structs::{field_offset, static_int, symbol};
use instrument::plan::policy::display_name;
use instrument::probe::members;

/// Whether this JVM tells what probes need for the sizes of instances.
pub fn is_described() -> bool {
    static_int(c"java_lang_Class", c"_klass_offset").is_some()
        && field_offset(c"Klass", c"_layout_helper", c"jint").is_some()
        && symbol(c"JVM_FindClassFromClass").is_some()
}

/// Address of the cells with sizes.
pub(super) extern "system" fn sizes(_: *mut JNIEnv, _: jclass) -> jlong {
    guard(0, || {
        let session = session().filter(|session| session.recorder.options.counts_bytes());
        session.map_or(0, |session| session.recorder.sizes.address() as jlong)
    })
}

/// A number about the layout of objects.
pub(super) extern "system" fn layout(env: *mut JNIEnv, _: jclass, number: jint) -> jint {
    guard(0, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        let session = session().filter(|session| session.recorder.options.counts_bytes());
        session.and_then(|session| fact(session, jni, number)).unwrap_or(0)
    })
}

fn fact(session: &Session, jni: Jni, number: jint) -> Option<jint> {
    static LAYOUT: OnceLock<Option<ObjectLayout>> = OnceLock::new();
    let layout = (*LAYOUT.get_or_init(|| ObjectLayout::of(jni, session.jvmti)))?;
    match number {
        0 => Some(layout.bytes.alignment),
        1 => Some(layout.bytes.first),
        2 => Some(layout.longs.first),
        3 => Some(layout.references.first),
        4 => Some(layout.references.element.trailing_zeros() as jint),
        5 => static_int(c"java_lang_Class", c"_klass_offset"),
        6 => field_offset(c"Klass", c"_layout_helper", c"jint")?.try_into().ok(),
        _ => None,
    }
}

/// The class of a cell, for the method that has allocated an instance.
pub(super) extern "system" fn allocated(env: *mut JNIEnv, _: jclass, cell: jint) -> jclass {
    guard(std::ptr::null_mut(), || {
        let Some(session) = session() else { return std::ptr::null_mut() };
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        let Some(name) = session.recorder.sizes.class(cell as u32) else {
            return std::ptr::null_mut();
        };
        let found = named(session, jni, &name);
        if found.is_none() {
            let reason = "bytes of its instances are not counted: their size is not known";
            session.recorder.writer.skip(&display_name(&name), "", reason);
            session.recorder.sizes.give_up(cell as u32);
        }
        found.unwrap_or(std::ptr::null_mut())
    })
}

/// The class of this name to the method that has called the probe.
fn named(session: &Session, jni: Jni, name: &[u8]) -> Option<jclass> {
    let is_probe = |class: &[u8], method: &[u8]| match class {
        b"Ljava/lang/Object;" => members::is_added(method),
        _ => class == format!("L{};", members::RUNTIME).as_bytes(),
    };
    let from = session.jvmti.class_on_stack(8, is_probe).ok()?;
    let signature = session.jvmti.class_signature(from).ok()?;
    // Hidden classes have a suffix, which code that names its own class does not know.
    let own = signature.strip_prefix(b"L")?;
    let own = own.split(|&byte| matches!(byte, b'.' | b';')).next()?;
    if own == name {
        return Some(from);
    }
    let name = CString::new(name).ok()?;
    let found = jni.known_class(&name, from);
    jni.forget_local(from);
    found
}
