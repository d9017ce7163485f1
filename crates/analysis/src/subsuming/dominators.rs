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
//!
//! In a very deep tree of very many methods the candidates would take memory
//! with the square of its size. So a pass through the tree takes on methods only
//! as long as their candidates fit, and leaves the others to another pass. Trees
//! of real programs need one.

use crate::subsuming::adjusted_path::{AdjustedPath, NOWHERE};

/// The candidates of all methods, and the answer for those that are done.
#[derive(Debug)]
pub struct Dominators {
    of_method: Vec<State>,
    /// How many candidates a pass may gather before it takes on no more methods.
    capacity: usize,
    /// How many the current pass has gathered.
    gathered: usize,
}

#[derive(Debug, Clone)]
enum State {
    /// Not met in this pass.
    Waiting,
    /// Met when there was no room; must wait for the next pass.
    Postponed,
    /// Met in this pass: what dominates all its nodes so far.
    Candidates(Vec<Candidate>),
    /// Done in an earlier pass.
    Done(Option<Nearest>),
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
    /// No node visited yet; `capacity` is the number of candidates (8 bytes
    /// each) from which on a pass takes on no more methods.
    pub fn new(methods: usize, capacity: usize) -> Self {
        Self { of_method: vec![State::Waiting; methods], capacity, gathered: 0 }
    }

    /// Takes account of a node of `method`, the last one entered into `path`.
    pub fn visit(&mut self, method: u32, path: &AdjustedPath) {
        let place = path.place();
        let state = &mut self.of_method[method as usize];
        let candidates = match state {
            State::Candidates(candidates) => candidates,
            State::Postponed | State::Done(_) => return,
            State::Waiting if self.gathered > self.capacity => {
                *state = State::Postponed;
                return;
            }
            State::Waiting => {
                let others = path.last_occurrences().filter(|&(label, _)| label != method);
                let first: Vec<Candidate> = others
                    .map(|(label, last)| Candidate { label, distance: place - last })
                    .collect();
                self.gathered += first.len();
                *state = State::Candidates(first);
                return;
            }
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

    /// Tells each method that is done at the end of this pass, each of its dominators and
    /// the distance. To be asked after all nodes were visited, before the pass is ended.
    pub fn for_each(&self, mut each: impl FnMut(u32, Nearest)) {
        for (method, state) in (0..).zip(&self.of_method) {
            if let State::Candidates(candidates) = state {
                for &Candidate { label, distance } in candidates {
                    each(method, Nearest { label, distance });
                }
            }
        }
    }

    /// Ends a pass in which all nodes were visited. True if another is needed.
    pub fn end_pass(&mut self) -> bool {
        self.gathered = 0;
        let mut postponed = false;
        for state in &mut self.of_method {
            match state {
                State::Candidates(candidates) => {
                    let best = candidates.iter().min_by_key(|c| (c.distance, c.label));
                    let best = best.map(|c| Nearest { label: c.label, distance: c.distance });
                    *state = State::Done(best);
                }
                State::Postponed => {
                    *state = State::Waiting;
                    postponed = true;
                }
                State::Waiting | State::Done(_) => {}
            }
        }
        postponed
    }

    /// The nearest dominating method of `method`; of several at the same
    /// distance the one that comes first in the table of methods. `None` for a
    /// method without nodes and for the method of a single root.
    pub fn nearest(&self, method: u32) -> Option<Nearest> {
        match self.of_method[method as usize] {
            State::Done(nearest) => nearest,
            State::Waiting | State::Postponed | State::Candidates(_) => None,
        }
    }
}
