//! Rewriting in advance the classes that are loaded before recording starts.
//!
//! When the JVM is initialised, it has loaded some hundred classes, and the
//! first start of recording has it parse all of them again. What it is to parse
//! is made by a thread of the agent's own meanwhile, from the bytes that it
//! was shown when it loaded them: the JVM works on one class while the agent
//! rewrites the next ones.

use classfile::ClassFile;
use parking_lot::{Condvar, Mutex};
use rustc_hash::FxHashMap;

use crate::instrument::class_load::{Arrival, Transformed};

/// Classes that are rewritten in advance.
#[derive(Debug, Default)]
pub struct Ahead {
    state: Mutex<State>,
    /// A class is finished.
    finished: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// True while classes are kept.
    keeps: bool,
    /// Class files as they were loaded, by name.
    loaded: FxHashMap<Box<[u8]>, Box<[u8]>>,
    /// What becomes of them, by name.
    classes: FxHashMap<Box<[u8]>, Class>,
}

#[derive(Debug)]
struct Class {
    /// The constant pool that it was loaded with.
    pool: Box<[u8]>,
    /// What the JVM is to parse, once that is known.
    outcome: Option<Option<Transformed>>,
}

impl Ahead {
    /// From now on classes are kept until [`Ahead::expect`].
    pub fn open(&self) {
        self.state.lock().keeps = true;
    }

    /// Keeps a class that is being loaded, if that is of any use.
    pub fn keep(&self, arrival: &Arrival<'_>) {
        let mut state = self.state.lock();
        if state.keeps
            && arrival.boot
            && let Some(name) = arrival.name
        {
            state.loaded.insert(name.into(), arrival.bytes.into());
        }
    }

    /// The JVM is about to ask for these classes in this order. Gives those
    /// that can be rewritten in advance.
    pub fn expect(&self, names: impl Iterator<Item = Box<[u8]>>) -> Vec<Job> {
        let mut state = self.state.lock();
        state.keeps = false;
        let mut loaded = std::mem::take(&mut state.loaded);
        names
            .filter_map(|name| {
                let bytes = loaded.remove(&name)?;
                let pool = pool_of(&bytes)?.into();
                state.classes.insert(name.clone(), Class { pool, outcome: None });
                Some(Job { name, bytes })
            })
            .collect()
    }

    /// Rewrites classes, until all are finished or given up.
    pub fn work(&self, jobs: Vec<Job>, transform: impl Fn(&Arrival<'_>) -> Option<Transformed>) {
        // Nobody waits for what is not done, whatever happens here.
        let _release = Release(self);
        for job in jobs {
            let arrival = Arrival { name: Some(&job.name), bytes: &job.bytes, boot: true };
            let outcome = transform(&arrival);
            if let Some(class) = self.state.lock().classes.get_mut(&job.name) {
                class.outcome = Some(outcome);
            }
            self.finished.notify_all();
        }
    }

    /// Gives up the classes that nobody has asked for.
    pub fn close(&self) {
        *self.state.lock() = State::default();
        self.finished.notify_all();
    }

    /// What the JVM is to parse instead of a class that was expected; `None`
    /// if it was not, or comes with other constants than it was loaded with:
    /// then somebody else has rewritten it.
    pub fn take(&self, arrival: &Arrival<'_>) -> Option<Option<Transformed>> {
        let name = arrival.name?;
        let mut state = self.state.lock();
        let pool = pool_of(arrival.bytes)?;
        // The JVM puts class files together from what it has parsed. They start
        // with the same constants; it may have added some for methods of its own.
        if !pool.starts_with(&state.classes.get(name)?.pool) {
            state.classes.remove(name);
            return None;
        }
        while state.classes.get(name)?.outcome.is_none() {
            self.finished.wait(&mut state);
        }
        state.classes.remove(name)?.outcome
    }
}

/// A class to be rewritten in advance.
#[derive(Debug)]
pub struct Job {
    name: Box<[u8]>,
    bytes: Box<[u8]>,
}

/// Gives up what is left when the work ends.
struct Release<'a>(&'a Ahead);

