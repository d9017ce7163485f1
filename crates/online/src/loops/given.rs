//! What the loops within an iteration are given: values from outside that they work with.
//!
//! A loop that reads the same data again computes the same again only if it is given
//! nothing new. All pairs of something read the same data for each element, and that
//! element is new to the inner loop: so are a local variable in which it lies, and an
//! instruction in the inner loop that reads one value all the time, which lay elsewhere in
//! the iteration before.

use super::events::Place;
use super::findings::LoopInContext;
use super::values::Value;

/// Inner loops of an instance that are looked at.
const MOST_INNER: usize = 64;
/// The golden ratio.
const HASH_FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// A number for some values, and one more. It is not 0.
pub fn with(values: u64, more: u64) -> u64 {
    (values.rotate_left(23) ^ more).wrapping_mul(HASH_FACTOR) | 1
}

/// Whether something that was new in so many iterations, of so many, is the rule.
pub fn is_rule(news: u64, iterations: u64) -> bool {
    2 * news >= iterations
}

#[derive(Debug)]
struct Inner {
    one: LoopInContext,
    /// What it was given in the current iteration, and in the last one before in which it
    /// was given anything; 0 for nothing.
    now: u64,
    before: u64,
    /// What it was given last in the current iteration; 0 for nothing yet. The same once
    /// more says nothing.
    last: u64,
    /// In how many iterations that was not the same.
    news: u64,
}

/// What the inner loops of a loop instance are given.
#[derive(Debug, Default)]
pub struct Given(Vec<Inner>);

impl Given {
    /// An inner loop is given these values, or one within that is.
    pub fn give(&mut self, one: LoopInContext, values: u64) {
        match self.0.iter().position(|inner| inner.one == one) {
            Some(at) => {
                let inner = &mut self.0[at];
                if inner.last != values {
                    (inner.now, inner.last) = (with(inner.now, values), values);
                }
            }
            None if self.0.len() < MOST_INNER => {
                let now = with(0, values);
                self.0.push(Inner { one, now, before: 0, last: values, news: 0 });
            }
            None => {}
        }
    }

    /// An iteration ends.
    #[inline]
    pub fn end_iteration(&mut self) {
        for inner in self.0.iter_mut().filter(|inner| inner.now != 0) {
            inner.news += u64::from(inner.before != 0 && inner.before != inner.now);
            (inner.before, inner.now, inner.last) = (inner.now, 0, 0);
        }
    }

    /// The inner loops that are given something new, as a rule, in so many iterations.
    pub fn new_in(&self, iterations: u64) -> impl Iterator<Item = LoopInContext> + '_ {
        let inner = self.0.iter().filter(move |inner| is_rule(inner.news, iterations));
        inner.map(|inner| inner.one)
    }
}

/// Sequences of one value that an IPCS has in the iterations of a loop. What counts is
/// where the value lies: all elements have a place of their own, and the size of a list
/// that grows has the same one.
#[derive(Debug, Default, Clone, Copy)]
pub struct Singles {
    /// Place of the last one; `None` before the first.
    last: Option<Place>,
    /// How often it was another one than before.
    pub changes: u32,
}

impl Singles {
    /// Of which the last one lay in this place.
    pub fn after(last: Option<Place>) -> Self {
        Self { last, changes: 0 }
    }

    /// The place of the value that these all have; `None` if there is but one of them, or if
    /// they say nothing: an array that was just made has zeros in it, or nulls.
    pub fn place_of(values: &[Value]) -> Option<Place> {
        let (value, place) = values.first()?.element;
        (values.len() > 1 && value != 0).then_some(place)
    }

    /// A value that is read more than once lies in this place.
    pub fn add(&mut self, place: Place) {
        self.changes += u32::from(self.last.is_some_and(|last| last != place));
        self.last = Some(place);
    }
}

#[cfg(test)]
mod tests {
    use super::super::budget::ACCESSES;
    use super::super::events::{Event, ipcs};
    use super::super::judge::Judge;
    use super::super::memory::Memory;
    use super::super::program::Program;
    use super::*;

    /// All loops are judged, and those within may search.
    struct Searching(bool);

    impl Program for Searching {
        fn is_judged(&self, _: LoopInContext) -> bool {
            true
        }

        fn copies_string(&self, _: u32) -> bool {
            false
        }

