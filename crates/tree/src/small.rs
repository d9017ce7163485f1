//! Small contexts folded into their callers, for viewers that take no more than so many.

use profile::NO_PARENT;

use crate::Tree;

impl Tree {
    /// Adds contexts that cost less than this share of the whole, with all below them, to their
    /// callers. Roots stay, so every total is what it was.
    pub fn fold_small(&mut self, least: f64) {
        let least = least * self.total() as f64;
        let inclusive = self.inclusive();
        let stays = |(&parent, &cost): (&u32, &u64)| parent == NO_PARENT || cost as f64 >= least;
        // Who calls what stays stays as well: it costs no less.
        let stays: Vec<bool> = self.parent.iter().zip(&inclusive).map(stays).collect();
        for metric in &mut self.metrics {
            for node in (0..stays.len()).rev().filter(|&node| !stays[node]) {
                let cost = std::mem::take(&mut metric.values[node]);
                let caller = &mut metric.values[self.parent[node] as usize];
                *caller = caller.saturating_add(cost);
            }
        }
        self.keep(&stays);
    }
}

#[cfg(test)]
mod tests {
    use profile::Metric;

    use super::*;

    #[test]
    fn what_is_small_counts_for_its_caller() {
        let metric =
            |name: &str, values: &[u64]| Metric { name: name.into(), values: values.into() };
        let mut tree = Tree {
            method: vec![0, 1, 2, 3, 1, 2],
            parent: vec![NO_PARENT, 0, 1, 2, 0, NO_PARENT],
            metrics: vec![
                metric("bytecodes", &[10, 50, 2, 2, 35, 1]),
                metric("calls", &[1, 1, 7, 70, 2, 1]),
            ],
            roots: 2,
            ..Tree::default()
        };
        tree.choose_metrics(&["bytecodes".to_owned(), "calls".to_owned()]);
        tree.fold_small(0.05);
        assert_eq!(tree.method, [0, 1, 1, 2]);
        assert_eq!(tree.parent, [NO_PARENT, 0, 0, NO_PARENT]);
        assert_eq!(tree.cost(), [10, 54, 35, 1]);
        assert_eq!(tree.metrics[1].values, [1, 78, 2, 1]);
        assert_eq!((tree.total(), tree.roots), (100, 2));
    }
}
