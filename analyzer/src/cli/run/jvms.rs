//! The JVMs of one run: what each was for, and its command line.

use std::path::{Path, PathBuf};

use profile::{RunInfo, read_overview};

/// What a JVM was started for, the most interesting first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// It ran tests that a build tool or a test runner gave it.
    Tests,
    /// Anything else.
    Program,
    /// It was the build tool itself.
    BuildTool,
}

/// Words of the command lines by which test runners start JVMs.
const TESTS: [&str; 8] = [
    "surefirebooter",
    "org.apache.maven.surefire.booter.ForkedBooter",
    "worker.org.gradle.process.internal.worker.GradleWorkerMain",
    "org.junit.platform.console",
    "junit-platform-console",
    "org.junit.runner.JUnitCore",
    "org.testng.TestNG",
    "sbt.ForkMain",
];

/// Words of the command lines of build tools.
const BUILD_TOOLS: [&str; 7] = [
    "org.codehaus.plexus.classworlds.launcher.Launcher",
    "org.gradle.launcher",
    "org.gradle.wrapper.GradleWrapperMain",
    "gradle-wrapper.jar",
    "org.apache.tools.ant",
    "sbt-launch",
    "bloop.",
];

impl Purpose {
    fn of(command_line: &str) -> Self {
        let has = |words: &[&str]| words.iter().any(|word| command_line.contains(word));
        if has(&TESTS) {
            Purpose::Tests
        } else if has(&BUILD_TOOLS) {
            Purpose::BuildTool
        } else {
            Purpose::Program
        }
    }

    /// For the heading of an answer.
    pub fn name(self) -> &'static str {
        match self {
            Purpose::Tests => "tests",
            Purpose::Program => "a program",
            Purpose::BuildTool => "the build tool",
        }
    }
}

/// A JVM and the profile it left.
#[derive(Debug)]
pub struct Jvm {
    pub file: PathBuf,
    pub purpose: Purpose,
    pub process_id: u32,
    /// Milliseconds since 1970; 0 if unknown.
    pub start_millis: u64,
    /// Without the agent's option, class paths folded.
    pub command_line: String,
    /// Sum of the profile's first metric, bytecodes where calls were recorded.
    pub total: u128,
}

impl Jvm {
    /// Of a profile; one that cannot be read is a program without a command line, as
    /// the answer's own command says what is wrong with it.
    fn of(file: &Path) -> Self {
        let overview = read_overview(file).unwrap_or_default();
        let RunInfo { command_line, process_id, start_millis, .. } = overview.tables.run;
        Self {
            file: file.to_path_buf(),
            purpose: Purpose::of(&command_line),
            process_id,
            start_millis,
            command_line: folded(&command_line),
            total: overview.totals.first().map_or(0, |(_, sum)| *sum),
        }
    }
}

/// The JVMs that left these profiles: tests first, build tools last, and the one
/// that did most first among its like.
pub fn jvms(files: &[PathBuf]) -> Vec<Jvm> {
    let mut jvms: Vec<Jvm> = files.iter().map(|file| Jvm::of(file)).collect();
    jvms.sort_by(|a, b| (a.purpose, b.total, &a.file).cmp(&(b.purpose, a.total, &b.file)));
    jvms
}

/// A command line without what says nothing of the program: the agent's option and
/// the entries of class paths.
fn folded(command_line: &str) -> String {
    let mut words = command_line.split(' ').filter(|word| !word.starts_with("-agentpath:"));
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        kept.push(word);
        if ["-cp", "-classpath", "--class-path", "-p", "--module-path"].contains(&word)
            && words.next().is_some()
        {
            kept.push("...");
        }
    }
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn purposes() {
        for (line, purpose) in [
            (
                "java -jar /x/target/surefire/surefirebooter-1.jar /x 2026 surefire_0",
                Purpose::Tests,
            ),
            (
                "java @/tmp/args worker.org.gradle.process.internal.worker.GradleWorkerMain \
                 'Gradle Test Executor 1'",
                Purpose::Tests,
            ),
            (
                "java -cp x org.codehaus.plexus.classworlds.launcher.Launcher test",
                Purpose::BuildTool,
            ),
            (
                "java -cp x org.gradle.launcher.daemon.bootstrap.GradleDaemon 8.5",
                Purpose::BuildTool,
            ),
            ("java -jar shop.jar", Purpose::Program),
            ("", Purpose::Program),
        ] {
            assert_eq!(Purpose::of(line), purpose, "{line}");
        }
        assert!(Purpose::Tests < Purpose::Program && Purpose::Program < Purpose::BuildTool);
    }

    #[test]
    fn command_lines_are_folded() {
        let line = "java -agentpath:/a/libsubsume.so=out=x -Xmx1g -cp a.jar:b.jar shop.Till 1 2";
        assert_eq!(folded(line), "java -Xmx1g -cp ... shop.Till 1 2");
        assert_eq!(folded("java -cp"), "java -cp");
    }
}
