//! Similar memory accesses in loops.

use std::collections::BTreeMap;

use analysis::dataflow::loops::clusters::{Cluster, Verdict, cluster};
use analysis::dataflow::loops::explanation::{Hint, hint};
use analysis::dataflow::loops::{FoundLoops, unite};
use support::{Jdk, each, in_turn, oldest, ways_in_turn};
use tree::owners::OwnCode;

use crate::rig::Recording;

/// Ways to run the same code, by all compilers and four collectors; what is found must not
/// depend on them.
const JVMS: [&[&str]; 5] = [
    &[],
    &["-Xint"],
    &["-XX:TieredStopAtLevel=1", "-XX:+UseParallelGC"],
    // Compiled by C2 when it has run a few times.
    &["-Xbatch", "-XX:CompileThresholdScaling=0.01", "-XX:+UseZGC"],
    &["-XX:+UseSerialGC", "-Xmx20m"],
];

/// What was found in a run.
struct Run {
    found: FoundLoops,
    clusters: Vec<Cluster>,
}

impl Run {
    fn new(recording: &Recording<'_>) -> Self {
        let recorded = recording.run();
        let profiles = vec![("the profile".to_owned(), recorded.profile)];
        let found = unite(&profiles, &OwnCode::default()).expect("loops were recorded");
        let mut clusters = cluster(&found.loops);
        clusters.retain(|cluster| !cluster.is_rare());
        Self { found, clusters }
    }

    fn of(jdk: &Jdk, program: &str, arguments: &[&str], jvm: &[&str]) -> Self {
        Self::new(&Recording::new(jdk, program, "mode=loops").given(arguments).with(jvm))
    }

    fn method(&self, cluster: &Cluster) -> String {
        let method = cluster.place.method.expect("loops are in methods");
        self.found.methods[method.0 as usize].qualified()
    }

    /// The methods with loops that were found, what wastes most first.
    fn methods(&self) -> Vec<String> {
        self.clusters.iter().map(|cluster| self.method(cluster)).collect()
    }
}

fn on_all(check: impl Fn(&Jdk, &[&str]) + Sync) {
    for jdk in in_turn() {
        each(&ways_in_turn(&JVMS, 1), |jvm| check(jdk, jvm));
    }
}

#[test]
fn figure_1_is_redundant_and_its_fix_is_silent() {
    on_all(|jdk, jvm| {
        let run = Run::of(jdk, "PaperFigures", &["chart"], jvm);
        assert_eq!(run.methods(), ["PaperFigures$Chart.render"], "{jdk} {jvm:?}");
        let found = &run.clusters[0];
        assert_eq!(found.verdict(), Verdict::Redundant, "{jdk} {jvm:?}");
        // Each of the 60 items but the first reads 60 references and 60 numbers again.
        assert_eq!((found.iterations, found.wasted), (61, 59 * 120), "{jdk} {jvm:?}");
        assert_eq!(hint(found, &run.found.methods), Hint::ComputeOnce);
        let fixed = Run::of(jdk, "PaperFigures", &["chart", "fixed"], jvm);
        assert!(fixed.clusters.is_empty(), "{jdk} {jvm:?}: {:?}", fixed.methods());
    });
}

#[test]
fn figure_2_is_found_in_the_jdk_and_its_fix_is_silent() {
    on_all(|jdk, jvm| {
        let run = Run::of(jdk, "PaperFigures", &["sets"], jvm);
        assert_eq!(run.methods(), ["java.util.AbstractSet.removeAll"], "{jdk} {jvm:?}");
        let found = &run.clusters[0];
        assert_eq!(found.verdict(), Verdict::Redundant, "{jdk} {jvm:?}");
        assert_eq!((found.iterations, found.wasted), (61, 59 * 60), "{jdk} {jvm:?}");
        assert_eq!(hint(found, &run.found.methods), Hint::Index);
        let fixed = Run::of(jdk, "PaperFigures", &["sets", "fixed"], jvm);
        assert!(fixed.clusters.is_empty(), "{jdk} {jvm:?}: {:?}", fixed.methods());
    });
}

