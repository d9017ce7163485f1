//! Data structures by their imbalance of costs and benefits, definition 4.5.

use profile::dataflow::{CostGraph, TagId};
use rustc_hash::FxHashSet;

use crate::dataflow::adjacency::Adjacency;
use crate::dataflow::costs::fields::Fields;

/// Heights of reference trees for which costs and benefits are given.
pub const HEIGHTS: usize = 4;

/// The structures below the objects of one tag.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Structure {
    /// The objects at the top.
    pub tag: TagId,
    /// n-RAC for n from 1 on.
    pub cost: [f64; HEIGHTS],
    /// n-RAB for n from 1 on.
    pub benefit: [f64; HEIGHTS],
}

impl Structure {
    /// The paper's rate of cost and benefit, with `height` levels of objects. It
    /// counts what instructions did for all objects, and so says nothing of how
    /// much these did: [`Ranking`](super::ranking::Ranking) does.
    pub fn rate(&self, height: usize) -> f64 {
        self.cost[height - 1] / (1.0 + self.benefit[height - 1])
    }
}

/// Reference trees over the tags of a graph.
#[derive(Debug)]
pub struct Structures<'a> {
    fields: &'a Fields,
    refers_to: Adjacency,
    referred_by: Adjacency,
}

impl<'a> Structures<'a> {
    /// The structures of a graph.
    pub fn new(graph: &CostGraph, fields: &'a Fields) -> Self {
        let known = graph.references.iter().map(|reference| (reference.from.tag, reference.to));
        let mut pairs: Vec<(u32, u32)> = known
            .filter(|&(from, to)| from != TagId::UNKNOWN && to != TagId::UNKNOWN)
            .map(|(from, to)| (from.0, to.0))
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        let tags = graph.objects.tags.len();
        let refers_to = Adjacency::new(tags, pairs.iter().copied());
        let referred_by = Adjacency::new(tags, pairs.iter().map(|&(from, to)| (to, from)));
        Self { fields, refers_to, referred_by }
    }

    /// The tags of the reference tree below `tag` whose fields count for
    /// `height` levels, with their depths: each at its least.
    pub fn members(&self, tag: TagId, height: usize) -> Vec<(TagId, usize)> {
        let mut known = FxHashSet::from_iter([tag.0]);
        let mut members = vec![(tag, 0)];
        let mut at = 0;
        while let Some(&(member, depth)) = members.get(at) {
            at += 1;
            if depth + 1 >= height {
                continue;
            }
            for &to in self.refers_to.of(member.0) {
                if known.insert(to) {
                    members.push((TagId(to), depth + 1));
                }
            }
        }
        members
    }

    /// The tags of the objects that refer to objects of `tag`.
    pub fn owners(&self, tag: TagId) -> &[u32] {
        self.referred_by.of(tag.0)
    }

    /// The structure below the objects of `tag`.
    pub fn structure(&self, tag: TagId) -> Structure {
        let (mut cost, mut benefit) = ([0.0; HEIGHTS], [0.0; HEIGHTS]);
        for (member, depth) in self.members(tag, HEIGHTS) {
            for field in self.fields.of(member).iter().filter(|field| !field.consumed) {
                cost[depth] += field.cost;
                benefit[depth] += field.benefit;
            }
        }
        for height in 1..HEIGHTS {
            cost[height] += cost[height - 1];
            benefit[height] += benefit[height - 1];
        }
        Structure { tag, cost, benefit }
    }
}
