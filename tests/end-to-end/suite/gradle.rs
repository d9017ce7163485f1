//! `integrations/gradle`: Gradle's tests and programs are recorded, and compared, by the plugin and by
//! the script. `programs/gradle-versions` makes the releases of Gradle that the plugin is tried on.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use support::{
    Scratch, artifacts, copy_folder, is_there, methods, oldest, own_code, subsume, succeed,
};

use crate::packages;

/// A checkout of the project, beside a folder in which subsume is installed.
struct Project {
    scratch: Scratch,
}

impl Project {
    fn new() -> Self {
        let scratch = Scratch::new("gradle");
        let suite = Path::new(env!("CARGO_MANIFEST_DIR"));
        copy_folder(&suite.join("programs/gradle"), &scratch.file("shop"));
        let script = suite.join("../../integrations/gradle/subsume.gradle");
        fs::copy(script, scratch.file("shop/subsume.gradle")).expect("it is there");
        let installed =
            [("bin/subsume", &artifacts().command), ("lib/libsubsume.so", &artifacts().agent)];
        for (place, file) in installed {
            let place = scratch.file("installed").join(place);
            fs::create_dir_all(place.parent().expect("it has one")).expect("a folder can be made");
            symlink(file, place).expect("a link can be made");
        }
        Self { scratch }
    }

    fn gradle(&self, arguments: &[&str]) -> Output {
        Command::new("gradle")
            .args(["--no-daemon", "-q"])
            .arg(format!("-Psubsume={}", self.scratch.file("installed").display()))
            .args(arguments)
            .current_dir(self.scratch.file("shop"))
            .env("JAVA_HOME", oldest().home())
            .env_remove("JAVA_TOOL_OPTIONS")
            .output()
            .expect("Gradle can be started")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.scratch.file("shop").join(name)
    }
}

fn calls(profile: &Path) -> u64 {
    methods(profile, "shop.Bill", &[])["add"]["calls"].as_u64().expect("calls are a number")
}

#[test]
#[ignore = "needs Gradle: --ignored gradle_"]
fn gradle_records_and_compares() {
    if !is_there("gradle") {
        return;
    }
    let project = Project::new();
    let built = project.gradle(&["subsumeMerge", "run"]);
    assert!(built.status.success(), "{built:?}");
    // A JVM for each class of tests, and one of the program.
    let forks =
        |task| fs::read_dir(project.file("build/subsume").join(task)).expect("it was made").count();
    assert_eq!((forks("test"), forks("run")), (2, 1));
    let merged = project.file("build/subsume/test.subsume");
    assert_eq!(calls(&merged), 3000);
    let own = own_code(&merged);
    let classes = project.file("build/classes/java/main");
    assert!(own.contains(&format!("file:{}/", classes.display())), "{own}");
    assert!(own.ends_with("as the agent's option own= says"), "{own}");

    let baseline = project.file("baseline.subsume");
    fs::copy(&merged, &baseline).expect("it can be copied");
    let without = project.gradle(&["subsumeCheck"]);
    let said = String::from_utf8_lossy(&without.stderr).into_owned();
    assert!(said.contains("-PsubsumeBaseline must say what to compare with"), "{said}");
    let baseline = format!("-PsubsumeBaseline={}", baseline.display());
    let same = project.gradle(&["subsumeCheck", &baseline]);
    assert!(same.status.success(), "{same:?}");

    let source = project.file("src/main/java/shop/Bill.java");
    let text = fs::read_to_string(&source).expect("it was copied");
    let changed = text.replace("total += price;", "total += price + 1 - 1;");
    assert_ne!(changed, text);
    fs::write(&source, changed).expect("it can be written");
    let costlier = project.gradle(&["subsumeCheck", &baseline]);
    assert!(!costlier.status.success(), "{costlier:?}");
    let said = String::from_utf8_lossy(&costlier.stdout).into_owned();
    let blamed = |line: &str| line.contains("changed") && line.contains("shop.Bill.add");
    assert!(said.contains("Broken: bytecodes>+1%") && said.lines().any(blamed), "{said}");
    assert_eq!(calls(&merged), 3000, "profiles of the build before are gone");
}

/// A project with the plugin, and the command that starts a release of Gradle.
struct WithPlugin {
    project: Project,
    start: Vec<String>,
}

impl WithPlugin {
    fn new(version: &str) -> Self {
        let project = Project::new();
        let suite = Path::new(env!("CARGO_MANIFEST_DIR"));
        fs::remove_file(project.file("subsume.gradle")).expect("it was copied");
        copy_folder(&suite.join("programs/gradle-plugin"), &project.file("."));
        let settings = project.file("settings.gradle");
        let text = fs::read_to_string(&settings).expect("it was copied");
        let repository = packages::gradle_repository().display().to_string();
        fs::write(&settings, text.replace("REPOSITORY", &repository)).expect("it is ours");
        // What is fetched stays for the next time.
        let folder = artifacts().command.with_file_name(format!("gradle-{version}"));
        let mut make = Command::new("python3");
        make.arg(suite.join("programs/gradle-versions/make.py")).arg(version).arg(folder);
        let start = succeed(make.env("JAVA_HOME", oldest().home()));
        Self { project, start: start.lines().map(str::to_owned).collect() }
    }

