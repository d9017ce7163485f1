//! The JSON of `subsume methods`. Programs read it: fields are only added.

use std::io::Write;

use serde::Serialize;
use tree::Tree;
use tree::error::Result;
use tree::time::precision::error;
use tree::views::callers::Level;

use super::{Answer, Row};
use crate::cli::json::{self, Name, share};
use crate::cli::time::TimeOfRun;

#[derive(Serialize)]
struct Document<'a> {
    metric: &'a str,
    total: u64,
    thresholds: Thresholds,
    all: Counts,
    subsuming: Subsuming,
    top20: Top,
    /// Only where there are samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<TimeOfRun<'a>>,
    methods: Vec<Method<'a>>,
}

#[derive(Serialize)]
struct Thresholds {
    height: u32,
    distance: u32,
}

#[derive(Serialize)]
struct Counts {
    methods: u64,
    contexts: u64,
}

#[derive(Serialize)]
struct Subsuming {
    methods: u64,
    contexts: u64,
    /// Shares of all methods and of all contexts, between 0 and 1.
    method_ratio: f64,
    context_ratio: f64,
}

#[derive(Serialize)]
struct Top {
    exclusive: usize,
    inclusive: usize,
    new: usize,
}

/// Samples of a method.
#[derive(Serialize)]
struct MethodTime {
    induced: u64,
    inclusive: u64,
    /// By how much the shares may be off (95 %).
    induced_error: f64,
    inclusive_error: f64,
}

#[derive(Serialize)]
struct Method<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    height: u32,
    /// Null for a method that only roots call.
    distance: Option<u32>,
    dominator: Option<Name<'a>>,
    induced: u64,
    inclusive: u64,
    exclusive: u64,
    /// Null if the profiles have not counted calls.
    calls: Option<u64>,
    contexts: u64,
    subsuming: bool,
    /// Only with `--time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<MethodTime>,
    /// Only with `--callers`: those of the method, then of the one followed.
    #[serde(skip_serializing_if = "Option::is_none")]
    callers: Option<Vec<Vec<CallerShare<'a>>>>,
}

#[derive(Serialize)]
struct CallerShare<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    cost: u64,
    calls: Option<u64>,
    /// Shares among the callers of the same method, between 0 and 1.
    cost_share: f64,
    calls_share: Option<f64>,
    /// The next list holds its callers.
    followed: bool,
}

/// Prints the answer as one JSON object.
///
/// # Errors
/// If `out` fails.
pub fn print(answer: &Answer<'_>, out: &mut (impl Write + ?Sized)) -> Result<()> {
    let tree = answer.tree;
    let summary = &answer.summary;
    let samples = answer.time.as_ref().map(|time| time.total);
    let document = Document {
        metric: tree.metric(),
        total: tree.total(),
        thresholds: Thresholds {
            height: answer.thresholds.height,
            distance: answer.thresholds.distance,
        },
        all: Counts { methods: summary.methods, contexts: summary.contexts },
        subsuming: Subsuming {
            methods: summary.subsuming_methods,
            contexts: summary.subsuming_contexts,
            method_ratio: share(summary.subsuming_methods, summary.methods),
            context_ratio: share(summary.subsuming_contexts, summary.contexts),
        },
        top20: Top {
            exclusive: summary.top.exclusive,
            inclusive: summary.top.inclusive,
            new: summary.top.new,
        },
        time: samples.and(tree.sampling.as_ref()).map(TimeOfRun::of),
        methods: answer.rows.iter().map(|row| method(tree, row, samples)).collect(),
    };
    json::print(&document, out)
}

fn method<'a>(tree: &'a Tree, row: &Row, samples: Option<u64>) -> Method<'a> {
    let dominated = row.characteristics.dominated;
    Method {
        name: Name::of(tree, row.method),
        height: row.characteristics.height,
        distance: dominated.map(|d| d.distance),
        dominator: dominated.map(|d| Name::of(tree, d.by)),
        induced: row.induced,
        inclusive: row.costs.inclusive,
        exclusive: row.costs.exclusive,
        calls: row.costs.calls,
        contexts: row.costs.contexts,
        subsuming: row.subsumes,
        time: row.time.as_ref().zip(samples).map(|(time, all)| MethodTime {
            induced: time.induced,
            inclusive: time.inclusive,
            induced_error: error(time.induced, all),
            inclusive_error: error(time.inclusive, all),
        }),
        callers: row
            .callers
            .as_ref()
            .map(|levels| levels.iter().map(|level| level_shares(tree, level)).collect()),
    }
}

fn level_shares<'a>(tree: &'a Tree, level: &Level) -> Vec<CallerShare<'a>> {
    let (cost, calls) = (level.cost(), level.calls());
    let shares = level.callers.iter().enumerate().map(|(at, caller)| CallerShare {
        name: Name::of(tree, caller.method),
        cost: caller.cost,
        calls: caller.calls,
        cost_share: share(caller.cost, cost),
        calls_share: caller.calls.zip(calls).map(|(part, whole)| share(part, whole)),
        followed: level.followed == Some(at),
    });
    shares.collect()
}
