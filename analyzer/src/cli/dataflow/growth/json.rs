//! Growth as JSON.

use profile::dataflow::{GrowthPoint, GrowthTotals};
use serde::Serialize;

use super::{Answer, Fitted, IdleLoop};
use crate::cli::dataflow::names::{JsonPlace, owner};

#[derive(Serialize)]
pub struct Document<'a> {
    loops: Vec<JsonLoop<'a>>,
    /// Entries that `--top` has left out.
    more: usize,
    /// Loops that grow quadratically, or nearly so.
    steep: usize,
    /// Loops with an exponent.
    fitted: usize,
    /// Loops with too few sizes for one.
    unfitted: usize,
    /// Loops that go on without effect.
    idle: Vec<JsonIdle<'a>>,
    /// Of these, entries that `--top` has left out.
    more_idle: usize,
    /// Loop instances that ended.
    instances: u64,
    left_out: LeftOut,
}

/// Loop instances that are in no point, and why.
#[derive(Serialize)]
struct LeftOut {
    /// Those of unknown size.
    inexact: u64,
    /// Those without memory.
    unkept: u64,
    /// Those that did not end.
    unfinished: u64,
    /// Loops that were followed for their first accesses only.
    resting: u64,
}

#[derive(Serialize)]
pub struct JsonLoop<'a> {
    #[serde(flatten)]
    place: JsonPlace<'a>,
    /// Whose code it is.
    owner: &'static str,
    /// Whether it is a recursive method, and no loop.
    is_method: bool,
    exponent: f64,
    /// That of the upper half of the range; null if there are too few sizes.
    upper_exponent: Option<f64>,
    r_squared: f64,
    steep: bool,
    sizes: usize,
    least_size: f64,
    greatest_size: f64,
    /// The mean cost at the greatest size.
    cost: f64,
    points: Vec<JsonPoint>,
}

#[derive(Serialize)]
pub struct JsonIdle<'a> {
    #[serde(flatten)]
    place: JsonPlace<'a>,
    /// Whose code it is.
    owner: &'static str,
    /// `no result`, `search` or `could stop early`.
    verdict: &'static str,
    /// Instances with at least ten iterations.
    instances: u64,
    iterations: u64,
    /// Those that have none, in whole instances or behind the last one that has.
    iterations_without_effect: u64,
}

#[derive(Serialize)]
struct JsonPoint {
    /// The mean.
    size: f64,
    instances: u64,
    least_cost: u64,
    mean_cost: f64,
    greatest_cost: u64,
}

/// What is computed from logarithms, of which the last digits mean nothing.
fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

pub fn document<'a>(answer: &Answer<'a>) -> Document<'a> {
    let GrowthTotals { instances, inexact, unkept, unfinished, resting } = answer.totals;
    Document {
        loops: answer.loops.iter().map(|one| json_loop(answer, one)).collect(),
        more: answer.more,
        steep: answer.steep,
        fitted: answer.fitted,
        unfitted: answer.unfitted,
        idle: answer.idle.iter().map(|one| json_idle(answer, one)).collect(),
        more_idle: answer.more_idle,
        instances,
        left_out: LeftOut { inexact, unkept, unfinished, resting },
    }
}

pub fn json_idle<'a>(answer: &Answer<'a>, one: &IdleLoop) -> JsonIdle<'a> {
    JsonIdle {
        place: JsonPlace::new(answer.naming, one.growth.place),
        owner: owner(answer.naming, one.growth.place),
        verdict: one.verdict.text(),
        instances: one.growth.effects.instances,
        iterations: one.growth.effects.iterations,
        iterations_without_effect: one.iterations,
    }
}

pub fn json_loop<'a>(answer: &Answer<'a>, one: &Fitted) -> JsonLoop<'a> {
    let fit = one.fit;
    let point = |point: &GrowthPoint| JsonPoint {
        size: point.size(),
        instances: point.instances,
        least_cost: point.least,
        mean_cost: point.cost(),
        greatest_cost: point.greatest,
    };
    JsonLoop {
        place: JsonPlace::new(answer.naming, one.growth.place),
        owner: owner(answer.naming, one.growth.place),
        is_method: one.growth.is_method,
        exponent: rounded(fit.exponent),
        upper_exponent: fit.upper.map(rounded),
        r_squared: rounded(fit.r_squared),
        steep: fit.is_steep(),
        sizes: fit.sizes,
        least_size: fit.least,
        greatest_size: fit.greatest,
        cost: fit.cost,
        points: one.growth.points.iter().map(point).collect(),
    }
}
