//! Commands for what has a name: a test of a project, a benchmark of JMH.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::{Duration, Instant};

use base::number::grouped;
use base::{shown, tell};
use tree::error::{Error, Result};

use super::folder::{Folder, PLAIN};
use crate::cli::progress::Progress;
use crate::cli::run::launch::Launch;
use crate::cli::run::profiles::Profiles;

/// The command that runs a test of the project in a folder: a class, or `CLASS#METHOD`.
///
/// # Errors
/// If the folder has no project of Maven or Gradle.
pub fn of_test(test: &str, project: &Path) -> Result<Vec<OsString>> {
    let words = words_of_test(test, |name| project.join(name).is_file()).ok_or_else(|| {
        Error::new(format!(
            "--test: {} has neither a pom.xml nor a build.gradle; go to the project's folder, or \
             name the command that runs the test: subsume diagnose -- COMMAND",
            shown(project)
        ))
    })?;
    Ok(words.into_iter().map(OsString::from).collect())
}

/// The words of the command that runs a test, in a project for whose files `has` is true.
fn words_of_test(test: &str, has: impl Fn(&str) -> bool) -> Option<Vec<String>> {
    // A project's own version of the build tool, if it has one.
    let tool = |wrapper: &str, usual: &str| match has(wrapper) {
        true => format!("./{wrapper}"),
        false => usual.to_owned(),
    };
    if has("pom.xml") {
        // In a build of several modules only one has the test; the others must not fail.
        let lenient = "-Dsurefire.failIfNoSpecifiedTests=false";
        let test = format!("-Dtest={test}");
        return Some(vec![tool("mvnw", "mvn"), "-q".into(), "test".into(), test, lenient.into()]);
    }
    const GRADLE: [&str; 4] =
        ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];
    GRADLE.iter().any(|name| has(name)).then(|| {
        // Gradle does not run again what has run, unless its results are gone.
        let words = ["-q", "cleanTest", "test", "--tests"].map(str::to_owned);
        let test = test.replace('#', ".");
        [vec![tool("gradlew", "gradle")], words.to_vec(), vec![test]].concat()
    })
}

/// JMH's options for one process, which does a fixed number of operations once: the same
/// work in each run, and no loop that goes on for a time.
const JMH: [&str; 8] = ["-f", "0", "-wi", "0", "-i", "1", "-bm", "ss"];
/// Stands before the number of operations.
const OPERATIONS: &str = "-bs";
/// As many operations as take that long.
const LONG_ENOUGH: Duration = Duration::from_secs(2);
/// What JMH does besides the operations takes no more.
const START: Duration = Duration::from_millis(700);
/// More operations than that are not tried.
const MOST: u64 = 1 << 30;
/// From one trial to the next, the number grows by no more than this factor.
const STEP: f64 = 32.0;

/// The command with which JMH does so many operations of a benchmark.
fn of_operations(command: &[OsString], benchmark: &str, operations: u64) -> Vec<OsString> {
    let mut words = command.to_vec();
    words.push(benchmark.into());
    words.extend(JMH.map(OsString::from));
    words.push(OPERATIONS.into());
    words.push(operations.to_string().into());
    words
}

/// The command that runs a benchmark, with as many operations as an earlier command for it
/// has, so that they compare, or otherwise as take some seconds.
///
/// # Errors
/// If JMH cannot be started, or fails.
pub fn of_benchmark(
    command: &[OsString],
    benchmark: &str,
    earlier: &[String],
    folder: &Folder,
) -> Result<Vec<OsString>> {
    if let Some(operations) = operations_of(earlier, benchmark) {
        return Ok(of_operations(command, benchmark, operations));
    }
    let runs_in = std::env::current_dir().unwrap_or_default();
    let output = folder.output(PLAIN);
    let profiles = Profiles::expected(&output, true);
    let progress = Progress::of_long_work();
    let mut operations = 1;
    loop {
        progress.say(&format!("trying {} of {benchmark}", grouped(operations)));
        let words = of_operations(command, benchmark, operations);
        let since = Instant::now();
        let launch = Launch::new(&words).quiet(&runs_in, &output, None);
        let status = launch.run_with(&[], &profiles)?;
        let took = since.elapsed();
        let text = std::fs::read_to_string(&output).unwrap_or_default();
        if !status.success() || !text.contains(benchmark_of(benchmark)) {
            return Err(Error::new(format!(
                "JMH did not run {benchmark} ({status}); its output is in {}",
                shown(&output)
            )));
        }
        if took >= LONG_ENOUGH + START || operations >= MOST {
            drop(progress);
            tell!("{benchmark}: {} operations in each run", grouped(operations));
            return Ok(words);
        }
        let worked = took.saturating_sub(START).as_secs_f64();
        let factor = (1.2 * LONG_ENOUGH.as_secs_f64() / worked.max(1e-3)).clamp(2.0, STEP);
        operations = ((operations as f64 * factor) as u64).min(MOST);
    }
}

/// The last part of a benchmark's name, which JMH prints.
fn benchmark_of(pattern: &str) -> &str {
    pattern.rsplit(|c: char| !c.is_alphanumeric()).find(|part| !part.is_empty()).unwrap_or("")
}

/// The number of operations in a command that was made here for this benchmark.
fn operations_of(earlier: &[String], benchmark: &str) -> Option<u64> {
    let words = &earlier[earlier.len().checked_sub(JMH.len() + 3)?..];
    let [name, options @ .., flag, number] = words else { return None };
    (name == benchmark && options == JMH && flag == OPERATIONS).then(|| number.parse().ok())?
}

/// Whether a command's output has times in it, which differ from run to run: that of build
/// tools, and of JMH.
pub fn prints_times(command: &[String]) -> bool {
    let tool = command.first().map(|word| Path::new(word).file_stem().unwrap_or(OsStr::new("")));
    let is_tool = tool
        .is_some_and(|tool| ["mvn", "mvnw", "gradle", "gradlew"].iter().any(|one| tool == *one));
    is_tool || command.windows(JMH.len()).any(|words| words == JMH)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn tests_are_run_by_the_tool_of_the_project() {
        let line = |files: &[&str]| {
            words_of_test("ATest#deep", |name| files.contains(&name)).map(|words| words.join(" "))
        };
        assert_eq!(line(&["Makefile"]), None);
        let gradle = "gradle -q cleanTest test --tests ATest.deep";
        assert_eq!(line(&["build.gradle.kts"]).as_deref(), Some(gradle));
        let maven = "./mvnw -q test -Dtest=ATest#deep -Dsurefire.failIfNoSpecifiedTests=false";
        assert_eq!(line(&["pom.xml", "mvnw", "build.gradle"]).as_deref(), Some(maven));
    }

    #[test]
    fn an_earlier_number_of_operations_is_found() {
        let made = of_operations(&words("java -jar b.jar"), "Parse.deep", 4_096);
        let texts: Vec<String> =
            made.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        assert_eq!(operations_of(&texts, "Parse.deep"), Some(4_096));
        assert_eq!(operations_of(&texts, "Parse.flat"), None);
        assert_eq!(operations_of(&texts[..3], "Parse.deep"), None);
        assert!(prints_times(&texts) && !prints_times(&texts[..3]));
        assert!(prints_times(&["./mvnw".to_owned()]) && !prints_times(&[]));
        assert_eq!(benchmark_of("org.x.Parse.deep$"), "deep");
    }
}
