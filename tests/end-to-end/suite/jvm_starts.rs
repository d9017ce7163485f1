//! The ways in which a JVM gets its options and its classes: environment
//! variables, argument files, modular jars, images made by `jlink`, archives of
//! classes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::time::{command, said};
use support::{Jdk, Launch, Scratch, artifacts, compiled, jdks, methods};

const PROGRAM: &str = "LanguageFeatures";

/// Runs a command of the JDK, which must succeed.
fn tool(jdk: &Jdk, name: &str, arguments: &[&str], folder: &Path) {
    let output = Command::new(jdk.command(name))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the JDK's commands can be started");
    assert!(output.status.success(), "{name} {arguments:?} on {jdk}: {output:?}");
}

/// The class path as text, for options that take it in the middle.
fn classes() -> String {
    compiled("main").into_os_string().into_string().expect("the build folder's name is text")
}

/// Runs plain and recorded, which must not differ, and looks for main.
fn check(what: &str, jdk: &Jdk, plain: &Launch<'_>, recorded: &Launch<'_>, profile: &Path) {
    let plain = plain.run();
    assert_eq!(plain.status, Some(0), "{what} without the agent on {jdk}: {plain:?}");
    let mut recorded = recorded.run();
    recorded.stdout = without_archive_messages(&recorded.stdout);
    recorded.assert_same_as(&plain, format_args!("{what} on {jdk}"));
    let main = &methods(profile, PROGRAM, &["--metric", "calls"])["main"];
    assert_eq!(main["calls"], 1, "{what} on {jdk}");
}

/// What JVMs from release 19 on say, behind the time and the level, when they do
/// not use an archive that was named on the command line, since the agent is to
/// see all classes.
const WITHOUT_ARCHIVE: &[&str] = &[
    "[error][cds] An error has occurred while processing the shared archive file. \
     Run with -Xlog:aot,cds for details.",
    "[error][cds] CDS is disabled because early JVMTI ClassFileLoadHook is in use.",
    "[error][aot] An error has occurred while processing the AOT cache. \
     Run with -Xlog:aot for details.",
    "[error][aot] CDS is disabled because early JVMTI ClassFileLoadHook is in use.",
    "[error][aot] Unable to map shared spaces",
];

fn without_archive_messages(output: &str) -> String {
    let is_message = |line: &str| {
        WITHOUT_ARCHIVE.iter().any(|&message| {
            let time = line.trim_end().strip_suffix(message);
            time.is_some_and(|time| time.starts_with('[') && time.ends_with("s]"))
        })
    };
    output.split_inclusive('\n').filter(|line| !is_message(line)).collect()
}

fn agent_option(profile: &Path) -> String {
    format!("-agentpath:{}=out={}", artifacts().agent.display(), profile.display())
}

#[test]
fn options_from_the_environment_and_from_files() {
    for jdk in jdks() {
        let scratch = Scratch::new("start");
        let profile = scratch.file("start.subsume");
        let launch = || Launch::new(jdk, PROGRAM, scratch.path());
        let plain = launch().run();
        for name in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"] {
            let run = launch().environment(name, agent_option(&profile)).run();
            assert_eq!((run.status, &run.stdout), (Some(0), &plain.stdout), "{name} on {jdk}");
            // The JVM's own line, which says what it picked up.
            assert_eq!(run.stderr.lines().count(), 1, "{name} on {jdk}: {}", run.stderr);
            assert_eq!(methods(&profile, PROGRAM, &[])["main"]["calls"], 1, "{name} on {jdk}");
        }
        fs::write(scratch.file("options"), agent_option(&profile))
            .expect("the build's temporary folder can be written");
        check("argument file", jdk, &launch(), &launch().options(&["@options"]), &profile);
    }
}

/// A jar with the programs as a module.
fn modular_jar(jdk: &Jdk, scratch: &Scratch) -> PathBuf {
    fs::write(scratch.file("module-info.java"), "module programs { requires java.logging; }")
        .expect("the build's temporary folder can be written");
    // A class in a package of its own, as modules have no unnamed one.
    let source = "package programs; public class LanguageFeatures { \
        public static void main(String[] a) { \
        System.out.println(LanguageFeatures.class.getModule() + \" \" + java.util.List.of(1, 2).stream().map(x -> x + 1).toList()); } }";
    fs::write(scratch.file("LanguageFeatures.java"), source)
        .expect("the build's temporary folder can be written");
    let folder = scratch.path();
    tool(jdk, "javac", &["-d", "module", "module-info.java", "LanguageFeatures.java"], folder);
    tool(jdk, "jar", &["cf", "programs.jar", "-C", "module", "."], folder);
    scratch.file("programs.jar")
}

