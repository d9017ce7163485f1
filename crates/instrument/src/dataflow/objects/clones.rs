//! What `Object.clone` copies: the edges from all fields of an object to those of its clone.
//!
//! Which they are follows from the tags of both objects, as objects of one tag are of one
//! class, and from the call. So they are found once, and probes count them in their
//! thread's table as they do other edges.

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use crate::dataflow::graph::edges::Edge;

/// In the words of a clone, behind both tags: the number of the call as a store, as the
/// probe passes it.
pub const STORE: usize = 1;

/// How many edges there are.
pub const EDGES: usize = 2;

/// The first edge: where it comes from, and where it goes to.
pub const FIRST: usize = 3;

/// A call that clones an object to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CloneCall {
    /// The tag of the one in the upper half, of the other in the lower.
    pub tags: u64,
    /// The number of the call as a store, or its complement.
    pub store: i32,
}

/// What is known of clones.
#[derive(Debug, Default)]
pub struct Clones {
    known: Mutex<FxHashMap<CloneCall, Box<[u64]>>>,
}

impl Clones {
    /// Address of the words of a clone, which stay there; `find` finds the edges the first
    /// time.
    pub fn address(&self, call: CloneCall, find: impl FnOnce() -> Vec<Edge>) -> u64 {
        if let Some(words) = self.known.lock().get(&call) {
            return words.as_ptr() as u64;
        }
        // It asks the JVM, so nobody else must wait for it.
        let edges = find();
        let mut words = vec![call.tags, i64::from(call.store) as u64, edges.len() as u64];
        words.extend(edges.iter().flat_map(|edge| [edge.from, edge.to]));
        self.known.lock().entry(call).or_insert(words.into()).as_ptr() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_found_once() {
        let clones = Clones::default();
        let call = CloneCall { tags: 3 << 32 | 4, store: -2 };
        let first = clones.address(call, || vec![Edge { from: 5, to: 6 }, Edge { from: 7, to: 8 }]);
        assert_eq!(clones.address(call, || panic!("they are known")), first);
        assert_ne!(clones.address(CloneCall { store: 1, ..call }, Vec::new), first);
        let known = clones.known.lock();
        assert_eq!(*known[&call], [3 << 32 | 4, -2_i64 as u64, 2, 5, 6, 7, 8]);
        assert_eq!(known[&call].as_ptr() as u64, first);
    }
}
