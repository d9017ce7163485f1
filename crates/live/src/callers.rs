//! Which node has called another one, for those who want to know.

use std::collections::BTreeMap;

use parking_lot::Mutex;
use profile::layout::node;

/// Nodes, in the order in which they lie.
#[derive(Debug, Default)]
pub struct Callers(Mutex<BTreeMap<u32, Placed>>);

#[derive(Debug, Clone, Copy)]
struct Placed {
    words: u32,
    /// In whose ring it is.
    slot: u32,
}

impl Callers {
    /// Notes a node with so many words in the ring of a slot, or of a sibling's link.
    pub fn add(&self, node: u32, words: u32, slot: u32) {
        let sibling = self.containing(slot).filter(|&(_, offset)| offset == node::NEXT_SIBLING);
        let mut nodes = self.0.lock();
        let slot = sibling.and_then(|(sibling, _)| nodes.get(&sibling)).map_or(slot, |s| s.slot);
        nodes.insert(node, Placed { words, slot });
    }

    /// The node that has called this one, and where in it the slot lies.
    pub fn of(&self, node: u32) -> Option<(u32, u32)> {
        let slot = self.0.lock().get(&node)?.slot;
        self.containing(slot)
    }

    /// The node in which a slot lies, and where in it; `None` for that of a tree's root.
    fn containing(&self, slot: u32) -> Option<(u32, u32)> {
        let nodes = self.0.lock();
        let (&node, placed) = nodes.range(..=slot).next_back()?;
        let offset = slot - node;
        (offset < placed.words).then_some((node, offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_between_nodes_lies_in_none() {
        let callers = Callers::default();
        callers.add(100, 10, 7);
        callers.add(200, 8, 105);
        assert_eq!(callers.containing(105), Some((100, 5)));
        assert_eq!(callers.containing(110), None);
        assert_eq!(callers.containing(207), Some((200, 7)));
        assert_eq!(callers.containing(99), None);
        assert_eq!(
            [callers.of(200), callers.of(100), callers.of(105)],
            [Some((100, 5)), None, None]
        );
    }

    #[test]
    fn a_sibling_has_the_same_caller() {
        let callers = Callers::default();
        callers.add(100, 10, 7);
        callers.add(200, 8, 105);
        callers.add(300, 8, 200 + node::NEXT_SIBLING);
        callers.add(400, 8, 300 + node::NEXT_SIBLING);
        assert_eq!([300, 400].map(|node| callers.of(node)), [Some((100, 5)); 2]);
    }
}
