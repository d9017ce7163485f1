//! Part of a calling context tree, while the program runs.

use super::arena::Arena;
use super::catalog::Catalog;
use super::names::{KnownMethods, LiveNames};
use super::walk::{Costs, LiveNode, Sink, Walk};
use crate::layout::metrics;
use crate::{Error, Image};

/// What a context has counted so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiveContext {
    /// Its node, or that of its caller if it has none.
    pub node: u32,
    /// The call site in the caller, if it has no node.
    pub site: Option<u32>,
    /// How many contexts lie above it, from where the walk began.
    pub depth: u32,
    /// The place of its method among those that are known.
    pub method: u32,
    /// Calls, bytecodes, allocations, elements moved and bytes; the last 0 if they are not
    /// counted.
    pub counts: [u64; metrics::BYTES as usize],
}

/// Takes contexts, each after its caller.
pub trait Visitor {
    /// Says whether to go on with a node: with its context, and with what lies below it.
    fn follows(&mut self, node: LiveNode, methods: KnownMethods<'_>) -> bool;

    /// The context of the node that was followed last, or of a method without a node that
    /// it calls.
    fn context(&mut self, context: LiveContext);
}

impl LiveNames {
    /// Hands on what hangs below a slot, a word of a node or of a tree's record. The thread
    /// of that tree must not count there meanwhile.
    ///
    /// False if something is missing: there was no room for it.
    ///
    /// # Errors
    ///
    /// When the image is damaged.
    pub fn visit_below(
        &mut self,
        image: &impl Image,
        slot: u32,
        visitor: &mut impl Visitor,
    ) -> Result<bool, Error> {
        let arena = Arena { image };
        // The walk adds names that are missing, the visitor reads those that are there.
        let mut sink = Below { visitor, last: None };
        let mut walk = Walk::new(&arena, &mut self.catalog, &[], &mut sink);
        walk.below(slot)?;
        Ok(walk.lost == 0)
    }
}

/// Tells contexts of nodes from those that have none.
struct Below<'v, V> {
    visitor: &'v mut V,
    /// The node that was followed last; its context comes next.
    last: Option<LiveNode>,
}

impl<V: Visitor> Sink for Below<'_, V> {
    fn push(&mut self, depth: u32, method: u32, site: u32, costs: Costs) -> Result<(), Error> {
        let Some(LiveNode { node, depth: of_node, .. }) = self.last else { return Ok(()) };
        let [calls, bytecodes, allocations, moved, .., bytes] = costs;
        let counts = [calls, bytecodes, allocations, moved, bytes];
        let site = (depth > of_node).then_some(site);
        self.visitor.context(LiveContext { node, site, depth, method, counts });
        Ok(())
    }

    fn end_thread(&mut self) -> u32 {
        0
    }

    fn follows(&mut self, node: LiveNode, catalog: &Catalog) -> bool {
        self.last = Some(node);
        self.visitor.follows(node, KnownMethods(catalog))
    }
}
