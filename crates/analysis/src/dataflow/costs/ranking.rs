//! The places whose data structures took most of a run without bringing as much.
//!
//! Structures overlap: a list, its array, and whatever refers to the list have
//! the same elements. Here each part of the excess counts for one place: the one
//! whose structures have the most of it and little else.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use profile::dataflow::{CostGraph, FieldId, LocationUse, SiteId, TagId};
use rustc_hash::FxHashMap;

use crate::dataflow::adjacency::Adjacency;
use crate::dataflow::costs::balance::Balances;
use crate::dataflow::costs::ownership::{Member, Ownership};

/// A place is left out if less than this part of its excess is not that of places
/// ranked already.
const OWN: f64 = 0.5;

/// The structures below the objects of one site, in all contexts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranked {
    /// Where the objects at the top are made.
    pub site: SiteId,
    /// Instruction instances of the cost that the benefit does not make up for.
    /// Those of different entries can be added up.
    pub excess: f64,
    /// Instances that it took to make the values of the structures.
    pub cost: f64,
    /// Instances that made something of these values.
    pub benefit: f64,
    /// The context with most excess.
    pub worst: TagId,
    /// In how many contexts the site made objects.
    pub contexts: usize,
    /// Objects created.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// A field of a ranked structure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedField {
    /// Where the objects are made that have it.
    pub site: SiteId,
    /// The field.
    pub field: FieldId,
    /// References from the top of the structure to these objects, at least.
    pub depth: usize,
    /// The part of its excess that belongs to the structure.
    pub excess: f64,
    /// The part of its cost that belongs to the structure.
    pub cost: f64,
    /// The part of its benefit that belongs to the structure.
    pub benefit: f64,
    /// How many values were consumed, in all structures.
    pub consumed: f64,
    /// How often it was used, in all structures.
    pub uses: LocationUse,
}

/// What the objects of a tag themselves cost and bring.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    excess: f64,
    cost: f64,
    benefit: f64,
}

impl Sums {
    fn add(&mut self, other: Self, part: f64) {
        self.excess += part * other.excess;
        self.cost += part * other.cost;
        self.benefit += part * other.benefit;
    }

    /// Balance counts for more where there is little else.
    fn score(&self) -> f64 {
        if self.cost > 0.0 { self.excess * self.excess / self.cost } else { 0.0 }
    }
}

/// What is ranked.
#[derive(Debug)]
pub struct Ranking<'a> {
    graph: &'a CostGraph,
    balances: &'a Balances,
    ownership: Ownership,
    height: usize,
    /// The tags of each site.
    tags: Adjacency,
    /// By tag.
    sums: Vec<Sums>,
}

impl<'a> Ranking<'a> {
    /// The structures of a graph, with objects on `height` levels.
    pub fn new(graph: &'a CostGraph, balances: &'a Balances, height: usize) -> Self {
        let tags = graph.objects.tags.len();
        let mut sums = vec![Sums::default(); tags];
        for balance in &balances.locations {
            let of = Sums { excess: balance.excess, cost: balance.cost, benefit: balance.benefit };
            sums[balance.location.tag.0 as usize].add(of, 1.0);
        }
        let by_site = (1..).zip(&graph.objects.tags[1..]).map(|(number, tag)| (tag.site.0, number));
        Self {
            graph,
            balances,
            ownership: Ownership::new(graph, balances),
            height,
            tags: Adjacency::new(graph.objects.sites.len(), by_site),
            sums,
        }
    }

    /// An array is a part of the objects that refer to it. It stands for itself
    /// as far as there are none.
    fn part_of_itself(&self, tag: TagId) -> f64 {
        let is_array = self.graph.objects.site(tag).class.ends_with("[]");
        if is_array { self.ownership.unowned(tag) } else { 1.0 }
    }

    /// What belongs to the structures of a site, sorted by tag: each tag once.
    fn members(&self, site: SiteId, seen: &mut [bool]) -> Vec<Member> {
        let mut members = Vec::new();
        for &tag in self.tags.of(site.0) {
            let own = self.part_of_itself(TagId(tag));
            let below = self.ownership.members(TagId(tag), self.height, seen).into_iter();
            members.extend(below.map(|member| Member { part: own * member.part, ..member }));
        }
        members.sort_by_key(|member| member.tag);
        members.dedup_by(|next, kept| {
            let is_same = next.tag == kept.tag;
            if is_same {
                kept.part = (kept.part + next.part).min(1.0);
                kept.depth = kept.depth.min(next.depth);
            }
            is_same
        });
        members
    }

    fn sum(&self, members: &[Member], left: &[f64]) -> Sums {
        let mut sum = Sums::default();
        for member in members {
            let at = member.tag.0 as usize;
            sum.add(self.sums[at], member.part.min(left[at]));
        }
        sum
    }

