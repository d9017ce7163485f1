//! The loops in which a thread is.

use super::findings::LoopInContext;
use super::given::{Given, with};

/// A loop instance that goes on.
#[derive(Debug)]
pub struct Level {
    /// Number of the loop.
    pub number: u32,
    /// Node of the activation that runs it.
    pub node: u32,
    /// Iterations so far.
    pub iterations: u64,
    /// Whether it is judged, which not all loops are, nor those that rest.
    pub is_judged: bool,
    /// If it rests: how many of its iterations were judged.
    pub rests: Option<u64>,
    /// Accesses of the thread before it.
    pub since: u64,
    /// How many loops are judged from the outermost one to this one.
    pub judged: u32,
    /// Whether it ran an inner loop, or a call that copies an array.
    pub has_inner: bool,
    /// Positions of the sequences that it has.
    pub touched: Vec<u32>,
    /// What its inner loops are given.
    pub given: Given,
    /// What lambdas have captured in the current iteration, outside of inner loops; 0 for
    /// nothing.
    captured: u64,
    /// How many loops around it, and itself, lead from the outermost loop to the innermost
    /// one that searches; 0 for none.
    pub searching: u32,
}

impl Level {
    /// Which loop it is.
    pub fn one(&self) -> LoopInContext {
        LoopInContext { number: self.number, node: self.node }
    }
}

/// The loops around each other, the outermost one first.
#[derive(Debug, Default)]
pub struct Levels {
    stack: Vec<Level>,
    /// When the current iteration of each began; here, beside each other, since every
    /// read asks for several.
    starts: Vec<u64>,
    /// The outermost loop that is judged.
    first_judged: Option<usize>,
    /// The outermost loop of which sequences are kept: this one, or one around it that was
    /// judged when this one began, and rests now.
    first_kept: Option<usize>,
    /// Loops in whose current iteration something was captured.
    capturing: u32,
    /// Memory for lists.
    free: Vec<Vec<u32>>,
}

impl Levels {
    /// How many loops go on.
    #[inline]
    pub fn depth(&self) -> usize {
        self.stack.len()
    }

    /// The loop at this position.
    #[inline]
    pub fn get(&self, at: usize) -> Option<&Level> {
        self.stack.get(at)
    }

    /// The loop at this position, to change it.
    #[inline]
    pub fn get_mut(&mut self, at: usize) -> Option<&mut Level> {
        self.stack.get_mut(at)
    }

    /// When the current iteration began of the loop at this position; 0 without one.
    #[inline]
    pub fn start(&self, at: usize) -> u64 {
        self.starts.get(at).copied().unwrap_or(0)
    }

    /// Begins `count` iterations of the loop at this position, the last one now.
    pub fn iterate(&mut self, at: usize, count: u64, now: u64) {
        if let (Some(level), Some(start)) = (self.stack.get_mut(at), self.starts.get_mut(at)) {
            level.iterations += count;
            level.given.end_iteration();
            self.capturing -= u32::from(std::mem::take(&mut level.captured) != 0);
            *start = now;
        }
    }

    /// The first of the loops at these positions whose iteration began after this time;
    /// `None` if all are older.
    #[inline]
    pub fn first_after(&self, time: u64, outermost: usize, innermost: usize) -> Option<usize> {
        let starts = self.starts.get(outermost..=innermost)?;
        if *starts.last()? <= time {
            return None;
        }
        // Inner iterations begin later.
        starts.iter().position(|&start| start > time).map(|at| outermost + at)
    }

    /// The outermost loop that is judged.
    #[inline]
    pub fn first_judged(&self) -> Option<usize> {
        self.first_judged
    }

    /// The outermost loop of which sequences are kept.
    #[inline]
    pub fn first_kept(&self) -> Option<usize> {
        self.first_kept
    }

    /// When the current iteration of the outermost loop began of which sequences are kept.
    pub fn outermost_kept_start(&self) -> Option<u64> {
        self.first_kept.map(|at| self.start(at))
    }

    /// After how many accesses of the thread the outermost loop began that is judged.
    pub fn first_judged_since(&self) -> Option<u64> {
        self.stack.get(self.first_judged?).map(|level| level.since)
    }

    /// How many loops go on, from the outermost one, before the first that is judged.
    pub fn unjudged(&self) -> usize {
        self.first_judged.unwrap_or(self.stack.len())
    }

