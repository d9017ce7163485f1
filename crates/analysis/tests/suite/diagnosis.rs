//! Evidence of several recordings becomes findings: each cause once, with what it saves.

use profile::dataflow::{
    CostGraph, CostNode, CostNodeId, Effect, HeapEffect, Instruction, InstructionId, Location,
    LocationUse, LoopProfile, MethodResults, NullGraph, NullKind, NullNode, NullNodeId,
    NullPointer, Place, ResultsProfile, SimilarLoop, SimilarRead,
};
use profile::{
    CallSite, ClassId, ClassInfo, MethodId, MethodInfo, Metric, NO_PARENT, Nodes, Profile,
    ThreadTree,
};
use subsume_analysis::diagnosis::below::below;
use subsume_analysis::diagnosis::diagnose;
use subsume_analysis::diagnosis::evidence::{Evidence, Recording, Sure};
use subsume_analysis::diagnosis::kind::Kind;
use subsume_analysis::diagnosis::merge::merge;
use subsume_analysis::diagnosis::program::Program;
use tree::Tree;
use tree::forest::{MetricChoice, Selection};

/// Shop.main calls Shop.run, which calls Shop.rate and List.contains, which calls List.indexOf,
/// and Shop.print. All are called often.
fn profile() -> Profile {
    let method = |class, name: &str| MethodInfo {
        class: ClassId(class),
        name: name.into(),
        descriptor: "(I)I".into(),
        access: 0,
        sites: vec![CallSite { bci: 1, line: 2 }],
    };
    let class = |name: &str| ClassInfo { name: name.into(), ..ClassInfo::default() };
    let metric = |name: &str, values: [u64; 6]| Metric { name: name.into(), values: values.into() };
    Profile {
        classes: vec![class("demo.Shop"), class("demo.List")],
        methods: vec![
            method(0, "main"),
            method(0, "run"),
            method(0, "rate"),
            method(1, "contains"),
            method(1, "indexOf"),
            method(0, "print"),
        ],
        nodes: Nodes {
            method: vec![0, 1, 2, 3, 4, 5],
            parent: vec![NO_PARENT, 0, 1, 1, 3, 1],
            site: vec![0; 6],
            metrics: vec![
                metric("bytecodes", [1_000, 9_000, 30_000, 5_000, 45_000, 10_000]),
                metric("calls", [3, 30, 300, 300, 300, 30]),
            ],
        },
        threads: vec![ThreadTree { name: "main".into(), threads: 1, nodes: 0..6 }],
        ..Profile::default()
    }
}

fn tree(profile: &Profile) -> Tree {
    let selection =
        Selection { metric: MetricChoice::Every, threads: true, ..Selection::default() };
    let mut tree =
        Tree::merge(vec![("calls".to_owned(), profile.clone())], &selection).expect("it is whole");
    tree.choose_metrics(&["bytecodes".to_owned(), "calls".to_owned()]);
    tree
}

fn recorded(mut change: impl FnMut(&mut Profile)) -> Vec<(String, Profile)> {
    let mut profile = profile();
    change(&mut profile);
    vec![("recorded".to_owned(), profile)]
}

/// Shop.rate gives a result again in 200 of 300 calls, which take 21,000 of its 30,000 bytecodes.
fn results() -> Vec<(String, Profile)> {
    recorded(|profile| {
        let rate = MethodResults {
            method: MethodId(2),
            returned: 300,
            inputs: 100,
            hits: 200,
            cost: 30_000,
            saving: 21_000,
            ..MethodResults::default()
        };
        let methods = vec![rate];
        profile.dataflow.results = Some(ResultsProfile { methods, ..ResultsProfile::default() });
    })
}

/// Nine of ten iterations of Shop.run read the same in List.indexOf.
fn loops() -> Vec<(String, Profile)> {
    let place = |method, line| Place { method: Some(MethodId(method)), bci: line, line };
    let read = SimilarRead {
        place: place(4, 44),
        path: vec![place(1, 13), place(3, 33)],
        what: "elements of int[]".into(),
        reported: 3,
        sequences: 100,
        similar: 90,
        reads: 1_000,
        wasted: 900,
        ratios: 90_000,
        ..SimilarRead::default()
    };
    recorded(|profile| {
        let one = SimilarLoop {
            place: place(1, 12),
            judged: 3,
            reported: 3,
            iterations: 100,
            reads: 1_000,
            repeated: 900,
            wasted: 900,
            similar: vec![read.clone()],
            ..SimilarLoop::default()
        };
        profile.dataflow.loops = Some(LoopProfile { loops: vec![one], ..LoopProfile::default() });
    })
}

