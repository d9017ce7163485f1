//! Which loops a method has, and where they are left.

use classfile::{BlockIndex, Code, ControlFlow, Instruction, Loops, opcode};

/// A natural loop of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StaticLoop {
    /// Where its header starts: whenever this is executed, an iteration begins.
    pub header: u32,
    /// How many loops of the method are around it.
    pub around: u32,
    /// Whether it has neither inner loops nor calls: nothing is read in it that depends on
    /// its iterations.
    pub is_leaf: bool,
    /// Whether one block alone leads out of it, exceptions aside.
    pub has_one_exit: bool,
}

/// A place behind a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    /// The first instruction.
    pub bci: u32,
    /// How many loops of the method it is in.
    pub around: u32,
}

/// The loops of a method, by their headers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoopStructure {
    /// The loops.
    pub loops: Vec<StaticLoop>,
    /// Where it must be said that loops have been left. Headers say it themselves.
    pub exits: Vec<Exit>,
    /// Cycles that are no natural loops, of which nothing is known.
    pub irreducible: u32,
    /// Whether the method itself counts as a loop around these, as it is recursive.
    pub has_method: bool,
}

impl LoopStructure {
    /// Finds the loops of a method. Cycles that only exceptions close are none.
    pub fn new(code: &Code<'_>) -> Self {
        if code.instructions().all(|instruction| {
            instruction.targets().all(|target| target > instruction.bci)
                && instruction.opcode != opcode::RET
        }) {
            return Self::default();
        }
        let flow = ControlFlow::new(code);
        let loops = flow.loops();
        let irreducible = loops.irreducible_edges().len() as u32;
        if code.instructions().any(|instruction| instruction.opcode == opcode::RET) {
            // Where subroutines return to depends on who called them.
            let cycles = (loops.natural().len() as u32).saturating_add(irreducible);
            return Self { irreducible: cycles, ..Self::default() };
        }
        let around = LoopsAround::new(&flow, &loops);
        let blocks = flow.blocks();
        let calls = code.instructions().filter(|instruction| is_call(instruction.opcode));
        let mut calling = vec![false; blocks.len()];
        for call in calls {
            // Blocks lie in the order of the code.
            let behind = blocks.partition_point(|block| block.start <= call.bci);
            if let Some(block) = behind.checked_sub(1) {
                calling[block] = true;
            }
        }
        let headers = around.headers();
        let found = headers.iter().map(|&header| StaticLoop {
            header: blocks[header as usize].start,
            around: around.depth(header) - 1,
            is_leaf: around.is_leaf(header, &calling),
            has_one_exit: around.has_one_exit(header, &flow),
        });
        let mut found: Vec<StaticLoop> = found.collect();
        found.sort_unstable_by_key(|one| one.header);
        let exits = around
            .exits(&flow, code)
            .into_iter()
            .map(|block| Exit { bci: blocks[block as usize].start, around: around.depth(block) });
        Self { loops: found, exits: exits.collect(), irreducible, has_method: false }
    }

    /// With the method as a loop around the others, if it calls itself.
    pub fn with_recursion(mut self, code: &Code<'_>) -> Self {
        let method = code.method();
        let class = method.class().this_class();
        let calls_itself = |instruction: Instruction<'_>| {
            let is_call =
                is_call(instruction.opcode) && instruction.opcode != opcode::INVOKEDYNAMIC;
            let index = instruction.pool_index().filter(|_| is_call);
            let named = index.and_then(|index| code.constant_pool().member_ref(index).ok());
            named.is_some_and(|named| {
                (named.owner, named.name, named.descriptor)
                    == (class, method.name(), method.descriptor())
            })
        };
        self.has_method = code.instructions().any(calls_itself);
        if self.has_method {
            self.loops.iter_mut().for_each(|one| one.around += 1);
            self.exits.iter_mut().for_each(|exit| exit.around += 1);
        }
        self
    }
}

fn is_call(opcode: u8) -> bool {
    (opcode::INVOKEVIRTUAL..=opcode::INVOKEDYNAMIC).contains(&opcode)
}

