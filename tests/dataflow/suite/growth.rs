//! How the cost of loops grows with their input.

use analysis::dataflow::growth::fit::Fit;
use analysis::dataflow::growth::{Growth, unite};
use profile::Profile;
use profile::dataflow::{GrowthPoint, LoopGrowth};
use support::{Jdk, each, in_turn, oldest, ways_in_turn};

use crate::rig::Recording;

/// Ways to run the same code; what is found must not depend on them.
pub const JVMS: [&[&str]; 4] = [
    &[],
    &["-Xint"],
    // Compiled by C2 when it has run a few times.
    &["-Xbatch", "-XX:CompileThresholdScaling=0.01"],
    &["-XX:+UseSerialGC", "-Xmx20m"],
];

/// The sizes of input that `Grows` takes unless it is told others.
const SIZES: [u64; 6] = [40, 80, 160, 320, 480, 640];

fn recorded(jdk: &Jdk, arguments: &[&str], jvm: &[&str]) -> (String, Profile) {
    let recording = Recording::new(jdk, "Grows", "mode=growth").given(arguments).with(jvm);
    ("the profile".to_owned(), recording.run().profile)
}

fn growth(jdk: &Jdk, arguments: &[&str], jvm: &[&str]) -> Growth {
    unite(&[recorded(jdk, arguments, jvm)]).expect("growth was recorded")
}

fn method(growth: &Growth, one: &LoopGrowth) -> String {
    let method = one.place.method.expect("loops are in methods");
    growth.methods[method.0 as usize].qualified()
}

/// The loops of a program, and the methods that have them.
pub fn loops_of(jdk: &Jdk, program: &str, jvm: &[&str]) -> Vec<(String, LoopGrowth)> {
    let profile = Recording::new(jdk, program, "mode=growth").with(jvm).run().profile;
    let growth = unite(&[("the profile".to_owned(), profile)]).expect("growth was recorded");
    growth.loops.iter().map(|one| (method(&growth, one), one.clone())).collect()
}

/// The methods with steep loops, and their exponents.
fn steep(growth: &Growth) -> Vec<(String, f64)> {
    let fits = growth.loops.iter().filter_map(|one| Some((one, Fit::new(&one.points)?)));
    let steep = fits.filter(|(_, fit)| fit.is_steep());
    steep.map(|(one, fit)| (method(growth, one), fit.exponent)).collect()
}

/// The loop that a method of `Grows` has, the outermost of several.
fn loop_of<'g>(growth: &'g Growth, name: &str) -> &'g LoopGrowth {
    let name = format!("Grows.{name}");
    let of_it = |one: &&LoopGrowth| method(growth, one) == name;
    let found = growth.loops.iter().find(of_it);
    found.unwrap_or_else(|| panic!("no loop of {name}"))
}

fn on_all(check: impl Fn(&Jdk, &[&str]) + Sync) {
    for jdk in in_turn() {
        each(&ways_in_turn(&JVMS, 1), |jvm| check(jdk, jvm));
    }
}

/// A loop that has had its accesses rests: sizes of the instances before are right, and the
/// one that spends more alone has none.
#[test]
fn loops_are_followed_for_so_many_accesses() {
    on_all(|jdk, jvm| {
        let followed = |accesses: &str| {
            let mode = format!("mode=growth,max-accesses={accesses}");
            let recording = Recording::new(jdk, "Grows", &mode).given(&["nestedSearch"]).with(jvm);
            let named = ("the profile".to_owned(), recording.run().profile);
            unite(&[named]).expect("growth was recorded")
        };
        let of = |sizes: &[u64]| -> Vec<GrowthPoint> {
            sizes.iter().map(|&n| GrowthPoint::of(2 * n, n + n * n)).collect()
        };
        // Reads up to a size: 1,640, 8,120, 33,880 and 136,600, and as many instances of the
        // inner loop as elements.
        for (accesses, sizes) in [("30k", 3), ("60k", 3), ("120k", 4), ("4g", SIZES.len())] {
            let growth = followed(accesses);
            let points = &loop_of(&growth, "nestedSearch").points;
            assert_eq!(*points, of(&SIZES[..sizes]), "{accesses}, {jdk} {jvm:?}");
            assert_eq!(growth.totals.resting > 0, sizes < SIZES.len(), "{accesses}, {jdk}");
        }
    });
}

/// What takes quadratic time, and the method with the loop that is to be named.
const QUADRATIC: [(&str, &str); 7] = [
    ("nestedSearch", "Grows.nestedSearch"),
    ("bubbleSort", "Grows.bubbleSort"),
    ("removeFirst", "Grows.removeFirst"),
    ("insertFirst", "Grows.insertFirst"),
    ("linkedList", "Grows.linkedList"),
    ("insertionSort", "Grows.insertionSort"),
    ("removeAll", "java.util.AbstractSet.removeAll"),
];

#[test]
fn quadratic_loops_are_named() {
    for jdk in in_turn() {
        each(&QUADRATIC, |&(case, expected)| {
            let found = steep(&growth(jdk, &[case], &[]));
            let [(loop_, exponent)] = &found[..] else { panic!("{case}, {jdk}: {found:?}") };
            assert_eq!(loop_, expected, "{case}, {jdk}");
            assert!(*exponent < 2.3, "{case}, {jdk}: {exponent}");
        });
    }
}

