//! Coming into a JVM that is running.
//!
//! Nothing can be added to classes that are loaded. So threads keep their slots in the
//! word that had their secondary seeds ([`secondary_seeds`]), probes are called by the
//! name of their class ([`loaders`]), and what the start of the JVM would have told is
//! asked for: its threads, and which methods of the JDK their callers count.
//!
//! [`secondary_seeds`]: instrument::rewrite::secondary_seeds

use std::time::{Duration, Instant};

use jvmti_bindings::sys::jni::{jclass, jobject};

use super::jni::Jni;
use super::retransformation::{modifiable_classes, retransform};
use super::session::Session;
use super::{linking, loaders, runtime_class};
use instrument::rewrite::secondary_seeds::{NEXT_SEED, RANDOM};

/// How long a thread may be in the midst of drawing a seed.
const DRAWING: Duration = Duration::from_secs(5);

/// Tag of virtual threads.
const VIRTUAL_THREAD: i64 = 4;

/// Makes the JVM ready for recording. False if it does not let itself be; then all is as
/// it was.
pub fn prepare(session: &'static Session, jni: Jni) -> bool {
    // Not while the JVM loads the agent: until that is done it does not look for natives in
    // its library, and prints a warning if the agent binds them itself.
    if session.runtime.get().is_none() && runtime_class::install_late(session, jni).is_err() {
        return false;
    }
    session.recorder.take_seeds(true);
    if session.in_frame(|| free_seeds(session, jni)) != Some(true) {
        session.recorder.take_seeds(false);
        return false;
    }
    session.in_frame(|| give_trees(session, jni));
    let noted = session.in_frame(|| note_loaders(session, jni));
    if noted {
        loaders::ask_noted(session, jni);
    }
    noted
}

/// Learns what there is of the JDK, and which loaders are to be asked. False if the JVM does
/// not list its classes.
fn note_loaders(session: &Session, jni: Jni) -> bool {
    let Some(classes) = modifiable_classes(session) else { return false };
    let is_of_boot_loader = |class| session.with_loader(class, |loader| loader.is_null());
    // Callers have to know natives and intrinsics of the JDK before they get probes.
    let is_unknown = |&class: &jclass| {
        let name = session.jvmti.class_name(class).unwrap_or_default();
        is_of_boot_loader(class) == Some(true) && !session.recorder.catalogue.knows_targets(&name)
    };
    for class in classes.iter().copied().filter(is_unknown) {
        linking::show(session.jvmti, class);
    }
    for &class in &classes {
        session.with_loader(class, |loader| loaders::note(session, jni, loader));
    }
    true
}

/// Gives the program's threads their trees.
fn give_trees(session: &Session, jni: Jni) {
    if let (Ok(threads), Ok(own)) = (session.jvmti.threads(), session.jvmti.current_thread()) {
        let of_program = |thread: &&jobject| !jni.is_same(**thread, own);
        for &thread in threads.as_slice().iter().filter(of_program) {
            session.give_tree(jni, thread);
        }
    }
}

/// Lets secondary seeds be used again, when no class has probes any more: they would take
/// a seed for a slot.
pub fn give_seeds_back(session: &Session, jni: Jni) {
    session.recorder.take_seeds(false);
    if session.recorder.is_attached()
        && let Some(random) = random_class(session, jni)
    {
        retransform(session, &[random]);
    }
}

fn random_class(session: &Session, jni: Jni) -> Option<jclass> {
    jni.boot_class(session.runtime.get()?.reference(), &RANDOM.replace('/', "."))
}

/// Has nobody use secondary seeds any more, and sets all slots to the one of threads
/// without a tree. `None` if the JVM lacks something for that.
fn free_seeds(session: &Session, jni: Jni) -> Option<bool> {
    let runtime = session.runtime.get()?.reference();
    let random = random_class(session, jni)?;
    session.jvmti.retransform(&[random]).ok()?;
    // Who has entered the method before still writes a seed.
    let until = Instant::now() + DRAWING;
    loop {
        let on_top = session.jvmti.obsolete_methods_on_top(4).ok()?;
        if !on_top.iter().any(|name| **name == *NEXT_SEED.as_bytes()) {
            break;
        }
        if Instant::now() > until {
            return Some(false);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let threads = session.threads.get()?;
    let base = session.recorder.arena.base_address();
    for &thread in session.jvmti.threads().ok()?.as_slice() {
        threads.set_slot(jni, thread, base);
    }
    // Those are in no list.
    if let Some(class) = jni.boot_class(runtime, "java.lang.VirtualThread") {
        for &thread in session.jvmti.instances(class, VIRTUAL_THREAD).ok()?.as_slice() {
            threads.set_slot(jni, thread, base);
        }
    }
    Some(true)
}
