//! The difference by method.

use crate::diff::code::{Code, Sameness};
use crate::diff::signatures::Signatures;
use tree::Tree;
use tree::costs::costs;
use tree::names::method::Method;

/// What a method costs in one profile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Side {
    /// Exclusive cost by each metric, in the order of the trees' metrics.
    pub exclusive: Vec<u64>,
    /// Inclusive cost by the first metric.
    pub inclusive: u64,
    /// Its contexts.
    pub contexts: u64,
}

/// A method that was executed in at least one of the profiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodDifference {
    /// Its number in the table of both trees.
    pub method: u32,
    /// Before.
    pub base: Side,
    /// After.
    pub new: Side,
    /// What has become of it.
    pub fate: Fate,
}

/// What has become of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// The profile before does not know it.
    New,
    /// The profile after does not know it.
    Gone,
    /// It was there before, and was not executed.
    NewlyCalled,
    /// It is there after, and is not executed any more.
    NoLongerCalled,
    /// Its code is another one.
    CodeChanged,
    /// The types of its parameters or of its result are others.
    SignatureChanged,
    /// Its code is the same.
    SameCode,
    /// It is not known whether its code is the same.
    CodeUnknown,
}

impl Fate {
    /// That of a method with so many contexts before and after, which has the name that
    /// it has after.
    pub fn of(
        contexts: [u64; 2],
        codes: [&Code; 2],
        signatures: &Signatures,
        method: &Method,
    ) -> Self {
        let [base, new] = codes;
        let before = signatures.before(method).unwrap_or(method);
        match contexts {
            [0, _] if has(base, new, before) => Self::NewlyCalled,
            [0, _] => Self::New,
            [_, 0] if has(new, base, method) => Self::NoLongerCalled,
            [_, 0] => Self::Gone,
            _ => match signatures.compare(codes, method) {
                Sameness::Changed => Self::CodeChanged,
                Sameness::OtherSignature => Self::SignatureChanged,
                Sameness::Same => Self::SameCode,
                Sameness::Unknown => Self::CodeUnknown,
            },
        }
    }

    /// True if its code is certainly another one.
    pub fn is_other_code(self) -> bool {
        matches!(self, Self::CodeChanged | Self::SignatureChanged)
    }

    /// In a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Gone => "gone",
            Self::NewlyCalled => "newly called",
            Self::NoLongerCalled => "no longer called",
            Self::CodeChanged => "changed",
            Self::SignatureChanged => "signature changed",
            Self::SameCode => "same",
            Self::CodeUnknown => "unknown",
        }
    }
}

/// True if a program has a method that only the other one executed: its profile lists
/// the methods of its classes, and on one JVM all programs have the same platform. A
/// profile without code, such as an imported one, has what it executed.
fn has(code: &Code, other: &Code, method: &Method) -> bool {
    let is_platform = || [code, other].iter().all(|code| code.is_platform(&method.class));
    let is_there = || code.jvm() == other.jvm() && is_platform();
    !code.is_empty() && !other.is_empty() && (code.knows(method) || is_there())
}

impl MethodDifference {
    /// Difference of the exclusive costs by a metric.
    pub fn exclusive(&self, metric: usize) -> i128 {
        i128::from(self.new.exclusive[metric]) - i128::from(self.base.exclusive[metric])
    }

    /// Difference of the inclusive costs.
    pub fn inclusive(&self) -> i128 {
        i128::from(self.new.inclusive) - i128::from(self.base.inclusive)
    }

    /// True if any of its own costs is another one.
    pub fn own_costs_differ(&self) -> bool {
        self.base.exclusive != self.new.exclusive
    }

    /// True if any of its costs, or what it calls costs, is another one.
    pub fn costs_differ(&self) -> bool {
        self.base != self.new
    }
}

/// Compares trees that share one table of methods and have the same metrics.
pub fn by_method(
    base: (&Tree, &Code),
    new: (&Tree, &Code),
    signatures: &Signatures,
) -> Vec<MethodDifference> {
    let (old_sides, new_sides) = (sides(base.0), sides(new.0));
    let differences = (0..).zip(old_sides.into_iter().zip(new_sides));
    let executed = differences.filter(|(_, (base, new))| base.contexts + new.contexts > 0);
    let differences = executed.map(|(method, (old_side, new_side))| {
        let contexts = [old_side.contexts, new_side.contexts];
        let name = &base.0.methods[method as usize];
        let fate = Fate::of(contexts, [base.1, new.1], signatures, name);
        MethodDifference { method, base: old_side, new: new_side, fate }
    });
    differences.collect()
}

fn sides(tree: &Tree) -> Vec<Side> {
    let of_method = |costs: tree::costs::Costs| Side {
        exclusive: vec![0; tree.metrics.len()],
        inclusive: costs.inclusive,
        contexts: costs.contexts,
    };
    let mut sides: Vec<Side> = costs(tree).into_iter().map(of_method).collect();
    for (at, metric) in tree.metrics.iter().enumerate() {
        for (&method, &cost) in tree.method.iter().zip(&metric.values) {
            sides[method as usize].exclusive[at] += cost;
        }
    }
    sides
}
