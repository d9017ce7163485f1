//! What in a JDK counts, lists, copies or archives the fields of classes: a mode
//! that adds fields to classes does not disturb it.

use std::path::Path;
use std::process::Command;

use crate::same;
use support::{Jdk, Launch, Scratch, compiled, jdks, ways_in_turn};

const MODES: [&str; 5] = ["calls", "copies", "costs", "nulls", "loops"];

/// Runs a program plain and in modes of all kinds, and nothing differs.
fn check<'a>(jdk: &Jdk, scratch: &Scratch, launch: impl Fn() -> Launch<'a>) -> String {
    check_modes(&ways_in_turn(&MODES, 2), jdk, scratch, launch)
}

fn check_modes<'a>(
    modes: &[&&str],
    jdk: &Jdk,
    scratch: &Scratch,
    launch: impl Fn() -> Launch<'a>,
) -> String {
    let plain = launch().run();
    assert_eq!(plain.status, Some(0), "{jdk}: {:?} without the agent: {plain:?}", launch());
    for mode in modes {
        let profile = scratch.file(&format!("{mode}.subsume"));
        let recorded = launch().agent(&format!("mode={mode},out={}", profile.display())).run();
        recorded.assert_same_as(&plain, format_args!("{jdk}: {:?}, mode={mode}", launch()));
    }
    plain.stdout
}

/// Runs a command of the JDK, which must succeed.
fn tool(jdk: &Jdk, name: &str, folder: &Path, arguments: &[&str]) {
    let output = Command::new(jdk.command(name)).args(arguments).current_dir(folder).output();
    let output = output.expect("the JDK's commands can be started");
    assert!(output.status.success(), "{name} {arguments:?} on {jdk}: {output:?}");
}

/// Serialization, reflection, handles, `Unsafe`, heap dumps, events of a recording
/// that began with the JVM, and others.
#[test]
fn what_counts_fields() {
    for jdk in jdks() {
        let scratch = Scratch::new("counts-fields");
        let recording = format!(
            "-XX:StartFlightRecording=settings=profile,filename={}",
            scratch.file("recording.jfr").display()
        );
        // Its first lines name the process.
        let options = [&recording, "-Xlog:jfr*=off", "-XX:-UsePerfData"];
        let launch = || Launch::new(jdk, "CountsFields", scratch.path()).options(&options);
        let said = check(jdk, &scratch, launch);
        assert!(!said.contains(" fails"), "{jdk}: {said}");
        assert!(said.contains("diagnostic commands: 1234 objects"), "{jdk}: {said}");
        // A recording of JDK 17 cannot name methods that are replaced while it goes on, and
        // one of JDK 21 not always (JDK-8356587).
        let kept = if jdk.release > 21 { &options[..] } else { &options[1..] };
        let launch = || Launch::new(jdk, "CountsFields", scratch.path()).options(kept);
        same::check_attached(launch, &scratch.file("attached.subsume"), &[]);
    }
}

/// Objects, strings among them, that have no fields yet when they are looked at.
#[test]
fn objects_that_no_constructor_has_seen() {
    for jdk in jdks() {
        let scratch = Scratch::new("unfinished");
        // The JDK says what is going to be removed.
        let options: &[&str] =
            if jdk.release > 22 { &["--sun-misc-unsafe-memory-access=allow"] } else { &[] };
        let launch = || Launch::new(jdk, "UnfinishedObjects", scratch.path()).options(options);
        check_modes(&ways_in_turn(&crate::MODES, 5), jdk, &scratch, launch);
    }
}

