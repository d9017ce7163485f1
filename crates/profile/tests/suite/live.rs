//! The live form, read directly and converted.

use made_profiles::live::{Live, live_from};
use made_profiles::random::{Shape, assert_same, random_profile};
use subsume_profile::layout::{
    RESERVED_WORDS, cut, header, method_flags, metrics, node, segment, tree,
};
use subsume_profile::metadata::{ClassRecord, MethodRecord, Record, SiteKind, SiteRecord};
use subsume_profile::{
    CallSite, Columns, Completeness, Ending, Error, NO_PARENT, NodeId, Profile, SliceImage, key,
    write_compact_from_live,
};

/// Every context as its thread, path from the root and costs, in an order that
/// does not depend on that of siblings.
fn contexts(profile: &Profile) -> Vec<(String, Vec<u64>)> {
    let nodes = &profile.nodes;
    let mut paths: Vec<String> = Vec::new();
    let mut all = Vec::new();
    for thread in &profile.threads {
        for at in thread.nodes.start as usize..thread.nodes.end as usize {
            let parent = match nodes.parent[at] {
                NO_PARENT => &thread.name,
                parent => &paths[parent as usize],
            };
            let name = profile.names().nth(nodes.method[at] as usize).unwrap();
            let path = format!("{parent};{}:{name:#}", nodes.site[at]);
            all.push((path.clone(), nodes.metrics.iter().map(|m| m.values[at]).collect()));
            paths.push(path);
        }
    }
    all.sort();
    all
}

fn converted(bytes: &[u8], completeness: Completeness) -> Profile {
    let image = SliceImage::new(bytes).unwrap();
    let mut compact = Vec::new();
    let ending = Ending { completeness, active: None };
    let summary = write_compact_from_live(&image, ending, &mut compact).unwrap();
    let profile = subsume_profile::read(&compact).unwrap();
    assert_eq!(summary.contexts as usize, profile.nodes.len());
    assert_eq!(summary.bytes, compact.len() as u64);
    profile
}

fn method(id: u32, name: &str, flags: u32, sites: Vec<SiteKind>) -> MethodRecord {
    MethodRecord {
        id,
        name: name.into(),
        descriptor: "()V".into(),
        flags,
        sites: sites.into_iter().map(|kind| SiteRecord { bci: 4, line: 5, kind }).collect(),
        ..MethodRecord::default()
    }
}

fn class(id: u32, name: &str, methods: &[&MethodRecord]) -> Record {
    let methods = methods.iter().map(|&method| method.clone()).collect();
    Record::Class(ClassRecord { id, name: name.into(), methods, ..ClassRecord::default() })
}

#[test]
fn a_live_file_holds_what_was_recorded() {
    for (seed, count) in [(1, 1), (2, 30), (3, 5_000), (4, 150_000)] {
        let shape = Shape { contexts: count, methods: 40, threads: 3, depth: 12 };
        let mut expected = random_profile(seed, &shape);
        let mut live = live_from(&mut expected);
        live.contexts_lost = 5;
        live.record(&Record::RunInfo { key: key::JVM.into(), value: "a JVM".into() });
        live.record(&Record::RunInfo { key: key::PROCESS_ID.into(), value: "12".into() });
        live.record(&Record::RunInfo { key: key::START_MILLIS.into(), value: "no".into() });
        live.record(&Record::RunInfo { key: "later".into(), value: "x".into() });
        let bytes = live.bytes();
        let read = subsume_profile::read(&bytes).unwrap();
        read.validate().unwrap();
        assert_eq!(contexts(&read), contexts(&expected));
        assert_eq!(read.classes, expected.classes);
        assert_eq!(read.methods, expected.methods);
        assert_eq!(read.threads, expected.threads);
        assert_eq!(read.skipped, expected.skipped);
        assert_eq!(read.code_hashes, expected.code_hashes);
        assert_eq!(read.run.jvm, "a JVM");
        assert_eq!(read.run.process_id, 12);
        assert_eq!(read.run.start_millis, 0);
        assert_eq!(read.run.contexts_lost, 5);
        assert_eq!(read.run.recording_bytes, bytes.len() as u64);
        assert_eq!(read.run.completeness, Completeness::CutShort);
        assert_same(&read, &converted(&bytes, Completeness::CutShort));

        live.record(&Record::End { reason: "exit".into(), end_millis: 99 });
        let bytes = live.bytes();
        let read = subsume_profile::read(&bytes).unwrap();
        assert_eq!(read.run.completeness, Completeness::Complete);
        assert_eq!(read.run.end_millis, 99);
        assert_same(&read, &converted(&bytes, Completeness::Complete));
        let snapshot = converted(&bytes, Completeness::Snapshot).run;
        assert_eq!(snapshot.completeness, Completeness::Snapshot);
        assert!(snapshot.end_millis > 1_000_000_000_000);
    }
}

