//! The scale of heights at the right of a picture.

use crate::blueprint::labels::{LINE, clipped};
use crate::blueprint::svg::Drawing;

/// Room for it.
pub const ROOM: f64 = 84.0;
/// Letters of a metric's name that have room.
const LETTERS: usize = 11;

/// A stretch of the scale: where nothing is, where its top is, and the cost up to there.
#[derive(Debug, Clone, Copy)]
pub struct Stretch {
    /// The height of the base line.
    pub base: f64,
    /// The height of the top.
    pub top: f64,
    /// The cost that is as tall.
    pub cost: f64,
}

impl Stretch {
    /// Draws it at a place, with the metric if that has room.
    pub fn draw(self, drawing: &mut Drawing, x: f64, metric: &str, [lines, quiet]: [&str; 2]) {
        let Self { base, top, cost } = self;
        drawing.line(&[(x, top), (x, base)], lines);
        for y in [top, base] {
            drawing.line(&[(x - 3.0, y), (x + 3.0, y)], lines);
        }
        drawing.text(x + 7.0, base, "0", quiet);
        if base - top >= 1.5 * LINE {
            drawing.text(x + 7.0, top + 8.0, &rounded(cost), quiet);
        }
        if base - top >= 3.0 * LINE {
            drawing.text(x + 7.0, top + 8.0 + LINE, &clipped(metric, LETTERS), quiet);
        }
    }
}

/// 1783885744 as "1.78 G", as the page writes it.
fn rounded(value: f64) -> String {
    let units = ["", " k", " M", " G", " T", " P"];
    let mut rest = value;
    let mut unit = 0;
    while rest >= 999.5 && unit < units.len() - 1 {
        rest /= 1000.0;
        unit += 1;
    }
    let digits = match rest {
        _ if unit == 0 || rest >= 99.95 => 0,
        _ if rest >= 9.995 => 1,
        _ => 2,
    };
    // A half is rounded up, as browsers do.
    let scale = 10f64.powi(digits as i32);
    format!("{:.digits$}{}", (rest * scale + 0.5).floor() / scale, units[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_have_three_digits() {
        let written = [0.0, 7.0, 999.4, 999.5, 1125.0, 12_345.0, 1_783_885_744.0].map(rounded);
        assert_eq!(written, ["0", "7", "999", "1.00 k", "1.13 k", "12.3 k", "1.78 G"]);
    }
}