/// What takes less than quadratic time, the method with its loop, and the most that its
/// exponent may be. The product of matrices takes 1.5, as its input is quadratic, too.
const OTHERS: [(&str, &str, f64); 10] = [
    ("sum", "Grows.sum", 1.0),
    ("sumOfList", "Grows.sumOfList", 1.1),
    ("sortInts", "", 0.0),
    ("sortObjects", "", 0.0),
    ("hashLookUps", "Grows.hashLookUps", 1.1),
    ("treeLookUps", "Grows.hashLookUps", 1.35),
    ("binarySearches", "Grows.binarySearches", 1.35),
    ("sumOfTree", "Grows.sumOfTree", 1.0),
    ("quickSort", "Grows.quickSort", 1.45),
    ("matrixProduct", "Grows.matrixProduct", 1.6),
];

#[test]
fn other_loops_are_not() {
    for jdk in in_turn() {
        each(&OTHERS, |&(case, loop_, most)| {
            let growth = growth(jdk, &[case], &[]);
            let found = steep(&growth);
            assert!(found.is_empty(), "{case}, {jdk}: {found:?}");
            if let Some(name) = loop_.strip_prefix("Grows.") {
                let fit = Fit::new(&loop_of(&growth, name).points).expect("enough sizes");
                assert!(fit.exponent <= most + 1e-9, "{case}, {jdk}: {fit:?}");
                assert!(fit.exponent > 0.9, "{case}, {jdk}: {fit:?}");
            }
        });
    }
}

/// Worked out by hand: what is read of arrays, and how often.
#[test]
fn sizes_and_costs_are_exact() {
    on_all(|jdk, jvm| {
        let points = |case: &str, name: &str| {
            let growth = growth(jdk, &[case], jvm);
            let totals = growth.totals;
            assert_eq!((totals.inexact, totals.unkept), (0, 0), "{case}, {jdk} {jvm:?}");
            loop_of(&growth, name).points.clone()
        };
        let of = |size: fn(u64) -> u64, cost: fn(u64) -> u64| {
            SIZES.map(|n| GrowthPoint::of(size(n), cost(n))).to_vec()
        };
        let what = format!("{jdk} {jvm:?}");
        assert_eq!(points("sum", "sum"), of(|n| n, |n| n), "{what}");
        assert_eq!(points("nestedSearch", "nestedSearch"), of(|n| 2 * n, |n| n + n * n), "{what}");
        // Two reads for each comparison, and two for each swap.
        assert_eq!(points("bubbleSort", "bubbleSort"), of(|n| n, |n| 2 * n * (n - 1)), "{what}");
        // The inner loop is entered once for each element, always with all the others.
        let inner = SIZES.map(|n| GrowthPoint {
            instances: n,
            sizes: n * n,
            least: n,
            sum: n * n,
            greatest: n,
        });
        assert_eq!(points("nestedSearch", "contains"), inner, "{what}");
    });
}

#[test]
fn sizes_of_several_runs_are_joined() {
    let jdk = oldest();
    let run = |size: &str| recorded(jdk, &["nestedSearch", size], &[]);
    let alone = unite(&[run("40")]).expect("growth was recorded");
    assert!(steep(&alone).is_empty());
    let runs: Vec<_> = ["40", "80", "160", "320", "640"].map(run).into();
    let joined = unite(&runs).expect("growth was recorded");
    let [(loop_, _)] = &steep(&joined)[..] else { panic!("{joined:?}") };
    assert_eq!(loop_, "Grows.nestedSearch");
}

#[test]
fn loops_are_judged_as_in_the_mode_for_them() {
    for jdk in in_turn() {
        for case in ["nestedSearch", "removeAll", "sortObjects"] {
            let loops = |mode: &str| {
                let recording = Recording::new(jdk, "Grows", mode);
                let profile = recording.given(&[case]).run().profile;
                let mut found = profile.dataflow.loops.expect("loops were judged");
                found.loops.sort_by_key(|one| (one.wasted, one.reads));
                let of = |one: &profile::dataflow::SimilarLoop| {
                    (one.instances, one.iterations, one.reads, one.wasted)
                };
                found.loops.iter().map(of).collect::<Vec<_>>()
            };
            assert_eq!(loops("mode=growth"), loops("mode=loops"), "{case}, {jdk}");
        }
    }
}

/// The example of the documentation.
#[test]
fn the_documentation_shows_what_is_printed() {
    const DOCUMENTATION: &str = include_str!("../../../docs/explanation/growth.md");
    const SOURCE: &str = include_str!("../programs/loops/BothDays.java");
    let blocks: Vec<&str> = DOCUMENTATION.split("\n\n").collect();
    let block = |start: &str| {
        let at = blocks.iter().position(|block| block.trim_start().starts_with(start));
        at.unwrap_or_else(|| {
            panic!("docs/explanation/growth.md has a block that begins with {start:?}")
        })
    };
    for line in blocks[block("static int onBothDays")].lines() {
        let code = line.split("//").next().unwrap_or_default().trim();
        assert!(SOURCE.contains(code), "{code}");
    }
    for jdk in in_turn() {
        let recording = Recording::new(jdk, "BothDays", "mode=growth");
        let answer = recording.answer("growth");
        for line in blocks[block("Exponent")].lines() {
            assert!(answer.contains(line.trim()), "{jdk}: {line}: {answer}");
        }
        let first = blocks[block("1 of 2 loops and")].trim();
        assert!(answer.starts_with(first), "{jdk}: {answer}");
        let fixed = recording.given(&["as a set"]).answer("growth");
        assert!(fixed.starts_with("None of "), "{jdk}: {fixed}");
    }
}
