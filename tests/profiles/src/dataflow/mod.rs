//! Data flow written by hand, for tests of analyses and of commands.

#![allow(dead_code)] // Each test binary uses its own part of this.

pub mod build;
pub mod figure_11;
pub mod figure_6;
pub mod for_whom;
pub mod nulls;

use std::path::Path;

use profile::dataflow::{CopyEdge, CopyProfile, DataFlow, Location, Origin};
use profile::{ClassId, ClassInfo, MethodInfo, Metric, NO_PARENT, Nodes, Profile, ThreadTree};

/// Writes the recordings that the transcripts of commands on data flow use.
pub fn write(directory: &Path) {
    let write = |name: &str, profile: &Profile| {
        profile.validate().unwrap();
        let file = std::fs::File::create(directory.join(name)).unwrap();
        profile::write(profile, file).unwrap();
    };
    let copies = DataFlow { copies: Some(figure_6::figure_6()), ..DataFlow::default() };
    write("copies.subsume", &executed(copies));
    let after = DataFlow { copies: Some(carried_on(figure_6::figure_6())), ..DataFlow::default() };
    write("copies-after.subsume", &executed(after));
    let costs = DataFlow { costs: Some(figure_11::figure_11().graph), ..DataFlow::default() };
    write("costs.subsume", &executed(costs));
    let nulls = DataFlow { nulls: Some(nulls::nulls()), ..DataFlow::default() };
    write("nulls.subsume", &build::profile(nulls));
    write("for-whom.subsume", &for_whom::for_whom());
}

/// Figure 6 where what each list client hands to an iterator is 500 times handed on to
/// the next client, and 400 more clients are made that nobody keeps.
fn carried_on(mut copies: CopyProfile) -> CopyProfile {
    let is_between = |edge: &&mut CopyEdge| matches!(edge.from, Origin::Location(_));
    let handed: Vec<&mut CopyEdge> =
        copies.edges.iter_mut().filter(is_between).filter(|edge| edge.count == 1).collect();
    let ends: Vec<Location> = handed.iter().map(|edge| edge.to).collect();
    handed.into_iter().for_each(|edge| edge.count = 500);
    let last = copies.edges[copies.edges.len() - 1];
    copies.edges.push(CopyEdge {
        from: Origin::Location(ends[0]),
        to: ends[1],
        count: 500,
        ..last
    });
    if let Some(made) = copies.objects.allocations.iter_mut().rfind(|made| made.objects == 1) {
        made.objects += 400;
        made.bytes += 400 * 16;
    }
    copies
}

/// Method, parent, bytecodes, allocations, copies, loads, stores, arithmetic,
/// comparisons.
type Row = (u32, u32, [u64; 7]);

/// A recording in which `Main.main` adds to a list from two places and prints
/// it; sites and instructions are those of `main`.
fn executed(flow: DataFlow) -> Profile {
    let rows: [Row; 5] = [
        (0, NO_PARENT, [9_000, 1_009, 5, 1_000, 1_010, 1_000, 1_005]),
        (1, 0, [24_000, 0, 2_000, 6_000, 4_000, 2_000, 0]),
        (2, 0, [900, 5, 60, 200, 90, 40, 50]),
        (1, 2, [120, 0, 10, 30, 20, 10, 0]),
        (2, 3, [90, 1, 6, 20, 9, 4, 5]),
    ];
    let names = ["bytecodes", "allocations", "copies", "loads", "stores", "alu", "comparisons"];
    let metric = |(at, name): (usize, &str)| Metric {
        name: name.into(),
        values: rows.iter().map(|row| row.2[at]).collect(),
    };
    let method = |class, name: &str| MethodInfo::new(ClassId(class), name, "()V");
    let class = |name: &str| ClassInfo { name: name.into(), ..ClassInfo::default() };
    Profile {
        classes: vec![class("Main"), class("List")],
        methods: vec![method(0, "main"), method(1, "add"), method(1, "toString")],
        threads: vec![ThreadTree { name: "main".into(), threads: 1, nodes: 0..5 }],
        nodes: Nodes {
            method: rows.iter().map(|row| row.0).collect(),
            parent: rows.iter().map(|row| row.1).collect(),
            site: vec![0; rows.len()],
            metrics: names.into_iter().enumerate().map(metric).collect(),
        },
        dataflow: flow,
        ..Profile::default()
    }
}
