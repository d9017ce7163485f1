//! What methods return for the same receiver and arguments.

use profile::dataflow::{MethodResults, ResultKind};
use profile::results::{FLUENT, MOST_INPUTS, NAN, NULL, ONE_VALUE, ONLY_NULL, PER_RECEIVER, VOID};
use profile::{MethodId, Profile};
use support::{each, in_turn, ways_in_turn};

use crate::growth::JVMS;
use crate::rig::Recording;

/// Name of a method of `Repeats`; calls that returned, receivers, inputs, hits, conflicts,
/// calls that wrote, hits that did; kinds of result. Ten objects, fifty rounds.
type Row = (&'static str, [u64; 7], u8);

const EXPECTED: [Row; 15] = [
    // Once more for each object by the cache.
    ("sum", [510, 10, 10, 500, 0, 0, 0], PER_RECEIVER),
    ("sumWithCache", [500, 10, 10, 490, 0, 10, 0], PER_RECEIVER),
    ("next", [500, 10, 10, 0, 490, 500, 0], 0),
    ("builds", [500, 10, 10, 490, 0, 0, 0], ONE_VALUE | PER_RECEIVER),
    ("itself", [500, 10, 10, 490, 0, 0, 0], FLUENT | PER_RECEIVER),
    ("nothing", [500, 10, 10, 490, 0, 0, 0], NULL | ONLY_NULL | ONE_VALUE | PER_RECEIVER),
    ("notANumber", [500, 10, 10, 490, 0, 0, 0], NAN | ONE_VALUE | PER_RECEIVER),
    ("root", [500, 0, 10, 490, 0, 0, 0], NAN | ONE_VALUE),
    ("one", [500, 0, 50, 450, 0, 0, 0], ONE_VALUE),
    ("nothingAtAll", [500, 10, 10, 490, 0, 0, 0], VOID),
    ("failsSometimes", [200, 0, 4, 196, 0, 0, 0], 0),
    ("fails", [0, 0, 0, 0, 0, 0, 0], ONE_VALUE),
    ("fibonacci", [1973, 0, 16, 1957, 0, 0, 0], 0),
    ("main", [1, 0, 1, 0, 0, 1, 0], VOID),
    ("random", [1, 0, 1, 0, 0, 1, 0], VOID),
];

/// What is said of their results: void, builders, what finds nothing, what computes no
/// number, what always throws, and what calls itself among them.
const KINDS: [(&str, ResultKind); 14] = [
    ("nothingAtAll", ResultKind::Void),
    ("itself", ResultKind::Fluent),
    ("nothing", ResultKind::Null),
    ("notANumber", ResultKind::Nan),
    ("root", ResultKind::Nan),
    ("fails", ResultKind::Exceptions),
    ("failsSometimes", ResultKind::PerInput),
    ("fibonacci", ResultKind::PerInput),
    ("sum", ResultKind::PerReceiver),
    ("sumWithCache", ResultKind::PerReceiver),
    ("builds", ResultKind::OneValue),
    ("one", ResultKind::OneValue),
    ("next", ResultKind::Varies),
    ("main", ResultKind::Void),
];

fn results<'p>(profile: &'p Profile, name: &str) -> &'p MethodResults {
    let all = profile.dataflow.results.as_ref().expect("results were recorded");
    let is_it = |method: MethodId| {
        let method = &profile.methods[method.0 as usize];
        method.name == name && profile.classes[method.class.0 as usize].name == "Repeats"
    };
    let found = all.methods.iter().find(|one| is_it(one.method));
    found.unwrap_or_else(|| panic!("no results of {name}"))
}

/// The numbers of a row, and what the program printed of a method it counts itself:
/// calls, receivers, inputs, hits, last hits, conflicts.
fn counted(lines: &[String], name: &str) -> Vec<u64> {
    let line = lines.iter().find(|line| line.starts_with(name)).expect("the program prints it");
    line.split(' ').skip(1).map(|number| number.parse().expect("a number")).collect()
}

#[test]
fn inputs_and_results_are_told_apart() {
    for jdk in in_turn() {
        each(&ways_in_turn(&JVMS, 1), |jvm| {
            let recorded = Recording::new(jdk, "Repeats", "mode=results").with(jvm).run();
            for (name, numbers, kinds) in EXPECTED {
                let one = results(&recorded.profile, name);
                let MethodResults { returned, receivers, inputs, hits, conflicts, .. } = *one;
                let found =
                    [returned, receivers, inputs, hits, conflicts, one.wrote, one.hits_that_wrote];
                assert_eq!((found, one.level), (numbers, 0), "{name}, {jdk} {jvm:?}");
                assert_eq!(one.kinds, kinds, "{name}, {jdk} {jvm:?}");
            }
            for (name, kind) in KINDS {
                let found = ResultKind::of(results(&recorded.profile, name));
                assert_eq!(found, kind, "{name}, {jdk} {jvm:?}");
            }
            assert_eq!(results(&recorded.profile, "one").last_hits, 450);
            assert_eq!(results(&recorded.profile, "sum").last_hits, 10);
            let one = results(&recorded.profile, "mixed");
            let found =
                [one.returned, one.receivers, one.inputs, one.hits, one.last_hits, one.conflicts];
            assert_eq!(found.to_vec(), counted(&recorded.lines, "mixed"), "{jdk} {jvm:?}");
        });
    }
}

