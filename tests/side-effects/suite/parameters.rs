//! What reflection knows of parameters is the same after classes were retransformed.

use std::ffi::OsString;
use std::process::Command;

use support::{Launch, Scratch, artifacts, attach, compiler, jdks};

#[test]
fn names_of_parameters() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/programs/parameters/NamesParameters.java");
    for jdk in jdks() {
        let scratch = Scratch::new("parameters");
        let mut javac = Command::new(compiler().command("javac"));
        let compiled = javac
            .args(["-parameters", "-nowarn", "--release", "17", "-d"])
            .arg(scratch.path())
            .arg(source)
            .output()
            .expect("the JDK's compiler can be started");
        assert!(compiled.status.success(), "{jdk}: {compiled:?}");
        let launch = |command: &[OsString]| {
            let launch = Launch::new(jdk, "NamesParameters", scratch.path());
            let launch = launch.class_path(scratch.path().to_path_buf());
            let launch = launch.options(&["-XX:+EnableDynamicAgentLoading"]);
            command.iter().fold(launch, Launch::argument)
        };
        let plain = launch(&["true".into()]).run();
        assert!(plain.stdout.contains("second16truefalse"), "{jdk}: {plain:?}");
        let profile = scratch.file("attached.subsume");
        let attached = launch(&attach(&profile, None)).run();
        attached.assert_same_as(&plain, format_args!("attached on {jdk}"));
        let start = [artifacts().command.clone().into(), "start".into(), "%p".into()];
        let stop = [artifacts().command.clone().into(), "stop".into(), "%p".into()];
        let off = format!("start=off,out={}", scratch.file("started.subsume").display());
        let started = launch(&start).agent(&off).run();
        started.assert_same_as(&plain, format_args!("started on {jdk}"));
        let on = format!("out={}", scratch.file("stopped.subsume").display());
        let stopped = launch(&stop).agent(&on).run();
        stopped.assert_same_as(&plain, format_args!("stopped on {jdk}"));
    }
}
