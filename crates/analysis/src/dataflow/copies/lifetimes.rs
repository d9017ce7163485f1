//! Objects that die soon: never stored in a field or an array, or only in objects that die
//! soon themselves. The buffer of a builder that nobody keeps is one, the sink of a stream, and
//! the node of a list that is dropped.
//!
//! Shares of the objects of each tag are estimated: of the references that were stored in a
//! location, it is known how many they were and how many left it again, and not which.

use profile::dataflow::{CopyProfile, TagId};

use crate::dataflow::copies::graph::CopyGraph;

/// Objects that one holder has in one of its locations: what holds more is not a few objects
/// that go together, and may live as long as the work goes on that is done with it.
const HELD: f64 = 16.0;
/// How often shares are computed from those of the holders: as far as objects may be stored in
/// objects that are stored in others.
const ROUNDS: usize = 12;

/// By tag: the share of its objects that die soon, from 0 to 1. At least that of objects that
/// are never stored.
pub fn dying(copies: &CopyProfile, graph: &CopyGraph) -> Vec<f64> {
    let objects = &copies.objects;
    let made = |tag: TagId| objects.allocations.get(tag.0 as usize).map_or(0, |made| made.objects);
    let tags = (0..objects.tags.len() as u32).map(TagId);
    let assigned: Vec<u64> = tags.clone().map(|tag| copies.assigned(tag).objects).collect();
    let never_stored: Vec<f64> = tags
        .map(|tag| match made(tag) {
            0 => 0.0,
            made => 1.0 - assigned[tag.0 as usize] as f64 / made as f64,
        })
        .collect();
    let arrived = arrived(graph);
    // How much of what arrives at a location goes no further than its holder lets it.
    let holds: Vec<f64> = (graph.locations.iter().zip(&arrived))
        .map(|(location, &arrived)| {
            let holders = made(location.tag) as f64;
            if location.tag == TagId::UNKNOWN { 0.0 } else { (HELD * holders / arrived).min(1.0) }
        })
        .collect();
    // From above: objects that refer to each other, and that nothing else refers to, die together.
    let mut share = vec![1.0; never_stored.len()];
    let mut stays = vec![0.0; graph.locations.len()];
    for _ in 0..ROUNDS {
        for (at, location) in graph.locations.iter().enumerate() {
            stays[at] = holds[at] * share[location.tag.0 as usize];
        }
        let escapes = escapes(graph, &stays);
        for (at, stays) in stays.iter_mut().enumerate() {
            *stays *= 1.0 - (escapes[at] / arrived[at]).min(1.0);
        }
        for tag in 0..share.len() {
            let stored = assigned[tag] as f64;
            let kept = kept(graph, TagId(tag as u32), &stays).min(stored);
            share[tag] =
                never_stored[tag] + (1.0 - never_stored[tag]) * (1.0 - kept / stored.max(1.0));
        }
    }
    share
}

/// By location: references that were stored there, at least one.
fn arrived(graph: &CopyGraph) -> Vec<f64> {
    let mut arrived = vec![0.0f64; graph.locations.len()];
    for produced in &graph.produced {
        arrived[produced.to as usize] += produced.count as f64;
    }
    for edge in &graph.edges {
        arrived[edge.to as usize] += edge.count as f64;
    }
    arrived.into_iter().map(|count| count.max(1.0)).collect()
}

/// By location: references that were copied from there to where they do not die soon.
fn escapes(graph: &CopyGraph, stays: &[f64]) -> Vec<f64> {
    let mut escapes = vec![0.0; graph.locations.len()];
    for (number, edge) in (0..).zip(&graph.edges) {
        if !graph.is_replaced(number) {
            escapes[edge.from as usize] += edge.count as f64 * (1.0 - stays[edge.to as usize]);
        }
    }
    escapes
}

/// References to new objects of a tag that were stored where they do not die soon: as many of
/// them are kept at most.
fn kept(graph: &CopyGraph, tag: TagId, stays: &[f64]) -> f64 {
    let produced = graph.produced_by(tag).iter();
    produced.map(|one| one.count as f64 * (1.0 - stays[one.to as usize])).sum()
}
