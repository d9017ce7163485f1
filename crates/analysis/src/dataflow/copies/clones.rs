//! The clone detector, section 3.5.2 of the paper.
//!
//! A pair of objects is a clone pair if much is copied from what the first one
//! reaches to what the second one reaches. Pairs are found from the copies
//! upwards: from the two objects that values were copied between to their
//! owners on both sides, level by level; where one side has no owner, only the
//! other one goes up.
//!
//! In real programs most large structures reach the same objects. Copies from or
//! to what both of a pair reach do not tell that one is a clone of the other, so
//! pairs are ranked and brought together by the copies between the parts that
//! each has for itself.

use std::cmp::Reverse;
use std::hash::BuildHasher;

use profile::dataflow::TagId;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::dataflow::copies::graph::CopyGraph;
use crate::dataflow::copies::owners::Owners;

/// References between the top of a structure and what counts as part of it.
pub const DEPTH: usize = 3;
/// Copies between two tags from which pairs are looked for, the largest ones.
const SEEDS: usize = 500;
/// Pairs looked at above one of them.
const PAIRS_ABOVE: usize = 16;
/// Owners of a tag looked at, those with the most references.
const OWNERS: usize = 8;
/// Copies kept to explain a pair, the largest ones.
const FLOWS: usize = 100;

/// The clones found.
#[derive(Debug, Default)]
pub struct Clones {
    /// By volume, the largest first.
    pub clones: Vec<Clone>,
    /// What was not looked at, because there was too much of it.
    pub cut: Cut,
}

/// What was not looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cut {
    /// Pairs of tags with copies between them from which no search began.
    pub flows: usize,
    /// The most bytes of one of these.
    pub largest_flow: u64,
    /// Searches for owners that found too many.
    pub searches: usize,
}

/// Pairs of structures explained by the same copies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clone {
    /// The pairs, outermost first.
    pub pairs: Vec<Pair>,
    /// The copies that explain each of them, those of most bytes first; at most
    /// 100. They go from what only the first one reaches to what only the second
    /// one reaches, or directly from one to the other.
    pub flows: Vec<Flow>,
    /// How many there are.
    pub all_flows: usize,
    /// Bytes of all these copies.
    pub volume: u64,
    /// Pairs that [`distinct`] left out in favour of these.
    pub similar: usize,
}

/// Two structures, one of which may be a clone of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// Top of the structure copied from.
    pub from: TagId,
    /// Top of the structure copied to.
    pub to: TagId,
    /// Bytes of all copies from anything that the first one reaches to anything
    /// that the second one reaches: the paper's volume.
    pub reached: u64,
}

/// Copies between the fields of two tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Flow {
    /// Bytes copied.
    pub volume: u64,
    /// Owner of the locations copied from.
    pub from: TagId,
    /// Owner of the locations copied to.
    pub to: TagId,
}

/// Finds the clone pairs of a graph.
pub fn clones(graph: &CopyGraph) -> Clones {
    let flows = Flows::new(graph);
    let mut owners = Owners::new(graph);
    // Each pair with the level at which it was found last.
    let mut pairs: FxHashMap<(TagId, TagId), usize> = FxHashMap::default();
    let mut cut = Cut::default();
    for (at, flow) in flows.largest_first.iter().enumerate() {
        if at == SEEDS {
            cut.flows = flows.largest_first.len() - at;
            cut.largest_flow = flow.volume;
            break;
        }
        if go_up(&mut owners, (flow.from, flow.to), &mut pairs) {
            cut.searches += 1;
        }
    }

    let mut pairs: Vec<((TagId, TagId), usize)> = pairs.into_iter().collect();
    // Outermost first, so that entries have their pairs in that order.
    pairs.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    // Lists of flows may be long, so they are known by a hash, besides their
    // volume and length.
    let mut by_flows: FxHashMap<(u64, u64, usize), usize> = FxHashMap::default();
    let mut clones: Vec<Clone> = Vec::new();
    for (pair, _) in pairs {
        let between = flows.between(&mut owners, pair);
        let mut flows = between.own;
        if flows.is_empty() {
            continue;
        }
        let volume = flows.iter().fold(0u64, |sum, flow| sum.saturating_add(flow.volume));
        let all_flows = flows.len();
        let key = (FxBuildHasher.hash_one(&flows), volume, all_flows);
        let entry = *by_flows.entry(key).or_insert_with(|| {
            flows.truncate(FLOWS);
            flows.shrink_to_fit();
            clones.push(Clone { pairs: Vec::new(), flows, all_flows, volume, similar: 0 });
            clones.len() - 1
        });
        let (from, to) = pair;
        clones[entry].pairs.push(Pair { from, to, reached: between.reached });
    }
    clones.sort_by(|a, b| b.volume.cmp(&a.volume).then_with(|| a.pairs.cmp(&b.pairs)));
    cut.searches += owners.cut;
    Clones { clones, cut }
}

