//! Who has elements moved: work of `arraycopy` and `clone` that bytecodes do not show,
//! by the calls of the program that lead to it.

use std::cmp::Reverse;

use profile::NO_PARENT;
use rustc_hash::FxHashMap;

use crate::Tree;

/// Name of the metric.
pub const MOVED: &str = "moved";

/// Calls of one method by one method of the program, and what they move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mover {
    /// The method of the program; of the JDK where no other is above.
    pub method: u32,
    /// The method of the JDK that it calls for it; `None` if it moves elements itself.
    pub through: Option<u32>,
    /// Elements that are moved.
    pub moved: u64,
}

/// Those who have at least `least` elements moved, the greatest number first. Each
/// element counts for the last method on the path that is not the JDK's, as
/// `is_platform` says. Nothing if elements were not counted.
pub fn movers(tree: &Tree, is_platform: &[bool], least: u64) -> Vec<Mover> {
    let Some(metric) = tree.metrics.iter().find(|metric| metric.name == MOVED) else {
        return Vec::new();
    };
    let mut sums: FxHashMap<(u32, Option<u32>), u64> = FxHashMap::default();
    // By node: the method of the program, and through what.
    let mut responsible: Vec<(u32, Option<u32>)> = Vec::with_capacity(tree.len());
    for (node, &moved) in metric.values.iter().enumerate() {
        let method = tree.method[node];
        let found = match tree.parent[node] {
            parent if parent != NO_PARENT && is_platform[method as usize] => {
                let (above, through) = responsible[parent as usize];
                (above, through.or(Some(method)))
            }
            _ => (method, None),
        };
        responsible.push(found);
        if moved > 0 {
            *sums.entry(found).or_insert(0) += moved;
        }
    }
    let mover = |((method, through), moved)| Mover { method, through, moved };
    let mut movers: Vec<Mover> = sums.into_iter().map(mover).collect();
    movers.retain(|mover| mover.moved >= least.max(1));
    movers.sort_by_key(|mover| (Reverse(mover.moved), mover.method, mover.through));
    movers
}
