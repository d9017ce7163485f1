//! The cases of the paper on blueprints (004) as running programs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use support::{Jdk, Launch, Scratch, compiled, in_turn, subsume};

/// A program of a folder of `programs`, recorded in a mode.
fn recorded(jdk: &Jdk, scratch: &Scratch, folder: &str, main: &str, mode: &str) -> PathBuf {
    let profile = scratch.file(&format!("{mode}-{folder}.subsume"));
    Launch::new(jdk, main, scratch.path())
        .class_path(compiled(folder))
        .agent(&format!("mode={mode},out={}", profile.display()))
        .run_well();
    profile
}

fn asked(arguments: &[&str], profiles: &[&PathBuf]) -> Value {
    let files = profiles.iter().map(|profile| profile.to_str().expect("a path is text"));
    let arguments: Vec<&str> = arguments.iter().copied().chain(files).collect();
    serde_json::from_str(&subsume(&arguments)).expect("the command prints valid JSON")
}

/// Entries of a list about methods of the programs, by name.
fn names(list: &Value) -> Vec<String> {
    let list = list.as_array().expect("a list").iter();
    let name = |method: &Value| {
        let [class, name] = ["class", "name"].map(|field| method[field].as_str());
        format!("{}.{}", class.unwrap_or_default(), name.unwrap_or_default())
    };
    list.map(|entry| name(entry.get("method").unwrap_or(entry))).collect()
}

/// Section 3.1: `bounds` of nodes within nodes is asked for again and again. There are
/// 1 + 4 + 16 groups; a frame asks the first for 21 bounds, and the others for 4 * 5 + 16.
#[test]
fn bounds_of_nodes() {
    const BOUNDS: &str = "Figures$Group.bounds";
    for jdk in in_turn() {
        let scratch = Scratch::new("bounds");
        let computed = recorded(jdk, &scratch, "bounds-computed", "Figures", "results");
        let answer = asked(&["repeats", "--json"], &[&computed]);
        assert_eq!(names(&answer["candidates"])[0], BOUNDS, "{jdk}");
        let first = &answer["candidates"][0];
        let exact = &first["exact"];
        assert_eq!(first["kind"], "receiver", "{jdk}");
        let fields = ["returned", "receivers", "inputs", "hits", "last_hits", "conflicts", "wrote"];
        assert_eq!(
            fields.map(|field| exact[field].clone()),
            [5700, 21, 21, 5679, 0, 0, 0],
            "{jdk}"
        );
        let [saving, cost] = ["saving", "cost"].map(|field| exact[field].as_u64().expect("a sum"));
        // Of a hundred frames the first one computes: it asks once for what it has not
        // asked before, and 36 times again.
        assert!(saving < cost && cost < saving / 98 * 100, "{jdk}: {saving} of {cost}");
        assert!(exact["saving_share"].as_f64().expect("a share") > 0.5, "{jdk}");

        let cached = recorded(jdk, &scratch, "bounds-cached", "Figures", "results");
        let answer = asked(&["repeats", "--json", "--top", "0"], &[&cached]);
        let candidates = names(&answer["candidates"]);
        let of_groups = candidates.iter().find(|name| name.starts_with("Figures$Group."));
        assert_eq!(of_groups, None, "{jdk}");
        let caches = names(&answer["caches"]);
        let at = caches.iter().position(|name| name == BOUNDS).expect("it is a cache already");
        let exact = &answer["caches"][at]["exact"];
        // The first frame computes 21, which ask for 20; each frame asks all again.
        let asked = 20 + 100 * 21;
        assert_eq!(
            fields.map(|field| exact[field].clone()),
            [asked, 21, 21, asked - 21, 0, 0, 21],
            "{jdk}"
        );
        let text = subsume(&["repeats".as_ref(), cached.as_os_str()]);
        let (_, notes) = text.split_once("methods that are caches already").expect("the notes");
        assert!(notes.contains(BOUNDS), "{jdk}: {text}");
    }
}

