//! The predecessors of blocks.

use crate::cfg::control_flow::{BlockIndex, ControlFlow};

/// The reachable predecessors of each block, and which blocks are handlers.
pub(super) struct Predecessors<'f> {
    pub(super) flow: &'f ControlFlow,
    /// Normal predecessors of all blocks; those of one lie together.
    normal: Vec<BlockIndex>,
    /// Where those of each block start.
    starts: Vec<u32>,
    handlers: Vec<bool>,
    reachable: Vec<bool>,
}

impl<'f> Predecessors<'f> {
    pub(super) fn new(flow: &'f ControlFlow, reachable: &[BlockIndex]) -> Predecessors<'f> {
        let count = flow.blocks().len();
        let mut found = Predecessors {
            flow,
            normal: Vec::new(),
            starts: vec![0; count + 1],
            handlers: vec![false; count],
            reachable: vec![false; count],
        };
        for &block in reachable {
            found.reachable[block as usize] = true;
            for &successor in flow.successors(block) {
                found.starts[successor as usize] += 1;
            }
            for &handler in flow.exception_successors(block) {
                found.handlers[handler as usize] = true;
            }
        }
        // Starts become ends, and starts again while the edges are put in.
        let mut end = 0;
        for start in &mut found.starts {
            end += *start;
            *start = end;
        }
        found.normal.resize(end as usize, 0);
        for &block in reachable.iter().rev() {
            for &successor in flow.successors(block) {
                let start = &mut found.starts[successor as usize];
                *start -= 1;
                found.normal[*start as usize] = block;
            }
        }
        found
    }

    /// The blocks that control comes from when nothing is thrown.
    pub(super) fn normal(&self, block: BlockIndex) -> &[BlockIndex] {
        let block = block as usize;
        &self.normal[self.starts[block] as usize..self.starts[block + 1] as usize]
    }

    pub(super) fn is_handler(&self, block: BlockIndex) -> bool {
        self.handlers[block as usize]
    }

    pub(super) fn is_reachable(&self, block: BlockIndex) -> bool {
        self.reachable[block as usize]
    }

    /// The predecessor of a block that is entered from one place only.
    pub(super) fn only_predecessor(&self, block: BlockIndex) -> Option<BlockIndex> {
        match self.normal(block) {
            &[only] if block != 0 && !self.is_handler(block) => Some(only),
            _ => None,
        }
    }
}
