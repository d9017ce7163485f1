//! The ways of nulls in a live file.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::arena::Arena;
use super::catalog::Catalog;
use super::dataflow::{Numbers, entries, name_fields, read_element_writers};
use crate::dataflow::{
    FieldId, LostOrigins, NullGraph, NullKind, NullNode, NullNodeId, NullPointer, Objects, Place,
};
use crate::layout::dataflow::{self, edge, null};
use crate::layout::header;
use crate::null_records::{NullInstruction, NullInstructionKind, NullNodesRecord};
use crate::{Error, Image, MethodId};

/// Why nulls are lost, in the order of the counters.
const REASONS: [&str; 3] = [
    "arguments of methods that code without probes called",
    "exceptions that natives and code without probes raised: they are not listed",
    "steps that the file had no room for",
];

/// The ways of nulls in a recording, if it has any.
pub(super) fn read_nulls<I: Image>(
    arena: &Arena<'_, I>,
    catalog: &Catalog,
) -> Result<Option<NullGraph>, Error> {
    let record = arena.image.header_u32(header::FLOW);
    if record == 0 || catalog.dataflow.null_nodes.is_empty() {
        return Ok(None);
    }
    arena.check(record, dataflow::WORDS, "the record of data flow")?;
    let mut found = Found::default();
    entries(arena, arena.image.word(record + dataflow::FIRST_EDGES), edge::WORDS, |at| {
        let image = arena.image;
        let from = image.counter(at + edge::FROM) as u32;
        let to = image.word(at + edge::TO);
        let count = image.counter(at + edge::COUNT);
        found.add(image.word(at + edge::STORE), from, to, count);
    })?;
    let mut objects = Objects::default();
    let fields = name_fields(&catalog.dataflow, &mut objects);
    let mut reader = Reader::new(catalog, &fields, &objects);
    found.add_inherited_statics(&reader);
    reader.edges(&found);
    reader.exceptions(&found);
    let mut graph = reader.graph;
    graph.element_writers = read_element_writers(arena, record);
    for (number, reason) in (0..).zip(REASONS) {
        let values = arena.image.counter(record + dataflow::LOST + 2 * number);
        if values > 0 {
            graph.lost.push(LostOrigins { reason: reason.to_owned(), values });
        }
    }
    Ok(Some(graph))
}

/// What threads noted, in numbers of nodes.
#[derive(Default)]
struct Found {
    flowed: BTreeSet<(u32, u32)>,
    /// By the instruction that met the null and the node before: how many
    /// exceptions were raised, and how many of them not caught.
    exceptions: BTreeMap<(u32, u32), (u64, u64)>,
}

impl Found {
    fn add(&mut self, relation: u32, from: u32, to: u32, count: u64) {
        if count == 0 {
            return;
        }
        match relation {
            null::FLOWED => drop(self.flowed.insert((from, to))),
            null::RAISED | null::UNCAUGHT => {
                let (raised, uncaught) = self.exceptions.entry((to, from)).or_default();
                let counter = if relation == null::RAISED { raised } else { uncaught };
                *counter = counter.saturating_add(count);
            }
            _ => {}
        }
    }

    /// A static field that is inherited has one number for each class that it is
    /// named by. Who stored under another number led here, too.
    fn add_inherited_statics(&mut self, reader: &Reader<'_>) {
        let statics = |&(_, to): &(u32, u32)| {
            let instruction = reader.instruction(to)?.1;
            let field = reader.fields.get(instruction.field)?;
            let is_static = reader.objects.fields[field.0 as usize].is_static;
            is_static.then_some((field, instruction, to))
        };
        let mut stores: HashMap<FieldId, Vec<(u32, u32)>> = HashMap::new();
        for (field, instruction, node) in self.flowed.iter().filter_map(statics) {
            if instruction.kind == NullInstructionKind::Store {
                stores.entry(field).or_default().push((instruction.field, node));
            }
        }
        let unset = self.flowed.range((null::INITIAL, 0)..(null::INITIAL + 1, 0));
        let mut led = Vec::new();
        for (field, load, node) in unset.filter_map(statics) {
            let others = stores.get(&field).into_iter().flatten();
            let others = others.filter(|&&(number, _)| number != load.field);
            led.extend(others.map(|&(_, store)| (store, node)));
        }
        for &(_, node) in &led {
            self.flowed.remove(&(null::INITIAL, node));
        }
        self.flowed.extend(led);
    }
}