#[test]
fn an_image_without_records_is_an_empty_profile() {
    let read = subsume_profile::read(&Live::new().bytes()).unwrap();
    assert!(read.nodes.is_empty());
    assert_eq!(read.run.completeness, Completeness::CutShort);
}

#[test]
fn active_calls_are_those_on_the_paths_to_where_threads_stand() {
    let mut live = Live::new();
    let caller = method(1, "caller", method_flags::SLOTS, vec![SiteKind::Slot]);
    live.record(&class(1, "A", &[&caller]));
    let tree = live.tree("main", 1);
    let root = live.node(tree + tree::ROOT_SLOT, &caller, 1, [0, 0, 0]);
    let slot = live.slot(root, &caller, 1);
    let callee = live.node(slot, &caller, 1, [0, 0, 0]);
    let bytes = live.bytes();
    let image = SliceImage::new(&bytes).unwrap();
    let active = |slots: &[u32]| {
        let ending = Ending { completeness: Completeness::Complete, active: Some(slots) };
        let mut compact = Vec::new();
        write_compact_from_live(&image, ending, &mut compact).unwrap();
        subsume_profile::read(&compact).unwrap().run.active_at_end
    };
    // Where no method is active, a thread stands in the root slot of its tree.
    assert_eq!(active(&[tree + tree::ROOT_SLOT]), Some(0));
    assert_eq!(active(&[slot]), Some(1));
    assert_eq!(active(&[callee + node::IMPLICIT_SLOT]), Some(2));
    // It has come back from the callee, and from the root.
    assert_eq!(active(&[callee + node::NEXT_SIBLING]), Some(1));
    assert_eq!(active(&[root + node::NEXT_SIBLING]), Some(0));
    // Two threads cannot stand in one tree, but one may have left it in a hurry.
    assert_eq!(active(&[root + node::IMPLICIT_SLOT, slot]), Some(2));
    assert_eq!(active(&[]), Some(0));
}

#[test]
fn calls_without_nodes_become_contexts() {
    let mut live = Live::new();
    let sites = vec![
        SiteKind::Derived { target: 2 },
        SiteKind::Slot,
        SiteKind::Derived { target: 3 },
        SiteKind::Slot,
        SiteKind::Derived { target: 50 },
        SiteKind::Counted { target: 2 },
        SiteKind::Counted { target: 3 },
    ];
    let caller = method(1, "caller", method_flags::SLOTS, sites);
    let init = MethodRecord { base_bytecodes: 1, ..method(2, "<init>", 0, vec![]) };
    let get =
        MethodRecord { base_bytecodes: 3, base_allocations: 2, ..method(3, "get", 0, vec![]) };
    live.record(&class(1, "A", &[&caller]));
    live.record(&class(2, "java.lang.Object", &[&init]));
    live.record(&class(1, "A", &[&get]));
    let tree = live.tree("old", 1);
    live.record(&Record::TreeName { tree, threads: 2, name: "main".into() });
    let root = live.node(tree + tree::ROOT_SLOT, &caller, 10, [0, 0, 0]);
    live.counter(root + node::call_counters(caller.flags) + 2, (1 << 32) + 6);
    let slot = live.slot(root, &caller, 4);
    live.node(slot, &caller, 0, [0, 0, 0]);
    let bytes = live.bytes();
    let read = subsume_profile::read(&bytes).unwrap();
    read.validate().unwrap();
    assert_eq!(
        contexts(&read),
        [
            ("main;0:A.caller()V", [10, 0, 0, 0]),
            ("main;0:A.caller()V;1:java.lang.Object.<init>()V", [10, 10, 0, 0]),
            ("main;0:A.caller()V;3:A.get()V", [10, 30, 20, 0]),
            // Never called, so it calls nothing.
            ("main;0:A.caller()V;4:A.caller()V", [0, 0, 0, 0]),
            // Site 6 is counted, too, but was never reached.
            ("main;0:A.caller()V;7:A.get()V", [(1 << 32) + 6, (3 << 32) + 18, (2 << 32) + 12, 0]),
        ]
        .map(|(path, costs)| (path.to_owned(), costs.to_vec()))
    );
    // The two records of class A are one class; the target without a record is lost.
    assert_eq!(read.classes.len(), 2);
    assert_eq!(read.run.contexts_lost, 1);
    assert_eq!(read.call_site(NodeId(0)), None);
    assert_eq!(read.call_site(NodeId(2)), Some(CallSite { bci: 4, line: 5 }));
    assert_same(&read, &converted(&bytes, Completeness::CutShort));
}

