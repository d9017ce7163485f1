//! Copies of several runs brought together by names.

use std::hash::Hash;

use profile::Profile;
use profile::dataflow::{
    Allocations, CopyEdge, CopyProfile, FieldId, Location, LostOrigins, Objects, Origin, SiteId,
    Store, StoreId, Tag, TagContext, TagId,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::dataflow::method_table::{MethodTable, Renumbering};
use tree::error::{Error, Result};
use tree::names::method::Method;

/// What tells objects apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sensitivity {
    /// Their allocation sites alone.
    Sites,
    /// Their allocation sites and contexts, as far as they were recorded.
    Contexts,
}

/// Copies of one or several runs.
#[derive(Debug, Clone)]
pub struct Copies {
    /// The methods that places refer to.
    pub methods: Vec<Method>,
    /// The copies.
    pub profile: CopyProfile,
}

/// Unites the copies of some profiles; each comes with the name it has in
/// messages.
///
/// Sites agree if class, method, bytecode index and kind do. Tags agree if their
/// sites do and the sites of their contexts, because the numbers of slots differ
/// from run to run; slots of the result only tell the tags of a site apart.
///
/// # Errors
/// If a profile has no copies.
pub fn unite(profiles: &[(String, Profile)], sensitivity: Sensitivity) -> Result<Copies> {
    let mut table = MethodTable::default();
    let mut united = Union::new(sensitivity);
    for (file, profile) in profiles {
        let Some(copies) = &profile.dataflow.copies else {
            return Err(Error::new(format!(
                "{file}: no copies were recorded; record with mode=copies"
            )));
        };
        let methods = table.add(profile);
        united.add(copies, &methods);
    }
    Ok(Copies { methods: table.finish(), profile: united.finish() })
}

/// Entries of a table, each once.
struct Interned<T> {
    entries: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T: Clone + Eq + Hash> Interned<T> {
    fn new(entries: Vec<T>) -> Self {
        let numbers = entries.iter().cloned().zip(0..).collect();
        Self { entries, numbers }
    }

    fn number(&mut self, entry: T) -> u32 {
        if let Some(&number) = self.numbers.get(&entry) {
            return number;
        }
        let number = self.entries.len() as u32;
        self.entries.push(entry.clone());
        self.numbers.insert(entry, number);
        number
    }
}

struct Union {
    sensitivity: Sensitivity,
    slots: u32,
    sites: Interned<profile::dataflow::Site>,
    fields: Interned<profile::dataflow::Field>,
    /// A tag is its site and the sorted sites of its contexts.
    tags: Interned<(SiteId, Vec<u32>)>,
    allocations: Vec<Allocations>,
    stores: Interned<Store>,
    edges: Vec<CopyEdge>,
    consumed: FxHashSet<Origin>,
    assigned: Vec<Allocations>,
    lost: Vec<LostOrigins>,
}

impl Union {
    fn new(sensitivity: Sensitivity) -> Self {
        let empty = Objects::default();
        Self {
            sensitivity,
            slots: 0,
            sites: Interned::new(empty.sites),
            fields: Interned::new(empty.fields),
            tags: Interned::new(vec![(SiteId(0), Vec::new())]),
            allocations: empty.allocations,
            stores: Interned::new(Vec::new()),
            edges: Vec::new(),
            consumed: FxHashSet::default(),
            assigned: Vec::new(),
            lost: Vec::new(),
        }
    }

