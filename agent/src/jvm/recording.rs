//! Switching recording on and off while the program runs.
//!
//! Off means that classes run as they were loaded. Switching rewrites all
//! loaded classes; methods that are active at that time go on as
//! they are until they return.
//!
//! That goes by stages, since the JVM stands still for as long as one takes. All classes
//! count from the same moment on: before, probes find that recording is off and count where
//! nobody reads.
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
use super::retransformation::{may_have_probes, modifiable_classes, retransform_all};
use super::session::Session;
use super::stages::{self, Rest};
use super::unshown;
use super::{linking, loaders, unlinked};
use instrument::options::{Compilers, Start};
use instrument::rewrite::jdk_methods::FRAME;

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
/// What is left of the last stop.
static REST: Mutex<Option<Rest>> = Mutex::new(None);

/// Switches recording on; true if it is on afterwards.
pub fn start(session: &'static Session, jni: Jni) -> bool {
    let _one_at_a_time = SWITCH.lock();
    switch_on(session, jni, true)
}

/// Switches recording on when the JVM starts: in one step, since there is no program yet
/// that would have to wait. True if it is on afterwards.
pub fn start_with_jvm(session: &'static Session, jni: Jni) -> bool {
    let _one_at_a_time = SWITCH.lock();
    switch_on(session, jni, false)
}

fn switch_on(session: &'static Session, jni: Jni, in_stages: bool) -> bool {
    if session.recorder.is_recording() {
        return true;
    }
    if let Some(rest) = REST.lock().take() {
        rest.wait();
    }
    if session.recorder.is_attached() && !attachment::prepare(session, jni) {
        return false;
    }
    if let Some(class) = session.runtime.get() {
        for name in NEEDED_BY_REWRITTEN_CLASSES {
            let _ = jni.boot_class(class.reference(), name);
        }
    }
    if session.recorder.is_attached() {
        unshown::load_in_time(session, jni);
    }
    if session.recorder.recordings() == 0 {
        prepare_frames(session, jni, in_stages);
    }
    let options = &session.recorder.options;
    // A server that was warm before a switch is to be warm again soon.
    let for_hottest = options.compilers == Compilers::Hottest && options.start == Start::Startup;
    flags::set_for_recording(for_hottest);
    if let Some(graph) = session.recorder.graph.as_ref() {
        graph.set_reference_bytes(flags::reference_bytes());
    }
    // From here on classes are instrumented as they are loaded, so that none
    // falls between the list taken below and the switch.
    let in_stages = in_stages && session.recorder.prepare();
    if !in_stages && !begin(session, jni) {
        flags::restore();
        return false;
    }
    let rewritten = match in_stages {
        true => stages::put_probes_in(session, jni),
        false => session.in_frame(|| retransform_at_once(session)),
    };
    if !rewritten {
        // Classes that were loaded meanwhile keep their probes, which write to the
        // program's own view of the file.
        session.recorder.end();
        unlinked::forget(session);
        flags::restore();
        tell_hidden_classes(session, jni, false);
        return false;
    }
    if in_stages && !begin(session, jni) {
        session.recorder.end();
        complete_stop(session, jni);
        return false;
    }
    true
}

/// Rewrites all classes that are linked in one batch, the others when they are. False if the
/// JVM does not list them.
fn retransform_at_once(session: &'static Session) -> bool {
    let Some(mut classes) = modifiable_classes(session) else { return false };
    if unlinked::watch(session) {
        classes = unlinked::leave(session, classes);
    }
    classes.retain(|&class| may_have_probes(session, class));
    rewrite_in_advance(session, &classes);
    retransform_all(session, &classes);
    true
}

/// From here on what probes count is kept.
fn begin(session: &Session, jni: Jni) -> bool {
    let begins = session.recorder.begin();
    tell_hidden_classes(session, jni, begins);
    begins
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
pub fn stop(session: &'static Session, jni: Jni) -> bool {
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
    session.recorder.note_stop();
    Some(one_at_a_time)
}

/// The second part: takes the probes out again; true if that was possible.
pub fn complete_stop(session: &'static Session, jni: Jni) -> bool {
    // Before the retransformation, which shows all of them.
    unlinked::list_unnoticed(session);
    loaders::list_open(session);
    unshown::list(session);
    flags::restore();
    tell_hidden_classes(session, jni, false);
    // What follows data hands values from probe to probe, so all of them go at once.
    if session.recorder.options.mode.dataflow.is_none() {
        let rest = stages::take_probes_out(session, jni);
        let is_done = rest.is_some();
        *REST.lock() = rest;
        return is_done;
    }
    unlinked::forget(session);
    session.in_frame(|| {
        let Some(classes) = modifiable_classes(session) else { return false };
        retransform_all(session, &classes);
        true
    })
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

/// Has frames of stacks tell indices in code as it was, before other code has probes. When
/// the JVM starts they get that with all others, if their class is linked: else the program
/// would link it, after it has asked for its constructor, and then ask a second time.
fn prepare_frames(session: &Session, jni: Jni, in_stages: bool) {
    if let Some(class) = session.runtime.get()
        && let Some(class) = jni.boot_class(class.reference(), &FRAME.replace('/', "."))
    {
        match in_stages {
            true => retransform_all(session, &[class]),
            false => {
                linking::link(session.jvmti, class);
            }
        }
    }
}

fn tell_hidden_classes(session: &Session, jni: Jni, on: bool) {
    if let Some(class) = session.runtime.get() {
        jni.set_static_boolean(class.reference(), c"recording", on);
    }
}
