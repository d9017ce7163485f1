//! Switching while the program runs: classes get or lose their probes a stage at a time,
//! since the JVM stands still for as long as a stage takes.
//!
//! Many classes are shared with other threads if there is a processor for them: the JVM
//! parses, verifies and compares classes in the thread that asks for it.

use std::hash::BuildHasher;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::available_parallelism;

use instrument::plan::policy;
use jvmti_bindings::sys::jni::jclass;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::jni::Jni;
use super::retransformation::{
    linked_classes, list_events, may_have_probes, modifiable_classes, retransform, skip,
};
use super::session::Session;
use super::{advance, attachment, loaders, second_thread, unlinked};

/// How many classes are retransformed in one stage.
const STAGE: usize = 1024;

/// Into how many parts many classes are divided, each with a thread. More than there are
/// processors: a program that is busy leaves each of them its share only.
const PARTS: u64 = 8;

/// How many classes make it worth while that the program sees a thread of ours for a time.
const MANY: usize = 4096;

/// All classes get probes, those that are not linked when that happens. False if the JVM
/// does not list them.
pub fn put_probes_in(session: &'static Session, jni: Jni) -> bool {
    let may_get_some =
        |&class: &jclass| session.jvmti.is_linked(class) && may_have_probes(session, class);
    let Some(linked) = count_where(session, may_get_some) else { return false };
    if !unlinked::watch(session) {
        return false;
    }
    if session.recorder.is_attached() {
        list_events(session);
    }
    let parts = if has_worker(linked) { PARTS } else { 1 };
    let rewrite = move |part| {
        session.in_frame(|| {
            let classes = classes_where(session, |class| part_of(session, class, parts) == part);
            let mut linked = unlinked::leave(session, classes);
            linked.retain(|&class| may_have_probes(session, class));
            by_stages(session, &linked);
        });
    };
    advance::begin(linked);
    let others: Vec<_> = (1..parts)
        .map(|part| (part, second_thread::run(session, jni, move |_| rewrite(part))))
        .collect();
    rewrite(0);
    for (part, other) in others {
        if other.is_none_or(|other| other.recv().is_err()) {
            rewrite(part);
        }
    }
    advance::end();
    if session.recorder.is_attached() {
        // Those that have come meanwhile.
        loaders::ask_noted(session, jni);
    }
    true
}

/// All classes lose their probes. Of many, those go first that have been executed; the
/// program runs as without the agent then, and a second thread does the rest. The result
/// says when that is done, if it is not done already; `None` if the JVM does not list the
/// classes.
pub fn take_probes_out(session: &'static Session, jni: Jni) -> Option<Rest> {
    unlinked::list_unnoticed(session);
    let has_probes =
        |&class: &jclass| !unlinked::is_left(session, class) && may_have_probes(session, class);
    let classes = count_where(session, has_probes)?;
    let finish = move |jni: Jni| {
        unlinked::forget(session);
        attachment::give_seeds_back(session, jni);
    };
    if !has_worker(classes) {
        advance::begin(classes);
        stages_where(session, |class| has_probes(&class));
        advance::end();
        finish(jni);
        return Some(Rest(None));
    }
    let executed = Arc::new(session.recorder.executed_classes());
    let half = move |executed: &FxHashSet<Box<str>>, half| {
        stages_where(session, |class| {
            half_of(session, class) == half && is_one_of(session, class, executed)
        });
    };
    let others = move |executed: &FxHashSet<Box<str>>| {
        stages_where(session, |class| has_probes(&class) && !is_one_of(session, class, executed));
    };
    let (sender, first_done) = sync_channel(1);
    let names = Arc::clone(&executed);
    let is_executed = |class: &jclass| has_probes(class) && is_one_of(session, *class, &executed);
    advance::begin(count_where(session, is_executed).unwrap_or(0));
    let rest = second_thread::run(session, jni, move |jni| {
        half(&names, 1);
        // Fails only if this function has panicked below, and then nobody waits.
        let _ = sender.send(());
        others(&names);
        finish(jni);
    });
    half(&executed, 0);
    let is_shared = first_done.recv().is_ok();
    if !is_shared {
        half(&executed, 1);
        others(&executed);
        finish(jni);
    }
    advance::end();
    Some(Rest(rest.filter(|_| is_shared)))
}

/// What is left of a switch that has been answered.
#[derive(Debug)]
pub struct Rest(Option<Receiver<()>>);

impl Rest {
    /// Waits until nothing is left.
    pub fn wait(self) {
        if let Some(done) = self.0 {
            // A thread that has failed does nothing more, either.
            let _ = done.recv();
        }
    }
}

fn has_worker(classes: usize) -> bool {
    classes >= MANY && available_parallelism().is_ok_and(|processors| processors.get() > 1)
}

/// The classes of which this is true. Those that are loaded meanwhile are as they are to be
/// already.
fn classes_where(session: &Session, is_wanted: impl Fn(jclass) -> bool) -> Vec<jclass> {
    let mut classes = modifiable_classes(session).unwrap_or_default();
    classes.retain(|&class| is_wanted(class));
    classes
}

/// How many classes there are of which this is true; `None` if the JVM does not list them.
fn count_where(session: &Session, is_wanted: impl Fn(&jclass) -> bool) -> Option<usize> {
    session.in_frame(|| {
        let classes = modifiable_classes(session)?;
        Some(classes.iter().filter(|class| is_wanted(class)).count())
    })
}

/// Retransforms the classes of which this is true.
fn stages_where(session: &Session, is_wanted: impl Fn(jclass) -> bool) {
    session.in_frame(|| by_stages(session, &classes_where(session, is_wanted)));
}

/// Which of two threads has the class: 0 or 1.
fn half_of(session: &Session, class: jclass) -> u64 {
    part_of(session, class, 2)
}

/// Which of so many threads has the class, from 0.
fn part_of(session: &Session, class: jclass, parts: u64) -> u64 {
    let signature = session.jvmti.class_signature(class).unwrap_or_default();
    ((FxBuildHasher.hash_one(&signature) >> 32) * parts) >> 32
}

fn is_one_of(session: &Session, class: jclass, names: &FxHashSet<Box<str>>) -> bool {
    let name = session.jvmti.class_name(class).unwrap_or_default();
    names.contains(&*policy::display_name(&name))
}

fn by_stages(session: &Session, classes: &[jclass]) {
    for stage in classes.chunks(STAGE) {
        let (linked, others) = linked_classes(session, stage);
        retransform(session, &linked);
        for class in others {
            skip(session, class, "the JVM does not link the class");
        }
    }
}
