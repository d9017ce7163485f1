//! Judges the loops of one thread.

mod found;
mod reads;

use rustc_hash::FxHashMap;

use self::found::{Found, count_unjudged};
use self::reads::outermost;
use super::budget::Budget;
use super::effects::Effects;
use super::events::{Event, Events, Ipcs, node};
use super::findings::{Finding, Instances, LoopInContext};
use super::given::{self, Given};
use super::growth::Growth;
use super::levels::{Level, Levels};
use super::memory::Memory;
use super::program::Program;
use super::sections::{Section, Sections};
use super::sequences::{Ended, Sequences};
use super::sums::AllSums;
use super::writes::Writes;

/// Iterations of a loop instance that is judged (the paper's `minIter`).
pub const LEAST_ITERATIONS: u64 = 10;
/// Bytes of sequences that are kept for the next time when no loop is judged any more.
const MOST_KEPT: usize = 4 << 20;

/// What was left out, and how much there was.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Reads in loops that are judged, but for those of their own data.
    pub reads: u64,
    /// Reads that found no memory.
    pub lost: u64,
    /// Reads that belong to more loops than are looked at.
    pub deep: u64,
    /// Writes that found no memory: what is read after them may be the loop's own data.
    pub forgotten: u64,
    /// Elements of arrays that were copied and not looked at, because there were too
    /// many.
    pub uncopied: u64,
    /// Loops in their contexts whose [budget](super::budget) was spent.
    pub exhausted: u64,
    /// Iterations of them that were not judged.
    pub unjudged: u64,
}

/// The judge of a thread.
#[derive(Debug)]
pub struct Judge {
    memory: Memory,
    /// Iterations of all loops so far.
    clock: u64,
    levels: Levels,
    writes: Writes,
    sequences: Vec<Sequences>,
    /// How many of them were given to the program as read in a loop that searches.
    noted: usize,
    /// Positions of sequences.
    known: FxHashMap<Ipcs, u32>,
    /// The position that was asked for last.
    last: u32,
    sums: AllSums,
    /// Stays in judged loops: the number of the current, or the next one.
    stay: u64,
    /// How much of each loop is judged.
    pub budget: Budget<LoopInContext>,
    /// After how many accesses the outermost loop rests that is judged.
    next_rest: u64,
    /// What the next loop that is entered is given; 0 for nothing.
    given: u64,
    /// How many instances there were of each loop.
    pub instances: FxHashMap<LoopInContext, Instances>,
    /// What was found.
    pub findings: FxHashMap<LoopInContext, Finding>,
    /// Loops of which something was found the first time, or twice as often as when they
    /// were here before.
    pub news: Vec<LoopInContext>,
    sections: Sections,
    /// How the cost of loops grows, if anybody asks for it.
    pub growth: Option<Growth>,
    /// Which of their iterations have an effect, if anybody asks for growth.
    pub effects: Effects,
    /// Recursive methods that go on: how many loops and methods are around each. Only
    /// where somebody asks for growth are there any.
    methods: Vec<usize>,
    totals: Totals,
    /// Bytes of memory that the sequences have taken.
    taken: usize,
    /// Memory for the sequences of a loop that has ended, by position.
    similar: Vec<(u32, Ended)>,
    /// Memory for runs of copied elements: how many, and the loop from which they count.
    runs: Vec<(usize, Option<usize>)>,
}

