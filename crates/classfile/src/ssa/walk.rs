//! Runs over each reachable block once and names what its instructions use.
//!
//! What a block finds in local variables and on the stack is only named here,
//! [`Term::AtEntry`]; [`super::resolution`] finds out what it is.

use super::definition::Definition;
use super::draft::{Draft, NONE, Record, Term, TermId, Write};
use super::effect::stack_words;
use super::unsupported::Unsupported;
use crate::cfg::control_flow::{BlockIndex, ControlFlow};
use crate::read::code::{Code, Instructions};
use crate::read::descriptor;
use crate::read::instruction::Instruction;
use crate::read::opcode;

/// The upper word of a long or double on the stack.
const SECOND_WORD: TermId = NONE;

/// Names all uses. Gives also the reachable blocks.
pub(super) fn walk(
    code: &Code<'_>,
    flow: &ControlFlow,
) -> Result<(Draft, Vec<BlockIndex>), Unsupported> {
    let mut walk = Walk::new(code, flow)?;
    let mut order = Vec::with_capacity(flow.blocks().len());
    walk.reach(0, &[])?;
    // A block is reached before it is taken up, so the shape of its stack is
    // known by then.
    while let Some(block) = walk.work.pop() {
        order.push(block);
        walk.run_block(block)?;
    }
    Ok((walk.draft, order))
}

/// What a local variable holds, if `stamp` is that of the current block.
#[derive(Clone, Copy)]
struct Local {
    stamp: u32,
    term: TermId,
}

struct Walk<'w, 'a> {
    code: &'w Code<'a>,
    flow: &'w ControlFlow,
    draft: Draft,
    /// Blocks that are reached and not yet run over.
    work: Vec<BlockIndex>,
    /// Where in `shapes` the stack at each block's entry lies.
    entries: Vec<Option<(u32, u32)>>,
    /// For each stack word whether it is a second one.
    shapes: Vec<bool>,
    /// Number of each block's first instruction.
    ordinals: Vec<u32>,
    /// Whether no jump leads to the start of the method.
    entry_is_entered_once: bool,
    locals: Vec<Local>,
    stack: Vec<TermId>,
    /// The stack that the current block started with.
    stack_at_entry: Vec<TermId>,
}

impl<'w, 'a> Walk<'w, 'a> {
    fn new(code: &'w Code<'a>, flow: &'w ControlFlow) -> Result<Walk<'w, 'a>, Unsupported> {
        let blocks = flow.blocks();
        let mut next = 0;
        let ordinals = blocks
            .iter()
            .map(|block| {
                let ordinal = next;
                next += block.instruction_count;
                ordinal
            })
            .collect();
        let draft = Draft::new(code.max_locals(), code.max_stack(), next as usize);
        let mut walk = Walk {
            code,
            flow,
            draft,
            work: Vec::new(),
            entries: vec![None; blocks.len()],
            shapes: Vec::new(),
            ordinals,
            entry_is_entered_once: flow.backward_edges().all(|(_, target)| target != 0),
            locals: vec![Local { stamp: u32::MAX, term: NONE }; code.max_locals().into()],
            stack: Vec::with_capacity(code.max_stack().into()),
            stack_at_entry: Vec::new(),
        };
        walk.define_parameters()?;
        Ok(walk)
    }

    fn define_parameters(&mut self) -> Result<(), Unsupported> {
        let method = self.code.method();
        let receiver: &[&[u8]] = if method.is_static() { &[] } else { &[b"L"] };
        let mut local = 0;
        for parameter in receiver.iter().copied().chain(descriptor::parameters(method.descriptor()))
        {
            let term = self.draft.define(Definition::Parameter(local));
            let words = descriptor::words(parameter);
            // Its last word must fit, too.
            let last = local.checked_add(words - 1).ok_or(Unsupported::Parameters)?;
            if usize::from(last) >= self.locals.len() {
                return Err(Unsupported::Parameters);
            }
            self.draft.initial[usize::from(local)] = term;
            local = last.checked_add(1).ok_or(Unsupported::Parameters)?;
        }
        Ok(())
    }

    /// Control comes to a block with a stack of this shape.
    fn reach(&mut self, block: BlockIndex, shape: &[bool]) -> Result<(), Unsupported> {
        match self.entries[block as usize] {
            Some((start, end)) if self.shapes[start as usize..end as usize] == *shape => Ok(()),
            Some(_) => Err(Unsupported::Stack { bci: self.flow.blocks()[block as usize].start }),
            None => {
                let start = self.shapes.len() as u32;
                self.shapes.extend_from_slice(shape);
                self.entries[block as usize] = Some((start, self.shapes.len() as u32));
                self.work.push(block);
                Ok(())
            }
        }
    }

