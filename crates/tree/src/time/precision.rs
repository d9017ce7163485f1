//! How far a share of samples may be off.

/// Half of the width of an interval that has 95 % of a normal distribution, in standard
/// deviations.
const DEVIATIONS: f64 = 1.96;

/// Fewer samples do not tell places apart.
pub const FEWEST: u64 = 100;

/// By how much the share `part / whole` of samples may be off, with a probability of 95 %:
/// half of the width of Wilson's interval, a share itself. It is 1 without samples.
///
/// Samples count as independent of each other. Whether two runs do the same is not in it.
pub fn error(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        return 1.0;
    }
    let (n, z) = (whole as f64, DEVIATIONS);
    let p = part as f64 / n;
    z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt()
}

/// By how much the difference of two shares may be off, with the same probability.
pub fn error_of_difference(before: (u64, u64), after: (u64, u64)) -> f64 {
    error(before.0, before.1).hypot(error(after.0, after.1))
}

/// By how much the difference of two numbers of samples may be off, with the same probability.
pub fn error_of_counts(before: u64, after: u64) -> f64 {
    DEVIATIONS * (before as f64 + after as f64).sqrt()
}

/// Sorts by samples, the most first. Neighbours whose difference the error swallows are in
/// the order of `exact`, the greatest first: entries whose share differs from that of the first
/// of them by less than the error of the difference.
pub fn sort_by_samples<T>(
    rows: &mut [T],
    total: u64,
    samples: impl Fn(&T) -> u64,
    exact: impl Fn(&T) -> u64,
) {
    let key = |row: &T| std::cmp::Reverse((samples(row), exact(row)));
    rows.sort_by_key(key);
    let mut rest = rows;
    while let Some(first) = rest.first() {
        let first = samples(first);
        let is_close = |row: &T| {
            let difference = (first - samples(row)) as f64 / total.max(1) as f64;
            difference <= error_of_difference((first, total), (samples(row), total))
        };
        let close = rest.iter().take_while(|row| is_close(row)).count().max(1);
        let (same, others) = rest.split_at_mut(close);
        same.sort_by_key(|row| std::cmp::Reverse((exact(row), samples(row))));
        rest = others;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_by_hand() {
        // Wilson's interval for 8 of 10 is from 0.490 to 0.943.
        assert!((error(8, 10) - (0.9433 - 0.4902) / 2.0).abs() < 1e-3);
        assert!((error(0, 10) - 0.2775 / 2.0).abs() < 1e-3);
        assert!((error(0, 0) - 1.0).abs() < 1e-12);
        // For large numbers it is the usual one.
        let usual = 1.96 * (0.2f64 * 0.8 / 1e6).sqrt();
        assert!((error(200_000, 1_000_000) / usual - 1.0).abs() < 1e-4);
        assert!(error(u64::MAX, u64::MAX) < 1e-9);
    }

    #[test]
    fn what_the_error_swallows_is_no_order() {
        // 30, 28 and 27 of 100 cannot be told apart, 2 and 1 neither.
        let mut rows = vec![(1, 9), (2, 1), (27, 5), (28, 7), (30, 6)];
        sort_by_samples(&mut rows, 100, |row| row.0, |row| row.1);
        assert_eq!(rows, [(28, 7), (30, 6), (27, 5), (1, 9), (2, 1)]);
        // With a thousand times as many they can.
        let mut rows = vec![(1_000, 9), (2_000, 1), (27_000, 5), (28_000, 7), (30_000, 6)];
        sort_by_samples(&mut rows, 100_000, |row| row.0, |row| row.1);
        assert_eq!(rows.map_first(), [30_000, 28_000, 27_000, 2_000, 1_000]);
        let mut none: Vec<(u64, u64)> = Vec::new();
        sort_by_samples(&mut none, 0, |row| row.0, |row| row.1);
    }

    trait First {
        fn map_first(&self) -> Vec<u64>;
    }
    impl First for Vec<(u64, u64)> {
        fn map_first(&self) -> Vec<u64> {
            self.iter().map(|row| row.0).collect()
        }
    }
}
