//! The definitions taken literally: everything is kept, and judged when a loop is left.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::events::{Event, Events, Ipcs, Place, ipcs};
use super::findings::{Finding, LoopInContext, SimilarIpcs};
use super::similarity::tests::{are_similar, longest_common_substring};
use super::values::MOST_VALUES;

/// Values of one iteration by IPCS, each with its place.
type Iteration = BTreeMap<Ipcs, Vec<(u64, Place)>>;

/// What the loops within an iteration are given.
type Given = BTreeMap<LoopInContext, Vec<Vec<(u32, u64)>>>;

/// The repeated values of a finding of which two numbers are right: whether the first
/// change of an IPCS that reads one value is seen depends on when it is first looked at.
pub const EITHER: u64 = u64::MAX;

/// A loop instance.
#[derive(Debug)]
struct Instance {
    one: LoopInContext,
    iterations: Vec<Iteration>,
    /// In each of them.
    given: Vec<Given>,
    /// The loops within in which IPCSs read.
    inner: BTreeMap<Ipcs, LoopInContext>,
    /// Places written in the current iteration.
    written: Vec<Place>,
    has_inner: bool,
    /// Accesses before it.
    since: u64,
    /// Iterations that are not judged, if it rests.
    rests: Option<u64>,
}

/// Keeps all loop instances.
#[derive(Debug)]
pub struct Literal {
    stack: Vec<Instance>,
    /// What the next loop is given.
    given: Vec<(u32, u64)>,
    done: Vec<Instance>,
    /// Accesses for which a loop is judged.
    most: u64,
    /// Accesses so far.
    accesses: u64,
    /// Accesses in judged instances of each loop.
    spent: FxHashMap<LoopInContext, u64>,
}

impl Literal {
    pub fn new(most: u64) -> Self {
        let spent = FxHashMap::default();
        Self { stack: Vec::new(), given: Vec::new(), done: Vec::new(), most, accesses: 0, spent }
    }

    pub fn take(&mut self, words: &[u64]) {
        for event in Events(words) {
            for instance in self.stack.iter_mut().filter(|known| known.rests.is_none()) {
                let accesses = self.accesses - instance.since;
                let whole = instance.iterations.len() - 1;
                let is_enough = whole >= 10 || accesses >= self.most.saturating_mul(16);
                if accesses < self.most || !is_enough {
                    break;
                }
                instance.iterations.pop();
                instance.given.pop();
                instance.rests = Some(1);
                self.spent.insert(instance.one, self.most);
            }
            self.accesses += match event {
                Event::Read { .. } | Event::Write { .. } | Event::Writes { .. } => 1,
                Event::Copy { values, .. } => values.len() as u64,
                _ => 0,
            };
            match event {
                Event::Iteration { number, node, depth, more } => {
                    assert_eq!(more, 0, "literally, each is told by itself");
                    let one = LoopInContext { number, node };
                    let depth = depth as usize;
                    let goes_on = self.stack.get(depth).is_some_and(|known| known.one == one);
                    self.leave(depth + usize::from(goes_on));
                    let given = std::mem::take(&mut self.given);
                    if !goes_on {
                        if let Some(around) = self.stack.last_mut() {
                            around.has_inner = true;
                        }
                        let is_spent = self.spent.get(&one).is_some_and(|&all| all >= self.most);
                        self.stack.push(Instance {
                            one,
                            iterations: Vec::new(),
                            given: Vec::new(),
                            inner: BTreeMap::new(),
                            written: Vec::new(),
                            has_inner: false,
                            since: self.accesses,
                            rests: is_spent.then_some(0),
                        });
                        self.accesses += 1;
                        self.give(&given);
                    }
                    let instance = self.stack.last_mut().expect("it is there");
                    match &mut instance.rests {
                        Some(iterations) => *iterations += 1,
                        None => {
                            instance.iterations.push(Iteration::new());
                            instance.given.push(Given::new());
                        }
                    }
                    instance.written.clear();
                }
                Event::Leave { depth } => self.leave(depth as usize),
                Event::Read { ipcs, value, place } => self.read(ipcs, value, place),
                Event::Copy { ipcs, place, values, .. } => {
                    if let Some(around) = self.stack.last_mut() {
                        around.has_inner = true;
                    }
                    for (index, &value) in (0..).zip(values) {
                        self.read(ipcs, value, place + index);
                    }
                }
                Event::Write { place } => self.write(place),
                Event::Writes { place, length } => {
                    (0..length).for_each(|index| self.write(place + u64::from(index)));
                }
                Event::Given { part, value } => self.given.push((part, value)),
                // Random events have no lambdas.
                Event::Effect { .. } | Event::Own | Event::Captured { .. } => {}
            }
        }
    }