/// What uses the JDK in quadratic time, the loop that is named, and the hint.
const SLOW: [(&str, &str, Hint); 11] = [
    ("removeAll", "java.util.AbstractSet.removeAll", Hint::Index),
    ("valuesRemoveAll", "java.util.AbstractCollection.removeAll", Hint::Index),
    ("linkedList", "Slow.linkedList", Hint::Iterate),
    ("addAllAbsent", "java.util.concurrent.CopyOnWriteArrayList.addAllAbsent", Hint::Index),
    ("removeFirst", "Slow.removeFirst", Hint::MoveOnce),
    ("foundEarly", "Slow.foundEarly", Hint::Index),
    ("foundByHand", "Slow.foundByHand", Hint::Index),
    ("foundByStream", "Slow.foundByStream", Hint::Index),
    ("foundByMethod", "Slow.foundByMethod", Hint::Index),
    ("foundByFilter", "Slow.foundByFilter", Hint::Index),
    ("differsFromAll", "Slow.differsFromAll", Hint::Index),
];

#[test]
fn quadratic_uses_of_the_jdk_are_found() {
    on_all(|jdk, jvm| {
        // One JVM for all of them.
        let run = Run::of(jdk, "Slow", &SLOW.map(|(case, _, _)| case), jvm);
        let found: BTreeMap<String, Hint> = run
            .clusters
            .iter()
            .map(|one| (run.method(one), hint(one, &run.found.methods)))
            .collect();
        let expected = SLOW.map(|(_, method, hint)| (method.to_owned(), hint));
        assert_eq!(found, BTreeMap::from(expected), "{jdk} {jvm:?}");
        assert_eq!(run.clusters.len(), SLOW.len(), "{jdk} {jvm:?}: {:?}", run.methods());
    });
}

/// Correct programs of which nothing is reported.
const SILENT: [&str; 12] = [
    "sort",
    "heap",
    "treeMap",
    "binarySearch",
    "breadthFirst",
    "sieve",
    "wordCount",
    "substring",
    "copiedStrings",
    "hashJoin",
    "rowSum",
    "bubbleSort",
];

/// Programs that compare all with all, or go through the same data in rounds.
const ALL_PAIRS: [&str; 14] = [
    "matrixProduct",
    "powerIteration",
    "kMeans",
    "editDistance",
    "life",
    "distances",
    "closest",
    "words",
    "streams",
    "rows",
    "overlaps",
    "overlapsByMethod",
    "nothingOverlaps",
    "overlapsOthers",
];

#[test]
fn correct_programs_are_silent() {
    on_all(|jdk, jvm| {
        let run = Run::of(jdk, "Silent", &SILENT, jvm);
        assert!(run.clusters.is_empty(), "{jdk} {jvm:?}: {:?}", run.methods());
    });
}

#[test]
fn all_pairs_are_never_redundant() {
    on_all(|jdk, jvm| {
        let run = Run::of(jdk, "Silent", &ALL_PAIRS, jvm);
        let redundant = run.clusters.iter().filter(|one| one.verdict() == Verdict::Redundant);
        let redundant: Vec<_> = redundant.map(|one| run.method(one)).collect();
        assert_eq!(redundant, [""; 0], "{jdk} {jvm:?}");
        // No set finds what overlaps, whatever the method is called that looks for it.
        for one in &run.clusters {
            let found = hint(one, &run.found.methods);
            assert_ne!(found, Hint::Index, "{jdk} {jvm:?}: {}", run.method(one));
        }
    });
}

