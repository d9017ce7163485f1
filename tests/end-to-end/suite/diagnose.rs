//! `subsume diagnose`: a program is run plain and in all modes, and the causes of its waste
//! are told, the greatest first; after the repair they are gone.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use support::{Jdk, Scratch, compile, compiled, in_turn, oldest};

use crate::attach::serves;
use crate::time::{command, said};

/// `subsume diagnose` with these options, of the program with these arguments.
fn diagnose(scratch: &Scratch, jdk: &Jdk, options: &[&str], arguments: &[&str]) -> Output {
    diagnose_of(scratch, jdk, options, &[&["Wasteful"], arguments].concat())
}

/// The same command with these options, of a program with its arguments.
fn diagnose_of(scratch: &Scratch, jdk: &Jdk, options: &[&str], program: &[&str]) -> Output {
    let java = jdk.command("java").display().to_string();
    let classes = compiled("main").display().to_string();
    let launch = ["--", &java, "-cp", &classes];
    command(scratch, &[&["diagnose"], options, &launch, program].concat())
}

fn answer(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(output)))
}

/// What each finding is, and of which method.
fn causes(findings: &Value) -> Vec<(&str, &str)> {
    let findings = findings.as_array().expect("findings are a list");
    let text = |value: &'_ Value| value.as_str().map(str::to_owned);
    findings
        .iter()
        .map(|one| {
            assert!(text(&one["kind"]).is_some(), "{one}");
            (one["kind"].as_str().unwrap_or(""), one["method"]["name"].as_str().unwrap_or(""))
        })
        .collect()
}

const PLANTED: [(&str, &str); 3] =
    [("reread", "without"), ("repeated_result", "rate"), ("exceptions", "number")];

#[test]
fn planted_causes_are_found_and_gone_when_mended() {
    for jdk in in_turn() {
        let scratch = Scratch::new("diagnose");
        let output = diagnose(&scratch, jdk, &["--json", "-o", "before"], &[]);
        assert!(output.status.success(), "{jdk}: {}", said(&output));
        assert!(said(&output).contains("6 recorded runs follow"), "{}", said(&output));
        let before = answer(&output);
        let found = causes(&before["findings"]);
        assert_eq!(found.get(..3), Some(&PLANTED[..]), "{jdk}: {before}");
        // What is exact is what a cache of three entries spares: all calls but three.
        let repeated = &before["findings"][1];
        assert_eq!(repeated["sure"], "exact");
        let sentence = repeated["evidence"][0]["sentence"].as_str().unwrap_or_default();
        assert!(sentence.starts_with("5,997 of 6,000 calls"), "{sentence}");
        let runs = before["runs"].as_array().expect("runs are a list");
        assert_eq!(runs.len(), 7, "{before}");
        for run in runs {
            let is_plain = run["mode"] == "plain";
            assert_eq!(run["same_output"].as_bool(), (!is_plain).then_some(true), "{run}");
            assert_eq!(run["timed"].as_array().map(Vec::len), Some(if is_plain { 3 } else { 0 }));
        }
        // The folder answers again, the same.
        let again = command(&scratch, &["diagnose", "--json", "before"]);
        assert_eq!(answer(&again), before, "{jdk}");

        let options = ["--json", "--against", "before", "-o", "after", "--fail-above", "30"];
        let output = diagnose(&scratch, jdk, &options, &["mended"]);
        assert!(output.status.success(), "{jdk}: {}", said(&output));
        let after = answer(&output);
        for one in causes(&after["findings"]) {
            assert!(!PLANTED.contains(&one), "{jdk}: {one:?} in {after}");
        }
        let changes = after["against"]["findings"].as_array().expect("they are a list");
        for (change, planted) in changes.iter().zip(PLANTED) {
            assert_eq!(change["fate"], "gone", "{jdk}: {change}");
            assert!(change["cost_after"].as_u64() < change["cost_before"].as_u64(), "{change}");
            assert_eq!(
                (&change["kind"], &change["method"]["name"]),
                (&planted.0.into(), &planted.1.into())
            );
        }
        let total = |side: &str| after["against"][side].as_u64().expect("a number");
        assert!(total("after") * 5 < total("before"), "{jdk}: {after}");
    }
}

/// A finding, and what somebody makes of it.
struct Repair {
    kind: &'static str,
    method: &'static str,
    changes: &'static [(&'static str, &'static str)],
}

