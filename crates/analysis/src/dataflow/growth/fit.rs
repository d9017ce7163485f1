//! The exponent of a loop's cost over its size: the slope of a straight line through the
//! logarithms of both, by least squares.

use base::number::grouped;
use profile::dataflow::GrowthPoint;

/// From this exponent on a loop counts as steep.
pub const STEEP: f64 = 1.7;
/// Sizes that an exponent needs.
pub const LEAST_SIZES: usize = 5;
/// How many times the least size the greatest one must be.
pub const LEAST_RANGE: f64 = 8.0;
/// How much of the costs' differences sizes must explain in a steep loop (R²).
const LEAST_FIT: f64 = 0.9;
/// The least greatest size of a steep loop: with less, a quadratic algorithm may well be
/// the best one, such as insertion in the JDK's sort.
pub const LEAST_GREATEST: f64 = 100.0;
/// Sizes that the upper half of the range needs in a steep loop.
const LEAST_UPPER_SIZES: usize = 3;

/// A line through the points of a loop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// Its slope, the exponent.
    pub exponent: f64,
    /// R², the share of the costs' variance that it explains, of logarithms.
    pub r_squared: f64,
    /// The exponent of the upper half of the range, where there are enough sizes: the
    /// constant parts of size and cost count less there.
    pub upper: Option<f64>,
    /// How many sizes there are.
    pub sizes: usize,
    /// The least size.
    pub least: f64,
    /// The greatest one.
    pub greatest: f64,
    /// The mean cost there.
    pub cost: f64,
}

impl Fit {
    /// Through the mean costs of these sizes, which ascend. Sizes and costs of 0 have no
    /// logarithm and do not count. `None` if there are too few sizes.
    pub fn new(points: &[GrowthPoint]) -> Option<Self> {
        let points: Vec<(f64, f64)> = points
            .iter()
            .map(|point| (point.size(), point.cost()))
            .filter(|&(size, cost)| size > 0.0 && cost > 0.0)
            .collect();
        let (&(least, _), &(greatest, cost)) = (points.first()?, points.last()?);
        if points.len() < LEAST_SIZES || greatest < LEAST_RANGE * least {
            return None;
        }
        let middle = (least * greatest).sqrt();
        let upper = &points[points.partition_point(|&(size, _)| size < middle)..];
        let (exponent, r_squared) = line(&points);
        let upper = (upper.len() >= LEAST_UPPER_SIZES).then(|| line(upper).0);
        Some(Self { exponent, r_squared, upper, sizes: points.len(), least, greatest, cost })
    }

    /// Whether the cost grows nearly quadratically or faster, also in the upper half of
    /// the range, and the line fits.
    pub fn is_steep(&self) -> bool {
        self.exponent >= STEEP
            && self.upper.is_some_and(|upper| upper >= STEEP)
            && self.r_squared >= LEAST_FIT
            && self.greatest >= LEAST_GREATEST
    }

    /// What it says, as a sentence without its beginning and its end.
    pub fn sentence(&self) -> String {
        format!(
            "with {} elements it reads {} values, with exponent {:.2} ({} sizes)",
            grouped(self.greatest.round() as u64),
            grouped(self.cost.round() as u64),
            self.exponent,
            self.sizes
        )
    }
}

/// The slope of the line through the logarithms of points of at least two sizes, and R².
fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len() as f64;
    let logarithms = || points.iter().map(|&(size, cost)| (size.ln(), cost.ln()));
    let (x_sum, y_sum) = logarithms().fold((0.0, 0.0), |sum, (x, y)| (sum.0 + x, sum.1 + y));
    let (x_mean, y_mean) = (x_sum / count, y_sum / count);
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in logarithms().map(|(x, y)| (x - x_mean, y - y_mean)) {
        (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y);
    }
    let slope = if xx > 0.0 { xy / xx } else { 0.0 };
    // Costs that are all the same are on a line.
    let r_squared = if yy > 1e-12 && xx > 0.0 { xy * xy / (xx * yy) } else { 1.0 };
    (slope, r_squared)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(sizes: &[u64], cost: impl Fn(u64) -> u64) -> Option<Fit> {
        let points: Vec<_> = sizes.iter().map(|&size| GrowthPoint::of(size, cost(size))).collect();
        Fit::new(&points)
    }

    const SIZES: [u64; 7] = [10, 20, 40, 80, 120, 160, 200];

    #[test]
    fn powers_have_their_exponents() {
        for (power, is_steep) in [(1, false), (2, true), (3, true)] {
            let fit = fit(&SIZES, |size| size.pow(power)).expect("is enough");
            assert!((fit.exponent - f64::from(power)).abs() < 1e-9, "{fit:?}");
            assert!((fit.r_squared - 1.0).abs() < 1e-9, "{fit:?}");
            assert_eq!(fit.is_steep(), is_steep);
            assert_eq!((fit.sizes, fit.least, fit.greatest), (7, 10.0, 200.0));
            assert_eq!(fit.cost, 200f64.powi(power as i32));
        }
        let constant = fit(&SIZES, |_| 9).expect("is enough");
        assert_eq!((constant.exponent, constant.r_squared), (0.0, 1.0));
    }

    #[test]
    fn sorting_is_not_steep() {
        let sort = fit(&SIZES, |size| size * (64 - size.leading_zeros()) as u64);
        let sort = sort.expect("is enough");
        assert!(sort.exponent > 1.1 && sort.exponent < 1.5 && !sort.is_steep(), "{sort:?}");
    }

    /// What a loop reads once and again makes a short range steep at its lower end.
    #[test]
    fn constant_parts_do_not_make_a_loop_steep() {
        let sizes = [6, 8, 12, 20, 40, 80, 120];
        let linear = fit(&sizes, |size| 1 + 40 * (size - 6)).expect("is enough");
        assert!(linear.exponent > 1.7 && !linear.is_steep(), "{linear:?}");
    }

    #[test]
    fn few_sizes_narrow_ranges_and_small_inputs_say_nothing() {
        assert_eq!(fit(&[10, 20, 40, 160], |size| size), None);
        assert_eq!(fit(&[10, 20, 30, 40, 79], |size| size), None);
        let small = fit(&[5, 10, 20, 40, 80], |size| size * size).expect("is enough");
        assert!(small.exponent > 1.9 && !small.is_steep());
    }

    #[test]
    fn costs_that_sizes_do_not_explain_are_not_steep() {
        let scattered =
            fit(&SIZES, |size| size.pow(2) * if size.is_multiple_of(80) { 900 } else { 1 });
        let scattered = scattered.expect("is enough");
        assert!(scattered.r_squared < 0.9 && !scattered.is_steep(), "{scattered:?}");
    }
}