/// For each block, the loops around it, by position in [`Loops::natural`].
pub(super) struct LoopsAround<'l> {
    loops: &'l Loops,
    blocks: Vec<Vec<usize>>,
    kept: Vec<usize>,
}

impl<'l> LoopsAround<'l> {
    pub(super) fn new(flow: &ControlFlow, loops: &'l Loops) -> Self {
        let natural = loops.natural();
        let is_closed_by_jumps = |&number: &usize| {
            let header = natural[number].header;
            natural[number].latches.iter().any(|&latch| flow.successors(latch).contains(&header))
        };
        let kept: Vec<usize> = (0..natural.len()).filter(is_closed_by_jumps).collect();
        let mut blocks = vec![Vec::new(); flow.blocks().len()];
        for &number in &kept {
            natural[number].body.iter().for_each(|&block| blocks[block as usize].push(number));
        }
        Self { loops, blocks, kept }
    }

    /// The loops around a block, and the one that it is in.
    pub(super) fn of(&self, block: BlockIndex) -> &[usize] {
        &self.blocks[block as usize]
    }

    fn headers(&self) -> Vec<BlockIndex> {
        self.kept.iter().map(|&number| self.loops.natural()[number].header).collect()
    }

    fn depth(&self, block: BlockIndex) -> u32 {
        self.blocks[block as usize].len() as u32
    }

    /// Whether the loop of this header has neither inner loops nor blocks that call.
    fn is_leaf(&self, header: BlockIndex, calling: &[bool]) -> bool {
        let depth = self.depth(header);
        let found = self.loops.natural().iter().find(|one| one.header == header);
        found.is_some_and(|one| {
            one.body.iter().all(|&block| self.depth(block) == depth && !calling[block as usize])
        })
    }

    fn has_one_exit(&self, header: BlockIndex, flow: &ControlFlow) -> bool {
        let found = self.loops.natural().iter().find(|one| one.header == header);
        found.is_some_and(|one| {
            let leaves = |&&block: &&BlockIndex| {
                flow.successors(block).iter().any(|&next| !one.contains(next))
            };
            one.body.iter().filter(leaves).count() == 1
        })
    }

    /// The blocks, but for headers, that are reached from a loop around which they are
    /// not.
    fn exits(&self, flow: &ControlFlow, code: &Code<'_>) -> Vec<BlockIndex> {
        let headers = self.headers();
        let count = flow.blocks().len();
        let mut is_exit = vec![false; count];
        let leaves = |from: BlockIndex, to: BlockIndex| {
            let to = &self.blocks[to as usize];
            self.blocks[from as usize].iter().any(|number| !to.contains(number))
        };
        for block in 0..count as BlockIndex {
            for next in flow.all_successors(block).filter(|&next| leaves(block, next)) {
                is_exit[next as usize] = true;
            }
        }
        // A handler that releases a lock calls nothing before: HotSpot compiles no method
        // that may be left with the lock held. What follows it says that loops are left.
        let releases = |block: BlockIndex| {
            let block = &flow.blocks()[block as usize];
            let is_handler = code.exception_table().any(|entry| entry.handler == block.start);
            is_handler
                && code
                    .instructions()
                    .skip_while(|instruction| instruction.bci < block.start)
                    .take_while(|instruction| instruction.bci < block.end)
                    .any(|instruction| instruction.opcode == opcode::MONITOREXIT)
        };
        let mut waiting: Vec<BlockIndex> =
            (0..count as BlockIndex).filter(|&block| is_exit[block as usize]).collect();
        while let Some(block) = waiting.pop() {
            if !releases(block) {
                continue;
            }
            is_exit[block as usize] = false;
            for &next in flow.successors(block) {
                if !is_exit[next as usize] {
                    is_exit[next as usize] = true;
                    waiting.push(next);
                }
            }
        }
        let is_wanted = |block: &BlockIndex| is_exit[*block as usize] && !headers.contains(block);
        (0..count as BlockIndex).filter(is_wanted).collect()
    }
}
