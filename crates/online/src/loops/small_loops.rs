//! What a thread's judge finds in small loops.

use super::budget::ACCESSES;
use super::events::{Event, ipcs};
use super::findings::{Instances, LoopInContext};
use super::judge::Judge;
use super::literal_comparison::{Loops, judged};
use super::memory::Memory;
use super::sections::Section;

/// A nested loop: `outer` iterations, in each of which `inner` elements are read.
fn nested(outer: u64, inner: u64, element: impl Fn(u64, u64) -> (u64, u64)) -> Vec<u64> {
    let mut words = Vec::new();
    for i in 0..outer {
        Event::Iteration { number: 1, node: 10, depth: 0, more: 0 }.encode(&mut words);
        for k in 0..inner {
            Event::Iteration { number: 2, node: 10, depth: 1, more: 0 }.encode(&mut words);
            let (value, place) = element(i, k);
            Event::Read { ipcs: ipcs(10, 5), value, place }.encode(&mut words);
        }
        Event::Leave { depth: 1 }.encode(&mut words);
    }
    Event::Leave { depth: 0 }.encode(&mut words);
    words
}

const OUTER: LoopInContext = LoopInContext { number: 1, node: 10 };

#[test]
fn what_is_read_again_is_found() {
    let judge = judged(&nested(10, 7, |_, k| (k, 100 + k)));
    let finding = &judge.findings[&OUTER];
    let ipcs = finding.similar[&ipcs(10, 5)];
    assert_eq!((finding.reported, finding.iterations, finding.wasted), (1, 10, 63));
    assert_eq!((ipcs.sequences, ipcs.similar, ipcs.same_places), (10, 9, 1));
    assert_eq!((finding.reads, finding.repeated), (70, 70));
    assert_eq!(
        judge.instances[&OUTER],
        Instances { accesses: 81, ..Instances { all: 1, judged: 1, ..Instances::default() } }
    );
}

#[test]
fn short_loops_and_short_sequences_are_silent() {
    assert!(judged(&nested(9, 7, |_, k| (k, k))).findings.is_empty());
    assert!(judged(&nested(20, 6, |_, k| (k, k))).findings.is_empty());
    assert!(judged(&nested(20, 20, |_, _| (1, 1))).findings.is_empty(), "one value");
    assert!(judged(&nested(20, 20, |i, k| (20 * i + k, k))).findings.is_empty());
}

#[test]
fn a_loop_s_own_data_do_not_count() {
    let mut words = Vec::new();
    for _ in 0..20 {
        Event::Iteration { number: 1, node: 10, depth: 0, more: 0 }.encode(&mut words);
        for k in 0..10 {
            Event::Iteration { number: 2, node: 10, depth: 1, more: 0 }.encode(&mut words);
            Event::Write { place: 50 + k }.encode(&mut words);
            Event::Read { ipcs: ipcs(10, 5), value: k, place: 50 + k }.encode(&mut words);
        }
    }
    assert!(judged(&words).findings.is_empty());
    let finding = judged(&nested(20, 10, |_, k| (k, 1 << 32 | k)));
    assert_eq!(finding.findings.len(), 1);
}

#[test]
fn long_sequences_are_compared_by_their_first_values() {
    let judge = judged(&nested(20, 10_000, |_, k| (k, k)));
    let ipcs = judge.findings[&OUTER].similar[&ipcs(10, 5)];
    assert_eq!((ipcs.truncated, ipcs.reads, ipcs.wasted), (20, 200_000, 190_000));
}

#[test]
fn without_memory_reads_are_lost_and_counted() {
    let words = nested(20, 20, |_, k| (k, k));
    let mut judge = Judge::new(Memory::new(100), ACCESSES, false);
    judge.take(&words, &Loops::All);
    judge.end();
    assert!(judge.findings.is_empty());
    assert_eq!(judge.totals().lost, 400);
}

#[test]
fn sections_have_the_loops_that_begin_in_them() {
    let mut judge = Judge::new(Memory::new(1 << 30), ACCESSES, true);
    let loop_words = |number: u32, times: u64| {
        let mut words = nested(times, 7, |_, k| (k, 100 + k));
        let header = u64::from(number) << 32 | 1 << 61 | 10;
        let outer = u64::from(OUTER.number) << 32 | 1 << 61 | 10;
        words.iter_mut().filter(|word| **word == outer).for_each(|word| *word = header);
        words
    };
    let found = |section: Option<Section>| {
        let section = section.expect("was begun");
        let mut found: Vec<(u32, u64)> =
            section.findings.iter().map(|(one, found)| (one.number, found.iterations)).collect();
        found.sort_unstable();
        let counted: Vec<LoopInContext> = section
            .findings
            .keys()
            .filter(|one| section.instances[one].judged > 0)
            .copied()
            .collect();
        assert_eq!(counted.len(), found.len());
        found
    };
    judge.take(&loop_words(3, 10), &Loops::All);
    judge.begin_section(70);
    judge.take(&loop_words(5, 11), &Loops::All);
    judge.begin_section(71);
    judge.take(&loop_words(7, 12), &Loops::All);
    // It goes on when the section ends, and is of the one around.
    let long = loop_words(9, 13);
    let (first, second) = long.split_at(long.len() - 1);
    judge.take(first, &Loops::All);
    assert_eq!(found(judge.end_section(71)), [(7, 12)]);
    judge.take(second, &Loops::All);
    judge.begin_section(72);
    judge.begin_section(73);
    judge.take(&loop_words(11, 14), &Loops::All);
    assert!(judge.end_section(99).is_none());
    assert_eq!(found(judge.end_section(72)), [], "what begins within 73 is its own");
    assert!(judge.end_section(73).is_none(), "it has ended with the one around");
    assert_eq!(found(judge.end_section(70)), [(5, 11), (9, 13)]);
    assert_eq!(judge.findings.len(), 5);
}

/// A budget is that of a section, and an instance that rests when one begins is none.
#[test]
fn sections_have_whole_budgets() {
    let mut judge = Judge::new(Memory::new(1 << 30), 100, false);
    // Of twenty iterations with eight accesses twelve are whole when there are a hundred.
    let words = nested(20, 7, |_, k| (k, 100 + k));
    let known = |judge: &Judge| {
        let finding = &judge.findings[&OUTER];
        let Instances { all, unjudged, .. } = judge.instances[&OUTER];
        (all, finding.reported, finding.iterations, unjudged)
    };
    judge.take(&words, &Loops::All);
    assert_eq!(known(&judge), (1, 1, 12, 8));
    judge.take(&words, &Loops::All);
    assert_eq!(known(&judge), (1, 1, 12, 28));
    judge.begin_section(1);
    let (first, second) = words.split_at(words.len() / 20 * 15);
    judge.take(first, &Loops::All);
    assert_eq!(known(&judge), (2, 2, 24, 28));
    judge.begin_section(2);
    judge.take(second, &Loops::All);
    judge.end();
    assert_eq!(known(&judge), (3, 2, 24, 31));
}

#[test]
fn the_memory_comes_back() {
    let memory = Memory::new(1 << 30);
    let mut judge = Judge::new(memory.clone(), ACCESSES, false);
    judge.take(&nested(20, 2000, |i, k| (k, i * k)), &Loops::All);
    judge.end();
    assert!(memory.take(1 << 30));
}
