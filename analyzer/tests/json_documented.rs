//! `docs/reference/json.md` names every field of every answer in JSON, with its types, and no other.

use crate::fixture;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::fixture::command::subsume;
use profile::dataflow::LostOrigins;
use profile::{ClassId, ClassInfo, MethodInfo, Metric, NO_PARENT, Profile, ThreadTree};
use serde_json::Value;

const DOCUMENT: &str = include_str!("../../docs/reference/json.md");

/// Questions to each command, so that each field is in an answer, and holds each of the
/// types that it may have.
const QUESTIONS: &[(&str, &[&[&str]])] = &[
    (
        "info",
        &[
            &["labelled.subsume"],
            &["--skipped", "recording.subsume"],
            &["copies.subsume"],
            &["cut-short.subsume"],
            &["idle.subsume"],
            &["timed.subsume"],
        ],
    ),
    (
        "diagnose",
        &[&["diagnosis"], &["looped-diagnosis"], &["timed-diagnosis", "--against", "diagnosis"]],
    ),
    (
        "methods",
        &[
            &["--all", "recording.subsume"],
            &["--all", "imported.subsume"],
            &["--all", "timed.subsume"],
        ],
    ),
    (
        "methods --inside",
        &[&["--inside", "App.less", "recording.subsume"], &["--inside", "a", "imported.subsume"]],
    ),
    (
        "summary",
        &[
            &["--height", "0", "--distance", "0", "recording.subsume"],
            &["moves.subsume"],
            &["results.subsume"],
            &["imported.subsume"],
            &["spread.subsume"],
            &["timed.subsume"],
            &["looped.subsume"],
        ],
    ),
    ("tree", &[&["recording.subsume"], &["timed.subsume"]]),
    ("callers", &[&["recording.subsume", "App.less"]]),
    (
        "diff",
        &[
            &["--contexts", "recording.subsume", "moves.subsume"],
            &["--contexts", "recording.subsume", "cut-short.subsume"],
            &["moves.subsume", "moves.subsume"],
            &["copies.subsume", "copies-after.subsume"],
            &["timed.subsume", "moves.subsume"],
            &["split.subsume", "recording.subsume"],
        ],
    ),
    ("export", &[&["recording.subsume"]]),
    ("search", &[&["--auto", "recording.subsume"]]),
    ("import", &[&["example1.folded", "-o", "again.subsume"]]),
    ("time", &[&["recording.subsume", "time.folded", "-o", "timed-again.subsume"]]),
    ("merge", &[&["recording.subsume", "copies.subsume", "-o", "merged.subsume"]]),
    (
        "fleet add",
        &[
            &["fleet", "recording.subsume", "imported.subsume", "--label", "version=1"],
            &["fleet", "cut-short.subsume", "--label", "version=1"],
            &["--no-trees", "bare", "recording.subsume", "--label", "version=1"],
            &["--no-trees", "bare", "moves.subsume", "--label", "version=2"],
            &["fleet", "moves.subsume", "lines.subsume", "--label", "version=1"],
            &["fleet", "idle.subsume", "idle-again.subsume", "--label", "version=3"],
        ],
    ),
    ("fleet list", &[&["fleet"]]),
    (
        "fleet methods",
        &[
            &["fleet", "--all", "--where", "program=com.*"],
            &["fleet", "--all", "--where", "program=com.*", "--summaries"],
            &["fleet", "--all", "--where", "program=unknown"],
        ],
    ),
    (
        "fleet gate",
        &[&["fleet", "--from", "version=1", "--to", "version=3", "--where", "program=com.*"]],
    ),
    (
        "fleet outliers",
        &[&["fleet", "--where", "program=com.*"], &["fleet", "--where", "version=3;nothing"]],
    ),
    (
        "fleet report",
        &[
            &["fleet", "--where", "program=com.*"],
            &["fleet", "--where", "program=com.*", "--by", "jvm"],
            &["bare"],
        ],
    ),
    ("copies", &[&["copies.subsume"], &["for-whom.subsume"], &["--with-start", "copies.subsume"]]),
    ("chains", &[&["copies.subsume"], &["for-whom.subsume"]]),
    ("clones", &[&["copies.subsume"], &["for-whom.subsume"]]),
    (
        "temporaries",
        &[&["copies.subsume"], &["for-whom.subsume"], &["--with-start", "copies.subsume"]],
    ),
    ("useless", &[&["copies.subsume"], &["for-whom.subsume"]]),
    ("graph", &[&["copies.subsume", "Main:39"]]),
    ("costs", &[&["costs.subsume"]]),
    ("dead", &[&["costs.subsume"], &["for-whom.subsume"]]),
    ("cost-of", &[&["costs.subsume", "Main:35"]]),
    ("nulls", &[&["nulls.subsume"]]),
    ("loops", &[&["loops.subsume"]]),
    ("growth", &[&["growth.subsume"]]),
    ("typestate", &[&["--all", "typestate.subsume"]]),
    (
        "repeats",
        &[&["results.subsume"], &["for-whom.subsume"], &["--with-start", "results.subsume"]],
    ),
    ("lines", &[&["lines.subsume"]]),
    ("history", &[&["recording.subsume", "moves.subsume"], &["recording.subsume", "idle.subsume"]]),
];

