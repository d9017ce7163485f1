//! `subsume.Profile`, without the agent and with it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use support::{Jdk, Launch, Scratch, api_classes, compiled, in_turn, methods, oldest, subsume};

fn launch<'a>(jdk: &'a Jdk, folder: &Path) -> Launch<'a> {
    launch_of(jdk, "UsesProfile", folder)
}

fn launch_of<'a>(jdk: &'a Jdk, program: &'a str, folder: &Path) -> Launch<'a> {
    let class_path = std::env::join_paths([compiled("main"), api_classes()])
        .expect("the build's folder has no colon in its name");
    Launch::new(jdk, program, folder).class_path(class_path.into())
}

/// Runs the program with the agent, which says of its first dump that fails why, once.
fn run_told(launch: &Launch) -> String {
    let run = launch.run();
    assert_eq!((run.status, run.stderr.lines().count()), (Some(0), 1), "{run:?}");
    let told = "subsume: a profile that subsume.Profile.dump asks for is missing: \
                /no/such/folder/x.subsume: No such file or directory";
    assert!(run.stderr.starts_with(told), "{run:?}");
    run.stdout
}

#[test]
fn inert_without_the_agent() {
    for jdk in in_turn() {
        let scratch = Scratch::new("no-agent");
        let output = launch(jdk, scratch.path()).argument("dump.subsume").run_well();
        let expected = "recording false\n\
            start false recording false\n\
            stop false recording false\n\
            dump nowhere falsefalse\n\
            dump false\n\
            no text false\n\
            emoji false\n\
            total 450\n";
        assert_eq!(output, expected, "{jdk}");
        assert!(!scratch.file("dump.subsume").exists(), "{jdk}");
    }
}

fn calls(methods: &BTreeMap<String, Value>, name: &str) -> u64 {
    methods.get(name).map_or(0, |method| method["calls"].as_u64().expect("calls is a number"))
}

#[test]
fn records_between_start_and_stop() {
    for jdk in in_turn() {
        let scratch = Scratch::new("start-stop");
        let profile = scratch.file("whole.subsume");
        let dump = scratch.file("dump.subsume");
        let launch = launch(jdk, scratch.path())
            .agent(&format!("start=off,out={}", profile.display()))
            .argument(OsString::from(&dump));
        let output = run_told(&launch);
        let expected = "recording false\n\
            start true recording true\n\
            stop true recording false\n\
            dump nowhere falsefalse\n\
            dump true\n\
            no text false\n\
            emoji true\n\
            total 450\n";
        assert_eq!(output, expected, "{jdk}");
        let emoji = scratch.file("emoji-\u{1f600}.subsume");
        for file in [&profile, &dump, &emoji] {
            let found = methods(file, "UsesProfile", &[]);
            assert_eq!(calls(&found, "during"), 100, "{jdk}");
            assert_eq!(calls(&found, "before"), 0, "{jdk}");
            assert_eq!(calls(&found, "after"), 0, "{jdk}");
            // On the thread that was started before recording, too.
            assert_eq!(calls(&found, "served"), 50, "{jdk}");
        }
        // No file of another name.
        assert_eq!(std::fs::read_dir(scratch.path()).expect("it is there").count(), 3, "{jdk}");
    }
}

/// The JVM needs these while it loads any class that comes out of the hook with
/// other bytes; if one of them did so itself, the program would get a
/// ClassCircularityError at its first proxy.
#[test]
fn what_rewritten_classes_need_is_loaded_before_any_is_rewritten() {
    for jdk in in_turn() {
        let scratch = Scratch::new("needed");
        let log = scratch.file("loaded.log");
        let launch = launch(jdk, scratch.path())
            .options(&[&format!("-Xlog:class+load:file={}", log.display())])
            .agent(&format!("start=off,out={}", scratch.file("whole.subsume").display()))
            .argument(OsString::from(scratch.file("dump.subsume")));
        run_told(&launch);
        let log = std::fs::read_to_string(log).expect("the JVM wrote its log");
        let first = |what: &str| log.lines().position(|line| line.contains(what));
        let rewritten = first("__VM_RedefineClasses__").expect("classes were rewritten");
        for needed in ["java.lang.Module$ReflectionData ", "java.lang.WeakPairMap$Pair$Weak "] {
            let loaded = first(needed).unwrap_or_else(|| panic!("{needed} is loaded on {jdk}"));
            assert!(loaded < rewritten, "{jdk}: {needed} comes too late");
        }
    }
}

#[test]
fn records_from_the_start_by_default() {
    for jdk in in_turn() {
        let scratch = Scratch::new("startup");
        let profile = scratch.file("whole.subsume");
        let output = run_told(&launch(jdk, scratch.path()).profiled(&profile));
        assert!(
            output.starts_with("recording true\nstart true recording true\nstop true"),
            "{output}"
        );
        let found = methods(&profile, "UsesProfile", &[]);
        assert_eq!(
            ["before", "during", "after", "served"].map(|name| calls(&found, name)),
            [100, 100, 0, 100],
            "{jdk}"
        );
    }
}

