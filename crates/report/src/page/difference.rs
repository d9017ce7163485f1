//! The difference of two profiles on a page, by method.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::page::count::Count;
use crate::page::digest::Digest;
use analysis::diff::code::Code;
use analysis::diff::methods::Fate;
use analysis::diff::signatures::Signatures;
use tree::costs::Costs;
use tree::names::method::Method;
use tree::readable_names::printable;

/// What became of each method from one profile to another.
#[derive(Debug)]
pub struct Difference {
    metric: String,
    totals: (u64, u64),
    /// Those that differ, the greatest difference first.
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    method: Method,
    fate: Fate,
    base: Costs,
    new: Costs,
}

impl Row {
    fn difference(&self) -> u64 {
        self.base.exclusive.abs_diff(self.new.exclusive)
    }
}

impl Difference {
    /// Compares two profiles; `None` if they were analysed by different metrics.
    pub fn new(base: (&Digest, &Code), new: (&Digest, &Code)) -> Option<Self> {
        let ((old_digest, old_code), (new_digest, new_code)) = (base, new);
        if old_digest.metric != new_digest.metric {
            return None;
        }
        let signatures = Signatures::between(old_code, new_code);
        let mut sides: FxHashMap<&Method, (Costs, Costs)> = FxHashMap::default();
        for &method in &old_digest.order {
            let method = method as usize;
            let before = &old_digest.methods[method];
            let name = signatures.after(before).unwrap_or(before);
            sides.entry(name).or_default().0 = old_digest.costs[method].clone();
        }
        for &method in &new_digest.order {
            let method = method as usize;
            sides.entry(&new_digest.methods[method]).or_default().1 =
                new_digest.costs[method].clone();
        }
        let rows = sides.into_iter().map(|(method, (base, new))| Row {
            fate: Fate::of(
                [base.contexts, new.contexts],
                [old_code, new_code],
                &signatures,
                method,
            ),
            method: method.clone(),
            base,
            new,
        });
        let mut rows: Vec<Row> =
            rows.filter(|row| row.base != row.new || row.fate.is_other_code()).collect();
        rows.sort_unstable_by(|a, b| {
            (Reverse(a.difference()), &a.method).cmp(&(Reverse(b.difference()), &b.method))
        });
        let totals = (old_digest.total, new_digest.total);
        Some(Self { metric: new_digest.metric.clone(), totals, rows })
    }

    /// The first `count` methods.
    pub fn section(&self, count: usize) -> Section<'_> {
        let rows = &self.rows[..count.min(self.rows.len())];
        Section {
            metric: &self.metric,
            base: Count(self.totals.0),
            new: Count(self.totals.1),
            methods: rows.iter().map(Line::new).collect(),
            left_out: self.rows.len() - rows.len(),
        }
    }
}

/// The section of a page.
#[derive(Debug, Serialize)]
pub struct Section<'a> {
    metric: &'a str,
    base: Count,
    new: Count,
    methods: Vec<Line>,
    left_out: usize,
}

/// Costs are before and after.
#[derive(Debug, Serialize)]
struct Line {
    class: String,
    name: String,
    descriptor: String,
    state: &'static str,
    calls: [Option<Count>; 2],
    cost: [Count; 2],
    inclusive: [Count; 2],
}

impl Line {
    fn new(row: &Row) -> Self {
        let Row { method, fate, base, new } = row;
        let both = |of: fn(&Costs) -> u64| [Count(of(base)), Count(of(new))];
        Self {
            class: printable(&method.class).into_owned(),
            name: printable(&method.name).into_owned(),
            descriptor: printable(&method.descriptor).into_owned(),
            state: fate.name(),
            calls: [base.calls.map(Count), new.calls.map(Count)],
            cost: both(|costs| costs.exclusive),
            inclusive: both(|costs| costs.inclusive),
        }
    }
}
