//! Which objects belong to which, by the references between them, and what part
//! of them.

use profile::dataflow::{CostGraph, Location, TagId};

use crate::dataflow::adjacency::Adjacency;
use crate::dataflow::costs::balance::Balances;

/// Parts smaller than this are not followed.
const LEAST: f64 = 1e-4;

/// For each tag, the tags that its objects refer to, each with the part of its
/// objects that belongs to them. Parts of one tag add up to 1 at most.
#[derive(Debug)]
pub struct Ownership {
    refers_to: Adjacency,
    /// As long as the lists together.
    parts: Vec<f64>,
    /// Of each tag, the part that belongs to no other objects.
    unowned: Vec<f64>,
}

/// Objects of one tag in the structure below others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Member {
    /// The tag.
    pub tag: TagId,
    /// References from the top, at least.
    pub depth: usize,
    /// The part of its objects that belongs there.
    pub part: f64,
}

impl Ownership {
    /// Shares out the objects of each tag among the fields that refer to them.
    ///
    /// How many references of a field lead to which tag is not known; they are
    /// taken to be as many for each as there are objects. An object that nothing
    /// refers to belongs to itself.
    pub fn new(graph: &CostGraph, balances: &Balances) -> Self {
        let objects = |tag: TagId| graph.objects.allocations[tag.0 as usize].objects as f64;
        let known = |tag: TagId| tag != TagId::UNKNOWN;
        let mut references: Vec<(Location, TagId)> = graph
            .references
            .iter()
            .map(|reference| (reference.from, reference.to))
            .filter(|&(from, to)| known(from.tag) && known(to) && from.tag != to)
            .collect();
        references.sort_unstable();
        references.dedup();
        let mut pairs: Vec<(u32, u32, f64)> = Vec::with_capacity(references.len());
        for targets in references.chunk_by(|a, b| a.0 == b.0) {
            let from = targets[0].0;
            let written = balances.of(from.tag).iter().find(|balance| balance.location == from);
            let written = written.map_or(0, |balance| balance.uses.writes) as f64;
            let all: f64 = targets.iter().map(|&(_, to)| objects(to)).sum();
            let part = |to| if all > 0.0 { objects(to) / all } else { 0.0 };
            pairs.extend(targets.iter().map(|&(_, to)| (from.tag.0, to.0, written * part(to))));
        }
        pairs.sort_by_key(|&(from, to, _)| (from, to));
        pairs.dedup_by(|next, kept| {
            let is_same = (next.0, next.1) == (kept.0, kept.1);
            if is_same {
                kept.2 += next.2;
            }
            is_same
        });
        let tags = graph.objects.tags.len();
        let mut all = vec![0.0; tags];
        for &(_, to, times) in &pairs {
            all[to as usize] += times;
        }
        let whole = |to: u32| f64::max(all[to as usize], objects(TagId(to)));
        let part = |times: f64, to| if times > 0.0 { times / whole(to) } else { 0.0 };
        Self {
            refers_to: Adjacency::new(tags, pairs.iter().map(|&(from, to, _)| (from, to))),
            parts: pairs.iter().map(|&(_, to, times)| part(times, to)).collect(),
            unowned: (0..tags as u32).map(|to| 1.0 - part(all[to as usize], to)).collect(),
        }
    }

    /// The part of the objects of a tag that belongs to no others.
    pub fn unowned(&self, tag: TagId) -> f64 {
        self.unowned[tag.0 as usize]
    }

    /// The tags within `height` levels of objects below those of a tag, itself
    /// first: each at its least depth.
    pub fn members(&self, tag: TagId, height: usize, seen: &mut [bool]) -> Vec<Member> {
        let mut members = vec![Member { tag, depth: 0, part: 1.0 }];
        seen[tag.0 as usize] = true;
        let mut level = 0..1;
        for depth in 1..height {
            let mut next: Vec<(u32, f64)> = Vec::new();
            for owner in &members[level.clone()] {
                let range = self.refers_to.range(owner.tag.0);
                let targets = self.refers_to.of(owner.tag.0).iter().zip(&self.parts[range]);
                let parts = targets.map(|(&to, &part)| (to, part * owner.part));
                next.extend(parts.filter(|&(to, part)| part >= LEAST && !seen[to as usize]));
            }
            next.sort_by_key(|&(to, _)| to);
            level = members.len()..members.len();
            for same in next.chunk_by(|a, b| a.0 == b.0) {
                let part = same.iter().map(|&(_, part)| part).sum::<f64>().min(1.0);
                seen[same[0].0 as usize] = true;
                members.push(Member { tag: TagId(same[0].0), depth, part });
                level.end += 1;
            }
        }
        members.iter().for_each(|member| seen[member.tag.0 as usize] = false);
        members
    }
}