/// What an assistant changes, by what a finding tells: in the source of the method it names,
/// these words become those.
const REPAIRS: [Repair; 2] = [
    Repair {
        kind: "reread",
        method: "valid",
        changes: &[
            (
                "private static List<String> cancelled",
                "private static java.util.Set<String> cancelled",
            ),
            ("cancelled = new ArrayList<>()", "cancelled = new java.util.HashSet<>()"),
        ],
    },
    Repair {
        kind: "repeated_result",
        method: "rate",
        changes: &[
            (
                "private static int rate(int country) {",
                "private static int computed(int country) {",
            ),
            (
                "    private static int next(",
                "    private static final java.util.Map<Integer, Integer> RATES = new java.util.HashMap<>();\n\n    \
                 private static int rate(int country) {\n        \
                 return RATES.computeIfAbsent(country, Shop::computed);\n    }\n\n    \
                 private static int next(",
            ),
        ],
    },
];

/// The loop of docs/how-to/diagnose.md: diagnose, read what the first finding names, change it, and
/// look what became of it, by JSON alone.
#[test]
fn an_assistant_mends_one_finding_after_the_other() {
    let scratch = Scratch::new("diagnose-assistant");
    let jdk = oldest();
    let java = jdk.command("java").display().to_string();
    let file = scratch.file("Shop.java");
    let original = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/assistant/Shop.java");
    let mut source = fs::read_to_string(original).expect("the project has its source");
    let classes = scratch.file("classes");
    let build = |source: &str| {
        fs::write(&file, source).expect("the scratch folder can be written");
        compile(std::slice::from_ref(&file), &[], &classes);
    };
    let ask = |words: &[&str]| {
        let output = command(&scratch, &[&["diagnose", "--json"], words].concat());
        assert!(output.status.success(), "{}", said(&output));
        answer(&output)
    };
    build(&source);
    let class_path = classes.display().to_string();
    let mut told = ask(&["-o", "round-0", "--", &java, "-cp", &class_path, "Shop"]);
    let first = told["total"].as_u64().expect("a number");
    for round in 1..=REPAIRS.len() {
        let finding = &told["findings"][0];
        let [kind, method] = [&finding["kind"], &finding["method"]["name"]].map(Value::as_str);
        let known = |one: &&Repair| (Some(one.kind), Some(one.method)) == (kind, method);
        let repair = REPAIRS.iter().find(known).unwrap_or_else(|| panic!("{told}"));
        assert_eq!(finding["method"]["class"], "Shop");
        assert!(finding["hint"].is_string(), "{finding}");
        for (before, after) in repair.changes {
            assert!(source.contains(before), "{before}");
            source = source.replacen(before, after, 1);
        }
        build(&source);
        let [before, after] = [round - 1, round].map(|round| format!("round-{round}"));
        // The command is that of the round before.
        let next = ask(&["--against", &before, "-o", &after]);
        let changes = next["against"]["findings"].as_array().expect("they are a list");
        let of_finding = |change: &&Value| {
            change["kind"].as_str() == kind && change["method"]["name"].as_str() == method
        };
        let change = changes.iter().find(of_finding).unwrap_or_else(|| panic!("{next}"));
        assert_eq!(change["fate"], "gone", "{change}");
        let printed = |folder: &str| fs::read(scratch.file(folder).join("plain.out")).ok();
        assert_eq!(printed(&before), printed(&after));
        told = next;
    }
    let last = told["total"].as_u64().expect("a number");
    assert!(last * 5 < first, "{first} {last}");
}