#[test]
fn each_cause_is_found_with_what_it_saves() {
    let tree = tree(&profile());
    let program = Program::new(&tree);
    let recordings = [(Recording::Results, results()), (Recording::Loops, loops())];
    let found = diagnose(&program, &recordings).expect("all is recorded");
    let told: Vec<_> = found
        .iter()
        .map(|one| {
            let lead = one.lead();
            let method = &tree.methods[lead.method as usize].name;
            (lead.kind, method.as_str(), lead.line, one.saving(), one.cost)
        })
        .collect();
    // What the loop reads again costs 50,000, and nine tenths of that are in vain.
    let reread = (Kind::Reread, "run", 12, 45_000, 50_000);
    assert_eq!(told, [reread, (Kind::RepeatedResult, "rate", 0, 21_000, 30_000)]);
    assert_eq!(found[1].lead().sure, Sure::Exact);
    let sentence = &found[1].lead().sentence;
    assert_eq!(
        sentence,
        "200 of 300 calls returned what an earlier call with one of 100 inputs had returned"
    );
    // It is told down to the method that reads.
    let names: Vec<_> = below(&program, &found[0])
        .iter()
        .map(|step| (tree.methods[step.method as usize].name.as_str(), step.cost))
        .collect();
    assert_eq!(names, [("contains", 50_000), ("indexOf", 45_000)]);
}

/// The findings of some recordings: kind, method, saving and sentence.
fn told(recordings: &[(Recording, Vec<(String, Profile)>)]) -> Vec<(Kind, String, u64, String)> {
    let tree = tree(&profile());
    let program = Program::new(&tree);
    let found = diagnose(&program, recordings).expect("all is recorded");
    let told = found.iter().flat_map(|one| &one.evidence).map(|one| {
        let method = tree.methods[one.method as usize].name.clone();
        (one.kind, method, one.saving, one.sentence.clone())
    });
    told.collect()
}

/// Each iteration of Shop.run gives the loops within something new, and Shop.print reads the same
/// places again all the same.
#[test]
fn what_callees_read_again_is_found_beside_something_new() {
    let place = |method, line| Place { method: Some(MethodId(method)), bci: line, line };
    let of = |path: &[Place], reader, same_places| {
        let mut recordings = loops();
        for (_, profile) in &mut recordings {
            let one = &mut profile.dataflow.loops.as_mut().expect("it is recorded").loops[0];
            one.repeated = 0;
            let read = &mut one.similar[0];
            (read.path, read.place) = (path.to_vec(), place(reader, 44));
            (read.ratios, read.same_places) = (81_000, same_places);
        }
        let found = told(&[(Recording::Loops, recordings)]);
        found.into_iter().map(|(kind, method, ..)| (kind, method)).collect::<Vec<_>>()
    };
    assert_eq!(of(&[place(1, 13)], 5, 3), [(Kind::Reread, "run".to_owned())]);
    // Other data of the same kind, and a loop that compares all pairs by itself.
    assert_eq!(of(&[place(1, 13)], 5, 1), []);
    assert_eq!(of(&[], 1, 3), []);
}

#[test]
fn what_is_tried_in_vain_is_found() {
    // Each call of Shop.run makes ten of Shop.rate.
    let results = |returned, empty, conflicts| {
        recorded(|profile| {
            let rate = MethodResults {
                method: MethodId(2),
                returned,
                empty,
                conflicts,
                inputs: returned,
                cost: 30_000,
                ..MethodResults::default()
            };
            let methods = vec![rate];
            profile.dataflow.results =
                Some(ResultsProfile { methods, ..ResultsProfile::default() });
        })
    };
    let of = |returned, empty, conflicts| {
        told(&[(Recording::Results, results(returned, empty, conflicts))])
    };
    let found = of(2_000, Some(1_960), 0);
    let sentence = "1,960 of 2,000 calls returned 0, 10 of them for each call of the caller \
                    (29.40% of the bytecodes)";
    assert_eq!(found, [(Kind::RarelyFinds, "rate".to_owned(), 29_400, sentence.to_owned())]);
    // Too few calls, too few in vain, and recordings that do not say.
    for (returned, empty, conflicts) in [
        (999, Some(999), 0),
        (2_000, Some(1_600), 0),
        (2_000, None, 0),
        (2_000, Some(1_960), 1_500),
    ] {
        assert_eq!(of(returned, empty, conflicts), [], "{returned} {empty:?} {conflicts}");
    }
}

