//! Classes whose objects the JVM accesses by itself: whatever a mode adds to them, the JVM
//! and bytecode see the same values.

use std::path::Path;
use std::process::Command;

use support::{Jdk, Launch, Run, Scratch, each, jdks, subsume, ways_in_turn};

use crate::{MODES, same};

/// Modes that give fields to classes; they are tried with each layout of objects.
const WITH_FIELDS: [&str; 2] = ["costs", "nulls"];

/// Whether something is tried on a release.
type On = fn(u32) -> bool;

/// What lays objects out in another way, and where it is tried.
const LAYOUTS: [(&str, On); 4] = [
    ("-XX:+UseCompactObjectHeaders", |release| release >= 25),
    // From JDK 25 on the JVM warns of it.
    ("-XX:-UseCompressedClassPointers", |release| release < 25),
    ("-XX:-UseCompressedOops", |_| true),
    ("-XX:ObjectAlignmentInBytes=16", |_| true),
];

/// A way to run a program: options of the JVM and of the agent.
struct Way {
    flags: Vec<&'static str>,
    agent: String,
}

fn ways(release: u32) -> Vec<Way> {
    let plain = |mode: &&str| Way { flags: Vec::new(), agent: format!("mode={mode}") };
    let mut ways: Vec<Way> = MODES.iter().map(plain).collect();
    for (number, &(flag, is_tried)) in LAYOUTS.iter().enumerate() {
        if is_tried(release) {
            let mode = WITH_FIELDS[number % WITH_FIELDS.len()];
            ways.push(Way { flags: vec![flag], agent: format!("mode={mode}") });
        }
    }
    // Without probes in the midst of it; the fields stay.
    ways.push(Way { flags: Vec::new(), agent: "mode=costs,stop-after=2s".to_owned() });
    ways.push(Way { flags: Vec::new(), agent: "mode=costs,start=off".to_owned() });
    ways.push(Way { flags: vec!["-XX:TieredStopAtLevel=1"], agent: "mode=costs".to_owned() });
    ways
}

/// Runs a program in a way, compares it with `plain`, and expects that the JVM has shown all
/// classes.
fn check(launch: Launch<'_>, way: &Way, plain: &Run, profile: &Path, jdk: &Jdk) {
    let agent = format!("{},out={}", way.agent, profile.display());
    let recorded = launch.agent(&agent).run();
    recorded.assert_same_as(plain, format_args!("{} with {:?} on {jdk}", way.agent, way.flags));
    let skipped = subsume(&["info", "--skipped", "--json", &profile.display().to_string()]);
    assert!(!skipped.contains("without showing it"), "{} on {jdk}: {skipped}", way.agent);
}

#[test]
fn what_the_jvm_knows_of_classes() {
    for jdk in jdks() {
        let scratch = Scratch::new("known-layouts");
        let launch = || Launch::new(jdk, "KnownToTheJvm", scratch.path());
        let plain = launch().run();
        assert_eq!(plain.status, Some(0), "{jdk} without the agent: {plain:?}");
        assert!(!plain.stdout.contains(": throws "), "{jdk}: {}", plain.stdout);
        let ways: Vec<(usize, Way)> = ways(jdk.release).into_iter().enumerate().collect();
        each(&ways_in_turn(&ways, 6), |(number, way)| {
            let profile = scratch.file(&format!("{number}.subsume"));
            check(launch().options(&way.flags), way, &plain, &profile, jdk);
        });
        same::check_attached(launch, &scratch.file("attached.subsume"), &[]);
    }
}

#[test]
fn vectors() {
    const MODULE: [&str; 2] = ["--add-modules", "jdk.incubator.vector"];
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/programs/vectors/Vectors.java");
    // A runtime without a compiler has no such module.
    for jdk in jdks().iter().filter(|jdk| jdk.home() == jdk.whole().home()) {
        let scratch = Scratch::new("vectors");
        let mut javac = Command::new(jdk.command("javac"));
        let compiled = javac.args(MODULE).arg("-d").arg(scratch.path()).arg(source).output();
        let compiled = compiled.expect("the JDK's compiler can be started");
        assert!(compiled.status.success(), "{jdk}: {compiled:?}");
        let launch = || {
            let launch = Launch::new(jdk, "Vectors", scratch.path());
            launch.class_path(scratch.path().to_path_buf()).options(&MODULE)
        };
        let plain = launch().run();
        assert_eq!(plain.status, Some(0), "{jdk} without the agent: {plain:?}");
        each(&ways_in_turn(&MODES, 3), |mode| {
            let way = Way { flags: Vec::new(), agent: format!("mode={mode}") };
            let profile = scratch.file(&format!("{mode}.subsume"));
            check(launch(), &way, &plain, &profile, jdk);
        });
    }
}
