//! The calling context tree of one thread.

use rustc_hash::FxHashMap;

use crate::methods::Method;

/// Index of a context in its tree.
pub type NodeId = u32;

/// One calling context.
#[derive(Debug)]
pub struct Node {
    /// What runs in it.
    pub method: &'static Method,
    /// How often it was entered.
    pub calls: u64,
    /// How many of its instructions were executed.
    pub bytecodes: u64,
    /// What it called, in the order of the first calls.
    pub callees: Vec<NodeId>,
}

/// All contexts of a thread.
#[derive(Debug, Default)]
pub struct Contexts {
    /// Contexts whose callers were not seen.
    pub roots: Vec<NodeId>,
    nodes: Vec<Node>,
    by_caller: FxHashMap<(Option<NodeId>, usize), NodeId>,
}

impl Contexts {
    /// The context of a method in that of its caller.
    pub fn callee(&mut self, caller: Option<NodeId>, method: &'static Method) -> NodeId {
        let key = (caller, method.id);
        if let Some(&node) = self.by_caller.get(&key) {
            return node;
        }
        // A program with 2^32 contexts would take years to single-step.
        let node = self.nodes.len() as NodeId;
        self.nodes.push(Node { method, calls: 0, bytecodes: 0, callees: Vec::new() });
        match caller {
            Some(caller) => self.nodes[caller as usize].callees.push(node),
            None => self.roots.push(node),
        }
        self.by_caller.insert(key, node);
        node
    }

    /// A context.
    pub fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node as usize]
    }

    /// A context, to count in it.
    pub fn node_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[node as usize]
    }
}