impl Judge {
    /// A judge who shares this memory with others, judges loops for so many accesses each,
    /// and may look at their growth.
    pub fn new(memory: Memory, accesses: u64, has_growth: bool) -> Self {
        Self {
            memory,
            clock: 0,
            levels: Levels::default(),
            writes: Writes::default(),
            sequences: Vec::new(),
            noted: 0,
            known: FxHashMap::default(),
            last: 0,
            sums: AllSums::default(),
            stay: 1,
            budget: Budget::new(accesses),
            next_rest: u64::MAX,
            given: 0,
            instances: FxHashMap::default(),
            findings: FxHashMap::default(),
            news: Vec::new(),
            sections: Sections::default(),
            growth: has_growth.then(|| Growth::new(accesses)),
            effects: Effects::default(),
            methods: Vec::new(),
            totals: Totals::default(),
            taken: 0,
            similar: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// What was left out so far.
    pub fn totals(&self) -> Totals {
        Totals { forgotten: self.writes.forgotten, ..self.totals }
    }

    /// Takes what the thread has done.
    pub fn take(&mut self, words: &[u64], program: &impl Program) {
        if self.levels.first_kept().is_some() {
            self.writes.load(Events(words));
        }
        for event in Events(words) {
            if matches!(event, Event::Copy { ipcs, .. } if program.copies_string(node(ipcs))) {
                continue;
            }
            if let Some(growth) = &mut self.growth {
                while let Some(unfollowed) = growth.rest() {
                    self.effects.give_up(unfollowed);
                }
                growth.take(&event, program, &self.memory);
                let counts = |one: LoopInContext| {
                    growth.follows(one.number)
                        && program.is_judged(one)
                        && !program.is_method(one.number)
                };
                self.effects.take(&event, counts);
            }
            while self.budget.accesses >= self.next_rest {
                self.rest(program);
            }
            match event {
                Event::Iteration { number, node, depth, more } => {
                    let depth = self.below_methods(depth as usize);
                    match self.growth.is_some() && program.is_method(number) {
                        true => {
                            self.leave(depth, program);
                            self.methods.push(depth + self.methods.len());
                            self.rest_told(LoopInContext { number, node }, program);
                        }
                        false => {
                            let count = 1 + u64::from(more);
                            self.iterate(LoopInContext { number, node }, depth, count, program);
                        }
                    }
                }
                Event::Leave { depth } => {
                    let depth = self.below_methods(depth as usize);
                    self.leave(depth, program);
                }
                Event::Read { ipcs, value, place } => {
                    self.budget.accesses += 1;
                    if let Some(innermost) = self.levels.depth().checked_sub(2) {
                        self.read(ipcs, innermost, value, place);
                    }
                }
                Event::Copy { ipcs, place, values, left } => {
                    self.budget.accesses += values.len() as u64;
                    let Some(innermost) = self.levels.depth().checked_sub(1) else { continue };
                    if self.levels.has_judged(outermost(innermost), innermost) {
                        self.totals.uncopied += u64::from(left);
                    }
                    if let Some(level) = self.levels.get_mut(innermost) {
                        level.has_inner = true;
                    }
                    self.read_elements(ipcs, innermost, values, place);
                }
                // A value is a loop's own if its place was written in the iteration: without a
                // loop that is judged, nobody asks for what was written.
                Event::Write { place } => {
                    self.budget.accesses += 1;
                    if let Some(oldest) = self.levels.outermost_kept_start() {
                        self.writes.write(place, self.clock, oldest, &self.memory);
                    }
                }
                Event::Writes { place, length } => {
                    self.budget.accesses += 1;
                    if let Some(oldest) = self.levels.outermost_kept_start() {
                        self.writes.write_range(place, length, self.clock, oldest, &self.memory);
                    }
                }
                Event::Given { part, value } => {
                    self.given = given::with(given::with(self.given, part.into()), value);
                }
                Event::Captured { part, value } => {
                    self.levels.capture(given::with(given::with(0, part.into()), value));
                }
                Event::Effect { .. } | Event::Own => {}
            }
        }
        let grown = std::mem::take(&mut self.sums.grown);
        self.grow(grown);
    }

    /// How many loops and recursive methods the thread is in, from the outermost one, before
    /// the first that is judged, or whose growth is followed.
    pub fn unjudged(&self) -> usize {
        let mut depth = self.levels.unjudged();
        for &method in &self.methods {
            if method > depth {
                break;
            }
            depth += 1;
        }
        self.growth.as_ref().map_or(depth, |growth| depth.min(growth.unfollowed()))
    }

    /// No instance of a loop is judged any more: nobody needs to know of any, unless its
    /// growth is followed.
    fn rest_told(&self, one: LoopInContext, program: &impl Program) {
        if self.growth.as_ref().is_none_or(|growth| !growth.follows(one.number)) {
            program.rest(one);
        }
    }

    /// All loops are left: the thread has ended, or nothing is recorded any more.
    pub fn end(&mut self) {
        if let Some(growth) = &mut self.growth {
            growth.abandon(&self.memory);
            self.effects.abandon();
        }
        self.methods.clear();
        self.leave(0, &NobodyElse);
        self.forget_sequences();
        self.sections.clear();
        self.writes.clear(&self.memory);
    }

    /// From here on, what the thread does is judged also by itself, and loops have their
    /// whole budget.
    pub fn begin_section(&mut self, number: u64) {
        self.budget.begin_round();
        if let Some(growth) = &mut self.growth {
            growth.begin_round();
        }
        let instances = &mut self.instances;
        self.levels.forget_resting(|level| count_unjudged(level, instances));
        self.sections.begin(number, self.levels.depth());
    }

    /// What was found since the section of this number has begun, without loops that go
    /// on; `None` if there is none.
    pub fn end_section(&mut self, number: u64) -> Option<Section> {
        self.sections.end(number)
    }

    /// Begins `count` iterations of a loop, one after the other.
    fn iterate(&mut self, one: LoopInContext, depth: usize, count: u64, program: &impl Program) {
        let goes_on = self.levels.get(depth).is_some_and(|level| level.one() == one);
        self.leave(depth + usize::from(goes_on), program);
        let given = std::mem::take(&mut self.given);
        if !goes_on {
            self.enter(one, depth, program);
            self.levels.give(given);
        }
        // Start times are compared by 0 for "none".
        self.clock += count;
        let now = self.clock;
        self.levels.iterate(depth, count, now);
        self.rest_if_enough(depth, program);
    }

    /// An iteration begins of the loop at this position. If it is the outermost one that is
    /// judged, its budget may have been spent when it had too few of them.
    fn rest_if_enough(&mut self, at: usize, program: &impl Program) {
        let Some(level) = self.levels.get(at).filter(|_| self.levels.first_judged() == Some(at))
        else {
            return;
        };
        if self.budget.accesses >= self.budget.end_of(level.since) {
            self.rest(program);
        }
    }

    /// An instance of a loop begins that has so many loops around it.
    fn enter(&mut self, one: LoopInContext, depth: usize, program: &impl Program) {
        let since = self.budget.accesses;
        // Of loops that were entered before somebody listened nothing is known.
        while self.levels.depth() < depth {
            self.levels.push(u32::MAX, 0, false, since);
        }
        let is_resting = self.budget.is_resting(one);
        // Leaves have no sequences of their own: they are told for their growth.
        let is_leaf = self.growth.is_some() && program.is_leaf(one.number);
        let is_judged = !is_resting && !is_leaf && program.is_judged(one);
        self.levels.push(one.number, one.node, is_judged, since);
        self.note_searched(program);
        if program.searches(one) {
            self.levels.search();
        }
        if let Some(level) = self.levels.get_mut(depth).filter(|_| is_resting) {
            level.rests = Some(0);
        }
        if is_resting || is_leaf {
            self.rest_told(one, program);
        }
        if self.levels.first_judged() == Some(depth) {
            self.next_rest = self.budget.end_of(since);
        }
        self.budget.accesses += 1;
    }

    /// Tells of the IPCSs that are new and read in a loop that searches.
    fn note_searched(&mut self, program: &impl Program) {
        let new = self.sequences.get(self.noted..).unwrap_or_default();
        for sequences in new.iter().filter(|sequences| sequences.is_in_search()) {
            program.read_in_search(node(sequences.ipcs));
        }
        self.noted = self.sequences.len();
    }

    /// How many loops are left where so many loops and methods are: methods that lie
    /// deeper have been left.
    fn below_methods(&mut self, depth: usize) -> usize {
        while self.methods.last().is_some_and(|&method| method >= depth) {
            self.methods.pop();
        }
        depth - self.methods.len()
    }

    /// Leaves loops until so many are left.
    #[inline]
    fn leave(&mut self, depth: usize, program: &impl Program) {
        while self.levels.depth() > depth {
            let were_kept = self.levels.first_kept().is_some();
            let Some(level) = self.levels.pop() else { break };
            self.judge(self.levels.depth(), level, program);
            if were_kept {
                self.outer_goes_on();
            }
        }
    }

    /// A loop that was judged, or lay in one, is judged no more.
    fn outer_goes_on(&mut self) {
        match self.levels.first_judged_since() {
            Some(since) => self.next_rest = self.budget.end_of(since),
            None => {
                self.next_rest = u64::MAX;
                if self.levels.first_kept().is_none() {
                    self.end_stay();
                }
            }
        }
    }

    /// No loop is judged any more.
    fn end_stay(&mut self) {
        self.stay += 1;
        self.writes.forget_ranges();
        if self.taken > MOST_KEPT {
            self.forget_sequences();
        }
    }

    fn forget_sequences(&mut self) {
        self.sequences = Vec::new();
        self.noted = 0;
        self.known = FxHashMap::default();
        self.last = 0;
        self.sums = AllSums::default();
        self.memory.give_back(std::mem::take(&mut self.taken));
    }

    /// A loop is left.
    fn judge(&mut self, at: usize, mut level: Level, program: &impl Program) {
        let one = level.one();
        let is_judged = level.is_judged && level.iterations >= LEAST_ITERATIONS;
        let judged = is_judged.then_some(level.iterations);
        level.given.end_iteration();
        let ended = (at, &level.touched[..], &level.given);
        let finding =
            self.found_in(ended, judged, |sequences, sums| sequences.leave(at, is_judged, sums));
        let mut found = Found {
            instances: &mut self.instances,
            findings: &mut self.findings,
            news: &mut self.news,
            section: self.sections.of_left(at),
        };
        found.add(one, finding, level.iterations);
        // Unless it lies in a loop that is judged, it is only told for its own sake.
        let is_alone = self.levels.first_judged().is_none();
        if level.is_judged && (level.has_inner || is_alone) {
            let known = found.count(one, level.has_inner, level.iterations);
            if self.budget.is_spent(known, level.since) {
                self.budget.rest(one);
                self.rest_told(one, program);
            }
        }
        count_unjudged(&level, &mut self.instances);
        self.levels.recycle(level.touched);
    }

    /// What the sequences of a loop say that `end` ends there, if so many iterations of it
    /// are judged.
    fn found_in(
        &mut self,
        (at, touched, given): (usize, &[u32], &Given),
        judged: Option<u64>,
        end: impl Fn(&mut Sequences, &mut AllSums) -> Ended,
    ) -> Finding {
        let mut finding = Finding::default();
        let mut similar = std::mem::take(&mut self.similar);
        // Inner loops for which something is new.
        let mut renewed: Vec<LoopInContext> = Vec::new();
        if let Some(iterations) = judged {
            renewed.extend(given.new_in(iterations));
        }
        for &position in touched {
            let Some(sequences) = self.sequences.get_mut(position as usize) else { continue };
            let ended = end(sequences, &mut self.sums);
            match judged {
                Some(_) if self.sums.get(ended.sums).is_some() => similar.push((position, ended)),
                _ => self.sums.free(ended.sums),
            }
            let is_new = |iterations| given::is_rule(ended.changes.into(), iterations);
            if let Some(inner) = ended.inner.filter(|_| judged.is_some_and(is_new))
                && !renewed.contains(&inner)
            {
                renewed.push(inner);
            }
        }
        for (position, ended) in similar.drain(..) {
            let sequences = &self.sequences[position as usize];
            if let (Some(sums), Some(iterations)) = (self.sums.get(ended.sums), judged) {
                let is_renewed = ended.inner.is_some_and(|inner| renewed.contains(&inner));
                let is_inherent = is_renewed && !sequences.is_searched_in(at);
                finding.judge(sequences.ipcs, sums, iterations, is_inherent);
            }
            self.sums.free(ended.sums);
        }
        self.similar = similar;
        finding
    }

    /// The outermost loop that is judged has spent its budget: its whole iterations are
    /// judged, and it rests.
    #[cold]
    fn rest(&mut self, program: &impl Program) {
        let first = self.levels.first_judged();
        let Some((at, level)) = first.and_then(|at| Some((at, self.levels.get_mut(at)?))) else {
            self.next_rest = u64::MAX;
            return;
        };
        let one = level.one();
        let iterations = level.iterations.saturating_sub(1);
        let last = self.budget.last_end_of(level.since);
        if iterations < LEAST_ITERATIONS && self.budget.accesses < last {
            self.next_rest = last;
            return;
        }
        let has_inner = level.has_inner;
        let judged = (iterations >= LEAST_ITERATIONS).then_some(iterations);
        let touched = std::mem::take(&mut level.touched);
        let given = std::mem::take(&mut level.given);
        let start = self.levels.start(at);
        let finding = self.found_in((at, &touched, &given), judged, |sequences, sums| {
            sequences.rest(at, start, sums)
        });
        let mut found = Found {
            instances: &mut self.instances,
            findings: &mut self.findings,
            news: &mut self.news,
            section: self.sections.of_open(at),
        };
        found.add(one, finding, iterations);
        found.count(one, has_inner, iterations);
        self.levels.recycle(touched);
        self.levels.rest_first(iterations);
        self.budget.rest(one);
        self.rest_told(one, program);
        self.outer_goes_on();
    }
}

/// For whom nothing is told any more.
struct NobodyElse;

impl Program for NobodyElse {
    fn is_judged(&self, _: LoopInContext) -> bool {
        false
    }

    fn copies_string(&self, _: u32) -> bool {
        false
    }

    fn is_method(&self, _: u32) -> bool {
        false
    }
}
