//! Long paths are folded where they say little, in the same way by all commands, and names
//! have the colours of whose code they are.

use std::path::{Path, PathBuf};
use std::process::Command;

use made_profiles::recordings::write;
use profile::dataflow::{DataFlow, MethodResults, ResultsProfile, ResultsTotals};
use profile::{
    ClassId, ClassInfo, MethodId, MethodInfo, Metric, NO_PARENT, Nodes, Profile, ThreadTree,
};
use serde_json::Value;

use crate::fixture;

const CLASSES: [&str; 4] = ["app.Orders", "lib.db.Query", "lib.net.Socket", "java.util.Arrays"];
/// Class, name, calls and own bytecodes of each frame of the only path. One's own `totals`
/// makes fifty queries each time, whose cost is in what the JDK does for a second library.
const FRAMES: [(u32, &str, u64, u64); 22] = [
    (0, "main", 1, 10),
    (0, "all", 1, 10),
    (0, "totals", 4, 20),
    (1, "find", 200, 1_000),
    (1, "plan0", 200, 0),
    (1, "plan1", 200, 0),
    (1, "plan2", 200, 0),
    (1, "plan3", 200, 0),
    (1, "plan4", 200, 0),
    (2, "send", 200, 1_000),
    (2, "write0", 200, 0),
    (2, "write1", 200, 0),
    (2, "write2", 200, 0),
    (2, "write3", 200, 0),
    (2, "write4", 200, 0),
    (2, "write5", 200, 0),
    (2, "write6", 200, 0),
    (2, "write7", 200, 0),
    (2, "pack", 200, 0),
    (3, "copy0", 200, 0),
    (3, "copy1", 200, 0),
    (3, "copy2", 200, 90_000),
];
const FIND: usize = 3;

/// Writes the path, with the results of `find` if they are given.
fn path(name: &str, results: Option<MethodResults>) -> PathBuf {
    let results = results.map(|results| {
        let methods = vec![MethodResults { method: MethodId(FIND as u32), ..results }];
        ResultsProfile { methods, totals: ResultsTotals { threads: 1, identities: 1, too_deep: 0 } }
    });
    let parents =
        (0..FRAMES.len() as u32).map(|node| node.checked_sub(1).unwrap_or(NO_PARENT)).collect();
    let profile = Profile {
        dataflow: DataFlow { results, ..DataFlow::default() },
        ..tree(&CLASSES, &FRAMES, parents)
    };
    let directory = fixture::directory(name);
    write(&profile, &directory.join("path.subsume"));
    directory
}

/// A profile of one thread with these classes and nodes, each of a method of its own.
fn tree(classes: &[&str], frames: &[(u32, &str, u64, u64)], parents: Vec<u32>) -> Profile {
    let class = |name: &&str| ClassInfo { name: (*name).into(), ..ClassInfo::default() };
    let method =
        |&(class, name, ..): &(u32, &str, u64, u64)| MethodInfo::new(ClassId(class), name, "(I)V");
    let metric = |name: &str, values: Vec<u64>| Metric { name: name.into(), values };
    let nodes = frames.len() as u32;
    Profile {
        classes: classes.iter().map(class).collect(),
        methods: frames.iter().map(method).collect(),
        threads: vec![ThreadTree { name: "main".into(), threads: 1, nodes: 0..nodes }],
        nodes: Nodes {
            method: (0..nodes).collect(),
            parent: parents,
            site: vec![0; frames.len()],
            metrics: vec![
                metric("calls", frames.iter().map(|frame| frame.2).collect()),
                metric("bytecodes", frames.iter().map(|frame| frame.3).collect()),
            ],
        },
        ..Profile::default()
    }
}

