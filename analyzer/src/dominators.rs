//! Minimum dominating-method distance (Algorithm 4).
//!
//! Method p dominates method m if every node of m has an ancestor of p in the
//! adjusted tree; the distance is the greatest length of the path from a node
//! of m up to its nearest such ancestor.
//!
//! The paper walks the ancestors of every node of m once for each candidate,
//! which costs the square of the tree's height per node. Here each method keeps
//! its candidates with the greatest distance seen, and a node costs one look-up
//! per candidate: the adjusted path knows the last place of each method. The
//! candidates are the labels on the path of the first node, and shrink to the
//! real dominators within a few nodes.

use crate::adjusted_path::{AdjustedPath, NOWHERE};

/// The candidates of all methods.
#[derive(Debug)]
pub struct Dominators {
    of_method: Vec<Option<Vec<Candidate>>>,
}

#[derive(Debug, Clone, Copy)]
struct Candidate {
    label: u32,
    distance: u32,
}

/// The nearest dominating method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nearest {
    /// Label of the dominating method, or of the virtual root.
    pub label: u32,
    /// Its distance in edges of the adjusted tree, at least 1.
    pub distance: u32,
}

impl Dominators {
    /// No node visited yet.
    pub fn new(methods: usize) -> Self {
        Self { of_method: vec![None; methods] }
    }

    /// Takes account of a node of `method`, the last one entered into `path`.
    pub fn visit(&mut self, method: u32, path: &AdjustedPath) {
        let place = path.place();
        let candidates = &mut self.of_method[method as usize];
        let Some(candidates) = candidates else {
            let others = path.last_occurrences().filter(|&(label, _)| label != method);
            *candidates = Some(
                others.map(|(label, last)| Candidate { label, distance: place - last }).collect(),
            );
            return;
        };
        // No `retain`: it would write every candidate back although nearly
        // always all of them stay.
        let mut at = 0;
        while let Some(candidate) = candidates.get_mut(at) {
            let last = path.last(candidate.label);
            if last == NOWHERE {
                candidates.swap_remove(at);
            } else {
                candidate.distance = candidate.distance.max(place - last);
                at += 1;
            }
        }
    }

    /// The nearest dominating method of `method`; of several at the same
    /// distance the one that comes first in the table of methods. `None` for a
    /// method without nodes and for the method of a single root.
    pub fn nearest(&self, method: u32) -> Option<Nearest> {
        let candidates = self.of_method[method as usize].as_deref().unwrap_or_default();
        let best = candidates.iter().min_by_key(|c| (c.distance, c.label))?;
        Some(Nearest { label: best.label, distance: best.distance })
    }
}
