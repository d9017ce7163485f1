//! For whom the JDK's code works, where data flow names places in the code, but no contexts.
//!
//! The calling context tree beside the data flow knows for whom each method works
//! ([`for_whom`](tree::views::for_whom)). What is known of a method alone is shared out over
//! its contexts by what it executes in each. That is exact where a method works for one
//! only, and otherwise an estimate.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use tree::Tree;
use tree::names::method::Method;
use tree::views::for_whom::{ForWhom, Whom, by_method, nearest_or_start};

/// Who has how much of something.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shares {
    /// For whom, and which part of all, the greatest first. What no context is known of is
    /// missing.
    pub parts: Vec<(Whom, f64)>,
    /// Whether a method of the JDK that works for several was shared out among them.
    pub is_estimate: bool,
}

/// For whom methods work.
#[derive(Debug)]
pub struct Contexts<'t> {
    numbers: FxHashMap<&'t Method, u32>,
    works_for_callers: Vec<bool>,
    of_method: Vec<ForWhom>,
}

impl<'t> Contexts<'t> {
    /// The contexts of a tree. Methods are shared out by the first of these columns in which
    /// they have anything; contexts that `stays` does not have belong to the start.
    pub fn new(tree: &'t Tree, columns: &[&str], stays: &[bool]) -> Self {
        let works_for_callers = tree.work_for_callers();
        let whom = nearest_or_start(tree, &works_for_callers, stays);
        let mut of_method = vec![ForWhom::default(); tree.methods.len()];
        for name in columns {
            let Some(column) = tree.metrics.iter().find(|metric| metric.name == *name) else {
                continue;
            };
            let found = by_method(tree, &whom, &column.values);
            for (known, found) in of_method.iter_mut().zip(found) {
                if known.all == 0 {
                    *known = found;
                }
            }
        }
        let numbers = tree.methods.iter().zip(0..).collect();
        Self { numbers, works_for_callers, of_method }
    }

    /// For whom a method works, if the tree has contexts of it.
    pub fn of_method(&self, method: &Method) -> Option<&ForWhom> {
        let of_method = &self.of_method[*self.numbers.get(method)? as usize];
        (of_method.all > 0).then_some(of_method)
    }

    /// Whether what a method does is done for its callers: the JDK's methods, and all that are
    /// not the user's own if the user says which are.
    pub fn works_for_callers(&self, method: &Method) -> bool {
        self.numbers.get(method).is_some_and(|&number| self.works_for_callers[number as usize])
    }

    /// For whom some work is done, of which each method has so much. `None` if methods that work
    /// for their callers have no part in it, or nothing is known of it.
    pub fn of<'m>(
        &self,
        work: impl IntoIterator<Item = (Option<&'m Method>, u64)>,
    ) -> Option<Shares> {
        let work = Work::new(self, work);
        let works = |(&method, _): (&u32, &u64)| self.works_for_callers[method as usize];
        let shares = work.by_method.iter().any(works).then(|| work.shares())?;
        (!shares.parts.is_empty()).then_some(shares)
    }

    /// For whom some work is done, also if no method that works for its callers has a part in it.
    pub fn all<'m>(&self, work: impl IntoIterator<Item = (Option<&'m Method>, u64)>) -> Shares {
        Work::new(self, work).shares()
    }
}

/// Work of methods.
struct Work<'c> {
    contexts: &'c Contexts<'c>,
    /// By the tree's number of the method.
    by_method: BTreeMap<u32, u64>,
    /// With that of unknown methods.
    all: u64,
}

impl<'c> Work<'c> {
    fn new<'m>(
        contexts: &'c Contexts<'_>,
        work: impl IntoIterator<Item = (Option<&'m Method>, u64)>,
    ) -> Self {
        let (mut by_method, mut all) = (BTreeMap::<u32, u64>::new(), 0u64);
        for (method, amount) in work.into_iter().filter(|&(_, amount)| amount > 0) {
            all = all.saturating_add(amount);
            if let Some(&number) = method.and_then(|method| contexts.numbers.get(method)) {
                let sum = by_method.entry(number).or_default();
                *sum = sum.saturating_add(amount);
            }
        }
        Self { contexts, by_method, all }
    }

