//! Data flow of a live file: the tables that probes fill, with the names that
//! the metadata gives to their numbers.

use std::collections::{HashMap, HashSet};

use super::arena::{self, Arena};
use super::catalog::Catalog;
use super::dataflow_records::DataFlowRecords;
use super::objects::read_objects;
use crate::dataflow::{
    Allocations, CopyEdge, CopyProfile, ElementWriters, Field, FieldId, Location, LostOrigins,
    Objects, Origin, Place, Store, StoreId, TagId,
};
use crate::layout::dataflow::{self, edge, shadow};
use crate::layout::header;
use crate::metadata::{FieldRecord, StructureRecord};
use crate::object_records::ObjectRecord;
use crate::{Error, Image, MethodId};

/// Why origins are lost, in the order of their counters.
const REASONS: [&str; dataflow::LOST_REASONS] = [
    "arguments of methods that code without probes called",
    "arguments behind the eighth",
    "stores and uses that the file had no room for",
];

/// A table of numbers whose entries may be missing.
pub(super) struct Numbers<T>(Vec<Option<T>>);

impl<T: Copy> Numbers<T> {
    pub(super) fn set(&mut self, number: u32, value: T) {
        let number = number as usize;
        if self.0.len() <= number {
            self.0.resize(number + 1, None);
        }
        self.0[number] = Some(value);
    }

    pub(super) fn get(&self, number: u32) -> Option<T> {
        *self.0.get(number as usize)?
    }
}

/// The copy graph of a recording, if it has one.
pub(super) fn read_copies<I: Image>(
    arena: &Arena<'_, I>,
    catalog: &Catalog,
) -> Result<Option<CopyProfile>, Error> {
    let record = arena.image.header_u32(header::FLOW);
    let is_other = !catalog.dataflow.nodes.is_empty()
        || !catalog.dataflow.null_nodes.is_empty()
        || catalog.dataflow.loop_totals.is_some()
        || catalog.dataflow.results_totals.is_some()
        || catalog.dataflow.typestate_totals.is_some();
    if record == 0 || is_other {
        return Ok(None);
    }
    arena.check(record, dataflow::WORDS, "the record of data flow")?;
    let mut copies =
        CopyProfile { objects: read_objects(arena, catalog)?, ..CopyProfile::default() };
    let fields = name_fields(&catalog.dataflow, &mut copies.objects);
    let stores = name_stores(catalog, &fields, &mut copies.stores);
    copies.assigned = vec![Allocations::default(); copies.objects.tags.len()];
    let mut reader = Reader { arena, fields, stores, copies: &mut copies };
    reader.edges(arena.image.word(record + dataflow::FIRST_EDGES))?;
    reader.consumed(arena.image.word(record + dataflow::FIRST_CONSUMED))?;
    add_sizes(catalog, &mut copies.assigned);
    copies.consumed.sort_unstable();
    copies.consumed.dedup();
    read_lost(arena, record, &mut copies.objects);
    Ok(Some(copies))
}

/// Bytes of objects whose tags have a record of their size. A sum is not negative unless the
/// file was read while an object got another tag.
fn add_sizes(catalog: &Catalog, assigned: &mut [Allocations]) {
    for sum in assigned.iter_mut().flat_map(|sums| [&mut sums.objects, &mut sums.bytes]) {
        *sum = (*sum as i64).max(0) as u64;
    }
    for record in &catalog.dataflow.objects {
        if let ObjectRecord::Size { tag, bytes } = *record
            && let Some(assigned) = assigned.get_mut(tag as usize)
        {
            let all = assigned.objects.saturating_mul(u64::from(bytes));
            assigned.bytes = assigned.bytes.saturating_add(all);
        }
    }
}

/// Origins that were lost, by reason.
pub(super) fn read_lost<I: Image>(arena: &Arena<'_, I>, record: u32, objects: &mut Objects) {
    for (number, reason) in (0..).zip(REASONS) {
        let values = arena.image.counter(record + dataflow::LOST + 2 * number);
        if values > 0 {
            objects.lost.push(LostOrigins { reason: reason.to_owned(), values });
        }
    }
}

