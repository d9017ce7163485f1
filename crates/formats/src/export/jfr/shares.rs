//! Samples in proportion to costs.

use profile::NO_PARENT;
use tree::Tree;

/// The contexts of `samples` samples in proportion to their costs; as many as the cost of all
/// if that is less. A context appears once for each of its samples.
///
/// Costs are summed up in preorder, and each sum is rounded. So a context with all below it,
/// and a thread, are less than one sample off, as is each context by itself. The largest
/// remainders would give no such bound for a subtree of many contexts.
pub fn samples(tree: &Tree, cost: impl Fn(u32) -> u64, samples: u64) -> Vec<u32> {
    let total: u64 = (0..tree.len() as u32).map(&cost).sum();
    let samples = samples.min(total);
    let rounded = |sum: u64| {
        let [sum, samples, total] = [sum, samples, total].map(u128::from);
        // Twice everything, for the half.
        ((2 * sum * samples + total) / (2 * total)) as u64
    };
    let mut contexts = Vec::with_capacity(samples as usize);
    let mut sum = 0;
    for node in by_thread(tree) {
        let cost = cost(node);
        if cost > 0 {
            let before = rounded(sum);
            sum += cost;
            let own = rounded(sum) - before;
            contexts.extend(std::iter::repeat_n(node, own as usize));
        }
    }
    contexts
}

/// All contexts in preorder, those of each thread together.
fn by_thread(tree: &Tree) -> impl Iterator<Item = u32> {
    let ends = tree.subtree_ends();
    let roots = (0..tree.len() as u32).filter(|&node| tree.parent[node as usize] == NO_PARENT);
    let mut roots: Vec<u32> = roots.collect();
    roots.sort_by_key(|&root| tree.thread.get(root as usize));
    roots.into_iter().flat_map(move |root| root..ends[root as usize])
}

/// All of them, in an order in which every part of it is much like the whole: steps of the
/// golden ratio, which meet each once.
pub fn mixed(all: &[u32]) -> impl Iterator<Item = u32> {
    let count = all.len() as u64;
    let golden = (count as f64 * 0.618_033_988_749_895) as u64;
    let step = (golden.max(1)..).find(|&step| divisor(step, count.max(1)) == 1);
    let step = u128::from(step.unwrap_or(1));
    (0..count).map(move |at| all[(u128::from(at) * step % u128::from(count)) as usize])
}

/// The greatest common divisor.
fn divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixed_ones_are_the_same_ones() {
        for count in (0..300).chain([4_181, 9_240, 9_999, 10_000, 10_946]) {
            let all: Vec<u32> = (0..count).collect();
            let mut mixed: Vec<u32> = mixed(&all).collect();
            // Each tenth of many has a hundredth of them of each tenth of the others.
            if count > 1_000 {
                let tenth = |one: u32| (u64::from(one) * 10 / u64::from(count)) as usize;
                let mut parts = [[0u32; 10]; 10];
                for (at, &one) in (0..).zip(&mixed) {
                    parts[tenth(at)][tenth(one)] += 1;
                }
                let expected = count / 100;
                let is_even = |&part: &u32| part.abs_diff(expected) <= expected / 10;
                assert!(parts.as_flattened().iter().all(is_even), "{count}: {parts:?}");
            }
            mixed.sort_unstable();
            assert_eq!(mixed, all);
        }
    }
}
