//! Whether runs after a change cost more than runs before, beyond chance.
//!
//! Most methods cost exactly the same in every run. Of these a difference needs no test,
//! however small it is. The others vary from run to run, and by how much differs from
//! program to program; so they are tested by ranks: if nothing has changed, each order of
//! the runs is as likely as any other, and that all runs after are above all runs before
//! happens once in as many cases as there are ways to choose the runs after.

use crate::spread::{Spread, Spreads};
use tree::names::method::Method;

/// Of methods that vary, only differences of at least this part of the mean are told.
pub const LEAST_SHARE: f64 = 0.02;

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Differences below this part of all that the runs before cost are not told.
    pub floor: f64,
    /// Methods that vary are tested only where no more false alarms are to be expected.
    pub false_alarms: f64,
    /// Costs are samples. That those of one side are the same says nothing then.
    pub sampled: bool,
}

/// A method with its costs before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    /// The method.
    pub method: Method,
    /// Before.
    pub before: Spread,
    /// After.
    pub after: Spread,
}

impl Changed {
    /// Difference of the means.
    pub fn difference(&self) -> f64 {
        self.after.mean() - self.before.mean()
    }
}

/// The verdict.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    /// Methods with one cost in all runs before and another one in all runs after, the
    /// greatest difference first.
    pub constant: Vec<Changed>,
    /// How many more differ by less than the floor.
    pub below_floor: u64,
    /// How many methods vary from run to run, on either side.
    pub varying: u64,
    /// Those of them that cost more in each run after than in any run before; `None` if
    /// there are too few runs to tell.
    pub above: Option<Vec<Changed>>,
    /// How many more do, but by less than the floor.
    pub above_below_floor: u64,
    /// How many methods chance alone would put there.
    pub expected: f64,
}

impl Verdict {
    /// Whether any method costs more.
    pub fn is_worse(&self) -> bool {
        let above = self.above.as_ref().is_some_and(|above| !above.is_empty());
        above || self.constant.iter().any(|changed| changed.difference() > 0.0)
    }
}

/// Compares two groups, the first ones of `spreads`.
pub fn judge(spreads: &Spreads, rules: Rules) -> Verdict {
    let (before, after) = (spreads.totals[0], spreads.totals[1]);
    let floor = rules.floor * before.mean();
    let mut verdict = Verdict::default();
    let mut varying = Vec::new();
    for (method, groups) in &spreads.methods {
        let changed = Changed { method: method.clone(), before: groups[0], after: groups[1] };
        let is_constant = changed.before.is_constant() && changed.after.is_constant();
        if rules.sampled || !is_constant {
            varying.push(changed);
        } else if changed.difference() != 0.0 {
            if changed.difference().abs() >= floor {
                verdict.constant.push(changed);
            } else {
                verdict.below_floor += 1;
            }
        }
    }
    verdict.varying = varying.len() as u64;
    verdict.expected = varying.len() as f64 * chance(before.runs, after.runs);
    if verdict.expected <= rules.false_alarms {
        varying.retain(|changed| {
            changed.after.least > changed.before.greatest
                && changed.difference() >= LEAST_SHARE * changed.before.mean()
        });
        let all = varying.len();
        varying.retain(|changed| changed.difference() >= floor);
        verdict.above_below_floor = (all - varying.len()) as u64;
        verdict.above = Some(varying);
    }
    for list in std::iter::once(&mut verdict.constant).chain(&mut verdict.above) {
        list.sort_by(|one, other| other.difference().abs().total_cmp(&one.difference().abs()));
    }
    verdict
}

/// How likely chance alone puts all runs after above all runs before: one of all ways to
/// choose the runs after.
pub fn chance(before: u64, after: u64) -> f64 {
    (1..=after).fold(1.0, |chance, run| chance * run as f64 / (before + run) as f64)
}

#[cfg(test)]
mod tests {
    use super::{Rules, chance, judge};
    use crate::spread::{Spread, Spreads};
    use tree::names::method::Method;

    fn spread(costs: &[u64]) -> Spread {
        let mut spread = Spread::default();
        costs.iter().for_each(|&cost| spread.add(cost));
        spread
    }

    #[test]
    fn chances() {
        assert!((chance(5, 5) - 1.0 / 252.0).abs() < 1e-12);
        assert!((chance(10, 10) - 1.0 / 184_756.0).abs() < 1e-12);
        assert_eq!(chance(1, 1), 0.5);
    }

    #[test]
    fn constant_costs_need_no_test_and_varying_ones_enough_runs() {
        let method = |name: &str, before: &[u64], after: &[u64]| {
            let method = Method { name: name.into(), ..Method::default() };
            (method, vec![spread(before), spread(after)])
        };
        let methods = vec![
            method("same", &[7, 7, 7], &[7, 7, 7]),
            method("more", &[7, 7, 7], &[9, 9, 9]),
            method("little", &[100, 100, 100], &[101, 101, 101]),
            method("noise", &[5, 9, 7], &[8, 6, 7]),
            method("above", &[5, 9, 7], &[10, 16, 17]),
        ];
        let totals = vec![spread(&[1_000, 1_000, 1_000]), spread(&[1_010, 1_010, 1_010])];
        let spreads = Spreads { metric: "bytecodes".into(), totals, methods };
        let names = |list: &[super::Changed]| -> Vec<String> {
            list.iter().map(|changed| changed.method.name.clone()).collect()
        };
        let verdict = judge(&spreads, Rules { floor: 0.002, false_alarms: 0.2, sampled: false });
        assert_eq!(names(&verdict.constant), ["more"]);
        assert_eq!((verdict.below_floor, verdict.varying), (1, 2));
        assert!((verdict.expected - 0.1).abs() < 1e-12);
        assert_eq!(names(&verdict.above.unwrap()), ["above"]);
        let coarse = judge(&spreads, Rules { floor: 0.1, false_alarms: 0.2, sampled: false });
        assert_eq!((coarse.above.as_ref().map(Vec::len), coarse.above_below_floor), (Some(0), 1));
        let strict = judge(&spreads, Rules { floor: 0.0, false_alarms: 0.05, sampled: false });
        assert_eq!(names(&strict.constant), ["more", "little"]);
        assert!(strict.above.is_none() && strict.is_worse());
        let sampled = judge(&spreads, Rules { floor: 0.002, false_alarms: 1.0, sampled: true });
        assert!(sampled.constant.is_empty());
        assert_eq!((sampled.below_floor, sampled.varying), (0, 5));
        assert_eq!(names(&sampled.above.unwrap()), ["above", "more"]);
    }
}
