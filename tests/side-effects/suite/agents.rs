//! Java agents beside ours, before and behind it.

use std::process::Command;

use support::{Jdk, Launch, Scratch, compiled, each, jdks};

use crate::MODES;

/// Where the other agent stands on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Before,
    Behind,
}

/// The program as an agent.
fn jar(jdk: &Jdk, scratch: &Scratch) {
    std::fs::write(
        scratch.file("manifest"),
        "Premain-Class: Redefines\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n",
    )
    .expect("the folder of the test can be written");
    let mut jar = Command::new(jdk.command("jar"));
    jar.args(["cfm", "agent.jar", "manifest", "-C"]).arg(compiled("redefines")).arg(".");
    let output = jar.current_dir(scratch.path()).output().expect("jar can be started");
    assert!(output.status.success(), "{output:?}");
}

/// Classes of all versions of class files are redefined and retransformed at random while
/// threads use them. Those that are there before the program begins are rewritten by us,
/// too, and while the JVM verifies these, others are linked for the first time.
#[test]
fn classes_of_all_versions_redefined_at_random() {
    for (number, jdk) in jdks().iter().enumerate() {
        let scratch = Scratch::new("redefined-at-random");
        jar(jdk, &scratch);
        let other = ["-javaagent:agent.jar", "-Xshare:auto"];
        let launch = |seed: usize| {
            let plain =
                Launch::new(jdk, "Redefines", scratch.path()).class_path("agent.jar".into());
            plain.argument(seed.to_string())
        };
        // Each mode has the other agent before it on one JDK and behind it on the next.
        let order = |seed| if (seed + number) % 2 == 0 { Order::Behind } else { Order::Before };
        let cases: Vec<_> =
            MODES.iter().enumerate().map(|(seed, mode)| (seed, mode, order(seed))).collect();
        let plain = each(&[0], |&seed| launch(seed).options(&other).run()).remove(0);
        assert_eq!(plain.status, Some(0), "{jdk} without the agent: {plain:?}");
        each(&cases, |&(seed, mode, order)| {
            let profile = scratch.file(&format!("{mode}-{order:?}.subsume"));
            let options = format!("mode={mode},out={}", profile.display());
            let recorded = match order {
                Order::Before => launch(seed).options(&other).agent(&options),
                Order::Behind => launch(seed).agent(&options).options(&other),
            };
            let case = format!("{jdk}: mode={mode}, the other agent {order:?}, seed {seed}");
            recorded.run().assert_same_as(&plain, format_args!("{case}"));
            let read = profile::read_file(&profile).expect("the profile was written");
            assert!(read.validate().is_ok(), "{case}");
        });
    }
}
