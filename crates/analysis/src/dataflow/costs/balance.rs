//! What it cost to make the values of heap locations, and how much of that their
//! benefit does not make up for.

use profile::dataflow::{CostGraph, Effect, Location, LocationUse, TagId};
use rustc_hash::FxHashMap;

use crate::dataflow::costs::attribution::Attribution;
use crate::dataflow::costs::components::{Components, NONE};
use crate::dataflow::costs::graph::Dependences;

/// What was spent on the values of a location, in instruction instances. Each
/// instance of a run counts for one location, so those of different locations
/// can be added up.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Balance {
    /// The location.
    pub location: Location,
    /// What it took to make the values stored there.
    pub cost: f64,
    /// What was made of the values loaded from there.
    pub benefit: f64,
    /// How many values were consumed: they reached a test or native code, or led
    /// somewhere, before they were stored.
    pub consumed: f64,
    /// The part of the cost that the benefit does not make up for.
    pub excess: f64,
    /// Loads that only made what was stored at the same place next.
    pub continued: u64,
    /// How often it was used.
    pub uses: LocationUse,
}

impl Balance {
    /// The part of the cost that nothing speaks for.
    ///
    /// A value that was consumed was worth what it cost. For the others, what was
    /// made of them is set against what they cost. What was never read
    /// brought nothing, whatever the others did.
    fn excess(&self) -> f64 {
        let LocationUse { reads, writes, overwritten, .. } = self.uses;
        // `x = x + 1` carries a value on; it is neither a use nor another value.
        let values = writes.saturating_sub(self.continued).max(1) as f64;
        let consumed = (self.consumed / values).min(1.0);
        let read = reads.saturating_sub(self.continued).min(writes.saturating_sub(overwritten));
        let read = (read as f64 / values).min(1.0);
        let unpaid = self.cost * (1.0 - consumed) - self.benefit;
        unpaid.max(self.cost * (1.0 - read)).max(0.0)
    }
}

/// The balances of all locations of a run.
#[derive(Debug, Default)]
pub struct Balances {
    /// Each location that was stored to, sorted.
    pub locations: Vec<Balance>,
}

impl Balances {
    /// Finds them in a graph.
    pub fn new(graph: &CostGraph, dependences: &Dependences) -> Self {
        let attribution = Attribution::new(dependences);
        let accesses = Accesses::new(graph);
        let feeds = feeds(dependences);
        let mut known: FxHashMap<Location, Balance> = FxHashMap::default();
        for (&(node, location), &times) in accesses.stores.iter().zip(&accesses.stored) {
            let balance = known.entry(location).or_default();
            balance.cost += attribution.cost[node as usize] * accesses.part(node, times, true);
            balance.uses.writes = balance.uses.writes.saturating_add(times);
        }
        for (&(node, location), &times) in accesses.loads.iter().zip(&accesses.loaded) {
            let Some(balance) = known.get_mut(&location) else { continue };
            balance.uses.reads = balance.uses.reads.saturating_add(times);
            let continues = match feeds[node as usize] {
                Feeds::Store(store) => accesses.stores_where(store, node),
                _ => false,
            };
            if continues {
                balance.continued = balance.continued.saturating_add(times);
                continue;
            }
            balance.benefit +=
                attribution.benefit[node as usize] * accesses.part(node, times, false);
            balance.consumed += attribution.consumed[node as usize] * times as f64;
        }
        for used in &graph.locations {
            if let Some(balance) = known.get_mut(&used.location) {
                let sum = &mut balance.uses.overwritten;
                *sum = sum.saturating_add(used.overwritten);
            }
        }
        let mut locations: Vec<Balance> = Vec::with_capacity(known.len());
        for (location, mut balance) in known {
            balance.location = location;
            balance.uses.location = location;
            balance.excess = balance.excess();
            locations.push(balance);
        }
        locations.sort_unstable_by_key(|balance| balance.location);
        Self { locations }
    }

