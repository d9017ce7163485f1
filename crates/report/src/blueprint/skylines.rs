//! Structural blueprints: each group of methods a bar chart on a base line.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::blueprint::axis::Stretch;
use crate::blueprint::executions_width;
use crate::blueprint::labels::{LINE, LONGEST, breadth, clipped, simple_name};
use crate::blueprint::methods::Methods;
use tree::owners::{NO_PACKAGE, package};
use tree::readable_names::printable;

/// Height of the tallest bar.
const TALLEST: f64 = 140.0;
/// Space between charts, and below their names.
const GAP: f64 = 16.0;
/// Above so many methods a picture of the whole run shows packages.
const MANY: usize = 2000;

/// What a bar stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Of {
    /// A method, by its place.
    Method(usize),
    /// A class, by its name.
    Class(String),
}

/// Bars that stand together: the methods of a class, or the classes of a package.
#[derive(Debug, Clone)]
pub struct Group {
    /// The whole name of the class or package.
    pub key: String,
    /// What stands below the chart.
    pub name: String,
    /// The costliest group comes first.
    pub cost: u64,
    /// Its bars: what each is of, its cost and executions.
    pub bars: Vec<(Of, u64, u64)>,
}

/// The classes of a scope, which is a package, or all of them if it is empty: packages
/// where these are many.
pub fn groups(methods: &Methods, scope: &str, own: bool) -> Vec<Group> {
    let by_package = scope.is_empty() && methods.names.len() > MANY;
    let mut groups: Vec<Group> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut bars: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, method) in methods.names.iter().enumerate() {
        let of_package = package(&method.class);
        if !scope.is_empty() && of_package != scope {
            continue;
        }
        let key = if by_package { of_package } else { method.class.clone() };
        let place = *places.entry(key.clone()).or_insert_with(|| {
            let class = printable(simple_name(&key)).into_owned();
            let class = if class.is_empty() { NO_PACKAGE.to_owned() } else { class };
            let name = if by_package { printable(&key).into_owned() } else { class };
            groups.push(Group { key, name, cost: 0, bars: Vec::new() });
            groups.len() - 1
        });
        let group = &mut groups[place];
        let (inclusive, exclusive) = (methods.inclusive[at], methods.exclusive[at]);
        let cost = if own { exclusive } else { inclusive };
        // Own costs add up, inclusive ones do not.
        group.cost = if own || by_package { group.cost + exclusive } else { group.cost.max(cost) };
        if !by_package {
            group.bars.push((Of::Method(at), cost, methods.executions[at]));
            continue;
        }
        let bar = *bars.entry(&method.class).or_insert_with(|| {
            group.bars.push((Of::Class(method.class.clone()), 0, 0));
            group.bars.len() - 1
        });
        group.bars[bar].1 += exclusive;
        group.bars[bar].2 += methods.executions[at];
    }
    groups
}

/// A bar in its place.
#[derive(Debug)]
pub struct Bar {
    /// What it stands for.
    pub of: Of,
    /// Its cost.
    pub cost: u64,
    /// Executions.
    pub executions: u64,
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height, at least 1.
    pub height: f64,
}

/// A base line with a name.
#[derive(Debug)]
pub struct Base {
    /// The class or package.
    pub key: String,
    /// What stands below the line.
    pub label: String,
    /// Where it begins.
    pub x: f64,
    /// Its height.
    pub y: f64,
    /// How long it is.
    pub width: f64,
    /// Bars that are too low to be drawn, or have no room.
    pub folded: usize,
}

/// A picture.
#[derive(Debug, Default)]
pub struct Layout {
    /// The bars.
    pub bars: Vec<Bar>,
    /// What they stand on.
    pub bases: Vec<Base>,
    /// Groups that have no bar to be drawn.
    pub folded_groups: usize,
    /// Bars of those.
    pub folded_bars: usize,
    /// The scale of each row.
    pub rows: Vec<Stretch>,
    /// Height of the whole.
    pub height: f64,
}

fn bar_width(executions: u64) -> f64 {
    executions_width(executions, 3.0, 5.0)
}

/// A group whose row is not finished.
struct Waiting {
    base: Base,
    bars: Vec<(Of, u64, u64)>,
    tall: f64,
}

