//! Where the agent and the witness differ.

use std::collections::BTreeSet;
use std::fmt;

use crate::counts::{Count, Counts, Method, without_probes};

/// What came of comparing a recording with runs of the witness.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Methods that all runs agree on, and that were executed.
    pub equal: u64,
    /// What these methods did.
    pub sum: Count,
    /// Methods that differ between the runs of the witness: what they do is
    /// not the same in every run, so that they prove nothing. Least and
    /// greatest count.
    pub unsteady: Vec<Difference>,
    /// Methods that the profile says have no probes.
    pub without_probes: Vec<Method>,
    /// Methods that the witness could not rewrite.
    pub left_out: Vec<Method>,
    /// Methods that the agent counted otherwise than all runs of the witness.
    pub different: Vec<Difference>,
}

/// A method with different counts.
#[derive(Debug)]
pub struct Difference {
    /// The method.
    pub method: Method,
    /// One side's count.
    pub left: Count,
    /// The other's.
    pub right: Count,
}

impl Comparison {
    /// Compares every method that the witness has seen.
    pub fn new(witnessed: &[Counts], recorded: &profile::Profile) -> Self {
        let listed = without_probes(recorded);
        let counted = Counts::of_profile(recorded);
        let of = |counts: &Counts, method| counts.methods.get(method).copied().unwrap_or_default();
        let left_out: BTreeSet<&Method> = witnessed.iter().flat_map(|run| &run.left_out).collect();
        let mut result =
            Self { left_out: left_out.into_iter().cloned().collect(), ..Self::default() };
        let methods: BTreeSet<&Method> =
            witnessed.iter().flat_map(|run| run.methods.keys()).collect();
        for method in methods {
            let runs = witnessed.iter().map(|run| of(run, method));
            let one = runs.clone().min().unwrap_or_default();
            let other = runs.max().unwrap_or_default();
            let agent = of(&counted, method);
            let signature = format!("{}{}", method.name, method.descriptor);
            let plain = ["", &signature].iter().any(|&m| listed.contains(&(&*method.class, m)));
            let difference = |left, right| Difference { method: method.clone(), left, right };
            if plain {
                result.without_probes.push(method.clone());
            } else if one != other {
                result.unsteady.push(difference(one, other));
            } else if one != agent {
                result.different.push(difference(one, agent));
            } else if one.calls > 0 {
                result.equal += 1;
                result.sum.calls += one.calls;
                result.sum.bytecodes += one.bytecodes;
            }
        }
        result
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { method, left, right } = self;
        write!(
            f,
            "{} calls and {} bytecodes, {} and {}: {method}",
            left.calls, left.bytecodes, right.calls, right.bytecodes
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profile::{ClassId, ClassInfo, MethodInfo, Metric, NO_PARENT, Profile, ThreadTree};

    fn witnessed(bytecodes: u64) -> Counts {
        let mut counts = Counts::default();
        let method = Method::new("a.B", "c", "()V");
        counts.methods.insert(method, Count { calls: 1, bytecodes });
        counts
    }

    fn recorded(bytecodes: u64) -> Profile {
        let method = MethodInfo::new(ClassId(0), "c", "()V");
        let mut profile = Profile {
            classes: vec![ClassInfo { name: "a.B".into(), ..ClassInfo::default() }],
            methods: vec![method],
            threads: vec![ThreadTree { nodes: 0..1, ..ThreadTree::default() }],
            ..Profile::default()
        };
        profile.nodes.method = vec![0];
        profile.nodes.parent = vec![NO_PARENT];
        profile.nodes.site = vec![0];
        let metric = |name: &str, value| Metric { name: name.into(), values: vec![value] };
        profile.nodes.metrics = vec![metric("calls", 1), metric("bytecodes", bytecodes)];
        profile
    }

    #[test]
    fn equal_counts_are_summed() {
        let found = Comparison::new(&[witnessed(7), witnessed(7)], &recorded(7));
        assert_eq!((found.equal, found.sum), (1, Count { calls: 1, bytecodes: 7 }));
        assert!(found.different.is_empty() && found.unsteady.is_empty());
    }

    #[test]
    fn one_bytecode_more_is_a_difference() {
        let found = Comparison::new(&[witnessed(7), witnessed(7)], &recorded(8));
        assert_eq!((found.equal, found.different.len()), (0, 1));
    }

    #[test]
    fn what_the_witness_itself_sees_differently_proves_nothing() {
        let found = Comparison::new(&[witnessed(7), witnessed(9)], &recorded(9));
        assert_eq!((found.equal, found.unsteady.len(), found.different.len()), (0, 1, 0));
    }
}
