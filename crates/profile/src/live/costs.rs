//! The cost graph of a live file: what the code says of dependences, counters
//! of basic blocks, and the relations that probes noted.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::arena::{self, Arena};
use super::catalog::Catalog;
use super::dataflow::{Numbers, entries, name_fields, read_element_writers, read_lost};
use super::objects::read_objects;
use crate::dataflow::{
    CostGraph, CostNode, CostNodeId, Effect, FieldId, HeapEffect, Instruction, InstructionId,
    InstructionKind, Location, LocationUse, Place, Reference, SharedWriters, TagId,
};
use crate::layout::dataflow::{self, edge, frequencies, relation};
use crate::layout::header;
use crate::node_records::CostNodesRecord;
use crate::{Error, Image, MethodId};

/// The cost graph of a recording, if it has one.
pub(super) fn read_costs<I: Image>(
    arena: &Arena<'_, I>,
    catalog: &Catalog,
) -> Result<Option<CostGraph>, Error> {
    let record = arena.image.header_u32(header::FLOW);
    if record == 0 || catalog.dataflow.nodes.is_empty() {
        return Ok(None);
    }
    arena.check(record, dataflow::WORDS, "the record of data flow")?;
    let mut graph = CostGraph { objects: read_objects(arena, catalog)?, ..CostGraph::default() };
    let fields = name_fields(&catalog.dataflow, &mut graph.objects);
    read_lost(arena, record, &mut graph.objects);
    graph.shared = SharedWriters {
        arrays: arena.image.counter(record + dataflow::SHARED),
        elements: arena.image.counter(record + dataflow::SHARED + 2),
    };
    graph.element_writers = read_element_writers(arena, record);
    let mut reader = Reader::new(catalog, fields, graph);
    reader.frequencies(arena, arena.image.word(record + dataflow::FIRST_FREQUENCIES))?;
    reader.relations(arena, arena.image.word(record + dataflow::FIRST_EDGES))?;
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
    effects: Vec<HeapEffect>,
    /// How often nodes loaded and stored, so far.
    accesses: HashMap<(CostNodeId, Effect), i64>,
    references: BTreeSet<Reference>,
    uses: BTreeMap<Location, LocationUse>,
    graph: CostGraph,
}

impl<'a> Reader<'a> {
    fn new(catalog: &'a Catalog, fields: Numbers<FieldId>, mut graph: CostGraph) -> Self {
        let mut by_number = BTreeMap::new();
        let mut first_of_method = HashMap::new();
        // A method without nodes has the first number of the one that came next.
        let records =
            catalog.dataflow.nodes.values().filter(|record| !record.instructions.is_empty());
        for record in records {
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
            effects: Vec::new(),
            accesses: HashMap::new(),
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
            let words = 2 * u64::from(count) + u64::from(image.word(at + frequencies::MET));
            total += u64::from(frequencies::FIRST) + words;
            if total > u64::from(image.words()) {
                return Err(arena::error(at, "the counters of basic blocks run in a circle"));
            }
            // Not more than there are words.
            let words = words as u32;
            arena.check(at + frequencies::FIRST, words, "counters of basic blocks")?;
            let method = image.word(at + frequencies::METHOD);
            let slot = image.word(at + frequencies::SLOT).min(self.graph.objects.slots);
            let counter = |number: u32| match number < count {
                true => image.counter(at + frequencies::FIRST + 2 * number),
                false => 0,
            };
            let met = |word: u32| match (2 * count..words).contains(&word) {
                true => image.word(at + frequencies::FIRST + word),
                false => 0,
            };
            let receiver = image.word(at + frequencies::RECEIVER);
            self.count(method, (slot, receiver), &counter, &met);
            at = image.word(at + frequencies::NEXT);
        }
        Ok(())
    }

