//! A walk through a tree in preorder that also says when it leaves a node.

use profile::NO_PARENT;

/// What a walk tells.
pub trait Visitor {
    /// `node` is reached; all its ancestors have been entered and not left.
    fn enter(&mut self, node: u32);
    /// The subtree of `node` is done.
    fn leave(&mut self, node: u32);
}

/// Walks a whole column of parents in preorder.
pub fn walk(parents: &[u32], visitor: &mut impl Visitor) {
    let mut open: Vec<u32> = Vec::new();
    for (node, &parent) in (0..).zip(parents) {
        while let Some(&last) = open.last() {
            if last == parent {
                break;
            }
            visitor.leave(last);
            open.pop();
        }
        debug_assert!(parent == NO_PARENT || open.last() == Some(&parent));
        visitor.enter(node);
        open.push(node);
    }
    while let Some(last) = open.pop() {
        visitor.leave(last);
    }
}
