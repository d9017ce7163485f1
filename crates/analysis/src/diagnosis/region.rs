//! Parts of a tree: whole subtrees, and contexts alone.

use std::ops::Range;

/// Contexts of a tree, as ranges of their numbers in ascending order, which do not overlap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Region {
    ranges: Vec<Range<u32>>,
}

/// Subtrees beside each other stay apart: each begins at its own context.
impl Region {
    /// The contexts in these ranges, which may overlap.
    pub fn new(mut ranges: Vec<Range<u32>>) -> Self {
        ranges.retain(|range| !range.is_empty());
        ranges.sort_by_key(|range| range.start);
        let mut united: Vec<Range<u32>> = Vec::with_capacity(ranges.len());
        for range in ranges {
            match united.last_mut().filter(|last| range.start < last.end) {
                Some(last) => last.end = last.end.max(range.end),
                None => united.push(range),
            }
        }
        Self { ranges: united }
    }

    /// The contexts in one range.
    pub fn of(range: Range<u32>) -> Self {
        Self { ranges: std::iter::once(range).filter(|range| !range.is_empty()).collect() }
    }

    /// What all these have.
    pub fn union(&self, other: &Self) -> Self {
        Self::new(self.ranges.iter().chain(&other.ranges).cloned().collect())
    }

    /// What both have.
    pub fn intersection(&self, other: &Self) -> Self {
        let (mut mine, mut others) = (self.ranges.iter(), other.ranges.iter());
        let (mut one, mut two) = (mine.next(), others.next());
        let mut ranges = Vec::new();
        while let (Some(a), Some(b)) = (one, two) {
            let common = a.start.max(b.start)..a.end.min(b.end);
            if !common.is_empty() {
                ranges.push(common);
            }
            if a.end < b.end {
                one = mine.next();
            } else {
                two = others.next();
            }
        }
        Self { ranges }
    }

    /// The ranges.
    pub fn ranges(&self) -> &[Range<u32>] {
        &self.ranges
    }

    /// The sum of a column over these contexts.
    pub fn sum(&self, sums: &Sums) -> u64 {
        self.ranges.iter().map(|range| sums.of(range)).sum()
    }
}

/// A column, so that sums of it over ranges are one difference each.
#[derive(Debug, Clone, Default)]
pub struct Sums {
    /// Of all contexts before each.
    before: Vec<u64>,
}

impl Sums {
    /// Of a column whose sum fits in 64 bits.
    pub fn new(column: &[u64]) -> Self {
        let mut before = Vec::with_capacity(column.len() + 1);
        before.push(0);
        let mut sum = 0u64;
        before.extend(column.iter().map(|&value| {
            sum = sum.saturating_add(value);
            sum
        }));
        Self { before }
    }

    /// Over a range; 0 where the column has no values.
    pub fn of(&self, range: &Range<u32>) -> u64 {
        let before = |at: u32| self.before.get(at as usize).copied().unwrap_or(0);
        before(range.end).saturating_sub(before(range.start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_united_and_cut() {
        let one = Region::new(vec![5..9, 1..3, 2..4, 9..10, 7..7, 6..8]);
        assert_eq!(one.ranges(), [1..4, 5..9, 9..10]);
        let other = Region::new(vec![3..6, 8..20]);
        assert_eq!(one.intersection(&other).ranges(), [3..4, 5..6, 8..9, 9..10]);
        assert_eq!(one.union(&other), Region::of(1..20));
        assert_eq!(one.intersection(&Region::default()), Region::default());
    }

    #[test]
    fn sums_count_each_context_once() {
        let sums = Sums::new(&[1, 10, 100, 1_000]);
        assert_eq!(Region::new(vec![1..3, 2..4]).sum(&sums), 1_110);
        assert_eq!(Region::default().sum(&sums), 0);
        assert_eq!(Sums::default().of(&(0..3)), 0);
    }
}