/// Puts groups into rows within a width: the costliest group first, in each its bars in
/// the order of their heights.
pub fn layout(mut groups: Vec<Group>, width: f64) -> Layout {
    let costs = groups.iter().flat_map(|group| &group.bars).map(|bar| bar.1);
    let greatest = costs.max().unwrap_or(0);
    let scale = if greatest > 0 { TALLEST / greatest as f64 } else { 0.0 };
    let height = |cost: u64| cost as f64 * scale;
    let mut made = Layout::default();
    let mut row: Vec<Waiting> = Vec::new();
    let mut reach = 0.0;
    // Stable: of equal costs in the order given.
    groups.sort_by_key(|group| Reverse(group.cost));
    for mut group in groups {
        let all = group.bars.len();
        group.bars.retain(|bar| height(bar.1) >= 1.0);
        group.bars.sort_by_key(|bar| Reverse(bar.1));
        let mut chart = 0.0;
        let fit = group.bars.iter().take_while(|bar| {
            chart += bar_width(bar.2) + 1.0;
            chart <= width
        });
        let fit = fit.count();
        group.bars.truncate(fit);
        group.bars.reverse();
        let folded = all - group.bars.len();
        let Some(tallest) = group.bars.last() else {
            made.folded_groups += 1;
            made.folded_bars += folded;
            continue;
        };
        let tall = height(tallest.1);
        let label = clipped(&group.name, LONGEST);
        let chart: f64 = group.bars.iter().map(|bar| bar_width(bar.2) + 1.0).sum();
        let breadth = chart.max(breadth(&label));
        if !row.is_empty() && reach + breadth > width {
            made.finish(std::mem::take(&mut row), scale);
            reach = 0.0;
        }
        let base = Base { key: group.key, label, x: reach, y: 0.0, width: breadth, folded };
        row.push(Waiting { base, bars: group.bars, tall });
        reach += breadth + GAP;
    }
    made.finish(row, scale);
    made
}

impl Layout {
    /// Puts a row below the others.
    fn finish(&mut self, row: Vec<Waiting>, scale: f64) {
        if row.is_empty() {
            return;
        }
        let tall = row.iter().map(|group| group.tall).fold(0.0, f64::max);
        let base = self.height + tall;
        self.rows.push(Stretch { base, top: self.height, cost: tall / scale });
        for group in row {
            let mut x = group.base.x;
            for (of, cost, executions) in group.bars {
                let (width, height) = (bar_width(executions), cost as f64 * scale);
                self.bars.push(Bar { of, cost, executions, x, y: base - height, width, height });
                x += width + 1.0;
            }
            self.bases.push(Base { y: base, ..group.base });
        }
        self.height = base + LINE + GAP;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(name: &str, bars: &[(u64, u64)]) -> Group {
        let bars = bars.iter().map(|&(cost, executions)| (Of::Method(0), cost, executions));
        let bars: Vec<_> = bars.collect();
        let cost = bars.iter().map(|bar| bar.1).max().unwrap_or(0);
        Group { key: name.into(), name: name.into(), cost, bars }
    }

    #[test]
    fn costliest_class_first_and_bars_by_height() {
        let groups = vec![group("B", &[(50, 1), (70, 9)]), group("A", &[(140, 0), (1, 5), (7, 7)])];
        let made = layout(groups, 500.0);
        let labels: Vec<&str> = made.bases.iter().map(|base| base.label.as_str()).collect();
        assert_eq!(labels, ["A", "B"]);
        let row = made.rows[0];
        assert_eq!((row.top, row.base, row.cost), (0.0, 140.0, 140.0));
        let heights: Vec<f64> = made.bars.iter().map(|bar| bar.height).collect();
        assert_eq!(heights, [1.0, 7.0, 140.0, 50.0, 70.0]);
        assert!(made.bars.iter().all(|bar| (bar.y + bar.height - 140.0).abs() < 1e-9));
        assert_eq!(made.bars[0].x, 0.0);
    }

    #[test]
    fn low_bars_are_folded_and_counted() {
        let groups = vec![group("A", &[(1000, 1), (7, 1), (3, 1)]), group("B", &[(2, 1), (1, 1)])];
        let made = layout(groups, 500.0);
        assert_eq!(made.bars.len(), 1);
        assert_eq!((made.bases[0].folded, made.folded_groups, made.folded_bars), (2, 1, 2));
    }

    #[test]
    fn nothing_overlaps() {
        let bars: Vec<(u64, u64)> = (1..60).map(|n| (n * 37 % 101, n * n * 31)).collect();
        let names = (0..40).map(|n| "N".repeat(1 + n * 13 % 44));
        let groups: Vec<Group> =
            names.enumerate().map(|(n, name)| group(&name, &bars[n..n + 1 + n % 19])).collect();
        for width in [300.0, 800.0] {
            let made = layout(groups.clone(), width);
            let all: usize = groups.iter().map(|group| group.bars.len()).sum();
            let folded: usize = made.bases.iter().map(|base| base.folded).sum();
            assert_eq!(made.bars.len() + folded + made.folded_bars, all, "nothing is lost");
            for (at, one) in made.bars.iter().enumerate() {
                assert!(one.x + one.width <= width, "{one:?}");
                for other in &made.bars[at + 1..] {
                    let over = one.x < other.x + other.width
                        && other.x < one.x + one.width
                        && one.y < other.y + other.height
                        && other.y < one.y + one.height;
                    assert!(!over, "{one:?} and {other:?}");
                }
            }
            for (at, one) in made.bases.iter().enumerate() {
                assert!(
                    made.bars
                        .iter()
                        .all(|bar| bar.y + bar.height <= one.y || bar.y >= one.y + LINE)
                );
                for other in made.bases[at + 1..].iter().filter(|other| other.y == one.y) {
                    assert!(one.x + one.width <= other.x, "{one:?} and {other:?}");
                }
            }
        }
    }
}
