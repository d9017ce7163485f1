//! The command for the name of a test of a project.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use base::shown;
use tree::error::{Error, Result};

use super::benchmark::JMH;

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

/// Whether a command's output has times in it, which differ from run to run: that of build
/// tools, and of JMH.
pub fn prints_times(command: &[String]) -> bool {
    let word = match command {
        // A script within the line is named after it: the plugin of Gradle has such a line.
        [shell, option, _, name, ..] if shell == "sh" && option == "-c" => Some(name),
        _ => command.first(),
    };
    let tool = word.map(|word| Path::new(word).file_stem().unwrap_or(OsStr::new("")));
    let is_tool = tool
        .is_some_and(|tool| ["mvn", "mvnw", "gradle", "gradlew"].iter().any(|one| tool == *one));
    is_tool || command.windows(JMH.len()).any(|words| words == JMH)
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn build_tools_and_jmh_print_times() {
        let jmh: Vec<String> = ["java"].iter().chain(&JMH).map(|&word| word.to_owned()).collect();
        assert!(prints_times(&jmh) && !prints_times(&jmh[..3]));
        assert!(prints_times(&["./mvnw".to_owned()]) && !prints_times(&[]));
        let script: Vec<String> =
            ["sh", "-c", "exec \"$@\"", "gradle", "/g/gradlew"].map(str::to_owned).into();
        assert!(prints_times(&script) && !prints_times(&script[..3]));
    }
}
