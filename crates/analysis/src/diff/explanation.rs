//! What explains the difference of two programs of which each ran once or more.

use rustc_hash::FxHashMap;

use crate::diff::blame::{Blamed, Part, blame};
use crate::diff::changes::CodeChange;
use tree::Tree;
use tree::names::method::Method;
use tree::time::TIME;
use tree::time::precision::error_of_counts;

/// A row counts as a difference if it is at least this share of all. Two runs of
/// one program differ by some 0.0003 %: hash seeds, names of temporary files,
/// threads that take turns.
pub const FLOOR_OF_ALL: f64 = 0.000_1;
/// ... and at least this share of what the method itself explains.
pub const FLOOR_OF_METHOD: f64 = 0.001;

/// What the JDK's hash tables, or its class loaders, explain together counts as a
/// difference if it is at least this share of all. Objects without a hash code of their
/// own get random ones, a walk through a table meets the same entries behind other gaps,
/// and of several threads another one loads a class or enlarges a table.
pub const FLOOR_OF_CHANCE: f64 = 0.001;
/// Classes of such tables, with the classes nested in them, and of class loaders.
const LEFT_TO_CHANCE: [&str; 9] = [
    "java.util.HashMap",
    "java.util.LinkedHashMap",
    "java.util.IdentityHashMap",
    "java.util.WeakHashMap",
    "java.util.Hashtable",
    "java.util.ImmutableCollections",
    "java.util.concurrent.ConcurrentHashMap",
    "java.lang.ThreadLocal",
    "java.lang.ClassLoader",
];

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

/// Explains the difference as [`explain`] does, with a floor of [`FLOOR_OF_ALL`] of `all`
/// rather than of the whole cost.
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

    let is_sampled = base[0].metric() == TIME;
    let chance = Chance::of(&rows, &base[0].methods);
    let floor_of_chance = FLOOR_OF_CHANCE * all as f64;
    let mut explanation = Explanation::default();
    for (blamed, class) in rows.into_iter().zip(chance.class_of_row) {
        let spread =
            spreads.as_ref().map(|spreads| spreads.get(&blamed.method).copied().unwrap_or(0));
        let size = blamed.difference().unsigned_abs();
        let of_method = FLOOR_OF_METHOD * blamed.base.max(blamed.new) as f64;
        if size == 0 {
            continue;
        }
        // A difference within the sampling error is not reported.
        let within_error = is_sampled && size as f64 <= error_of_counts(blamed.base, blamed.new);
        let is_chance =
            class.is_some_and(|class| (chance.difference[class].abs() as f64) < floor_of_chance);
        if !is_chance
            && !within_error
            && size as f64 >= floor.max(of_method)
            && size > u128::from(spread.unwrap_or(0))
        {
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

/// Which rows are about what is left to chance.
struct Chance {
    /// Of each row the place of its class in [`LEFT_TO_CHANCE`].
    class_of_row: Vec<Option<usize>>,
    /// What the rows of each class add up to.
    difference: [i128; LEFT_TO_CHANCE.len()],
}

impl Chance {
    /// Of rows about methods of this table. Those of changed code are no chance, nor are
    /// those that mostly call something else more often.
    fn of(rows: &[Blamed], methods: &[Method]) -> Self {
        let class_of = |method: u32| {
            let class = &methods[method as usize].class;
            LEFT_TO_CHANCE.iter().position(|known| {
                let rest = class.strip_prefix(known);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
            })
        };
        let class_of_row = |blamed: &Blamed| {
            let part = blamed.greatest.filter(|_| blamed.change.is_none())?;
            let by_itself = match part.callee {
                None => part.base_calls == part.new_calls,
                Some(callee) => class_of(callee).is_some(),
            };
            class_of(blamed.method?).filter(|_| by_itself)
        };
        let class_of_row: Vec<Option<usize>> = rows.iter().map(class_of_row).collect();
        let mut difference = [0; LEFT_TO_CHANCE.len()];
        for (row, class) in rows.iter().zip(&class_of_row) {
            difference[class.unwrap_or(0)] += class.map_or(0, |_| row.difference());
        }
        Self { class_of_row, difference }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(method: u32, callee: Option<u32>, difference: u64, calls: [u64; 2]) -> Blamed {
        let [base_calls, new_calls] = calls;
        let part = Part { callee, base: 0, new: difference, base_calls, new_calls };
        Blamed {
            method: Some(method),
            change: None,
            base: 0,
            new: difference,
            calls: [1, 1],
            greatest: Some(part),
        }
    }

    #[test]
    fn hash_codes_and_turns_of_threads_are_left_to_chance() {
        let classes = [
            "java.util.HashMap$HashIterator",
            "java.util.concurrent.ConcurrentHashMap",
            "java.lang.ClassLoader",
            "java.util.HashMapLike",
        ];
        let methods = classes.map(|class| Method { class: class.to_owned(), ..Method::default() });
        let rows = [
            row(0, None, 5, [9, 9]),
            row(0, None, 7, [9, 8]),
            row(1, Some(1), 11, [1, 0]),
            row(2, Some(1), 13, [1, 0]),
            row(2, Some(3), 17, [1, 0]),
            row(3, None, 19, [9, 9]),
        ];
        let chance = Chance::of(&rows, &methods);
        assert_eq!(chance.class_of_row, [Some(0), None, Some(6), Some(8), None, None]);
        assert_eq!((chance.difference[0], chance.difference[6], chance.difference[8]), (5, 11, 13));
        let changed = Blamed { change: Some(CodeChange::Changed), ..rows[0] };
        assert_eq!(Chance::of(&[changed], &methods).class_of_row, [None]);
    }
}
