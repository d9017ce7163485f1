//! All methods as dots: executions against cost, both logarithmic.

use std::cmp::Reverse;

use crate::blueprint::labels::{LINE, breadth, method_name};
use crate::blueprint::methods::Methods;

/// Space around the plot, for its axes.
pub const LEFT: f64 = 52.0;
/// At the right.
pub const RIGHT: f64 = 78.0;
/// Above.
pub const TOP: f64 = 22.0;
/// Below.
pub const BOTTOM: f64 = 40.0;
/// Dots with a name, at most.
const NAMED: usize = 24;
/// Dots that may get one.
const NAMEABLE: usize = 400;
/// Space between a dot and a name beside it.
const BESIDE: f64 = 6.0;
/// Half of a dot, which no name covers.
const RADIUS: f64 = 3.0;
/// Lines by which a name may lie above its dot.
const HIGHEST: u32 = 5;

/// A dot.
#[derive(Debug, Clone, Copy)]
pub struct Dot {
    /// The place of its method.
    pub of: usize,
    /// How far its middle lies from the left.
    pub x: f64,
    /// How far its middle lies from the top.
    pub y: f64,
}

/// A line on which all methods cost the same an execution.
#[derive(Debug)]
pub struct Diagonal {
    /// Ten to the power of this.
    pub power: u32,
    /// Where it begins.
    pub from: (f64, f64),
    /// Where it leaves the plot.
    pub to: (f64, f64),
    /// Whether that is at the top, and not at the right.
    pub is_up: bool,
}

/// A name beside a dot.
#[derive(Debug)]
pub struct Name {
    /// What it says.
    pub text: String,
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Where a line leads from the name to its dot, if it does not lie beside it.
    pub line: Option<[(f64, f64); 2]>,
}

impl Name {
    /// The places around a dot that its name may have: right and left of it, and above that.
    fn places(dot: Dot, text: &str) -> impl Iterator<Item = Self> {
        let Dot { x, y, .. } = dot;
        let wide = breadth(text);
        let text = text.to_owned();
        (0..=HIGHEST).flat_map(move |step| {
            let away = BESIDE * f64::from(step + 1);
            let top = y - LINE / 2.0 - LINE * f64::from(step);
            let text = text.clone();
            [(x + away, x + away), (x - away - wide, x - away)].map(move |(left, edge)| Self {
                text: text.clone(),
                x: left,
                y: top,
                line: (step > 0).then_some([(x, y), (edge, top + LINE / 2.0)]),
            })
        })
    }

    /// Whether the middle of a dot is so near that the name lies on it.
    fn covers(&self, dot: &Dot) -> bool {
        dot.x > self.x - RADIUS
            && dot.x < self.x + breadth(&self.text) + RADIUS
            && dot.y > self.y - 1.0
            && dot.y < self.y + LINE + 1.0
    }

    fn overlaps(&self, other: &Self) -> bool {
        let right = |name: &Self| name.x + breadth(&name.text);
        self.x < right(other)
            && other.x < right(self)
            && self.y < other.y + LINE
            && other.y < self.y + LINE
    }
}

/// A picture.
#[derive(Debug)]
pub struct Layout {
    /// The costliest first.
    pub dots: Vec<Dot>,
    /// Lines of equal cost an execution.
    pub diagonals: Vec<Diagonal>,
    /// Names of the costliest, as far as there is room.
    pub names: Vec<Name>,
    /// Powers of ten across.
    pub across: u32,
    /// Powers of ten up.
    pub up: u32,
    width: f64,
    height: f64,
}

/// The power of ten that a greatest value needs.
fn decades(most: u64) -> u32 {
    let exact = most.max(1).ilog10();
    (exact + u32::from(10u64.pow(exact) < most.max(1))).max(1)
}

fn log(value: u64) -> f64 {
    (value.max(1) as f64).log10()
}

impl Layout {
    /// The place across of ten to this power.
    pub fn x(&self, power: f64) -> f64 {
        LEFT + power / f64::from(self.across) * (self.width - LEFT - RIGHT)
    }

    /// The place up of ten to this power.
    pub fn y(&self, power: f64) -> f64 {
        let depth = self.height - TOP - BOTTOM;
        TOP + depth - power / f64::from(self.up) * depth
    }

