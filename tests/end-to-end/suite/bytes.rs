//! Bytes that a program allocates, by context and class, against what the JVM says of the thread
//! and against sizes that were worked out by hand.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::ops::RangeInclusive;

use serde_json::Value;
use support::{Jdk, Launch, Scratch, contexts, jdks, subsume};

/// How a JVM lays objects out.
struct Layout {
    options: &'static [&'static str],
    releases: RangeInclusive<u32>,
    /// Where elements of up to four bytes, of eight bytes, and references begin in arrays.
    first: [u64; 3],
    reference: u64,
    alignment: u64,
    /// Bytes of an `Object` and of a `Bytes.Holder`.
    instances: [u64; 2],
}

const LAYOUTS: &[Layout] = &[
    Layout {
        options: &[],
        releases: 17..=u32::MAX,
        first: [16, 16, 16],
        reference: 4,
        alignment: 8,
        instances: [16, 32],
    },
    Layout {
        options: &["-XX:-UseCompressedOops"],
        releases: 17..=u32::MAX,
        first: [16, 16, 16],
        reference: 8,
        alignment: 8,
        instances: [16, 40],
    },
    Layout {
        options: &["-XX:ObjectAlignmentInBytes=16"],
        releases: 17..=u32::MAX,
        first: [16, 16, 16],
        reference: 4,
        alignment: 16,
        instances: [16, 32],
    },
    Layout {
        options: &["-XX:+UseCompactObjectHeaders"],
        releases: 25..=u32::MAX,
        first: [12, 16, 12],
        reference: 4,
        alignment: 8,
        instances: [8, 32],
    },
];

impl Layout {
    fn array(&self, kind: usize, element: u64, length: u64) -> u64 {
        (self.first[kind] + element * length).next_multiple_of(self.alignment)
    }

    /// Bytes of ways, worked out from their code.
    fn by_hand(&self) -> BTreeMap<&'static str, u64> {
        let small = |element, length| self.array(0, element, length);
        let long = |length| self.array(1, 8, length);
        let references = |length| self.array(2, self.reference, length);
        let lengths = [0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 100, 1000];
        let of_length =
            |length| 2 * (small(1, length) + small(2, length) + small(4, length) + long(length));
        let primitives = lengths.map(of_length).iter().sum::<u64>() + small(4, 14);
        let nested = references(2)
            + 2 * small(4, 3)
            + references(2)
            + 2 * references(3)
            + 6 * references(4)
            + references(0)
            + references(3)
            + 3 * references(0)
            + references(5)
            + 5 * references(6)
            + 3 * references(1)
            + small(1, 1);
        let [object, holder] = self.instances;
        BTreeMap::from([
            ("objects", 10 * object),
            ("holder", holder),
            // 0, 3 and 6; 1 and 4; 2 and 5.
            ("byBranch", 3 * holder + 2 * object + small(2, 2) + small(2, 5)),
            ("primitives", primitives),
            ("references", 2 * (0..20).map(references).sum::<u64>()),
            ("nested", nested),
            ("many", 20_000 * holder + 2_000 * (0..10).map(long).sum::<u64>()),
        ])
    }
}

/// What was printed of each way, and the bytes of all contexts by path.
fn recorded(
    jdk: &Jdk,
    options: &[&str],
    scratch: &Scratch,
) -> (BTreeMap<String, u64>, BTreeMap<String, u64>) {
    let profile = scratch.file("bytes.subsume");
    let agent = format!("out={}", profile.display());
    let printed =
        Launch::new(jdk, "Bytes", scratch.path()).options(options).agent(&agent).run_well();
    let mut ways = BTreeMap::new();
    for line in printed.lines() {
        let (name, bytes) = line.split_once(' ').expect("a name and a number");
        if let Ok(bytes) = bytes.parse() {
            ways.insert(name.to_owned(), bytes);
        }
    }
    (ways, contexts(&profile, "bytes"))
}