/// How well last writers of elements are known.
pub(super) fn read_element_writers<I: Image>(arena: &Arena<'_, I>, record: u32) -> ElementWriters {
    ElementWriters {
        forgotten: arena.image.counter(record + dataflow::FORGOTTEN),
        misplaced: arena.image.counter(record + dataflow::MISPLACED),
        bytes: arena.image.counter(record + dataflow::ELEMENT_BYTES),
    }
}

/// Follows a chain of chunks; hands on where each entry stands.
pub(super) fn entries<I: Image>(
    arena: &Arena<'_, I>,
    first: u32,
    words: u32,
    mut entry: impl FnMut(u32),
) -> Result<(), Error> {
    let mut chunk = first;
    let mut total = 0;
    while chunk != 0 {
        arena.check(chunk, dataflow::CHUNK_FIRST, "a chunk of data flow")?;
        let count = arena.image.word(chunk + dataflow::CHUNK_ENTRIES);
        let length = u64::from(count) * u64::from(words);
        total += length + u64::from(dataflow::CHUNK_FIRST);
        if total > u64::from(arena.image.words()) {
            return Err(arena::error(chunk, "the chunks of data flow run in a circle"));
        }
        let at = chunk + dataflow::CHUNK_FIRST;
        arena.check(at, length as u32, "a chunk of data flow")?;
        (0..count).for_each(|index| entry(at + index * words));
        chunk = arena.image.word(chunk + dataflow::CHUNK_NEXT);
    }
    Ok(())
}

/// Numbers of fields: several may stand for the same one, where a subclass
/// inherits it.
pub(super) fn name_fields(records: &DataFlowRecords, objects: &mut Objects) -> Numbers<FieldId> {
    let structures: HashMap<&str, &StructureRecord> =
        records.structures.iter().map(|class| (class.name.as_str(), class)).collect();
    let mut known: HashMap<Field, FieldId> = HashMap::new();
    let mut numbers = Numbers(Vec::new());
    numbers.set(0, FieldId::ELEMENTS);
    for record in &records.fields {
        let class = declaring_class(&structures, record).unwrap_or(&record.class);
        let field = Field {
            class: class.replace('/', "."),
            name: record.name.clone(),
            descriptor: record.descriptor.clone(),
            is_static: record.is_static,
        };
        let next = FieldId(objects.fields.len() as u32);
        let id = *known.entry(field.clone()).or_insert_with(|| {
            objects.fields.push(field);
            next
        });
        numbers.set(record.id, id);
    }
    numbers
}

/// The class that declares a field, by the search of JVMS 5.4.3.2.
fn declaring_class<'a>(
    structures: &HashMap<&'a str, &'a StructureRecord>,
    field: &'a FieldRecord,
) -> Option<&'a str> {
    // Classes of one name from several loaders count as one; what comes of it
    // could be a circle.
    let mut seen = HashSet::new();
    let mut waiting = vec![field.class.as_str()];
    while let Some(name) = waiting.pop() {
        let Some(class) = structures.get(name).filter(|_| seen.insert(name)) else { continue };
        let declares = |(own, descriptor): &(String, String)| {
            *own == field.name && *descriptor == field.descriptor
        };
        if class.fields.iter().any(declares) {
            return Some(name);
        }
        // Interfaces are looked at before the superclass.
        waiting.push(&class.superclass);
        waiting.extend(class.interfaces.iter().rev().map(String::as_str));
    }
    None
}