    /// Lays the methods out, by their own cost or that of all they call.
    pub fn new(methods: &Methods, own: bool, width: f64, height: f64) -> Self {
        let costs = if own { &methods.exclusive } else { &methods.inclusive };
        let mut order: Vec<usize> = (0..costs.len()).collect();
        // Stable: of equal costs in the order of the table.
        order.sort_by_key(|&method| Reverse(costs[method]));
        let mut layout = Self {
            dots: Vec::new(),
            diagonals: Vec::new(),
            names: Vec::new(),
            across: decades(methods.executions.iter().copied().max().unwrap_or(0)),
            up: decades(costs.iter().copied().max().unwrap_or(0)),
            width,
            height,
        };
        let dot = |&of: &usize| Dot {
            of,
            x: layout.x(log(methods.executions[of])),
            y: layout.y(log(costs[of])),
        };
        layout.dots = order.iter().map(dot).collect();
        layout.diagonals = (0..layout.up).map(|power| layout.diagonal(power)).collect();
        for at in 0..layout.dots.len().min(NAMEABLE) {
            if layout.names.len() == NAMED {
                break;
            }
            let dot = layout.dots[at];
            let text = method_name(&methods.names[dot.of]);
            let free = Name::places(dot, &text).find(|name| layout.has_room(name));
            layout.names.extend(free);
        }
        layout
    }

    fn diagonal(&self, power: u32) -> Diagonal {
        let end = self.across.min(self.up - power);
        Diagonal {
            power,
            from: (self.x(0.0), self.y(f64::from(power))),
            to: (self.x(f64::from(end)), self.y(f64::from(power + end))),
            is_up: power + end == self.up,
        }
    }

    fn has_room(&self, name: &Name) -> bool {
        name.x >= LEFT
            && name.x + breadth(&name.text) <= self.width - RIGHT
            && name.y >= TOP
            && self.names.iter().all(|other| !name.overlaps(other))
            && !self.dots.iter().any(|dot| name.covers(dot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tree::names::method::Method;

    fn methods(rows: &[(u64, u64)]) -> Methods {
        let name = |at| Method { class: format!("a.C{at}"), name: "m".into(), ..Method::default() };
        Methods {
            names: (0..rows.len()).map(name).collect(),
            executions: rows.iter().map(|row| row.0).collect(),
            inclusive: rows.iter().map(|row| row.1).collect(),
            exclusive: rows.iter().map(|_| 0).collect(),
            ..Methods::default()
        }
    }

    #[test]
    fn axes_are_logarithmic_and_diagonals_cost_the_same_a_call() {
        let layout =
            Layout::new(&methods(&[(100, 10_000), (1, 1), (10, 1000)]), false, 830.0, 462.0);
        assert_eq!((layout.across, layout.up), (2, 4));
        let places: Vec<(usize, f64, f64)> = layout.dots.iter().map(|d| (d.of, d.x, d.y)).collect();
        assert_eq!(places, [(0, 752.0, 22.0), (2, 402.0, 122.0), (1, 52.0, 422.0)]);
        let diagonal = &layout.diagonals[2];
        assert_eq!((diagonal.from, diagonal.to), ((52.0, 222.0), (752.0, 22.0)));
        assert!(diagonal.is_up && !layout.diagonals[0].is_up);
    }

    #[test]
    fn names_lie_neither_on_each_other_nor_on_dots() {
        let rows: Vec<(u64, u64)> = (0..500).map(|n| (1 + n * 7 % 90, 1000 - n)).collect();
        let layout = Layout::new(&methods(&rows), false, 800.0, 500.0);
        assert!(layout.names.len() > 3);
        for (at, one) in layout.names.iter().enumerate() {
            assert!(layout.names[at + 1..].iter().all(|other| !one.overlaps(other)));
            assert!(!layout.dots.iter().any(|dot| one.covers(dot)));
        }
    }

    #[test]
    fn powers_of_ten() {
        for (most, expected) in [(0, 1), (1, 1), (10, 1), (11, 2), (100, 2), (101, 3)] {
            assert_eq!(decades(most), expected, "{most}");
        }
        assert_eq!(decades(u64::MAX), 20);
    }
}
