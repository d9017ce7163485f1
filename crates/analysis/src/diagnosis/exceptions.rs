//! Evidence of a recording of calls: exceptions that are made again and again.

use base::number::counted;
use tree::exceptions::EXCEPTIONS;

use super::evidence::{Evidence, Recording, Sure};
use super::kind::Kind;
use super::program::Program;
use super::region::Sums;
use super::spread::land;

/// Fewer exceptions are no way of control.
const FEWEST: u64 = 100;
/// Bytecodes that are executed for the sake of one exception, at most.
const MOST_FOR_ONE: u64 = 5_000;

/// What a recording of calls says of exceptions, if it knows of them.
pub fn evidence(program: &Program<'_>) -> Vec<Evidence> {
    let tree = program.tree;
    let Some(exceptions) = tree.metrics.iter().find(|metric| metric.name == EXCEPTIONS) else {
        return Vec::new();
    };
    let workers = program.workers();
    let mut of_worker = vec![0u64; tree.len()];
    let mut costs = vec![0u64; tree.len()];
    for (node, &made) in exceptions.values.iter().enumerate() {
        of_worker[workers[node] as usize] += made;
        costs[workers[node] as usize] += tree.cost()[node];
    }
    let waste = tree.cost().iter().enumerate().map(|(node, &cost)| {
        let worker = workers[node] as usize;
        let most = of_worker[worker].saturating_mul(MOST_FOR_ONE) as f64;
        (cost as f64 * (most / costs[worker].max(1) as f64).min(1.0)) as u64
    });
    let sums = Sums::new(&exceptions.values);
    let landed = land(program, waste.collect());
    let evidence = landed.into_iter().filter_map(|one| {
        let made = one.region.sum(&sums);
        let saving = one.landing.cost.min(program.cost(&one.region));
        (made >= FEWEST).then(|| Evidence {
            kind: Kind::Exceptions,
            recording: Recording::Calls,
            method: one.landing.method,
            line: 0,
            node: Some(one.landing.node),
            sentence: format!("{} made below it", counted(made, "exception")),
            hint: Some("test the condition before, so that the ordinary case throws nothing"),
            saving,
            likely: saving / 2,
            region: one.region,
            moved: 0,
            sure: Sure::Bound,
            command: ["summary", "--metric", EXCEPTIONS].map(str::to_owned).into(),
        })
    });
    evidence.collect()
}
