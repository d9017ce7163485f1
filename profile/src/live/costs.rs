//! The cost graph of a live file: what the code says of dependences, counters
//! of basic blocks, and the relations that probes noted.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::arena::{self, Arena};
use super::catalog::Catalog;
use super::flow::{Numbers, entries, name_fields, read_lost};
use super::objects::read_objects;
use crate::flow::{
    CostGraph, CostNode, CostNodeId, Effect, FieldId, HeapEffect, Instruction, InstructionId,
    InstructionKind, Location, LocationUse, Place, Reference, SharedWriters, TagId,
};
use crate::layout::flow::{self, edge, frequencies, relation};
use crate::layout::header;
use crate::node_records::CostNodesRecord;
use crate::{Error, Image, MethodId};

/// The cost graph of a recording, if it has one.
pub(super) fn read_costs<I: Image>(
    arena: &Arena<'_, I>,
    catalog: &Catalog,
) -> Result<Option<CostGraph>, Error> {
    let record = arena.image.header_u32(header::FLOW);
    if record == 0 || catalog.flow.nodes.is_empty() {
        return Ok(None);
    }
    arena.check(record, flow::WORDS, "the record of data flow")?;
    let mut graph = CostGraph { objects: read_objects(arena, catalog)?, ..CostGraph::default() };
    let fields = name_fields(&catalog.flow, &mut graph.objects);
    read_lost(arena, record, &mut graph.objects);
    graph.shared = SharedWriters {
        arrays: arena.image.counter(record + flow::SHARED),
        elements: arena.image.counter(record + flow::SHARED + 2),
    };
    let mut reader = Reader::new(catalog, fields, graph);
    reader.frequencies(arena, arena.image.word(record + flow::FIRST_FREQUENCIES))?;
    reader.relations(arena, arena.image.word(record + flow::FIRST_EDGES))?;
    Ok(Some(reader.finish()))
}

/// Where an instruction is found by its number.
struct Range<'a> {
    record: &'a CostNodesRecord,
    /// Index of its first instruction in the graph.
    first: u32,
}

struct Reader<'a> {
    /// By the number of their first instruction.
    by_number: BTreeMap<u32, Range<'a>>,
    first_of_method: HashMap<u32, u32>,
    fields: Numbers<FieldId>,
    known: HashMap<(InstructionId, Option<u32>), CostNodeId>,
    edges: HashSet<(CostNodeId, CostNodeId)>,
    effects: HashSet<HeapEffect>,
    references: BTreeSet<Reference>,
    uses: BTreeMap<Location, LocationUse>,
    graph: CostGraph,
}

impl<'a> Reader<'a> {
    fn new(catalog: &'a Catalog, fields: Numbers<FieldId>, mut graph: CostGraph) -> Self {
        let mut by_number = BTreeMap::new();
        let mut first_of_method = HashMap::new();
        for record in catalog.flow.nodes.values() {
            let first = graph.instructions.len() as u32;
            let method = catalog.place(record.method).map(MethodId);
            graph.instructions.extend(record.instructions.iter().map(|instruction| Instruction {
                place: Place { method, bci: instruction.bci, line: instruction.line },
                kind: instruction.kind,
                field: fields.get(instruction.field).unwrap_or_default(),
            }));
            by_number.insert(record.first, Range { record, first });
            first_of_method.insert(record.method, record.first);
        }
        Self {
            by_number,
            first_of_method,
            fields,
            known: HashMap::new(),
            edges: HashSet::new(),
            effects: HashSet::new(),
            references: BTreeSet::new(),
            uses: BTreeMap::new(),
            graph,
        }
    }

    fn node(&mut self, instruction: InstructionId, slot: u32) -> CostNodeId {
        let kind = self.graph.instructions[instruction.0 as usize].kind;
        let slot = (!kind.consumes()).then_some(slot);
        let nodes = &mut self.graph.nodes;
        *self.known.entry((instruction, slot)).or_insert_with(|| {
            nodes.push(CostNode { instruction, slot, frequency: 0 });
            CostNodeId(nodes.len() as u32 - 1)
        })
    }

    /// The node with this number in the probes' count.
    fn numbered(&mut self, number: u32) -> Option<CostNodeId> {
        let scale = self.graph.objects.slots + 1;
        let (instruction, slot) = (number / scale, number % scale);
        let (&first, range) = self.by_number.range(..=instruction).next_back()?;
        let at = instruction - first;
        if at as usize >= range.record.instructions.len() {
            return None;
        }
        let instruction = InstructionId(range.first + at);
        Some(self.node(instruction, slot))
    }

    /// Follows the blocks of counters.
    fn frequencies<I: Image>(&mut self, arena: &Arena<'_, I>, first: u32) -> Result<(), Error> {
        let image = arena.image;
        let mut at = first;
        let mut total = 0_u64;
        while at != 0 {
            arena.check(at, frequencies::FIRST, "counters of basic blocks")?;
            let count = image.word(at + frequencies::COUNT);
            total += u64::from(frequencies::FIRST) + 2 * u64::from(count);
            if total > u64::from(image.words()) {
                return Err(arena::error(at, "the counters of basic blocks run in a circle"));
            }
            arena.check(at + frequencies::FIRST, 2 * count, "counters of basic blocks")?;
            let method = image.word(at + frequencies::METHOD);
            let slot = image.word(at + frequencies::SLOT).min(self.graph.objects.slots);
            let counter = |number: u32| match number < count {
                true => image.counter(at + frequencies::FIRST + 2 * number),
                false => 0,
            };
            self.count(method, slot, &counter);
            at = image.word(at + frequencies::NEXT);
        }
        Ok(())
    }

