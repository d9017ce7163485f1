//! What probes do not tell changes nothing: a model of `SubsumeLoops` leaves out what
//! nobody asks for, and the judge finds what it finds of everything.

use std::cell::RefCell;

use rustc_hash::FxHashSet;
use support::rounds;

use super::events::{Event, Events};
use super::findings::LoopInContext;
use super::growth::Growth;
use super::judge::Judge;
use super::literal;
use super::literal_comparison::Loops;
use super::memory::Memory;
use super::program::Program;

/// Words after which a thread asks its judge.
const FULL: usize = 150;

/// A program that knows which loops rest.
struct Resting {
    loops: Loops,
    resting: RefCell<FxHashSet<LoopInContext>>,
}

impl Program for Resting {
    fn is_judged(&self, one: LoopInContext) -> bool {
        let is_judged = self.loops.is_judged(one);
        if !is_judged {
            self.rest(one);
        }
        is_judged
    }

    fn copies_string(&self, node: u32) -> bool {
        self.loops.copies_string(node)
    }

    fn rest(&self, one: LoopInContext) {
        self.resting.borrow_mut().insert(one);
    }

    fn is_leaf(&self, number: u32) -> bool {
        self.loops.is_leaf(number)
    }

    fn is_method(&self, number: u32) -> bool {
        self.loops.is_method(number)
    }
}

/// A thread whose probes tell a judge of what it does.
struct Thread {
    program: Resting,
    judge: Judge,
    /// In how many loops it is.
    depth: u32,
    /// In how many of them, from the outermost one, nobody asks for what it does.
    unjudged: u32,
    words: Vec<u64>,
    /// Words so far.
    told: usize,
}

impl Thread {
    fn new(loops: Loops, judge: Judge) -> Self {
        let program = Resting { loops, resting: RefCell::default() };
        Self { program, judge, depth: 0, unjudged: 0, words: Vec::new(), told: 0 }
    }

    fn run(mut self, words: &[u64]) -> (Judge, usize) {
        for event in Events(words) {
            match event {
                Event::Iteration { number, node, depth, .. } => {
                    self.iterate(LoopInContext { number, node }, depth, &event);
                }
                Event::Leave { depth } => self.leave(depth),
                _ if self.depth > self.unjudged => self.tell(&event),
                _ => {}
            }
        }
        self.ask();
        self.judge.end();
        (self.judge, self.told)
    }

    fn iterate(&mut self, one: LoopInContext, depth: u32, event: &Event<'_>) {
        if depth <= self.unjudged {
            if self.program.resting.borrow().contains(&one) {
                if self.depth > self.unjudged {
                    self.leave(depth);
                }
                (self.depth, self.unjudged) = (depth + 1, depth + 1);
                return;
            }
            self.unjudged = depth;
        }
        self.depth = depth + 1;
        self.tell(event);
    }

    fn leave(&mut self, depth: u32) {
        if self.depth <= depth {
            return;
        }
        let is_told = self.depth > self.unjudged;
        self.depth = depth;
        self.unjudged = self.unjudged.min(depth);
        if is_told {
            self.tell(&Event::Leave { depth });
        }
    }

    fn tell(&mut self, event: &Event<'_>) {
        event.encode(&mut self.words);
        if self.words.len() >= FULL {
            self.ask();
        }
    }

    fn ask(&mut self) {
        self.told += self.words.len();
        self.judge.take(&self.words, &self.program);
        self.words.clear();
        self.unjudged = self.judge.unjudged() as u32;
    }
}

/// The events with methods around all and around the loops of the second level.
fn with_methods(words: &[u64]) -> Vec<u64> {
    let method = |depth| Event::Iteration { number: 1_000 + depth, node: 9, depth, more: 0 };
    let mut deeper = Vec::new();
    method(0).encode(&mut deeper);
    for event in Events(words) {
        let below = |depth: u32| depth + 1 + u32::from(depth > 0);
        match event {
            Event::Iteration { number, node, depth, more } => {
                Event::Iteration { number, node, depth: below(depth), more }.encode(&mut deeper);
                if depth == 0 {
                    method(2).encode(&mut deeper);
                }
            }
            Event::Leave { depth } => Event::Leave { depth: below(depth) }.encode(&mut deeper),
            other => other.encode(&mut deeper),
        }
    }
    deeper
}

/// A judge who judges and follows each loop for so many accesses.
fn judge(judged: u64, followed: u64) -> Judge {
    let mut judge = Judge::new(Memory::new(1 << 30), judged, true);
    judge.growth = Some(Growth::new(followed));
    judge
}

#[test]
fn what_nobody_asks_for_makes_no_difference() {
    let (mut told, mut all, mut points) = (0, 0, 0);
    let budgets = [20, 100, 400, 1_500, 6_000, u64::MAX];
    let budgets = budgets.map(|judged| budgets.map(|followed| (judged, followed)));
    let budgets = budgets.as_flattened().iter().cycle();
    for (seed, &(judged, followed)) in (0..rounds(144)).zip(budgets) {
        // Several times the same: what rests does so for long.
        let once = literal::random_events(seed);
        let once = if seed % 2 == 0 { once } else { with_methods(&once) };
        let words = once.repeat(4);
        let loops = || if seed % 3 == 0 { Loops::Odd } else { Loops::All };
        let mut expected = judge(judged, followed);
        expected.take(&words, &loops());
        expected.end();
        let (found, words_told) = Thread::new(loops(), judge(judged, followed)).run(&words);
        assert_eq!(found.findings, expected.findings, "seed {seed}");
        let (growth, known) = (found.growth.expect("asked for"), expected.growth.expect("it is"));
        assert_eq!(growth.points, known.points, "seed {seed}");
        assert_eq!(growth.totals, known.totals, "seed {seed}");
        assert_eq!(found.effects.loops, expected.effects.loops, "seed {seed}");
        points += growth.points.len();
        told += words_told;
        all += words.len();
    }
    let least = 40 * rounds(144) as usize;
    assert!(told * 2 < all && points > least, "{told} of {all} words, {points} points");
}