/// Fields below lists and objects that are empty in all of these answers: the document's types
/// of these fields are not checked.
const NEVER_FILLED: &[&str] = &[
    "info: files[].allocated[].bytes",
    "info: files[].allocated[].class",
    "info: files[].splits[].methods[].method",
    "info: files[].splits[].methods[].others",
    "info: files[].splits[].methods[].texts",
    "info: files[].splits[].split",
    "diagnose: findings[].below[].cost",
    "summary: patterns[].calls",
    "summary: patterns[].contexts",
    "summary: patterns[].inclusive",
    "summary: patterns[].induced",
    "summary: patterns[].user",
    "summary: patterns[].user.cost",
    "summary: patterns[].user.of",
    "summary: places[].often[].calls_each",
    "summary: places[].often[].inputs",
    "summary: start_up.largest[].cost",
    "summary: suspicious_calls[].all_calls",
    "summary: suspicious_calls[].all_cost",
    "summary: suspicious_calls[].callee",
    "summary: suspicious_calls[].caller",
    "summary: suspicious_calls[].calls",
    "summary: suspicious_calls[].cost",
    "summary: suspicious_calls[].excess",
    "diff: contexts.greatest[].difference",
    "diff: contexts.greatest[].in",
    "diff: explanation.rows[].estimated_time",
    "diff: methods[].after.contexts",
    "diff: methods[].after.exclusive.*",
    "diff: methods[].after.inclusive",
    "diff: methods[].before.contexts",
    "diff: methods[].before.exclusive.*",
    "diff: methods[].before.inclusive",
    "diff: methods[].code",
    "diff: methods[].descriptor_before",
    "fleet add: known[].file",
    "fleet add: known[].run",
    "fleet add: refused[].file",
    "fleet add: refused[].reason",
    "fleet gate: above[].after",
    "fleet gate: above[].before",
    "fleet gate: above[].difference",
    "fleet gate: above[].owner",
];

/// Types by the path of a field: `a.b` for a field in an object, `a[]` for what is in a
/// list.
type Fields = BTreeMap<String, BTreeSet<String>>;

/// Adds the simple values in a value, and lists and objects that hold nothing.
fn add(path: &str, value: &Value, fields: &mut Fields) {
    let name = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(items) => {
            items.iter().for_each(|item| add(&format!("{path}[]"), item, fields));
            if !items.is_empty() {
                return;
            }
            "empty"
        }
        Value::Object(members) => {
            for (name, member) in members {
                add(&join(path, name), member, fields);
            }
            return;
        }
    };
    fields.entry(path.to_owned()).or_default().insert(name.to_owned());
}

fn join(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
}

