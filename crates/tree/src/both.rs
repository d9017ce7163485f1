//! Two computations at the same time.

use std::panic::resume_unwind;
use std::thread;

/// Runs two computations at the same time, the second one in a thread of its own. If
/// that panics, so does this.
pub fn both<A, B: Send>(one: impl FnOnce() -> A, other: impl FnOnce() -> B + Send) -> (A, B) {
    thread::scope(|scope| {
        let other = scope.spawn(other);
        let one = one();
        (one, other.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}
