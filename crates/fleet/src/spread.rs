//! Costs of methods in groups of runs: least, greatest and sum.

use crate::dataset::Dataset;
use crate::numbering::Numbering;
use crate::run::{METRICS, Run};
use crate::summary::MethodRuns;
use tree::error::{Error, Result};
use tree::names::method::Method;

/// A cost in a group of runs. A run that did not execute a method has a cost of 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spread {
    /// How many runs.
    pub runs: u64,
    /// The least.
    pub least: u64,
    /// The greatest.
    pub greatest: u64,
    /// The sum.
    pub sum: u128,
}

impl Spread {
    /// Takes account of a run.
    pub fn add(&mut self, cost: u64) {
        self.least = if self.runs == 0 { cost } else { self.least.min(cost) };
        self.greatest = self.greatest.max(cost);
        self.sum += u128::from(cost);
        self.runs += 1;
    }

    /// Of both groups together.
    pub fn with(self, other: Self) -> Self {
        match (self.runs, other.runs) {
            (0, _) => other,
            (_, 0) => self,
            _ => Self {
                runs: self.runs + other.runs,
                least: self.least.min(other.least),
                greatest: self.greatest.max(other.greatest),
                sum: self.sum + other.sum,
            },
        }
    }

    /// The mean; 0 of no run.
    pub fn mean(&self) -> f64 {
        if self.runs == 0 { 0.0 } else { self.sum as f64 / self.runs as f64 }
    }

    /// Whether all runs have the same.
    pub fn is_constant(&self) -> bool {
        self.least == self.greatest
    }

    /// Whether each run of one group is above each of the other.
    pub fn is_apart(&self, other: &Self) -> bool {
        self.least > other.greatest || self.greatest < other.least
    }
}

/// The costs of groups of runs.
#[derive(Debug, Clone, Default)]
pub struct Spreads {
    /// The cost.
    pub metric: String,
    /// Of whole runs, for each group.
    pub totals: Vec<Spread>,
    /// Methods in the order in which ties are broken, with their own costs in each group.
    pub methods: Vec<(Method, Vec<Spread>)>,
}

/// The cost of this name, or the usual one.
#[derive(Debug, Clone, Copy)]
enum Cost {
    /// What `exclusive` is of.
    Usual,
    /// One of [`METRICS`].
    Column(usize),
}

/// Reads the own costs of methods in groups of runs, one run at a time.
///
/// # Errors
/// If a run cannot be read, or does not have the metric.
pub fn spreads(dataset: &Dataset, groups: &[&[Run]], metric: Option<&str>) -> Result<Spreads> {
    let usual = groups.iter().flat_map(|runs| runs.iter()).next();
    let usual = usual.map(|run| run.metric.clone()).unwrap_or_default();
    let metric = metric.unwrap_or(&usual);
    let cost = METRICS.iter().position(|name| *name == metric).map_or(Cost::Usual, Cost::Column);
    let mut numbering = Numbering::default();
    let mut of_methods: Vec<Vec<Spread>> = Vec::new();
    let mut totals = vec![Spread::default(); groups.len()];
    for (group, runs) in groups.iter().enumerate() {
        for run in *runs {
            let lacks = || Error::new(format!("run {} has no costs of {metric}", run.id));
            let rows = MethodRuns::read(dataset, run)?;
            let (total, values) = match cost {
                Cost::Usual if run.metric == metric => (Some(run.total), Some(&rows.exclusive)),
                Cost::Usual => (None, None),
                Cost::Column(at) => (run.totals[at], rows.metrics[at].as_ref()),
            };
            let (total, values) = total.zip(values).ok_or_else(lacks)?;
            totals[group].add(total.unsigned_abs());
            let numbers = numbering.of_run(dataset, run, rows.has_own())?;
            of_methods.resize_with(numbering.len(), || vec![Spread::default(); groups.len()]);
            for (&method, &value) in rows.method.iter().zip(values) {
                let number = numbers.get(method).ok_or_else(|| {
                    Error::new(format!("run {}: a method that is in no table", run.id))
                })?;
                of_methods[number as usize][group].add(value.unsigned_abs());
            }
        }
    }
    for spread in &mut of_methods {
        for (spread, runs) in spread.iter_mut().zip(groups) {
            // Some runs have not executed it.
            if spread.runs < runs.len() as u64 {
                spread.least = 0;
                spread.runs = runs.len() as u64;
            }
        }
    }
    let mut methods: Vec<(Method, Vec<Spread>)> = numbering
        .into_methods()
        .into_iter()
        .map(|(method, number)| (method, std::mem::take(&mut of_methods[number as usize])))
        .filter(|(_, spreads)| spreads.iter().any(|spread| spread.sum > 0))
        .collect();
    methods.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    Ok(Spreads { metric: metric.to_owned(), totals, methods })
}

#[cfg(test)]
mod tests {
    use super::Spread;

    fn of(costs: &[u64]) -> Spread {
        let mut spread = Spread::default();
        costs.iter().for_each(|&cost| spread.add(cost));
        spread
    }

    #[test]
    fn groups_add_up() {
        let (one, other) = (of(&[3, 5]), of(&[9, 4]));
        assert_eq!(one.with(other), of(&[3, 5, 9, 4]));
        assert_eq!(one.with(Spread::default()), one);
        assert!(!one.is_apart(&other));
        assert!(one.is_apart(&of(&[6])) && one.is_apart(&of(&[0, 2])));
        assert!(of(&[7, 7]).is_constant() && !one.is_constant());
    }
}
