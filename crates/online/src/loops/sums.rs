//! What was counted of IPCSs in loop instances.

use super::events::Place;
use super::findings::SimilarIpcs;
use super::given::Singles;
use super::similarity::{LEAST_RUN, common_run};
use super::values::{MOST_VALUES, Value};

/// What is known of an IPCS in a loop instance.
#[derive(Debug, Default)]
pub struct Sums {
    /// The last sequence that was long enough to be similar to another.
    before: Vec<Value>,
    /// Whether it was the last one.
    is_next: bool,
    /// How many there were.
    pub long: u64,
    /// The values in them.
    pub long_reads: u64,
    /// Pairs of consecutive sequences that are similar.
    pub similar_next: u64,
    /// What was counted.
    pub counts: SimilarIpcs,
    /// Pairs of long ones, with shorter ones in between or not, that are similar also when
    /// places are compared.
    pub similar_places: u64,
}

impl Sums {
    /// Adds a sequence of different values, of which these are the first.
    fn add(&mut self, sequence: &[Value], reads: u64) {
        let counts = &mut self.counts;
        counts.sequences += 1;
        counts.reads += reads;
        counts.truncated += u64::from(reads > sequence.len() as u64);
        let is_next = std::mem::replace(&mut self.is_next, sequence.len() >= LEAST_RUN);
        if sequence.len() < LEAST_RUN {
            return;
        }
        self.long += 1;
        self.long_reads += reads;
        let same = |(one, other): (&Value, &Value)| one.element == other.element;
        if self.before.len() == sequence.len() && self.before.iter().zip(sequence).all(same) {
            counts.similar += 1;
            counts.wasted += reads;
            counts.ratios += 1.0;
            self.similar_next += u64::from(is_next);
            self.similar_places += 1;
            return;
        }
        if let Some(run) = common_run(&self.before, sequence, |value| value.element.0) {
            let shorter = self.before.len().min(sequence.len());
            counts.similar += 1;
            counts.wasted += reads;
            counts.ratios += run as f64 / shorter as f64;
            self.similar_next += u64::from(is_next);
            let same = common_run(&self.before, sequence, |value| value.element);
            self.similar_places += u64::from(same.is_some());
        }
        self.before.clear();
        self.before.extend_from_slice(sequence);
    }
}

/// Sums by number, from 1 on. Those that are not needed any more keep their memory for
/// others.
#[derive(Debug, Default)]
pub struct AllSums {
    all: Vec<Sums>,
    free: Vec<u32>,
    /// Bytes that were allocated and nobody has counted.
    pub grown: usize,
    /// The values that count, where others lie between them.
    counting: Vec<Value>,
}

impl AllSums {
    /// The sums of this number.
    pub fn get(&self, number: u32) -> Option<&Sums> {
        self.all.get((number as usize).wrapping_sub(1))
    }

    /// They are not needed any more.
    pub fn free(&mut self, number: u32) {
        if let Some(sums) = self.all.get_mut((number as usize).wrapping_sub(1)) {
            sums.before.clear();
            *sums = Sums { before: std::mem::take(&mut sums.before), ..Sums::default() };
            self.free.push(number);
        }
    }

    /// Adds a sequence to the sums of this number; 0 stands for none yet. The result is
    /// their number, still 0 if all values are the same, and the place of the value if it was
    /// read more than once and no other. Of the values only those that count for this loop are in
    /// the sequence; for no loop, they all are. `dropped` counts those that were left out.
    pub fn add(
        &mut self,
        number: u32,
        values: &[Value],
        counts_for: Option<usize>,
        dropped: u32,
    ) -> (u32, Option<Place>) {
        let mut counting = std::mem::take(&mut self.counting);
        let mut reads = u64::from(dropped);
        let compared = match counts_for {
            None => {
                reads += values.len() as u64;
                &values[..values.len().min(MOST_VALUES)]
            }
            Some(level) => {
                counting.clear();
                for value in values.iter().filter(|value| value.counts_from() <= level) {
                    reads += 1;
                    if counting.len() < MOST_VALUES {
                        counting.push(*value);
                    }
                }
                &counting
            }
        };
        let is_single =
            |first: &Value| compared.iter().all(|value| value.element.0 == first.element.0);
        let mut single = None;
        let number = match compared.first() {
            Some(first) if is_single(first) => {
                single = Singles::place_of(compared);
                number
            }
            Some(_) => {
                let number = if number == 0 { self.allocate() } else { number };
                if let Some(sums) = self.all.get_mut(number as usize - 1) {
                    let before = sums.before.capacity();
                    sums.add(compared, reads);
                    self.grown += (sums.before.capacity() - before) * size_of::<Value>();
                }
                number
            }
            None => number,
        };
        self.counting = counting;
        (number, single)
    }

    fn allocate(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.all.push(Sums::default());
            self.grown += size_of::<Sums>();
            self.all.len() as u32
        })
    }
}
