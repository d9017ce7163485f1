//! Names that no other text can have: classes that differ in nothing but their
//! names are recorded alike, whatever the names are.

use std::collections::BTreeSet;

use profile::Profile;
use profile::dataflow::{CostNodeId, Effect, Location, Objects, Origin, Place, TagId};
use support::in_turn;

use crate::nulls;
use crate::rig::Recording;

/// The middles of the names, as the profile shows them. The first one is ordinary.
const MIDDLES: [&str; 4] = ["abcdef", "\u{1f600}", "\\ud83d", "\u{e4}"];

fn place(profile: &Profile, place: Place) -> String {
    let Some(method) = place.method else { return String::new() };
    let method = &profile.methods[method.0 as usize];
    format!("{}.{}@{}", profile.classes[method.class.0 as usize].name, method.name, place.bci)
}

fn objects(profile: &Profile, objects: &Objects, tag: TagId) -> String {
    let site = &objects.sites[objects.tags[tag.0 as usize].site.0 as usize];
    format!("{:?} {} {}", site.kind, site.class, place(profile, site.place))
}

fn location(profile: &Profile, all: &Objects, at: Location) -> String {
    let field = &all.fields[at.field.0 as usize];
    format!("{}|{}.{}", objects(profile, all, at.tag), field.class, field.name)
}

/// What is recorded in `mode=copies`, a line for each fact.
fn of_copies(profile: &Profile) -> BTreeSet<String> {
    let copies = profile.dataflow.copies.as_ref().expect("copies were recorded");
    let all = &copies.objects;
    let made = all
        .allocations
        .iter()
        .enumerate()
        .map(|(tag, made)| format!("{made:?} {}", objects(profile, all, TagId(tag as u32))));
    let edges = copies.edges.iter().map(|edge| {
        let from = match edge.from {
            Origin::Producer(tag) => objects(profile, all, tag),
            Origin::Location(at) => location(profile, all, at),
        };
        let store = place(profile, copies.stores[edge.store.0 as usize].place);
        format!(
            "{from} -> {} by {store}: {} of {}",
            location(profile, all, edge.to),
            edge.count,
            edge.bytes
        )
    });
    made.chain(edges).collect()
}

/// The facts of `mode=costs`. Context slots follow from names and are left out.
fn of_costs(profile: &Profile) -> BTreeSet<String> {
    let costs = profile.dataflow.costs.as_ref().expect("costs were recorded");
    let all = &costs.objects;
    let node = |CostNodeId(node)| {
        let node = costs.nodes[node as usize];
        let instruction = costs.instructions[node.instruction.0 as usize];
        let field = &all.fields[instruction.field.0 as usize];
        let at = place(profile, instruction.place);
        format!("{:?} {}.{} {at} x{}", instruction.kind, field.class, field.name, node.frequency)
    };
    let nodes = (0..costs.nodes.len()).map(|at| node(CostNodeId(at as u32)));
    let edges = costs.edges.iter().map(|&(from, to)| format!("{} -> {}", node(from), node(to)));
    let effects = costs.effects.iter().map(|effect| {
        let what = match effect.effect {
            Effect::Allocates(tag) => format!("allocates {}", objects(profile, all, tag)),
            Effect::Stores(at) => format!("stores {}", location(profile, all, at)),
            Effect::Loads(at) => format!("loads {}", location(profile, all, at)),
        };
        format!("{} {what}", node(effect.node))
    });
    let uses = costs.locations.iter().map(|used| {
        let of = location(profile, all, used.location);
        format!("{of}: {} {} {}", used.reads, used.writes, used.overwritten)
    });
    let references = costs.references.iter().map(|reference| {
        format!(
            "{} => {}",
            location(profile, all, reference.from),
            objects(profile, all, reference.to)
        )
    });
    nodes.chain(edges).chain(effects).chain(uses).chain(references).collect()
}

/// The facts of `mode=nulls`.
fn of_nulls(profile: &Profile) -> BTreeSet<String> {
    nulls::met(profile).into_iter().map(|(place, met)| format!("{place} {met:?}")).collect()
}

/// The facts that are about the class with this middle in its name, as if that had
/// the ordinary one.
fn about(facts: &BTreeSet<String>, profile: &Profile, middle: &str) -> BTreeSet<String> {
    let class =
        profile.classes.iter().find(|class| class.name.starts_with(&format!("Names${middle}$")));
    let name = &class.unwrap_or_else(|| panic!("there is no class Names${middle}$")).name;
    let facts = facts.iter().filter(|fact| fact.contains(name));
    // Texts within texts have their backslashes doubled.
    let within = name.replace('\\', "\\\\");
    let ordinary =
        |fact: &str| fact.replace(&within, "Names$ordinary").replace(name, "Names$ordinary");
    facts.map(|fact| ordinary(fact)).collect()
}

#[test]
fn classes_are_recorded_alike_whatever_their_names_are() {
    type Facts = fn(&Profile) -> BTreeSet<String>;
    let modes: [(&str, Facts, usize); 3] =
        [("mode=copies", of_copies, 6), ("mode=costs", of_costs, 40), ("mode=nulls", of_nulls, 1)];
    for jdk in in_turn() {
        for (mode, facts, least) in modes {
            let profile = Recording::new(jdk, "Names", mode).with(&["-Xint"]).run().profile;
            let facts = facts(&profile);
            let ordinary = about(&facts, &profile, MIDDLES[0]);
            assert!(ordinary.len() >= least, "{jdk}, {mode}: {ordinary:#?}");
            for middle in &MIDDLES[1..] {
                let found = about(&facts, &profile, middle);
                assert_eq!(found, ordinary, "{jdk}, {mode}, {middle}");
            }
        }
    }
}

#[test]
fn threads_have_their_names() {
    for jdk in in_turn() {
        let profile = Recording::new(jdk, "Names", "mode=calls").run().profile;
        for middle in MIDDLES {
            let name = format!("works {middle}");
            let found = profile.threads.iter().any(|thread| thread.name == name);
            let threads: Vec<_> = profile.threads.iter().map(|thread| &thread.name).collect();
            assert!(found, "{jdk}: {name} is not among {threads:?}");
        }
    }
}
