//! Stores to local variables that are read behind a loop around them.

use classfile::{BlockIndex, Code, ControlFlow, Instruction, Loops, opcode};

use super::structure::LoopsAround;

/// A store to a local variable in a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalEffect {
    /// The instruction.
    pub bci: u32,
    /// Behind the loop of the method around which there are so many, the variable may be
    /// read, and behind no loop around that one.
    pub around: u32,
}

/// Local variables, by their slots.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Slots(Vec<u64>);

impl Slots {
    fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn contains(&self, slot: u16) -> bool {
        self.0.get(usize::from(slot) / 64).is_some_and(|word| word >> (slot % 64) & 1 != 0)
    }

    fn insert(&mut self, slot: u16) {
        if let Some(word) = self.0.get_mut(usize::from(slot) / 64) {
            *word |= 1 << (slot % 64);
        }
    }

    /// Adds those of another set; true if any is new.
    fn add(&mut self, other: &Self) -> bool {
        let mut is_new = false;
        for (word, &more) in self.0.iter_mut().zip(&other.0) {
            is_new |= more & !*word != 0;
            *word |= more;
        }
        is_new
    }

    fn add_without(&mut self, other: &Self, without: &Self) {
        for ((word, &more), &not) in self.0.iter_mut().zip(&other.0).zip(&without.0) {
            *word |= more & !not;
        }
    }
}

fn stored(instruction: &Instruction<'_>) -> Option<u16> {
    let stores = matches!(instruction.opcode, opcode::ISTORE..=opcode::ASTORE_3 | opcode::IINC);
    instruction.local().filter(|_| stores)
}

fn loaded(instruction: &Instruction<'_>) -> Option<u16> {
    let loads = matches!(instruction.opcode, opcode::ILOAD..=opcode::ALOAD_3 | opcode::IINC);
    instruction.local().filter(|_| loads)
}

/// The variables that may be read before they are stored to, at the start of each block.
fn live_at_starts(code: &Code<'_>, flow: &ControlFlow) -> Vec<Slots> {
    let none = Slots::none(usize::from(code.max_locals()));
    let blocks = flow.blocks();
    let (mut live, mut killed) = (vec![none.clone(); blocks.len()], vec![none; blocks.len()]);
    let mut block = 0;
    for instruction in code.instructions() {
        while block + 1 < blocks.len() && blocks[block].end <= instruction.bci {
            block += 1;
        }
        if let Some(slot) = loaded(&instruction).filter(|&slot| !killed[block].contains(slot)) {
            live[block].insert(slot);
        }
        if let Some(slot) = stored(&instruction) {
            killed[block].insert(slot);
        }
    }
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for block in (0..blocks.len()).rev() {
            let mut behind = live[block].clone();
            for &next in flow.successors(block as BlockIndex) {
                behind.add_without(&live[next as usize], &killed[block]);
            }
            // An exception may come before the block has stored anything.
            for &handler in flow.exception_successors(block as BlockIndex) {
                behind.add(&live[handler as usize]);
            }
            has_changed |= live[block].add(&behind);
        }
    }
    live
}

/// The stores of a method without subroutines.
pub fn local_effects(code: &Code<'_>) -> Vec<LocalEffect> {
    let flow = ControlFlow::new(code);
    let loops: Loops = flow.loops();
    let around = LoopsAround::new(&flow, &loops);
    let live = live_at_starts(code, &flow);
    let natural = loops.natural();
    let read_behind = |number: usize, slot: u16| {
        natural[number].body.iter().any(|&block| {
            let mut left =
                flow.all_successors(block).filter(|&next| !natural[number].contains(next));
            left.any(|next| live[next as usize].contains(slot))
        })
    };
    let mut found = Vec::new();
    for instruction in code.instructions() {
        let (Some(slot), Some(block)) = (stored(&instruction), flow.block_of(instruction.bci))
        else {
            continue;
        };
        let mut outermost_first: Vec<usize> = around.of(block).to_vec();
        outermost_first.sort_by_key(|&number| std::cmp::Reverse(natural[number].body.len()));
        let loop_ = outermost_first.iter().position(|&number| read_behind(number, slot));
        if let Some(at) = loop_ {
            found.push(LocalEffect { bci: instruction.bci, around: at as u32 });
        }
    }
    found
}