/// Tests as `UsesTests` has them, and how many loops each has.
const TESTS: [(&str, &str); 8] = [
    ("unknown", "no test"),
    ("innocent", "0 loops"),
    ("slow", "1 loops"),
    ("inner", "1 loops"),
    ("outer", "0 loops"),
    ("outer, again", "no test"),
    ("slow thread", "1 loops"),
    ("innocent thread", "0 loops"),
];

#[test]
fn tests_are_judged_by_themselves() {
    for jdk in in_turn() {
        let scratch = Scratch::new("tests");
        let options = format!("mode=loops,out={}", scratch.file("loops.subsume").display());
        for jvm in [&[][..], &["-Xint"]] {
            let launch = launch_of(jdk, "UsesTests", scratch.path()).options(jvm).agent(&options);
            let expected: Vec<String> =
                TESTS.iter().map(|(test, loops)| format!("{test}: {loops}")).collect();
            assert_eq!(launch.run_well().lines().collect::<Vec<_>>(), expected, "{jdk} {jvm:?}");
        }
        // Without the agent, or where it records something else, there are none.
        let others = [
            launch_of(jdk, "UsesTests", scratch.path()),
            launch_of(jdk, "UsesTests", scratch.path()).profiled(&scratch.file("calls.subsume")),
            launch_of(jdk, "UsesTests", scratch.path()).agent(&format!("start=off,{options}")),
        ];
        for launch in others {
            let output = launch.run_well();
            assert!(output.lines().all(|line| line.ends_with(": no test")), "{jdk}: {output}");
            assert_eq!(output.lines().count(), TESTS.len(), "{jdk}");
        }
    }
}

/// The extension reports of a loop what the command says of it.
#[test]
fn tests_are_told_what_the_command_says() {
    let jdk = oldest();
    let scratch = Scratch::new("told");
    let profile = scratch.file("loops.subsume");
    let output = launch_of(jdk, "UsesTests", scratch.path())
        .agent(&format!("mode=loops,out={}", profile.display()))
        .argument("only")
        .run_well();
    let value = |key: &str| {
        let line = output.lines().find_map(|line| line.strip_prefix(&format!("{key}: ")));
        line.unwrap_or_else(|| panic!("{key} is missing in {output}")).to_owned()
    };
    let profile = profile.to_str().expect("the build's folder is UTF-8");
    let answer: Value =
        serde_json::from_str(&subsume(&["loops", "--json", profile])).expect("the answer is JSON");
    let found = &answer["loops"][0];
    for key in ["verdict", "sentence", "hint"] {
        assert_eq!(value(key), found[key].as_str().expect("is a text"), "{key}");
    }
    assert_eq!(value("wasted"), "1740");
    assert_eq!(found["wasted"], 1740);
    let line = found["line"].as_u64().expect("the class has lines");
    assert_eq!(value("loop"), format!("UsesTests\tsearch\tUsesTests.java\t{line}"));
    assert!(value("caller").starts_with("UsesTests\tmain\tUsesTests.java\t"), "{output}");
    let text = subsume(&["loops", profile]);
    assert!(text.contains(&format!("    {}\n", value("summary"))), "{text}");

    let baseline = scratch.file("known.txt");
    let baseline = baseline.to_str().expect("plain");
    subsume(&["loops", "--baseline", baseline, "--write-baseline", profile]);
    let written = std::fs::read_to_string(baseline).expect("it is written");
    let mut expected: Vec<&str> = written.lines().skip(1).collect();
    let mut told: Vec<&str> =
        output.lines().filter_map(|line| line.strip_prefix("known: ")).collect();
    expected.sort_unstable();
    told.sort_unstable();
    assert_eq!(told, expected);
}

#[test]
fn both_versions_have_one_signature() {
    let jdk = oldest();
    let shim = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../java-shim");
    let scratch = Scratch::new("signature");
    let compiled = Command::new(shim.join("compile"))
        .arg(scratch.path())
        .env("JAVA_HOME", jdk.command("").ancestors().nth(1).expect("bin lies in a home"))
        .output()
        .expect("the script can be started");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let signature = |folder: &str| {
        let output = Command::new(jdk.command("javap"))
            .args(["-public", "-cp"])
            .arg(scratch.file(folder))
            .arg("subsume.Profile")
            .output()
            .expect("javap can be started");
        String::from_utf8(output.stdout).expect("javap prints UTF-8")
    };
    let shipped = signature("api");
    assert!(shipped.contains("public static boolean dump(java.lang.String)"), "{shipped}");
    assert_eq!(signature("agent"), shipped);
}