    fn run_block(&mut self, block: BlockIndex) -> Result<(), Unsupported> {
        let flow = self.flow;
        let extent = &flow.blocks()[block as usize];
        self.stack.clear();
        let (start, end) = self.entries[block as usize].unwrap_or_default();
        for (depth, shape) in (start..end).enumerate() {
            let slot = self.draft.local_count + depth as u32;
            let word = match self.shapes[shape as usize] {
                true => SECOND_WORD,
                false => self.at_entry(block, slot),
            };
            self.stack.push(word);
        }
        self.stack_at_entry.clone_from(&self.stack);
        let first = self.ordinals[block as usize] as usize;
        let instructions = Instructions::starting_at(self.code.bytecode(), extent.start as usize);
        for (ordinal, instruction) in
            (first..first + extent.instruction_count as usize).zip(instructions)
        {
            let operands = self.draft.operands.len() as u32;
            let result = self.run(block, &instruction)?;
            self.draft.records[ordinal] = Record {
                bci: instruction.bci,
                operands,
                operand_count: self.draft.operands.len() as u32 - operands,
                result,
            };
        }
        self.leave(block, extent.end)
    }

    /// Hands the stack on to the blocks behind.
    fn leave(&mut self, block: BlockIndex, end: u32) -> Result<(), Unsupported> {
        for (depth, &term) in self.stack.iter().enumerate() {
            if term != SECOND_WORD && self.stack_at_entry.get(depth) != Some(&term) {
                let slot = self.draft.local_count + depth as u32;
                self.draft.writes.push(Write { slot, block, end, term });
            }
        }
        let flow = self.flow;
        for &handler in flow.exception_successors(block) {
            self.reach(handler, &[false])?;
        }
        let shape: Vec<bool> = self.stack.iter().map(|&word| word == SECOND_WORD).collect();
        for &successor in flow.successors(block) {
            self.reach(successor, &shape)?;
        }
        Ok(())
    }

    /// What a slot holds when the block is entered.
    fn at_entry(&mut self, block: BlockIndex, slot: u32) -> TermId {
        let term = self.draft.add(Term::AtEntry { block, slot });
        self.draft.reads.push(term);
        term
    }

    /// Runs an instruction; gives the term that it defines, or `NONE`.
    #[inline]
    fn run(
        &mut self,
        block: BlockIndex,
        instruction: &Instruction<'_>,
    ) -> Result<TermId, Unsupported> {
        match instruction.opcode {
            opcode::NOP | opcode::GOTO | opcode::GOTO_W => {}
            opcode::ILOAD..=opcode::ALOAD | opcode::ILOAD_0..=opcode::ALOAD_3 => {
                let (_, words) = opcode::stack_effect(instruction.opcode);
                let term = self.load(block, instruction, words.into())?;
                self.draft.operands.push(term);
                self.push(instruction, term, words.into())?;
            }
            opcode::ISTORE..=opcode::ASTORE | opcode::ISTORE_0..=opcode::ASTORE_3 => {
                let (words, _) = opcode::stack_effect(instruction.opcode);
                let term = self.pop(instruction, words.into())?.ok_or_else(stack(instruction))?;
                self.store(block, instruction, words.into(), term)?;
            }
            opcode::IINC => {
                let term = self.load(block, instruction, 1)?;
                self.draft.operands.push(term);
                let result = self.draft.define(Definition::Result(instruction.bci));
                self.store(block, instruction, 1, result)?;
                return Ok(result);
            }
            opcode::DUP => self.duplicate(instruction, 1, 0)?,
            opcode::DUP_X1 => self.duplicate(instruction, 1, 1)?,
            opcode::DUP_X2 => self.duplicate(instruction, 1, 2)?,
            opcode::DUP2 => self.duplicate(instruction, 2, 0)?,
            opcode::DUP2_X1 => self.duplicate(instruction, 2, 1)?,
            opcode::DUP2_X2 => self.duplicate(instruction, 2, 2)?,
            opcode::SWAP => {
                let top = self.top(instruction, 2)?;
                self.top(instruction, 1)?;
                self.use_words(top);
                self.stack.swap(top, top + 1);
            }
            opcode::CHECKCAST => {
                let top = self.top(instruction, 1)?;
                self.use_words(top);
            }
            opcode::JSR | opcode::JSR_W | opcode::RET => {
                return Err(Unsupported::Subroutine { bci: instruction.bci });
            }
            _ => {
                let (pops, pushes) = stack_words(instruction, self.code.constant_pool())
                    .ok_or(Unsupported::Operand { bci: instruction.bci })?;
                self.pop(instruction, pops)?;
                if pushes > 0 {
                    let result = self.draft.define(Definition::Result(instruction.bci));
                    self.push(instruction, result, pushes)?;
                    return Ok(result);
                }
            }
        }
        Ok(NONE)
    }

