//! `bench/programs`: when iterations are steady, what its tables say, and that the
//! applications without dependencies compute the same everywhere.

use std::fs;
use std::iter::successors;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use support::{Jdk, Scratch, artifacts, compile, in_turn, java, oldest, repository, succeed};

/// Iterations that take as long by the clock as in processor time.
fn both(times: impl IntoIterator<Item = u64>) -> Vec<String> {
    times.into_iter().map(|time| format!("{time}/{time}")).collect()
}

/// The rule in words is in `tests/apps/README.md` and in `bench/programs --help`.
#[test]
fn iterations_are_steady_when_two_windows_agree() {
    let scratch = Scratch::new("steadiness");
    let sources = [
        repository().join("tests/apps/harness/Steadiness.java"),
        repository().join("tests/end-to-end/programs/bench/FirstSteady.java"),
    ];
    let classes = scratch.file("classes");
    compile(&sources, &[], &classes);

    // By 1 % with every iteration: any eight of them are alike, but not two windows.
    let falling: Vec<u64> =
        successors(Some(100_000), |time| Some(time * 99 / 100)).take(60).collect();
    let cases = [
        ("the same", both([100; 20]), "16 9"),
        ("too few", both([100; 15]), "never"),
        ("falling", both(falling.iter().copied()), "never"),
        ("rising", both(falling.iter().rev().copied()), "never"),
        // The middle half of a window is without its two slowest iterations.
        (
            "a plateau before it gets faster",
            both((0..60).map(|i| if i < 20 { 200 } else { 100 })),
            "16 9",
        ),
        ("warming up", both((0..60).map(|i| if i < 20 { 400 - 15 * i } else { 100 })), "34 27"),
        ("outliers", both((0..60).map(|i| if i % 7 == 0 { 250 } else { 100 })), "16 9"),
        ("3 %", both((0..16).map(|i| if i < 8 { 100 } else { 97 })), "16 9"),
        ("more than 3 %", both((0..16).map(|i| if i < 8 { 100 } else { 96 })), "never"),
        (
            "5 % by the clock",
            (0..16).map(|i| format!("100/{}", if i < 8 { 100 } else { 95 })).collect(),
            "16 9",
        ),
        (
            "more than 5 % by the clock",
            (0..16).map(|i| format!("100/{}", if i < 8 { 100 } else { 94 })).collect(),
            "never",
        ),
    ];
    for (what, times, expected) in cases {
        let mut command = java(oldest());
        command.arg("-cp").arg(&classes).arg("apps.FirstSteady").args(times);
        assert_eq!(succeed(&mut command).trim(), expected, "{what}");
    }
}

/// Rows as `bench/programs` stores them, of one run of sixteen iterations.
fn raw(app: &str, variant: &str, first: u64, steady: u64, outcome: &str) -> String {
    let mut rows = String::new();
    for i in 1..=16 {
        // Two iterations beyond the middle half, on either side.
        let wall = match i {
            1 => first,
            5 => 2 * steady,
            10 | 14 => 10 * steady,
            11 | 15 => 10,
            _ => steady,
        };
        let cpu = 2 * wall;
        rows += &format!("iteration\t{app}\t1\t{variant}\t{i}\t{wall}\t{cpu}\td\t{}\n", cpu / 10);
    }
    rows += &format!("window\t{app}\t1\t{variant}\t9\t{outcome}\n");
    // Start and end take 1000 beside the iterations.
    let all = 1000 + first + 2 * steady + 20 * steady + 20 + 10 * steady;
    rows + &format!("process\t{app}\t1\t{variant}\t0\t{all}\t{}\t-\n", 2 * all)
}

/// What a program makes of the times in `raw.tsv`, in this folder.
fn awk(program: &str, folder: &Path) -> String {
    let scripts = repository().join("bench");
    let mut awk = Command::new("awk");
    awk.arg("-f").arg(scripts.join("times.awk")).arg("-f").arg(scripts.join(program));
    awk.args(["-v", "base=plain", "-v", "heading=made up", "-v", "table=table.txt"]);
    succeed(awk.args(["-v", "markdown=table.md", "raw.tsv"]).current_dir(folder))
}

#[test]
fn tables_have_the_curve_and_say_what_was_never_steady() {
    let scratch = Scratch::new("bench-table");
    let rows = [
        "#kind\ta comment\n".to_owned(),
        raw("even", "plain", 1000, 100, "steady"),
        raw("even", "recorded", 4000, 200, "steady"),
        "profile\teven\t1\trecorded\t1234567\t2000000\t80000000\t16000000\n".to_owned(),
        raw("odd", "plain", 1000, 100, "steady"),
        raw("odd", "recorded", 1000, 800, "unsteady"),
    ];
    fs::write(scratch.file("raw.tsv"), rows.concat()).expect("the folder can be written");
    let printed = awk("summary.awk", scratch.path());
    let rows: Vec<Vec<&str>> = printed.lines().map(|line| line.split('\t').collect()).collect();
    let cell = |app: &str, column: &str| {
        let column = rows[0].iter().position(|name| *name == column).expect("the column is there");
        rows.iter().find(|row| row[0] == app).expect("the application has a row")[column]
    };
    for (app, column, expected) in [
        ("even", "first_base_ms", "1000"),
        ("even", "first_slowdown", "4"),
        ("even", "fifth_recorded_ms", "400"),
        ("even", "steady_base_ms", "100"),
        ("even", "steady_slowdown", "2"),
        ("even", "steady_cpu_slowdown", "2"),
        // 1000 for start and end, the first, the fifth, the tenth and seven others.
        ("even", "ten_base_ms", "3900"),
        ("even", "steady_from_recorded", "9"),
        ("even", "compilers_percent_base", "10"),
        ("even", "bytes_per_context_running", "40"),
        ("even", "unsteady_runs_recorded", "0"),
        ("odd", "unsteady_runs_base", "0"),
        ("odd", "unsteady_runs_recorded", "1"),
        ("odd", "steady_slowdown", "8"),
    ] {
        assert_eq!(cell(app, column), expected, "{column} of {app}: {printed}");
    }

    let table = fs::read_to_string(scratch.file("table.txt")).expect("the table is written");
    let line = |start: &str| table.lines().find(|line| line.starts_with(start)).unwrap_or_default();
    assert!(line("even").contains(" 100       200    2.00   2.00"), "{table}");
    assert!(line("odd").contains(" 100       800*   8.00"), "{table}");
    // The mean of 2 and 8.
    assert!(line("geometric mean").contains(" 4.00   4.00"), "{table}");
    let star = "* never steady, so these are the last iterations, recorded: odd (1 of 1)";
    assert!(table.lines().any(|line| line == star), "{table}");
    let markdown = fs::read_to_string(scratch.file("table.md")).expect("the table is written");
    assert!(
        markdown.contains(
            "\n| even | 100 | 200 | 2.00 | 2.00 | 4.00 | 2.00 | 2.26 | 1,234,567 | 40 | 8.0 |\n"
        ),
        "{markdown}"
    );
}

