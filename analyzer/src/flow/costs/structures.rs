//! Data structures by their imbalance of costs and benefits, definition 4.5.

use profile::dataflow::{CostGraph, TagId};
use rustc_hash::FxHashSet;

use crate::flow::adjacency::Adjacency;
use crate::flow::costs::fields::{FieldCosts, Fields};

/// Heights of reference trees for which costs and benefits are given.
pub const HEIGHTS: usize = 4;

/// The structures below the objects of one tag.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Structure {
    /// The objects at the top.
    pub tag: TagId,
    /// n-RAC for n from 1 on.
    pub cost: [f64; HEIGHTS],
    /// n-RAB likewise.
    pub benefit: [f64; HEIGHTS],
    /// n-RAC with the part of each field's cost that was for it.
    pub own: [f64; HEIGHTS],
    /// Objects created under the tag.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl Structure {
    /// Cost for each unit of benefit, with `height` levels of objects.
    ///
    /// A node stands for an instruction in all that it is executed for, such as
    /// a helper that everybody calls, or the constructor of a map's entries.
    /// Only the part of the cost that was for these objects counts, or else a
    /// few objects would come before the many that the cost was for.
    pub fn rate(&self, height: usize) -> f64 {
        self.own[height - 1] / (1.0 + self.benefit[height - 1])
    }
}

/// Reference trees over the tags of a graph.
#[derive(Debug)]
pub struct Structures<'a> {
    graph: &'a CostGraph,
    fields: &'a Fields,
    refers_to: Adjacency,
    referred_by: Adjacency,
}

impl<'a> Structures<'a> {
    /// The structures of a graph.
    pub fn new(graph: &'a CostGraph, fields: &'a Fields) -> Self {
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
        Self { graph, fields, refers_to, referred_by }
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

    /// The fields that count for the structure below `tag`, with the depths of
    /// their owners, the most costly first.
    pub fn fields(&self, tag: TagId, height: usize) -> Vec<(FieldCosts, usize)> {
        let members = self.members(tag, height).into_iter();
        let mut fields: Vec<(FieldCosts, usize)> = members
            .flat_map(|(member, depth)| self.fields.of(member).iter().map(move |f| (*f, depth)))
            .collect();
        let key = |(field, depth): &(FieldCosts, usize)| (field.consumed, -field.own, *depth);
        fields.sort_by(|a, b| {
            let ((a_consumed, a_cost, a_depth), (b_consumed, b_cost, b_depth)) = (key(a), key(b));
            a_consumed
                .cmp(&b_consumed)
                .then(a_cost.total_cmp(&b_cost))
                .then(a_depth.cmp(&b_depth))
                .then(a.0.location.cmp(&b.0.location))
        });
        fields
    }

    /// The structure below the objects of `tag`.
    pub fn structure(&self, tag: TagId) -> Structure {
        let made = self.graph.objects.allocations[tag.0 as usize];
        let (objects, bytes) = (made.objects, made.bytes);
        let (mut cost, mut benefit, mut own) = ([0.0; HEIGHTS], [0.0; HEIGHTS], [0.0; HEIGHTS]);
        for (member, depth) in self.members(tag, HEIGHTS) {
            for field in self.fields.of(member).iter().filter(|field| !field.consumed) {
                cost[depth] += field.cost;
                benefit[depth] += field.benefit;
                own[depth] += field.own;
            }
        }
        for height in 1..HEIGHTS {
            cost[height] += cost[height - 1];
            benefit[height] += benefit[height - 1];
            own[height] += own[height - 1];
        }
        Structure { tag, cost, benefit, own, objects, bytes }
    }

    /// All structures that cost something, by their rates at `height`, ties by
    /// cost and by objects created.
    pub fn ranked(&self, height: usize) -> Vec<Structure> {
        let tags = (1..self.graph.objects.tags.len() as u32).map(TagId);
        let mut all: Vec<Structure> = tags.map(|tag| self.structure(tag)).collect();
        all.retain(|structure| structure.cost[height - 1] > 0.0);
        all.sort_by(|a, b| {
            b.rate(height)
                .total_cmp(&a.rate(height))
                .then(b.cost[height - 1].total_cmp(&a.cost[height - 1]))
                .then(b.objects.cmp(&a.objects))
                .then(a.tag.cmp(&b.tag))
        });
        all
    }
}
