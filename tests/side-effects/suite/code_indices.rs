//! A program that asks at which instruction a frame of its stack stands is told where that is
//! in the code as it was.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use support::{
    Jdk, Launch, Run, Scratch, api_classes, compiler, each, in_turn, jdks, ways_in_turn,
};

use crate::{MODES, same};

/// Whether something is tried on a release.
type On = fn(u32) -> bool;

/// What changes the frames or their layout, and where it is tried.
const VARIANTS: [(&str, On); 8] = [
    ("-XX:+UseCompactObjectHeaders", |release| release >= 25),
    // From JDK 25 on the JVM warns of it.
    ("-XX:-UseCompressedClassPointers", |release| release < 25),
    ("-XX:-UseCompressedOops", |_| true),
    ("-XX:ObjectAlignmentInBytes=16", |_| true),
    ("-XX:+UseZGC", |_| true),
    ("-Xint", |_| true),
    ("-XX:TieredStopAtLevel=1", |_| true),
    ("-Xcheck:jni", |_| true),
];

/// Classes of the JDK have no probes then.
const OWN: &str = "mode=calls,include=TellsCodeIndices*";

fn launch<'a>(jdk: &'a Jdk, scratch: &Scratch) -> Launch<'a> {
    let mut class_path = support::compiled("main").into_os_string();
    class_path.push(":");
    class_path.push(api_classes());
    Launch::new(jdk, "TellsCodeIndices", scratch.path()).class_path(class_path.into())
}

/// Runs a program with these options of the agent, each in a JVM of its own, and compares it
/// with `plain`.
fn check<'a>(
    launch: impl Fn() -> Launch<'a> + Sync,
    agents: &[&String],
    plain: &Run,
    (scratch, jdk): (&Scratch, &Jdk),
) {
    assert_eq!(plain.status, Some(0), "{jdk} without the agent: {plain:?}");
    let numbered: Vec<(usize, &&String)> = agents.iter().enumerate().collect();
    each(&numbered, |(number, agent)| {
        let profile = scratch.file(&format!("{number}.subsume"));
        let recorded = launch().agent(&format!("{agent},out={}", profile.display())).run();
        recorded.assert_same_as(plain, format_args!("{agent} on {jdk}"));
    });
}

#[test]
fn frames_tell_the_indices_of_the_code_as_it_was() {
    for jdk in jdks() {
        let scratch = Scratch::new("code-indices");
        let launch = || launch(jdk, &scratch);
        let plain = launch().run();
        assert!(plain.stdout.contains("initialised: "), "{jdk}: {plain:?}");
        let mut agents: Vec<String> = MODES.iter().map(|mode| format!("mode={mode}")).collect();
        agents.extend([OWN, "mode=calls,lines=on", "start=off"].map(str::to_owned));
        check(launch, &ways_in_turn(&agents, 5), &plain, (&scratch, jdk));
        same::check_attached(launch, &scratch.file("attached.subsume"), &[]);
    }
}

#[test]
fn frames_tell_them_in_every_layout_of_objects() {
    for jdk in jdks() {
        let scratch = Scratch::new("code-index-layouts");
        let tried = |(_, is_tried): &&(&str, On)| is_tried(jdk.release);
        let variants: Vec<_> = VARIANTS.iter().filter(tried).collect();
        for (flag, _) in ways_in_turn(&variants, 3) {
            let launch = || launch(jdk, &scratch).options(&[*flag]);
            let plain = launch().run();
            check(launch, &[&"mode=calls".to_owned()], &plain, (&scratch, jdk));
        }
    }
}

/// Frames keep the index of the code that they were entered with, also when their class has
/// got its probes since, or has lost them. The JDKs take turns in the modes: each switch in
/// one that follows data rewrites everything at once.
#[test]
fn frames_tell_them_when_recording_is_switched_above_them() {
    for (turn, jdk) in jdks().iter().enumerate() {
        let scratch = Scratch::new("code-index-switches");
        let launch = || launch(jdk, &scratch).argument("switches");
        let plain = launch().run();
        let modes = MODES.iter().enumerate().filter(|(number, mode)| {
            **mode == "calls" || (number + turn).is_multiple_of(jdks().len())
        });
        let mut agents: Vec<String> =
            modes.map(|(_, mode)| format!("mode={mode},start=off")).collect();
        agents.extend([format!("{OWN},start=off"), "mode=calls".to_owned()]);
        check(launch, &ways_in_turn(&agents, 4), &plain, (&scratch, jdk));
    }
}

/// A program of methods so large that jumps over them get wider instructions, and some that
/// have no room for all probes.
fn large(folder: &Path) -> PathBuf {
    let mut source = "public class Large {\n    static int sum;\n\n    static int at(int n) {\n        \
        if (n % 97 == 0) {\n            sum = 31 * sum + StackWalker.getInstance().walk(frames -> \
        frames.skip(1).mapToInt(StackWalker.StackFrame::getByteCodeIndex).sum());\n        }\n        \
        return n + 1;\n    }\n"
        .to_owned();
    let mut calls = String::new();
    for calls_in_method in [1_500, 2_500, 3_500, 5_000, 7_000, 9_000] {
        let mut body = String::new();
        for number in 0..calls_in_method {
            // Constants that differ in their instructions, and switches between calls.
            let _ = match number % 500 {
                17 => write!(body, "switch (n) {{ case 1: n++; case 2: n = at(n); }} "),
                18 => write!(body, "for (int i = 0; i < 2; i++) {{ n = at(n); }} "),
                _ => write!(body, "n = at(n); "),
            };
        }
        let _ = write!(
            source,
            "\n    static int calls{calls_in_method}(int n, boolean some) {{\n        while (n < 40000) \
             {{\n            if (some) {{ n = at(97 * n); break; }} else {{ {body} }}\n        }}\n        \
             return at(97 * n);\n    }}\n"
        );
        let _ = writeln!(
            calls,
            "        sum += calls{calls_in_method}(3, true) + calls{calls_in_method}(5, false);\n        \
             System.out.println(sum);"
        );
    }
    let _ =
        write!(source, "\n    public static void main(String[] arguments) {{\n{calls}    }}\n}}\n");
    let file = folder.join("Large.java");
    std::fs::write(&file, source).expect("sources can be written");
    let compiled = compiler().compile(&[file], folder, folder);
    compiled.unwrap_or_else(|error| panic!("{error}"));
    folder.to_path_buf()
}

#[test]
fn frames_tell_them_in_large_methods() {
    for jdk in in_turn() {
        let scratch = Scratch::new("code-index-large");
        let classes = large(scratch.path());
        let launch = || Launch::new(jdk, "Large", scratch.path()).class_path(classes.clone());
        let plain = launch().run();
        let agents: Vec<String> = MODES.iter().map(|mode| format!("mode={mode}")).collect();
        check(launch, &ways_in_turn(&agents, 5), &plain, (&scratch, jdk));
        same::check_attached(launch, &scratch.file("attached.subsume"), &[]);
    }
}