    fn gradle(&self, arguments: &[&str]) -> (bool, String) {
        let commands = self.project.scratch.file("installed/bin");
        let path = std::env::var_os("PATH").expect("there is a path");
        let path = [commands.into_os_string(), path].join(":".as_ref());
        let output = Command::new(oldest().command("java"))
            .args(&self.start[1..])
            .arg("--configuration-cache")
            .args(arguments)
            .current_dir(self.project.file("."))
            .env("JAVA_HOME", oldest().home())
            .env("PATH", path)
            .env("JAVA_TOOL_OPTIONS", "-Dshop.shelf=7")
            .env_remove("SUBSUME_AGENT")
            .output()
            .expect("Gradle can be started");
        let said = [&output.stdout[..], &output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&said).into_owned())
    }
}

/// The plugin with the configuration cache, which keeps tasks as they were configured.
fn plugin_works(version: &str) {
    let build = WithPlugin::new(version);
    let project = &build.project;
    let tasks = ["subsumeCheck", "subsumeReport", "run"];
    let (succeeded, said) = build.gradle(&tasks);
    assert!(succeeded, "{version}: {said}");
    assert!(
        said.contains("shop.Bill.add, with all that it calls, costs 21,000 bytecodes"),
        "{said}"
    );
    let kept = "shop.Nobody.asks was not executed, so its bound of 5 bytecodes is kept";
    assert!(said.contains(kept), "{said}");
    let merged = project.file("build/subsume/profile.subsume");
    assert_eq!(calls(&merged), 3000);
    let own = own_code(&merged);
    assert!(own.ends_with("as the agent's option own= says"), "{own}");
    let info = succeed(Command::new(&artifacts().command).arg("info").arg(&merged));
    assert!(info.contains("branch=main"), "{version}: {info}");
    for file in ["report.html", "summary.md", "check.md"] {
        assert!(project.file("build/subsume").join(file).is_file(), "{version}: {file}");
    }
    // Tests that are up to date stay so; the program is run.
    let (succeeded, said) = build.gradle(&tasks);
    assert!(succeeded && said.contains("Reusing configuration cache."), "{version}: {said}");
    assert!(said.contains("> Task :test UP-TO-DATE"), "{version}: {said}");
    assert!(said.contains("total 0"), "{version}: {said}");

    let baseline = project.file("baseline.subsume");
    fs::copy(&merged, &baseline).expect("it can be copied");
    let source = project.file("src/main/java/shop/Bill.java");
    let text = fs::read_to_string(&source).expect("it was copied");
    let changed = text.replace("total += price;", "total += price + 1 - 1;");
    assert_ne!(changed, text);
    fs::write(&source, changed).expect("it can be written");
    let (succeeded, said) = build.gradle(&["-Psubsume.baseline=baseline.subsume", "subsumeCheck"]);
    assert!(!succeeded, "{version}: {said}");
    assert!(said.contains("by more than the 1 % allowed"), "{version}: {said}");
    let comment =
        fs::read_to_string(project.file("build/subsume/check.md")).expect("it was written");
    assert!(comment.contains("| changed | shop.Bill.add |"), "{version}: {comment}");

    // As the archive of the extension of JUnit is on the classpath of tests.
    fs::create_dir(project.file("subsume-junit")).expect("a folder can be made");
    let script = project.file("build.gradle");
    let text = fs::read_to_string(&script).expect("it was copied");
    let text = text + "dependencies { testImplementation files(\"subsume-junit\") }\n";
    fs::write(&script, text).expect("it can be written");
    let (succeeded, said) = build.gradle(&["subsumeMerge"]);
    assert!(succeeded, "{version}: {said}");
    let info = succeed(Command::new(&artifacts().command).arg("info").arg(&merged));
    assert!(info.contains("mode=loops"), "{version}: {info}");

    let (succeeded, said) = build.gradle(&["-Psubsume.skip=true", "test", "subsumeCheck"]);
    assert!(succeeded && said.contains("> Task :subsumeCheck SKIPPED"), "{version}: {said}");
}

#[test]
#[ignore = "fetches 160 MB: --ignored gradle_"]
fn gradle_7_works_with_the_plugin() {
    plugin_works("7.6");
}

#[test]
#[ignore = "fetches 180 MB: --ignored gradle_"]
fn gradle_8_works_with_the_plugin() {
    plugin_works("8.10");
}