#[test]
fn what_is_overwritten_is_found() {
    // Shop.rate stores 2,500 values at one place, of which 2,000 are replaced.
    let costs = |overwritten| {
        recorded(|profile| {
            let place = Place { method: Some(MethodId(2)), bci: 1, line: 2 };
            profile.dataflow.costs = Some(CostGraph {
                instructions: vec![Instruction { place, ..Instruction::default() }],
                nodes: vec![CostNode {
                    instruction: InstructionId(0),
                    slot: Some(0),
                    frequency: 2_500,
                }],
                effects: vec![HeapEffect {
                    node: CostNodeId(0),
                    effect: Effect::Stores(Location::default()),
                    times: 2_500,
                }],
                locations: vec![LocationUse {
                    location: Location::default(),
                    reads: 500,
                    writes: 2_500,
                    overwritten,
                }],
                ..CostGraph::default()
            });
        })
    };
    let of = |overwritten| {
        let mut found = told(&[(Recording::Costs, costs(overwritten))]);
        found.retain(|one| one.0 == Kind::Overwritten);
        found
    };
    // Its own 30,000 bytecodes are twelve for each store.
    let sentence = "about 80.00% of what it executes stores values that others replace before they \
                    are loaded: 2,000 of 2,500 stores of its own";
    let expected = (Kind::Overwritten, "rate".to_owned(), 24_000, sentence.to_owned());
    assert_eq!(of(2_000), [expected]);
    // Where most are loaded there is nothing to say.
    assert_eq!(of(1_000), []);
}

/// Evidence of a method's contexts with all below them.
fn evidence(program: &Program<'_>, kind: Kind, method: &str, saving: u64) -> Evidence {
    let number = program.tree.methods.iter().position(|one| one.name == method);
    let number = number.expect("it is there") as u32;
    Evidence {
        kind,
        recording: Recording::Calls,
        method: number,
        line: 0,
        node: None,
        sentence: method.to_owned(),
        hint: None,
        region: program.region(number),
        saving,
        likely: saving,
        moved: 0,
        sure: Sure::Bound,
        command: Vec::new(),
    }
}

#[test]
fn evidence_that_meets_is_one_finding() {
    let tree = tree(&profile());
    let program = Program::new(&tree);
    let of = |kind, method, saving| evidence(&program, kind, method, saving);
    // List.indexOf has 450 of the 500 of List.contains, Shop.rate is elsewhere, and all of
    // them together are less than half of Shop.run and main.
    let found = merge(
        &program,
        vec![
            of(Kind::ShortLived, "rate", 90),
            of(Kind::ShortLived, "indexOf", 100),
            of(Kind::Reread, "contains", 400),
            of(Kind::Reread, "print", 95),
            of(Kind::NeverClosed, "rate", 0),
        ],
    );
    let told: Vec<Vec<&str>> = found
        .iter()
        .map(|one| one.evidence.iter().map(|evidence| evidence.sentence.as_str()).collect())
        .collect();
    let expected: [&[&str]; 4] = [&["contains", "indexOf"], &["print"], &["rate"], &["rate"]];
    assert_eq!(told, expected);
    assert_eq!(found[0].saving(), 400);
    // A resource that is never closed is a finding of its own, apart from its method's costs.
    assert_eq!(found[3].lead().kind, Kind::NeverClosed);
}

/// Shop.rate meets the nulls of Shop.print, List.contains meets too few to tell of, if they are
/// caught.
#[test]
fn nulls_are_told_where_they_are_met() {
    let tree = tree(&profile());
    let program = Program::new(&tree);
    let place = |method, line| Place { method: Some(MethodId(method)), bci: 1, line };
    let told = |uncaught: u64| {
        let recording = recorded(|profile| {
            let node =
                NullNode { kind: NullKind::Constant, place: place(5, 70), ..NullNode::default() };
            let met = |method, line, caught, uncaught| NullPointer {
                place: place(method, line),
                last: Some(NullNodeId(0)),
                caught,
                uncaught,
            };
            profile.dataflow.nulls = Some(NullGraph {
                nodes: vec![node],
                exceptions: vec![met(2, 30, 10, 0), met(3, 40, 9, uncaught)],
                ..NullGraph::default()
            });
        });
        let found = diagnose(&program, &[(Recording::Nulls, recording)]).expect("it has nulls");
        let leads = found.iter().map(|one| {
            let lead = one.lead();
            assert_eq!((lead.kind, one.saving()), (Kind::NullMet, 0));
            (tree.methods[lead.method as usize].name.clone(), lead.line, lead.sentence.clone())
        });
        leads.collect::<Vec<_>>()
    };
    let from = "the nulls come from demo.Shop.print:70";
    let of_rate = ("rate".to_owned(), 30, format!("10 NullPointerExceptions here, caught; {from}"));
    assert_eq!(told(0), std::slice::from_ref(&of_rate));
    let of_contains = (
        "contains".to_owned(),
        40,
        format!("10 NullPointerExceptions here, caught in part; {from}"),
    );
    let all = told(1);
    assert_eq!(all.len(), 2);
    assert!(all.contains(&of_rate) && all.contains(&of_contains), "{all:?}");
}

#[test]
fn recordings_that_lack_their_section_are_refused() {
    let tree = tree(&profile());
    let program = Program::new(&tree);
    for recording in Recording::ALL {
        let found = diagnose(&program, &[(recording, recorded(|_| {}))]);
        let is_needed = recording != Recording::Calls;
        assert_eq!(found.is_err(), is_needed, "{recording:?}");
    }
}
