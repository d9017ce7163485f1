//! Which iterations of loops have an effect: loops that could stop early, or that have no
//! result (Nistor, Chang, Radoi and Lu, "Caramel", ICSE 2015; Song and Lu, "LDoctor", ICSE
//! 2017; both look at the code instead).
//!
//! An iteration has an *effect* if something is written in it that somebody may read
//! behind it: a field or an element, but not those of an object by its own constructor,
//! nor where an iterator stands; a static field; a local variable that is read behind the
//! loop; or if it calls a native method that may have an effect of its own. What is made
//! in an iteration and changed there by others than its constructor counts as an effect,
//! so there may be fewer iterations with effects than are counted, and never more.

use profile::dataflow::LoopEffects;
use rustc_hash::FxHashMap;

use super::events::Event;
use super::findings::LoopInContext;

/// Shorter instances say nothing.
const LEAST_ITERATIONS: u64 = 10;

/// An instance of a loop that goes on.
#[derive(Debug)]
struct Open {
    one: LoopInContext,
    counts: bool,
    iterations: u64,
    /// When the current iteration began.
    start: u64,
    /// The current iteration has an effect for this loop, though not for those around it.
    has_own_effect: bool,
    /// The last iteration with an effect, of those before the current one.
    last: u64,
}

impl Open {
    /// The current iteration ends.
    fn end_iteration(&mut self, effect: u64) {
        if self.has_own_effect || effect > self.start {
            self.last = self.iterations;
        }
        self.has_own_effect = false;
    }
}

/// Iterations of the loops of a thread.
#[derive(Debug, Default)]
pub struct Effects {
    open: Vec<Open>,
    /// Iterations and effects so far.
    clock: u64,
    /// When something last had an effect for all loops around it.
    effect: u64,
    /// The next write has none.
    is_own: bool,
    /// What was counted, by the numbers of loops.
    pub loops: FxHashMap<u32, LoopEffects>,
}

impl Effects {
    /// Takes what the thread has done. `counts` says whether instances of a loop count.
    pub fn take(&mut self, event: &Event<'_>, counts: impl Fn(LoopInContext) -> bool) {
        match *event {
            Event::Iteration { number, node, depth, more } => {
                let one = LoopInContext { number, node };
                self.iterate(one, depth as usize, 1 + u64::from(more), counts);
            }
            Event::Leave { depth } => self.leave(depth as usize),
            Event::Write { .. } | Event::Writes { .. } if self.is_own => self.is_own = false,
            Event::Write { .. } | Event::Writes { .. } => self.affect_all(),
            Event::Own => self.is_own = true,
            Event::Effect { depth: 0 } => self.affect_all(),
            Event::Effect { depth } => {
                let open = self.open.iter_mut().skip(depth as usize);
                open.for_each(|open| open.has_own_effect = true);
            }
            Event::Read { .. }
            | Event::Copy { .. }
            | Event::Given { .. }
            | Event::Captured { .. } => {}
        }
    }

    fn affect_all(&mut self) {
        self.clock += 1;
        self.effect = self.clock;
    }

    fn iterate(
        &mut self,
        one: LoopInContext,
        depth: usize,
        count: u64,
        counts: impl Fn(LoopInContext) -> bool,
    ) {
        let goes_on = self.open.get(depth).is_some_and(|open| open.one == one);
        self.leave(depth + usize::from(goes_on));
        if !goes_on {
            // Of loops that were entered before somebody listened nothing is known.
            while self.open.len() < depth {
                self.open.push(Open::unknown());
            }
            self.open.push(Open { one, counts: counts(one), ..Open::unknown() });
        }
        self.clock += 1;
        let (now, effect) = (self.clock, self.effect);
        if let Some(open) = self.open.get_mut(depth) {
            if goes_on {
                open.end_iteration(effect);
            }
            open.start = now;
            open.iterations += count;
        }
    }

    /// Leaves loops until so many are left.
    fn leave(&mut self, depth: usize) {
        while self.open.len() > depth {
            let Some(mut open) = self.open.pop() else { break };
            open.end_iteration(self.effect);
            if !open.counts || open.iterations < LEAST_ITERATIONS {
                continue;
            }
            let known = self.loops.entry(open.one.number).or_default();
            known.instances += 1;
            known.iterations += open.iterations;
            if open.last == 0 {
                known.instances_without += 1;
                known.iterations_without += open.iterations;
            } else {
                known.iterations_behind += open.iterations - open.last;
            }
        }
    }

