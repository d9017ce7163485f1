//! Stores that are not instructions: an instruction that stored there before is
//! not named as the origin of what is loaded afterwards.

use std::collections::{BTreeMap, BTreeSet};

use profile::dataflow::{CostGraph, CostNodeId, InstructionKind, NullGraph, NullKind, Place};
use profile::{Profile, read_file};

use support::{Jdk, Launch, Scratch, in_turn};

const PROGRAM: &str = "Replaces";

fn record(jdk: &Jdk, mode: &str) -> Profile {
    let scratch = Scratch::new("replaced");
    let file = scratch.file("replaced.subsume");
    let launch = Launch::new(jdk, PROGRAM, scratch.path());
    launch.agent(&format!("mode={mode},out={}", file.display())).run_well();
    read_file(&file).expect("the profile can be read")
}

/// What an instruction of the program does to the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Store,
    Load,
}

/// For each method that accesses the heap, whether a load got what one of its
/// own stores had put there.
fn origins<N>(
    profile: &Profile,
    nodes: &[N],
    edges: impl Iterator<Item = (usize, usize)>,
    access: impl Fn(&N) -> (Place, Option<Access>),
) -> BTreeMap<String, bool> {
    let method = |node: usize| {
        let (place, access) = access(&nodes[node]);
        let method = &profile.methods[place.method?.0 as usize];
        let class = &profile.classes[method.class.0 as usize].name;
        (class == PROGRAM).then(|| (method.name.clone(), access))
    };
    let all = (0..nodes.len()).filter_map(method);
    let loading = all.filter(|(_, access)| *access == Some(Access::Load));
    let mut found: BTreeMap<String, bool> = loading.map(|(name, _)| (name, false)).collect();
    for (from, to) in edges {
        if let (Some((store, Some(Access::Store))), Some((load, Some(Access::Load)))) =
            (method(from), method(to))
            && store == load
        {
            found.insert(load, true);
        }
    }
    found
}

/// Of the methods that have been run, those that must, and those that must not,
/// name their own store.
fn check(found: &BTreeMap<String, bool>, fewest: [usize; 2], what: &str) {
    let names = |prefix: &str, origin: bool| -> BTreeSet<&str> {
        let of =
            found.iter().filter(|(name, is_own)| name.starts_with(prefix) && **is_own == origin);
        of.map(|(name, _)| name.as_str()).collect()
    };
    assert_eq!(names("replaced", true), BTreeSet::new(), "an origin is invented, {what}");
    assert_eq!(names("kept", false), BTreeSet::new(), "an origin is lost, {what}");
    assert!(names("kept", true).len() >= fewest[0], "{what}: {found:?}");
    assert!(names("replaced", false).len() >= fewest[1], "{what}: {found:?}");
}

fn of_costs(profile: &Profile, graph: &CostGraph) -> BTreeMap<String, bool> {
    let edges = graph.edges.iter().map(|&(from, to)| (from.0 as usize, to.0 as usize));
    origins(profile, &graph.nodes, edges, |node| {
        let instruction = &graph.instructions[node.instruction.0 as usize];
        let access = match instruction.kind {
            InstructionKind::Store => Some(Access::Store),
            InstructionKind::Load => Some(Access::Load),
            _ => None,
        };
        (instruction.place, access)
    })
}

fn of_nulls(profile: &Profile, graph: &NullGraph) -> BTreeMap<String, bool> {
    let edges = graph.edges.iter().map(|&(from, to)| (from.0 as usize, to.0 as usize));
    origins(profile, &graph.nodes, edges, |node| {
        let access = match node.kind {
            NullKind::Store => Some(Access::Store),
            NullKind::Load | NullKind::Initial => Some(Access::Load),
            _ => None,
        };
        (node.place, access)
    })
}

#[test]
fn costs_name_nobody_who_was_overwritten_unseen() {
    for jdk in in_turn() {
        let profile = record(jdk, "costs");
        let graph = profile.dataflow.costs.as_ref().expect("costs were recorded");
        let found = of_costs(&profile, graph);
        check(&found, [7, 30], &format!("costs on {jdk}"));
        // The constructor of a descriptor writes -1, and native code the file's number.
        let of = |node: CostNodeId, method: &str| {
            let instruction = graph.nodes[node.0 as usize].instruction;
            let instruction = &graph.instructions[instruction.0 as usize];
            let field = &graph.objects.fields[instruction.field.0 as usize];
            field.class.ends_with("FileDescriptor")
                && field.name == "fd"
                && instruction.place.method.is_some_and(|number| {
                    let known = &profile.methods[number.0 as usize];
                    format!("{}{}", known.name, known.descriptor) == method
                })
        };
        for method in ["valid()Z", "<init>()V"] {
            let mut nodes = (0..graph.nodes.len() as u32).map(CostNodeId);
            assert!(nodes.any(|node| of(node, method)), "{jdk}: nobody called {method}");
        }
        let invented =
            |edge: &&(CostNodeId, CostNodeId)| of(edge.0, "<init>()V") && of(edge.1, "valid()Z");
        assert_eq!(graph.edges.iter().find(invented), None, "native code stores, too, on {jdk}");
    }
}

/// What the options leave out does not tell its stores, but makes others forgotten.
#[test]
fn code_that_is_left_out_invents_no_origins() {
    for jdk in in_turn() {
        for mode in ["costs", "nulls"] {
            let profile = record(jdk, &format!("{mode},exclude=Replaces$Other"));
            let what = format!("{mode} without a class on {jdk}");
            match (&profile.dataflow.costs, &profile.dataflow.nulls) {
                (Some(graph), _) => check(&of_costs(&profile, graph), [7, 34], &what),
                (None, Some(graph)) => check(&of_nulls(&profile, graph), [1, 12], &what),
                (None, None) => panic!("nothing was recorded, {what}"),
            }
        }
    }
}

#[test]
fn nulls_name_nobody_who_was_overwritten_unseen() {
    for jdk in in_turn() {
        let profile = record(jdk, "nulls");
        let graph = profile.dataflow.nulls.as_ref().expect("nulls were recorded");
        check(&of_nulls(&profile, graph), [1, 10], &format!("nulls on {jdk}"));
    }
}
