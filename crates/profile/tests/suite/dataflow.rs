//! Data flow is kept by the compact form; numbers out of range are refused.

use subsume_profile::dataflow::{
    Allocations, CopyEdge, CopyProfile, CostGraph, CostNode, CostNodeId, DataFlow, Effect, Field,
    FieldId, GrowthPoint, GrowthProfile, GrowthTotals, HeapEffect, Instruction, Location,
    LocationUse, LoopEffects, LoopGrowth, LoopProfile, LoopTotals, LostOrigins, MethodResults,
    NullGraph, NullKind, NullNode, NullNodeId, NullPointer, Objects, Origin, Place, Reference,
    ResultsProfile, ResultsTotals, SimilarLoop, SimilarRead, Site, SiteId, Store, StoreId, Tag,
    TagContext, TagId, TypestateEdge, TypestateNode, TypestateProfile, TypestateProtocol,
    TypestateSite, TypestateState,
};
use subsume_profile::{ClassId, ClassInfo, MethodId, MethodInfo, Profile};

/// One site beside the unknown one, an instance field and a static one.
fn objects() -> Objects {
    let mut objects = Objects { slots: 4, ..Objects::default() };
    objects.sites.push(Site { class: "a.B".into(), ..Site::default() });
    objects.tags.push(Tag { site: SiteId(1), slot: 4 });
    objects.allocations.push(Allocations { objects: 3, bytes: 48 });
    objects.contexts.push(TagContext { tag: TagId(1), context: 0 });
    for (name, is_static) in [("f", false), ("s", true)] {
        objects.fields.push(Field { name: name.into(), is_static, ..Field::default() });
    }
    objects
}

const FIELD: Location = Location { tag: TagId(1), field: FieldId(1) };
const STATIC: Location = Location { tag: TagId::UNKNOWN, field: FieldId(2) };

fn copies() -> CopyProfile {
    CopyProfile {
        objects: objects(),
        stores: vec![Store { place: Place::default(), field: FieldId(1) }],
        edges: vec![CopyEdge {
            from: Origin::Location(STATIC),
            to: FIELD,
            store: StoreId(0),
            count: 7,
            bytes: 4,
        }],
        consumed: vec![Origin::Producer(TagId(1)), Origin::Location(FIELD)],
        assigned: vec![Allocations::default(), Allocations { objects: 2, bytes: 32 }],
    }
}

fn costs() -> CostGraph {
    CostGraph {
        objects: objects(),
        instructions: vec![Instruction::default()],
        nodes: vec![CostNode { slot: Some(4), frequency: 9, ..CostNode::default() }],
        edges: vec![(CostNodeId(0), CostNodeId(0))],
        effects: vec![HeapEffect { node: CostNodeId(0), effect: Effect::Stores(FIELD), times: 7 }],
        ..CostGraph::default()
    }
}

fn nulls() -> NullGraph {
    NullGraph {
        nodes: vec![NullNode::default()],
        edges: vec![(NullNodeId(0), NullNodeId(0))],
        exceptions: vec![NullPointer { last: Some(NullNodeId(0)), ..NullPointer::default() }],
        ..NullGraph::default()
    }
}

fn loops() -> LoopProfile {
    let similar = vec![SimilarRead {
        place: Place { method: Some(MethodId(0)), bci: 9, line: 300 },
        path: vec![Place { method: Some(MethodId(0)), bci: 300, line: 1 }],
        what: "elements of int[]".into(),
        similar: 70_000,
        truncated: 1,
        ..SimilarRead::default()
    }];
    let found = SimilarLoop {
        place: Place { method: Some(MethodId(0)), bci: 3, line: 4 },
        path: vec![Place { method: Some(MethodId(0)), bci: 5, line: 6 }; 2],
        wasted: u64::MAX,
        similar,
        others: 7,
        ..SimilarLoop::default()
    };
    let totals = LoopTotals { reads: 1 << 40, irreducible: 2, ..LoopTotals::default() };
    LoopProfile { loops: vec![found], totals }
}