    /// Nobody sees how the outermost instances go on, so many of them.
    pub fn give_up(&mut self, loops: usize) {
        self.open.iter_mut().take(loops).for_each(|open| open.counts = false);
    }

    /// Nobody sees how any of the open instances goes on.
    pub fn abandon(&mut self) {
        self.open.clear();
    }
}

impl Open {
    fn unknown() -> Self {
        let one = LoopInContext { number: u32::MAX, node: 0 };
        Self { one, counts: false, iterations: 0, start: 0, has_own_effect: false, last: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::program::{Program, Small};
    use super::*;

    fn iteration(number: u32, depth: u32) -> Event<'static> {
        Event::Iteration { number, node: 1, depth, more: 0 }
    }

    fn counted(events: &[Event<'_>]) -> FxHashMap<u32, LoopEffects> {
        let mut effects = Effects::default();
        let counts = |one: LoopInContext| Small.is_judged(one) && !Small.is_method(one.number);
        events.iter().for_each(|event| effects.take(event, counts));
        effects.loops
    }

    /// Twenty iterations of loop 1, with these events in the iterations of these numbers.
    fn twenty(within: &[(u64, Event<'static>)]) -> LoopEffects {
        let mut events = Vec::new();
        for number in 1..=20 {
            events.push(iteration(1, 0));
            events.extend(within.iter().filter(|(at, _)| *at == number).map(|&(_, event)| event));
        }
        events.push(Event::Leave { depth: 0 });
        counted(&events)[&1]
    }

    const WRITE: Event<'static> = Event::Write { place: 7 << 32 | 1 };

    #[test]
    fn what_follows_the_last_effect_is_counted() {
        let all = LoopEffects { instances: 1, iterations: 20, ..LoopEffects::default() };
        let without = LoopEffects { instances_without: 1, iterations_without: 20, ..all };
        assert_eq!(twenty(&[]), without);
        assert_eq!(twenty(&[(3, Event::Own), (3, WRITE)]), without);
        for effect in [WRITE, Event::Writes { place: 1, length: 2 }, Event::Effect { depth: 0 }] {
            let behind = |iterations_behind| LoopEffects { iterations_behind, ..all };
            assert_eq!(twenty(&[(1, effect)]), behind(19));
            assert_eq!(twenty(&[(3, effect), (5, effect)]), behind(15));
            assert_eq!(twenty(&[(20, effect)]), behind(0));
            assert_eq!(twenty(&[(5, Event::Own), (5, WRITE), (6, effect)]), behind(14));
        }
    }

    #[test]
    fn local_variables_matter_to_the_loops_of_their_method_alone() {
        let mut events = Vec::new();
        for _ in 0..10 {
            events.push(iteration(1, 0));
            for _ in 0..10 {
                events.extend([iteration(2, 1), Event::Effect { depth: 1 }]);
            }
            events.push(Event::Leave { depth: 1 });
        }
        events.push(Event::Leave { depth: 0 });
        let loops = counted(&events);
        assert_eq!((loops[&1].iterations_without, loops[&1].iterations), (10, 10));
        assert_eq!((loops[&2].iterations_behind, loops[&2].iterations), (0, 100));
    }

    #[test]
    fn what_is_written_before_a_loop_is_no_effect_of_it() {
        let mut events = vec![iteration(1, 0), WRITE];
        events.extend(vec![iteration(2, 1); 12]);
        events.push(Event::Leave { depth: 0 });
        let loops = counted(&events);
        assert_eq!(loops[&2].iterations_without, 12);
        assert!(!loops.contains_key(&1), "it has one iteration");
    }

    #[test]
    fn merged_iterations_count_and_loops_that_are_not_judged_do_not() {
        let merged = Event::Iteration { number: 1, node: 1, depth: 0, more: 11 };
        let end = Event::Leave { depth: 0 };
        let loops = counted(&[iteration(1, 0), WRITE, merged, end]);
        assert_eq!((loops[&1].iterations, loops[&1].iterations_behind), (13, 12));
        for number in [99, 100] {
            let event = Event::Iteration { number, node: 1, depth: 0, more: 11 };
            assert!(counted(&[event, end]).is_empty());
        }
    }
}