/// Archives of classes that were made without the agent.
#[test]
fn archives_of_classes() {
    for jdk in jdks() {
        let scratch = Scratch::new("archives");
        let classes = compiled("main");
        let classes = classes.to_str().expect("the build folder's name is text");
        tool(jdk, "jar", scratch.path(), &["cf", "greeting.jar", "-C", classes, "Greeting.class"]);
        let launch = |options: &[&str]| {
            let plain = Launch::new(jdk, "Greeting", scratch.path()).options(options);
            plain.class_path("greeting.jar".into())
        };
        launch(&["-XX:ArchiveClassesAtExit=classes.jsa", "-Xlog:disable"]).run();
        assert!(scratch.file("classes.jsa").exists(), "{jdk}");
        let mut options = vec!["-XX:SharedArchiveFile=classes.jsa", "-Xshare:auto"];
        if jdk.release >= 25 {
            // This JVM's log says on stdout that it cannot use a named archive beside an
            // agent that sees classes early; docs/reference/limits.md tells of it.
            options.push("-Xlog:disable");
        }
        check(jdk, &scratch, || launch(&options));
        let attached = scratch.file("attached.subsume");
        same::check_attached(|| launch(&options), &attached, &[]);
        if jdk.release >= 25 {
            launch(&["-XX:AOTCacheOutput=classes.aot", "-Xlog:disable"]).run();
            assert!(scratch.file("classes.aot").exists(), "{jdk}");
            let options = ["-XX:AOTCache=classes.aot", "-XX:AOTMode=auto", "-Xlog:disable"];
            check(jdk, &scratch, || launch(&options));
            same::check_attached(|| launch(&options), &attached, &[]);
        }
    }
}

/// A Java agent beside ours that gives the JVM classes as they lie on the disk.
#[test]
fn classes_that_are_redefined() {
    for jdk in jdks() {
        let scratch = Scratch::new("redefined");
        std::fs::write(
            scratch.file("manifest"),
            "Premain-Class: Instruments\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n",
        )
        .expect("the folder of the test can be written");
        let classes = compiled("main");
        let classes = classes.to_str().expect("the build folder's name is text");
        let jar = ["cfm", "agent.jar", "manifest", "-C", classes, "Instruments.class"];
        tool(jdk, "jar", scratch.path(), &jar);
        let launch = || {
            let plain = Launch::new(jdk, "Instruments", scratch.path());
            plain.options(&["-javaagent:agent.jar", "-Xshare:auto"])
        };
        let said = check(jdk, &scratch, launch);
        assert!(said.starts_with("11two34five\n11two34five\n11two34five "), "{jdk}: {said}");
        assert!(!said.contains("FOUND"), "{jdk}: {said}");
        // Where nothing can be added to classes, loaders are asked for the runtime class.
        let found = ["FOUND class java.lang.SubsumeRuntime"];
        same::check_attached(launch, &scratch.file("attached.subsume"), &found);
    }
}

/// A class that JDK 21 loads without showing it runs without probes, and is listed.
#[test]
fn a_class_that_the_jvm_does_not_show() {
    for jdk in jdks() {
        let scratch = Scratch::new("loads-unseen");
        let options = ["--add-opens=java.base/java.lang=ALL-UNNAMED"];
        let launch = || Launch::new(jdk, "LoadsUnseen", scratch.path()).options(&options);
        let said = check(jdk, &scratch, launch);
        if said == "no virtual threads\n" {
            continue;
        }
        assert_eq!(said, "true\n20\n", "{jdk}");
        for mode in ways_in_turn(&MODES, 2) {
            let profile = scratch.file(&format!("{mode}.subsume"));
            let read = profile::read_file(&profile).expect("the profile was written");
            let is_late = |class: &str| class == "LoadsUnseen$Late";
            let reasons: Vec<&str> = read
                .skipped
                .iter()
                .filter(|skipped| is_late(&skipped.class))
                .map(|skipped| &*skipped.reason)
                .collect();
            let is_quiet = (21..25).contains(&jdk.release);
            let reason = "the JVM loaded it without showing it to the agent";
            let expected = if is_quiet { &[reason][..] } else { &[] };
            assert_eq!(reasons, expected, "{jdk}, mode={mode}");
        }
    }
}
