//! Commands that are waited for.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

use crate::Jdk;

/// What a program printed.
#[derive(Debug)]
pub struct Printed {
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// The JVM of a JDK, with nothing to read and without the options that the
/// environment may hold: they would change what is compared.
pub fn java(jdk: &Jdk) -> Command {
    let mut java = jdk.program("java");
    for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"] {
        java.env_remove(variable);
    }
    // Names of classes are names of files, in any language.
    java.env("LC_ALL", "C.UTF-8");
    java.stdin(Stdio::null());
    if let Ok(words) = std::env::var("SUBSUME_JVM_OPTIONS") {
        java.args(words.split_whitespace());
    }
    java
}

/// Runs a command to its end.
///
/// # Errors
/// The command line with all that it printed, when it fails.
pub fn run(command: &mut Command) -> Result<Printed, String> {
    let output = command
        .output()
        .map_err(|error| format!("{:?} does not start: {error}", command.get_program()))?;
    let printed = Printed {
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    if output.status.success() {
        return Ok(printed);
    }
    let line: Vec<&OsStr> = command.get_args().collect();
    Err(format!(
        "{:?} {line:?} ended with {}\n{}\n{}",
        command.get_program(),
        output.status,
        printed.out,
        printed.err
    ))
}

/// Runs a command that must succeed; gives its standard output.
///
/// # Panics
/// With all that it printed if it does not.
pub fn succeed(command: &mut Command) -> String {
    run(command).unwrap_or_else(|why| panic!("{why}")).out
}

/// Whether a program is installed; a line says that what needs it is left out.
pub fn is_there(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", "command -v \"$0\"", program]).output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        println!("left out, because it is not there: {program}");
    }
    found
}