/// What the command says where there is room, with some variables of the environment.
fn said_with(directory: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_subsume"));
    command.args(arguments).current_dir(directory).env("COLUMNS", "400");
    let output = command.envs(variables.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn said(directory: &Path, arguments: &[&str]) -> String {
    said_with(directory, arguments, &[])
}

const OWN: [&str; 2] = ["--own", "app.*"];

/// What every command shows of the path: the last own method, where libraries are entered, who
/// has the JDK work, and what for.
const TELLING: [&str; 5] = [
    "app.Orders.totals",
    "lib.db.Query.find",
    "lib.net.Socket.send",
    "lib.net.Socket.pack",
    "java.util.Arrays.copy0",
];

#[test]
fn all_commands_fold_the_same() {
    let directory = path("paths-folded", None);
    let commands: [&[&str]; 4] = [
        &["summary", "path.subsume"],
        &["methods", "--inside", "app.Orders.all", "path.subsume"],
        &["tree", "path.subsume"],
        &["callers", "path.subsume", "java.util.Arrays.copy2"],
    ];
    for command in commands {
        let command = [command, &OWN].concat();
        let folded = said(&directory, &command);
        for name in TELLING {
            assert!(folded.contains(name), "{name} by {command:?}: {folded}");
        }
        assert!(folded.contains("... 5 frames"), "{command:?}: {folded}");
        assert!(!folded.contains("Socket.write3"), "{command:?}: {folded}");
        assert!(!folded.contains("... 2 frames") && !folded.contains("... 1 frame"), "{folded}");
        let whole = said(&directory, &[&command[..], &["--wide"]].concat());
        assert!(!whole.contains("... "), "{command:?}: {whole}");
        // A place ends in the method for which the JDK works.
        let names = FRAMES[3..18].iter().map(|&(_, name, ..)| name);
        for name in names {
            assert!(whole.contains(&format!(".{name}")), "{name} by {command:?}: {whole}");
        }
    }
    let says_how = said(&directory, &["tree", "path.subsume"]);
    assert!(says_how.contains("Frames behind '...': --wide shows them"), "{says_how}");
}

#[test]
fn a_class_that_is_asked_for_is_not_folded() {
    let directory = path("paths-wanted", None);
    for command in [&["tree", "path.subsume"][..], &["callers", "path.subsume", "copy2"]] {
        let said = said(&directory, &[command, &OWN, &["--class", "lib.net.Socket"]].concat());
        for at in 0..8 {
            assert!(said.contains(&format!("lib.net.Socket.write{at}")), "{said}");
        }
        // Above a class that is asked for, callers are not printed.
        assert_eq!(said.contains("... 5 frames"), command[0] == "tree", "{said}");
    }
}

#[test]
fn json_has_all_frames() {
    let directory = path("paths-json", None);
    let tree: Value = serde_json::from_str(&said(&directory, &["tree", "--json", "path.subsume"]))
        .expect("it is JSON");
    assert_eq!(tree["nodes"].as_array().map(Vec::len), Some(FRAMES.len()));
    let callers = said(&directory, &["callers", "--json", "path.subsume", "copy2"]);
    let callers: Value = serde_json::from_str(&callers).expect("it is JSON");
    assert_eq!(callers["callers"].as_array().map(Vec::len), Some(FRAMES.len() - 1));
}

#[test]
fn names_have_the_colour_of_their_owner() {
    let directory = path("paths-coloured", None);
    for command in [
        &["summary", "path.subsume"][..],
        &["methods", "--inside", "app.Orders.all", "path.subsume"],
        &["tree", "path.subsume"],
        &["callers", "path.subsume", "java.util.Arrays.copy2"],
        &["search", "--auto", "path.subsume"],
    ] {
        let coloured = |variables: &[(&str, &str)]| {
            said_with(&directory, &[command, &OWN].concat(), variables)
        };
        let forced = coloured(&[("CLICOLOR_FORCE", "1")]);
        for name in ["\x1b[36mapp.Orders.totals\x1b[0m", "\x1b[32mlib.net.Socket.send\x1b[0m"] {
            assert!(forced.contains(name), "{name:?} by {command:?}: {forced}");
        }
        let plain = coloured(&[]);
        assert!(!plain.contains('\x1b'), "{plain}");
        assert_eq!(plain, coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
        // Colours take no columns.
        let stripped = ["\x1b[36m", "\x1b[32m", "\x1b[33m", "\x1b[0m"];
        let stripped = stripped.iter().fold(forced, |text, colour| text.replace(colour, ""));
        assert_eq!(stripped, plain);
    }
}

#[test]
fn a_loop_says_with_how_many_arguments_it_calls() {
    let results = |inputs| {
        Some(MethodResults { returned: 200, inputs, receivers: 1, ..MethodResults::default() })
    };
    let unlike = "lib.db.Query.find (50 times each, with 40 different arguments in 200 calls)";
    for (name, results, told, different) in [
        ("paths-no-results", None, "lib.db.Query.find (50 times each)", Value::Null),
        (
            "paths-same",
            results(1),
            "lib.db.Query.find (50 times each, with the same arguments)",
            1.into(),
        ),
        ("paths-other", results(40), unlike, 40.into()),
    ] {
        let directory = path(name, results);
        let summary = said(&directory, &[&["summary", "path.subsume"], &OWN[..]].concat());
        assert!(summary.contains(told), "{summary}");
        let summary = [&["summary", "--json", "path.subsume"], &OWN[..]].concat();
        let summary: Value = serde_json::from_str(&said(&directory, &summary)).unwrap();
        let often = &summary["places"][0]["often"][0];
        assert_eq!(often["name"], "find", "{summary}");
        assert_eq!(often["calls_each"], 50);
        assert_eq!(often["inputs"]["different"], different);
        let page = [&["report", "--json", "path.subsume"], &OWN[..]].concat();
        let page = said(&directory, &page);
        let words = told.split_once("each, ").map(|(_, words)| words.trim_end_matches(')'));
        assert!(words.is_none_or(|words| page.contains(words)), "{page}");
        assert_eq!(words.is_none(), !page.contains("arguments"), "{page}");
    }
}

/// Places below one loop, of which two are a frame and one is a path.
#[test]
fn places_of_a_loop_are_shown_with_their_frames() {
    let frames = [
        (0, "main", 1, 5),
        (0, "totals", 2, 5),
        (0, "totalOf", 100, 1),
        (1, "find", 100, 20_000),
        (2, "send", 100, 100),
        (3, "write", 100, 18_000),
        (3, "sync", 100, 15_000),
        (0, "others", 1, 40_000),
    ];
    let classes = ["app.Orders", "lib.db.Query", "lib.net.Socket", "other.Disk"];
    let profile = tree(&classes, &frames, vec![NO_PARENT, 0, 1, 2, 2, 4, 2, 0]);
    let directory = fixture::directory("paths-loop");
    write(&profile, &directory.join("loop.subsume"));
    let summary = said(&directory, &[&["summary", "loop.subsume"], &OWN[..]].concat());
    for shown in [
        "app.Orders.totals > app.Orders.totalOf (50 times each)",
        "% in lib.db.Query.find\n",
        "% in lib.net.Socket.send > other.Disk.write\n",
    ] {
        assert!(summary.contains(shown), "{shown:?}: {summary}");
    }
}