        fn searches(&self, one: LoopInContext) -> bool {
            self.0 && one.number == 2
        }

        fn is_method(&self, _: u32) -> bool {
            false
        }
    }

    /// Values read by a loop of 30 iterations, and those read again for nothing new: as
    /// many elements as `inner` says are read in each, and before each what `given` has.
    fn read_again(
        inner: impl Fn(u64) -> u64,
        given: impl Fn(u64, bool) -> Option<Event<'static>>,
        searches: bool,
    ) -> (u64, u64) {
        let mut words = Vec::new();
        for i in 0..30 {
            Event::Iteration { number: 1, node: 10, depth: 0, more: 0 }.encode(&mut words);
            given(i, false).into_iter().for_each(|event| event.encode(&mut words));
            for k in 0..inner(i) {
                Event::Iteration { number: 2, node: 10, depth: 1, more: 0 }.encode(&mut words);
                given(i, true).into_iter().for_each(|event| event.encode(&mut words));
                Event::Read { ipcs: ipcs(10, 5), value: k, place: 100 + k }.encode(&mut words);
            }
            Event::Leave { depth: 1 }.encode(&mut words);
        }
        let mut judge = Judge::new(Memory::new(1 << 30), ACCESSES, false);
        judge.take(&words, &Searching(searches));
        judge.end();
        let found = judge.findings.get(&LoopInContext { number: 1, node: 10 });
        found.map_or((0, 0), |found| (found.reads, found.repeated))
    }

    #[test]
    fn only_searches_are_redundant_for_something_new() {
        let all = |_| 20;
        let variable = |value: u64| Event::Given { part: 1, value };
        let nothing = |_: u64, _: bool| None;
        let local = |i: u64, is_inner: bool| (!is_inner).then(|| variable(i));
        // For a lambda.
        let captured = |value: u64| Event::Captured { part: 1, value };
        let capturing = |i: u64, is_inner: bool| (!is_inner).then(|| captured(i));
        let constant = |_: u64, is_inner: bool| (!is_inner).then(|| variable(7));
        // The element of an outer loop, and the size of a list that grows.
        let element = |place: fn(u64) -> u64| {
            move |i: u64, is_inner: bool| {
                let (ipcs, place) = (ipcs(10, 6), 1000 + place(i));
                is_inner.then_some(Event::Read { ipcs, value: i + 1, place })
            }
        };
        assert_eq!(read_again(all, nothing, false), (600, 600));
        assert_eq!(read_again(all, constant, false), (600, 600));
        assert_eq!(read_again(all, local, false), (600, 0));
        assert_eq!(read_again(all, local, true), (600, 600));
        assert_eq!(read_again(all, capturing, false), (600, 0));
        let same = |_: u64, is_inner: bool| (!is_inner).then(|| captured(7));
        assert_eq!(read_again(all, same, false), (600, 600));
        assert_eq!(read_again(all, element(|i| i), false), (600, 0));
        assert_eq!(read_again(all, element(|i| i), true), (600, 600));
        assert_eq!(read_again(all, element(|_| 0), false), (600, 600));
    }

    /// Thirty words that are found in another order, each once.
    #[test]
    fn searches_that_end_early_are_found() {
        let nothing = |_: u64, _: bool| None;
        let found = |i: u64| 1 + i * 11 % 30;
        // One of a single value does not count.
        assert_eq!(read_again(found, nothing, true), (464, 464));
        assert_eq!(read_again(|i| 1 + i % 6, nothing, true), (0, 0));
    }

    #[test]
    fn what_differs_from_the_iteration_before_is_new() {
        let one = |number| LoopInContext { number, node: 1 };
        let mut given = Given::default();
        for iteration in 0..10 {
            given.give(one(1), iteration);
            given.give(one(1), 7);
            given.give(one(2), 5);
            if iteration % 3 == 0 {
                given.give(one(3), iteration);
            }
            given.end_iteration();
        }
        assert_eq!(given.new_in(10).collect::<Vec<_>>(), [one(1)]);
        assert_eq!(given.new_in(19).count(), 0);
        assert_eq!(given.new_in(6).collect::<Vec<_>>(), [one(1), one(3)]);
        let mut singles = Singles::default();
        [3, 3, 4, 4, 3].into_iter().for_each(|value| singles.add(value));
        assert_eq!(singles.changes, 2);
    }
}