fn growth() -> GrowthProfile {
    let place = Place { method: Some(MethodId(0)), bci: 9, line: 300 };
    let points = vec![GrowthPoint::of(3, 7), GrowthPoint::of(1 << 40, u64::MAX)];
    let totals =
        GrowthTotals { instances: 9, inexact: 1, unkept: 2, unfinished: 1 << 20, resting: 3 };
    let effects = LoopEffects { instances: 2, iterations: 1 << 33, ..LoopEffects::default() };
    GrowthProfile { loops: vec![LoopGrowth { place, is_method: true, points, effects }], totals }
}

fn results() -> ResultsProfile {
    let exact = MethodResults {
        returned: 9,
        hits: 5,
        last_hits: 4,
        conflicts: 2,
        cost: 1 << 40,
        saving: 300,
        kinds: 4,
        ..MethodResults::default()
    };
    let deep = MethodResults { depth: 4, level: 2, hits: u64::MAX, hits_error: 70, ..exact };
    let totals = ResultsTotals { threads: 2, identities: 1 << 31, too_deep: 3 };
    ResultsProfile { methods: vec![exact, deep], totals }
}

fn typestates() -> TypestateProfile {
    let place = Place { method: Some(MethodId(0)), bci: 9, line: 300 };
    let state = |name: &str| TypestateState { name: name.into(), is_leak: name == "open" };
    let states = vec![state("error"), state("open")];
    let made = TypestateNode { site: Some(0), place, before: 1, after: 1, ..Default::default() };
    let called = TypestateNode { site: None, event: Some("read".into()), after: 0, ..made.clone() };
    TypestateProfile {
        protocols: vec![TypestateProtocol { name: "file".into(), start: 1, states }],
        sites: vec![TypestateSite { place, class: "a.B".into(), is_obtained: true }],
        nodes: vec![made, called],
        edges: vec![
            TypestateEdge { from: None, to: 0, count: 1 },
            TypestateEdge { from: Some(0), to: 1, count: u64::MAX },
        ],
        lost: 1 << 40,
        unfollowed: 3,
    }
}

#[test]
fn typestates_are_read_as_they_were_written() {
    let dataflow = DataFlow { typestates: Some(typestates()), ..DataFlow::default() };
    let profile = with_a_method(dataflow.clone());
    let mut bytes = Vec::new();
    subsume_profile::write(&profile, &mut bytes).unwrap();
    assert_eq!(subsume_profile::read(&bytes).unwrap().dataflow, dataflow);
    for cut in 0..bytes.len() {
        assert!(subsume_profile::read(&bytes[..cut]).is_err(), "cut at {cut}");
    }
}

#[test]
fn typestates_out_of_range_are_refused() {
    let refused = |break_it: fn(&mut TypestateProfile)| {
        let mut broken = typestates();
        break_it(&mut broken);
        let dataflow = DataFlow { typestates: Some(broken), ..DataFlow::default() };
        with_a_method(dataflow).validate().unwrap_err().to_string()
    };
    let protocol = refused(|all| all.protocols[0].start = 2);
    assert_eq!(protocol, "protocol 0 refers to state 2 of 2");
    let site = refused(|all| all.sites[0].place.method = None);
    assert_eq!(site, "typestate site 0 refers to method 4294967295 of 1");
    let node = refused(|all| all.nodes[1].protocol = 1);
    assert_eq!(node, "typestate node 1 refers to protocol 1 of 1");
    let state = refused(|all| all.nodes[1].before = 2);
    assert_eq!(state, "typestate node 1 refers to state 2 of 2");
    let site = refused(|all| all.nodes[0].site = Some(1));
    assert_eq!(site, "typestate node 0 refers to site 1 of 1");
    let edge = refused(|all| all.edges[1].from = Some(2));
    assert_eq!(edge, "typestate edge 1 refers to node 2 of 2");
}

fn with_a_method(dataflow: DataFlow) -> Profile {
    let method = MethodInfo::new(ClassId(0), "m", "()V");
    let classes = vec![ClassInfo::default()];
    Profile { classes, methods: vec![method], dataflow, ..Profile::default() }
}

