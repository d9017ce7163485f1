//! Classes that are not linked when recording starts get their probes when the program
//! links them.
//!
//! A third of the classes of a server are loaded, but not linked: nothing of them has been
//! executed so far, and most never will be. To link them only to retransform them
//! ([`linking`]) costs more than the retransformation of the others, each. So they are left
//! alone; the JVM tells when it has linked one (the event `ClassPrepare`), in the thread
//! that did, before anything of the class is executed, and there it is retransformed.
//!
//! [`linking`]: super::linking

use std::hash::BuildHasher;
use std::time::Duration;

use jvmti_bindings::sys::jni::jclass;
use jvmti_bindings::sys::jvmti::JVMTI_EVENT_CLASS_PREPARE;
use parking_lot::Mutex;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::jni::Jni;
use super::retransformation::{modifiable_classes, retransform, skip};
use super::session::Session;

/// The classes that are left as they are, by [`key`].
static LEFT: Mutex<FxHashSet<u64>> = Mutex::new(FxHashSet::with_hasher(FxBuildHasher));

/// The time between the linking of a class and the notice of it.
const NOTICE: Duration = Duration::from_millis(20);

/// From now on the JVM tells of classes that it links. False if it does not.
pub fn watch(session: &Session) -> bool {
    session.jvmti.enable(JVMTI_EVENT_CLASS_PREPARE).is_ok()
}

/// From now on it does not, and no class is left. Those that have been linked without
/// notice are listed: their calls are missing.
pub fn forget(session: &Session) {
    list_unnoticed(session);
    session.jvmti.disable(JVMTI_EVENT_CLASS_PREPARE);
    LEFT.lock().clear();
}

/// Lists the classes that were left and have been linked without notice.
pub fn list_unnoticed(session: &Session) {
    if LEFT.lock().is_empty() {
        return;
    }
    let mut unnoticed = modifiable_classes(session).unwrap_or_default();
    let is_linked = |class| is_left(session, class) && session.jvmti.is_linked(class);
    unnoticed.retain(|&class| is_linked(class));
    if !unnoticed.is_empty() {
        std::thread::sleep(NOTICE);
    }
    for class in unnoticed {
        if LEFT.lock().remove(&key(session, class)) {
            skip(session, class, "the JVM linked the class without notice");
        }
    }
}

/// Leaves those of the classes that are not linked; the others.
pub fn leave(session: &Session, mut classes: Vec<jclass>) -> Vec<jclass> {
    classes.retain(|&class| {
        if session.jvmti.is_linked(class) {
            return true;
        }
        let key = key(session, class);
        LEFT.lock().insert(key);
        // If it has been linked meanwhile, its linking may have been told before it was
        // known here.
        session.jvmti.is_linked(class) && LEFT.lock().remove(&key)
    });
    classes
}

/// Whether a class was left as it is.
pub fn is_left(session: &Session, class: jclass) -> bool {
    LEFT.lock().contains(&key(session, class))
}

/// The JVM has linked a class.
pub fn linked(session: &Session, jni: Jni, class: jclass) {
    if LEFT.lock().remove(&key(session, class)) {
        session.unrecorded(jni, || retransform(session, &[class]));
    }
}

/// Tells classes apart, also those of one name: by the name and the identity hash. Two
/// that are the same here would take two classes of one name whose random hashes are equal.
fn key(session: &Session, class: jclass) -> u64 {
    let signature = session.jvmti.class_signature(class).unwrap_or_default();
    FxBuildHasher.hash_one((signature, session.jvmti.identity_hash(class)))
}