fn answered(directory: &Path, command: &str, questions: &[&[&str]]) -> Fields {
    let mut fields = Fields::new();
    for question in questions {
        // Headings name options, too.
        let words: Vec<&str> =
            command.split(' ').take_while(|word| !word.starts_with('-')).collect();
        let arguments = [&words[..], &["--json"], *question].concat();
        let output = subsume(directory, &arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        for line in text.lines() {
            add("", &serde_json::from_str(line).unwrap(), &mut fields);
        }
    }
    fields
}

/// The tables of the document: heading, and rows of fields and types.
fn tables() -> BTreeMap<&'static str, Fields> {
    let mut tables: BTreeMap<&str, Fields> = BTreeMap::new();
    let mut heading = "";
    for line in DOCUMENT.lines() {
        if let Some(title) = line.strip_prefix("## ").or_else(|| line.strip_prefix("### ")) {
            heading = title;
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let ["", field, types, meaning, ""] = cells[..] else { continue };
        let Some(field) = field.strip_prefix('`').and_then(|field| field.strip_suffix('`')) else {
            continue;
        };
        assert!(!meaning.is_empty(), "{heading}: {field} means nothing");
        let types = types.split(" or ").map(str::to_owned).collect();
        let known = tables.entry(heading).or_default().insert(field.to_owned(), types);
        assert_eq!(known, None, "{heading}: {field} twice");
    }
    tables
}

/// The fields with simple types that a table stands for, where types are shapes.
fn expanded(table: &Fields, shapes: &BTreeMap<&str, Fields>) -> Fields {
    let mut fields = Fields::new();
    for (path, types) in table {
        for name in types {
            match shapes.get(name.as_str()) {
                Some(shape) => {
                    for (field, types) in expanded(shape, shapes) {
                        fields.entry(join(path, &field)).or_default().extend(types);
                    }
                }
                None => {
                    fields.entry(path.clone()).or_default().insert(name.clone());
                }
            }
        }
    }
    fields
}

/// A recording of a loop of one's own with two places below it.
fn looped() -> Profile {
    let contexts = [(NO_PARENT, "main", 1, 10), (0, "totals", 5, 10), (1, "ask", 250, 10)];
    let below = [(2, "parse", 250, 4_000), (2, "print", 250, 3_900), (2, "close", 250, 3_800)];
    let below = below.into_iter().chain([(0, "others", 1, 9_000)]);
    let mut profile = Profile {
        classes: vec![ClassInfo { name: "demo.Shop".into(), ..ClassInfo::default() }],
        ..Profile::default()
    };
    let (mut calls, mut bytecodes) = (Vec::new(), Vec::new());
    for (at, (parent, name, of_calls, cost)) in (0..).zip(contexts.into_iter().chain(below)) {
        profile.methods.push(MethodInfo::new(ClassId(0), name, "()V"));
        profile.nodes.method.push(at);
        profile.nodes.parent.push(parent);
        profile.nodes.site.push(0);
        calls.push(of_calls);
        bytecodes.push(cost);
    }
    profile.threads = vec![ThreadTree { name: "main".into(), threads: 1, nodes: 0..7 }];
    profile.nodes.metrics = vec![
        Metric { name: "calls".into(), values: calls },
        Metric { name: "bytecodes".into(), values: bytecodes },
    ];
    profile.run.options = "own=demo.*".into();
    profile
}

/// Folders of recordings: of results alone, of calls with a loop, and with runs and time.
fn make_diagnoses(directory: &Path) {
    for (folder, from, name) in [
        ("diagnosis", "results.subsume", "results.subsume"),
        ("looped-diagnosis", "looped.subsume", "calls.subsume"),
        ("timed-diagnosis", "timed.subsume", "calls.subsume"),
    ] {
        let folder = directory.join(folder);
        std::fs::create_dir(&folder).expect("it is not there");
        std::fs::copy(directory.join(from), folder.join(name)).expect("the recording is there");
    }
    let run = |mode, code: Value, same: Value| serde_json::json!({"mode": mode, "millis": 1, "cpu_millis": 1, "exit_code": code, "same_output": same, "timed": [{"millis": 1, "cpu_millis": 1}]});
    let mut runs = [run("plain", 0.into(), Value::Null), run("calls", Value::Null, true.into())];
    runs[0]["printed"] = "same".into();
    let notes = serde_json::json!({
        "version": 1, "command": ["java", "Shop"], "folder": "/", "agent_options": "", "once": false, "for_seconds": null, "runs": runs
    });
    for folder in ["diagnosis", "timed-diagnosis"] {
        let path = directory.join(folder).join("diagnosis.json");
        std::fs::write(path, notes.to_string()).expect("the folder can be written");
    }
}

/// Adds values whose origins were lost to the recordings of data flow.
fn lose_origins(directory: &Path) {
    let lost = || LostOrigins { reason: "arguments of calls by native code".into(), values: 3 };
    for name in ["copies.subsume", "costs.subsume", "nulls.subsume"] {
        let path = directory.join(name);
        let mut profile = profile::read_file(&path).expect("it was written");
        let flow = &mut profile.dataflow;
        let copies = flow.copies.as_mut().map(|copies| &mut copies.objects.lost);
        let costs = flow.costs.as_mut().map(|costs| &mut costs.objects.lost);
        let nulls = flow.nulls.as_mut().map(|nulls| &mut nulls.lost);
        [copies, costs, nulls].into_iter().flatten().for_each(|all| all.push(lost()));
        fixture::write(&profile, &path);
    }
}

/// True if a path is one that the document names, where `*` is any field.
fn matches(documented: &str, path: &str) -> bool {
    let (names, fields) = (documented.split('.'), path.split('.'));
    names.clone().count() == fields.clone().count()
        && names.zip(fields).all(|(name, field)| name == "*" || name == field)
}

#[test]
fn every_field_is_documented_and_every_documented_field_is_there() {
    let directory = fixture::directory("json-documented");
    lose_origins(&directory);
    for (from, to) in [("example1.folded", "imported.subsume"), ("spread.folded", "spread.subsume")]
    {
        let imported = subsume(&directory, &["import", from, "-o", to]);
        assert!(imported.status.success(), "{imported:?}");
    }
    let mut labelled = fixture::recording();
    labelled.run.labels.insert("version".to_owned(), "1".to_owned());
    fixture::write(&labelled, &directory.join("labelled.subsume"));
    let mut split = fixture::recording();
    let method = split.methods.last_mut().expect("it has methods");
    let class = &split.classes[method.class.0 as usize].name;
    let key = format!("{class}.{}{}", method.name, method.descriptor);
    split.run.splits.insert(key, "jdbc".to_owned());
    method.name = profile::texts::join(&method.name, "select ?");
    fixture::write(&split, &directory.join("split.subsume"));
    let timed = ["time", "recording.subsume", "time.folded", "-o", "timed.subsume"];
    assert!(subsume(&directory, &timed).status.success());
    fixture::write(&looped(), &directory.join("looped.subsume"));
    make_diagnoses(&directory);
    let again = ["merge", "idle.subsume", "-o", "idle-again.subsume"];
    assert!(subsume(&directory, &again).status.success());
    let tables = tables();
    let (mut wrong, mut never_filled) = (Vec::new(), Vec::new());
    let mut compared = 0;
    for (command, questions) in QUESTIONS {
        let table = tables.get(command).unwrap_or_else(|| panic!("no table of {command}"));
        let documented = expanded(table, &tables);
        let found = answered(&directory, command, questions);
        for (path, types) in &found {
            if path == "version" || *types == BTreeSet::from(["empty".to_owned()]) {
                continue;
            }
            let Some((_, known)) = documented.iter().find(|(name, _)| matches(name, path)) else {
                // A field that is null in place of an object.
                let below = format!("{path}.");
                let is_object = documented.keys().any(|name| name.starts_with(&below));
                if types.len() > 1 || !types.contains("null") || !is_object {
                    wrong.push(format!("{command}: {path} ({types:?}) is not documented"));
                }
                continue;
            };
            for name in types.iter().filter(|name| *name != "empty" && !known.contains(*name)) {
                wrong.push(format!("{command}: {path} can be {name}"));
            }
        }
        // What is below a list that is empty in all answers cannot be seen.
        let empty = |name: &str| {
            found.iter().any(|(path, types)| {
                types.len() == 1 && types.contains("empty") && name.starts_with(&format!("{path}["))
            })
        };
        for name in table.keys().filter(|name| !name.ends_with("[]")) {
            let is_there = |path: &String| {
                matches(name, path)
                    || path.starts_with(&format!("{name}."))
                    || path.starts_with(&format!("{name}["))
            };
            if !found.keys().any(is_there) {
                if empty(name) {
                    never_filled.push(format!("{command}: {name}"));
                } else {
                    wrong.push(format!("{command}: there is no {name}"));
                }
            }
            compared += 1;
        }
    }
    assert!(wrong.is_empty(), "docs/reference/json.md is wrong:\n{}", wrong.join("\n"));
    assert_eq!(never_filled, NEVER_FILLED);
    assert!(compared > 200);
}
