//! Command lines that `subsume` advises do what it says of them, as they are printed.

use std::process::{Command, Output};

use support::{Scratch, artifacts, compiled, oldest};

use crate::time::{command, said};

/// Runs a line as a user would who pastes it.
fn typed(scratch: &Scratch, line: &str) -> Output {
    let shell = format!("subsume() {{ \"$SUBSUME\" \"$@\"; }}; {line}");
    Command::new("sh")
        .args(["-c", &shell])
        .current_dir(scratch.path())
        .env("SUBSUME", &artifacts().command)
        .env("SUBSUME_AGENT", &artifacts().agent)
        .env_remove("JAVA_TOOL_OPTIONS")
        .output()
        .expect("there is a shell")
}

/// The advised command line behind some words, to the end of the line or of what is said of it.
fn advised(output: &Output, before: &str) -> String {
    let said = said(output);
    let found = said.lines().find_map(|line| line.split_once(before));
    let (_, rest) = found.unwrap_or_else(|| panic!("{before}: {said}"));
    assert!(rest.starts_with("subsume "), "{rest}");
    rest.split("    ").next().unwrap_or(rest).to_owned()
}

/// The line with such a beginning under "Next", without what is said of it.
fn next(output: &Output, start: &str) -> String {
    let said = said(output);
    let line = said.lines().map(str::trim).find(|line| line.starts_with(start));
    let line = line.unwrap_or_else(|| panic!("{start}: {said}"));
    line.split("    ").next().unwrap_or(line).to_owned()
}

/// A command that runs a short program and ends with a code.
fn ending_with(code: &str) -> Vec<String> {
    let java = oldest().command("java").display().to_string();
    let classes = compiled("main").display().to_string();
    let script = format!("\"$0\" -cp \"$1\" Recursion; exit {code}");
    ["--", "sh", "-c", &script, &java, &classes].map(str::to_owned).to_vec()
}

fn words<'a>(options: &[&'a str], program: &'a [String]) -> Vec<&'a str> {
    options.iter().copied().chain(program.iter().map(String::as_str)).collect()
}

const USUALLY: &str = "if it usually ends with this code: ";

#[test]
fn a_diagnosis_goes_on_with_the_usual_exit_code() {
    let scratch = Scratch::new("advice-diagnose");
    let program = ending_with("37");
    let start = words(&["diagnose", "-o", "all of it", "--within", "1s"], &program);
    let refused = command(&scratch, &start);
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    let line = advised(&refused, USUALLY);
    assert_eq!(line, "subsume diagnose --continue 'all of it' --exit-code 37");
    let output = typed(&scratch, &line);
    assert!(output.status.success(), "{}", said(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("Findings"), "{}", said(&output));
    // The code is known from now on.
    let output = command(&scratch, &["diagnose", "--within", "1s", "--against", "all of it"]);
    assert!(output.status.success(), "{}", said(&output));
    // So does the first line, with the option added.
    let refused = command(&scratch, &words(&["diagnose", "-o", "other"], &program));
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    let options = ["diagnose", "-o", "other", "--within", "1s", "--exit-code", "37"];
    let output = command(&scratch, &words(&options, &program));
    assert!(output.status.success(), "{}", said(&output));
    // What time does not allow can be made up for as it is said, and recordings that are there
    // are gone on with.
    let left_out = advised(&output, "to record them: ");
    assert!(left_out.starts_with("subsume diagnose --continue other"), "{left_out}");
    let refused = command(&scratch, &words(&options, &program));
    assert_eq!(advised(&refused, "with its recordings: "), "subsume diagnose --continue other");
    let output = typed(&scratch, &left_out);
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn time_is_measured_of_a_program_with_the_usual_exit_code() {
    let scratch = Scratch::new("advice-run");
    let program = ending_with("4");
    let refused = command(&scratch, &words(&["run", "--time", "-o", "a.subsume"], &program));
    assert_eq!(refused.status.code(), Some(4), "{}", said(&refused));
    assert!(!scratch.file("a.subsume").exists());
    let line = advised(&refused, USUALLY);
    assert!(line.starts_with("subsume run --time --exit-code 4 -o "), "{line}");
    let output = typed(&scratch, &line);
    assert_eq!(output.status.code(), Some(4), "{}", said(&output));
    assert!(scratch.file("a.subsume").exists(), "{}", said(&output));
    // The first answer advises the same for a program that was recorded without its time.
    let output = command(&scratch, &words(&["run", "--lines", "-o", "b.subsume"], &program));
    let line = next(&output, "subsume run --time ");
    assert!(line.starts_with("subsume run --time --exit-code 4 --lines -- "), "{line}");
    let output = typed(&scratch, &line);
    assert_eq!(output.status.code(), Some(4), "{}", said(&output));
    assert!(!said(&output).contains("failed"), "{}", said(&output));
    // Nobody else needs the option.
    let needless = command(&scratch, &words(&["run", "--exit-code", "4"], &program));
    assert_eq!(needless.status.code(), Some(2));
    let needless = command(&scratch, &["diagnose", "--exit-code", "4", "nothing"]);
    assert!(said(&needless).contains("--exit-code is for a program"), "{}", said(&needless));
}
