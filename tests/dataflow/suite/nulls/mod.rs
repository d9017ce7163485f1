//! Where nulls come from: every way is the one that the source shows.

mod exceptions;
mod ways;

use std::collections::BTreeMap;

use analysis::dataflow::nulls::raised;
use profile::Profile;
use profile::dataflow::{NullGraph, NullKind, Place};
use support::{Jdk, in_turn};

use crate::rig::Recording;

/// The exceptions that were raised at one place.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Met {
    caught: u64,
    uncaught: u64,
    unknown: u64,
    /// The steps of each way, the origin first.
    ways: Vec<Vec<String>>,
}

/// A place as `Class.method:line`.
fn show(profile: &Profile, place: Place) -> String {
    let Some(method) = place.method else { return "somewhere".to_owned() };
    let method = &profile.methods[method.0 as usize];
    let class = &profile.classes[method.class.0 as usize].name;
    format!("{class}.{}:{}", method.name, place.line)
}

fn step(profile: &Profile, nulls: &NullGraph, node: usize) -> String {
    let node = &nulls.nodes[node];
    let place = show(profile, node.place);
    match (node.kind, node.what.is_empty()) {
        (NullKind::Constant, _) => format!("null {place}"),
        (kind, true) => format!("{kind:?} {place}"),
        (kind, false) => format!("{kind:?} {} {place}", node.what),
    }
}

/// What the profile says, by place.
pub fn met(profile: &Profile) -> BTreeMap<String, Met> {
    let nulls = profile.dataflow.nulls.as_ref().expect("nulls were recorded");
    let found = raised(nulls).into_iter().map(|at| {
        let way = |way: &analysis::dataflow::nulls::Way| {
            way.nodes.iter().map(|node| step(profile, nulls, node.0 as usize)).collect()
        };
        let ways = at.ways.iter().map(way).collect();
        let met = Met { caught: at.caught, uncaught: at.uncaught, unknown: at.unknown, ways };
        (show(profile, at.place), met)
    });
    found.collect()
}

/// Records a program that ends well on each JDK.
fn on_each(program: &str, check: impl Fn(&Jdk, &Profile)) {
    for jdk in in_turn() {
        let recorded = Recording::new(jdk, program, "mode=nulls").run();
        check(jdk, &recorded.profile);
    }
}

/// The only way of the nulls that were met at a place.
fn way<'m>(met: &'m BTreeMap<String, Met>, place: &str, jdk: &Jdk) -> &'m [String] {
    let found = met.get(place).unwrap_or_else(|| panic!("JDK {}: {met:#?}", jdk.release));
    assert_eq!(found.ways.len(), 1, "JDK {}: {place}: {met:#?}", jdk.release);
    &found.ways[0]
}