/// Bytes of a way and all below it, which was called twice.
fn below(contexts: &BTreeMap<String, u64>, way: &str) -> u64 {
    let frame = format!("Bytes.{way}");
    let is_below = |path: &str| path.split(';').any(|found| found == frame);
    contexts.iter().filter(|(path, _)| is_below(path)).map(|(_, bytes)| bytes).sum()
}

#[test]
fn bytes_are_those_that_the_jvm_counts_in_every_layout() {
    for jdk in jdks() {
        for layout in LAYOUTS.iter().filter(|layout| layout.releases.contains(&jdk.release)) {
            let what = format!("{jdk} {:?}", layout.options);
            let scratch = Scratch::new("bytes");
            let options = [&["-Xint"], layout.options].concat();
            let (printed, contexts) = recorded(jdk, &options, &scratch);
            assert_eq!(printed.len(), 12, "{what}: {printed:?}");
            for (way, &bytes) in &printed {
                assert!(bytes > 0, "{what} {way}");
                assert_eq!(below(&contexts, way), 2 * bytes, "{what} {way}");
            }
            for (way, bytes) in layout.by_hand() {
                assert_eq!(printed[way], bytes, "{what} {way}");
            }
            assert!(printed["ofSecond"] > printed["ofFirst"], "{what}: {printed:?}");
            // The exception is the JVM's.
            assert_eq!(contexts.get("Bytes.main;Bytes.negative"), None, "{what}");
        }
    }
}

#[test]
fn compiled_code_allocates_the_same_bytes() {
    for jdk in support::in_turn() {
        for options in [&["-Xcomp"][..], &["-XX:-TieredCompilation"]] {
            let scratch = Scratch::new("bytes-compiled");
            let (_, contexts) = recorded(jdk, options, &scratch);
            for (way, bytes) in LAYOUTS[0].by_hand() {
                assert_eq!(below(&contexts, way), 2 * bytes, "{jdk} {options:?} {way}");
            }
        }
    }
}

#[test]
fn info_has_bytes_by_class() {
    for jdk in support::in_turn() {
        let scratch = Scratch::new("bytes-info");
        let (_, contexts) = recorded(jdk, &[], &scratch);
        let profile = scratch.file("bytes.subsume");
        let info = subsume(
            &["info", "--json"]
                .map(OsStr::new)
                .into_iter()
                .chain([profile.as_os_str()])
                .collect::<Vec<_>>(),
        );
        let info: Value = serde_json::from_str(&info).expect("the command prints valid JSON");
        let allocated = info["files"][0]["allocated"].as_array().expect("a list");
        let of_class = |class: &str| {
            let found = allocated.iter().find(|one| one["class"] == class);
            found.and_then(|one| one["bytes"].as_u64()).unwrap_or_default()
        };
        let holder = LAYOUTS[0].instances[1];
        assert_eq!(of_class("Bytes$Holder"), 2 * (1 + 3 + 20_000) * holder, "{jdk}");
        // Three arrays of a reference, and one of a byte.
        assert_eq!(of_class("boolean[][][][]"), 2 * 4 * 24, "{jdk}");
        let all: u64 = allocated.iter().filter_map(|one| one["bytes"].as_u64()).sum();
        assert_eq!(all, contexts.values().sum::<u64>(), "{jdk}");
        assert_eq!(
            info["totals"]
                .as_array()
                .and_then(|all| all.iter().find(|one| one["metric"] == "bytes"))
                .map(|one| one["total"].clone()),
            Some(all.into()),
            "{jdk}"
        );
    }
}

#[test]
fn a_profile_without_bytes_says_so() {
    let jdk = support::oldest();
    let scratch = Scratch::new("bytes-without");
    let profile = scratch.file("bytes.subsume");
    let agent = format!("bytes=off,out={}", profile.display());
    Launch::new(jdk, "Bytes", scratch.path()).agent(&agent).run_well();
    let mut command = std::process::Command::new(&support::artifacts().command);
    let output = command.args(["summary", "--metric", "bytes"]).arg(&profile).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), stderr.lines().count()), (Some(2), 1), "{stderr}");
    assert!(stderr.contains("mode=calls counts bytes unless bytes=off"), "{stderr}");
}
