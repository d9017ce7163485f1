//! Numbers of callees, by which the two sides of a call know each other on the tracking
//! stack.
//!
//! They are given in turn, so that those of the class library, which come first, are small
//! enough for instructions to contain them: HotSpot compares each entry of a constant pool
//! that a class has got with all others when it is rewritten.

use std::collections::HashMap;
use std::hash::Hasher;
use std::sync::LazyLock;

use parking_lot::Mutex;
use rustc_hash::{FxBuildHasher, FxHasher};

/// The bit that says that a static method gets an owner and no shadows; as in
/// `SubsumeStack`.
pub const SHADOWLESS: i32 = 1 << 29;

/// Identifies constructors that get what lambda expressions capture, from here on; as
/// in `SubsumeStack`.
pub const CAPTURING: i32 = 1 << 30;

/// In the names of classes whose objects stand for lambda expressions.
pub const LAMBDA: &[u8] = b"$$Lambda";

/// The first number: what is below has meanings of its own.
const FIRST: i32 = 2;

/// By the hash of what identifies a callee. Code keeps its numbers, so they are those of
/// the process and not of a recording.
static NUMBERS: Mutex<HashMap<u64, i32, FxBuildHasher>> =
    Mutex::new(HashMap::with_hasher(FxBuildHasher));

/// The number of a callee, by what every method that may be called has in common: name
/// and descriptor, and of a constructor its class. From 2 to [`SHADOWLESS`], as other
/// words on the tracking stack have meanings of their own; from [`CAPTURING`] on for
/// the constructor of an object that stands for a lambda expression: the class of it
/// is not known where it is called.
pub fn callee(owner: &[u8], name: &[u8], descriptor: &[u8]) -> i32 {
    let is_constructor = name == b"<init>";
    let captures = is_constructor && owner.windows(LAMBDA.len()).any(|part| part == LAMBDA);
    let mut hasher = FxHasher::default();
    if is_constructor && !captures {
        hasher.write(owner);
    }
    hasher.write(name);
    hasher.write(descriptor);
    let mut numbers = NUMBERS.lock();
    // Classes cannot name as many as there is room for.
    let next = (FIRST + numbers.len() as i32) & (SHADOWLESS - 1);
    let number = *numbers.entry(hasher.finish()).or_insert(next);
    if captures { number | CAPTURING } else { number }
}

/// That of `Object.hashCode`, which others of its name are native beside.
pub fn hash_code() -> i32 {
    static NUMBER: LazyLock<i32> =
        LazyLock::new(|| callee(b"java/lang/Object", b"hashCode", b"()I"));
    *NUMBER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callees_are_told_apart_by_what_all_that_may_be_called_have_in_common() {
        let run = callee(b"a/A", b"run", b"()V");
        assert_eq!(run, callee(b"a/B", b"run", b"()V"));
        assert_ne!(run, callee(b"a/A", b"run", b"()I"));
        let of_a = callee(b"a/A", b"<init>", b"()V");
        assert_ne!(of_a, callee(b"a/B", b"<init>", b"()V"));
        assert!([run, of_a].iter().all(|number| (FIRST..SHADOWLESS).contains(number)));
        let lambda = callee(b"a/A$$Lambda$1", b"<init>", b"(I)V");
        assert!(lambda > CAPTURING);
        assert_eq!(lambda, callee(LAMBDA, b"<init>", b"(I)V"));
    }
}