    /// The innermost loop is given this by those around it.
    fn give(&mut self, given: &[(u32, u64)]) {
        if given.is_empty() {
            return;
        }
        let ones: Vec<LoopInContext> = self.stack.iter().map(|known| known.one).collect();
        for (instance, &inner) in self.stack.iter_mut().zip(&ones[1..]) {
            if let Some(now) = instance.given.last_mut() {
                let known = now.entry(inner).or_default();
                if known.last().is_none_or(|last| last != given) {
                    known.push(given.to_vec());
                }
            }
        }
    }

    fn read(&mut self, ipcs: Ipcs, value: u64, place: Place) {
        let ones: Vec<LoopInContext> = self.stack.iter().map(|known| known.one).collect();
        let judged = self.stack.iter_mut().enumerate().filter(|(_, known)| known.rests.is_none());
        for (at, instance) in judged.filter(|(_, known)| !known.written.contains(&place)) {
            if let Some(&inner) = ones.get(at + 1) {
                instance.inner.insert(ipcs, inner);
            }
            let iteration = instance.iterations.last_mut().expect("an iteration goes on");
            iteration.entry(ipcs).or_default().push((value, place));
        }
    }

    fn write(&mut self, place: Place) {
        self.stack.iter_mut().for_each(|instance| instance.written.push(place));
    }

    fn leave(&mut self, depth: usize) {
        while self.stack.len() > depth {
            let Some(left) = self.stack.pop() else { break };
            let is_alone = self.stack.iter().all(|around| around.rests.is_some());
            if left.rests.is_none() && (left.has_inner || is_alone) {
                *self.spent.entry(left.one).or_default() += self.accesses - left.since;
            }
            self.done.push(left);
        }
    }

    /// What is to be reported, and how many iterations of loops are not judged.
    pub fn findings(
        mut self,
    ) -> (FxHashMap<LoopInContext, Finding>, FxHashMap<LoopInContext, u64>) {
        self.leave(0);
        let mut resting = FxHashMap::default();
        for instance in &self.done {
            if let Some(iterations) = instance.rests {
                *resting.entry(instance.one).or_default() += iterations;
            }
        }
        let mut findings: FxHashMap<LoopInContext, Finding> = FxHashMap::default();
        for instance in self.done.iter().filter(|known| known.iterations.len() >= 10) {
            assert!(instance.has_inner || instance.finding().similar.is_empty());
            let finding = instance.finding();
            if !finding.similar.is_empty() {
                findings.entry(instance.one).or_default().add(finding);
            }
        }
        (findings, resting)
    }
}

impl Instance {
    /// Loops within that are given something new as a rule, if so many changes more are
    /// counted of IPCSs that read one value.
    fn renewed(&self, more: usize) -> Vec<LoopInContext> {
        let rule = |news: usize| 2 * news >= self.iterations.len();
        let mut renewed = Vec::new();
        let inner: BTreeSet<LoopInContext> =
            self.given.iter().flatten().map(|one| *one.0).collect();
        for one in inner {
            let given: Vec<_> = self.given.iter().filter_map(|now| now.get(&one)).collect();
            if rule(given.windows(2).filter(|pair| pair[0] != pair[1]).count()) {
                renewed.push(one);
            }
        }
        for (ipcs, &inner) in &self.inner {
            let sequences = self.iterations.iter().filter_map(|iteration| iteration.get(ipcs));
            let singles = sequences.filter(|one| {
                one.len() > 1 && one[0].0 != 0 && one.iter().all(|&(value, _)| value == one[0].0)
            });
            let places: Vec<Place> = singles.map(|one| one[0].1).collect();
            let changes = places.windows(2).filter(|pair| pair[0] != pair[1]).count();
            if changes > 0 && rule(changes - 1 + more) {
                renewed.push(inner);
            }
        }
        renewed.sort_unstable();
        renewed.dedup();
        renewed
    }