    fn add(&mut self, copies: &CopyProfile, methods: &Renumbering) {
        let objects = &copies.objects;
        self.slots = self.slots.max(objects.slots);
        let sites: Vec<u32> = (0..objects.sites.len())
            .map(|at| match at {
                0 => 0,
                _ => {
                    let mut site = objects.sites[at].clone();
                    site.place = methods.place(site.place);
                    self.sites.number(site)
                }
            })
            .collect();
        let fields: Vec<u32> = (0..objects.fields.len())
            .map(|at| if at == 0 { 0 } else { self.fields.number(objects.fields[at].clone()) })
            .collect();
        let tags = self.add_tags(objects, &sites);
        let stores: Vec<u32> = copies
            .stores
            .iter()
            .map(|store| {
                let field = FieldId(fields[store.field.0 as usize]);
                self.stores.number(Store { place: methods.place(store.place), field })
            })
            .collect();

        let location = |location: Location| Location {
            tag: TagId(tags[location.tag.0 as usize]),
            field: FieldId(fields[location.field.0 as usize]),
        };
        let origin = |from: Origin| match from {
            Origin::Producer(tag) => Origin::Producer(TagId(tags[tag.0 as usize])),
            Origin::Location(from) => Origin::Location(location(from)),
        };
        self.edges.extend(copies.edges.iter().map(|edge| CopyEdge {
            from: origin(edge.from),
            to: location(edge.to),
            store: StoreId(stores[edge.store.0 as usize]),
            ..*edge
        }));
        self.assigned.resize(self.tags.entries.len(), Allocations::default());
        add_up(&mut self.assigned, &tags, &copies.assigned);
        self.consumed.extend(copies.consumed.iter().map(|&from| origin(from)));
        add_lost(&mut self.lost, &objects.lost);
    }

    /// Numbers of the tags here; adds what was allocated under them.
    fn add_tags(&mut self, objects: &Objects, sites: &[u32]) -> Vec<u32> {
        let mut contexts: Vec<Vec<u32>> = vec![Vec::new(); objects.tags.len()];
        if self.sensitivity == Sensitivity::Contexts {
            for context in &objects.contexts {
                contexts[context.tag.0 as usize].push(sites[context.context as usize]);
            }
        }
        let mut numbers = Vec::with_capacity(objects.tags.len());
        for (tag, mut contexts) in objects.tags.iter().zip(contexts) {
            contexts.sort_unstable();
            contexts.dedup();
            let site = SiteId(sites[tag.site.0 as usize]);
            numbers.push(self.tags.number((site, contexts)));
        }
        self.allocations.resize(self.tags.entries.len(), Allocations::default());
        add_up(&mut self.allocations, &numbers, &objects.allocations);
        numbers
    }

    fn finish(self) -> CopyProfile {
        let mut next_slot = vec![0; self.sites.entries.len()];
        let mut contexts = Vec::new();
        let mut tags = Vec::with_capacity(self.tags.entries.len());
        for (number, (site, own)) in (0..).zip(&self.tags.entries) {
            let slot = &mut next_slot[site.0 as usize];
            tags.push(Tag { site: *site, slot: *slot });
            *slot += 1;
            contexts.extend(own.iter().map(|&context| TagContext { tag: TagId(number), context }));
        }
        let slots = match self.sensitivity {
            Sensitivity::Sites => 0,
            Sensitivity::Contexts => self.slots.max(next_slot.into_iter().max().unwrap_or(0)),
        };
        let mut consumed: Vec<Origin> = self.consumed.into_iter().collect();
        consumed.sort_unstable();
        CopyProfile {
            objects: Objects {
                slots,
                sites: self.sites.entries,
                tags,
                contexts,
                fields: self.fields.entries,
                allocations: self.allocations,
                lost: self.lost,
            },
            stores: self.stores.entries,
            edges: self.edges,
            consumed,
            assigned: self.assigned,
        }
    }
}

/// Adds to each sum what has its number.
fn add_up(sums: &mut [Allocations], numbers: &[u32], more: &[Allocations]) {
    for (&number, more) in numbers.iter().zip(more) {
        let sum = &mut sums[number as usize];
        sum.objects = sum.objects.saturating_add(more.objects);
        sum.bytes = sum.bytes.saturating_add(more.bytes);
    }
}

/// Adds lost origins to those of the same reasons.
pub(in crate::dataflow) fn add_lost(sum: &mut Vec<LostOrigins>, more: &[LostOrigins]) {
    for lost in more {
        match sum.iter_mut().find(|known| known.reason == lost.reason) {
            Some(known) => known.values = known.values.saturating_add(lost.values),
            None => sum.push(lost.clone()),
        }
    }
}