#[test]
fn loops_are_read_as_they_were_written() {
    let dataflow = DataFlow { loops: Some(loops()), growth: Some(growth()), ..DataFlow::default() };
    let profile = with_a_method(dataflow.clone());
    let mut bytes = Vec::new();
    subsume_profile::write(&profile, &mut bytes).unwrap();
    assert_eq!(subsume_profile::read(&bytes).unwrap().dataflow, dataflow);
}

#[test]
fn loops_out_of_range_are_refused() {
    let mut broken = loops();
    broken.loops[0].similar[0].path[0].method = Some(MethodId(1));
    let dataflow = DataFlow { loops: Some(broken), ..DataFlow::default() };
    let message = with_a_method(dataflow).validate().unwrap_err().to_string();
    assert_eq!(message, "loop 0 refers to method 1 of 1");
}

#[test]
fn results_are_read_as_they_were_written() {
    let dataflow = DataFlow { results: Some(results()), ..DataFlow::default() };
    let mut bytes = Vec::new();
    subsume_profile::write(&with_a_method(dataflow.clone()), &mut bytes).unwrap();
    assert_eq!(subsume_profile::read(&bytes).unwrap().dataflow, dataflow);
}

#[test]
fn results_out_of_range_are_refused() {
    let cases: [Case<ResultsProfile>; 6] = [
        (|r| r.methods[0].method = MethodId(1), "result 0 refers to method 1 of 1"),
        (|r| r.methods[1].depth = 3, "result 1 is about objects compared at depth 3"),
        (|r| r.methods[1].depth = 0, "result 1 is the second of method 0 at depth 0"),
        (|r| r.methods[0].kinds = 0x41, "result 0 has the unknown kinds 0x41"),
        (|r| r.methods[1].level = 64, "result 1 keeps less than one of 2^63 inputs"),
        (|r| r.methods[0].conflicts = 5, "result 0 has numbers that contradict each other"),
    ];
    for (break_it, message) in cases {
        let mut results = results();
        break_it(&mut results);
        let dataflow = DataFlow { results: Some(results), ..DataFlow::default() };
        assert_eq!(with_a_method(dataflow).validate().unwrap_err().to_string(), message);
    }
}

#[test]
fn growth_out_of_range_is_refused() {
    let refused = |break_it: fn(&mut GrowthProfile)| {
        let mut broken = growth();
        break_it(&mut broken);
        let dataflow = DataFlow { growth: Some(broken), ..DataFlow::default() };
        with_a_method(dataflow).validate().unwrap_err().to_string()
    };
    let method = refused(|growth| growth.loops[0].place.method = Some(MethodId(1)));
    assert_eq!(method, "growing loop 0 refers to method 1 of 1");
    let point = refused(|growth| growth.loops[0].points[1].instances = 0);
    assert_eq!(point, "growing loop 0 has a point without instances");
}

