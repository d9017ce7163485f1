//! Objects that die soon, by hand: who holds what, and who holds that.

use profile::dataflow::{Allocations, CopyProfile, Origin, TagId};
use subsume_analysis::dataflow::copies::graph::CopyGraph;
use subsume_analysis::dataflow::copies::lifetimes::dying;

use made_profiles::dataflow::build::{at, copy, from, recording, site, tag};

/// A profile of copies that is filled step by step.
#[derive(Default)]
struct Heap(CopyProfile);

impl Heap {
    /// Makes `objects` objects of a class; the first call makes the unknown tag, too.
    fn make(&mut self, class: &str, objects: u64) -> TagId {
        let line = 1 + self.0.objects.sites.len() as u16;
        let site = site(&mut self.0.objects, class, line);
        tag(&mut self.0.objects, site, None, objects)
    }

    /// All of them are stored, so many references in all, in a field of these.
    fn store(&mut self, what: TagId, holder: TagId, field: &str, references: u64) {
        let to = at(&mut self.0.objects, holder, field);
        copy(&mut self.0, Origin::Producer(what), to, (references, 4), 1);
    }

    /// References are copied from one field to another.
    fn pass(&mut self, (holder, field): (TagId, &str), (to, into): (TagId, &str), times: u64) {
        let origin = from(&mut self.0.objects, holder, field);
        let to = at(&mut self.0.objects, to, into);
        copy(&mut self.0, origin, to, (times, 4), 2);
    }

    /// The share of these objects that dies soon, in percent.
    fn percent(&self, tag: TagId) -> u64 {
        recording(self.0.clone());
        let shares = dying(&self.0, &CopyGraph::new(&self.0));
        (100.0 * shares[tag.0 as usize]).round() as u64
    }
}

#[test]
fn what_only_short_lived_objects_hold_dies_with_them() {
    let mut heap = Heap::default();
    let builder = heap.make("Builder", 100);
    let buffer = heap.make("byte[]", 100);
    let kept = heap.make("Kept", 100);
    let part = heap.make("Part", 100);
    heap.store(buffer, builder, "value", 100);
    heap.store(kept, TagId::UNKNOWN, "Table", 100);
    heap.store(part, kept, "part", 100);
    let shares = [builder, buffer, kept, part].map(|tag| heap.percent(tag));
    assert_eq!(shares, [100, 100, 0, 0]);
}

#[test]
fn objects_that_refer_to_each_other_die_together() {
    let mut heap = Heap::default();
    let head = heap.make("Head", 50);
    let stage = heap.make("Stage", 50);
    heap.store(head, head, "source", 50);
    heap.store(head, stage, "previous", 50);
    heap.store(stage, head, "next", 50);
    assert_eq!([heap.percent(head), heap.percent(stage)], [100, 100]);
    // Until one of them is kept.
    heap.store(stage, TagId::UNKNOWN, "Last", 50);
    assert_eq!([heap.percent(head), heap.percent(stage)], [0, 0]);
}

#[test]
fn what_is_handed_on_lives_as_long_as_where_it_goes() {
    let mut heap = Heap::default();
    let list = heap.make("List", 10);
    let item = heap.make("Item", 40);
    heap.store(item, list, "first", 40);
    assert_eq!(heap.percent(item), 100);
    // A quarter goes on to a table.
    heap.pass((list, "first"), (TagId::UNKNOWN, "Table"), 10);
    assert_eq!(heap.percent(item), 75);
}

#[test]
fn one_object_that_holds_very_many_may_live_long() {
    let mut heap = Heap::default();
    let map = heap.make("Map", 1);
    let entry = heap.make("Entry", 1_600);
    heap.store(entry, map, "table", 1_600);
    assert_eq!([heap.percent(map), heap.percent(entry)], [100, 1]);
}

#[test]
fn of_some_that_are_stored_only_the_others_die() {
    let mut heap = Heap::default();
    let text = heap.make("Text", 8);
    heap.store(text, TagId::UNKNOWN, "Names", 2);
    heap.0.assigned[text.0 as usize] = Allocations { objects: 2, bytes: 32 };
    assert_eq!(heap.percent(text), 75);
}
