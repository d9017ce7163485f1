//! Values that never reach the consumer, section 3.5.4.

use profile::dataflow::{CopyProfile, FieldId, SiteId, TagId};
use rustc_hash::FxHashMap;

use crate::dataflow::copies::graph::CopyGraph;

/// The useless locations of the objects of one site, or one static field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Useless {
    /// Whose locations they are.
    pub owner: Owner,
    /// The locations, those of most bytes first.
    pub locations: Vec<UselessLocation>,
    /// Values copied into them.
    pub values: u64,
    /// Bytes of these values.
    pub bytes: u64,
    /// Bytes of the values that lead nowhere either: see
    /// [`UselessLocation::leads_on`].
    pub bytes_nowhere: u64,
}

/// To whom locations belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// Objects of the site.
    Site(SiteId),
    /// Nobody: a static field.
    Static(FieldId),
}

/// A location whose values never reach the consumer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UselessLocation {
    /// Its number in the graph.
    pub location: u32,
    /// Values copied into it.
    pub values: u64,
    /// Their bytes.
    pub bytes: u64,
    /// True if it holds references to objects whose own values do reach the
    /// consumer, so that following the reference had a use. Following does not
    /// count as consuming.
    pub leads_on: bool,
}

/// The useless locations by owner: first those with most bytes that lead
/// nowhere, then those with most bytes.
pub fn useless(copies: &CopyProfile, graph: &CopyGraph) -> Vec<Useless> {
    let objects = &copies.objects;
    let reaching = graph.reaching_consumer();
    let leading_on = leading_on(graph, objects.tags.len(), &reaching);
    let mut arrived = vec![(0u64, 0u64); graph.locations.len()];
    let between = graph.edges.iter().map(|edge| (edge.to, edge.count, edge.volume()));
    let produced = graph.produced.iter().map(|p| (p.to, p.count, p.volume()));
    for (to, values, bytes) in between.chain(produced) {
        let sum = &mut arrived[to as usize];
        sum.0 = sum.0.saturating_add(values);
        sum.1 = sum.1.saturating_add(bytes);
    }

    let mut owners: FxHashMap<Owner, Useless> = FxHashMap::default();
    for (number, &location) in (0u32..).zip(&graph.locations) {
        let (values, bytes) = arrived[number as usize];
        if reaching[number as usize] || values == 0 {
            continue;
        }
        let owner = if objects.field(location).is_static {
            Owner::Static(location.field)
        } else {
            Owner::Site(objects.tags[location.tag.0 as usize].site)
        };
        let entry = owners.entry(owner).or_insert_with(|| Useless {
            owner,
            locations: Vec::new(),
            values: 0,
            bytes: 0,
            bytes_nowhere: 0,
        });
        let leads_on = leading_on[number as usize];
        entry.locations.push(UselessLocation { location: number, values, bytes, leads_on });
        entry.values = entry.values.saturating_add(values);
        entry.bytes = entry.bytes.saturating_add(bytes);
        if !leads_on {
            entry.bytes_nowhere = entry.bytes_nowhere.saturating_add(bytes);
        }
    }
    let mut all: Vec<Useless> = owners.into_values().collect();
    for entry in &mut all {
        entry.locations.sort_by(|a, b| b.bytes.cmp(&a.bytes).then(a.location.cmp(&b.location)));
    }
    all.sort_by(|a, b| {
        let by_bytes = (b.bytes_nowhere, b.bytes).cmp(&(a.bytes_nowhere, a.bytes));
        by_bytes.then(a.owner.cmp(&b.owner))
    });
    all
}

/// Locations that hold references to useful objects: some location of these
/// reaches the consumer, or leads on itself.
fn leading_on(graph: &CopyGraph, tags: usize, reaching: &[bool]) -> Vec<bool> {
    let mut leads_on = vec![false; graph.locations.len()];
    let mut useful = vec![false; tags];
    let mut pending: Vec<TagId> = Vec::new();
    for (number, location) in graph.locations.iter().enumerate() {
        let tag = &mut useful[location.tag.0 as usize];
        if reaching[number] && location.tag != TagId::UNKNOWN && !std::mem::replace(tag, true) {
            pending.push(location.tag);
        }
    }
    while let Some(tag) = pending.pop() {
        // Everywhere where references to its objects went.
        let mut locations: Vec<u32> = graph.produced_by(tag).iter().map(|p| p.to).collect();
        while let Some(number) = locations.pop() {
            if std::mem::replace(&mut leads_on[number as usize], true) {
                continue;
            }
            let owner = graph.location(number).tag;
            if owner != TagId::UNKNOWN && !std::mem::replace(&mut useful[owner.0 as usize], true) {
                pending.push(owner);
            }
            locations.extend(graph.outgoing(number).iter().map(|&e| graph.edge(e).to));
        }
    }
    leads_on
}