    /// Adds the executions of a method in a slot, what they usually met, and what
    /// they depend on by its code.
    fn count(
        &mut self,
        method: u32,
        (slot, receiver): (u32, u32),
        counter: &dyn Fn(u32) -> u64,
        met: &dyn Fn(u32) -> u32,
    ) {
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
                if instruction.is_own {
                    let overwritten = match instruction.kind {
                        InstructionKind::Store => {
                            u64::from(met(instruction.met))
                                | u64::from(met(instruction.met.saturating_add(1))) << 32
                        }
                        _ => 0,
                    };
                    if receiver & frequencies::DECIDED != 0 {
                        let tag = receiver & frequencies::USUAL_TAG;
                        let _ = self.meet(node, tag, times as i64);
                        let _ = self.overwrite(node, tag, overwritten);
                    }
                } else if instruction.met != 0 {
                    let usual = met(instruction.met);
                    let others = match usual & frequencies::DECIDED {
                        0 => 0,
                        _ => met(instruction.met.saturating_add(frequencies::OTHERS)),
                    };
                    if usual != 0 {
                        let times = times as i64 - i64::from(others);
                        // What has lost its record cannot be named.
                        let _ = self.meet(node, usual & frequencies::USUAL_TAG, times);
                    }
                }
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

    /// A node met objects with this tag, so often.
    fn meet(&mut self, node: CostNodeId, tag: u32, times: i64) -> Option<()> {
        let &Instruction { kind, field, .. } = self.graph.instruction(node);
        let location = self.location(tag, field)?;
        let effect = match kind {
            InstructionKind::Load => Effect::Loads(location),
            InstructionKind::Store => Effect::Stores(location),
            _ => return None,
        };
        self.access((node, effect), times);
        Some(())
    }

    /// A node replaced in objects with this tag what nobody had read, so often.
    fn overwrite(&mut self, node: CostNodeId, tag: u32, times: u64) -> Option<()> {
        if times > 0 {
            let location = self.location(tag, self.graph.instruction(node).field)?;
            self.overwritten(location, times);
        }
        Some(())
    }

    fn overwritten(&mut self, location: Location, times: u64) {
        let unused = LocationUse { location, ..LocationUse::default() };
        let used = self.uses.entry(location).or_insert(unused);
        used.overwritten = used.overwritten.saturating_add(times);
    }

    /// Adds to how often a node loaded from a location, or stored there. What is
    /// added may be negative, so sums count only when they are complete.
    fn access(&mut self, access: (CostNodeId, Effect), times: i64) {
        let sum = self.accesses.entry(access).or_default();
        *sum = sum.wrapping_add(times);
    }

    /// What nodes did to the heap, and how often locations were used.
    fn count_accesses(&mut self) {
        for (&(node, effect), &times) in &self.accesses {
            // A process that was killed may have taken off more than it had counted.
            let Some(times) = u64::try_from(times).ok().filter(|&times| times > 0) else {
                continue;
            };
            let (location, is_load) = match effect {
                Effect::Loads(location) => (location, true),
                Effect::Stores(location) => (location, false),
                Effect::Allocates(_) => continue,
            };
            self.effects.push(HeapEffect { node, effect, times });
            let unused = LocationUse { location, ..LocationUse::default() };
            let used = self.uses.entry(location).or_insert(unused);
            let counter = if is_load { &mut used.reads } else { &mut used.writes };
            *counter = counter.saturating_add(times);
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
        match what {
            // Of which some may have to be taken off.
            relation::LOADED => {
                self.access((node, Effect::Loads(location)), count as i64);
            }
            relation::STORED => {
                self.access((node, Effect::Stores(location)), count as i64);
            }
            relation::OVERWRITTEN => self.overwritten(location, count),
            _ => {}
        }
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
                let node = CostNodeId(number);
                self.effects.push(HeapEffect { node, effect, times: 0 });
            }
        }
    }

