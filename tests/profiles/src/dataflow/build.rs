//! Graphs written by hand. Sites and instructions stand in one method,
//! `Main.main`, and are known by their lines.

use profile::dataflow::{
    Allocations, CopyEdge, CopyProfile, CostGraph, CostNode, CostNodeId, DataFlow, Field, FieldId,
    HeapEffect, Instruction, InstructionId, InstructionKind, Location, Objects, Origin, Place,
    Site, SiteId, SiteKind, Store, StoreId, Tag, TagContext, TagId,
};
use profile::{ClassId, ClassInfo, MethodId, MethodInfo, Profile};

/// Line `line` of the only method.
pub fn line(line: u16) -> Place {
    Place { method: Some(MethodId(0)), bci: line, line }
}

/// Adds a site; arrays are known by their brackets.
pub fn site(objects: &mut Objects, class: &str, at: u16) -> SiteId {
    let kind = if class.ends_with("[]") { SiteKind::Array } else { SiteKind::New };
    objects.sites.push(Site { place: line(at), class: class.into(), kind });
    SiteId(objects.sites.len() as u32 - 1)
}

/// Adds a tag under which so many objects of 16 bytes were made.
pub fn tag(objects: &mut Objects, site: SiteId, context: Option<SiteId>, made: u64) -> TagId {
    let tag = TagId(objects.tags.len() as u32);
    objects.slots = 4;
    let slot = context.map_or(0, |context| 1 + context.0 % objects.slots);
    objects.tags.push(Tag { site, slot });
    objects.allocations.push(Allocations { objects: made, bytes: 16 * made });
    objects.contexts.extend(context.map(|site| TagContext { tag, context: site.0 }));
    tag
}

/// A field by its name, made where it is not there yet; those whose names begin
/// with a capital are static.
pub fn field(objects: &mut Objects, name: &str) -> FieldId {
    if let Some(known) = objects.fields.iter().position(|field| field.name == name) {
        return FieldId(known as u32);
    }
    let is_static = name.starts_with(char::is_uppercase);
    let (class, name, descriptor) = ("Main".into(), name.into(), "I".into());
    objects.fields.push(Field { class, name, descriptor, is_static });
    FieldId(objects.fields.len() as u32 - 1)
}

/// A location by its owner and the name of its field, `ELM` for elements.
pub fn at(objects: &mut Objects, tag: TagId, name: &str) -> Location {
    Location { tag, field: field(objects, name) }
}

/// A location to load from.
pub fn from(objects: &mut Objects, tag: TagId, name: &str) -> Origin {
    Origin::Location(at(objects, tag, name))
}

/// Adds copies by the store instruction at a line. Of new objects with a tag all count
/// as assigned then.
pub fn copy(
    copies: &mut CopyProfile,
    from: Origin,
    to: Location,
    (count, bytes): (u64, u8),
    at: u16,
) {
    let store = Store { place: line(at), field: to.field };
    let known = copies.stores.iter().position(|other| *other == store);
    let number = known.unwrap_or_else(|| {
        copies.stores.push(store);
        copies.stores.len() - 1
    });
    let store = StoreId(number as u32);
    copies.edges.push(CopyEdge { from, to, store, count, bytes });
    if let Origin::Producer(TagId(tag)) = from {
        copies.assigned.resize(copies.objects.tags.len(), Allocations::default());
        copies.assigned[tag as usize] = copies.objects.allocations[tag as usize];
    }
}

/// Adds a node of an instruction at a line.
pub fn node(graph: &mut CostGraph, at: u16, kind: InstructionKind, frequency: u64) -> CostNodeId {
    let instruction = Instruction { place: line(at), kind, field: FieldId::ELEMENTS };
    graph.instructions.push(instruction);
    let instruction = InstructionId(graph.instructions.len() as u32 - 1);
    let slot = if kind.consumes() { None } else { Some(0) };
    graph.nodes.push(CostNode { instruction, slot, frequency });
    CostNodeId(graph.nodes.len() as u32 - 1)
}

/// Adds a heap effect; the node had it whenever it was executed.
pub fn effect(graph: &mut CostGraph, node: CostNodeId, effect: profile::dataflow::Effect) {
    let times = graph.nodes[node.0 as usize].frequency;
    graph.effects.push(HeapEffect { node, effect, times });
}

/// A profile with the one method and this data flow.
pub fn profile(flow: DataFlow) -> Profile {
    let profile = Profile {
        classes: vec![ClassInfo { name: "Main".into(), ..ClassInfo::default() }],
        methods: vec![MethodInfo::new(ClassId(0), "main", "()V")],
        dataflow: flow,
        ..Profile::default()
    };
    profile.validate().unwrap();
    profile
}

/// A profile with these copies.
pub fn recording(copies: CopyProfile) -> Profile {
    profile(DataFlow { copies: Some(copies), ..DataFlow::default() })
}
