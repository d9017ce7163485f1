//! Speculative pre-transformation of the classes that are loaded before recording
//! starts.
//!
//! When the JVM is initialised, it has loaded some hundred classes, and the first
//! start of recording retransforms all of them. A thread of the agent's own rewrites
//! these classes meanwhile, from the bytes that the load hook was shown when they
//! were loaded: the JVM parses one class while the agent rewrites the next ones.

use classfile::ClassFile;
use parking_lot::{Condvar, Mutex};
use rustc_hash::FxHashMap;

use instrument::rewrite::class_load::{LoadRequest, Transformed};
use profile::Definition;

/// The classes that are rewritten in advance, and what became of each.
#[derive(Debug, Default)]
pub struct Pretransformation {
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

impl Pretransformation {
    /// From now on classes are kept until [`Pretransformation::expect`].
    pub fn open(&self) {
        self.state.lock().keeps = true;
    }

    /// Keeps a class that is being loaded, if that is of any use.
    pub fn keep(&self, request: &LoadRequest<'_>) {
        let mut state = self.state.lock();
        if state.keeps
            && request.boot
            && let Some(name) = request.name
        {
            state.loaded.insert(name.into(), request.bytes.into());
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
    pub fn work(
        &self,
        jobs: Vec<Job>,
        transform: impl Fn(&LoadRequest<'_>) -> Option<Transformed>,
    ) {
        // Nobody waits for what is not done, whatever happens here.
        let _release = Release(self);
        for job in jobs {
            let request = LoadRequest {
                name: Some(&job.name),
                bytes: &job.bytes,
                boot: true,
                is_redefined: true,
                definition: &Definition::BOOT,
            };
            let outcome = transform(&request);
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
    pub fn take(&self, request: &LoadRequest<'_>) -> Option<Option<Transformed>> {
        let name = request.name?;
        let mut state = self.state.lock();
        let pool = pool_of(request.bytes)?;
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
struct Release<'a>(&'a Pretransformation);

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
    use instrument::code_indices::moved::Moved;

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

    fn request<'a>(name: &'a str, bytes: &'a [u8]) -> LoadRequest<'a> {
        static BOOT: Definition = Definition::BOOT;
        let name = Some(name.as_bytes());
        LoadRequest { name, bytes, boot: true, is_redefined: false, definition: &BOOT }
    }

    /// Keeps these classes and expects them in reverse.
    fn expecting(names: &[&str]) -> (Pretransformation, Vec<Job>) {
        let pretransformation = Pretransformation::default();
        pretransformation.keep(&request("Early", &class("Early", &[])));
        pretransformation.open();
        for name in names {
            pretransformation.keep(&request(name, &class(name, &[])));
        }
        let known = names.iter().rev().chain(&["Early", "Other"]);
        let jobs = pretransformation.expect(known.map(|name| name.as_bytes().into()));
        (pretransformation, jobs)
    }

    fn reverse(request: &LoadRequest<'_>) -> Option<Transformed> {
        let bytes = request.bytes.iter().rev().copied().collect();
        Some(Transformed { bytes, moved: Moved::default() })
    }

    #[test]
    fn classes_are_taken_while_others_are_rewritten() {
        let (pretransformation, jobs) = expecting(&["A", "B", "C"]);
        assert_eq!(jobs.iter().map(|job| &*job.name).collect::<Vec<_>>(), [b"C", b"B", b"A"]);
        std::thread::scope(|scope| {
            scope.spawn(|| pretransformation.work(jobs, reverse));
            for name in ["A", "C", "B"] {
                let made_up = class(name, &["added by the JVM"]);
                let taken = pretransformation.take(&request(name, &made_up)).expect("expected");
                let mut bytes = taken.expect("rewritten").bytes;
                bytes.reverse();
                assert_eq!(bytes, class(name, &[]));
                assert!(pretransformation.take(&request(name, &made_up)).is_none(), "taken once");
            }
        });
        for name in ["Early", "Other"] {
            assert!(pretransformation.take(&request(name, &class(name, &[]))).is_none());
        }
    }

    #[test]
    fn a_class_that_somebody_else_has_rewritten_is_not_replaced() {
        let (pretransformation, jobs) = expecting(&["A"]);
        pretransformation.work(jobs, reverse);
        assert!(pretransformation.take(&request("A", &class("B", &[]))).is_none());
    }

    #[test]
    fn nobody_waits_for_what_is_not_done() {
        let (pretransformation, jobs) = expecting(&["A", "B"]);
        let work = std::panic::AssertUnwindSafe(|| {
            pretransformation.work(jobs, |request| match request.name {
                Some(b"B") => None,
                _ => panic!("a defect"),
            });
        });
        assert!(std::panic::catch_unwind(work).is_err());
        assert!(matches!(pretransformation.take(&request("B", &class("B", &[]))), Some(None)));
        assert!(pretransformation.take(&request("A", &class("A", &[]))).is_none());
    }
}