    fn finish(mut self) -> CostGraph {
        self.allocations();
        self.count_accesses();
        let mut graph = self.graph;
        graph.edges = self.edges.into_iter().collect();
        graph.edges.sort_unstable();
        graph.effects = self.effects;
        graph.effects.sort_unstable();
        graph.effects.dedup();
        graph.references = self.references.into_iter().collect();
        graph.locations = self.uses.into_values().collect();
        graph
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataflow::{Site, SiteId, Tag};
    use crate::node_records::CostInstruction;

    const USUAL: u32 = 1;
    const OTHER: u32 = 2;

    /// A method with one load of elements, executed 10 times in each of these
    /// blocks of counters, which have these words behind them. Gives how often
    /// objects with the two tags were loaded from.
    fn loads(blocks: &[[u32; 4]], edges: &[(u32, i64)]) -> (u64, u64) {
        let load = CostInstruction { kind: InstructionKind::Load, met: 2, ..Default::default() };
        let record =
            CostNodesRecord { method: 7, first: 1, instructions: vec![load], ..Default::default() };
        let mut catalog = Catalog::default();
        catalog.dataflow.nodes.insert(7, record);
        let mut graph = CostGraph::default();
        graph.objects.sites.resize(3, Site::default());
        graph.objects.tags = (0..3).map(|site| Tag { site: SiteId(site), slot: 0 }).collect();
        let fields = name_fields(&catalog.dataflow, &mut graph.objects);
        let mut reader = Reader::new(&catalog, fields, graph);
        for block in blocks {
            let met = |word: u32| block[word as usize - 2];
            reader.count(7, (0, 0), &|number| if number == 0 { 10 } else { 0 }, &met);
        }
        for &(tag, count) in edges {
            reader.relate(relation::LOADED, 1, tag, count as u64).expect("everything is known");
        }
        let graph = reader.finish();
        assert_eq!(graph.nodes.iter().map(|node| node.frequency).sum::<u64>(), {
            10 * blocks.len() as u64
        });
        let loaded = |tag| {
            let effect = Effect::Loads(Location { tag: TagId(tag), field: FieldId::ELEMENTS });
            let is_known = graph.effects.iter().any(|known| known.effect == effect);
            let used = graph.locations.iter().find(|used| used.location.tag == TagId(tag));
            assert_eq!(used.is_some(), is_known);
            used.map_or(0, |used| used.reads)
        };
        (loaded(USUAL), loaded(OTHER))
    }

    #[test]
    fn an_access_meets_its_usual_tag_when_it_meets_no_other() {
        let decided = |tag| tag | frequencies::DECIDED;
        let candidate = |tag| tag | frequencies::DECIDED << 1;
        assert_eq!(loads(&[[decided(USUAL), 0, 0, 0]], &[]), (10, 0));
        assert_eq!(loads(&[[decided(USUAL), 0, 3, 0]], &[(OTHER, 3)]), (7, 3));
        // Until that is decided, the word is for something else.
        assert_eq!(loads(&[[candidate(USUAL), 0, 10, 0]], &[]), (10, 0));
        // Another one was usual before.
        assert_eq!(loads(&[[decided(USUAL), 0, 0, 0]], &[(OTHER, 4), (USUAL, -4)]), (6, 4));
        // Threads differ in what is usual.
        let both = [[decided(USUAL), 0, 1, 0], [decided(OTHER), 0, 2, 0]];
        assert_eq!(loads(&both, &[(OTHER, 1), (USUAL, 2)]), (11, 9));
        // Nothing was met, as far as is known.
        assert_eq!(loads(&[[0; 4]], &[]), (0, 0));
    }

    #[test]
    fn a_method_without_nodes_takes_no_place() {
        let of = |method, instructions| CostNodesRecord {
            method,
            first: 1,
            instructions,
            ..CostNodesRecord::default()
        };
        let mut catalog = Catalog::default();
        // The second one was numbered first.
        catalog.dataflow.nodes.insert(7, of(7, vec![CostInstruction::default()]));
        catalog.dataflow.nodes.insert(8, of(8, Vec::new()));
        let mut graph = CostGraph::default();
        let fields = name_fields(&catalog.dataflow, &mut graph.objects);
        let mut reader = Reader::new(&catalog, fields, graph);
        for method in [7, 8] {
            reader.count(method, (0, 0), &|_| 10, &|_| 0);
        }
        let graph = reader.finish();
        assert_eq!(graph.nodes.iter().map(|node| node.frequency).sum::<u64>(), 10);
    }

    #[test]
    fn no_location_is_used_less_than_never() {
        // A process was killed before it had counted what it took off.
        let usual = USUAL | frequencies::DECIDED;
        assert_eq!(loads(&[[usual, 0, 12, 0]], &[(OTHER, 12)]), (0, 12));
    }
}
