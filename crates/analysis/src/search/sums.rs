//! What a run of contexts costs.

/// Running sums of a column: what any run of contexts costs.
#[derive(Debug)]
pub struct Sums(Vec<u64>);

impl Sums {
    /// The sums of a column that adds up to no more than 64 bits hold.
    pub fn new(costs: &[u64]) -> Self {
        let mut sum = 0;
        let sums = costs.iter().map(|cost| {
            sum += cost;
            sum
        });
        Self(std::iter::once(0).chain(sums).collect())
    }

    /// Cost of all contexts before `node`.
    pub fn before(&self, node: u32) -> u64 {
        self.0[node as usize]
    }
}
