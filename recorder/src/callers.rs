//! Which node a slot lies in, for those who want to know who called.

use std::collections::BTreeMap;

use parking_lot::Mutex;

/// Nodes and their sizes, in the order in which they lie.
#[derive(Debug, Default)]
pub struct Callers(Mutex<BTreeMap<u32, u32>>);

impl Callers {
    /// Notes a node with so many words.
    pub fn add(&self, node: u32, words: u32) {
        self.0.lock().insert(node, words);
    }

    /// The node in which a slot lies, and where in it; `None` for that of a tree's root.
    pub fn containing(&self, slot: u32) -> Option<(u32, u32)> {
        let nodes = self.0.lock();
        let (&node, &words) = nodes.range(..=slot).next_back()?;
        let offset = slot - node;
        (offset < words).then_some((node, offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_between_nodes_lies_in_none() {
        let callers = Callers::default();
        callers.add(100, 10);
        callers.add(200, 8);
        assert_eq!(callers.containing(105), Some((100, 5)));
        assert_eq!(callers.containing(110), None);
        assert_eq!(callers.containing(207), Some((200, 7)));
        assert_eq!(callers.containing(99), None);
    }
}