/// What is done to a graph, and what the check says to that.
type Case<T> = (fn(&mut T), &'static str);

fn refused(dataflow: DataFlow) -> String {
    let profile = Profile { dataflow, ..Profile::default() };
    profile.validate().unwrap_err().to_string()
}

#[test]
fn whole_graphs_are_accepted() {
    let dataflow = DataFlow {
        copies: Some(copies()),
        costs: Some(costs()),
        nulls: Some(nulls()),
        loops: Some(loops()),
        growth: Some(growth()),
        results: Some(results()),
        typestates: Some(typestates()),
    };
    with_a_method(dataflow).validate().unwrap();
    let empty = DataFlow {
        copies: Some(CopyProfile::default()),
        costs: Some(CostGraph::default()),
        nulls: Some(NullGraph::default()),
        loops: Some(LoopProfile::default()),
        growth: Some(GrowthProfile::default()),
        results: Some(ResultsProfile::default()),
        typestates: Some(TypestateProfile::default()),
    };
    Profile { dataflow: empty, ..Profile::default() }.validate().unwrap();
}

#[test]
fn copies_out_of_range_are_refused() {
    let cases: [Case<CopyProfile>; 10] = [
        (|c| c.objects.tags[1].site = SiteId(2), "tag 1 refers to site 2 of 2"),
        (|c| c.objects.tags[1].slot = 5, "tag 1 refers to slot 5 of 5"),
        (|c| c.objects.contexts[0].context = 2, "context 0 refers to site 2 of 2"),
        (|c| c.objects.fields.clear(), "the table of fields lacks the reserved field 0"),
        (|c| c.objects.sites[1].place.method = Some(MethodId(0)), "site 1 refers to method 0 of 0"),
        (|c| c.edges[0].bytes = 3, "copy 0 is of 3 bytes"),
        (|c| c.edges[0].store = StoreId(1), "copy 0 refers to store 1 of 1"),
        (
            |c| c.edges[0].to = Location { tag: TagId(1), field: FieldId(2) },
            "copy 0 gives a static field an owner",
        ),
        (|c| c.consumed[0] = Origin::Producer(TagId(2)), "consumed origin 0 refers to tag 2 of 2"),
        (|c| c.assigned.resize(3, <_>::default()), "3 tags were assigned to the heap of 2"),
    ];
    for (break_it, message) in cases {
        let mut copies = copies();
        break_it(&mut copies);
        assert_eq!(refused(DataFlow { copies: Some(copies), ..DataFlow::default() }), message);
    }
}

#[test]
fn costs_out_of_range_are_refused() {
    let cases: [Case<CostGraph>; 4] = [
        (|c| c.nodes[0].slot = Some(5), "node 0 refers to slot 5 of 5"),
        (|c| c.edges[0].1 = CostNodeId(1), "dependence 0 refers to node 1 of 1"),
        (
            |c| c.effects[0].effect = Effect::Allocates(TagId(2)),
            "heap effect 0 refers to tag 2 of 2",
        ),
        (|c| c.objects.allocations.clear(), "there are allocations of 0 tags, but 2 tags"),
    ];
    for (break_it, message) in cases {
        let mut costs = costs();
        break_it(&mut costs);
        assert_eq!(refused(DataFlow { costs: Some(costs), ..DataFlow::default() }), message);
    }
}

#[test]
fn nulls_out_of_range_are_refused() {
    let mut broken = nulls();
    broken.exceptions[0].last = Some(NullNodeId(1));
    let message = refused(DataFlow { nulls: Some(broken), ..DataFlow::default() });
    assert_eq!(message, "null pointer 0 refers to null node 1 of 1");
}

/// Whole graphs with at least one entry in every table.
fn whole() -> Profile {
    let mut costs = costs();
    costs.effects.extend(
        [Effect::Loads(STATIC), Effect::Allocates(TagId(1))].map(|effect| HeapEffect {
            node: CostNodeId(0),
            effect,
            times: 300,
        }),
    );
    costs.nodes.push(CostNode { slot: None, frequency: u64::MAX, ..CostNode::default() });
    costs.references.push(Reference { from: FIELD, to: TagId(1) });
    let location = FIELD;
    costs.locations.push(LocationUse { location, reads: 1, writes: 2, overwritten: 3 });
    let mut nulls = nulls();
    nulls.nodes[0].what = "a.B.f".into();
    nulls.nodes.push(NullNode { kind: NullKind::Return, ..NullNode::default() });
    nulls.exceptions.push(NullPointer { caught: 300, uncaught: 2, ..NullPointer::default() });
    nulls.lost.push(LostOrigins { reason: "arguments".into(), values: 7 });
    costs.objects.lost.push(LostOrigins { reason: "results".into(), values: 8 });
    let dataflow = DataFlow {
        copies: Some(copies()),
        costs: Some(costs),
        nulls: Some(nulls),
        loops: Some(LoopProfile::default()),
        growth: Some(GrowthProfile::default()),
        results: Some(ResultsProfile::default()),
        typestates: Some(TypestateProfile::default()),
    };
    Profile { dataflow, ..Profile::default() }
}

#[test]
fn graphs_survive_being_written_and_read() {
    let profile = whole();
    let mut bytes = Vec::new();
    subsume_profile::write(&profile, &mut bytes).unwrap();
    assert_eq!(subsume_profile::read(&bytes).unwrap().dataflow, profile.dataflow);
    for cut in 0..bytes.len() {
        assert!(subsume_profile::read(&bytes[..cut]).is_err(), "cut at {cut}");
    }
}
