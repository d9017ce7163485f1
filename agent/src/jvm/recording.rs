//! Switching recording on and off while the program runs.
//!
//! Off means that classes run as they were loaded. Switching rewrites all
//! loaded classes in one batch; methods that are active at that time go on as
//! they are until they return.
//!
//! When recording starts, such methods have no probes, so they are no contexts.
//! When it stops, they have some, and what these write goes nowhere, because
//! the program's view of the file becomes private before anything else happens.
//! If recording starts again before they return, they are contexts again: they
//! have not ceased to say where they are.

use jvmti_bindings::sys::jni::jclass;
use parking_lot::{Mutex, MutexGuard};

use super::attachment;
use super::flags;
use super::jni::Jni;
use super::native_thread;
use super::retransformation::{modifiable_classes, retransform_all};
use super::session::Session;

/// What the JVM needs itself whenever a class comes out of our hook with other
/// bytes: it then lets the module of that class read the unnamed modules
/// (`jdk.internal.module.Modules.transformedByAgent`), in the middle of loading
/// the class. One of these that got other bytes while it is loaded would be
/// needed within its own loading; the JVM remembers that as an error, and the
/// program gets a `ClassCircularityError` at its first proxy.
const NEEDED_BY_REWRITTEN_CLASSES: &[&str] = &[
    "java.lang.Module$ReflectionData",
    "java.lang.WeakPairMap",
    "java.lang.WeakPairMap$Pair",
    "java.lang.WeakPairMap$Pair$Lookup",
    "java.lang.WeakPairMap$WeakRefPeer",
    "java.lang.WeakPairMap$Pair$Weak",
    "java.lang.WeakPairMap$Pair$Weak$1",
];

/// One switch at a time.
static SWITCH: Mutex<()> = Mutex::new(());

/// Switches recording on; true if it is on afterwards.
pub fn start(session: &'static Session, jni: Jni) -> bool {
    let _one_at_a_time = SWITCH.lock();
    if session.recorder.is_recording() {
        return true;
    }
    if session.recorder.is_attached() && !attachment::prepare(session, jni) {
        return false;
    }
    if let Some(class) = session.runtime.get() {
        for name in NEEDED_BY_REWRITTEN_CLASSES {
            let _ = jni.boot_class(class.reference(), name);
        }
    }
    flags::set_for_recording();
    if let Some(graph) = session.recorder.graph.as_ref() {
        graph.set_reference_bytes(flags::reference_bytes());
    }
    // From here on classes are instrumented as they are loaded, so that none
    // falls between the list taken below and the switch.
    if !session.recorder.begin() {
        flags::restore();
        return false;
    }
    tell_hidden_classes(session, jni, true);
    let Some(classes) = modifiable_classes(session) else {
        // Classes that were loaded meanwhile keep their probes, which write to the
        // program's own view of the file.
        session.recorder.end();
        flags::restore();
        tell_hidden_classes(session, jni, false);
        return false;
    };
    rewrite_in_advance(session, &classes);
    retransform_all(session, &classes);
    true
}

/// Has the classes rewritten by another thread, as far as they were kept.
fn rewrite_in_advance(session: &'static Session, classes: &[jclass]) {
    let names = classes.iter().filter_map(|&class| session.jvmti.class_name(class).ok());
    let jobs = session.pretransformation.expect(names);
    if jobs.is_empty() {
        return;
    }
    let recorder = &session.recorder;
    // The JVM loads classes while it verifies others.
    let snapshot = recorder.catalogue.snapshot();
    let work = move || {
        session.pretransformation.work(jobs, |request| recorder.transform_as_of(request, snapshot));
    };
    if !native_thread::spawn(work) {
        session.pretransformation.close();
    }
}

/// Switches recording off; true if it is off afterwards.
pub fn stop(session: &Session, jni: Jni) -> bool {
    begin_stop(session).is_none_or(|_one_at_a_time| complete_stop(session, jni))
}

/// The first part of stopping, for which nothing of the JVM is needed: from
/// here on nothing is kept any more, but classes still have probes. `None` if
/// recording is off. Nobody else switches while the result lives.
pub fn begin_stop(session: &Session) -> Option<MutexGuard<'static, ()>> {
    let one_at_a_time = SWITCH.lock();
    if !session.recorder.is_recording() {
        return None;
    }
    session.recorder.end();
    Some(one_at_a_time)
}

/// The second part: takes the probes out again; true if that was possible.
pub fn complete_stop(session: &Session, jni: Jni) -> bool {
    flags::restore();
    session.recorder.take_seeds(false);
    tell_hidden_classes(session, jni, false);
    let Some(classes) = modifiable_classes(session) else { return false };
    retransform_all(session, &classes);
    true
}

/// Hides the fields that classes got beside their own from reflection, if there are any,
/// also while nothing is recorded.
pub fn hide_added_fields(session: &Session, jni: Jni) {
    let flow = session.recorder.options.mode.dataflow;
    if flow.is_some_and(|flow| flow.mode.adds_fields())
        && let Some(class) = session.runtime.get()
        && let Some(class) = jni.boot_class(class.reference(), "jdk.internal.reflect.Reflection")
    {
        retransform_all(session, &[class]);
    }
}

fn tell_hidden_classes(session: &Session, jni: Jni, on: bool) {
    if let Some(class) = session.runtime.get() {
        jni.set_static_boolean(class.reference(), c"recording", on);
    }
}
