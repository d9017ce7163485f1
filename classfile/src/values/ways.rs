//! How control comes to blocks.

use crate::flow::control_flow::{BlockIndex, ControlFlow};

/// The reachable predecessors of each block, and which blocks are handlers.
pub(super) struct Ways<'f> {
    pub(super) flow: &'f ControlFlow,
    /// Normal predecessors of all blocks; those of one lie together.
    predecessors: Vec<BlockIndex>,
    /// Where those of each block start.
    starts: Vec<u32>,
    handlers: Vec<bool>,
    reachable: Vec<bool>,
}

impl<'f> Ways<'f> {
    pub(super) fn new(flow: &'f ControlFlow, reachable: &[BlockIndex]) -> Ways<'f> {
        let count = flow.blocks().len();
        let mut ways = Ways {
            flow,
            predecessors: Vec::new(),
            starts: vec![0; count + 1],
            handlers: vec![false; count],
            reachable: vec![false; count],
        };
        for &block in reachable {
            ways.reachable[block as usize] = true;
            for &successor in flow.successors(block) {
                ways.starts[successor as usize] += 1;
            }
            for &handler in flow.exception_successors(block) {
                ways.handlers[handler as usize] = true;
            }
        }
        // Starts become ends, and starts again while the edges are put in.
        let mut end = 0;
        for start in &mut ways.starts {
            end += *start;
            *start = end;
        }
        ways.predecessors.resize(end as usize, 0);
        for &block in reachable.iter().rev() {
            for &successor in flow.successors(block) {
                let start = &mut ways.starts[successor as usize];
                *start -= 1;
                ways.predecessors[*start as usize] = block;
            }
        }
        ways
    }

    /// The blocks that control comes from when nothing is thrown.
    pub(super) fn predecessors(&self, block: BlockIndex) -> &[BlockIndex] {
        let block = block as usize;
        &self.predecessors[self.starts[block] as usize..self.starts[block + 1] as usize]
    }

    pub(super) fn is_handler(&self, block: BlockIndex) -> bool {
        self.handlers[block as usize]
    }

    pub(super) fn is_reachable(&self, block: BlockIndex) -> bool {
        self.reachable[block as usize]
    }

    /// The predecessor of a block that is entered by one way only.
    pub(super) fn only_predecessor(&self, block: BlockIndex) -> Option<BlockIndex> {
        match self.predecessors(block) {
            &[only] if block != 0 && !self.is_handler(block) => Some(only),
            _ => None,
        }
    }
}