#[test]
fn modular_jar_and_jlinked_runtime() {
    const MAIN: &str = "programs.LanguageFeatures";
    for jdk in jdks() {
        let scratch = Scratch::new("module");
        let profile = scratch.file("module.subsume");
        let jar = modular_jar(jdk, &scratch);
        let main_calls = || methods(&profile, MAIN, &[])["main"]["calls"].clone();
        let launch =
            || Launch::new(jdk, MAIN, scratch.path()).module(Some(jar.clone()), "programs");
        let plain = launch().run_well();
        assert_eq!(launch().profiled(&profile).run_well(), plain, "{jdk}");
        assert_eq!(main_calls(), 1, "{jdk}");

        // Nothing but what the program requires; no module of the JDK's own tools.
        for compress in ["0", "2"] {
            let image = scratch.file(&format!("image-{compress}"));
            let output = image.to_str().expect("the build folder's name is text");
            let options = ["-p", "programs.jar", "--add-modules", "programs", "--output", output];
            let small = ["--compress", compress, "--strip-debug", "--no-header-files"];
            tool(jdk, "jlink", &[&options[..], &small[..]].concat(), scratch.path());
            let runtime = Jdk::runtime(&image).expect("jlink makes a runtime");
            let launch = || Launch::new(&runtime, MAIN, scratch.path()).module(None, "programs");
            let plain = launch().run_well();
            fs::remove_file(&profile).expect("the profile before is there");
            assert_eq!(launch().profiled(&profile).run_well(), plain, "{runtime}");
            assert_eq!(main_calls(), 1, "{runtime}");
            if compress == "0" {
                runs_without_flight_recorder(&runtime, MAIN, &scratch, &plain);
            }
        }
    }
}

/// The plain run that is to be sampled does not fail for an option that its JVM refuses.
fn runs_without_flight_recorder(runtime: &Jdk, main: &str, scratch: &Scratch, printed: &str) {
    let java = runtime.command("java").display().to_string();
    let run = ["run", "--time", "-o", "timed.subsume", "--", &java, "-m"];
    let output = command(scratch, &[&run[..], &[&format!("programs/{main}")]].concat());
    assert!(output.status.success(), "{runtime}: {}", said(&output));
    assert_eq!(String::from_utf8_lossy(&output.stdout), printed.repeat(2), "{runtime}");
    assert!(said(&output).contains("this Java has no module jdk.jfr"), "{}", said(&output));
}

/// As where both a variable and the command line name the agent. The first one records.
#[test]
fn of_two_agents_one_records() {
    for jdk in jdks() {
        let scratch = Scratch::new("two-agents");
        let copy = scratch.file("libcopy.so");
        fs::copy(&artifacts().agent, &copy).expect("there is room");
        let launch = || Launch::new(jdk, PROGRAM, scratch.path()).class_path(compiled("main"));
        let plain = launch().run();
        let option = |library: &Path, mode: &str, file: &str| {
            let out = scratch.file(file).display().to_string();
            let option = support::agent_option(library, &format!("mode={mode},out={out}"));
            option.into_string().expect("the build folder's name is text")
        };
        for (second, mode) in [(&artifacts().agent, "calls"), (&copy, "costs")] {
            let options = [
                option(&artifacts().agent, mode, "first.subsume"),
                option(second, "nulls", "second.subsume"),
            ];
            let run = launch().options(&options.each_ref().map(String::as_str)).run();
            assert_eq!((run.status, &run.stdout), (plain.status, &plain.stdout), "{jdk} {mode}");
            let said = "nothing is recorded by this agent: the JVM has another one of subsume";
            assert_eq!(run.stderr.matches(said).count(), 1, "{jdk} {mode}: {}", run.stderr);
            assert!(!scratch.file("second.subsume").exists(), "{jdk} {mode}");
            fs::remove_file(scratch.file("first.subsume")).expect("the first one has recorded");
        }
    }
}

#[test]
fn archives_of_classes() {
    for jdk in jdks() {
        let scratch = Scratch::new("archive");
        let profile = scratch.file("archive.subsume");
        // An archive takes classes from jars only.
        tool(jdk, "jar", &["cf", "programs.jar", "-C", &classes(), "."], scratch.path());
        let jar = scratch.file("programs.jar");
        let launch = || Launch::new(jdk, PROGRAM, scratch.path()).class_path(jar.clone());
        launch().options(&["-XX:ArchiveClassesAtExit=programs.jsa"]).run();
        assert!(scratch.file("programs.jsa").exists(), "{jdk} made no archive");
        let with = || launch().options(&["-XX:SharedArchiveFile=programs.jsa"]);
        check("dynamic archive", jdk, &with(), &with().profiled(&profile), &profile);

        if jdk.release < 25 {
            continue;
        }
        let made = launch().options(&["-XX:AOTCacheOutput=programs.aot"]).run();
        assert!(scratch.file("programs.aot").exists(), "{jdk} made no cache: {made:?}");
        let with = || launch().options(&["-XX:AOTCache=programs.aot"]);
        check("cache", jdk, &with(), &with().profiled(&profile), &profile);
        let with = || with().options(&["-XX:AOTMode=auto"]);
        check("cache, mode auto", jdk, &with(), &with().profiled(&profile), &profile);
    }
}