#[test]
fn what_exceptions_cut_off_is_taken_off() {
    let mut live = Live::new();
    let sites = vec![
        SiteKind::Derived { target: 3 },
        SiteKind::Slot,
        SiteKind::Derived { target: 3 },
        SiteKind::Derived { target: 3 },
    ];
    let flags = method_flags::SLOTS;
    let cut_short = MethodRecord {
        base_bytecodes: 20,
        base_allocations: 3,
        ..method(1, "cutShort", flags, sites)
    };
    // Its counter takes off what was cut of the base.
    let counting = MethodRecord {
        base_bytecodes: 9,
        ..method(2, "counting", flags | method_flags::BYTECODES_COUNTER, vec![])
    };
    let get = method(3, "get", 0, vec![]);
    live.record(&class(1, "A", &[&cut_short, &counting, &get]));
    let tree = live.tree("main", 1);
    let root = live.node(tree + tree::ROOT_SLOT, &cut_short, 10, [0, 0, 0]);
    let implicit = live.slot(root, &cut_short, 0);
    let mut cut_node = |bytecodes, allocations, derived, times| {
        let id = cut::id(bytecodes, allocations, derived).unwrap();
        live.node(implicit, &method(id, "", 0, vec![]), times, [0, 0, 0]);
    };
    cut_node(15, 2, 2, 3);
    cut_node(1, 0, 1, 4);
    live.node(implicit, &counting, 2, [(-6i64) as u64, 0, 0]);
    let bytes = live.bytes();
    let read = subsume_profile::read(&bytes).unwrap();
    assert_eq!(
        contexts(&read),
        [
            ("main;0:A.cutShort()V", [10, 20 * 10 - 15 * 3 - 4, 3 * 10 - 2 * 3, 0]),
            ("main;0:A.cutShort()V;0:A.counting()V", [2, 9 * 2 - 6, 0, 0]),
            ("main;0:A.cutShort()V;1:A.get()V", [10, 0, 0, 0]),
            ("main;0:A.cutShort()V;3:A.get()V", [10 - 3, 0, 0, 0]),
            ("main;0:A.cutShort()V;4:A.get()V", [10 - 3 - 4, 0, 0, 0]),
        ]
        .map(|(path, costs)| (path.to_owned(), costs.to_vec()))
    );
    assert_eq!(read.run.contexts_lost, 0);
    assert_same(&read, &converted(&bytes, Completeness::CutShort));
    // More than fits into an id has none.
    assert_eq!(cut::id(1 << 15, 0, 0), None);
}

#[test]
fn methods_without_slots_have_no_callees() {
    let mut live = Live::new();
    let leaf = method(1, "leaf", method_flags::BYTECODES_COUNTER, vec![SiteKind::Slot]);
    live.record(&class(1, "A", &[&leaf]));
    let tree = live.tree("main", 1);
    let root = live.node(tree + tree::ROOT_SLOT, &leaf, 1, [7, 0, 0]);
    // The counter, in two words, where others have their slots.
    live.counter(root + node::counters(leaf.flags), 7 | u64::from(root) << 32);
    let read = subsume_profile::read(&live.bytes()).unwrap();
    let bytecodes = 7 | u64::from(root) << 32;
    assert_eq!(contexts(&read), [("main;0:A.leaf()V".to_owned(), vec![1, bytecodes, 0, 0])]);
}

#[test]
fn only_the_metrics_asked_for_are_kept() {
    let shape = Shape { contexts: 500, methods: 9, threads: 1, depth: 9 };
    let mut expected = random_profile(5, &shape);
    let bytes = live_from(&mut expected).bytes();
    let all = subsume_profile::read(&bytes).unwrap();
    let some =
        subsume_profile::read_with(&bytes, &Columns::only(&["allocations", "calls"])).unwrap();
    assert_eq!(some.nodes.metrics, [all.nodes.metrics[0].clone(), all.nodes.metrics[2].clone()]);
}

