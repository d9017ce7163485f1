//! Values that nobody needs: section 4.3.1 of the paper.

use profile::dataflow::{CostGraph, Effect, Place, SiteId, TagId};
use rustc_hash::FxHashMap;

use crate::dataflow::costs::graph::Dependences;

/// How much of a run was spent on values that nobody needs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Dead {
    /// Instruction instances: all frequencies together.
    pub instances: u64,
    /// Those of nodes that reach no consumer.
    pub dead: u64,
    /// Those of nodes that reach consumers, all of them predicates; the
    /// predicates themselves are among them.
    pub only_predicates: u64,
    /// Nodes.
    pub nodes: usize,
    /// Nodes that reach no consumer.
    pub dead_nodes: usize,
    /// Which nodes these are.
    pub is_dead: Vec<bool>,
}

/// Finds the nodes that reach no consumer, and those that only reach predicates.
pub fn dead(graph: &Dependences) -> Dead {
    let mut to_native = graph.native.clone();
    graph.sources.spread(&mut to_native);
    let mut to_predicate = graph.predicate.clone();
    graph.sources.spread(&mut to_predicate);

    let mut dead = Dead {
        instances: graph.instances(),
        nodes: graph.len(),
        is_dead: vec![false; graph.len()],
        ..Dead::default()
    };
    for (node, &frequency) in graph.frequency.iter().enumerate() {
        match (to_native[node], to_predicate[node]) {
            (true, _) => {}
            (false, true) => dead.only_predicates = dead.only_predicates.saturating_add(frequency),
            (false, false) => {
                dead.dead = dead.dead.saturating_add(frequency);
                dead.dead_nodes += 1;
                dead.is_dead[node] = true;
            }
        }
    }
    dead
}

/// Dead values made at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeadPlace {
    /// The instruction, or any of its method or line, as they were grouped.
    pub place: Place,
    /// Instances of dead nodes.
    pub dead: u64,
    /// Instances of all nodes.
    pub instances: u64,
}

/// Dead values of some runs by place, most first; `group` tells which places are
/// one.
pub fn by_place(runs: &[(&CostGraph, &Dead)], group: impl Fn(Place) -> Place) -> Vec<DeadPlace> {
    let mut sums: FxHashMap<Place, DeadPlace> = FxHashMap::default();
    for (graph, dead) in runs {
        for (info, is_dead) in graph.nodes.iter().zip(&dead.is_dead) {
            let place = group(graph.instructions[info.instruction.0 as usize].place);
            let empty = DeadPlace { place, dead: 0, instances: 0 };
            let sum = sums.entry(place).or_insert(empty);
            sum.instances = sum.instances.saturating_add(info.frequency);
            if *is_dead {
                sum.dead = sum.dead.saturating_add(info.frequency);
            }
        }
    }
    let mut places: Vec<DeadPlace> = sums.into_values().filter(|place| place.dead > 0).collect();
    places.sort_by(|a, b| b.dead.cmp(&a.dead).then(a.place.cmp(&b.place)));
    places
}

/// Dead values by the sites of the objects that they were stored in. A node that
/// stores in objects of several sites counts for each of them, so the numbers
/// are upper bounds.
pub fn by_site(graph: &CostGraph, dead: &Dead) -> Vec<(SiteId, u64)> {
    let mut pairs: Vec<(SiteId, u32)> = Vec::new();
    for effect in &graph.effects {
        if let Effect::Stores(location) = effect.effect
            && location.tag != TagId::UNKNOWN
            && dead.is_dead[effect.node.0 as usize]
        {
            pairs.push((graph.objects.tags[location.tag.0 as usize].site, effect.node.0));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut sums: Vec<(SiteId, u64)> = Vec::new();
    for (site, node) in pairs {
        let frequency = graph.nodes[node as usize].frequency;
        match sums.last_mut() {
            Some((last, sum)) if *last == site => *sum = sum.saturating_add(frequency),
            _ => sums.push((site, frequency)),
        }
    }
    sums.retain(|&(_, sum)| sum > 0);
    sums.sort_by_key(|&(site, sum)| (std::cmp::Reverse(sum), site));
    sums
}
