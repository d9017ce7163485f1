//! What a thread executes between two moments.

use std::collections::BTreeMap;

use support::{Jdk, Launch, Scratch, api_classes, compiled, in_turn, methods, oldest};

/// Methods of `MeasuresCosts` that execute the same each time.
const SAME: [&str; 10] = [
    "lambdas",
    "concatenation",
    "streams",
    "initialises",
    "maps",
    "patterns",
    "recursion",
    "throwing",
    "catching",
    "nested",
];

fn launch<'a>(jdk: &'a Jdk, scratch: &Scratch, names: &[&str]) -> Launch<'a> {
    let class_path = std::env::join_paths([compiled("main"), api_classes()])
        .expect("the build's folder has no colon in its name");
    let launch = Launch::new(jdk, "MeasuresCosts", scratch.path()).class_path(class_path.into());
    names.iter().fold(launch, |launch, name| launch.argument(*name))
}

/// What was printed of each method; where it was measured twice, that must be the same.
fn costs(output: &str) -> BTreeMap<String, String> {
    let mut costs = BTreeMap::new();
    for part in output.split("= ").skip(1) {
        let (name, text) = part.split_once('\n').expect("there is a line below");
        let known = costs.insert(name.to_owned(), text.to_owned());
        assert!(known.is_none_or(|known| known == text), "{name} differs:\n{output}");
    }
    costs
}

/// Calls and bytecodes of a method, and those of all with the objects.
fn line<'a>(text: &'a str, method: &str) -> Option<Vec<&'a str>> {
    let name = format!("\tMeasuresCosts\t{method}\t");
    let before = |line: &'a str| line.split_once(&*name).map(|(before, _bytes)| before);
    text.lines().find_map(before).map(|line| line.split('\t').collect())
}

#[test]
fn costs_do_not_depend_on_who_was_first() {
    for jdk in in_turn() {
        let scratch = Scratch::new("measures");
        let profile = scratch.file("calls.subsume");
        let run = |options: &str, names: &[&str]| {
            let options = format!("{options}out={}", profile.display());
            costs(&launch(jdk, &scratch, names).agent(&options).run_well())
        };
        let forward = run("", &[&SAME[..], &SAME[..]].concat());
        let backward: Vec<&str> = SAME.iter().rev().copied().collect();
        assert_eq!(run("", &backward), forward, "{jdk}");
        assert_eq!(run("mode=loops,", &SAME), forward, "{jdk}");
        for name in ["lambdas", "streams", "initialises"] {
            let alone = run("", &[name]);
            assert_eq!(alone[name], forward[name], "{jdk}");
        }
        assert!(forward["initialises"].lines().count() > 3, "{forward:?}");
        assert!(!forward["initialises"].contains("<clinit>"), "{forward:?}");
        assert_eq!(forward["throwing"], "thrown: meant\n");

        // Alone, they are what the profile says.
        let recursion = &run("", &["recursion"])["recursion"];
        let found = methods(&profile, "MeasuresCosts", &[]);
        for name in ["fib", "recursion"] {
            let [calls, bytecodes] = ["calls", "exclusive"].map(|key| found[name][key].to_string());
            assert_eq!(line(recursion, name).expect("it ran")[..2], [calls, bytecodes], "{jdk}");
        }
        assert_eq!(line(recursion, "fib").expect("it ran")[0], "177", "{jdk}");

        let nested = ["within", "nested"].map(|name| line(&forward[name], "fib").expect("it ran"));
        assert_eq!(nested.map(|fields| fields[0]), ["15", "33"], "{jdk}");
        let others = run("", &["threads"]);
        assert_eq!(line(&others["threads"], "fib"), None, "{jdk}: {others:?}");
        assert!(line(&others["threads"], "threads").is_some(), "{jdk}: {others:?}");
    }
}

#[test]
fn nothing_is_measured_where_no_calls_are_recorded() {
    let jdk = oldest();
    let scratch = Scratch::new("unmeasured");
    let out = format!("out={}", scratch.file("other.subsume").display());
    let names = ["recursion", "nested", "throwing", "recursion"];
    let options = ["start=off,", "mode=copies,", "mode=nulls,", "exclude=MeasuresCosts,"];
    let mut launches = vec![launch(jdk, &scratch, &names)];
    launches.extend(
        options.map(|option| launch(jdk, &scratch, &names).agent(&format!("{option}{out}"))),
    );
    for (at, launch) in launches.iter().enumerate() {
        let found = costs(&launch.run_well());
        assert_eq!(found["recursion"], "not measured\n", "{at}");
        assert_eq!(found["throwing"], "thrown: meant\n", "{at}");
    }
}
