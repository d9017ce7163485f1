//! What explains the difference of two programs of which each ran once or more.

use rustc_hash::FxHashMap;

use crate::diff::blame::{Blamed, Part, blame};
use crate::diff::changes::CodeChange;
use crate::tree::Tree;

/// A row counts as a difference if it is at least this share of all. Two runs of
/// one program differ by some 0.0003 %: hash seeds, names of temporary files,
/// threads that take turns.
pub const FLOOR_OF_ALL: f64 = 0.000_1;
/// ... and at least this share of what the method itself explains.
pub const FLOOR_OF_METHOD: f64 = 0.001;

/// One method, by the mean of all runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// What the method explains.
    pub blamed: Blamed,
    /// The greatest difference that the method explains between two runs of the
    /// same program; `None` if both programs ran once only.
    pub spread: Option<u64>,
}

impl Row {
    /// The difference.
    pub fn difference(&self) -> i128 {
        self.blamed.difference()
    }
}

/// The explanation of a difference.
#[derive(Debug, Default)]
pub struct Explanation {
    /// The greatest difference first; all of them are above the floor and the
    /// spread.
    pub rows: Vec<Row>,
    /// How many methods explain differences that are not.
    pub below: u64,
    /// What these add up to.
    pub below_difference: i128,
}

impl Explanation {
    /// Rows of methods whose code differs.
    pub fn changed(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.blamed.change.is_some())
    }

    /// Rows of methods whose code is the same, or not known to differ.
    pub fn unchanged(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.blamed.change.is_none())
    }
}

/// Explains the difference of the runs in `base` and in `new`, which all share one
/// table of methods, by their first metric. The rows and what is below the floor
/// add up to the difference of the means, with several runs up to rounding.
pub fn explain(base: &[Tree], new: &[Tree], changes: &[Option<CodeChange>]) -> Explanation {
    let total = |trees: &[Tree]| trees.iter().map(Tree::total).max().unwrap_or(0);
    explain_above(total(base).max(total(new)), base, new, changes)
}

/// Likewise, with a floor of [`FLOOR_OF_ALL`] of `all` rather than of the whole cost.
pub fn explain_above(
    all: u64,
    base: &[Tree],
    new: &[Tree],
    changes: &[Option<CodeChange>],
) -> Explanation {
    let runs = base.len().max(new.len());
    if base.is_empty() || new.is_empty() {
        return Explanation::default();
    }
    let pairs = (0..runs).map(|run| blame(&base[run % base.len()], &new[run % new.len()], changes));
    let rows = mean(pairs.collect());
    let spreads = (runs > 1).then(|| spreads(&[base, new], changes));
    let floor = FLOOR_OF_ALL * all as f64;

    let mut explanation = Explanation::default();
    for blamed in rows {
        let spread =
            spreads.as_ref().map(|spreads| spreads.get(&blamed.method).copied().unwrap_or(0));
        let size = blamed.difference().unsigned_abs();
        let of_method = FLOOR_OF_METHOD * blamed.base.max(blamed.new) as f64;
        if size == 0 {
            continue;
        }
        if size as f64 >= floor.max(of_method) && size > u128::from(spread.unwrap_or(0)) {
            explanation.rows.push(Row { blamed, spread });
        } else {
            explanation.below += 1;
            explanation.below_difference += blamed.difference();
        }
    }
    // Stable: ties stay in the order of the table.
    explanation.rows.sort_by_key(|row| std::cmp::Reverse(row.difference().unsigned_abs()));
    explanation
}

/// The greatest difference that each method explains between runs of one program.
fn spreads(sides: &[&[Tree]], changes: &[Option<CodeChange>]) -> FxHashMap<Option<u32>, u64> {
    let mut spreads = FxHashMap::default();
    for neighbours in sides.iter().flat_map(|runs| runs.windows(2)) {
        for blamed in blame(&neighbours[0], &neighbours[1], changes) {
            let size = blamed.new.abs_diff(blamed.base);
            let spread = spreads.entry(blamed.method).or_insert(0);
            *spread = size.max(*spread);
        }
    }
    spreads
}

/// The mean of what each method explains in pairs of runs, in the order of the
/// table, the virtual root at the end.
fn mean(pairs: Vec<Vec<Blamed>>) -> Vec<Blamed> {
    let count = pairs.len() as u64;
    let mut of_methods: Vec<Blamed> = pairs.into_iter().flatten().collect();
    if count == 1 {
        return of_methods;
    }
    of_methods.sort_by_key(|blamed| blamed.method.unwrap_or(u32::MAX));
    let together = of_methods.chunk_by(|one, other| one.method == other.method);
    let mean = |sum: u128| (sum / u128::from(count)) as u64;
    let mean_of = |of_method: &[Blamed], value: fn(&Blamed) -> u64| {
        mean(of_method.iter().map(|blamed| u128::from(value(blamed))).sum())
    };
    let mean = together.map(|of_method| {
        let parts = of_method.iter().filter_map(|blamed| blamed.greatest);
        Blamed {
            base: mean_of(of_method, |blamed| blamed.base),
            new: mean_of(of_method, |blamed| blamed.new),
            calls: [
                mean_of(of_method, |blamed| blamed.calls[0]),
                mean_of(of_method, |blamed| blamed.calls[1]),
            ],
            greatest: parts.max_by_key(|part: &Part| part.difference().unsigned_abs()),
            ..of_method[0]
        }
    });
    mean.collect()
}