impl Drop for Release<'_> {
    fn drop(&mut self) {
        self.0.state.lock().classes.retain(|_, class| class.outcome.is_some());
        self.0.finished.notify_all();
    }
}

/// The entries of the constant pool.
fn pool_of(class: &[u8]) -> Option<&[u8]> {
    class.get(ClassFile::parse(class).ok()?.constant_pool().range())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An interface without members; `more` are further constants.
    fn class(name: &str, more: &[&str]) -> Vec<u8> {
        let text = |text: &str| [&[1, 0, text.len() as u8], text.as_bytes()].concat();
        let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61, 0, 5 + more.len() as u8];
        bytes.extend([text(name), vec![7, 0, 1], text("java/lang/Object"), vec![7, 0, 3]].concat());
        bytes.extend(more.iter().flat_map(|constant| text(constant)));
        bytes.extend([6, 0, 0, 2, 0, 4]);
        bytes.extend([0; 8]);
        bytes
    }

    fn arrival<'a>(name: &'a str, bytes: &'a [u8]) -> Arrival<'a> {
        Arrival { name: Some(name.as_bytes()), bytes, boot: true }
    }

    /// Keeps these classes and expects them in reverse.
    fn expecting(names: &[&str]) -> (Ahead, Vec<Job>) {
        let ahead = Ahead::default();
        ahead.keep(&arrival("Early", &class("Early", &[])));
        ahead.open();
        for name in names {
            ahead.keep(&arrival(name, &class(name, &[])));
        }
        let known = names.iter().rev().chain(&["Early", "Other"]);
        let jobs = ahead.expect(known.map(|name| name.as_bytes().into()));
        (ahead, jobs)
    }

    fn reverse(arrival: &Arrival<'_>) -> Option<Transformed> {
        let bytes = arrival.bytes.iter().rev().copied().collect();
        Some(Transformed { bytes })
    }

    #[test]
    fn classes_are_taken_while_others_are_rewritten() {
        let (ahead, jobs) = expecting(&["A", "B", "C"]);
        assert_eq!(jobs.iter().map(|job| &*job.name).collect::<Vec<_>>(), [b"C", b"B", b"A"]);
        std::thread::scope(|scope| {
            scope.spawn(|| ahead.work(jobs, reverse));
            for name in ["A", "C", "B"] {
                let made_up = class(name, &["added by the JVM"]);
                let taken = ahead.take(&arrival(name, &made_up)).expect("expected");
                let mut bytes = taken.expect("rewritten").bytes;
                bytes.reverse();
                assert_eq!(bytes, class(name, &[]));
                assert!(ahead.take(&arrival(name, &made_up)).is_none(), "taken once");
            }
        });
        for name in ["Early", "Other"] {
            assert!(ahead.take(&arrival(name, &class(name, &[]))).is_none());
        }
    }

    #[test]
    fn a_class_that_somebody_else_has_rewritten_is_not_replaced() {
        let (ahead, jobs) = expecting(&["A"]);
        ahead.work(jobs, reverse);
        assert!(ahead.take(&arrival("A", &class("B", &[]))).is_none());
    }

    #[test]
    fn nobody_waits_for_what_is_not_done() {
        let (ahead, jobs) = expecting(&["A", "B"]);
        let work = std::panic::AssertUnwindSafe(|| {
            ahead.work(jobs, |arrival| match arrival.name {
                Some(b"B") => None,
                _ => panic!("a defect"),
            });
        });
        assert!(std::panic::catch_unwind(work).is_err());
        assert!(matches!(ahead.take(&arrival("B", &class("B", &[]))), Some(None)));
        assert!(ahead.take(&arrival("A", &class("A", &[]))).is_none());
    }
}