struct Reader<'a> {
    catalog: &'a Catalog,
    /// By the number of their first node.
    by_number: BTreeMap<u32, &'a NullNodesRecord>,
    fields: &'a Numbers<FieldId>,
    objects: &'a Objects,
    known: HashMap<NullNode, NullNodeId>,
    graph: NullGraph,
}

impl<'a> Reader<'a> {
    fn new(catalog: &'a Catalog, fields: &'a Numbers<FieldId>, objects: &'a Objects) -> Self {
        // A method without nodes has the first number of the one that came next.
        let all = catalog.dataflow.null_nodes.values();
        let records = all.filter(|record| !record.instructions.is_empty());
        let by_number = records.map(|record| (record.first, record)).collect();
        let (known, graph) = (HashMap::new(), NullGraph::default());
        Self { catalog, by_number, fields, objects, known, graph }
    }

    fn instruction(&self, number: u32) -> Option<(&'a NullNodesRecord, NullInstruction)> {
        let (&first, record) = self.by_number.range(..=number).next_back()?;
        let instruction = record.instructions.get((number - first) as usize)?;
        Some((record, *instruction))
    }

    fn place(&self, number: u32) -> Option<Place> {
        let (record, instruction) = self.instruction(number)?;
        let method = self.catalog.place(record.method).map(MethodId);
        Some(Place { method, bci: instruction.bci, line: instruction.line })
    }

    fn add(&mut self, node: NullNode) -> NullNodeId {
        let nodes = &mut self.graph.nodes;
        *self.known.entry(node).or_insert_with_key(|node| {
            nodes.push(node.clone());
            NullNodeId(nodes.len() as u32 - 1)
        })
    }

    /// The node with a number that probes use; as where a null begins if `is_new`.
    fn node(&mut self, number: u32, is_new: bool) -> Option<NullNodeId> {
        let place = self.place(number)?;
        let (_, instruction) = self.instruction(number)?;
        let (kind, what) = match instruction.kind {
            NullInstructionKind::Constant => (NullKind::Constant, String::new()),
            NullInstructionKind::Native => (NullKind::Native, String::new()),
            NullInstructionKind::Return => (NullKind::Return, String::new()),
            NullInstructionKind::Load if is_new => (NullKind::Initial, self.field(instruction)),
            NullInstructionKind::Load => (NullKind::Load, self.field(instruction)),
            NullInstructionKind::Store => (NullKind::Store, self.field(instruction)),
            NullInstructionKind::Argument(number) => {
                (NullKind::Argument, format!("argument {number}"))
            }
            NullInstructionKind::Dereference => return None,
        };
        Some(self.add(NullNode { place, kind, what }))
    }

    /// What an access to the heap is one to.
    fn field(&self, instruction: NullInstruction) -> String {
        if instruction.field == 0 {
            return "an element".to_owned();
        }
        let field = self.fields.get(instruction.field).unwrap_or_default();
        let field = &self.objects.fields[field.0 as usize];
        format!("{}.{}", field.class, field.name)
    }

    fn edges(&mut self, found: &Found) {
        for &(from, to) in &found.flowed {
            let Some(to_node) = self.node(to, false) else { continue };
            let from = match from {
                null::UNKNOWN => None,
                null::INITIAL => self.node(to, true),
                from => self.node(from, false),
            };
            self.graph.edges.extend(from.map(|from| (from, to_node)));
        }
    }

    fn exceptions(&mut self, found: &Found) {
        for (&(place, last), &(raised, uncaught)) in &found.exceptions {
            let Some(place) = self.place(place) else { continue };
            let last = if last == null::UNKNOWN { None } else { self.node(last, false) };
            let uncaught = uncaught.min(raised);
            let caught = raised - uncaught;
            self.graph.exceptions.push(NullPointer { place, last, caught, uncaught });
        }
    }
}
