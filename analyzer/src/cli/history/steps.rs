//! What each of several versions changed, by method.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use analysis::diff::changes::{CodeChange, code_changes};
use analysis::diff::explanation::explain;
use tree::error::Result;
use tree::names::method::Method;
use tree::names::pattern::Pattern;

use crate::cli::diff::profiles::{Profiles, Side};
use crate::cli::source::Choice;

/// What a version changed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Step {
    /// What methods of other code explain.
    pub by_changed_code: i128,
    /// How many these are.
    pub changed: usize,
    /// What methods of the same code explain.
    pub by_data: i128,
    /// What is below the floor of `subsume diff`.
    pub below: i128,
}

/// What a method explains in one version.
#[derive(Debug, Clone)]
pub struct Explained {
    /// The difference.
    pub difference: i128,
    /// What became of its code.
    pub change: Option<CodeChange>,
    /// Where most of the difference is.
    pub mostly: Option<Mostly>,
}

/// The part of a method with the greatest difference.
#[derive(Debug, Clone)]
pub struct Mostly {
    /// A method that it calls; `None` for itself.
    pub callee: Option<Method>,
    /// How often that was called before and after.
    pub calls: [u64; 2],
}

/// A method with what it explains, by the place of the version; `None` for the virtual
/// root.
#[derive(Debug)]
pub struct Row {
    /// The method.
    pub method: Option<Method>,
    /// What it explains.
    pub steps: BTreeMap<usize, Explained>,
}

impl Row {
    /// The greatest share of the version before.
    fn greatest(&self, totals: &[u64]) -> f64 {
        let share = |(&at, explained): (&usize, &Explained)| {
            let base = totals[at - 1].max(1) as f64;
            explained.difference.unsigned_abs() as f64 / base
        };
        self.steps.iter().map(share).fold(0.0, f64::max)
    }
}

/// The steps from version to version that were compared.
#[derive(Debug, Default)]
pub struct Steps {
    /// The cost.
    pub metric: String,
    by_method: BTreeMap<Option<Method>, Row>,
}

impl Steps {
    /// Compares version `at` with the one before it; the costs of both, and what the
    /// version changed. Of costs that are of `runs` runs together, what is kept is by run.
    ///
    /// # Errors
    /// If they have no metric in common.
    pub fn compare(
        &mut self,
        at: usize,
        [base, new]: [Side; 2],
        choice: &Choice,
        runs: u64,
    ) -> Result<([u64; 2], Step)> {
        let profiles = Profiles::of(base, new, choice)?;
        let methods = &profiles.base.tree().methods;
        let changes = code_changes(profiles.codes(), &profiles.signatures, methods);
        let explanation = explain(&profiles.base.trees, &profiles.new.trees, &changes);
        let totals = [&profiles.base, &profiles.new].map(|side| side.tree().total() / runs);
        let mut step = Step::default();
        let mut rest = i128::from(totals[1]) - i128::from(totals[0]);
        for row in &explanation.rows {
            let (difference, change) = (row.difference() / i128::from(runs), row.blamed.change);
            rest -= difference;
            if change.is_some() {
                step.by_changed_code += difference;
                step.changed += 1;
            } else {
                step.by_data += difference;
            }
            let named = |method: u32| methods[method as usize].clone();
            let mostly = row.blamed.greatest.map(|part| Mostly {
                callee: part.callee.map(named),
                calls: [part.base_calls / runs, part.new_calls / runs],
            });
            let method = row.blamed.method.map(named);
            let known = self
                .by_method
                .entry(method.clone())
                .or_insert_with(|| Row { method, steps: BTreeMap::new() });
            known.steps.insert(at, Explained { difference, change, mostly });
        }
        // With what is lost where costs by run are no whole numbers.
        step.below = rest;
        self.metric = profiles.base.tree().metric().to_owned();
        Ok((totals, step))
    }

    /// The methods of these classes, that with the greatest change first. `totals` are the
    /// costs of the versions.
    pub fn rows(self, totals: &[u64], class: Option<Pattern>) -> Vec<Row> {
        let mut rows: Vec<Row> = self.by_method.into_values().collect();
        if let Some(class) = class {
            rows.retain(|row| row.method.as_ref().is_some_and(|m| class.matches(&m.class)));
        }
        // Shares are finite. Ties stay in the order of the names.
        rows.sort_by_key(|row| Reverse((row.greatest(totals) * 1e12) as u64));
        rows
    }
}