    /// Those of the objects of a tag.
    pub fn of(&self, tag: TagId) -> &[Balance] {
        let first = self.locations.partition_point(|balance| balance.location.tag < tag);
        let end = self.locations.partition_point(|balance| balance.location.tag <= tag);
        &self.locations[first..end]
    }
}

/// Which nodes accessed which locations, and how often, sorted.
struct Accesses {
    stores: Vec<(u32, Location)>,
    stored: Vec<u64>,
    loads: Vec<(u32, Location)>,
    loaded: Vec<u64>,
    /// How many values each node stored and loaded in all.
    all_stored: FxHashMap<u32, u64>,
    all_loaded: FxHashMap<u32, u64>,
}

impl Accesses {
    fn new(graph: &CostGraph) -> Self {
        let (mut stores, mut loads) = (Vec::new(), Vec::new());
        for effect in graph.effects.iter().filter(|effect| effect.times > 0) {
            match effect.effect {
                Effect::Allocates(_) => {}
                Effect::Stores(to) => stores.push(((effect.node.0, to), effect.times)),
                Effect::Loads(from) => loads.push(((effect.node.0, from), effect.times)),
            }
        }
        // Sums of floating-point numbers depend on their order.
        stores.sort_unstable();
        loads.sort_unstable();
        let all = |accesses: &[((u32, Location), u64)]| {
            let mut sums: FxHashMap<u32, u64> = FxHashMap::default();
            for &((node, _), times) in accesses {
                let sum = sums.entry(node).or_default();
                *sum = sum.saturating_add(times);
            }
            sums
        };
        let (all_stored, all_loaded) = (all(&stores), all(&loads));
        let (stores, stored) = stores.into_iter().unzip();
        let (loads, loaded) = loads.into_iter().unzip();
        Self { stores, stored, loads, loaded, all_stored, all_loaded }
    }

    /// What part of a node's accesses so many are.
    fn part(&self, node: u32, times: u64, stores: bool) -> f64 {
        let sums = if stores { &self.all_stored } else { &self.all_loaded };
        sums.get(&node).map_or(0.0, |&all| times as f64 / all as f64)
    }

    /// True if one node stores only where the other one loads.
    fn stores_where(&self, store: u32, load: u32) -> bool {
        let of = |accesses: &[(u32, Location)], node: u32| {
            let first = accesses.partition_point(|&(n, _)| n < node);
            first..accesses.partition_point(|&(n, _)| n <= node)
        };
        let loads = &self.loads[of(&self.loads, load)];
        let stores = &self.stores[of(&self.stores, store)];
        !stores.is_empty() && stores.iter().all(|&(_, to)| loads.binary_search(&(load, to)).is_ok())
    }
}

/// What a node's values end in before anything is read from the heap again.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Feeds {
    Nothing,
    /// This one node, which stores.
    Store(u32),
    More,
}

impl Feeds {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, known) | (known, Self::Nothing) => known,
            (one, other) if one == other => one,
            _ => Self::More,
        }
    }
}

/// For each node, what it feeds. A node that copies elements feeds itself.
fn feeds(graph: &Dependences) -> Vec<Feeds> {
    let components = Components::new(&graph.uses, &graph.writes, &graph.frequency);
    let mut order: Vec<u32> = (0..graph.len() as u32).collect();
    let key = |node: u32| components.of_node[node as usize];
    order.sort_by_key(|&node| (key(node), node));
    let of_store = |(node, &writes)| if writes { Feeds::Store(node) } else { Feeds::Nothing };
    let mut feeds: Vec<Feeds> = (0..).zip(&graph.writes).map(of_store).collect();
    for members in order.chunk_by(|&a, &b| key(a) == key(b)) {
        if key(members[0]) == NONE {
            continue;
        }
        let mut all = Feeds::Nothing;
        for &node in members {
            let users = graph.uses.of(node);
            let is_end = graph.predicate[node as usize] || graph.native[node as usize];
            if is_end || users.is_empty() {
                all = Feeds::More;
            }
            for &user in users {
                all = all.and(feeds[user as usize]);
            }
        }
        members.iter().for_each(|&node| feeds[node as usize] = all);
    }
    feeds
}
