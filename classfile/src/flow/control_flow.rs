//! Basic blocks and the edges between them.

use super::dominators::Dominators;
use super::loops::Loops;
use crate::read::code::Code;
use crate::read::opcode;

/// The control-flow graph of a method.
///
/// Leaders are bci 0, targets of branches and switches, handler starts, and
/// instructions behind a branch, switch, return, `athrow`, `jsr` or `ret`.
/// Calls do not end a block, so a block that no exception cuts short runs all
/// its instructions.
///
/// Edges to places where no instruction starts are left out: no JVM accepts
/// such code. A `ret` may lead behind every `jsr`.
#[derive(Clone, Debug)]
pub struct ControlFlow {
    blocks: Vec<BasicBlock>,
    /// Successors of all blocks; those of one lie together.
    edges: Vec<BlockIndex>,
    /// Which block starts at each bci, or `NO_BLOCK`.
    starts: Vec<BlockIndex>,
}

/// The position of a block in [`ControlFlow::blocks`].
pub type BlockIndex = u32;

const NO_BLOCK: BlockIndex = u32::MAX;

/// Instructions that always run together, unless one of them throws.
#[derive(Clone, Debug)]
pub struct BasicBlock {
    /// The bci of the first instruction.
    pub start: u32,
    /// The bci behind the last instruction.
    pub end: u32,
    /// How many instructions there are.
    pub instruction_count: u32,
    /// The bci of the last instruction.
    pub last: u32,
    edges_start: u32,
    /// Where normal successors end and handlers start.
    edges_middle: u32,
    edges_end: u32,
}

impl ControlFlow {
    /// Finds the blocks of a method and their successors.
    pub fn new(code: &Code<'_>) -> ControlFlow {
        let mut graph =
            ControlFlow { blocks: Vec::new(), edges: Vec::new(), starts: find_leaders(code) };
        let returns = graph.split(code);
        graph.connect(code, &returns);
        graph
    }

    /// Cuts the code at its leaders. Gives the positions behind each `jsr`.
    fn split(&mut self, code: &Code<'_>) -> Vec<u32> {
        let mut returns = Vec::new();
        for instruction in code.instructions() {
            let bci = instruction.bci;
            let start = &mut self.starts[bci as usize];
            if *start != NO_BLOCK {
                *start = self.blocks.len() as u32;
                self.blocks.push(BasicBlock {
                    start: bci,
                    end: bci,
                    instruction_count: 0,
                    last: bci,
                    edges_start: 0,
                    edges_middle: 0,
                    edges_end: 0,
                });
            }
            // The first instruction is a leader, so there is a block.
            if let Some(block) = self.blocks.last_mut() {
                block.end = instruction.end();
                block.last = bci;
                block.instruction_count += 1;
            }
            if matches!(instruction.opcode, opcode::JSR | opcode::JSR_W) {
                returns.push(instruction.end());
            }
        }
        returns
    }

    fn connect(&mut self, code: &Code<'_>, returns: &[u32]) {
        for number in 0..self.blocks.len() {
            let BasicBlock { start, end, last, .. } = self.blocks[number];
            let first_edge = self.edges.len();
            let Some(instruction) = code.instruction_at(last) else { continue };
            match instruction.opcode {
                opcode::RET => {
                    returns.iter().for_each(|&behind| self.add_edge(first_edge, behind));
                }
                // The position behind is reached by the `ret`, not from here.
                opcode::JSR | opcode::JSR_W => {}
                other if opcode::is_unconditional(other) => {}
                _ => self.add_edge(first_edge, end),
            }
            instruction.targets().for_each(|target| self.add_edge(first_edge, target));
            let middle = self.edges.len();
            for entry in code.exception_table() {
                if entry.start < end && start < entry.end {
                    self.add_edge(middle, entry.handler);
                }
            }
            let block = &mut self.blocks[number];
            block.edges_start = first_edge as u32;
            block.edges_middle = middle as u32;
            block.edges_end = self.edges.len() as u32;
        }
    }