    fn load(
        &mut self,
        block: BlockIndex,
        instruction: &Instruction<'_>,
        words: u32,
    ) -> Result<TermId, Unsupported> {
        let index = self.local(instruction, words)?;
        let Local { stamp, term } = self.locals[index];
        if stamp == block {
            return Ok(term);
        }
        let term = if block == 0 && self.entry_is_entered_once {
            match self.draft.initial[index] {
                NONE => return Err(Unsupported::Undefined { bci: 0 }),
                parameter => parameter,
            }
        } else {
            self.at_entry(block, index as u32)
        };
        self.locals[index] = Local { stamp: block, term };
        Ok(term)
    }

    fn store(
        &mut self,
        block: BlockIndex,
        instruction: &Instruction<'_>,
        words: u32,
        term: TermId,
    ) -> Result<(), Unsupported> {
        let index = self.local(instruction, words)?;
        self.locals[index] = Local { stamp: block, term };
        let write = Write { slot: index as u32, block, end: instruction.end(), term };
        self.draft.writes.push(write);
        Ok(())
    }

    /// The local variable that an instruction names.
    fn local(&self, instruction: &Instruction<'_>, words: u32) -> Result<usize, Unsupported> {
        match instruction.local() {
            Some(local) if u32::from(local) + words <= self.draft.local_count => Ok(local.into()),
            _ => Err(Unsupported::Operand { bci: instruction.bci }),
        }
    }

    fn push(
        &mut self,
        instruction: &Instruction<'_>,
        term: TermId,
        words: u32,
    ) -> Result<(), Unsupported> {
        self.stack.push(term);
        if words == 2 {
            self.stack.push(SECOND_WORD);
        }
        self.check_depth(instruction)
    }

    fn check_depth(&self, instruction: &Instruction<'_>) -> Result<(), Unsupported> {
        if self.stack.len() > usize::from(self.code.max_stack()) {
            return Err(Unsupported::Stack { bci: instruction.bci });
        }
        Ok(())
    }

    /// Where the top words start, which must not halve a value.
    fn top(&self, instruction: &Instruction<'_>, words: u32) -> Result<usize, Unsupported> {
        let top = self.stack.len().checked_sub(words as usize).ok_or_else(stack(instruction))?;
        if words > 0 && self.stack[top] == SECOND_WORD {
            return Err(Unsupported::Stack { bci: instruction.bci });
        }
        Ok(top)
    }

    /// Takes words off the stack, as operands. Gives the lowest one.
    fn pop(
        &mut self,
        instruction: &Instruction<'_>,
        words: u32,
    ) -> Result<Option<TermId>, Unsupported> {
        let top = self.top(instruction, words)?;
        self.use_words(top);
        let lowest = self.stack.get(top).copied();
        self.stack.truncate(top);
        Ok(lowest)
    }

    /// Makes the values from this word on operands.
    fn use_words(&mut self, top: usize) {
        for &word in &self.stack[top..] {
            if word != SECOND_WORD {
                self.draft.operands.push(word);
            }
        }
    }

    /// Copies the top `words` below the `below` words under them.
    fn duplicate(
        &mut self,
        instruction: &Instruction<'_>,
        words: u32,
        below: u32,
    ) -> Result<(), Unsupported> {
        let top = self.top(instruction, words)?;
        let place = self.top(instruction, words + below)?;
        self.use_words(place);
        let end = self.stack.len();
        self.stack.extend_from_within(top..);
        // The copies come below: what was there moves up behind them.
        self.stack[place..].rotate_right(end - top);
        self.check_depth(instruction)
    }
}

/// The stack does not fit this instruction.
fn stack(instruction: &Instruction<'_>) -> impl FnOnce() -> Unsupported + use<> {
    let bci = instruction.bci;
    move || Unsupported::Stack { bci }
}
