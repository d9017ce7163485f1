//! The Java classes that the agent brings along, and how they get in.

use std::ffi::{CStr, CString};

use jvmti_bindings::sys::jni::{jclass, jobject};

use super::global_class::GlobalClass;
use super::jni::Jni;
use super::known_field_ids;
use super::session::Session;
use crate::{attached_runtime, shim};
use instrument::dataflow;
use instrument::probe::{RuntimeClass, members};

/// The runtime class that JNI's functions notify of their stores.
const STORES: &str = "SubsumeInvalidation";

/// The runtime classes that number texts.
const TEXTS: [RuntimeClass; 2] = [
    RuntimeClass::new("SubsumeInputs"),
    RuntimeClass::initialised_by(
        "SubsumeTexts",
        "isReady",
        "strings have no characters where they are known, and split needs them",
    ),
];

/// The runtime class with the tracking stack, which JNI's functions clear around calls.
const STACK: &str = "SubsumeStack";

/// Defines the runtime classes in `java.lang`, binds them, and hides what was
/// added to the JDK's classes from reflection.
///
/// # Errors
/// What the JVM did not accept, in words.
pub fn install(session: &Session, jni: Jni) -> Result<(), &'static str> {
    let class = jni
        .define_class(
            c"java/lang/SubsumeRuntime",
            std::ptr::null_mut(),
            shim::runtime_class("SubsumeRuntime").unwrap_or_default(),
        )
        .ok_or("the JVM does not accept java.lang.SubsumeRuntime")?;
    let has_texts = session.recorder.splits.is_some();
    let families = dataflow::families(&session.recorder.options.mode, has_texts);
    if !jni.call_with_strings(class, c"install", &members::names(&families)) {
        return Err("the members added to JDK classes cannot be hidden");
    }
    if session.threads.get().is_none() {
        return Err("java.lang.Thread was loaded before the agent could act");
    }
    if let Some(flow) = session.recorder.options.mode.dataflow {
        if !known_field_ids::are_as_known(jni, session.jvmti, class) {
            return Err("this HotSpot keeps offsets of fields where they are not known, and \
                        this mode needs them (mode=calls does not)");
        }
        for class in flow.mode.runtime_classes().iter().copied().flatten() {
            let defined = define(jni, class)?;
            if class.name == STORES && !jni.tell_of_stores(session.jvmti, defined) {
                return Err("stores of native code cannot be seen");
            }
            if class.name == STACK && !jni.clear_around_calls(session.jvmti, defined) {
                return Err("calls of native code cannot be seen");
            }
        }
    }
    define_texts(session, jni)?;
    let class = jni.global(class).ok_or("the JVM gives no reference to its classes")?;
    // Set once, when the JVM starts.
    let _ = session.runtime.set(GlobalClass::new(class));
    session.recorder.set_runtime();
    Ok(())
}

/// Defines the runtime classes in a JVM that was running when the agent came.
///
/// # Errors
/// What the JVM did not accept, in words.
pub fn install_late(session: &Session, jni: Jni) -> Result<(), &'static str> {
    const REFUSED: &str = "the JVM does not accept the runtime classes";
    let slots = shim::runtime_class(attached_runtime::SLOTS).ok_or(REFUSED)?;
    let runtime = attached_runtime::runtime_class().ok_or(REFUSED)?;
    let boot = std::ptr::null_mut();
    let slots = jni.define_class(c"java/lang/SubsumeSlots", boot, slots).ok_or(REFUSED)?;
    // Initialises it: once probes ask it, what its initialisation calls has some.
    jni.static_number(slots, c"BASE").ok_or(REFUSED)?;
    let class = jni.define_class(c"java/lang/SubsumeRuntime", boot, &runtime).ok_or(REFUSED)?;
    define_texts(session, jni)?;
    let class = jni.global(class).ok_or(REFUSED)?;
    // Initialises it.
    jni.set_static_boolean(class, c"recording", false);
    if session.threads.get().is_none() {
        return Err("java.lang.Thread has no words that the agent could use");
    }
    // Set once, at the first attachment.
    let _ = session.runtime.set(GlobalClass::new(class));
    session.recorder.set_runtime();
    Ok(())
}

/// Defines the runtime classes that number texts, if contexts are to differ by them.
fn define_texts(session: &Session, jni: Jni) -> Result<(), &'static str> {
    if session.recorder.splits.is_some() {
        for class in &TEXTS {
            define(jni, class)?;
        }
    }
    Ok(())
}

/// Defines a runtime class, and initialises it if it initialises itself and others.
fn define(jni: Jni, class: &RuntimeClass) -> Result<jclass, &'static str> {
    const REFUSED: &str = "the JVM does not accept the runtime classes of this mode";
    let bytes = shim::runtime_class(class.name).ok_or(REFUSED)?;
    let name = CString::new(format!("java/lang/{}", class.name)).map_err(|_| REFUSED)?;
    let defined = jni.define_class(&name, std::ptr::null_mut(), bytes).ok_or(REFUSED)?;
    let Some(initialisation) = class.initialisation else { return Ok(defined) };
    let method = CString::new(initialisation.method).map_err(|_| initialisation.refusal)?;
    match jni.call_static_boolean(defined, &method) {
        Some(true) => Ok(defined),
        _ => Err(initialisation.refusal),
    }
}

/// Defines the DaCapo callback beside the harness, in the harness's own loader:
/// it extends a class of the harness, and the harness looks it up there.
pub fn define_callback(jni: Jni, harness_class: &[u8], loader: jobject) {
    let bytes = match harness_class {
        b"dacapo/TestHarness" => shim::CALLBACK_2006,
        b"org/dacapo/harness/TestHarness" => shim::CALLBACK_9_12,
        _ => return,
    };
    const NAME: &CStr = c"subsume/Callback";
    // Fails where somebody brought a class of this name; then that one serves.
    let _ = jni.define_class(NAME, loader, bytes);
}
