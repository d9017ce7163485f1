//! The copy graph around some objects.

use std::collections::BTreeSet;

use profile::dataflow::TagId;
use rustc_hash::FxHashSet;

use crate::dataflow::copies::graph::{CopyGraph, Edge, Produced};

/// A part of the copy graph.
#[derive(Debug, Default)]
pub struct Neighbourhood {
    /// Its locations, in the order of the graph.
    pub locations: Vec<u32>,
    /// Edges between them, those of most bytes first.
    pub edges: Vec<Edge>,
    /// Edges from producers: of the objects at the centre to anywhere, and of
    /// others to fields of these; those of most bytes first.
    pub produced: Vec<Produced>,
    /// Edges left out because there were too many.
    pub left_out: usize,
}

/// What belongs to a neighbourhood.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// Copies between a location and the objects at the centre.
    pub hops: usize,
    /// Edges at most, those of most bytes.
    pub edges: usize,
}

/// The part of the graph that is at most so many copies away from the fields of
/// the objects of `tags` and from where references to them were stored.
pub fn neighbourhood(graph: &CopyGraph, tags: &[TagId], extent: Extent) -> Neighbourhood {
    let centre: FxHashSet<TagId> = tags.iter().copied().collect();
    let mut near: BTreeSet<u32> = tags.iter().flat_map(|&tag| graph.owned_by(tag)).collect();
    let mut produced: Vec<Produced> = graph
        .produced
        .iter()
        .filter(|p| centre.contains(&p.tag) || near.contains(&p.to))
        .copied()
        .collect();
    near.extend(produced.iter().map(|p| p.to));

    let mut rim: Vec<u32> = near.iter().copied().collect();
    for _ in 0..extent.hops {
        let mut further = Vec::new();
        for &location in &rim {
            let forwards = graph.outgoing(location).iter().map(|&edge| graph.edge(edge).to);
            let backwards = graph.incoming(location).iter().map(|&edge| graph.edge(edge).from);
            further.extend(forwards.chain(backwards).filter(|&next| near.insert(next)));
        }
        rim = further;
    }

    let between = near.iter().flat_map(|&location| graph.outgoing(location));
    let mut edges: Vec<Edge> =
        between.map(|&edge| *graph.edge(edge)).filter(|edge| near.contains(&edge.to)).collect();
    edges.sort_by_key(|edge| std::cmp::Reverse(edge.volume()));
    produced.sort_by_key(|produced| std::cmp::Reverse(produced.volume()));
    let all = edges.len() + produced.len();
    produced.truncate(extent.edges);
    edges.truncate(extent.edges.saturating_sub(produced.len()).max(extent.edges / 2));
    let left_out = all - edges.len() - produced.len();

    let mut shown: BTreeSet<u32> = edges.iter().flat_map(|edge| [edge.from, edge.to]).collect();
    shown.extend(produced.iter().map(|produced| produced.to));
    shown.extend(tags.iter().flat_map(|&tag| graph.owned_by(tag)).take(extent.edges));
    Neighbourhood { locations: shown.into_iter().collect(), edges, produced, left_out }
}
