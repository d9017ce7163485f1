//! The cost graph in the compact form, as `docs/reference/format.md` documents it.

use base::leb128::put;

use crate::Error;
use crate::cursor::Cursor;
use crate::dataflow::bytes::table;
use crate::dataflow::{
    CostGraph, CostNode, CostNodeId, Effect, ElementWriters, FieldId, HeapEffect, Instruction,
    InstructionId, InstructionKind, Location, LocationUse, Objects, Place, Reference,
    SharedWriters, TagId,
};

/// The kinds of instructions by their numbers.
const KINDS: [InstructionKind; 6] = [
    InstructionKind::Compute,
    InstructionKind::Allocate,
    InstructionKind::Load,
    InstructionKind::Store,
    InstructionKind::Predicate,
    InstructionKind::Native,
];

/// Numbers of heap effects.
const ALLOCATES: u8 = 0;
const STORES: u8 = 1;
const LOADS: u8 = 2;

impl CostGraph {
    /// Appends the payload of its section.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        self.objects.encode(out);
        put(out, self.instructions.len() as u64);
        for instruction in &self.instructions {
            instruction.place.encode(out);
            // The table has every kind.
            let kind = KINDS.iter().position(|&kind| kind == instruction.kind).unwrap_or(0);
            out.push(kind as u8);
            put(out, u64::from(instruction.field.0));
        }
        put(out, self.nodes.len() as u64);
        for node in &self.nodes {
            put(out, u64::from(node.instruction.0));
            put(out, node.slot.map_or(0, |slot| u64::from(slot) + 1));
            put(out, node.frequency);
        }
        put(out, self.edges.len() as u64);
        for &(from, to) in &self.edges {
            put(out, u64::from(from.0));
            put(out, u64::from(to.0));
        }
        put(out, self.effects.len() as u64);
        for effect in &self.effects {
            put(out, u64::from(effect.node.0));
            let (kind, location) = match effect.effect {
                Effect::Allocates(tag) => (ALLOCATES, Location { tag, field: FieldId(0) }),
                Effect::Stores(location) => (STORES, location),
                Effect::Loads(location) => (LOADS, location),
            };
            out.push(kind);
            location.encode(out);
            put(out, effect.times);
        }
        put(out, self.references.len() as u64);
        for reference in &self.references {
            reference.from.encode(out);
            put(out, u64::from(reference.to.0));
        }
        put(out, self.locations.len() as u64);
        for used in &self.locations {
            used.location.encode(out);
            put(out, used.reads);
            put(out, used.writes);
            put(out, used.overwritten);
        }
        put(out, self.shared.arrays);
        put(out, self.shared.elements);
        self.element_writers.encode(out);
    }

    /// Reads what [`CostGraph::encode`] wrote.
    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let objects = Objects::decode(cursor)?;
        let instructions = table(cursor, 5, "the number of instructions", |cursor| {
            let place = Place::decode(cursor)?;
            let kind = cursor.byte("the kind of an instruction")?;
            let kind = KINDS.get(usize::from(kind)).copied();
            let kind = kind.ok_or_else(|| cursor.error("unknown kind of instruction"))?;
            Ok(Instruction { place, kind, field: FieldId(cursor.varint_u32("a field")?) })
        })?;
        let nodes = table(cursor, 3, "the number of nodes", |cursor| {
            Ok(CostNode {
                instruction: InstructionId(cursor.varint_u32("an instruction")?),
                slot: cursor.varint_u32("a slot")?.checked_sub(1),
                frequency: cursor.varint("a frequency")?,
            })
        })?;
        let edges = table(cursor, 2, "the number of dependences", |cursor| {
            Ok((node(cursor)?, node(cursor)?))
        })?;
        let effects = table(cursor, 5, "the number of heap effects", |cursor| {
            let node = node(cursor)?;
            let kind = cursor.byte("the kind of a heap effect")?;
            let location = Location::decode(cursor)?;
            let effect = match kind {
                ALLOCATES => Effect::Allocates(location.tag),
                STORES => Effect::Stores(location),
                LOADS => Effect::Loads(location),
                _ => return Err(cursor.error("unknown kind of heap effect")),
            };
            Ok(HeapEffect { node, effect, times: cursor.varint("a number of accesses")? })
        })?;
        let references = table(cursor, 3, "the number of references", |cursor| {
            let from = Location::decode(cursor)?;
            Ok(Reference { from, to: TagId(cursor.varint_u32("a tag")?) })
        })?;
        let locations = table(cursor, 5, "the number of locations", |cursor| {
            Ok(LocationUse {
                location: Location::decode(cursor)?,
                reads: cursor.varint("a number of loads")?,
                writes: cursor.varint("a number of stores")?,
                overwritten: cursor.varint("a number of stores")?,
            })
        })?;
        let shared = SharedWriters {
            arrays: cursor.varint("a number of arrays")?,
            elements: cursor.varint("a number of elements")?,
        };
        Ok(Self {
            objects,
            instructions,
            nodes,
            edges,
            effects,
            references,
            locations,
            shared,
            element_writers: ElementWriters::decode(cursor)?,
        })
    }
}

fn node(cursor: &mut Cursor<'_>) -> Result<CostNodeId, Error> {
    Ok(CostNodeId(cursor.varint_u32("a node")?))
}
