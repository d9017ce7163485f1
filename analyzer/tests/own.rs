//! What is one's own code, in every command that says whose code something is.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::fixture;
use crate::fixture::command::subsume;

fn json(directory: &Path, arguments: &[&str]) -> Value {
    let output = subsume(directory, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What `info` says with these options.
fn own_code(directory: &Path, options: &[&str]) -> String {
    let arguments = [&["info", "--json", "recording.subsume"], options].concat();
    let info = json(directory, &arguments);
    info["files"][0]["own_code"].as_str().unwrap().to_owned()
}

#[test]
fn source_files_in_folders_are_ones_own() {
    let directory = fixture::directory("own-sources");
    fs::create_dir_all(directory.join("src/com/example")).unwrap();
    fs::create_dir_all(directory.join("jdk/java/text")).unwrap();
    fs::write(directory.join("src/com/example/Worker.java"), "").unwrap();
    fs::write(directory.join("jdk/java/text/Format.java"), "").unwrap();
    let by_name = own_code(&directory, &[]);
    assert!(by_name.starts_with("classes in com.example, by name"), "{by_name}");
    let says = "1 class with source files in src: what --sources contains";
    assert_eq!(own_code(&directory, &["--sources", "src"]), says);
    // The JDK's are not, and --own goes before.
    assert_eq!(own_code(&directory, &["--sources", "jdk"]), by_name);
    let said = own_code(&directory, &["--sources", "src", "--own", "com.*"]);
    assert_eq!(said, "classes that match 'com.*', as --own says");

    // The page has it, too.
    let arguments = ["report", "--json", "--sources", "src", "recording.subsume"];
    let page = json(&directory, &arguments);
    assert!(page["profiles"][0].to_string().contains(says));
    let missing = subsume(&directory, &["summary", "--sources", "gone", "recording.subsume"]);
    assert_eq!(missing.status.code(), Some(2), "{missing:?}");
}

#[test]
fn commands_ask_the_same_definition() {
    let directory = fixture::directory("own-commands");
    let added = subsume(&directory, &["fleet", "add", "fleet", "recording.subsume"]);
    assert!(added.status.success(), "{added:?}");
    let loops = |options: &[&str]| {
        let answer = json(&directory, &[&["loops", "--json", "loops.subsume"], options].concat());
        let first = &answer["loops"][0];
        (first["owner"].clone(), first["paths"][0]["own"].is_null())
    };
    let repeats = |options: &[&str]| {
        let command = ["repeats", "--json", "--with-start", "results.subsume"];
        let answer = json(&directory, &[&command, options].concat());
        answer["candidates"][0]["owner"].clone()
    };
    let fleet = |options: &[&str]| {
        let command = ["fleet", "methods", "--all", "--json", "fleet"];
        let answer = json(&directory, &[&command, options].concat());
        let methods = answer["methods"].as_array().unwrap();
        let owner = |class: &str| {
            let found = methods.iter().find(|method| method["class"] == class);
            found.expect("it was executed")["owner"].clone()
        };
        (owner("com.example.App"), owner("java.text.Format"))
    };
    assert_eq!(loops(&["--own", "*"]), ("own".into(), false));
    assert_eq!(loops(&["--own", "nobody.*"]).0, "library");
    assert!(loops(&["--own", "nobody.*"]).1);
    assert_eq!(repeats(&["--own", "*"]), "own");
    assert_ne!(repeats(&["--own", "nobody.*"]), "own");
    assert_eq!(fleet(&[]), ("own".into(), "jdk".into()));
    assert_eq!(fleet(&["--own", "java.text.*"]), ("library".into(), "own".into()));
    assert_eq!(fleet(&["--summaries"]), (Value::Null, Value::Null));
}

/// A search has what the summary has: it leaves the start out, and says so.
#[test]
fn a_search_leaves_the_start_out() {
    let directory = fixture::directory("search-start");
    let total = |options: &[&str]| {
        let command = ["search", "--auto", "--json", "for-whom.subsume", "--metric", "bytecodes"];
        json(&directory, &[&command, options].concat())
    };
    let (without, with) = (total(&[]), total(&["--with-start"]));
    let start = &without["start_up"];
    assert_eq!(start["is_left_out"], true, "{without}");
    assert_eq!(start["of"], with["total"]);
    let left = with["total"].as_u64().unwrap() - start["cost"].as_u64().unwrap();
    assert_eq!(without["total"], left);
    assert!(with["start_up"].is_null());
    let context = without["bottlenecks"][0]["context"].as_array().unwrap();
    let path = without["bottlenecks"][0]["path"].as_array().unwrap();
    assert!(context.ends_with(path), "{without}");
    let text =
        subsume(&directory, &["search", "--auto", "for-whom.subsume", "--metric", "bytecodes"]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("left out; --with-start shows them"), "{text}");
}

/// Commands about loops, objects, nulls and lines say whose code their rows are, too.
#[test]
fn rows_of_other_commands_have_owners() {
    let directory = fixture::directory("own-rows");
    for (command, file, rows) in [
        ("growth", "growth.subsume", "loops"),
        ("growth", "growth.subsume", "idle"),
        ("typestate", "typestate.subsume", "sites"),
        ("nulls", "nulls.subsume", "places"),
        ("costs", "costs.subsume", "structures"),
        ("lines", "lines.subsume", "lines"),
    ] {
        let owners = |own: &str| {
            let answer = json(&directory, &[command, "--json", "--own", own, file]);
            let rows = answer[rows].as_array().unwrap().clone();
            assert!(!rows.is_empty(), "{command}: {answer}");
            rows.into_iter().map(|row| row["owner"].clone()).collect::<Vec<_>>()
        };
        let all = owners("*");
        assert!(all.iter().all(|owner| owner == "own" || owner.is_null()), "{command}: {all:?}");
        assert!(all.contains(&"own".into()), "{command} {rows}: {all:?}");
        let none = owners("nobody.*");
        assert!(!none.contains(&"own".into()), "{command}: {none:?}");
    }
}

/// Contexts that one command leaves out are counted by another, and each says so.
#[test]
fn contexts_of_start_up_make_up_the_difference() {
    let directory = fixture::directory("start-contexts");
    let said = |arguments: &[&str]| {
        let output = subsume(&directory, arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let number = |text: &str, before: &str| -> u64 {
        let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("{before}: {text}"));
        rest.split(' ').next().unwrap().parse().unwrap()
    };
    let file = "for-whom.subsume";
    let summary = said(&["summary", "--metric", "bytecodes", file]);
    let (kept, start) = (number(&summary, " bytecodes in "), number(&summary, "bytecodes, in "));
    assert!(kept > 0 && start > 0, "{summary}");
    let page = said(&["report", "--metric", "bytecodes", file]);
    assert!(page.contains(&format!(" of {kept} contexts; what is left out")), "{page}");
    assert_eq!(number(&page, "bytecodes, in "), start, "{page}");
    let all = json(&directory, &["diff", "--json", file, file]);
    assert_eq!(all["totals"]["contexts"]["before"], kept + start, "{all}");
}