#[test]
fn very_deep_trees_are_walked() {
    let mut live = Live::new();
    let down = method(1, "down", method_flags::SLOTS, vec![SiteKind::Slot]);
    live.record(&class(1, "A", &[&down]));
    let tree = live.tree("main", 1);
    let mut slot = tree + tree::ROOT_SLOT;
    for _ in 0..200_000 {
        let node = live.node(slot, &down, 1, [0, 0, 0]);
        slot = live.slot(node, &down, 1);
    }
    let bytes = live.bytes();
    let read = subsume_profile::read(&bytes).unwrap();
    assert_eq!(read.nodes.len(), 200_000);
    assert_eq!(read.nodes.parent[199_999], 199_998);
    assert_same(&read, &converted(&bytes, Completeness::CutShort));
}

/// A small image and the words that its links lie at.
fn linked() -> (Live, [u32; 4]) {
    let mut live = Live::new();
    live.segment_capacity = 16;
    let a = method(1, "a", method_flags::SLOTS, vec![SiteKind::Slot]);
    live.record(&class(1, "A", &[&a]));
    let tree = live.tree("main", 1);
    let root = live.node(tree + tree::ROOT_SLOT, &a, 1, [0, 0, 0]);
    let slot = live.slot(root, &a, 1);
    // The records need two segments; the second one has the tree's name.
    let second = *live.at(RESERVED_WORDS + segment::NEXT);
    assert!(second != 0);
    (live, [second + segment::NEXT, tree + tree::NEXT, root + node::NEXT_SIBLING, slot])
}

fn error(live: &Live) -> Error {
    subsume_profile::read(&live.bytes()).unwrap_err()
}

#[test]
fn circles_are_errors() {
    let [segment, tree, sibling, slot] = linked().1;
    let root = sibling - node::NEXT_SIBLING;
    let circles = [(segment, segment - segment::NEXT), (tree, tree - tree::NEXT), (slot, root)];
    for (link, target) in circles {
        let (mut live, _) = linked();
        subsume_profile::read(&live.bytes()).unwrap();
        *live.at(link) = target;
        let error = error(&live);
        assert!(error.to_string().contains("circle"), "{error}");
    }
}

#[test]
fn a_ring_that_does_not_come_back_to_its_first_node_is_an_error() {
    let mut live = Live::new();
    let a = method(1, "a", method_flags::SLOTS, vec![SiteKind::Slot]);
    live.record(&class(1, "A", &[&a]));
    let slot = live.tree("main", 1) + tree::ROOT_SLOT;
    let [last, middle, first] = [0; 3].map(|_| live.node(slot, &a, 1, [0, 0, 0]));
    assert_eq!(subsume_profile::read(&live.bytes()).unwrap().nodes.len(), 3);
    for (link, target) in [(last, last), (last, middle), (middle, middle)] {
        let before = *live.at(link + node::NEXT_SIBLING);
        *live.at(link + node::NEXT_SIBLING) = target;
        let error = error(&live);
        assert!(error.to_string().contains("circle"), "{error}");
        *live.at(link + node::NEXT_SIBLING) = before;
    }
    // One that ends is what a copy may look like that was made meanwhile.
    *live.at(middle + node::NEXT_SIBLING) = 0;
    assert_eq!(subsume_profile::read(&live.bytes()).unwrap().nodes.len(), 2);
    assert_eq!(*live.at(slot), first);
}

#[test]
fn methods_with_very_many_call_sites_cannot_hold_a_reader_up() {
    for kind in [SiteKind::Slot, SiteKind::Derived { target: 9 }, SiteKind::Counted { target: 9 }] {
        let mut live = Live::new();
        let wide = method(1, "wide", method_flags::SLOTS, vec![kind; 50_000]);
        live.record(&class(1, "A", &[&wide]));
        let tree = live.tree("main", 1);
        // Nodes that overlap, as many as there is room for.
        let end = live.words.len() as u32;
        live.words.resize(end as usize + 200_000, 0);
        let nodes: Vec<u32> = (end + 2..end + 90_000).step_by(4).collect();
        *live.at(tree + tree::ROOT_SLOT) = nodes[0];
        for pair in nodes.windows(2) {
            *live.at(pair[0] + node::METHOD) = 1;
            *live.at(pair[0] + node::NEXT_SIBLING) = pair[1];
        }
        let start = std::time::Instant::now();
        let error = error(&live);
        assert!(error.offset().is_some(), "{error}");
        assert!(start.elapsed().as_secs() < 20);
    }
}

#[test]
fn links_that_lead_out_of_the_arena_are_errors() {
    for link in linked().1 {
        for target in [1, 15, 1 << 20, u32::MAX - 1, u32::MAX] {
            let (mut live, links) = linked();
            live.record(&Record::End { reason: String::new(), end_millis: 1 });
            // The link to the segment with the end record does without one.
            if link == links[0] && target > 15 {
                continue;
            }
            *live.at(link) = target;
            let error = error(&live);
            assert!(error.offset().is_some(), "{error}");
        }
    }
}