/// Methods of `Exits` and the iterations of the loops in them that are reported, in the
/// order of the code, worked out by hand.
const ITERATIONS: [(&str, &[u64]); 17] = [
    ("plain", &[21]),
    ("doWhile", &[20]),
    ("labelledContinue", &[23]),
    ("labelledBreak", &[18, 18]),
    ("caughtWithin", &[24]),
    ("caughtOutside", &[16, 25]),
    ("returned", &[26]),
    ("thrownFromBelow", &[27]),
    ("thrownByTheJdk", &[28]),
    ("finallyRuns", &[29]),
    ("locked", &[30]),
    ("recursive", &[36]),
    ("around", &[32]),
    ("switched", &[32]),
    ("overflowing", &[34]),
    ("inConstructors", &[35]),
    ("inInitialisers", &[36]),
];

#[test]
fn iterations_are_exact_whatever_way_loops_are_left() {
    on_all(|jdk, jvm| {
        let run = Run::of(jdk, "Exits", &[], jvm);
        let mut by_method: BTreeMap<String, Vec<(u16, u64)>> = BTreeMap::new();
        for cluster in &run.clusters {
            let method = run.method(cluster);
            by_method.entry(method).or_default().push((cluster.place.bci, cluster.iterations));
        }
        let mut expected = BTreeMap::new();
        for (method, iterations) in ITERATIONS {
            expected.insert(format!("Exits.{method}"), iterations.to_vec());
        }
        let found = by_method.into_iter().map(|(method, mut loops)| {
            loops.sort_unstable();
            (method, loops.into_iter().map(|(_, iterations)| iterations).collect())
        });
        let found: BTreeMap<String, Vec<u64>> = found.collect();
        assert_eq!(found, expected, "{jdk} {jvm:?}");
        let recursive = run.clusters.iter().find(|one| run.method(one) == "Exits.recursive");
        let recursive = recursive.expect("it was found");
        assert_eq!((recursive.reported, recursive.paths.len()), (3, 3), "{jdk} {jvm:?}");
    });
}

/// Loops of the JDK count as the code's that has called them.
#[test]
fn the_options_choose_whose_loops_are_judged() {
    const REMOVE_ALL: &str = "java.util.AbstractSet.removeAll";
    for jdk in in_turn() {
        let methods = |options: &str| {
            let run = Run::new(&Recording::new(jdk, "Chosen", options));
            let of_jdk = run.clusters.iter().find(|one| run.method(one) == REMOVE_ALL);
            let paths = of_jdk.map_or(0, |one| one.paths.len());
            let mut methods = run.methods();
            methods.sort_unstable();
            (methods, paths)
        };
        let (library, main) = ("Chosen$Library.count", "Chosen.main");
        let all = [library, main, REMOVE_ALL].map(str::to_owned).to_vec();
        assert_eq!(methods("mode=loops"), (all, 2), "{jdk}");
        let only = vec![library.to_owned()];
        assert_eq!(methods("mode=loops,include=Chosen$*"), (only, 0), "{jdk}");
        let others = [main, REMOVE_ALL].map(str::to_owned).to_vec();
        assert_eq!(methods("mode=loops,exclude=Chosen$*"), (others, 2), "{jdk}");
    }
}

#[test]
fn threads_have_loops_of_their_own() {
    on_all(|jdk, jvm| {
        let run = Run::of(jdk, "Threads", &[], jvm);
        assert_eq!(run.methods(), ["Threads.search"], "{jdk} {jvm:?}");
        let found = &run.clusters[0];
        assert_eq!((found.reported, found.judged), (15, 15), "{jdk} {jvm:?}");
        assert_eq!(found.iterations, 15 * 26, "{jdk} {jvm:?}");
        // References and, in `equals`, the numbers in the objects.
        assert_eq!(found.wasted, 15 * 24 * 30 * 2, "{jdk} {jvm:?}");
    });
}

