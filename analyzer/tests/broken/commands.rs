//! Every command that reads profiles, in every way that reads them differently.

use std::path::Path;
use std::process::{Command, Output};

/// Command lines; `BROKEN` stands for the damaged file, `GOOD` for a whole one,
/// `OUT` for a file to write.
pub const COMMANDS: [&str; 75] = [
    "methods BROKEN",
    "methods --callers --all --json BROKEN",
    "methods --metric calls GOOD BROKEN",
    "info BROKEN",
    "info --shape --skipped --json BROKEN",
    "tree --min-percent 0 --call-sites BROKEN",
    "tree --json --metric allocations BROKEN",
    "callers BROKEN com.example.App.less",
    "callers --json --call-sites BROKEN com.example.App.sort",
    "search --auto BROKEN",
    "search --json --script search.script BROKEN",
    "search --script search.script --against GOOD BROKEN",
    "search --auto --against BROKEN GOOD",
    "summary BROKEN",
    "summary --json --without class-loading BROKEN",
    "methods --inside App.main BROKEN",
    "diff BROKEN GOOD",
    "diff GOOD BROKEN -- BROKEN GOOD",
    "diff --contexts --inclusive GOOD BROKEN",
    "diff --json GOOD BROKEN",
    "diff --markdown BROKEN BROKEN",
    "summary --markdown BROKEN",
    "report BROKEN -o OUT",
    "report --json BROKEN",
    "report GOOD BROKEN -o OUT",
    "open BROKEN",
    "blueprint BROKEN --svg OUT",
    "blueprint --kind structural --exclusive BROKEN --svg OUT",
    "blueprint --kind behavioural BROKEN --svg -",
    "blueprint --against GOOD BROKEN --svg OUT",
    "export --format folded --descriptors BROKEN",
    "export --json BROKEN",
    "export --format pprof BROKEN -o OUT",
    "export --format otlp BROKEN -o OUT",
    "export --format jfr BROKEN -o OUT",
    "export --format speedscope BROKEN",
    "export --format callgrind BROKEN",
    "export --format firefox BROKEN",
    "export --format csv BROKEN",
    "export --format parquet BROKEN -o OUT",
    "time BROKEN time.folded -o OUT",
    "time GOOD BROKEN -o OUT",
    "time --json BROKEN time.folded",
    "copies BROKEN",
    "copies --json BROKEN",
    "chains BROKEN",
    "clones BROKEN",
    "temporaries BROKEN",
    "useless BROKEN",
    "graph BROKEN Main:9",
    "costs BROKEN",
    "costs --json BROKEN",
    "dead BROKEN",
    "cost-of BROKEN Main:9",
    "cost-of --json BROKEN Main:35",
    "nulls BROKEN",
    "loops BROKEN",
    "loops --markdown BROKEN",
    "growth BROKEN",
    "growth --all --json BROKEN",
    "typestate BROKEN",
    "typestate --all --json BROKEN",
    "repeats BROKEN",
    "repeats --json --min-percent 0 BROKEN",
    "repeats --markdown GOOD BROKEN",
    "lines BROKEN",
    "lines --json BROKEN",
    "history GOOD BROKEN",
    "history --json BROKEN GOOD",
    "history BROKEN GOOD --html OUT",
    "merge GOOD BROKEN -o OUT",
    "fleet add OUT-fleet BROKEN",
    "fleet add --json --no-trees OUT-fleet BROKEN",
    "merge --normalise --json BROKEN GOOD -o OUT",
    "merge GOOD --contexts BROKEN -o OUT",
];

/// Commands that read no profile.
const OTHERS: [&str; 12] = [
    // It reads folders: see tests/diagnose.rs.
    "diagnose",
    "run",
    "import",
    "attach",
    "detach",
    "start",
    "stop",
    "dump",
    "completions",
    "man",
    "mcp",
    "help",
];

/// More memory than any of them may ask for, in kilobytes.
const MEMORY: u32 = 3_000_000;
/// More seconds than any of them may take.
const SECONDS: u32 = 60;

/// Runs a command line of words that hold no blanks.
pub fn run(folder: &Path, line: &str) -> Output {
    run_words(folder, &line.split(' ').map(str::to_owned).collect::<Vec<_>>())
}

/// Runs a command line.
pub fn run_words(folder: &Path, words: &[String]) -> Output {
    let limited = format!("ulimit -v {MEMORY}; exec timeout {SECONDS} \"$0\" \"$@\"");
    Command::new("sh")
        .args(["-c", &limited, env!("CARGO_BIN_EXE_subsume")])
        .args(words)
        .current_dir(folder)
        // What 'open' does with what it can read.
        .env("BROWSER", "true")
        .env("TMPDIR", folder)
        .output()
        .unwrap()
}

/// Code 2 and one line on standard error that begins with the program's name;
/// or, if the file may pass, an answer, perhaps with notes. True if refused.
pub fn check(output: &Output, may_pass: bool, what: &str) -> bool {
    let error = String::from_utf8_lossy(&output.stderr);
    if may_pass && output.status.code() == Some(0) {
        assert!(error.lines().all(|line| line.starts_with("subsume: note: ")), "{what}: {error}");
        return false;
    }
    assert_eq!(output.status.code(), Some(2), "{what}: {error}");
    let lines = error.lines().filter(|line| !line.starts_with("subsume: note: "));
    let lines: Vec<&str> = lines.collect();
    assert_eq!(lines.len(), 1, "{what}: {error}");
    assert!(lines[0].starts_with("subsume: "), "{what}: {error}");
    assert!(lines[0].len() < 1_000, "{what}: {error}");
    // A script answers line by line, and may end where other costs leave nothing to list.
    let has_answered = may_pass && what.contains("--script");
    // In JSON a method that is not there is an answer, too.
    let is_absent = may_pass && output.stdout.starts_with(b"{\"version\":1,\"absent\":");
    assert!(has_answered || is_absent || output.stdout.is_empty(), "{what}: {error}");
    true
}

/// Names of all commands, from the help.
fn names() -> Vec<String> {
    let help = Command::new(env!("CARGO_BIN_EXE_subsume")).arg("help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    // They stand in groups, from the first heading on up to the options.
    let lines = help.lines().skip_while(|line| *line != "Start here:").skip(1);
    let lines = lines.take_while(|line| *line != "Options:");
    let lines = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    lines.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
}

#[test]
fn no_command_is_left_out() {
    let names = names();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        let is_run = COMMANDS.iter().any(|line| line.split(' ').next() == Some(&name));
        assert_ne!(is_run, OTHERS.contains(&name.as_str()), "{name}");
    }
}