    fn finding(&self) -> Finding {
        let [renewed, less] = [1, 0].map(|more| self.renewed(more));
        let mut is_either = false;
        let iterations = self.iterations.len();
        let mut finding =
            Finding { reported: 1, iterations: iterations as u64, ..Finding::default() };
        let mut all: Vec<Ipcs> = self.iterations.iter().flat_map(|it| it.keys()).copied().collect();
        all.sort_unstable();
        all.dedup();
        for ipcs in all {
            let sequences: Vec<&Vec<(u64, Place)>> = self
                .iterations
                .iter()
                .filter_map(|iteration| iteration.get(&ipcs))
                .filter(|sequence| sequence.iter().any(|one| one.0 != sequence[0].0))
                .collect();
            let reads = |sequence: &Vec<_>| sequence.len() as u64;
            let compared = |sequence: &Vec<(u64, Place)>| -> Vec<(u64, Place)> {
                sequence.iter().take(MOST_VALUES).copied().collect()
            };
            let values = |sequence: &Vec<(u64, Place)>| -> Vec<u64> {
                sequence.iter().take(MOST_VALUES).map(|&(value, _)| value).collect()
            };
            let mut counts = SimilarIpcs {
                reported: 1,
                sequences: sequences.len() as u64,
                reads: sequences.iter().copied().map(reads).sum(),
                truncated: sequences.iter().filter(|one| one.len() > MOST_VALUES).count() as u64,
                ..SimilarIpcs::default()
            };
            finding.reads += counts.reads;
            let mut same_places = 0;
            let next = sequences.windows(2);
            let next = next.filter(|pair| are_similar(&values(pair[0]), &values(pair[1]))).count();
            let long: Vec<_> = sequences.iter().copied().filter(|one| one.len() >= 7).collect();
            for pair in long.windows(2) {
                let (one, other) = (values(pair[0]), values(pair[1]));
                if are_similar(&one, &other) {
                    counts.similar += 1;
                    counts.wasted += reads(pair[1]);
                    let run = longest_common_substring(&one, &other) as f64;
                    counts.ratios += run / one.len().min(other.len()) as f64;
                    same_places += u64::from(are_similar(&compared(pair[0]), &compared(pair[1])));
                }
            }
            let long_reads: u64 = long.iter().copied().map(reads).sum();
            let are_many = sequences.len() >= 2 && sequences.len() * 100 >= iterations * 45;
            let is_similar = are_many && next * 100 >= (sequences.len() - 1) * 70;
            let same_places = are_many
                && long.len() >= 2
                && long.len() * 10_000 >= iterations * 45 * 70
                && long_reads * 100 >= counts.reads * 70
                && same_places * 100 >= (long.len() as u64 - 1) * 70;
            if same_places {
                let is_inherent = |renewed: &[_]| {
                    self.inner.get(&ipcs).is_some_and(|inner| renewed.contains(inner))
                };
                is_either |= is_inherent(&renewed) != is_inherent(&less);
                finding.repeated += if is_inherent(&renewed) { 0 } else { counts.reads };
            }
            if is_similar || same_places {
                counts.same_places = same_places.into();
                finding.wasted += counts.wasted;
                finding.similar.insert(ipcs, counts);
            }
        }
        if is_either {
            finding.repeated = EITHER;
        }
        finding
    }
}

/// Events of a thread in loops within loops, of which many read the same again.
pub fn random_events(seed: u64) -> Vec<u64> {
    let mut state = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    let mut words = Vec::new();
    nest(&mut random, 0, &mut words);
    nest(&mut random, 0, &mut words);
    words
}

