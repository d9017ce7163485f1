//! Classes that are not linked when recording starts get their probes when the program
//! links them.
//!
//! A third of the classes of a server are loaded, but not linked, and some 60 of those that
//! a JVM starts with: nothing of them has been executed so far, and most never will be. To
//! link them only to retransform them ([`linking`]) costs more than the retransformation of
//! the others, each. So they are left alone; the JVM tells when it has linked one (the event
//! `ClassPrepare`), in the thread that did, before anything of the class is executed, and
//! there it is retransformed.
//!
//! [`linking`]: super::linking

use std::hash::BuildHasher;
use std::time::Duration;

use jvmti_bindings::sys::jni::jclass;
use jvmti_bindings::sys::jvmti::JVMTI_EVENT_CLASS_PREPARE;
use parking_lot::Mutex;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::jni::Jni;
use super::loaders;
use super::retransformation::{make_up_for, modifiable_classes, retransform_linked, skip};
use super::session::Session;

/// The classes that are left as they are.
static LEFT: Mutex<Left> = Mutex::new(Left::NONE);

/// Classes by hashes. Two that are the same here would take two names with the same hash, or
/// two classes of one name whose random identity hashes are equal.
struct Left {
    /// Those of the boot loader, by their signatures.
    of_boot_loader: FxHashSet<u64>,
    /// Others, by signature and identity hash.
    others: FxHashSet<u64>,
}

impl Left {
    const NONE: Self = Self {
        of_boot_loader: FxHashSet::with_hasher(FxBuildHasher),
        others: FxHashSet::with_hasher(FxBuildHasher),
    };

    fn those(&mut self, of_boot_loader: bool) -> &mut FxHashSet<u64> {
        if of_boot_loader { &mut self.of_boot_loader } else { &mut self.others }
    }

    fn is_empty(&self) -> bool {
        self.of_boot_loader.is_empty() && self.others.is_empty()
    }
}

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
    loaders::forget(session);
    session.jvmti.disable(JVMTI_EVENT_CLASS_PREPARE);
    *LEFT.lock() = Left::NONE;
}

/// Lists the classes that were left and have been linked without notice.
pub fn list_unnoticed(session: &Session) {
    if LEFT.lock().is_empty() {
        return;
    }
    session.in_frame(|| list_all_unnoticed(session));
}

fn list_all_unnoticed(session: &Session) {
    let mut unnoticed = modifiable_classes(session).unwrap_or_default();
    let is_linked = |class| is_left(session, class) && session.jvmti.is_linked(class);
    unnoticed.retain(|&class| is_linked(class));
    if !unnoticed.is_empty() {
        std::thread::sleep(NOTICE);
    }
    for class in unnoticed {
        if forget_one(session, class) {
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
        let of_boot_loader = is_of_boot_loader(session, class);
        let key = key(session, class, of_boot_loader);
        LEFT.lock().those(of_boot_loader).insert(key);
        // If it has been linked meanwhile, its linking may have been told before it was
        // known here.
        session.jvmti.is_linked(class) && forget_one(session, class)
    });
    classes
}

/// Whether a class was left as it is.
pub fn is_left(session: &Session, class: jclass) -> bool {
    is_known(session, class, |left, key| left.contains(&key))
}

/// The JVM has linked a class.
pub fn linked(session: &Session, jni: Jni, class: jclass) {
    if forget_one(session, class) {
        retransform_linked(session, jni, class);
    } else {
        make_up_for(session);
    }
}

/// A class is no longer left; false if it was not.
fn forget_one(session: &Session, class: jclass) -> bool {
    is_known(session, class, |left, key| left.remove(&key))
}

/// Asks the set that a class would be in. The JVM is asked for the identity hash of a class
/// only where one was before: a thread draws them one after the other, and the program would
/// see others than without the agent.
fn is_known(
    session: &Session,
    class: jclass,
    ask: impl FnOnce(&mut FxHashSet<u64>, u64) -> bool,
) -> bool {
    let of_boot_loader = is_of_boot_loader(session, class);
    if LEFT.lock().those(of_boot_loader).is_empty() {
        return false;
    }
    let key = key(session, class, of_boot_loader);
    ask(LEFT.lock().those(of_boot_loader), key)
}

fn key(session: &Session, class: jclass, of_boot_loader: bool) -> u64 {
    let signature = session.jvmti.class_signature(class).unwrap_or_default();
    if of_boot_loader {
        return FxBuildHasher.hash_one(signature);
    }
    FxBuildHasher.hash_one((signature, session.jvmti.identity_hash(class)))
}

fn is_of_boot_loader(session: &Session, class: jclass) -> bool {
    session.with_loader(class, |loader| loader.is_null()) == Some(true)
}