#[test]
fn of_many_inputs_a_part_is_kept_and_the_frequent_ones_are() {
    for jdk in in_turn() {
        let profile = Recording::new(jdk, "Repeats", "mode=results").run().profile;
        let many = results(&profile, "many");
        assert!(many.level > 0 && many.inputs >> many.level <= u64::from(MOST_INPUTS));
        assert!(many.inputs.abs_diff(20_003) <= 4 * many.inputs_error(), "{many:?}");
        assert_eq!((many.hits, many.hits_error, many.conflicts), (297, 0, 0), "{many:?}");
        assert!(many.returned.abs_diff(20_300) <= 4 * many.inputs_error(), "{many:?}");
    }
}

#[test]
fn a_method_that_no_cache_helps_is_followed_for_a_while() {
    for jdk in in_turn() {
        let profile = Recording::new(jdk, "Repeats", "mode=results").run().profile;
        let one = results(&profile, "changesAlways");
        assert_eq!((one.returned, one.stopped), (16_384, true), "{one:?}");
        assert_eq!((one.inputs, one.hits, one.conflicts), (10, 0, 16_374), "{one:?}");
        assert!(!results(&profile, "sum").stopped);
    }
}

#[test]
fn of_a_candidate_so_many_calls_are_followed_as_the_options_say() {
    for jdk in in_turn() {
        let of = |mode| {
            let profile = Recording::new(jdk, "Repeats", mode).run().profile;
            let one = *results(&profile, "asked");
            assert_eq!((one.inputs, one.hits), (10, one.returned - 10), "{one:?}");
            (one.returned, one.stopped)
        };
        assert_eq!(of("mode=results"), (65_536, true));
        assert_eq!(of("mode=results,max-calls=16385"), (32_768, true));
        assert_eq!(of("mode=results,max-calls=1m"), (100_000, false));
    }
}

/// Depth; inputs, hits and conflicts.
type Compared = (u8, [u64; 3]);

#[test]
fn objects_are_compared_by_what_they_hold() {
    let expected: [(&str, [Compared; 4]); 3] = [
        ("keyOf", [(0, [1000, 0, 0]), (1, [14, 986, 0]), (2, [14, 986, 0]), (4, [14, 986, 0])]),
        ("valueOf", [(0, [1000, 0, 0]), (1, [1, 0, 999]), (2, [5, 995, 0]), (4, [5, 995, 0])]),
        ("sumOf", [(0, [1000, 0, 0]), (1, [6, 994, 0]), (2, [6, 994, 0]), (4, [6, 994, 0])]),
    ];
    let mode = "mode=results,deep=Repeats.*Of;a.B.c";
    for jdk in in_turn() {
        each(&ways_in_turn(&JVMS, 1), |jvm| {
            let profile = Recording::new(jdk, "Repeats", mode).with(jvm).run().profile;
            let all = &profile.dataflow.results.as_ref().expect("results were recorded").methods;
            for (name, depths) in expected {
                let method = results(&profile, name).method;
                let found: Vec<_> = all.iter().filter(|one| one.method == method).collect();
                let numbers =
                    |one: &&MethodResults| (one.depth, [one.inputs, one.hits, one.conflicts]);
                let found_numbers: Vec<_> = found.iter().map(numbers).collect();
                assert_eq!(found_numbers, depths, "{name}, {jdk} {jvm:?}");
                assert!(
                    found.iter().all(|one| one.returned == 1000 && one.wrote == 0),
                    "{found:?}"
                );
            }
            // Others are compared by identity only.
            let of = results(&profile, "sum").method;
            assert_eq!(all.iter().filter(|one| one.method == of).count(), 1);
        });
    }
}

#[test]
fn what_a_cache_saves_is_what_the_calls_execute() {
    for jdk in in_turn() {
        let profile = Recording::new(jdk, "Repeats", "mode=results").run().profile;
        let sum = results(&profile, "sum");
        // Each object has an array of its own length: 100 to 109 elements. The header of
        // the loop is executed once more than its body.
        let of = |length: u64| 12 + 3 * (length + 1) + 10 * length;
        let once: u64 = (100..110).map(of).sum();
        assert_eq!(sum.cost, 51 * once, "{sum:?}");
        assert_eq!(sum.saving, 50 * once, "{sum:?}");
    }
}
