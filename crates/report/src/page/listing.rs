//! Which methods a page lists, and by which numbers it knows them.

/// The methods on a page. They are numbered in the order of their inclusive
/// costs, so the numbers that appear most often are the shortest ones.
#[derive(Debug)]
pub struct Listing<'a> {
    /// The methods listed.
    pub listed: &'a [u32],
    /// The rest of them.
    pub left_out: &'a [u32],
    number_of: Vec<Option<u32>>,
}

impl<'a> Listing<'a> {
    /// Lists the first `count` of the methods in `order`, out of a table of
    /// `methods`.
    pub fn new(order: &'a [u32], count: usize, methods: usize) -> Self {
        let (listed, left_out) = order.split_at(count.min(order.len()));
        let mut number_of = vec![None; methods];
        for (number, &method) in (0..).zip(listed) {
            number_of[method as usize] = Some(number);
        }
        Self { listed, left_out, number_of }
    }

    /// The number of a method; `None` if it is not listed.
    pub fn number(&self, method: u32) -> Option<u32> {
        self.number_of[method as usize]
    }
}
