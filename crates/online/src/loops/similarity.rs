//! Whether two sequences of values are similar (Toddler, figure 7).

/// Shortest common run that makes sequences similar (the paper's `minLCS`).
pub const LEAST_RUN: usize = 7;

/// How much of the shorter sequence the common run must be, in per cent
/// (`minLCSRatio`).
const LEAST_PERCENT: usize = 70;

/// How long a common run of sequences must be of which the shorter has this length.
fn needed(shorter: usize) -> usize {
    (shorter * LEAST_PERCENT).div_ceil(100).max(LEAST_RUN)
}

/// If two sequences are similar, the length of the longest run that they have in common;
/// the values are compared by their keys.
///
/// A common run of what is needed is longer than half of the shorter sequence, so it
/// covers the middle: it is looked for in the longer one (Knuth, Morris and Pratt), and
/// extended in both directions wherever it is found. This finds what dynamic programming
/// finds, in linear time unless the values repeat themselves.
pub fn common_run<T, K: PartialEq>(
    one: &[T],
    other: &[T],
    key: impl Fn(&T) -> K + Copy,
) -> Option<usize> {
    let (shorter, longer) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let length = shorter.len();
    let needed = needed(length);
    if needed > length {
        return None;
    }
    let same = |a: &T, b: &T| key(a) == key(b);
    if longer.len() == length && one.iter().zip(other).all(|(a, b)| same(a, b)) {
        return Some(length);
    }
    let middle = length - needed..needed;
    let pattern = &shorter[middle.clone()];
    // Most sequences that differ have not even its first value in common.
    let last_begin = longer.len() - pattern.len();
    let begin = longer[..=last_begin].iter().position(|value| same(&pattern[0], value))?;
    let failure = failure_function(pattern, same);
    let (mut matched, mut longest) = (0, 0);
    for (at, value) in longer.iter().enumerate().skip(begin) {
        while matched > 0 && (matched == pattern.len() || !same(&pattern[matched], value)) {
            matched = failure[matched - 1];
        }
        if same(&pattern[matched], value) {
            matched += 1;
        }
        if matched == pattern.len() {
            let start = at + 1 - matched;
            let before = (shorter[..middle.start].iter().rev())
                .zip(longer[..start].iter().rev())
                .take_while(|(a, b)| same(a, b))
                .count();
            let behind = shorter[middle.end..]
                .iter()
                .zip(&longer[at + 1..])
                .take_while(|(a, b)| same(a, b))
                .count();
            longest = longest.max(before + matched + behind);
        }
    }
    (longest >= needed).then_some(longest)
}

/// For each prefix of the pattern, the length of the longest proper prefix of it that is
/// also its suffix.
fn failure_function<T>(pattern: &[T], same: impl Fn(&T, &T) -> bool) -> Vec<usize> {
    let mut failure = vec![0; pattern.len()];
    let mut matched = 0;
    for at in 1..pattern.len() {
        while matched > 0 && !same(&pattern[matched], &pattern[at]) {
            matched = failure[matched - 1];
        }
        if same(&pattern[matched], &pattern[at]) {
            matched += 1;
        }
        failure[at] = matched;
    }
    failure
}

#[cfg(test)]
/// The test as printed, too.
pub mod tests {
    use super::*;

    /// The longest common substring by dynamic programming, as the paper has it.
    pub fn longest_common_substring<T: PartialEq>(one: &[T], other: &[T]) -> usize {
        let mut longest = 0;
        let mut before = vec![0; other.len() + 1];
        for a in one {
            let mut row = vec![0; other.len() + 1];
            for (at, b) in other.iter().enumerate() {
                if a == b {
                    row[at + 1] = before[at] + 1;
                    longest = longest.max(row[at + 1]);
                }
            }
            before = row;
        }
        longest
    }

    /// Figure 7 as printed, with real division.
    pub fn are_similar<T: PartialEq>(one: &[T], other: &[T]) -> bool {
        let run = longest_common_substring(one, other);
        let shorter = one.len().min(other.len());
        run >= LEAST_RUN && run * 100 >= shorter * LEAST_PERCENT
    }

    #[test]
    fn the_linear_test_agrees_with_dynamic_programming() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let mut similar = 0;
        for _ in 0..60_000 {
            let values = 1 + random(3);
            let length = random(24) as usize;
            let one: Vec<u64> = (0..length).map(|_| random(values)).collect();
            // A part of the first one between other values.
            let start = random(length as u64 + 1) as usize;
            let mut other: Vec<u64> = (0..random(6)).map(|_| random(values)).collect();
            other.extend(&one[start..]);
            other.extend((0..random(6)).map(|_| random(values)));
            let found = common_run(&one, &other, |&value| value);
            assert_eq!(found.is_some(), are_similar(&one, &other), "{one:?} {other:?}");
            assert_eq!(found.is_some(), common_run(&other, &one, |&value| value).is_some());
            if let Some(run) = found {
                assert_eq!(run, longest_common_substring(&one, &other));
                similar += 1;
            }
        }
        assert!((10_000..50_000).contains(&similar), "{similar}");
    }

    #[test]
    fn seven_equal_values_are_the_least() {
        let run = |length: u64| {
            let one: Vec<u64> = (0..length).collect();
            common_run(&one, &one, |&value| value)
        };
        assert_eq!((run(6), run(7), run(0)), (None, Some(7), None));
    }
}