#[test]
fn a_limit_makes_the_exit_code_one() {
    let scratch = Scratch::new("diagnose-limit");
    let jdk = oldest();
    let output = diagnose(&scratch, jdk, &["-o", "all", "--once", "--fail-above", "5"], &[]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("from 1 recording: results"), "{text}");
    assert!(text.contains("same result again: Wasteful.rate"), "{text}");
    let output = command(&scratch, &["diagnose", "all", "--fail-above", "99"]);
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn what_time_does_not_allow_is_recorded_later() {
    let scratch = Scratch::new("diagnose-later");
    let jdk = oldest();
    let output = diagnose(&scratch, jdk, &["-o", "all", "--within", "1s"], &[]);
    assert!(output.status.success(), "{}", said(&output));
    let left_out = said(&output);
    assert!(left_out.contains("left out, as --within 1 s is not enough: results"), "{left_out}");
    let first = answer(&command(&scratch, &["diagnose", "--json", "all"]));
    assert_eq!(first["recordings"], serde_json::json!(["calls"]));
    let output = command(&scratch, &["diagnose", "--json", "--continue", "all"]);
    let all = answer(&output);
    assert_eq!(all["recordings"].as_array().map(Vec::len), Some(6), "{}", said(&output));
}

/// Where nulls come from is asked of programs that meet them.
#[test]
fn nulls_are_recorded_where_there_are_exceptions_for_them() {
    let scratch = Scratch::new("diagnose-nulls");
    let output = diagnose_of(&scratch, oldest(), &["--json", "-o", "all"], &["MeetsNulls"]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("one more recorded run follows: nulls"), "{}", said(&output));
    let answer = answer(&output);
    let findings = answer["findings"].as_array().expect("findings are a list");
    let evidence = findings.iter().flat_map(|one| one["evidence"].as_array().into_iter().flatten());
    let nulls: Vec<&Value> = evidence.filter(|one| one["kind"] == "null_met").collect();
    let [one] = nulls[..] else { panic!("{answer}") };
    assert_eq!(one["method"]["name"], "length");
    // The line of `return null`.
    let sentence =
        "1,000 NullPointerExceptions here, caught; the nulls come from MeetsNulls.name:8";
    assert_eq!(one["sentence"], sentence);
}

#[test]
fn a_jvm_that_runs_is_sampled_and_recorded() {
    let scratch = Scratch::new("diagnose-attach");
    let program = serves(oldest(), &scratch);
    let words = ["diagnose", "-o", "all", "--json", "--for", "1s", "--attach", &program.id()];
    let output = command(&scratch, &words);
    assert!(output.status.success(), "{}", said(&output));
    let found = answer(&output);
    assert_eq!(found["recordings"], serde_json::json!(["calls"]), "{found}");
    assert!(found["total"].as_u64() > Some(0), "{found}");
    assert!(said(&output).contains("Calls alone can be recorded"), "{}", said(&output));
    let text = command(&scratch, &["diagnose", "all"]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("diagnose --for 1s --against all --attach"), "{text}");
    fs::write(scratch.file("end"), "").expect("the folder of the test can be written");
    program.end();
}

#[test]
fn a_program_may_usually_end_with_another_code() {
    let scratch = Scratch::new("diagnose-exit-code");
    let java = oldest().command("java").display().to_string();
    let classes = compiled("main").display().to_string();
    let program = ["sh", "-c", "\"$0\" -cp \"$1\" Wasteful; exit 4", &java, &classes];
    let options = ["diagnose", "--json", "--within", "1s"];
    let refused = command(&scratch, &[&options[..], &["-o", "none", "--"], &program].concat());
    assert_eq!(refused.status.code(), Some(2));
    assert!(said(&refused).contains("--continue none --exit-code 4"), "{}", said(&refused));
    let taken = ["--exit-code", "4", "-o", "all", "--"];
    let output = command(&scratch, &[&options[..], &taken, &program].concat());
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(answer(&output)["runs"][1]["exit_code"], 4);
}

#[test]
fn a_program_that_fails_is_not_recorded() {
    let scratch = Scratch::new("diagnose-fails");
    let java = oldest().command("java").display().to_string();
    let output = command(&scratch, &["diagnose", "-o", "none", "--", &java, "NoSuchClass"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("the program failed without the agent"), "{}", said(&output));
    let printed = fs::read_to_string(scratch.file("none/plain.out")).expect("it was kept");
    assert!(printed.contains("NoSuchClass"), "{printed}");
}

/// A signal that asks the command to end is for all runs, not only for the one that it meets.
#[test]
fn a_command_that_is_asked_to_end_starts_no_other_run() {
    let scratch = Scratch::new("diagnose-asked");
    // The program itself outlives the signal, and ends well.
    let script = "trap '' TERM; echo run >> runs; kill -TERM $PPID; sleep 2";
    let output = command(&scratch, &["diagnose", "-o", "asked", "--", "sh", "-c", script]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let goes_on = "interrupted; to go on: subsume diagnose --continue asked";
    assert!(said(&output).contains(goes_on), "{}", said(&output));
    let runs = fs::read_to_string(scratch.file("runs")).expect("the program has run");
    assert_eq!(runs, "run\n");
}

/// The sampler's options are among those of the JVM, and are not the agent's.
#[test]
fn output_that_the_samples_change_is_not_blamed_on_the_agent() {
    let scratch = Scratch::new("diagnose-printed");
    let run = |folder: &str, arguments: &[&str]| {
        let program = [&["PrintsOptions"], arguments].concat();
        let options = ["--within", "1s", "-o", folder];
        let output = diagnose_of(&scratch, oldest(), &options, &program);
        assert!(output.status.success(), "{}", said(&output));
        let json = answer(&command(&scratch, &["diagnose", "--json", folder]));
        let [plain, recorded] = [0, 1].map(|at| json["runs"][at].clone());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (plain["printed"].clone(), recorded["same_output"].clone(), text)
    };
    let (printed, same, text) = run("sampled", &[]);
    assert_eq!((printed, same), ("other_if_sampled".into(), true.into()), "{text}");
    assert!(text.contains("The sampled run without the agent printed something else"), "{text}");
    assert!(!text.contains("than without the agent in"), "{text}");
    let (printed, same, text) = run("varies", &["time"]);
    assert_eq!((printed, same), ("varies".into(), false.into()), "{text}");
    assert!(text.contains("in each run, without the agent, too; so it did in: calls"), "{text}");
}
