//! A set of contexts that knows the cost of what is put into it for the first
//! time, and can be put back to what it was.

use super::sums::Sums;

/// One bit for each context, in preorder, so that a subtree is a run of bits.
#[derive(Debug, Default)]
pub struct Marks {
    words: Vec<u64>,
    /// Words that were changed, with what they held before.
    journal: Vec<(u32, u64)>,
}

const BITS: u32 = u64::BITS;

impl Marks {
    /// An empty set of contexts with numbers below `len`.
    pub fn new(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(BITS as usize)], journal: Vec::new() }
    }

    /// The state to go [`back`](Self::back) to.
    pub fn here(&self) -> usize {
        self.journal.len()
    }

    /// Takes out what was put in since `here`.
    pub fn back(&mut self, here: usize) {
        for (word, before) in self.journal.drain(here..).rev() {
            self.words[word as usize] = before;
        }
    }

    /// Puts a context in; false if it was there.
    pub fn insert(&mut self, node: u32) -> bool {
        let (word, bit) = (node / BITS, 1 << (node % BITS));
        let before = self.words[word as usize];
        if before & bit != 0 {
            return false;
        }
        self.journal.push((word, before));
        self.words[word as usize] = before | bit;
        true
    }

    /// Puts the contexts from `start` to before `end` in. Returns the cost of
    /// those that were not there.
    pub fn insert_run(&mut self, start: u32, end: u32, sums: &Sums) -> u64 {
        let mut added = 0;
        let mut at = start;
        while at < end {
            let word = at / BITS;
            let stop = end.min((word + 1) * BITS);
            let wanted = (u64::MAX >> (BITS - (stop - at))) << (at % BITS);
            let before = self.words[word as usize];
            let mut new = wanted & !before;
            if new != 0 {
                self.journal.push((word, before));
                self.words[word as usize] = before | wanted;
            }
            // Runs of contexts that are new, the last one first.
            while new != 0 {
                let high = BITS - new.leading_zeros();
                let below = new << (BITS - high);
                let low = high - (!below).leading_zeros().min(high);
                let base = word * BITS;
                added += sums.before(base + high) - sums.before(base + low);
                new &= !(u64::MAX << low);
            }
            at = stop;
        }
        added
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_count_what_is_new_and_come_out_again() {
        let costs: Vec<u64> = (0..200).map(|n| n * n + 1).collect();
        let sums = Sums::new(&costs);
        let cost = |nodes: &mut dyn Iterator<Item = usize>| nodes.map(|n| costs[n]).sum::<u64>();
        let mut marks = Marks::new(costs.len());
        assert!(marks.insert(70) && marks.insert(64) && !marks.insert(70));
        let here = marks.here();
        for _ in 0..2 {
            let new = cost(&mut (3..130).filter(|&n| n != 70 && n != 64));
            assert_eq!(marks.insert_run(3, 130, &sums), new);
            assert_eq!(marks.insert_run(0, 128, &sums), cost(&mut (0..3)));
            assert_eq!(marks.insert_run(0, 200, &sums), cost(&mut (130..200)));
            assert_eq!(marks.insert_run(199, 199, &sums), 0);
            marks.back(here);
        }
        marks.back(0);
        assert_eq!(marks.insert_run(0, 200, &sums), cost(&mut (0..200)));
    }
}
