//! How much a test runs: ways to run the same code, which take turns, and random cases.

use std::env;
use std::hash::{Hash, Hasher};
use std::thread;

use rustc_hash::FxHasher;

use crate::number;

/// Whether everything is run.
fn is_everything() -> bool {
    env::var_os("SUBSUME_EVERY_WAY").is_some()
}

/// A number by which tests take turns.
pub(crate) fn hashed(of: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    of.hash(&mut hasher);
    // The upper bits depend on all that was hashed.
    hasher.finish() >> 32
}

/// How many rounds a test of random cases runs: all with `SUBSUME_EVERY_WAY` in the environment,
/// else a 24th.
pub fn rounds(all: u64) -> u64 {
    if is_everything() { all } else { all / 24 }
}

/// A number of the ways to run a test's programs, such as modes and collectors, chosen by the
/// test's name and `SUBSUME_ROTATION`: over some commits each test meets all of them, and
/// with each commit all of them are met by some tests. All with `SUBSUME_EVERY_WAY` in the
/// environment, as in the tier `all`.
pub fn ways_in_turn<W>(all: &[W], some: usize) -> Vec<&W> {
    if is_everything() {
        return all.iter().collect();
    }
    // Cases that run side by side have the test's name, too.
    let test = thread::current();
    // Another number than the one by which JDKs take turns, so that each meets each.
    let turn = hashed((test.name().unwrap_or_default(), number("SUBSUME_ROTATION", 0) / 16));
    let first = turn % all.len().max(1) as u64;
    let first = usize::try_from(first).expect("it is less than their number");
    all.iter().cycle().skip(first).take(some.min(all.len())).collect()
}
