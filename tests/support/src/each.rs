//! Cases that run side by side.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use crate::number;

/// How many cases of this process run now.
static RUNNING: Mutex<usize> = Mutex::new(0);
static ENDED: Condvar = Condvar::new();

/// A place for one running case among as many as there are processors, or as
/// `SUBSUME_PLACES` says, over all tests of the process.
struct Place;

impl Place {
    fn take(places: usize) -> Self {
        let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut running = ENDED
            .wait_while(running, |running| *running >= places)
            .unwrap_or_else(PoisonError::into_inner);
        *running += 1;
        Self
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        ENDED.notify_one();
    }
}

/// Checks every case, several at a time, and gives what came of each, in the
/// order of the cases. A case must not call this itself.
///
/// # Panics
/// If a case does, after those that run beside it have ended.
pub fn each<C: Sync, R: Send>(cases: &[C], check: impl Fn(&C) -> R + Sync) -> Vec<R> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let places =
        usize::try_from(number("SUBSUME_PLACES", processors as u64)).expect("a small number");
    // What is chosen by the test's name is the same for all of its cases.
    let test = thread::current().name().unwrap_or_default().to_owned();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(index) else { return done };
            let _place = Place::take(places);
            done.push((index, check(case)));
        }
    };
    let mut done = thread::scope(|scope| {
        let start = |_| {
            let worker = thread::Builder::new().name(test.clone()).spawn_scoped(scope, work);
            worker.expect("a thread can be started")
        };
        let workers: Vec<_> = (0..places.min(cases.len())).map(start).collect();
        let mut done = Vec::new();
        let mut panicked = None;
        for worker in workers {
            match worker.join() {
                Ok(part) => done.extend(part),
                Err(panic) => panicked = Some(panic),
            }
        }
        if let Some(panic) = panicked {
            std::panic::resume_unwind(panic);
        }
        done
    });
    done.sort_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn results_stand_in_the_order_of_the_cases() {
        let cases: Vec<u32> = (0..50).collect();
        assert_eq!(each(&cases, |case| case * 2), (0..100).step_by(2).collect::<Vec<_>>());
        assert!(each(&[] as &[u32], |_| ()).is_empty());
    }

    #[test]
    fn a_panic_is_handed_on_and_frees_its_place() {
        for _ in 0..100 {
            let failed = catch_unwind(|| each(&[1, 2, 3], |case| assert_ne!(*case, 2)));
            assert!(failed.is_err());
        }
    }
}