fn nest(random: &mut impl FnMut(u64) -> u64, depth: u32, words: &mut Vec<u64>) {
    const OBJECTS: u64 = 1 << 32;
    let number = depth + 10 * random(2) as u32;
    let iterations = [3, 12, 25][random(3) as usize];
    // What an iteration does, the same in most.
    let reads = 8 + random(10);
    let shift = random(4);
    let writes = random(5) == 0;
    let has_inner = depth < 3 && random(4) > 0;
    let has_copy = random(3) == 0;
    let sometimes = 1 + random(3);
    let copied = 1 + random(3);
    // What it is given, and how often that is new.
    let given = [0, 1, 4][random(3) as usize];
    for iteration in 0..iterations {
        Event::Iteration { number, node: 3, depth, more: 0 }.encode(words);
        if writes {
            Event::Writes { place: OBJECTS + 3, length: 2 }.encode(words);
            Event::Write { place: OBJECTS + 1 }.encode(words);
        }
        // The context of a read has the loops around it.
        let context = 100 * depth + number;
        for index in 0..reads {
            let depth = depth + 1;
            if given > 0 && index == 0 {
                Event::Given { part: 1, value: iteration / given }.encode(words);
            }
            Event::Iteration { number: 50, node: 3, depth, more: 0 }.encode(words);
            let at = index + if random(8) == 0 { shift * iteration } else { 0 };
            let read = Event::Read { ipcs: ipcs(context, 1), value: at, place: OBJECTS + at };
            read.encode(words);
            if random(3) == 0 {
                let value = at % 2;
                let place = 2 * OBJECTS + random(3);
                Event::Read { ipcs: ipcs(context, 2), value, place }.encode(words);
            }
        }
        if has_copy && random(sometimes) == 0 {
            // Now and then, some of it, or a long range, was written before or is behind.
            for length in [3, 20, 100] {
                let place = 3 * OBJECTS + 7 * random(3);
                if random(12) == 0 {
                    Event::Writes { place, length }.encode(words);
                }
            }
            let values: Vec<u64> = (0..reads * copied + 2).collect();
            let place = 3 * OBJECTS + iteration % 2 * 5;
            Event::Copy { ipcs: ipcs(context, 3), place, values: &values, left: 0 }.encode(words);
        }
        if has_inner && random(sometimes) == 0 {
            nest(random, depth + 1, words);
            if random(2) == 0 {
                Event::Leave { depth: depth + 1 }.encode(words);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figure 3 gives the sequences that the paper prints.
    #[test]
    fn the_paper_s_events_give_its_sequences() {
        let mut words = Vec::new();
        let iteration = |number: u32, reads: &[(u32, u64)], words: &mut Vec<u64>| {
            Event::Iteration { number, node: 1, depth: number - 1, more: 0 }.encode(words);
            for &(at, value) in reads {
                Event::Read { ipcs: ipcs(1, at), value, place: value }.encode(words);
            }
        };
        iteration(1, &[(1, 1)], &mut words);
        iteration(2, &[(2, 2)], &mut words);
        iteration(2, &[(2, 3), (3, 4)], &mut words);
        iteration(2, &[(3, 5)], &mut words);
        iteration(2, &[(2, 6), (3, 7)], &mut words);
        Event::Leave { depth: 1 }.encode(&mut words);
        iteration(1, &[], &mut words);
        iteration(2, &[(2, 8)], &mut words);
        iteration(2, &[(2, 9), (3, 10)], &mut words);
        iteration(2, &[(2, 11), (3, 12)], &mut words);
        iteration(2, &[(3, 13)], &mut words);
        Event::Leave { depth: 1 }.encode(&mut words);
        for (at, value) in [(4, 14), (5, 15)] {
            Event::Read { ipcs: ipcs(1, at), value, place: value }.encode(&mut words);
        }
        let mut literal = Literal::new(u64::MAX);
        literal.take(&words);
        literal.leave(0);
        let sequences = |instance: &Instance| -> Vec<Vec<(u32, Vec<u64>)>> {
            let of = |it: &Iteration| {
                let values = |list: &Vec<(u64, u64)>| list.iter().map(|one| one.0).collect();
                it.iter().map(|(&ipcs, list)| (ipcs as u32, values(list))).collect()
            };
            instance.iterations.iter().map(of).collect()
        };
        let outer = literal.done.iter().find(|known| known.one.number == 1).expect("it is");
        assert_eq!(
            sequences(outer),
            [
                vec![(1, vec![1]), (2, vec![2, 3, 6]), (3, vec![4, 5, 7])],
                vec![(2, vec![8, 9, 11]), (3, vec![10, 12, 13]), (4, vec![14]), (5, vec![15])],
            ]
        );
        let inner = literal.done.iter().find(|known| known.one.number == 2).expect("it is");
        let of_2: Vec<_> =
            sequences(inner).into_iter().flatten().filter(|one| one.0 == 2).collect();
        assert_eq!(of_2, [(2, vec![2]), (2, vec![3]), (2, vec![6])]);
    }
}