    /// The innermost loop, which has just been entered, searches.
    pub fn search(&mut self) {
        let depth = self.stack.len() as u32;
        if let Some(level) = self.stack.last_mut() {
            level.searching = depth;
        }
    }

    /// As [`Level::searching`] has it for the innermost loop.
    #[inline]
    pub fn searching(&self) -> u32 {
        self.stack.last().map_or(0, |level| level.searching)
    }

    /// The innermost loop, which has just been entered, is given these values, 0 for none,
    /// and what was captured: the loops around it gave them, each to the one within.
    pub fn give(&mut self, values: u64) {
        let Some(first) = self.first_kept else { return };
        if values == 0 && self.capturing == 0 {
            return;
        }
        let mut given = values;
        for at in (first..self.stack.len().saturating_sub(1)).rev() {
            let inner = self.stack[at + 1].one();
            let level = &mut self.stack[at];
            if level.captured != 0 {
                given = with(given, level.captured);
            }
            if given != 0 && level.is_judged {
                level.given.give(inner, given);
            }
        }
    }

    /// A lambda captures this value.
    pub fn capture(&mut self, value: u64) {
        if let Some(level) = self.stack.last_mut() {
            self.capturing += u32::from(level.captured == 0);
            level.captured = with(level.captured, value);
        }
    }

    /// Enters a loop after so many accesses. Its first iteration is yet to begin.
    pub fn push(&mut self, number: u32, node: u32, is_judged: bool, since: u64) {
        let above = self.stack.last_mut();
        let searching = above.as_ref().map_or(0, |level| level.searching);
        let judged = above.as_ref().map_or(0, |level| level.judged) + u32::from(is_judged);
        if let Some(above) = above {
            above.has_inner = true;
        }
        if is_judged && self.first_judged.is_none() {
            self.first_judged = Some(self.stack.len());
            self.first_kept = self.first_kept.or(self.first_judged);
        }
        let touched = self.free.pop().unwrap_or_default();
        self.starts.push(0);
        self.stack.push(Level {
            number,
            node,
            iterations: 0,
            is_judged,
            rests: None,
            since,
            judged,
            has_inner: false,
            touched,
            given: Given::default(),
            captured: 0,
            searching,
        });
    }

    /// Leaves the innermost loop.
    pub fn pop(&mut self) -> Option<Level> {
        let left = self.stack.pop();
        let has_captured = left.as_ref().is_some_and(|level| level.captured != 0);
        self.capturing -= u32::from(has_captured);
        self.starts.pop();
        self.first_judged = self.first_judged.filter(|&at| at < self.stack.len());
        self.keep();
        left
    }

    /// The outermost loop that is judged rests, after so many iterations of it.
    pub fn rest_first(&mut self, iterations: u64) {
        let Some(first) = self.first_judged else { return };
        for level in &mut self.stack[first..] {
            level.judged -= 1;
        }
        self.stack[first].is_judged = false;
        self.stack[first].rests = Some(iterations);
        let inner = self.stack[first..].iter().position(|level| level.is_judged);
        self.first_judged = inner.map(|at| first + at);
        self.keep();
    }

    /// Where no loop is judged, no sequences are kept.
    fn keep(&mut self) {
        if let (None, Some(first)) = (self.first_judged, self.first_kept) {
            self.first_kept = None;
            self.stack.iter_mut().skip(first).for_each(|level| level.touched.clear());
        }
    }

    /// Nothing is known any more of loops that rest. `take` gets them.
    pub fn forget_resting(&mut self, mut take: impl FnMut(&Level)) {
        for level in self.stack.iter_mut().filter(|level| level.rests.is_some()) {
            take(level);
            (level.number, level.node, level.rests) = (u32::MAX, 0, None);
        }
    }

    /// Takes a list back for another loop.
    pub fn recycle(&mut self, mut touched: Vec<u32>) {
        touched.clear();
        if self.free.len() < 64 && touched.capacity() <= 1 << 12 {
            self.free.push(touched);
        }
    }

    /// Whether any of the loops at these positions is judged.
    pub fn has_judged(&self, first: usize, last: usize) -> bool {
        let judged = |at: usize| self.stack.get(at).map_or(0, |level| level.judged);
        judged(last) > if first == 0 { 0 } else { judged(first - 1) }
    }
}
