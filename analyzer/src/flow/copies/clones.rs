//! The clone detector, section 3.5.2 of the paper.
//!
//! A pair of objects is a clone pair if much is copied from what the first one
//! reaches to what the second one reaches. Pairs are found from the copies
//! upwards: from the two objects that values were copied between to their
//! owners on both sides, level by level; where one side has no owner, only the
//! other one goes up.

use profile::flow::TagId;
use rustc_hash::FxHashMap;

use crate::flow::copies::graph::CopyGraph;
use crate::flow::copies::owners::Owners;

/// References between the top of a structure and what counts as part of it.
pub const DEPTH: usize = 3;
/// Copies between two tags from which pairs are looked for, the largest ones.
const SEEDS: usize = 2_000;
/// Pairs looked at above one of them.
const PAIRS_ABOVE: usize = 64;
/// Owners of a tag looked at, those with the most references.
const OWNERS: usize = 8;

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
    /// The pairs, outermost first: copied from, copied to.
    pub pairs: Vec<(TagId, TagId)>,
    /// The copies that explain each of them, those of most bytes first.
    pub flows: Vec<Flow>,
    /// Bytes of all these copies.
    pub volume: u64,
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
    let mut by_flows: FxHashMap<Vec<Flow>, usize> = FxHashMap::default();
    let mut clones: Vec<Clone> = Vec::new();
    for (pair, _) in pairs {
        let flows = flows.between(&mut owners, pair);
        let entry = *by_flows.entry(flows).or_insert_with_key(|flows| {
            let volume = flows.iter().fold(0u64, |sum, flow| sum.saturating_add(flow.volume));
            clones.push(Clone { pairs: Vec::new(), flows: flows.clone(), volume });
            clones.len() - 1
        });
        clones[entry].pairs.push(pair);
    }
    clones.sort_by(|a, b| b.volume.cmp(&a.volume).then_with(|| a.pairs.cmp(&b.pairs)));
    cut.searches += owners.cut;
    Clones { clones, cut }
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
            let (mut firsts, mut seconds) = (owners.owners(from), owners.owners(to));
            cut |= firsts.len().max(seconds.len()) > OWNERS;
            firsts.truncate(OWNERS);
            seconds.truncate(OWNERS);
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
    /// reaches, each once, the largest first.
    fn between(&self, owners: &mut Owners<'_>, pair: (TagId, TagId)) -> Vec<Flow> {
        let sources = owners.reach(pair.0, DEPTH);
        let targets = owners.reach(pair.1, DEPTH);
        let leaving = sources.iter().filter_map(|source| self.from.get(source)).flatten();
        let mut between: Vec<Flow> =
            leaving.filter(|flow| targets.contains(&flow.to)).copied().collect();
        between.sort_unstable_by(largest);
        between
    }
}

fn largest(a: &Flow, b: &Flow) -> std::cmp::Ordering {
    b.volume.cmp(&a.volume).then((a.from, a.to).cmp(&(b.from, b.to)))
}
