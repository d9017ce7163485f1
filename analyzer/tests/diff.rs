//! `subsume diff` on profiles that differ in known ways.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use crate::fixture::command::subsume;

/// A folder for the profiles of a test.
fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

/// Writes a profile from stacks, with descriptors and hashes of the code of the methods
/// of these names.
fn write_profile(directory: &Path, name: &str, stacks: &str, code: &[(&str, &str, u64)]) {
    let mut importer = formats::import::folded::Importer::default();
    importer.read(Path::new(name), &mut stacks.as_bytes()).unwrap();
    let mut profile = importer.finish();
    let known = |name: &str| code.iter().find(|(known, ..)| *known == name);
    profile.code_hashes =
        profile.methods.iter().map(|m| known(&m.name).map_or(0, |known| known.2)).collect();
    for method in &mut profile.methods {
        method.descriptor = known(&method.name).map_or("", |known| known.1).to_owned();
    }
    profile::write(&profile, File::create(directory.join(name)).unwrap()).unwrap();
}

/// The command tells changed code from code that only costs more.
#[test]
fn the_command_says_what_has_become_of_methods() {
    let directory = directory("diff");
    let write = |name: &str, stacks: &str, code: &[(&str, u64)]| {
        let code: Vec<_> = code.iter().map(|&(name, hash)| (name, "", hash)).collect();
        write_profile(&directory, name, stacks, &code);
    };
    write(
        "old",
        "main 10\nmain;a 100\nmain;b 50\nmain;gone 5\n",
        &[("main", 1), ("a", 2), ("b", 3)],
    );
    write(
        "new",
        "main 10\nmain;a 130\nmain;b 70\nmain;fresh 7\n",
        &[("main", 1), ("a", 9), ("b", 3)],
    );
    let output = subsume(&directory, &["diff", "--json", "--contexts", "old", "new"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let fates: BTreeMap<String, String> = answer["methods"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| (m["name"].as_str().unwrap().into(), m["code"].as_str().unwrap().into()))
        .collect();
    let expected =
        [("a", "changed"), ("b", "same"), ("fresh", "new"), ("gone", "gone"), ("main", "same")];
    assert_eq!(fates, expected.map(|(a, b)| (a.to_owned(), b.to_owned())).into());
    assert_eq!(answer["totals"]["weight"]["after"], 217);
    assert_eq!(answer["contexts"]["greatest"][0]["difference"], 30);
    let explained: BTreeMap<(&str, &str), i64> = answer["explanation"]["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let text = |field: &str| row[field].as_str().unwrap();
            ((text("name"), text("code")), row["difference"].as_i64().unwrap())
        })
        .collect();
    // b has the code that it had, and its caller called it, so b itself did more;
    // what has no hash is not known to have changed.
    let expected = [(("a", "changed"), 30), (("b", "same"), 20), (("main", "same"), 7 - 5)];
    assert_eq!(explained, expected.into());

    // Other commands count contexts without start-up.
    let text = subsume(&directory, &["diff", "old", "new"]).stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("\nContexts of start-up are included; "), "{text}");

    for (condition, code) in [
        ("weight>+32%", 0),
        ("weight>+31%", 1),
        ("methods>0", 0),
        ("contexts>=0", 1),
        ("cycles>1", 2),
        ("weight", 2),
    ] {
        let output = subsume(&directory, &["diff", "--fail-if", condition, "old", "new"]);
        assert_eq!(output.status.code(), Some(code), "{condition}: {output:?}");
    }
}