/// Numbers of stores, and what is known of each.
fn name_stores(
    catalog: &Catalog,
    fields: &Numbers<FieldId>,
    stores: &mut Vec<Store>,
) -> Numbers<(StoreId, u8)> {
    let mut numbers = Numbers(Vec::new());
    for record in &catalog.dataflow.stores {
        let method = catalog.place(record.method).map(MethodId);
        for (number, store) in (record.first..).zip(&record.stores) {
            let id = StoreId(stores.len() as u32);
            stores.push(Store {
                place: Place { method, bci: store.bci, line: store.line },
                field: fields.get(store.field).unwrap_or_default(),
            });
            numbers.set(number, (id, store.bytes));
        }
    }
    numbers
}

struct Reader<'a, I> {
    arena: &'a Arena<'a, I>,
    fields: Numbers<FieldId>,
    stores: Numbers<(StoreId, u8)>,
    copies: &'a mut CopyProfile,
}

impl<I: Image> Reader<'_, I> {
    fn edges(&mut self, first: u32) -> Result<(), Error> {
        // Threads have entries of their own.
        let mut sums: HashMap<(Origin, Location, StoreId, u8), u64> = HashMap::new();
        let arena = self.arena;
        let reader = &mut *self;
        entries(arena, first, edge::WORDS, |at| {
            let image = arena.image;
            let shadow = image.counter(at + edge::FROM);
            let count = image.counter(at + edge::COUNT);
            let number = image.word(at + edge::STORE);
            if matches!(number, dataflow::ASSIGNED_OBJECTS | dataflow::ASSIGNED_BYTES) {
                return reader.assigned(shadow, number, count);
            }
            let store = reader.stores.get(number);
            // Without its record, where there was no room for it, nothing can be said.
            let Some((store, bytes)) = store.filter(|_| count > 0) else { return };
            let Some(from) = reader.origin(shadow) else { return };
            let field = reader.copies.stores[store.0 as usize].field;
            let Some(to) = reader.location(image.word(at + edge::TO), field) else { return };
            let sum = sums.entry((from, to, store, bytes)).or_default();
            *sum = sum.saturating_add(count);
        })?;
        self.copies.edges = sums
            .into_iter()
            .map(|((from, to, store, bytes), count)| CopyEdge { from, to, store, count, bytes })
            .collect();
        self.copies.edges.sort_unstable_by_key(|edge| (edge.to, edge.from, edge.store, edge.bytes));
        Ok(())
    }

    /// Counts what was assigned to the heap.
    fn assigned(&mut self, shadow: u64, number: u32, count: u64) {
        let Some(assigned) = self.copies.assigned.get_mut(shadow::tag(shadow) as usize) else {
            return;
        };
        let sum = match number {
            dataflow::ASSIGNED_OBJECTS => &mut assigned.objects,
            _ => &mut assigned.bytes,
        };
        // Where an object got another tag, a thread's part may be negative.
        *sum = sum.wrapping_add(count);
    }

    fn consumed(&mut self, first: u32) -> Result<(), Error> {
        let arena = self.arena;
        let reader = &mut *self;
        entries(arena, first, dataflow::CONSUMED_WORDS, |at| {
            let shadow = arena.image.counter(at);
            if let Some(origin) = reader.origin(shadow) {
                reader.copies.consumed.push(origin);
            }
        })
    }

    /// What a shadow says, if it says anything.
    fn origin(&self, shadow: u64) -> Option<Origin> {
        if shadow == 0 {
            return None;
        }
        let (tag, field) = (shadow::tag(shadow), shadow::field(shadow));
        if field == shadow::PRODUCER {
            return self.tag(tag).map(Origin::Producer);
        }
        self.location(tag, self.fields.get(field)?).map(Origin::Location)
    }

    fn location(&self, tag: u32, field: FieldId) -> Option<Location> {
        let is_static = self.copies.objects.fields[field.0 as usize].is_static;
        // Of two fields of one name, one may be static in another loader's class.
        let tag = if is_static { TagId::UNKNOWN } else { self.tag(tag)? };
        Some(Location { tag, field })
    }

    fn tag(&self, tag: u32) -> Option<TagId> {
        (tag != 0 && (tag as usize) < self.copies.objects.tags.len()).then_some(TagId(tag))
    }
}