#[test]
fn what_a_torn_copy_lacks_is_lost_and_the_rest_is_read() {
    let (live, links) = linked();
    let [segment, tree, sibling, slot] = links;
    let end = live.words.len() as u32;
    for (link, target, lost, contexts) in [
        (segment, end, 0, 1),
        (tree, end, 0, 1),
        (sibling, end, 1, 1),
        (slot, end, 1, 1),
        (slot, end - 4, 1, 1),
        // A node that had not been written when its page was copied.
        (slot, end + 2, 1, 1),
        // The method of the root is unknown.
        (sibling - node::NEXT_SIBLING, 77, 1, 0),
    ] {
        let (mut live, _) = linked();
        live.words.resize(end as usize, 0);
        if target == end + 2 {
            live.words.resize(end as usize + 10, 0);
        }
        *live.at(link) = target;
        let bytes = live.bytes();
        let read = subsume_profile::read(&bytes).unwrap();
        read.validate().unwrap();
        assert_eq!(read.run.contexts_lost, lost, "word {link} = {target}");
        assert_eq!(read.nodes.len(), contexts);
        assert_same(&read, &converted(&bytes, Completeness::CutShort));
    }
}

#[test]
fn nodes_of_unknown_methods_are_lost() {
    let (mut live, links) = linked();
    live.record(&Record::End { reason: String::new(), end_millis: 1 });
    *live.at(links[2] - node::NEXT_SIBLING) = 77;
    let read = subsume_profile::read(&live.bytes()).unwrap();
    assert_eq!(read.run.contexts_lost, 1);
    assert_eq!(read.run.completeness, Completeness::Complete);
    assert!(read.nodes.is_empty());
}

#[test]
fn bytes_are_counted_by_class() {
    let method = MethodRecord {
        id: 1,
        name: "make".into(),
        flags: method_flags::SLOTS | method_flags::BYTES_COUNTERS,
        allocated: vec!["a.B".into(), "int[]".into(), "a.Never".into()],
        ..MethodRecord::default()
    };
    let mut live = Live::new();
    live.record(&Record::Class(ClassRecord {
        id: 1,
        name: "a.C".into(),
        methods: vec![method.clone()],
        ..ClassRecord::default()
    }));
    let tree = live.tree("main", 1);
    let first = live.node(tree + tree::ROOT_SLOT, &method, 2, [0; 3]);
    let second = live.node(first + node::IMPLICIT_SLOT, &method, 1, [0; 3]);
    let counters = node::call_counters(method.flags);
    live.counter(first + counters, 48);
    live.counter(first + counters + 2, 1 << 33);
    live.counter(second + counters, 24);
    let mut bytes = live.bytes();
    bytes[header::METRICS..header::METRICS + 4].copy_from_slice(&metrics::BYTES.to_le_bytes());
    let read = subsume_profile::read(&bytes).unwrap();
    let names: Vec<&str> = read.nodes.metrics.iter().map(|metric| metric.name.as_str()).collect();
    assert_eq!(names, ["calls", "bytecodes", "allocations", "moved", "bytes"]);
    assert_eq!(read.nodes.metrics[4].values, [48 + (1 << 33), 24]);
    let known = read.allocated.iter().map(|one| (one.method.0, one.class.as_str(), one.bytes));
    assert_eq!(known.collect::<Vec<_>>(), [(0, "a.B", 72), (0, "int[]", 1 << 33)]);
    let converted = converted(&bytes, Completeness::Complete);
    assert_eq!(converted.nodes.metrics, read.nodes.metrics);
    assert_eq!(converted.allocated, read.allocated);
}

#[test]
fn how_many_metrics_there_are_is_in_the_header() {
    let mut live = Live::new();
    live.tree("main", 1);
    let with = |number: u32| {
        let mut bytes = live.bytes();
        bytes[header::METRICS..header::METRICS + 4].copy_from_slice(&number.to_le_bytes());
        bytes
    };
    for number in [metrics::NONE, metrics::CALLS, metrics::BYTES, metrics::COPIES] {
        let read = subsume_profile::read(&with(number)).unwrap();
        assert_eq!(read.nodes.metrics.len() as u32, number);
        let converted = converted(&with(number), Completeness::Complete);
        assert_eq!(converted.nodes.metrics, read.nodes.metrics);
    }
    let error = subsume_profile::read(&with(3)).unwrap_err();
    assert_eq!(error.offset(), Some(header::METRICS as u64));
}
