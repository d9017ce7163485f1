//! Evidence of a recording of costs: values that are stored and replaced before anybody has
//! loaded them, such as a table that is cleared again and again.

use base::number::{grouped, percent};
use profile::dataflow::{CostGraph, Effect, Location, Place};
use rustc_hash::FxHashMap;

use super::cost_graphs::CostGraphOf;
use super::evidence::{Evidence, Recording, Sure};
use super::kind::Kind;
use super::program::Program;
use super::spread::land;

/// Of the stores to a place, at least this part is overwritten: a variable that is set again
/// before it was needed once or twice is nothing.
const MOSTLY: f64 = 0.5;
/// Bytecodes around a store, such as those of a loop that clears a table, at most.
const AROUND: f64 = 12.0;

/// Stores of a method, and those of them that nobody has loaded.
#[derive(Debug, Default, Clone, Copy)]
struct Stores {
    all: u64,
    overwritten: f64,
}

/// What a recording of costs says of values that are overwritten.
pub fn evidence(program: &Program<'_>, graphs: &[CostGraphOf<'_>]) -> Vec<Evidence> {
    let mut stores: FxHashMap<u32, Stores> = FxHashMap::default();
    for of in graphs {
        for (place, one) in by_instruction(of.graph) {
            if let Some(number) = of.method(program, of.place(place)) {
                let sum = stores.entry(number).or_default();
                sum.all = sum.all.saturating_add(one.all);
                sum.overwritten += one.overwritten;
            }
        }
    }
    let tree = program.tree;
    let mut own = vec![0u64; tree.methods.len()];
    for (&method, &cost) in tree.method.iter().zip(tree.cost()) {
        own[method as usize] += cost;
    }
    // What goes with each store, as far as the method does little else.
    let part = |method: u32| {
        let Some(one) = stores.get(&method) else { return 0.0 };
        let own = own[method as usize].max(1) as f64;
        let each = (own / one.all.max(1) as f64).min(AROUND);
        (one.overwritten * each / own).min(1.0)
    };
    let parts: Vec<f64> = (0..tree.methods.len() as u32).map(part).collect();
    let waste = tree.method.iter().zip(tree.cost());
    let waste = waste.map(|(&method, &cost)| (cost as f64 * parts[method as usize]) as u64);
    let landed = land(program, waste.collect());
    let evidence = landed.into_iter().map(|one| {
        let cost = program.cost(&one.region);
        let saving = one.landing.cost.min(cost);
        let own = stores.get(&one.landing.method).copied().unwrap_or_default();
        let figures = match own.overwritten as u64 {
            0 => String::new(),
            overwritten => {
                format!(": {} of {} stores of its own", grouped(overwritten), grouped(own.all))
            }
        };
        Evidence {
            kind: Kind::Overwritten,
            recording: Recording::Costs,
            method: one.landing.method,
            line: 0,
            node: Some(one.landing.node),
            sentence: format!(
                "about {} of what it executes stores values that others replace before they are \
                 loaded{figures}",
                percent(saving, cost)
            ),
            hint: Some("store less: clear or fill only what was used, or reuse what is there"),
            saving,
            likely: saving / 2,
            region: one.region,
            moved: 0,
            sure: Sure::Bound,
            command: vec!["costs".to_owned()],
        }
    });
    evidence.collect()
}

/// The stores of each instruction, as far as they are to places that are mostly overwritten.
fn by_instruction(graph: &CostGraph) -> impl Iterator<Item = (Place, Stores)> + '_ {
    let uses: FxHashMap<Location, f64> = graph
        .locations
        .iter()
        .map(|one| (one.location, one.overwritten as f64 / one.writes.max(1) as f64))
        .collect();
    graph.effects.iter().filter_map(move |effect| {
        let Effect::Stores(location) = effect.effect else { return None };
        let part = uses.get(&location).copied().filter(|&part| part >= MOSTLY).unwrap_or(0.0);
        let node = graph.nodes.get(effect.node.0 as usize)?;
        let instruction = graph.instructions.get(node.instruction.0 as usize)?;
        let stores = Stores { all: effect.times, overwritten: effect.times as f64 * part };
        Some((instruction.place, stores))
    })
}
