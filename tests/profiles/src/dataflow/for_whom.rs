//! A program that copies, allocates and computes by methods of the JDK, in contexts and in
//! data flow, with a start.

use profile::dataflow::{
    Allocations, CopyEdge, CopyProfile, CostGraph, CostNode, DataFlow, FieldId, Instruction,
    InstructionId, InstructionKind, Location, MethodResults, Objects, Origin, Place,
    ResultsProfile, ResultsTotals, Site, SiteId, SiteKind, Store, StoreId, Tag, TagId,
};
use profile::{
    CallSite, ClassId, ClassInfo, MethodId, MethodInfo, Metric, NO_PARENT, Nodes, Profile,
    ThreadTree,
};

const METHODS: [(u32, &str); 8] = [
    (0, "main"),
    (0, "line"),
    (1, "print"),
    (1, "<clinit>"),
    (2, "copyOf"),
    (2, "fill"),
    (3, "append"),
    (4, "run"),
];
const MAIN: u32 = 0;
const LINE: u32 = 1;
const PRINT: u32 = 2;
const CLINIT: u32 = 3;
const COPY_OF: u32 = 4;
const FILL: u32 = 5;
const APPEND: u32 = 6;
const RUN: u32 = 7;
const CLASSES: [&str; 5] =
    ["app.Main", "app.Report", "java.util.Arrays", "java.lang.StringBuilder", "java.lang.Thread"];

/// Method, parent, and calls, bytecodes, allocations, copies, stores.
const CONTEXTS: [(u32, u32, [u64; 5]); 11] = [
    (MAIN, NO_PARENT, [1, 100, 0, 4, 4]),
    (LINE, 0, [10, 400, 10, 6, 6]),
    (APPEND, 1, [100, 1_000, 20, 20, 20]),
    (COPY_OF, 2, [30, 300, 30, 30, 30]),
    (PRINT, 0, [5, 100, 0, 0, 0]),
    (COPY_OF, 4, [50, 500, 50, 50, 50]),
    (CLINIT, 0, [1, 200, 0, 10, 10]),
    (COPY_OF, 6, [40, 400, 40, 40, 40]),
    (FILL, 6, [8, 900, 5, 30, 30]),
    (RUN, NO_PARENT, [1, 100, 0, 0, 0]),
    (COPY_OF, 9, [10, 0, 0, 10, 10]),
];

fn place(method: u32, line: u16) -> Place {
    Place { method: Some(MethodId(method)), bci: line, line }
}

/// A tag with so many objects of 16 bytes, made by a method.
fn tag(objects: &mut Objects, class: &str, method: u32, line: u16, made: u64) -> TagId {
    let kind = if class.ends_with("[]") { SiteKind::Array } else { SiteKind::New };
    objects.sites.push(Site { place: place(method, line), class: class.into(), kind });
    let site = SiteId(objects.sites.len() as u32 - 1);
    objects.tags.push(Tag { site, slot: 0 });
    objects.allocations.push(Allocations { objects: made, bytes: 16 * made });
    TagId(objects.tags.len() as u32 - 1)
}

/// What StringBuilder.append makes goes by Arrays.copyOf to an array, and from there by
/// Main.line into an object, where nobody uses it.
fn copies() -> CopyProfile {
    let mut copies = CopyProfile::default();
    let o = &mut copies.objects;
    o.slots = 1;
    let copied = tag(o, "byte[]", COPY_OF, 30, 120);
    tag(o, "byte[]", FILL, 40, 5);
    let line = tag(o, "app.Main", LINE, 12, 10);
    let text = tag(o, "byte[]", APPEND, 50, 20);
    let (class, name, descriptor) = ("app.Main".into(), "value".into(), "I".into());
    o.fields.push(profile::dataflow::Field { class, name, descriptor, is_static: false });
    copies.assigned = vec![Allocations::default(); o.tags.len()];
    copies.assigned[copied.0 as usize] = Allocations { objects: 40, bytes: 640 };
    let element = |tag| Location { tag, field: FieldId::ELEMENTS };
    let value = Location { tag: line, field: FieldId(1) };
    copies.stores = vec![
        Store { place: place(COPY_OF, 30), field: FieldId::ELEMENTS },
        Store { place: place(LINE, 13), field: value.field },
    ];
    let edge = |from, to, store, count, bytes| {
        let (from, store) = (Origin::Location(from), StoreId(store));
        CopyEdge { from, to, store, count, bytes }
    };
    copies.edges = vec![
        edge(element(text), element(copied), 0, 60, 1),
        edge(element(copied), value, 1, 10, 4),
    ];
    copies
}

/// A hundred dead values in Arrays.copyOf, and ten in Main.line.
fn costs() -> CostGraph {
    let mut graph = CostGraph::default();
    for (number, (method, line, frequency)) in (0..).zip([(COPY_OF, 30, 100), (LINE, 13, 10)]) {
        let (place, field) = (place(method, line), FieldId::ELEMENTS);
        graph.instructions.push(Instruction { place, kind: InstructionKind::Compute, field });
        let instruction = InstructionId(number);
        graph.nodes.push(CostNode { instruction, slot: Some(0), frequency });
    }
    graph
}

/// StringBuilder.append and Arrays.fill mostly give results that they have given before.
fn results() -> ResultsProfile {
    let of = |method, returned, cost| MethodResults {
        method: MethodId(method),
        returned,
        receivers: 1,
        inputs: 1,
        hits: returned - 1,
        last_hits: returned - 1,
        cost,
        saving: cost - 100,
        ..MethodResults::default()
    };
    let totals = ResultsTotals { threads: 1, identities: 9, too_deep: 0 };
    ResultsProfile { methods: vec![of(APPEND, 100, 1_300), of(FILL, 8, 900)], totals }
}

/// The recording. Of 200 copies 80 belong to a static initialiser, 56 are for Main.line, 50
/// for Report.print, 10 for nobody of the program, and 4 for Main.main.
pub fn for_whom() -> Profile {
    let names = ["calls", "bytecodes", "allocations", "copies", "stores"];
    let metric = |(at, name): (usize, &str)| Metric {
        name: name.into(),
        values: CONTEXTS.iter().map(|context| context.2[at]).collect(),
    };
    let method = |&(class, name): &(u32, &str)| MethodInfo {
        class: ClassId(class),
        name: name.into(),
        descriptor: "()I".into(),
        access: 0,
        sites: vec![CallSite { bci: 1, line: 2 }],
    };
    let class = |name: &str| ClassInfo { name: name.into(), ..ClassInfo::default() };
    Profile {
        classes: CLASSES.map(class).into(),
        methods: METHODS.iter().map(method).collect(),
        threads: vec![ThreadTree { name: "main".into(), threads: 1, nodes: 0..11 }],
        nodes: Nodes {
            method: CONTEXTS.iter().map(|context| context.0).collect(),
            parent: CONTEXTS.iter().map(|context| context.1).collect(),
            site: vec![0; CONTEXTS.len()],
            metrics: names.into_iter().enumerate().map(metric).collect(),
        },
        dataflow: DataFlow {
            copies: Some(copies()),
            costs: Some(costs()),
            results: Some(results()),
            ..DataFlow::default()
        },
        ..Profile::default()
    }
}