    fn shares(&self) -> Shares {
        let mut sums: BTreeMap<Whom, f64> = BTreeMap::new();
        let mut is_estimate = false;
        for (&method, &amount) in &self.by_method {
            let part = amount as f64 / self.all as f64;
            if !self.contexts.works_for_callers[method as usize] {
                *sums.entry(Whom::Method(method)).or_default() += part;
                continue;
            }
            let of_method = &self.contexts.of_method[method as usize];
            is_estimate |= of_method.parts.len() > 1;
            for (whom, share) in of_method.shares() {
                *sums.entry(whom).or_default() += part * share;
            }
        }
        let mut parts: Vec<(Whom, f64)> = sums.into_iter().collect();
        // Those of equal shares stay in the order of their methods.
        parts.sort_by(|a, b| b.1.total_cmp(&a.1));
        Shares { parts, is_estimate }
    }
}

#[cfg(test)]
mod tests {
    use profile::{Metric, NO_PARENT};

    use super::*;

    fn method(class: &str, name: &str) -> Method {
        Method { class: class.into(), name: name.into(), descriptor: "()V".into() }
    }

    /// Main.main calls Arrays.copyOf and A.append, which calls Arrays.copyOf and
    /// Arrays.fill; the latter copies nothing.
    fn tree() -> Tree {
        let metric =
            |name: &str, values: [u64; 5]| Metric { name: name.into(), values: values.into() };
        let methods = [
            method("demo.A", "append"),
            method("demo.Main", "main"),
            method("java.util.Arrays", "copyOf"),
            method("java.util.Arrays", "fill"),
        ];
        let mut tree = Tree::default();
        tree.methods = methods.into();
        tree.method = vec![1, 2, 0, 2, 3];
        tree.parent = vec![NO_PARENT, 0, 0, 2, 2];
        tree.metrics =
            vec![metric("copies", [7, 30, 2, 10, 0]), metric("stores", [7, 99, 2, 10, 5])];
        tree
    }

    #[test]
    fn methods_of_the_jdk_are_shared_out() {
        let tree = tree();
        let contexts = Contexts::new(&tree, &["copies", "stores"], &[true; 5]);
        let [append, main] = [0, 1].map(Whom::Method);
        let of = |work: &[(usize, u64)]| {
            contexts.of(work.iter().map(|&(method, amount)| (tree.methods.get(method), amount)))
        };
        // 40 copies of copyOf: 30 for main, 10 for append.
        let shared = Shares { parts: vec![(main, 0.75), (append, 0.25)], is_estimate: true };
        assert_eq!(of(&[(2, 400)]), Some(shared));
        // What fill does it does for append alone.
        let alone = Shares { parts: vec![(append, 1.0)], is_estimate: false };
        assert_eq!(of(&[(3, 8)]), Some(alone));
        let mixed = Shares { parts: vec![(append, 0.625), (main, 0.375)], is_estimate: true };
        assert_eq!(of(&[(2, 100), (0, 100)]), Some(mixed));
        assert_eq!(of(&[(0, 100), (1, 5)]), None);
        // A fourth is done by a method that nothing is known of.
        let known = Shares { parts: vec![(append, 0.75)], is_estimate: false };
        assert_eq!(of(&[(3, 75), (9, 25)]), Some(known));
        assert!(
            contexts.works_for_callers(&tree.methods[2])
                && !contexts.works_for_callers(&tree.methods[0])
        );
        let all = contexts.all([(Some(&tree.methods[1]), 3)]);
        assert_eq!(all.parts, [(main, 1.0)]);
    }

    #[test]
    fn what_belongs_to_the_start_is_a_part() {
        let tree = tree();
        let contexts = Contexts::new(&tree, &["copies"], &[true, true, true, false, true]);
        let found = contexts.of([(Some(&tree.methods[2]), 1)]).unwrap();
        assert_eq!(found.parts, [(Whom::Method(1), 0.75), (Whom::Start, 0.25)]);
    }
}