    /// Adds an edge unless it is among those from `first` on.
    fn add_edge(&mut self, first: usize, target: u32) {
        if let Some(block) = self.block_starting_at(target)
            && !self.edges.get(first..).unwrap_or_default().contains(&block)
        {
            self.edges.push(block);
        }
    }

    /// The blocks, ordered by their start.
    pub fn blocks(&self) -> &[BasicBlock] {
        &self.blocks
    }

    /// Whether a block starts at `bci`.
    #[inline]
    pub fn is_leader(&self, bci: u32) -> bool {
        self.block_starting_at(bci).is_some()
    }

    /// The block that starts at `bci`.
    #[inline]
    pub fn block_starting_at(&self, bci: u32) -> Option<BlockIndex> {
        self.starts.get(bci as usize).copied().filter(|&block| block != NO_BLOCK)
    }

    /// The block that `bci` lies in.
    pub fn block_of(&self, bci: u32) -> Option<BlockIndex> {
        let behind = self.blocks.partition_point(|block| block.start <= bci);
        let index = behind.checked_sub(1)?;
        self.blocks.get(index).filter(|block| bci < block.end).map(|_| index as u32)
    }

    fn edge_range(&self, block: BlockIndex, exceptional: bool) -> &[BlockIndex] {
        let Some(block) = self.blocks.get(block as usize) else { return &[] };
        let (start, end) = if exceptional {
            (block.edges_middle, block.edges_end)
        } else {
            (block.edges_start, block.edges_middle)
        };
        self.edges.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Where control goes when the block runs to its end, each block once.
    pub fn successors(&self, block: BlockIndex) -> &[BlockIndex] {
        self.edge_range(block, false)
    }

    /// The handlers that cover some instruction of the block, each once, in
    /// the order of the exception table.
    pub fn exception_successors(&self, block: BlockIndex) -> &[BlockIndex] {
        self.edge_range(block, true)
    }

    /// Both kinds of successors, normal ones first.
    pub fn all_successors(&self, block: BlockIndex) -> impl Iterator<Item = BlockIndex> + '_ {
        self.successors(block).iter().chain(self.exception_successors(block)).copied()
    }

    /// Edges that do not lead forward in the code, as source and target:
    /// whatever runs forever runs through one of them. Edges to handlers are
    /// among them where a handler lies before the code that it covers.
    pub fn backward_edges(&self) -> impl Iterator<Item = (BlockIndex, BlockIndex)> + '_ {
        (0..self.blocks.len() as u32).flat_map(move |source| {
            self.all_successors(source)
                .filter(move |&target| target <= source)
                .map(move |target| (source, target))
        })
    }

    /// Which blocks dominate which.
    pub fn dominators(&self) -> Dominators {
        Dominators::new(self)
    }

    /// The natural loops, and what only looks like one.
    pub fn loops(&self) -> Loops {
        Loops::new(self, &self.dominators())
    }
}

/// Marks the leaders with anything but `NO_BLOCK`.
fn find_leaders(code: &Code<'_>) -> Vec<BlockIndex> {
    let mut starts = vec![NO_BLOCK; code.bytecode().len()];
    let mut mark = |bci: u32| {
        if let Some(start) = starts.get_mut(bci as usize) {
            *start = 0;
        }
    };
    mark(0);
    for instruction in code.instructions() {
        if opcode::ends_block(instruction.opcode) {
            instruction.targets().for_each(&mut mark);
            mark(instruction.end());
        }
    }
    for entry in code.exception_table() {
        mark(entry.handler);
    }
    // A target inside an instruction is no leader. Only instruction starts
    // are looked at when blocks are cut, so the marks there must go.
    let mut next = 0;
    for instruction in code.instructions() {
        for inside in starts.get_mut(next..instruction.bci as usize).unwrap_or_default() {
            *inside = NO_BLOCK;
        }
        next = instruction.bci as usize + 1;
    }
    for inside in starts.get_mut(next..).unwrap_or_default() {
        *inside = NO_BLOCK;
    }
    starts
}
