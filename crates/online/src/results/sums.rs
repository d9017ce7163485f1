//! The results of a method, added up over threads.

use profile::MethodId;
use profile::dataflow::MethodResults;
use profile::results::{MOST_INPUTS, ONE_VALUE, PER_RECEIVER};
use rustc_hash::FxHashMap;

use super::tables::{Entry, MethodTables, Which, header};

/// Distinct inputs or receivers; those whose hashes end with so many zeros.
#[derive(Debug, Clone, Default)]
struct Kept {
    level: u32,
    /// The last result of each, if it has any: of receivers whose inputs are left out none
    /// is kept.
    results: FxHashMap<u64, Option<u64>>,
}

impl Kept {
    fn raise(&mut self, level: u32) {
        if level > self.level {
            self.level = level;
            self.results.retain(|hash, _| hash.trailing_zeros() >= level);
        }
    }

    /// Adds those of another thread; returns how many are known with the same result, and
    /// how many with another one.
    fn add(&mut self, tables: &MethodTables, which: Which) -> (u64, u64) {
        self.raise(tables.level(which));
        let (mut same, mut others) = (0, 0);
        let (level, has_result) =
            (self.level, |one: &Entry| which == Which::Inputs || one.hits > 0);
        for entry in tables.entries(which).filter(|one| one.hash.trailing_zeros() >= level) {
            let known = self.results.entry(entry.hash).or_default();
            let result = has_result(&entry).then_some(entry.result);
            match (*known, result) {
                (Some(one), Some(other)) if one == other => same += 1_u64 << level,
                (Some(_), Some(_)) => others += 1_u64 << level,
                _ => {}
            }
            *known = result.or(*known);
        }
        while self.results.len() as u64 > u64::from(MOST_INPUTS) {
            self.raise(self.level + 1);
        }
        (same, others)
    }

    /// How many there are; an estimate if some are left out.
    fn count(&self) -> u64 {
        (self.results.len() as u64) << self.level
    }
}

/// A sum over inputs of which some stand for others, too.
#[derive(Debug, Clone, Copy, Default)]
struct Estimate {
    sum: u64,
    variance: f64,
}

impl Estimate {
    /// Each input is kept with the same probability (Horvitz and Thompson 1952).
    fn add(&mut self, number: u64, weight: u32) {
        self.sum = self.sum.saturating_add(number.saturating_mul(1 << weight));
        let times = (1_u64 << weight) as f64;
        self.variance += number as f64 * number as f64 * times * (times - 1.0);
    }

    fn error(self) -> u64 {
        self.variance.sqrt().ceil() as u64
    }
}

/// What threads have kept of a method.
#[derive(Debug, Clone)]
pub struct Sums {
    results: MethodResults,
    first_result: Option<u64>,
    hits: Estimate,
    saving: Estimate,
    /// Calls, if some are left out.
    calls: Estimate,
    /// Those of inputs whose last result is false, 0 or null.
    empty: Estimate,
    inputs: Kept,
    receivers: Option<Kept>,
    has_receivers: bool,
}

impl Sums {
    /// Nothing, of a method whose receivers are among its inputs, or are kept beside.
    pub fn new(method: u32, kinds: u8, has_receivers: bool) -> Self {
        let results = MethodResults { method: MethodId(method), kinds, ..MethodResults::default() };
        Self {
            results,
            first_result: None,
            hits: Estimate::default(),
            saving: Estimate::default(),
            calls: Estimate::default(),
            empty: Estimate::default(),
            inputs: Kept::default(),
            receivers: None,
            has_receivers,
        }
    }

    /// Adds what a thread has kept. Threads count as if one had run behind the other: an
    /// input that two have seen is one that the second has seen again.
    pub fn add(&mut self, tables: &MethodTables, keeps_receivers: bool) {
        for entry in tables.entries(Which::Inputs) {
            self.hits.add(entry.hits, entry.weight);
            self.saving.add(entry.saving, entry.weight);
            self.calls.add(entry.hits + 1, entry.weight);
            if entry.result == 0 {
                self.empty.add(entry.hits + 1, entry.weight);
            }
        }
        let (same, others) = self.inputs.add(tables, Which::Inputs);
        self.hits.add(same, 0);
        if keeps_receivers {
            let receivers = self.receivers.get_or_insert_default();
            if receivers.add(tables, Which::Receivers).1 > 0 {
                self.results.kinds &= !PER_RECEIVER;
            }
        } else if others > 0 {
            self.results.kinds &= !PER_RECEIVER;
        }
        let results = &mut self.results;
        let conflicts = tables.word(header::CONFLICTS);
        results.conflicts = results.conflicts.saturating_add(conflicts).saturating_add(others);
        for (sum, at) in [
            (&mut results.last_hits, header::LAST_HITS),
            (&mut results.wrote, header::WROTE),
            (&mut results.hits_that_wrote, header::HITS_THAT_WROTE),
            (&mut results.cost, header::COST),
            (&mut results.unfollowed, header::UNFOLLOWED),
            // Read last: while the thread goes on, calls must not be fewer than hits.
            (&mut results.returned, header::RETURNED),
        ] {
            *sum = sum.saturating_add(tables.word(at));
        }
        results.kinds &= tables.word(header::KINDS) as u8;
        if tables.word(header::RETURNED) > 0 {
            let first = tables.word(header::FIRST_RESULT);
            if self.first_result.is_some_and(|known| known != first) {
                results.kinds &= !ONE_VALUE;
            }
            self.first_result.get_or_insert(first);
        }
    }

    /// The sums.
    pub fn results(&self) -> MethodResults {
        let mut results = self.results;
        results.inputs = self.inputs.count();
        results.level = self.inputs.level as u8;
        let receivers = match &self.receivers {
            Some(kept) => Some(kept),
            None => self.has_receivers.then_some(&self.inputs),
        };
        if let Some(kept) = receivers {
            results.receivers = kept.count();
            results.receivers_level = kept.level as u8;
        }
        (results.hits, results.hits_error) = (self.hits.sum, self.hits.error());
        (results.saving, results.saving_error) = (self.saving.sum, self.saving.error());
        results.empty = Some(self.empty.sum);
        if results.level > 0 {
            results.returned = self.calls.sum.saturating_add(results.conflicts);
            results.cost = results.cost.max(results.saving);
        }
        results
    }
}