/// A method whose parameters or result have other types is one method that changed,
/// and not one that is gone and one that is new.
#[test]
fn methods_of_other_signatures_are_changed() {
    let directory = directory("diff-signatures");
    write_profile(
        &directory,
        "old",
        "a.B.main 10\na.B.main;a.B.rules 100\na.B.main;a.B.rules;a.B.parse 500\n\
         a.B.main;a.B.lost 30\n",
        &[
            ("main", "()V", 1),
            ("rules", "()Ljava/util/List;", 2),
            ("parse", "()V", 3),
            ("lost", "()V", 4),
        ],
    );
    write_profile(
        &directory,
        "new",
        "a.B.main 10\na.B.main;a.B.rules 90\na.B.main;a.B.rules;a.B.parse 505\n\
         a.B.main;a.B.added 20\n",
        &[
            ("main", "()V", 1),
            ("rules", "()Ljava/util/Map;", 7),
            ("parse", "()V", 3),
            ("added", "()V", 4),
        ],
    );
    let answer = |arguments: &[&str]| -> serde_json::Value {
        let output = subsume(&directory, &[arguments, &["old", "new"]].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let found = answer(&["diff", "--json", "--contexts"]);
    let rows: Vec<_> = found["explanation"]["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["name"].as_str(), row["code"].as_str(), row["difference"].as_i64()))
        .collect();
    let row = |name, code, difference| (Some(name), Some(code), Some(difference));
    let expected = [
        row("lost", "gone", -30),
        row("added", "new", 20),
        row("rules", "signature changed", -100 + 90 - 500 + 505),
    ];
    assert_eq!(rows, expected);
    assert_eq!(found["explanation"]["below"]["methods"], 0);
    let changed = &found["explanation"]["rows"][2];
    assert_eq!(changed["descriptor"], "()Ljava/util/Map;");
    assert_eq!(changed["descriptor_before"], "()Ljava/util/List;");
    assert_eq!((&changed["before"], &changed["after"]), (&600.into(), &595.into()));
    assert_eq!(found["explanation"]["rows"][0]["descriptor_before"], serde_json::Value::Null);
    assert_eq!(found["different"]["signature changed"], 1);
    let listed = found["methods"].as_array().unwrap();
    let rules = listed.iter().find(|method| method["name"] == "rules").unwrap();
    assert_eq!(rules["descriptor_before"], "()Ljava/util/List;");
    assert_eq!((&found["contexts"]["common"], &found["contexts"]["gone"]), (&3.into(), &1.into()));

    let text = subsume(&directory, &["diff", "old", "new"]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("1 method with another signature"), "{text}");
    assert!(text.contains("signature changed  a.B.rules"), "{text}");

    // On a page the row leads to the method of either profile.
    let page = answer(&["report", "--json"]);
    let section = &page["explanation"];
    let rows = section["changed"]["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["change"] == "signature changed").unwrap();
    let place = row["method"].as_u64().unwrap() as usize;
    for (side, profile) in ["base", "new"].into_iter().zip(page["profiles"].as_array().unwrap()) {
        let number = section["methods"][side][place].as_i64().unwrap();
        assert!(number >= 0, "{side}: {section}");
        let name = &profile["methods"]["name"][number as usize];
        assert_eq!(name, "rules", "{side}: {}", profile["methods"]);
    }
    let states = page["diff"]["methods"].as_array().unwrap().iter();
    let states: Vec<_> = states.map(|row| (row["name"].as_str(), row["state"].as_str())).collect();
    assert!(states.contains(&(Some("rules"), Some("signature changed"))), "{states:?}");
    assert_eq!(states.iter().filter(|(name, _)| *name == Some("rules")).count(), 1);
}

/// Contexts differ where only one of two recordings keeps texts apart, and the answers say so.
#[test]
fn recordings_with_and_without_texts_are_told_apart() {
    let directory = directory("diff-splits");
    let write = |name: &str, stacks: &str, options: &str| {
        write_profile(&directory, name, stacks, &[("main", "", 1), ("execute", "", 2)]);
        let mut profile = profile::read_file(&directory.join(name)).unwrap();
        profile.run.options = options.to_owned();
        if options.contains("jdbc") {
            profile.run.splits.insert("a.B.execute".to_owned(), "jdbc".to_owned());
        }
        profile::write(&profile, File::create(directory.join(name)).unwrap()).unwrap();
    };
    let split = "a.B.main 10\na.B.main;a.B.execute: select ? 60\na.B.main;a.B.execute: delete 40\n";
    write("old", split, "split=jdbc;files");
    write("new", "a.B.main 10\na.B.main;a.B.execute 100\n", "");
    let run = |arguments: &[&str]| {
        let output = subsume(&directory, arguments);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let json = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str(&run(arguments)).unwrap()
    };
    let note = "old was recorded with split=jdbc, new without it: ";
    for files in [["old", "new"], ["new", "old"]] {
        let text = run(&[&["diff"], &files[..]].concat());
        assert!(text.contains(&format!("\nNote: {note}")), "{text}");
        let answer = json(&[&["diff", "--json"], &files[..]].concat());
        let expected = serde_json::json!([{ "split": "jdbc", "with": "old", "without": "new" }]);
        assert_eq!(answer["split_mismatches"], expected, "{answer}");
        let page = json(&[&["report", "--json"], &files[..]].concat());
        assert!(page["diff_notes"][0].as_str().unwrap().starts_with(note), "{page}");
    }
    // Of several runs, one is enough.
    let text = run(&["diff", "old", "old", "--", "old", "new"]);
    assert!(text.contains(note), "{text}");

    // Without the texts there is nothing to say, and nothing that differs.
    run(&["merge", "--redact", "old", "-o", "redacted"]);
    for files in [["redacted", "new"], ["old", "old"]] {
        let text = run(&[&["diff"], &files[..]].concat());
        assert!(!text.contains("Note: "), "{text}");
        let answer = json(&[&["diff", "--json"], &files[..]].concat());
        assert_eq!(answer.get("split_mismatches"), None, "{answer}");
        assert_eq!(answer["methods"], serde_json::json!([]), "{answer}");
        let page = json(&[&["report", "--json"], &files[..]].concat());
        assert_eq!(page.get("diff_notes"), None, "{page}");
    }
}
