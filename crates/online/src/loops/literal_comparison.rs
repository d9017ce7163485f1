//! The judge compared with the definitions taken literally, on random events.

use super::budget::ACCESSES;
use super::events::{Event, Events, ipcs};
use super::findings::{Finding, LoopInContext};
use super::judge::Judge;
use super::literal::{self, EITHER, Literal};
use super::memory::Memory;
use super::program::Program;
use rustc_hash::FxHashMap;
use support::rounds;

/// From this number on there are methods.
const METHOD: u32 = 1000;

/// The node in which strings are copied.
const STRINGS: u32 = 999;

/// A program of which all loops are judged, or only those with odd numbers.
pub enum Loops {
    /// All.
    All,
    /// These.
    Odd,
}

impl Program for Loops {
    fn is_judged(&self, one: LoopInContext) -> bool {
        matches!(self, Loops::All) || one.number % 2 == 1
    }

    fn copies_string(&self, node: u32) -> bool {
        node == STRINGS
    }

    fn is_method(&self, number: u32) -> bool {
        number >= METHOD
    }
}

fn judged_by(words: &[u64], program: &Loops, accesses: u64) -> Judge {
    let mut judge = Judge::new(Memory::new(1 << 30), accesses, true);
    judge.take(words, program);
    judge.end();
    judge
}

/// A judge of all loops who has taken these events.
pub fn judged(words: &[u64]) -> Judge {
    judged_by(words, &Loops::All, ACCESSES)
}

/// Random events of so many seeds. Taken literally, the definitions take a third of a second
/// for each: before a release there are more (`scripts/test all`).
fn seeds() -> u64 {
    rounds(144)
}

/// The findings, where two numbers of repeated values are right, with the judge's.
fn settled(
    expected: &FxHashMap<LoopInContext, Finding>,
    judge: &Judge,
) -> FxHashMap<LoopInContext, Finding> {
    let mut settled = expected.clone();
    for (one, finding) in &mut settled {
        // It stays so when others are added.
        if let Some(known) = judge.findings.get(one).filter(|_| finding.repeated == EITHER) {
            finding.repeated = known.repeated;
        }
    }
    settled
}

#[test]
fn the_judge_agrees_with_the_definitions_taken_literally() {
    let (mut found, mut inherent) = (0, 0);
    for seed in 0..seeds() {
        let words = literal::random_events(seed);
        let mut literal = Literal::new(ACCESSES);
        literal.take(&words);
        let judge = judged(&words);
        assert_eq!(judge.totals().forgotten, 0, "seed {seed}");
        let (expected, resting) = literal.findings();
        assert!(resting.is_empty());
        assert_eq!(judge.findings, settled(&expected, &judge), "seed {seed}");
        found += expected.len();
        inherent += expected.values().filter(|one| one.repeated < one.reads / 2).count();
    }
    let seeds = seeds() as usize;
    assert!(found > 2 * seeds && inherent > seeds / 6, "{inherent} of {found} findings");
}

/// Budgets so small that loops rest in the midst of instances, and within others.
#[test]
fn loops_whose_budget_is_spent_rest_as_the_definitions_say() {
    let (mut found, mut cut, mut resting) = (0, 0, 0);
    for (seed, accesses) in (0..seeds()).zip([60, 300, 700, 1500, 4000].into_iter().cycle()) {
        let words = literal::random_events(seed);
        let mut literal = Literal::new(accesses);
        literal.take(&words);
        let judge = judged_by(&words, &Loops::All, accesses);
        let (expected, expected_resting) = literal.findings();
        assert_eq!(judge.findings, settled(&expected, &judge), "seed {seed}");
        let known = judge.instances.iter().filter(|(_, known)| known.unjudged > 0);
        let known: FxHashMap<LoopInContext, u64> =
            known.map(|(&one, known)| (one, known.unjudged)).collect();
        assert_eq!(known, expected_resting, "seed {seed}");
        assert!(known.keys().all(|one| judge.budget.exhausted.contains(one)));
        found += expected.len();
        cut += expected.keys().filter(|one| known.contains_key(one)).count();
        resting += known.len();
    }
    let seeds = seeds() as usize;
    let are_many = found > seeds / 2 && cut > seeds / 6 && resting > seeds / 2;
    assert!(are_many, "{found}, {cut} of {resting}");
}