/// Figure 13: `commit` is as it was and costs more, since `basicCommit` is another one.
#[test]
fn commits_of_two_versions() {
    for jdk in in_turn() {
        let scratch = Scratch::new("commits");
        let versions = ["commits-70", "commits-80"]
            .map(|folder| recorded(jdk, &scratch, folder, "Commits", "calls"));
        let both: Vec<&PathBuf> = versions.iter().collect();

        let diff = asked(&["diff", "--json", "--top", "0"], &both);
        let rows = &diff["explanation"]["rows"];
        let explained = ["GitFilesystem.signature", "GitFilesystem.basicCommit"];
        assert_eq!(names(rows), explained, "{jdk}");
        assert_eq!([&rows[0]["code"], &rows[1]["code"]], ["new", "changed"], "{jdk}");
        // A method that was there before is not new code: its calls are the caller's doing.
        assert_eq!(rows[1]["mostly_by"]["callee"]["name"], "checked", "{jdk}");
        assert_eq!(rows[1]["mostly_by"]["calls"], json!({ "before": 0, "after": 500 }), "{jdk}");
        let methods = diff["methods"].as_array().expect("methods").iter();
        let states: BTreeMap<String, &Value> =
            names(&diff["methods"]).into_iter().zip(methods.map(|one| &one["code"])).collect();
        let expected = [
            ("GitFilesystem.commit", "same"),
            ("GitFilesystem.basicCommit", "changed"),
            ("GitFilesystem.signature", "new"),
            ("GitFilesystem.checked", "newly called"),
            ("java.lang.Integer.rotateLeft", "newly called"),
        ];
        for (method, state) in expected {
            assert_eq!(states[method], state, "{method}, {jdk}");
        }
        assert_eq!(diff["different"]["new"], 1, "{jdk}");
        let back = asked(&["diff", "--json", "--top", "0"], &[both[1], both[0]]);
        assert_eq!(back["different"]["gone"], 1, "{jdk}");
        assert_eq!(
            back["different"]["no longer called"], diff["different"]["newly called"],
            "{jdk}"
        );

        let history = asked(&["history", "--json"], &both);
        assert_eq!(names(&history["methods"]), explained, "{jdk}");
        let change = |at: usize| &history["methods"][at]["changes"];
        for (at, code) in [(0, "new"), (1, "changed")] {
            let difference = &rows[at]["difference"];
            let expected = json!([{ "version": "80", "difference": difference, "code": code }]);
            assert_eq!(change(at), &expected, "{jdk}");
        }

        let picture = subsume(&[
            "blueprint".as_ref(),
            "--against".as_ref(),
            both[0].as_os_str(),
            "--method".as_ref(),
            "Commits.main".as_ref(),
            "--svg".as_ref(),
            "-".as_ref(),
            both[1].as_os_str(),
        ]);
        // Pale and thin, or strong with a thick border.
        let [pale, strong] = [("#f6c7a3", "0.75"), ("#e8731a", "2.5")];
        for (title, (colour, border)) in [
            ("GitFilesystem.commit: ", pale),
            ("GitFilesystem.basicCommit, changed: ", strong),
            ("GitFilesystem.signature, new: ", strong),
            ("GitFilesystem.checked, newly called: ", pale),
            ("GitFilesystem.hash: ", ("#ffffff", "0.75")),
        ] {
            let line = picture.lines().find(|line| line.contains(&format!("<title>{title}")));
            let line = line.unwrap_or_else(|| panic!("{title} is drawn, {jdk}: {picture}"));
            let is_drawn = line.contains(&format!("fill=\"{colour}\""))
                && line.contains(&format!("stroke-width=\"{border}\""));
            assert!(is_drawn, "{jdk}: {line}");
        }
    }
}

/// Profiles with calls alone have what classes extend, for the picture of classes.
#[test]
fn superclasses_are_recorded() {
    for jdk in in_turn() {
        let scratch = Scratch::new("superclasses");
        let path = recorded(jdk, &scratch, "bounds-computed", "Figures", "calls");
        let profile = profile::read_file(&path).expect("the agent wrote it");
        let superclass = |name: &str| {
            let class = profile.classes.iter().find(|class| class.name == name);
            class.expect("the class was loaded").superclass.as_str()
        };
        let expected = [
            ("Figures", "java.lang.Object"),
            ("Figures$Node", "java.lang.Object"),
            ("Figures$Group", "Figures$Node"),
            ("Figures$Label", "Figures$Node"),
            ("java.util.ArrayList", "java.util.AbstractList"),
            ("java.lang.Object", ""),
        ];
        for (class, above) in expected {
            assert_eq!(superclass(class), above, "{class}, {jdk}");
        }
    }
}