    /// Adds the executions of a method in a slot, and what they depend on by
    /// its code.
    fn count(&mut self, method: u32, slot: u32, counter: &dyn Fn(u32) -> u64) {
        let Some(first) = self.first_of_method.get(&method) else { return };
        let Some(&Range { record, first }) = self.by_number.get(first) else { return };
        let mut executed = Vec::with_capacity(record.instructions.len());
        for (at, instruction) in (first..).zip(&record.instructions) {
            // Of a call of native code also one that threw was executed.
            let until = instruction.bci + u16::from(instruction.kind != InstructionKind::Native);
            let cuts =
                record.cuts.iter().filter(|(bci, _)| (instruction.block..until).contains(bci));
            let cut: u64 = cuts.map(|&(_, number)| counter(number)).sum();
            let times = counter(instruction.counter).saturating_sub(cut);
            executed.push(times > 0);
            if times > 0 {
                let node = self.node(InstructionId(at), slot);
                let frequency = &mut self.graph.nodes[node.0 as usize].frequency;
                *frequency = frequency.saturating_add(times);
            }
        }
        for &(from, to) in &record.dependences {
            let both = [from, to].iter().all(|&at| executed.get(at as usize) == Some(&true));
            if both {
                let from = self.node(InstructionId(first + from), slot);
                let to = self.node(InstructionId(first + to), slot);
                self.edges.insert((from, to));
            }
        }
    }

    /// Follows the tables of relations.
    fn relations<I: Image>(&mut self, arena: &Arena<'_, I>, first: u32) -> Result<(), Error> {
        entries(arena, first, edge::WORDS, |at| {
            let image = arena.image;
            let from = image.counter(at + edge::FROM);
            let to = image.word(at + edge::TO);
            let count = image.counter(at + edge::COUNT);
            if from != 0 && count != 0 {
                // What has lost its record cannot be named.
                let _ = self.relate(image.word(at + edge::STORE), from, to, count);
            }
        })
    }

    fn relate(&mut self, what: u32, from: u64, to: u32, count: u64) -> Option<()> {
        if what == relation::REFERS {
            let field = self.fields.get(from as u32)?;
            let from = self.location((from >> 32) as u32, field)?;
            self.references.insert(Reference { from, to: self.tag(to)? });
            return Some(());
        }
        let node = self.numbered(from as u32)?;
        if what == relation::DEPENDS {
            let target = self.numbered(to)?;
            self.edges.insert((node, target));
            return Some(());
        }
        let field = match (from >> 32) as u32 {
            0 => self.graph.instruction(node).field,
            field => self.fields.get(field)?,
        };
        let location = self.location(to, field)?;
        let used =
            self.uses.entry(location).or_insert(LocationUse { location, ..Default::default() });
        let counter = match what {
            relation::LOADED => {
                self.effects.insert(HeapEffect { node, effect: Effect::Loads(location) });
                &mut used.reads
            }
            relation::STORED => {
                self.effects.insert(HeapEffect { node, effect: Effect::Stores(location) });
                &mut used.writes
            }
            relation::OVERWRITTEN => &mut used.overwritten,
            _ => return None,
        };
        *counter = counter.saturating_add(count);
        Some(())
    }

    /// A tag of the program's objects.
    fn tag(&self, tag: u32) -> Option<TagId> {
        let objects = &self.graph.objects;
        let site = objects.tags.get(tag as usize)?.site;
        // The JVM's thread for references also handles those of the agent.
        let is_ours = objects.sites[site.0 as usize].class.starts_with("java.lang.Subsume");
        (!is_ours).then_some(TagId(tag))
    }

    fn location(&self, tag: u32, field: FieldId) -> Option<Location> {
        let is_static = self.graph.objects.fields[field.0 as usize].is_static;
        let tag = if is_static { TagId::UNKNOWN } else { self.tag(tag)? };
        Some(Location { tag, field })
    }

    /// What is made at a node has the node's place and slot.
    fn allocations(&mut self) {
        let objects = &self.graph.objects;
        let mut tags: HashMap<(MethodId, u16, u32), Vec<TagId>> = HashMap::new();
        for (number, tag) in (0..).zip(&objects.tags) {
            let place = objects.sites[tag.site.0 as usize].place;
            if let Some(method) = place.method {
                tags.entry((method, place.bci, tag.slot)).or_default().push(TagId(number));
            }
        }
        for (number, node) in (0..).zip(&self.graph.nodes) {
            let instruction = &self.graph.instructions[node.instruction.0 as usize];
            if instruction.kind != InstructionKind::Allocate || node.frequency == 0 {
                continue;
            }
            let (Some(method), Some(slot)) = (instruction.place.method, node.slot) else {
                continue;
            };
            for &tag in tags.get(&(method, instruction.place.bci, slot)).into_iter().flatten() {
                let effect = Effect::Allocates(tag);
                self.effects.insert(HeapEffect { node: CostNodeId(number), effect });
            }
        }
    }

    fn finish(mut self) -> CostGraph {
        self.allocations();
        let mut graph = self.graph;
        graph.edges = self.edges.into_iter().collect();
        graph.edges.sort_unstable();
        graph.effects = self.effects.into_iter().collect();
        graph.effects.sort_unstable();
        graph.references = self.references.into_iter().collect();
        graph.locations = self.uses.into_values().collect();
        graph
    }
}
