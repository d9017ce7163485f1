//! How much of a cost few methods explain: Figure 5 of the paper.

/// Numbers of methods whose share is given.
pub const FIRST: [usize; 3] = [1, 5, 10];

/// Cost of the 1, 5 and 10 most costly methods together.
pub fn concentration(costs: impl Iterator<Item = u64>) -> [u64; FIRST.len()] {
    let mut costs: Vec<u64> = costs.collect();
    costs.sort_unstable_by(|a, b| b.cmp(a));
    FIRST.map(|first| costs.iter().take(first).sum())
}

#[cfg(test)]
mod tests {
    use super::concentration;

    #[test]
    fn few_methods() {
        assert_eq!(concentration([1, 5, 3].into_iter()), [5, 9, 9]);
        assert_eq!(concentration((1..=20).rev()), [20, 90, 155]);
    }
}
