//! Objects to which no reference was ever stored are counted one by one, whatever the
//! JVM has in their headers: locks, monitors, identity hashes; under every collector.

use std::collections::BTreeMap;

use serde_json::Value;

use support::{Jdk, Launch, Scratch, jdks, subsume};

/// Of the classes of `Assigns`: all objects, and those that are never stored.
const EXPECTED: &[(&str, u64, u64)] = &[
    ("Assigns$Hashed", 1000, 750),
    ("Assigns$HashedWhileLocked", 1000, 750),
    ("Assigns$Inflated", 40, 30),
    ("Assigns$Kept", 400, 96),
    ("Assigns$Locked", 1000, 750),
    ("Assigns$LockedAgain", 1000, 750),
    ("Assigns$OneOfMany", 1000, 999),
    ("Assigns$Raced", 2000, 1000),
    ("Assigns$Text", 100, 100),
    // Those that are not stored in a text.
    ("java.lang.String", 901, 901),
];

const COLLECTORS: [&str; 5] = ["Serial", "Parallel", "G1", "Z", "Shenandoah"];

/// Collectors, and layouts of headers with other locks.
fn variants(jdk: &Jdk) -> Vec<Vec<String>> {
    let compact: &[&str] = if jdk.release >= 25 { &["-XX:+UseCompactObjectHeaders"] } else { &[] };
    let with = |flags: &[&str]| flags.iter().map(|&flag| flag.to_owned()).collect::<Vec<_>>();
    let collectors = COLLECTORS.iter().flat_map(|name| {
        let collector = format!("-XX:+Use{name}GC");
        [with(&[&collector]), [with(&[&collector]), with(compact)].concat()]
    });
    let mut variants: Vec<_> = collectors.collect();
    variants.dedup();
    if jdk.release >= 24 {
        variants.push(with(&["-XX:+UnlockDiagnosticVMOptions", "-XX:+UseObjectMonitorTable"]));
    }
    variants
}

/// All objects and those never stored, by class.
fn temporaries(file: &str) -> BTreeMap<String, (u64, u64)> {
    let answer = subsume(&["temporaries", "--with-start", "--json", "--top", "0", file]);
    let answer: Value = serde_json::from_str(&answer).expect("the command prints valid JSON");
    let mut found: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for site in answer["sites"].as_array().expect("there is a list of sites") {
        if site["allocated_at"]["method"]["class"] != "Assigns" {
            continue;
        }
        let class = site["class"].as_str().expect("a site has a class").to_owned();
        let number = |key: &str| site[key].as_u64().expect("it is a number");
        let sums = found.entry(class).or_default();
        *sums = (sums.0 + number("all_objects"), sums.1 + number("objects"));
    }
    found
}

#[test]
fn objects_are_counted_one_by_one_in_every_state_of_their_headers() {
    for jdk in jdks() {
        for options in variants(jdk) {
            let scratch = Scratch::new("assignments");
            let options: Vec<&str> = options.iter().map(String::as_str).collect();
            let launch = || {
                Launch::new(jdk, "Assigns", scratch.path()).options(&options).options(&["-Xmx256m"])
            };
            let plain = launch().run();
            if plain.status == Some(1) && plain.stdout.is_empty() {
                eprintln!("{jdk} has no {options:?}");
                continue;
            }
            assert_eq!(plain.status, Some(0), "{options:?} on {jdk}: {plain:?}");
            let profile = scratch.file("run.subsume");
            let recorded = launch().agent(&format!("mode=copies,out={}", profile.display())).run();
            recorded.assert_same_as(&plain, format_args!("{options:?} on {jdk}"));
            let found = temporaries(&profile.display().to_string());
            for &(class, all, never) in EXPECTED {
                let found = found.get(class).copied().unwrap_or_default();
                assert_eq!(found, (all, never), "{class}, {options:?} on {jdk}");
            }
        }
    }
}