/// Tests that compute the same again and again.
const WASTEFUL: &str = "\
package shop;

import static org.junit.Assert.*;

import org.junit.Test;

public class WastefulTest {
    static long rate(int country) {
        long rate = country;
        for (int i = 0; i < 2000; i++) {
            rate = step(rate, i);
        }
        return rate;
    }

    // Methods that call nothing are not followed.
    static long step(long rate, int i) {
        return rate * 31 + i % 7;
    }

    @Test
    public void asksAgain() {
        long sum = 0;
        for (int i = 0; i < 3000; i++) {
            sum ^= rate(i % 3);
        }
        // The user's own JAVA_TOOL_OPTIONS have it.
        assertEquals(\"7\", System.getProperty(\"shop.shelf\"));
        assertEquals(0, sum);
    }
}
";

const BROKEN: &str = "\
package shop;

public class BrokenTest {
    @org.junit.Test
    public void fails() {
        throw new IllegalStateException(\"broken\");
    }
}
";

/// Has only the test class with 1,000 prices; the tests with all of them run before, in their own JVMs.
const SLOW: &str = "
tasks.register('slowTest', Test) {
    dependsOn 'test'
    testClassesDirs = sourceSets.test.output.classesDirs
    classpath = sourceSets.test.runtimeClasspath
    filter { includeTestsMatching 'shop.FirstTest' }
    timeout = Duration.ofMillis(1)
}
";

/// The task starts builds of its own, in which the JVM of the tests alone has the agent.
fn plugin_diagnoses(version: &str) {
    let build = WithPlugin::new(version);
    let project = &build.project;
    let tests = project.file("src/test/java/shop");
    fs::write(tests.join("WastefulTest.java"), WASTEFUL).expect("it can be written");
    // In place of bin/gradle, which these releases lack.
    let gradle = project.scratch.file("gradle.sh");
    let words: Vec<String> = build.start[1..].iter().map(|word| format!("'{word}'")).collect();
    let java = oldest().command("java");
    let script = format!("#!/bin/sh\nexec '{}' {} \"$@\"\n", java.display(), words.join(" "));
    fs::write(&gradle, script).expect("it can be written");
    succeed(Command::new("chmod").arg("+x").arg(&gradle));
    let gradle = format!("-Psubsume.gradleCommand={}", gradle.display());
    let diagnose = |more: &[&str]| build.gradle(&[&["subsumeDiagnose", &gradle], more].concat());
    let folder = project.file("build/subsume/diagnosis");
    let fails = |more: &[&str], reason: &str| {
        let (succeeded, said) = diagnose(more);
        assert!(!succeeded && said.contains(reason), "{version}: {said}");
        said
    };

    let reason = "/nowhere/subsume does not exist (subsume.command)";
    fails(&["-Psubsume.command=/nowhere/subsume"], reason);
    let reason = "has no task 'fastTest' that runs tests: name one with subsume.testTask";
    fails(&["-Psubsume.testTask=fastTest"], reason);
    let reason = "subsume.failAbove is not a number: much";
    fails(&["-Psubsume.failAbove=much"], reason);
    let reason = "nowhere has no diagnosis of :test";
    fails(&["-Psubsume.against=nowhere"], reason);
    let reason = "the tests fail without the agent, so nothing is recorded";
    let said = fails(&["-Psubsume.test=shop.Nobody"], reason);
    assert!(said.contains("No tests found for given includes"), "{version}: {said}");
    fs::write(tests.join("BrokenTest.java"), BROKEN).expect("it can be written");
    let said = fails(&["-Psubsume.test=shop.BrokenTest"], reason);
    assert!(said.contains("BrokenTest > fails FAILED"), "{version}: {said}");
    fs::remove_file(tests.join("BrokenTest.java")).expect("it was written");
    assert!(!folder.exists(), "{version}: {said}");

    // As many recordings as time allows. One JVM has run all tests, and Gradle's own has no agent.
    let (succeeded, said) = diagnose(&["-Psubsume.within=1s"]);
    assert!(succeeded && said.contains("from 1 recording: calls"), "{version}: {said}");
    let goes_on = "to record them: gradle subsumeDiagnose -Psubsume.continue=true";
    assert!(said.contains(goes_on), "{version}: {said}");
    assert!(!said.contains("JVMs ran"), "{version}: {said}");
    let recorded = folder.join("calls.subsume");
    assert_eq!(calls(&recorded), 3000, "{version}: {said}");
    let info = succeed(Command::new(&artifacts().command).arg("info").arg(&recorded));
    assert!(info.contains("Gradle Test Executor"), "{version}: {info}");
    let own = own_code(&recorded);
    assert!(own.ends_with("as the agent's option own= says"), "{version}: {own}");
    // And the others later.
    let against = "-Psubsume.against=build/subsume/diagnosis";
    let reason = "cannot be continued and compared with itself";
    fails(&["-Psubsume.continue=true", against], reason);
    let reason = "shop.WastefulTest.rate wastes up to ";
    let said = fails(&["-q", "-Psubsume.continue=true", "-Psubsume.failAbove=20"], reason);
    assert!(said.contains("same result again: shop.WastefulTest.rate"), "{version}: {said}");
    assert!(said.contains(&format!("recordings: {}", folder.display())), "{version}: {said}");
    assert!(!said.contains("unfinished"), "{version}: {said}");
    assert!(!said.contains("printed something else"), "{version}: {said}");

    // The change is compared with what was in the folder.
    let repaired =
        WASTEFUL.replace("i < 3000", "i < 3").replace("assertEquals(0,", "assertNotEquals(0,");
    fs::write(tests.join("WastefulTest.java"), repaired).expect("it can be written");
    let (succeeded, said) = diagnose(&[against, "-Psubsume.failAbove=20"]);
    let gone = said.lines().find(|line| line.contains("shop.WastefulTest.rate"));
    assert!(succeeded && gone.is_some_and(|line| line.contains("gone")), "{version}: {said}");
    assert!(project.file("build/subsume/diagnosis-before/results.subsume").exists(), "{said}");

    // Another task, of whose JVM alone the answer is, although it waits for the tests of the first.
    let script = project.file("build.gradle");
    let text = fs::read_to_string(&script).expect("it was copied");
    fs::write(&script, format!("import java.time.Duration\n{text}{SLOW}")).expect("it is ours");
    let (succeeded, said) = diagnose(&["-Psubsume.testTask=slowTest", "-Psubsume.within=1s"]);
    assert!(succeeded && !said.contains("JVMs ran"), "{version}: {said}");
    assert_eq!(calls(&recorded), 1000, "{version}: {said}");

    // Builds of a diagnosis leave nothing behind that the next build takes for its own.
    let (succeeded, said) = build.gradle(&["subsumeCheck"]);
    assert!(succeeded, "{version}: {said}");
    assert_eq!(calls(&project.file("build/subsume/profile.subsume")), 3000, "{version}");
}

#[test]
#[ignore = "fetches 160 MB: --ignored gradle_"]
fn gradle_7_diagnoses() {
    plugin_diagnoses("7.6");
}

#[test]
#[ignore = "fetches 180 MB: --ignored gradle_"]
fn gradle_8_diagnoses() {
    plugin_diagnoses("8.10");
}

/// Tests with the extension of JUnit need loops, and their build adds the agent itself: this script
/// and those lines are in one build without knowing of each other.
#[test]
#[ignore = "needs Gradle: --ignored gradle_"]
fn gradle_records_loops_for_the_extension_of_junit() {
    if !is_there("gradle") {
        return;
    }
    let project = Project::new();
    let options = || {
        let forks = fs::read_dir(project.file("build/subsume/test")).expect("it was made");
        let fork = forks.map(|fork| fork.expect("it can be read").path()).next();
        let fork = fork.expect("there was a JVM");
        let info = subsume(&[OsStr::new("info"), fork.as_os_str()]);
        let line = info.lines().find(|line| line.trim_start().starts_with("Options"));
        line.expect("the agent had options").to_owned()
    };
    let script = project.file("build.gradle");
    let plain = fs::read_to_string(&script).expect("it was copied");
    // As the extension's archive is on the classpath of tests.
    fs::create_dir(project.file("subsume-junit")).expect("a folder can be made");
    let with = format!("{plain}dependencies {{ testImplementation files(\"subsume-junit\") }}\n");
    fs::write(&script, &with).expect("it can be written");
    let built = project.gradle(&["subsumeMerge"]);
    assert!(built.status.success(), "{built:?}");
    let merged = project.file("build/subsume/test.subsume");
    assert!(options().contains(",mode=loops"), "{}", options());
    assert_eq!(calls(&merged), 3000, "the counts are the same");

    // The lines of docs/how-to/junit.md.
    let agent = project.scratch.file("installed/lib/libsubsume.so");
    let own = format!(
        "{with}test {{ jvmArgs \"-agentpath:{}=mode=loops,exclude=nobody.*,out=$buildDir/loops.subsume\" }}\n",
        agent.display()
    );
    fs::write(&script, own).expect("it can be written");
    let built = project.gradle(&["subsumeMerge"]);
    assert!(built.status.success(), "{built:?}");
    let said = String::from_utf8_lossy(&built.stderr).into_owned();
    assert!(!said.contains("agent"), "one agent is in the JVM: {said}");
    let asked = options();
    assert!(asked.contains(",mode=loops,exclude=nobody.*"), "{asked}");
    assert_eq!(calls(&merged), 3000);
    assert!(
        !project.file("build/loops.subsume").exists(),
        "profiles are where the script wants them"
    );
}