#[test]
fn the_table_of_other_profilers_says_what_came_of_each() {
    let scratch = Scratch::new("bench-peers");
    let rows = [
        "variant\t-\t-\tplain\tplain\tnothing\n".to_owned(),
        "variant\t-\t-\tjp2\tJP2\tcontexts\n".to_owned(),
        "variant\t-\t-\tjacoco\tJaCoCo\tcoverage\n".to_owned(),
        raw("odd", "plain", 1000, 100, "steady"),
        raw("odd", "jp2", 2000, 900, "unsteady"),
        "peer\todd\t1\tjp2\tstopped after 300 s\n".to_owned(),
        "peer\todd\t1\tjacoco\texit code 1: Error: none\n".to_owned(),
        raw("even", "plain", 1000, 100, "steady"),
        raw("even", "jp2", 2000, 400, "steady"),
        raw("even", "jacoco", 1000, 150, "steady"),
    ];
    fs::write(scratch.file("raw.tsv"), rows.concat()).expect("the folder can be written");
    awk("peers.awk", scratch.path());
    let table = fs::read_to_string(scratch.file("table.txt")).expect("the table is written");
    let words: Vec<String> =
        table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for expected in [
        "odd plain 100 1.00 1.00 1.00 1.00",
        "JP2 900* 9.00 9.00 2.00 9.00 stopped after 300 s",
        "JaCoCo - - - - - exit code 1: Error: none",
        "JaCoCo 150 1.50 1.50 1.00 1.50",
        "* never steady, so these are the last iterations",
        // The mean of 9 and 4.
        "JP2 6.00 6.00 contexts",
        "JaCoCo 1.50 1.50 coverage (over 1 of 2)",
    ] {
        assert!(words.iter().any(|line| line == expected), "{expected}: {table}");
    }
}

/// `bench/programs` of a JDK on the applications that need nothing but it, each
/// iteration's digest compared.
fn bench(jdk: &Jdk, scratch: &Scratch) -> Command {
    let home = jdk.command("java").with_file_name("..");
    let mut bench = Command::new(repository().join("bench/programs"));
    bench.args(["-n", "1", "--size", "small", "--jdk"]).arg(home);
    bench.env("SUBSUME_APPS", scratch.file(&format!("apps-{}", jdk.release)));
    bench.env("SUBSUME_RESULTS", scratch.file("results"));
    bench.env("AGENT", &artifacts().agent).env("SUBSUME", &artifacts().command);
    bench.stdin(Stdio::null());
    bench
}

#[test]
fn applications_without_dependencies_compute_the_same_everywhere() {
    for jdk in in_turn() {
        let scratch = Scratch::new("bench-tiny");
        let mut plain = bench(jdk, &scratch);
        plain.args(["--plain", "-i", "1", "collections", "strings", "graph", "invoices"]);
        let table = succeed(&mut plain);
        assert_eq!(table.matches("  equal\n").count(), 4, "{jdk}: {table}");

        let mut recorded = bench(jdk, &scratch);
        recorded.args(["-i", "1", "--against", "mode=calls", "--options", "mode=results", "graph"]);
        let table = succeed(&mut recorded);
        assert!(table.contains("mode=calls beside mode=results"), "{jdk}: {table}");
        assert!(table.contains("baseline recorded"), "{jdk}: {table}");
        assert_eq!(table.matches("  equal\n").count(), 1, "{jdk}: {table}");
    }
}

#[test]
fn runs_that_start_together_keep_results_of_their_own() {
    let scratch = Scratch::new("bench-together");
    let script = "source bench/lib-results.sh; root=.; reserve_results; echo \"$stem\"";
    let start = || -> Child {
        let mut bash = Command::new("bash");
        bash.args(["-c", script]).current_dir(repository());
        bash.env("SUBSUME_RESULTS", scratch.path()).stdout(Stdio::piped());
        bash.spawn().expect("bash can be started")
    };
    let started: Vec<Child> = (0..8).map(|_| start()).collect();
    let mut stems: Vec<String> = started
        .into_iter()
        .map(|child| child.wait_with_output().expect("bash can be waited for"))
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        .collect();
    stems.sort();
    stems.dedup();
    assert_eq!(stems.len(), 8, "{stems:?}");
    assert!(stems.iter().all(|stem| Path::new(&format!("{stem}.txt")).is_file()), "{stems:?}");
}
