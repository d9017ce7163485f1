//! Numbers at random: the same seed gives the same numbers on every machine, so that
//! a failure can be repeated.

/// The generator SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), and its state: the
/// seed at first.
#[derive(Debug, Clone)]
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    #[allow(clippy::should_implement_trait, reason = "it never ends, and is not an iterator")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`, or 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    /// An index below `bound`, or 0.
    pub fn index(&mut self, bound: usize) -> usize {
        self.below(bound as u64) as usize
    }

    /// A byte.
    pub fn byte(&mut self) -> u8 {
        self.next() as u8
    }

    /// A number of up to `bits` bits: small ones often, large ones seldom, as costs are.
    pub fn skewed(&mut self, bits: u32) -> u64 {
        let bits = self.below(u64::from(bits)) + 1;
        self.next() >> (64 - bits)
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    /// The first numbers of seed 1234567, as the authors' code gives them.
    #[test]
    fn the_sequence_is_that_of_splitmix64() {
        let mut random = Random(1_234_567);
        let first = [random.next(), random.next(), random.next()];
        assert_eq!(first, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }
}
