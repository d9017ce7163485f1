//! Code that is not followed, between code that is: it may lose origins, and invents
//! none.

use std::collections::BTreeMap;

use profile::Profile;
use profile::dataflow::{Origin, Place};
use support::{Jdk, in_turn, jdks};

use crate::rig::{Recording, library};

/// Calls and results of `Passing`.
const TIMES: u64 = 50;

const MODES: [&str; 3] = ["mode=copies", "mode=costs", "mode=nulls"];

/// What goes from one class to another, by their simple names: values from fields of
/// the one to fields of the other, or from instructions to instructions.
type Flows = BTreeMap<(String, String), u64>;

fn class_of(profile: &Profile, place: Place) -> String {
    let method = place.method.map(|method| &profile.methods[method.0 as usize]);
    let class = method.map(|method| &profile.classes[method.class.0 as usize].name);
    simple(class.map_or("", String::as_str))
}

fn simple(class: &str) -> String {
    class.rsplit(['$', '.']).next().unwrap_or_default().to_owned()
}

fn flows(profile: &Profile) -> Flows {
    let mut flows = Flows::new();
    let mut add = |from: String, to: String, count| {
        *flows.entry((from, to)).or_default() += count;
    };
    if let Some(copies) = &profile.dataflow.copies {
        let of = |location| simple(&copies.objects.field(location).class);
        for edge in &copies.edges {
            if let Origin::Location(from) = edge.from {
                add(of(from), of(edge.to), edge.count);
            }
        }
    }
    if let Some(costs) = &profile.dataflow.costs {
        let class = |node: profile::dataflow::CostNodeId| {
            let instruction = costs.nodes[node.0 as usize].instruction;
            class_of(profile, costs.instructions[instruction.0 as usize].place)
        };
        costs.edges.iter().for_each(|&(from, to)| add(class(from), class(to), 1));
    }
    if let Some(nulls) = &profile.dataflow.nulls {
        let class = |node: profile::dataflow::NullNodeId| {
            class_of(profile, nulls.nodes[node.0 as usize].place)
        };
        nulls.edges.iter().for_each(|&(from, to)| add(class(from), class(to), 1));
    }
    flows
}

fn from_to(flows: &Flows, from: &str, to: &str) -> u64 {
    flows.get(&(from.to_owned(), to.to_owned())).copied().unwrap_or_default()
}

fn passing(jdk: &Jdk, mode: &str, link: &str, jvm: &[&str]) -> Flows {
    let options = format!("{mode},exclude=Passing$LeftOut*");
    let link = format!("-Dlink={link}");
    let jvm = [&[link.as_str()], jvm].concat();
    flows(&Recording::new(jdk, "Passing", &options).with(&jvm).run().profile)
}

/// Nothing goes from who calls a link to who is called by it, or back.
fn check(jdk: &Jdk, links: &[&str], jvm: &[&str]) {
    let mut invented = Vec::new();
    for (link, mode) in links.iter().flat_map(|link| MODES.map(|mode| (link, mode))) {
        let flows = passing(jdk, mode, link, jvm);
        for (from, to) in
            [("Caller", "Inner"), ("Inner", "Caller"), ("Behind", "Inner"), ("Fails", "Inner")]
        {
            if from_to(&flows, from, to) > 0 {
                invented.push(format!("{mode}, {link}: from {from} to {to}"));
            }
        }
    }
    assert!(invented.is_empty(), "{jdk}: {invented:#?}");
}

#[test]
fn code_that_is_followed_passes_origins_on() {
    for jdk in in_turn() {
        for mode in MODES {
            let flows = passing(jdk, mode, "Direct", &[]);
            let counts = [("Caller", "Inner"), ("Inner", "Caller")]
                .map(|(from, to)| from_to(&flows, from, to));
            match mode {
                "mode=copies" => assert_eq!(counts, [2 * TIMES, TIMES], "{jdk}"),
                _ => assert!(counts.iter().all(|&count| count > 0), "{jdk}, {mode}: {flows:?}"),
            }
        }
    }
}

#[test]
fn classes_that_are_left_out_invent_no_origins() {
    for jdk in in_turn() {
        let links = ["LeftOut", "LeftOutTwice", "LeftOutHeir", "LeftOutBehind", "LeftOutCatcher"];
        check(jdk, &links, &[]);
    }
}

#[test]
fn methods_that_are_too_large_invent_no_origins() {
    for jdk in in_turn() {
        check(jdk, &["Large", "Largest"], &[]);
    }
}

#[test]
fn native_code_that_calls_back_invents_no_origins() {
    for jdk in in_turn() {
        let library = format!("-Dlibrary={}", library(jdk, "unfollowed/passing.c").display());
        let mut jvm = vec![library.as_str()];
        if jdk.release >= 22 {
            // It warns otherwise.
            jvm.push("--enable-native-access=ALL-UNNAMED");
        }
        check(jdk, &["0", "1", "2", "3"], &jvm);
    }
}

#[test]
fn hidden_classes_invent_no_origins() {
    jdks().iter().for_each(|jdk| check(jdk, &["Hidden"], &[]));
}

#[test]
fn handles_and_reflection_invent_no_origins() {
    for jdk in in_turn() {
        check(jdk, &["Combined", "Reflecting"], &[]);
    }
}

#[test]
fn initialisers_between_a_call_and_its_callee_invent_no_origins_and_lose_none() {
    for jdk in in_turn() {
        for mode in MODES {
            let options = format!("{mode},exclude=Initialising$LeftOut");
            let flows = flows(&Recording::new(jdk, "Initialising", &options).run().profile);
            let counts = ["Inner", "Outer"].map(|to| from_to(&flows, "Caller", to));
            let expected = if mode == "mode=copies" { 2 } else { counts[1].max(1) };
            assert_eq!(counts, [0, expected], "{jdk}, {mode}: {flows:?}");
        }
    }
}

#[test]
fn exceptions_that_the_jvm_makes_invent_no_origins() {
    for jdk in in_turn() {
        for mode in MODES {
            let flows = flows(&Recording::new(jdk, "Raising", mode).run().profile);
            assert_eq!(from_to(&flows, "Caller", "Throwable"), 0, "{jdk}, {mode}: {flows:?}");
        }
    }
}
