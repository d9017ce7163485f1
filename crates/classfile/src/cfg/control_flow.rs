//! Basic blocks and the edges between them.

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
    /// Which edges lead to normal successors, as start and end.
    normal: (u32, u32),
    /// Which edges lead to handlers.
    exceptional: (u32, u32),
}

impl BasicBlock {
    fn starting_at(bci: u32) -> BasicBlock {
        BasicBlock {
            start: bci,
            end: bci,
            instruction_count: 0,
            last: bci,
            normal: (0, 0),
            exceptional: (0, 0),
        }
    }
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
            let (first, end) = (bci as usize, instruction.end() as usize);
            // A target inside an instruction is not a leader.
            if let Some([start, inside @ ..]) = self.starts.get_mut(first..end) {
                inside.fill(NO_BLOCK);
                if *start != NO_BLOCK {
                    *start = self.blocks.len() as u32;
                    self.blocks.push(BasicBlock::starting_at(bci));
                }
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
        // All `ret`s lead to the same places and share these edges.
        let behind_calls = self.add_edges(returns.iter().copied());
        for number in 0..self.blocks.len() {
            let BasicBlock { start, end, last, .. } = self.blocks[number];
            let Some(instruction) = code.instruction_at(last) else { continue };
            let next = match instruction.opcode {
                // The position behind is reached by the `ret`, not from here.
                opcode::JSR | opcode::JSR_W => None,
                other if opcode::is_unconditional(other) => None,
                _ => Some(end),
            };
            let normal = match instruction.opcode {
                opcode::RET => behind_calls,
                _ => self.add_edges(next.into_iter().chain(instruction.targets())),
            };
            let covering =
                code.exception_table().filter(|entry| entry.start < end && start < entry.end);
            let exceptional = self.add_edges(covering.map(|entry| entry.handler));
            let block = &mut self.blocks[number];
            block.normal = normal;
            block.exceptional = exceptional;
        }
    }

    /// Adds edges to places where a block starts, each once.
    fn add_edges(&mut self, targets: impl Iterator<Item = u32>) -> (u32, u32) {
        let first = self.edges.len();
        for target in targets {
            if let Some(block) = self.block_starting_at(target)
                && !self.edges.get(first..).unwrap_or_default().contains(&block)
            {
                self.edges.push(block);
            }
        }
        (first as u32, self.edges.len() as u32)
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

    fn edge_range(&self, (start, end): (u32, u32)) -> &[BlockIndex] {
        self.edges.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Where control goes when the block runs to its end, each block once.
    pub fn successors(&self, block: BlockIndex) -> &[BlockIndex] {
        self.blocks.get(block as usize).map_or(&[], |block| self.edge_range(block.normal))
    }

    /// The handlers that cover some instruction of the block, each once, in
    /// the order of the exception table.
    pub fn exception_successors(&self, block: BlockIndex) -> &[BlockIndex] {
        self.blocks.get(block as usize).map_or(&[], |block| self.edge_range(block.exceptional))
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
}

/// Marks the leaders with anything but `NO_BLOCK`. Targets inside instructions
/// are marked too.
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
            match instruction.branch_target() {
                Some(target) => mark(target),
                None => instruction.targets().for_each(&mut mark),
            }
            mark(instruction.end());
        }
    }
    for entry in code.exception_table() {
        mark(entry.handler);
    }
    starts
}
