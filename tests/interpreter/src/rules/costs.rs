//! Figure 12: the cost graph.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use profile::MethodId;
use profile::dataflow::{
    CostGraph, CostNode, CostNodeId, Effect, FieldId, HeapEffect, Instruction, InstructionId,
    InstructionKind, Location, LocationUse, Place, Reference, TagId,
};

use super::{Context, Hashed, Here, Registry, Rules, Stored};

/// What happened so far. A value's shadow is the node that made it.
#[derive(Debug, Default)]
pub struct Costs {
    instructions: Vec<(MethodId, u32, InstructionKind, FieldId)>,
    instruction_numbers: HashMap<(MethodId, u32, InstructionKind), InstructionId>,
    nodes: Vec<CostNode>,
    node_numbers: HashMap<(InstructionId, Option<u32>), CostNodeId>,
    edges: BTreeSet<(CostNodeId, CostNodeId)>,
    /// What nodes did to the heap, and how many values they moved.
    effects: BTreeMap<(CostNodeId, Effect), u64>,
    references: BTreeSet<Reference>,
    locations: BTreeMap<Location, LocationUse>,
}

/// The last writer of a heap location.
#[derive(Debug, Clone, Copy, Default)]
pub struct LastWriter {
    node: Option<CostNodeId>,
    read: bool,
}

impl Costs {
    /// The node of this instruction, executed once more.
    fn executed(
        &mut self,
        here: Here,
        kind: InstructionKind,
        field: FieldId,
        slot: Option<u32>,
    ) -> CostNodeId {
        let node = self.node(here, kind, field, slot);
        self.nodes[node.0 as usize].frequency += 1;
        node
    }

    fn node(
        &mut self,
        here: Here,
        kind: InstructionKind,
        field: FieldId,
        slot: Option<u32>,
    ) -> CostNodeId {
        let instructions = &mut self.instructions;
        let key = (here.method, here.bci, kind);
        let instruction = *self.instruction_numbers.entry(key).or_insert_with(|| {
            instructions.push((here.method, here.bci, kind, field));
            InstructionId(instructions.len() as u32 - 1)
        });
        let nodes = &mut self.nodes;
        *self.node_numbers.entry((instruction, slot)).or_insert_with(|| {
            nodes.push(CostNode { instruction, slot, frequency: 0 });
            CostNodeId(nodes.len() as u32 - 1)
        })
    }

    fn uses(&mut self, node: CostNodeId, operands: &[Option<CostNodeId>]) {
        self.edges.extend(operands.iter().flatten().map(|&operand| (operand, node)));
    }

    fn used(&mut self, location: Location) -> &mut LocationUse {
        let unused = LocationUse { location, ..LocationUse::default() };
        self.locations.entry(location).or_insert(unused)
    }

    fn loaded(&mut self, node: CostNodeId, from: Location, writer: &mut LastWriter) {
        self.uses(node, &[writer.node]);
        writer.read = true;
        *self.effects.entry((node, Effect::Loads(from))).or_default() += 1;
        self.used(from).reads += 1;
    }

    fn stored(
        &mut self,
        node: CostNodeId,
        to: Location,
        target: Option<TagId>,
        writer: LastWriter,
    ) -> LastWriter {
        *self.effects.entry((node, Effect::Stores(to))).or_default() += 1;
        if let Some(target) = target {
            self.references.insert(Reference { from: to, to: target });
        }
        let used = self.used(to);
        used.writes += 1;
        used.overwritten += u64::from(writer.node.is_some() && !writer.read);
        LastWriter { node: Some(node), read: false }
    }

    /// The graph.
    pub fn graph(&self, registry: Registry, line: impl Fn(MethodId, u32) -> u16) -> CostGraph {
        let instructions = self.instructions.iter().map(|&(method, bci, kind, field)| {
            let place = Place { method: Some(method), bci: bci as u16, line: line(method, bci) };
            Instruction { place, kind, field }
        });
        let effects = self.effects.iter();
        let effects = effects.map(|(&(node, effect), &times)| HeapEffect { node, effect, times });
        CostGraph {
            instructions: instructions.collect(),
            objects: registry.objects,
            nodes: self.nodes.clone(),
            edges: self.edges.iter().copied().collect(),
            effects: effects.collect(),
            references: self.references.iter().copied().collect(),
            locations: self.locations.values().copied().collect(),
            ..CostGraph::default()
        }
    }
}

impl Rules for Costs {
    const KNOWS_WHO_CONSUMES: bool = true;

    type Shadow = Option<CostNodeId>;
    type Writer = LastWriter;

    fn context(context: Context, _: &Registry) -> Option<Hashed> {
        context.chain.map(|chain| Hashed { hash: chain, name: chain })
    }

    fn allocate(&mut self, here: Here, slot: u32, _: TagId) -> Self::Shadow {
        Some(self.executed(here, InstructionKind::Allocate, FieldId::ELEMENTS, Some(slot)))
    }

    fn made(&mut self, object: Self::Shadow, tag: TagId) {
        self.effects.extend(object.map(|node| ((node, Effect::Allocates(tag)), 0)));
    }

    fn this(&mut self, given: Self::Shadow, _: TagId) -> Self::Shadow {
        given
    }

    fn compute(&mut self, here: Here, slot: u32, operands: &[Self::Shadow]) -> Self::Shadow {
        let node = self.executed(here, InstructionKind::Compute, FieldId::ELEMENTS, Some(slot));
        self.uses(node, operands);
        Some(node)
    }

    fn test(&mut self, here: Here, operands: &[Self::Shadow]) {
        let node = self.executed(here, InstructionKind::Predicate, FieldId::ELEMENTS, None);
        self.uses(node, operands);
    }

    fn load(
        &mut self,
        here: Here,
        slot: u32,
        from: Location,
        _: bool,
        writer: &mut LastWriter,
    ) -> Self::Shadow {
        let node = self.executed(here, InstructionKind::Load, from.field, Some(slot));
        self.loaded(node, from, writer);
        Some(node)
    }

    fn store(
        &mut self,
        here: Here,
        slot: u32,
        stored: Stored<Self::Shadow>,
        writer: &mut LastWriter,
    ) {
        let node = self.executed(here, InstructionKind::Store, stored.to.field, Some(slot));
        self.uses(node, &[stored.value]);
        *writer = self.stored(node, stored.to, stored.target, *writer);
    }

    fn begin_copies(&mut self, here: Here, slot: u32, to: FieldId) {
        self.executed(here, InstructionKind::Store, to, Some(slot));
    }

    fn copy(
        &mut self,
        here: Here,
        slot: u32,
        (from, source): (Location, &mut LastWriter),
        stored: Stored<Self::Shadow>,
        writer: Option<LastWriter>,
    ) -> LastWriter {
        let node = self.node(here, InstructionKind::Store, stored.to.field, Some(slot));
        self.loaded(node, from, source);
        self.stored(node, stored.to, stored.target, writer.unwrap_or(*source))
    }

    fn native(&mut self, here: Here, arguments: &[Self::Shadow]) {
        let node = self.executed(here, InstructionKind::Native, FieldId::ELEMENTS, None);
        self.uses(node, arguments);
    }
}
