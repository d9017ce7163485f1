//! Figure 9: the copy graph.

use std::collections::{BTreeMap, BTreeSet};

use profile::MethodId;
use profile::dataflow::{
    Allocations, CopyEdge, CopyProfile, FieldId, Location, Origin, Place, Store, StoreId, TagId,
};

use super::{Context, Hashed, Here, Owner, Registry, Rules, Stored};

type Instruction = (MethodId, u32);

/// What happened so far. A value's shadow is the location it was loaded from,
/// or the allocation that it refers to.
#[derive(Debug, Default)]
pub struct Copies {
    edges: BTreeMap<(Origin, Location, Instruction, u8), u64>,
    consumed: BTreeSet<Origin>,
    /// Values from heap locations that each method stored to others.
    pub by_method: BTreeMap<MethodId, u64>,
}

impl Copies {
    fn consume(&mut self, operands: &[Option<Origin>]) {
        self.consumed.extend(operands.iter().flatten());
    }

    fn edge(&mut self, here: Here, from: Origin, to: Location, width: u8) {
        *self.edges.entry((from, to, (here.method, here.bci), width)).or_default() += 1;
        if matches!(from, Origin::Location(_)) {
            *self.by_method.entry(here.method).or_default() += 1;
        }
    }

    /// The graph.
    pub fn graph(&self, registry: Registry, line: impl Fn(MethodId, u32) -> u16) -> CopyProfile {
        let mut stores = BTreeMap::new();
        let edges = self.edges.iter().map(|(&(from, to, (method, bci), bytes), &count)| {
            let place = Place { method: Some(method), bci: bci as u16, line: line(method, bci) };
            let next = StoreId(stores.len() as u32);
            let store = Store { place, field: to.field };
            let store = *stores.entry(store).or_insert(next);
            CopyEdge { from, to, store, count, bytes }
        });
        let edges = edges.collect();
        let mut by_number: Vec<(StoreId, Store)> =
            stores.into_iter().map(|(s, id)| (id, s)).collect();
        by_number.sort_unstable_by_key(|(id, _)| *id);
        CopyProfile {
            objects: registry.objects,
            stores: by_number.into_iter().map(|(_, store)| store).collect(),
            edges,
            consumed: self.consumed.iter().copied().collect(),
            assigned: registry
                .assigned
                .iter()
                .map(|&objects| Allocations { objects, bytes: 0 })
                .collect(),
        }
    }
}

impl Rules for Copies {
    const KNOWS_WHO_CONSUMES: bool = false;

    type Shadow = Option<Origin>;
    type Writer = ();

    fn is_loaded(shadow: Self::Shadow) -> bool {
        matches!(shadow, Some(Origin::Location(_)))
    }

    fn context(context: Context, registry: &Registry) -> Option<Hashed> {
        let (Owner::Receiver(site) | Owner::Call(site)) = context.owner?;
        Some(Hashed { hash: registry.number(site), name: site.0 })
    }

    fn allocate(&mut self, _: Here, _: u32, tag: TagId) -> Self::Shadow {
        Some(Origin::Producer(tag))
    }

    fn made(&mut self, _: Self::Shadow, _: TagId) {}

    fn this(&mut self, given: Self::Shadow, tag: TagId) -> Self::Shadow {
        given.or(Some(Origin::Producer(tag)))
    }

    fn compute(&mut self, _: Here, _: u32, operands: &[Self::Shadow]) -> Self::Shadow {
        self.consume(operands);
        None
    }

    fn test(&mut self, _: Here, operands: &[Self::Shadow]) {
        self.consume(operands);
    }

    fn load(&mut self, _: Here, _: u32, from: Location, _: bool, (): &mut ()) -> Self::Shadow {
        Some(Origin::Location(from))
    }

    fn store(&mut self, here: Here, _: u32, stored: Stored<Self::Shadow>, (): &mut ()) {
        if let Some(from) = stored.value {
            self.edge(here, from, stored.to, stored.width);
        }
    }

    fn begin_copies(&mut self, _: Here, _: u32, _: FieldId) {}

    fn copy(
        &mut self,
        here: Here,
        _: u32,
        (from, ()): (Location, &mut ()),
        stored: Stored<Self::Shadow>,
        _: Option<()>,
    ) {
        self.edge(here, Origin::Location(from), stored.to, stored.width);
    }

    fn native(&mut self, _: Here, arguments: &[Self::Shadow]) {
        self.consume(arguments);
    }
}
