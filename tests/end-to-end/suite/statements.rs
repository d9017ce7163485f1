//! `split=jdbc` with a database: a query in a loop, a release that makes one more, and
//! prepared statements, whose executions have the text with which they were prepared.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::fetched::drivers_class_path;
use support::{Jdk, Launch, Scratch, attach, compiled, in_turn, subsume};

const QUERY: &str = "prepareStatement: select price from item where id = ?";

fn class_path() -> PathBuf {
    let mut class_path = compiled("statements").into_os_string();
    class_path.push(":");
    class_path.push(drivers_class_path("databases"));
    PathBuf::from(class_path)
}

fn record(jdk: &Jdk, scratch: &Scratch, release: &str) -> PathBuf {
    let profile = scratch.file(&format!("{release}.subsume"));
    let class_path = class_path();
    let launch = || {
        let launch = Launch::new(jdk, "Statements", scratch.path()).class_path(class_path.clone());
        if release == "taxed" { launch.argument(release) } else { launch }
    };
    let plain = launch().run();
    assert_eq!(plain.status, Some(0), "{jdk}: {plain:?}");
    let agent = format!("split=jdbc,out={}", profile.display());
    launch().agent(&agent).run().assert_same_as(&plain, format_args!("{release} on {jdk}"));
    profile
}

fn json(arguments: &[&str], files: &[&Path]) -> Value {
    let files = files.iter().map(|file| file.display().to_string());
    let words: Vec<String> = arguments.iter().map(|&word| word.to_owned()).chain(files).collect();
    serde_json::from_str(&subsume(&words)).expect("the command prints JSON")
}

#[test]
fn queries_are_counted_and_compared() {
    for jdk in in_turn() {
        let scratch = Scratch::new("statements");
        let before = record(jdk, &scratch, "before");
        let after = record(jdk, &scratch, "taxed");
        // Each of 4 totals asks for each of 50 items.
        let callers = json(&["callers", "--json", QUERY], &[&before]);
        assert_eq!(callers["calls"], 200, "{jdk}: {callers}");
        let lines = callers["callers"].as_array().expect("is an array");
        let total = lines.iter().find(|line| line["name"] == "total");
        let price = lines.iter().find(|line| line["name"] == "price");
        assert!(total.is_some() && price.is_some(), "{jdk}: {callers}");
        let tree = json(&["tree", "--json", "--under", "Statements.total"], &[&before]);
        let calls = |name: &str| {
            let lines = tree["nodes"].as_array().expect("is an array");
            let found = lines.iter().find(|line| line["name"] == name);
            found.unwrap_or_else(|| panic!("{name} is in {tree}"))["calls"].clone()
        };
        assert_eq!((calls("total"), calls(QUERY)), (4.into(), 200.into()), "{jdk}");
        let files = [&before, &after].map(|file| file.display().to_string());
        let diff = subsume(&["diff", &files[0], &files[1]]);
        let more = "executeQuery: select rate from tax where country = ?";
        assert!(diff.contains(more) && diff.contains("new"), "{jdk}: {diff}");
    }
}

/// Calls of methods with a text, by the method's name; those of proxies, and all others.
fn texts(profile: &Path) -> [BTreeMap<String, u64>; 2] {
    let read = profile::read_file(profile).expect("the profile can be read");
    read.validate().expect("the profile is consistent");
    let mut texts = [BTreeMap::new(), BTreeMap::new()];
    for (name, calls) in read.names().zip(read.by_method("calls")) {
        let is_named = |start: &&str| name.name.starts_with(start);
        let is_internal = name.name.ends_with("Internal");
        if calls > 0 && !is_internal && ["execute", "addBatch"].iter().any(is_named) {
            let is_of_driver = usize::from(name.class.starts_with("org.h2.jdbc."));
            if is_of_driver == 1 || name.class.contains("$Proxy") {
                *texts[is_of_driver].entry(name.name.to_owned()).or_default() += calls;
            }
        }
    }
    texts
}

fn check_texts(profile: &Path, jdk: &Jdk) {
    let [proxies, driver] = texts(profile);
    let proxy = [
        ("executeQuery: select id from item where price > ?", 1),
        ("executeQuery: select price from item where id = ?", 7),
    ];
    let of_driver = [
        // One with its literals, of a statement that is not prepared.
        ("addBatch: insert into item values (?, ?)", 10 + 1),
        ("execute: create table item(id int primary key, price int)", 1),
        ("execute: select ? from item", 1),
        ("executeBatch", 1),
        ("executeBatch: insert into item values (?, ?)", 1),
        ("executeQuery: select id from item where price > ?", 1),
        ("executeQuery: select price from item where id = ?", 37),
        ("executeUpdate: update item set price = price + ? where id = ?", 10),
    ];
    let expected = |all: &[(&str, u64)]| -> BTreeMap<String, u64> {
        all.iter().map(|&(name, calls)| (name.to_owned(), calls)).collect()
    };
    assert_eq!(proxies, expected(&proxy), "{jdk}");
    assert_eq!(driver, expected(&of_driver), "{jdk}");
}

#[test]
fn prepared_statements_keep_their_text() {
    for jdk in in_turn() {
        let scratch = Scratch::new("statements");
        let launch = || Launch::new(jdk, "Prepared", scratch.path()).class_path(class_path());
        let plain = launch().run_well();
        assert!(plain.ends_with("true\n"), "{plain}");
        for jvm in [&["-Xint"][..], &["-Xcheck:jni", "-Xverify:all", "-XX:+UseParallelGC"]] {
            let profile = scratch.file("prepared.subsume");
            let agent = format!("split=jdbc,out={}", profile.display());
            assert_eq!(launch().options(jvm).agent(&agent).run_well(), plain, "{jdk} {jvm:?}");
            check_texts(&profile, jdk);
        }
        let profile = scratch.file("attached.subsume");
        let attach = attach(&profile, Some("split=jdbc"));
        let attach: Vec<_> = attach.iter().map(|word| word.as_os_str()).collect();
        assert_eq!(launch().after(&attach).run_well(), plain, "{jdk}, attached");
        check_texts(&profile, jdk);
    }
}
