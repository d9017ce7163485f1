//! Evidence of a recording of costs: values that are computed and reach nobody.

use base::number::percent;
use profile::dataflow::Place;
use rustc_hash::FxHashMap;

use super::cost_graphs::CostGraphOf;
use super::evidence::{Evidence, Recording, Sure};
use super::kind::Kind;
use super::program::Program;
use super::spread::{above_usual, land};
use crate::dataflow::costs::dead::{by_place, dead};
use crate::dataflow::costs::graph::Dependences;

/// What a recording of costs says of values that nobody needs. Shares of methods are exact, and
/// taken for those of all their contexts.
pub fn evidence(program: &Program<'_>, graphs: &[CostGraphOf<'_>]) -> Vec<Evidence> {
    let mut parts: FxHashMap<u32, f64> = FxHashMap::default();
    for of in graphs {
        let found = dead(&Dependences::new(of.graph));
        let of_method = |place: Place| Place { bci: 0, line: 0, ..of.place(place) };
        for one in by_place(&[(of.graph, &found)], of_method) {
            if let Some(number) = of.method(program, one.place) {
                parts.insert(number, one.dead as f64 / one.instances.max(1) as f64);
            }
        }
    }
    let tree = program.tree;
    let waste = tree.method.iter().zip(tree.cost()).map(|(method, &cost)| {
        (cost as f64 * parts.get(method).copied().unwrap_or_default()) as u64
    });
    let waste: Vec<u64> = waste.collect();
    // Some of what any code computes is not used.
    let usual = waste.iter().sum::<u64>() as f64 / tree.total().max(1) as f64;
    let landed = land(program, waste);
    let evidence = landed.into_iter().map(|one| {
        let cost = program.cost(&one.region);
        let saving = one.landing.cost.min(cost);
        Evidence {
            kind: Kind::Unused,
            recording: Recording::Costs,
            method: one.landing.method,
            line: 0,
            node: Some(one.landing.node),
            sentence: format!(
                "{} of what it executes makes values that are not stored, compared or passed to natives \
                 (those that only say where, such as indices, are among them)",
                percent(saving, cost)
            ),
            hint: Some("compute them where they are needed, or not at all"),
            saving,
            // Values that only say where something is are used, too.
            likely: (saving as f64 / 2.0 * above_usual(saving as f64 / cost.max(1) as f64, usual))
                as u64,
            region: one.region,
            moved: 0,
            sure: Sure::Bound,
            command: vec!["dead".to_owned()],
        }
    });
    evidence.collect()
}