/// The budget ends in the hundredth search, before its last value.
#[test]
fn a_loop_is_judged_for_as_many_accesses_as_the_option_says() {
    on_all(|jdk, jvm| {
        for mode in ["mode=loops,max-accesses=4100", "mode=growth,max-accesses=4100"] {
            let run = Run::new(&Recording::new(jdk, "Rests", mode).with(jvm));
            let found = run.clusters.iter().map(|one| {
                assert_eq!(one.verdict(), Verdict::Redundant, "{mode}, {jdk} {jvm:?}");
                (run.method(one), one.iterations, one.unjudged, one.wasted)
            });
            let found: Vec<_> = found.collect();
            let main = ("Rests.main".to_owned(), 99, 501 - 99, 98 * 40);
            let late = ("Rests.late".to_owned(), 31, 0, 29 * 40);
            assert_eq!(found, [main, late], "{mode}, {jdk} {jvm:?}");
            // With growth it is told also what loops read by themselves.
            let totals = run.found.totals;
            if mode.starts_with("mode=loops") {
                assert_eq!((totals.exhausted, totals.unjudged), (1, 402), "{jdk} {jvm:?}");
            }
        }
        let run = Run::of(jdk, "Rests", &[], jvm);
        let main = &run.clusters[0];
        assert_eq!((main.iterations, main.unjudged), (501, 0), "{jdk} {jvm:?}");
        assert_eq!((run.found.totals.exhausted, run.found.totals.unjudged), (0, 0));
    });
    let recording = Recording::new(oldest(), "Rests", "mode=loops,max-accesses=4100");
    let answer = recording.answer("loops");
    for line in [
        "402 more iterations not judged (max-accesses)",
        "note: 402 iterations of loops, in 1 context, were not judged any more (max-accesses)",
    ] {
        assert!(answer.contains(line), "{answer}");
    }
}

/// Else the verdict would depend on what had been executed before.
#[test]
fn classes_that_are_loaded_in_a_loop_change_nothing() {
    on_all(|jdk, jvm| {
        let run = Run::of(jdk, "LoadsClasses", &[], jvm);
        assert_eq!(run.methods(), ["LoadsClasses.count"], "{jdk} {jvm:?}");
        let found = &run.clusters[0];
        // 15 searches through 30 references and the numbers in them.
        let expected = (Verdict::Redundant, 15 * 60, 14 * 60);
        assert_eq!((found.verdict(), found.reads, found.wasted), expected, "{jdk} {jvm:?}");
    });
}

/// The example of the documentation, but for line numbers of the JDK.
#[test]
fn the_documentation_shows_what_is_printed() {
    const DOCUMENTATION: &str = include_str!("../../../docs/explanation/loops.md");
    const SOURCE: &str = include_str!("../programs/loops/Cancelled.java");
    let blocks: Vec<&str> = DOCUMENTATION.split("\n\n").collect();
    let block = |start: &str| {
        let at = blocks.iter().position(|block| block.trim_start().starts_with(start));
        at.unwrap_or_else(|| {
            panic!("docs/explanation/loops.md has a block that begins with {start:?}")
        })
    };
    for line in blocks[block("static List<Order> open")].lines() {
        let code = line.split("//").next().unwrap_or_default().trim();
        assert!(SOURCE.contains(code), "{code}");
    }
    for jdk in in_turn() {
        let recording = Recording::new(jdk, "Cancelled", "mode=loops");
        let without_layout = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let answer = without_layout(&recording.answer("loops"));
        let start = block("1 loop with similar reads");
        for line in blocks[start..start + 2].iter().flat_map(|block| block.lines()) {
            let shown = without_layout(line);
            // Also how much else is read depends on the JDK.
            let is_of_jdk =
                shown.contains("java.util.") || jdk.release != 17 && shown.contains('%');
            assert!(is_of_jdk || answer.contains(&shown), "{jdk}: {shown}: {answer}");
        }
        let fixed = recording.given(&["as a set"]).answer("loops");
        assert!(fixed.starts_with("No loop reads similar values again"), "{jdk}: {fixed}");
    }
}