    /// The excess of the objects of some sites themselves.
    pub fn own_excess(&self, sites: &[SiteId]) -> f64 {
        let tags = sites.iter().flat_map(|site| self.tags.of(site.0));
        tags.fold(0.0, |sum, &tag| sum + self.sums[tag as usize].excess)
    }

    /// The places among `sites` whose structures cost something, those with most
    /// excess first.
    pub fn ranked(&self, sites: impl Iterator<Item = SiteId>) -> Vec<Ranked> {
        let mut seen = vec![false; self.sums.len()];
        // The part of each tag that does not belong to a place ranked already.
        let mut left = vec![1.0; self.sums.len()];
        let mut waiting: BinaryHeap<Candidate> = BinaryHeap::new();
        let mut ranked = Vec::new();
        for site in sites {
            let sum = self.sum(&self.members(site, &mut seen), &left);
            if sum.excess > 0.0 {
                waiting.push(Candidate { score: sum.score(), site, all: sum.excess });
            } else if sum.cost > 0.0 {
                ranked.push(self.entry(site, sum, &mut seen));
            }
        }
        while let Some(candidate) = waiting.pop() {
            let members = self.members(candidate.site, &mut seen);
            let sum = self.sum(&members, &left);
            // What others have taken makes it less, unless that was no excess.
            if sum.excess < OWN * candidate.all {
                continue;
            }
            let now = Candidate { score: sum.score(), ..candidate };
            if now < candidate && waiting.peek().is_some_and(|next| *next > now) {
                waiting.push(now);
                continue;
            }
            for member in &members {
                let left = &mut left[member.tag.0 as usize];
                *left = (*left - member.part).max(0.0);
            }
            ranked.push(self.entry(candidate.site, sum, &mut seen));
        }
        ranked.sort_by(|a, b| {
            let by_excess = b.excess.total_cmp(&a.excess);
            by_excess.then(b.cost.total_cmp(&a.cost)).then(a.site.cmp(&b.site))
        });
        ranked
    }

    fn entry(&self, site: SiteId, sum: Sums, seen: &mut [bool]) -> Ranked {
        let (mut worst, mut most) = (TagId::UNKNOWN, -1.0);
        let (mut objects, mut bytes) = (0u64, 0u64);
        for &tag in self.tags.of(site.0) {
            let made = self.graph.objects.allocations[tag as usize];
            objects = objects.saturating_add(made.objects);
            bytes = bytes.saturating_add(made.bytes);
            let below = self.ownership.members(TagId(tag), self.height, seen);
            let excess: f64 =
                below.iter().map(|m| m.part * self.sums[m.tag.0 as usize].excess).sum();
            if excess > most {
                (worst, most) = (TagId(tag), excess);
            }
        }
        let contexts = self.tags.of(site.0).len();
        let Sums { excess, cost, benefit } = sum;
        Ranked { site, excess, cost, benefit, worst, contexts, objects, bytes }
    }

    /// The fields of the structures of a site that were stored to, those with
    /// most excess first.
    pub fn fields(&self, site: SiteId) -> Vec<RankedField> {
        let mut seen = vec![false; self.sums.len()];
        let mut fields: FxHashMap<(SiteId, FieldId), RankedField> = FxHashMap::default();
        for Member { tag, depth, part } in self.members(site, &mut seen) {
            let owner = self.graph.objects.tags[tag.0 as usize].site;
            for balance in self.balances.of(tag) {
                let field = balance.location.field;
                let known = fields.entry((owner, field)).or_insert(RankedField {
                    site: owner,
                    field,
                    depth,
                    excess: 0.0,
                    cost: 0.0,
                    benefit: 0.0,
                    consumed: 0.0,
                    uses: LocationUse { location: balance.location, ..LocationUse::default() },
                });
                known.depth = known.depth.min(depth);
                known.excess += part * balance.excess;
                known.cost += part * balance.cost;
                known.benefit += part * balance.benefit;
                known.consumed += balance.consumed;
                known.uses.reads = known.uses.reads.saturating_add(balance.uses.reads);
                known.uses.writes = known.uses.writes.saturating_add(balance.uses.writes);
                let overwritten = balance.uses.overwritten;
                known.uses.overwritten = known.uses.overwritten.saturating_add(overwritten);
            }
        }
        let mut fields: Vec<RankedField> = fields.into_values().collect();
        fields.sort_by(|a, b| {
            let by_excess = b.excess.total_cmp(&a.excess).then(b.cost.total_cmp(&a.cost));
            by_excess.then((a.depth, a.site, a.field).cmp(&(b.depth, b.site, b.field)))
        });
        fields
    }
}

/// A site that waits for its place.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    score: f64,
    site: SiteId,
    /// Its excess before others took their parts.
    all: f64,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(Reverse(self.site).cmp(&Reverse(other.site)))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}
