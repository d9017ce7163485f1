//! Costs over sizes as a row of bars.

use profile::dataflow::GrowthPoint;

/// How many bars there are.
const BARS: usize = 12;
/// Bars of an eighth to the full height.
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Where there is no size.
const NONE: char = '·';

/// The mean costs of these sizes, from 0 to the greatest: a straight rise is linear, a
/// bent one more than that.
pub fn picture(points: &[GrowthPoint]) -> String {
    let greatest = points.iter().map(GrowthPoint::size).fold(0.0, f64::max);
    let mut bars: [Option<GrowthPoint>; BARS] = [None; BARS];
    for point in points.iter().filter(|point| point.size() > 0.0) {
        let at = (point.size() / greatest * BARS as f64).ceil() as usize;
        match &mut bars[at.clamp(1, BARS) - 1] {
            Some(known) => known.add(point),
            free => *free = Some(*point),
        }
    }
    let highest = bars.iter().flatten().map(GrowthPoint::cost).fold(0.0, f64::max);
    let bar = |point: &Option<GrowthPoint>| {
        let Some(point) = point else { return NONE };
        let eighths = (point.cost() / highest * HEIGHTS.len() as f64).ceil() as usize;
        HEIGHTS[eighths.clamp(1, HEIGHTS.len()) - 1]
    };
    bars.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_rise_evenly_and_squares_do_not() {
        let points = |sizes: &[u64], cost: fn(u64) -> u64| {
            sizes.iter().map(|&size| GrowthPoint::of(size, cost(size))).collect::<Vec<_>>()
        };
        let all: Vec<u64> = (1..=120).collect();
        assert_eq!(picture(&points(&all, |size| size)), "▁▂▂▃▄▄▅▆▆▇██");
        assert_eq!(picture(&points(&all, |size| size * size)), "▁▁▁▁▂▂▃▄▅▆▇█");
        assert_eq!(picture(&points(&[10, 60, 120], |size| size)), "▁····▄·····█");
        assert_eq!(picture(&points(&[0], |_| 5)), "············");
        assert_eq!(picture(&points(&[3], |_| 0)), "···········▁");
        assert_eq!(picture(&[]), "············");
    }
}