/// The words as probes write them that tell of iterations together.
fn joined(words: &[u64]) -> Vec<u64> {
    let mut joined = Vec::new();
    let mut last = None;
    for event in Events(words) {
        match (event, last) {
            (Event::Read { .. }, _) => {}
            (Event::Iteration { number, node, depth, .. }, Some((known, at)))
                if known == (number, node, depth) =>
            {
                let following: &mut u64 = &mut joined[at];
                *following += 1 << 32;
                continue;
            }
            (Event::Iteration { number, node, depth, .. }, _) => {
                last = Some(((number, node, depth), joined.len() + 1));
            }
            _ => last = None,
        }
        event.encode(&mut joined);
    }
    joined
}

#[test]
fn iterations_that_are_told_together_change_nothing() {
    let (mut found, mut fewer) = (0, 0);
    for seed in 0..seeds() {
        let words = literal::random_events(seed);
        let expected = judged(&words);
        let together = joined(&words);
        let judge = judged(&together);
        assert_eq!(judge.findings, expected.findings, "seed {seed}");
        assert_eq!(judge.instances, expected.instances, "seed {seed}");
        found += expected.findings.len();
        fewer += words.len() - together.len();
    }
    let seeds = seeds() as usize;
    assert!(found > 2 * seeds && fewer > 80 * seeds, "{found} findings, {fewer} words fewer");
}

#[test]
fn what_is_not_judged_changes_nothing_of_what_is() {
    let (mut found, mut left_out) = (0, 0);
    for seed in 0..seeds() {
        let words = literal::random_events(seed);
        let mut expected = judged(&words).findings;
        left_out += expected.len();
        expected.retain(|one, _| one.number % 2 == 1);
        left_out -= expected.len();
        assert_eq!(judged_by(&words, &Loops::Odd, ACCESSES).findings, expected, "seed {seed}");
        found += expected.len();
    }
    let least = seeds() as usize / 3;
    assert!(found > least && left_out > least, "{found} findings, {left_out} left out");
}

#[test]
fn copies_of_strings_change_nothing() {
    for seed in 0..30 {
        let words = literal::random_events(seed);
        let mut with_strings = Vec::new();
        for event in Events(&words) {
            let (ipcs, values) = (ipcs(STRINGS, 7), &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
            Event::Copy { ipcs, place: 1 << 32, values, left: 5 }.encode(&mut with_strings);
            event.encode(&mut with_strings);
        }
        let (judge, expected) = (judged(&with_strings), judged(&words));
        assert_eq!(judge.findings, expected.findings, "seed {seed}");
        assert_eq!(judge.instances, expected.instances, "seed {seed}");
        assert_eq!(judge.totals(), expected.totals(), "seed {seed}");
    }
}

/// Recursive methods between the loops change nothing of what is found in these.
#[test]
fn methods_are_no_loops() {
    let mut found = 0;
    for seed in 0..60 {
        let words = literal::random_events(seed);
        let expected = judged(&words).findings;
        // A method around all, and one in each loop of the outermost level.
        let mut with_methods = Vec::new();
        let method = |depth| Event::Iteration { number: METHOD, node: 9, depth, more: 0 };
        method(0).encode(&mut with_methods);
        for event in Events(&words) {
            let deeper = |depth: u32| depth + 1 + u32::from(depth > 0);
            match event {
                Event::Iteration { number, node, depth, more } => {
                    let depth = deeper(depth);
                    Event::Iteration { number, node, depth, more }.encode(&mut with_methods);
                    if depth == 1 {
                        method(2).encode(&mut with_methods);
                    }
                }
                Event::Leave { depth } => {
                    Event::Leave { depth: deeper(depth) }.encode(&mut with_methods);
                }
                other => other.encode(&mut with_methods),
            }
        }
        assert_eq!(judged(&with_methods).findings, expected, "seed {seed}");
        found += expected.len();
    }
    assert!(found > 100, "{found} findings");
}