/// Leaves out entries half or more of whose copies explain an earlier one: where
/// many structures use the same parts, one copy explains many pairs.
pub fn distinct(clones: Vec<Clone>) -> Vec<Clone> {
    let mut kept: Vec<Clone> = Vec::new();
    // The first entry that each flow explains.
    let mut explains: FxHashMap<(TagId, TagId), usize> = FxHashMap::default();
    for clone in clones {
        let mut shared: FxHashMap<usize, u64> = FxHashMap::default();
        for flow in &clone.flows {
            if let Some(&earlier) = explains.get(&(flow.from, flow.to)) {
                let sum = shared.entry(earlier).or_default();
                *sum = sum.saturating_add(flow.volume);
            }
        }
        let most = shared.into_iter().max_by_key(|&(earlier, bytes)| (bytes, Reverse(earlier)));
        match most.filter(|&(_, bytes)| bytes >= clone.volume.div_ceil(2)) {
            Some((earlier, _)) => kept[earlier].similar += clone.pairs.len() + clone.similar,
            None => {
                for flow in &clone.flows {
                    explains.entry((flow.from, flow.to)).or_insert(kept.len());
                }
                kept.push(clone);
            }
        }
    }
    kept
}

/// Notes the pair and those above it; true if some were left out.
fn go_up(
    owners: &mut Owners<'_>,
    seed: (TagId, TagId),
    pairs: &mut FxHashMap<(TagId, TagId), usize>,
) -> bool {
    let mut level = vec![seed];
    let mut found = 0;
    let mut cut = false;
    for height in 0..=DEPTH {
        let mut above = Vec::new();
        for &(from, to) in &level {
            if found == PAIRS_ABOVE {
                return true;
            }
            found += 1;
            let known = pairs.entry((from, to)).or_insert(height);
            *known = height.max(*known);
            // A structure that copies within itself is one; its owners are no pair.
            if from == to || height == DEPTH {
                continue;
            }
            let first_of = |owners: &[TagId]| owners[..owners.len().min(OWNERS)].to_vec();
            let (all_firsts, all_seconds) = (owners.owners(from), owners.owners(to));
            cut |= all_firsts.len().max(all_seconds.len()) > OWNERS;
            let (mut firsts, mut seconds) = (first_of(&all_firsts), first_of(&all_seconds));
            match (firsts.is_empty(), seconds.is_empty()) {
                (true, true) => continue,
                (true, false) => firsts.push(from),
                (false, true) => seconds.push(to),
                (false, false) => {}
            }
            for &first in &firsts {
                above.extend(seconds.iter().map(|&second| (first, second)));
            }
        }
        above.sort_unstable();
        above.dedup();
        level = above;
    }
    cut
}

/// The direct copies between the fields of tags.
struct Flows {
    largest_first: Vec<Flow>,
    /// The same, by where they come from.
    from: FxHashMap<TagId, Vec<Flow>>,
}

impl Flows {
    fn new(graph: &CopyGraph) -> Self {
        let mut sums: FxHashMap<(TagId, TagId), u64> = FxHashMap::default();
        for edge in &graph.edges {
            let (from, to) = (graph.location(edge.from).tag, graph.location(edge.to).tag);
            if from != TagId::UNKNOWN && to != TagId::UNKNOWN {
                let sum = sums.entry((from, to)).or_default();
                *sum = sum.saturating_add(edge.volume());
            }
        }
        let flows = sums.into_iter().map(|((from, to), volume)| Flow { volume, from, to });
        let mut largest_first: Vec<Flow> = flows.filter(|flow| flow.volume > 0).collect();
        largest_first.sort_unstable_by(largest);
        let mut from: FxHashMap<TagId, Vec<Flow>> = FxHashMap::default();
        for flow in &largest_first {
            from.entry(flow.from).or_default().push(*flow);
        }
        Self { largest_first, from }
    }

    /// The copies from what the first of a pair reaches to what the second one
    /// reaches, each once.
    fn between(&self, owners: &mut Owners<'_>, pair: (TagId, TagId)) -> Between {
        let sources = owners.reach(pair.0, DEPTH);
        let targets = owners.reach(pair.1, DEPTH);
        let mut between = Between { own: Vec::new(), reached: 0 };
        let leaving = sources.iter().filter_map(|source| self.from.get(source)).flatten();
        for flow in leaving.filter(|flow| targets.contains(&flow.to)) {
            between.reached = between.reached.saturating_add(flow.volume);
            let apart = !targets.contains(&flow.from) && !sources.contains(&flow.to);
            if apart || (flow.from, flow.to) == pair {
                between.own.push(*flow);
            }
        }
        between.own.sort_unstable_by(largest);
        between
    }
}

/// The copies between two structures.
struct Between {
    /// Those between what only one of them reaches, and those directly from one
    /// top to the other, the largest first.
    own: Vec<Flow>,
    /// Bytes of all of them.
    reached: u64,
}

fn largest(a: &Flow, b: &Flow) -> std::cmp::Ordering {
    b.volume.cmp(&a.volume).then((a.from, a.to).cmp(&(b.from, b.to)))
}
