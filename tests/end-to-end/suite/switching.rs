//! Recording that begins and ends in the middle of deep stacks.

use std::collections::BTreeMap;
use std::path::Path;

use profile::Profile;

use support::{Jdk, Launch, Scratch, api_classes, contexts, in_turn, methods};

const THREADS: u64 = 4;

/// The contexts of a metric with all frames left out but those of the program.
fn own(profile: &Path, metric: &str) -> BTreeMap<String, u64> {
    let mut own = BTreeMap::new();
    for (path, cost) in contexts(profile, metric) {
        let frames: Vec<_> =
            path.split(';').filter_map(|frame| frame.strip_prefix("Switches.")).collect();
        // Costs of what the program calls are not its own.
        if path.rsplit(';').next().is_some_and(|last| last.starts_with("Switches.")) {
            *own.entry(frames.join(";")).or_default() += cost;
        }
    }
    own
}

fn launch<'a>(jdk: &'a Jdk, main_class: &'a str, scratch: &Scratch) -> Launch<'a> {
    let mut class_path = support::compiled("main").into_os_string();
    class_path.push(":");
    class_path.push(api_classes());
    Launch::new(jdk, main_class, scratch.path()).class_path(class_path.into())
}

fn record(jdk: &Jdk, arguments: &[&str], options: &[&str]) -> (Scratch, Profile) {
    let scratch = Scratch::new("switches");
    let file = scratch.file("switches.subsume");
    let mut launch = launch(jdk, "Switches", &scratch)
        .options(options)
        .agent(&format!("start=off,out={}", file.display()));
    for argument in arguments {
        launch = launch.argument(*argument);
    }
    let output = launch.run_well();
    assert!(output.starts_with("total "), "{output}");
    let profile = profile::read_file(&file).expect("the profile was written");
    (scratch, profile)
}

fn check(jdk: &Jdk, arguments: &[&str], options: &[&str]) {
    let (scratch, profile) = record(jdk, arguments, options);
    let file = scratch.file("switches.subsume");
    let what = format!("{jdk} {arguments:?} {options:?}");
    assert_eq!(profile.run.contexts_lost, 0, "{what}");
    assert!(profile.validate().is_ok(), "{what}");
    let calls = own(&file, "calls");
    // A stack of fifty frames is nothing to read.
    let shown: BTreeMap<_, _> =
        calls.iter().map(|(path, n)| (path.replace("deeper;", "/"), n)).collect();
    let of = |path: &str| calls.get(path).copied().unwrap_or(0);
    let deep = format!("{}serve", "deeper;".repeat(50));

    // Main tells all threads twice in the first recording, once in the second
    // after all frames with probes have returned, and twice in the third.
    assert_eq!(of("work"), THREADS * 10 * 4, "{what}: {shown:?}");
    assert_eq!(of("work;inner"), THREADS * 10 * 4, "{what}: {shown:?}");
    // Below the frames of the first recording: once in the first, twice in the second.
    assert_eq!(of(&format!("{deep};work")), THREADS * 10 * 3, "{what}: {shown:?}");
    assert_eq!(of(&format!("{deep};work;inner")), THREADS * 10 * 3, "{what}: {shown:?}");
    for depth in 1..=50 {
        let path = format!("{}deeper", "deeper;".repeat(depth - 1));
        assert_eq!(of(&path), THREADS, "{what}: {shown:?}");
    }
    let work: u64 = calls.iter().filter(|(path, _)| path.ends_with("work")).map(|(_, n)| n).sum();
    assert_eq!(work, THREADS * 10 * 7, "work in other contexts on {what}: {shown:?}");
    // What was entered while recording was off is in no context.
    assert!(calls.keys().all(|path| !path.contains("serveAgain")), "{what}: {shown:?}");

    let bytecodes = own(&file, "bytecodes");
    // `inner` executes lconst_1, invokestatic, return.
    assert_eq!(bytecodes[&format!("{deep};work;inner")], THREADS * 10 * 3 * 3, "{what}");
    // The loop of five million rounds ran while recording was off; what a frame
    // holds back may be counted when recording is on again, and no more than that.
    assert!(bytecodes[&deep] < THREADS * 2 * 66_000, "{what}: {}", bytecodes[&deep]);
}

#[test]
fn frames_of_all_ages_lie_below_each_other() {
    for jdk in in_turn() {
        check(jdk, &[], &[]);
        check(jdk, &[], &["-Xint"]);
        // There are so many classes that two threads rewrite them.
        check(jdk, &["classes"], &[]);
        if jdk.release >= 21 {
            check(jdk, &["virtual"], &[]);
        }
    }
}

/// Of a class that nobody has changed yet, JDK 17 makes up a class file when it
/// is retransformed, and that is wrong while the class is being linked. The JVM
/// crashed, or the program did something else.
#[test]
fn classes_may_be_linked_meanwhile() {
    for jdk in in_turn() {
        for (options, recorded) in [("", 2 * 600), (",exclude=LinksClasses*", 0)] {
            let scratch = Scratch::new("links-classes");
            let file = scratch.file("links.subsume");
            let output = launch(jdk, "LinksClasses", &scratch)
                // Linking does little else then.
                .options(&["-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"])
                .agent(&format!("start=off,out={}{options}", file.display()))
                .run_well();
            assert_eq!(output, "linked 2400\n", "{jdk}{options}");
            // The second and the fourth round run while recording is off.
            let methods = methods(&file, "LinksClasses$Linked", &[]);
            let calls = methods.get("hashCode").map_or(Some(0), |method| method["calls"].as_u64());
            assert_eq!(calls, Some(recorded), "{jdk}{options}");
        }
    }
}
