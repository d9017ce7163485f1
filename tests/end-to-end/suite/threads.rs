//! Threads that come and go: what they did is counted completely, and what
//! they needed goes to the next ones.

use std::collections::BTreeMap;

use serde_json::Value;

use support::{Jdk, Launch, Scratch, contexts, in_turn, jdks, subsume};

/// Threads in a test; `SUBSUME_THREADS=1000000` for a long one.
fn number() -> u64 {
    let from_environment = std::env::var("SUBSUME_THREADS").ok();
    from_environment.map_or(2_000, |text| text.parse().expect("SUBSUME_THREADS is a number"))
}

/// Threads of which the data is followed.
const OF_FLOWS: u64 = 300;

/// Threads and trees that the JVM has beside those of the program.
const OF_THE_JVM: u64 = 24;

/// What a run with so many threads recorded of the program's own methods.
struct Recorded {
    calls: BTreeMap<String, u64>,
    bytecodes: BTreeMap<String, u64>,
    trees: u64,
    threads: u64,
}

fn record(jdk: &Jdk, mode: &str, (kind, work): (&str, &str), threads: u64) -> Recorded {
    let scratch = Scratch::new("threads");
    let profile = scratch.file("threads.subsume");
    Launch::new(jdk, "EndsThreads", scratch.path())
        .argument(kind)
        .argument(work)
        .argument(threads.to_string())
        .agent(&format!("mode={mode},out={}", profile.display()))
        .run_well();
    let below_task = |metric| {
        let mut own: BTreeMap<String, u64> = BTreeMap::new();
        for (path, cost) in contexts(&profile, metric) {
            // What the JVM does to start a thread depends on how many there were.
            if let Some((_, below)) = path.split_once("EndsThreads.task") {
                *own.entry(format!("task{below}")).or_default() += cost;
            }
        }
        own
    };
    let info = subsume(&["info".as_ref(), "--json".as_ref(), profile.as_os_str()]);
    let info: Value = serde_json::from_str(&info).expect("the command prints valid JSON");
    let threads = info["files"][0]["threads"].as_array().expect("threads are listed");
    let sum = |key: &str| -> u64 {
        threads.iter().map(|thread| thread[key].as_u64().expect("a number")).sum()
    };
    Recorded {
        calls: below_task("calls"),
        bytecodes: below_task("bytecodes"),
        trees: sum("trees"),
        threads: sum("threads"),
    }
}

/// One thread tells what each of many must have done.
fn check(jdk: &Jdk, mode: &str, (kind, work): (&str, &str), number: u64) {
    let one = record(jdk, mode, (kind, work), 1);
    let many = record(jdk, mode, (kind, work), number);
    let scaled = |counts: &BTreeMap<String, u64>| -> BTreeMap<String, u64> {
        counts.iter().map(|(path, count)| (path.clone(), count * number)).collect()
    };
    let what = format!("{number} {kind} threads, {work}, mode={mode} on {jdk}");
    assert!(one.calls.len() >= 2, "{what}: {:?}", one.calls);
    assert_eq!(many.calls, scaled(&one.calls), "calls, {what}");
    assert_eq!(many.bytecodes, scaled(&one.bytecodes), "bytecodes, {what}");
    let counted = number..=number + OF_THE_JVM;
    assert!(counted.contains(&many.threads), "{} threads counted, {what}", many.threads);
    if work != "together" && kind != "named" {
        // Sixteen run at once; a few more may not have said yet that they end.
        assert!(many.trees <= 3 * 16 + OF_THE_JVM, "{} trees, {what}", many.trees);
    }
}

#[test]
fn short_platform_threads() {
    for jdk in jdks() {
        check(jdk, "calls", ("platform", "short"), number());
        check(jdk, "calls", ("platform", "dying"), number());
    }
}

#[test]
fn virtual_threads() {
    for jdk in jdks().iter().filter(|jdk| jdk.release >= 21) {
        for work in ["short", "together", "yielding", "pinned", "dying"] {
            check(jdk, "calls", ("virtual", work), number());
        }
    }
}

/// What leads a thread to its counters goes with it where there is little room: here each
/// thread takes 150 KB of 96 MB.
#[test]
fn threads_that_have_ended_leave_room_for_others() {
    for jdk in in_turn() {
        check(jdk, "calls+costs,max-memory=96m", ("named", "short"), 1_500);
    }
}

#[test]
fn threads_whose_data_is_followed() {
    for jdk in jdks() {
        for mode in ["copies", "calls+costs", "calls+nulls"] {
            check(jdk, mode, ("platform", "dying"), OF_FLOWS);
            if jdk.release >= 21 {
                check(jdk, mode, ("virtual", "yielding"), OF_FLOWS);
                check(jdk, mode, ("virtual", "pinned"), OF_FLOWS);
            }
        }
    }
}
