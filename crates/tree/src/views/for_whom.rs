//! For whom methods of the JDK work: the nearest method of a context that is not the JDK's,
//! or, where the user says what is their own code, the nearest one of that.

use std::cmp::Reverse;

use profile::NO_PARENT;
use rustc_hash::FxHashMap;

use crate::Tree;

/// For whom something is done in a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Whom {
    /// The nearest method of the context that does not work for its callers; the context's
    /// own method, if that does not.
    Method(u32),
    /// What happens once: the program's start and first calls, see [`crate::start_up`].
    Start,
    /// No such method: all frames of the context are the JDK's, or none is of one's own code.
    Nobody,
}

/// What is done for one of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// For whom.
    pub whom: Whom,
    /// What it costs.
    pub cost: u64,
}

/// Something that is done for several.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ForWhom {
    /// The parts, the greatest first.
    pub parts: Vec<Part>,
    /// What all of it costs.
    pub all: u64,
}

impl ForWhom {
    fn new(sums: impl IntoIterator<Item = (Whom, u64)>) -> Self {
        let parts = sums.into_iter().filter(|&(_, cost)| cost > 0);
        let mut parts: Vec<Part> = parts.map(|(whom, cost)| Part { whom, cost }).collect();
        parts.sort_by_key(|part| (Reverse(part.cost), part.whom));
        let all = parts.iter().fold(0u64, |sum, part| sum.saturating_add(part.cost));
        Self { parts, all }
    }

    /// Each part with its share of all, the greatest first.
    pub fn shares(&self) -> impl Iterator<Item = (Whom, f64)> + '_ {
        let all = self.all as f64;
        self.parts.iter().map(move |part| (part.whom, part.cost as f64 / all))
    }
}

/// For whom each context works. `works_for_callers` is [`Tree::work_for_callers`], or says
/// of each method whether it is the JDK's.
pub fn nearest(tree: &Tree, works_for_callers: &[bool]) -> Vec<Whom> {
    let mut whom: Vec<Whom> = Vec::with_capacity(tree.len());
    // In preorder, callers come first.
    for (&method, &parent) in tree.method.iter().zip(&tree.parent) {
        whom.push(match (works_for_callers[method as usize], parent) {
            (false, _) => Whom::Method(method),
            (true, NO_PARENT) => Whom::Nobody,
            (true, parent) => whom[parent as usize],
        });
    }
    whom
}

/// For whom each context works, where those that `stays` does not have belong to the start.
pub fn nearest_or_start(tree: &Tree, works_for_callers: &[bool], stays: &[bool]) -> Vec<Whom> {
    let nearest = nearest(tree, works_for_callers).into_iter().zip(stays);
    nearest.map(|(whom, &stays)| if stays { whom } else { Whom::Start }).collect()
}

/// Of each method of the tree for whom it works, by a column that is exclusive to each
/// context. `whom` says of each context for whom that works.
pub fn by_method(tree: &Tree, whom: &[Whom], column: &[u64]) -> Vec<ForWhom> {
    let mut sums: Vec<FxHashMap<Whom, u64>> = vec![FxHashMap::default(); tree.methods.len()];
    for ((&method, &whom), &cost) in tree.method.iter().zip(whom).zip(column) {
        if cost > 0 {
            *sums[method as usize].entry(whom).or_default() += cost;
        }
    }
    sums.into_iter().map(ForWhom::new).collect()
}

/// For whom all contexts together work, by such a column.
pub fn together(whom: &[Whom], column: &[u64]) -> ForWhom {
    let mut sums: FxHashMap<Whom, u64> = FxHashMap::default();
    for (&whom, &cost) in whom.iter().zip(column) {
        *sums.entry(whom).or_default() += cost;
    }
    ForWhom::new(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Main.main calls List.sort, which calls Main.compare, which calls String.get;
    /// Main.main and the JVM call String.get, too.
    fn tree() -> (Tree, Vec<bool>) {
        let tree = Tree {
            // 0 main, 1 sort, 2 compare, 3 get.
            methods: vec![Default::default(); 4],
            method: vec![0, 1, 2, 3, 3, 3],
            parent: vec![NO_PARENT, 0, 1, 2, 0, NO_PARENT],
            ..Tree::default()
        };
        (tree, vec![false, true, false, true])
    }

    #[test]
    fn the_nearest_method_that_is_not_the_jdks_counts() {
        let (tree, is_platform) = tree();
        let [main, compare] = [0, 2].map(Whom::Method);
        let whom = nearest(&tree, &is_platform);
        assert_eq!(whom, [main, main, compare, compare, main, Whom::Nobody]);
        let cost = [1, 2, 4, 80, 15, 5];
        let part = |whom, cost| Part { whom, cost };
        let found = by_method(&tree, &whom, &cost);
        let get = vec![part(compare, 80), part(main, 15), part(Whom::Nobody, 5)];
        assert_eq!(found[3], ForWhom { parts: get, all: 100 });
        assert_eq!(found[1].parts, [part(main, 2)]);
        let shares: Vec<_> = found[3].shares().collect();
        assert_eq!(shares, [(compare, 0.8), (main, 0.15), (Whom::Nobody, 0.05)]);
        let all = together(&whom, &cost);
        assert_eq!(all.parts, [part(compare, 84), part(main, 18), part(Whom::Nobody, 5)]);
        assert_eq!(all.all, 107);
    }

    #[test]
    fn the_start_is_a_part_of_its_own() {
        let (tree, is_platform) = tree();
        let stays = [true, true, false, false, true, true];
        let whom = nearest_or_start(&tree, &is_platform, &stays);
        let found = by_method(&tree, &whom, &[0, 0, 0, 80, 20, 0]);
        let parts: Vec<_> = found[3].parts.iter().map(|part| (part.whom, part.cost)).collect();
        assert_eq!(parts, [(Whom::Start, 80), (Whom::Method(0), 20)]);
    }
}
