//! Classes above a class.

use rustc_hash::FxHashMap;

/// A chain of superclasses is not longer in any program, but in a damaged file it may
/// be a circle.
const LONGEST_CHAIN: usize = 100;

/// The superclass of a class, that one's superclass and so on, as far as they are known.
pub fn superclasses<'a>(
    class: &str,
    above: &'a FxHashMap<String, String>,
) -> impl Iterator<Item = &'a str> {
    let first = above.get(class);
    std::iter::successors(first, |class| above.get(class.as_str()))
        .map(String::as_str)
        .take(LONGEST_CHAIN)
}
