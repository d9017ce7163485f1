//! Where a constructor initialises its object.

use crate::read::code::{Code, Instructions};
use crate::read::descriptor;
use crate::read::instruction::Instruction;
use crate::read::opcode;
use std::ops::Range;

/// Which stack words and local slots hold `this` before it is initialised.
#[derive(Clone, Debug)]
struct State {
    stack: Vec<bool>,
    locals: Vec<bool>,
}

/// What one instruction does to the state.
enum Step {
    /// Control goes on with what the state has become.
    Next,
    /// The instruction initialised `this`; what follows is of no interest.
    Initialised,
    /// The stack ran empty: no JVM would accept the code.
    Broken,
}

/// The part of a constructor that runs before `this` is initialised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Initialisation {
    /// The `invokespecial` instructions that initialise `this`, ascending:
    /// calls of `this(...)` and `super(...)`.
    pub calls: Vec<u32>,
    /// The instructions that run before one of these calls, without the calls
    /// themselves, as ascending ranges of positions. All other reachable code
    /// runs afterwards.
    pub before: Vec<Range<u32>>,
}

impl Code<'_> {
    /// For a constructor, the positions of the `invokespecial` instructions
    /// that initialise `this`: the calls of `this(...)` and `super(...)`, in
    /// ascending order. Empty for all other methods.
    pub fn constructor_calls(&self) -> Vec<u32> {
        self.initialisation().calls
    }

    /// What a constructor does before `this` is initialised. Empty for all
    /// other methods and for the constructor of `java/lang/Object`, which
    /// starts with an initialised object.
    ///
    /// `this` is followed through stack and locals, so it does not matter
    /// what else the constructor creates before, nor which compiler wrote it.
    pub fn initialisation(&self) -> Initialisation {
        let method = self.method();
        if method.name() != b"<init>"
            || method.is_static()
            || method.class().this_class() == b"java/lang/Object"
        {
            return Initialisation::default();
        }
        let mut calls = Vec::new();
        let mut locals = vec![false; usize::from(self.max_locals())];
        if let Some(this) = locals.first_mut() {
            *this = true;
        }
        let mut visited = vec![false; self.bytecode().len()];
        // In verified code all paths to a place agree on what is initialised
        // there, so each instruction is looked at once and each handler is
        // entered once.
        let mut handlers: Vec<_> = self.exception_table().collect();
        let mut work = vec![(0, State { stack: Vec::new(), locals })];
        while let Some((start, mut state)) = work.pop() {
            for instruction in Instructions::starting_at(self.bytecode(), start as usize) {
                match visited.get_mut(instruction.bci as usize) {
                    Some(seen) if !*seen => *seen = true,
                    _ => break,
                }
                handlers.retain(|entry| {
                    let covers = (entry.start..entry.end).contains(&instruction.bci);
                    if covers {
                        // The handler starts with the exception alone.
                        let handler = State { stack: vec![false], locals: state.locals.clone() };
                        work.push((entry.handler, handler));
                    }
                    !covers
                });
                match state.run(&instruction, self) {
                    Step::Next => {}
                    Step::Initialised => {
                        calls.push(instruction.bci);
                        break;
                    }
                    Step::Broken => break,
                }
                for target in instruction.targets() {
                    if visited.get(target as usize) == Some(&false) {
                        work.push((target, state.clone()));
                    }
                }
                if matches!(instruction.opcode, opcode::JSR | opcode::JSR_W) {
                    // The subroutine takes the return address off the stack.
                    state.stack.pop();
                }
                if opcode::is_unconditional(instruction.opcode) {
                    break;
                }
            }
        }
        calls.sort_unstable();
        let before = self.ranges_before(&calls, &visited);
        Initialisation { calls, before }
    }

    /// Joins the visited instructions, but for the calls, to ranges.
    fn ranges_before(&self, calls: &[u32], visited: &[bool]) -> Vec<Range<u32>> {
        let mut ranges: Vec<Range<u32>> = Vec::new();
        for instruction in self.instructions() {
            if visited.get(instruction.bci as usize) != Some(&true)
                || calls.binary_search(&instruction.bci).is_ok()
            {
                continue;
            }
            match ranges.last_mut() {
                Some(range) if range.end == instruction.bci => range.end = instruction.end(),
                _ => ranges.push(instruction.bci..instruction.end()),
            }
        }
        ranges
    }
}

impl State {
    fn run(&mut self, instruction: &Instruction<'_>, code: &Code<'_>) -> Step {
        match self.effect(instruction, code) {
            Some(true) => Step::Initialised,
            Some(false) => Step::Next,
            None => Step::Broken,
        }
    }

    fn pop(&mut self, words: u16) -> Option<()> {
        let kept = self.stack.len().checked_sub(words.into())?;
        self.stack.truncate(kept);
        Some(())
    }

    fn push(&mut self, words: u16) {
        self.stack.resize(self.stack.len() + usize::from(words), false);
    }

    fn set_local(&mut self, index: u16, holds_this: bool) {
        if let Some(local) = self.locals.get_mut(usize::from(index)) {
            *local = holds_this;
        }
    }

    /// Copies the top `words` below the `below` words under them.
    fn duplicate(&mut self, words: usize, below: usize) -> Option<()> {
        let top = self.stack.len().checked_sub(words)?;
        let place = top.checked_sub(below)?;
        let copies = self.stack.get(top..)?.to_vec();
        self.stack.splice(place..place, copies);
        Some(())
    }

    /// Applies an instruction; gives whether it initialised `this`, or `None`
    /// if the stack is too short for it or an operand is malformed.
    fn effect(&mut self, instruction: &Instruction<'_>, code: &Code<'_>) -> Option<bool> {
        let pool = code.constant_pool();
        let opcode = instruction.opcode;
        match opcode {
            opcode::ALOAD | opcode::ALOAD_0..=opcode::ALOAD_3 => {
                let holds_this = self.locals.get(usize::from(instruction.local()?)).copied();
                self.stack.push(holds_this?);
            }
            opcode::ISTORE..=opcode::ASTORE | opcode::ISTORE_0..=opcode::ASTORE_3 => {
                let (words, _) = opcode::stack_effect(opcode);
                let index = instruction.local()?;
                let holds_this = words == 1 && self.stack.last().copied()?;
                self.pop(words.into())?;
                self.set_local(index, holds_this);
                if words == 2 {
                    self.set_local(index.checked_add(1)?, false);
                }
            }
            opcode::DUP => self.duplicate(1, 0)?,
            opcode::DUP_X1 => self.duplicate(1, 1)?,
            opcode::DUP_X2 => self.duplicate(1, 2)?,
            opcode::DUP2 => self.duplicate(2, 0)?,
            opcode::DUP2_X1 => self.duplicate(2, 1)?,
            opcode::DUP2_X2 => self.duplicate(2, 2)?,
            opcode::SWAP => {
                let top = self.stack.len();
                self.stack.get_mut(top.checked_sub(2)?..)?.swap(0, 1);
            }
            opcode::GETSTATIC | opcode::PUTSTATIC | opcode::GETFIELD | opcode::PUTFIELD => {
                let field = pool.member_ref(instruction.pool_index()?).ok()?;
                let words = descriptor::words(field.descriptor);
                let reference = u16::from(matches!(opcode, opcode::GETFIELD | opcode::PUTFIELD));
                match opcode {
                    opcode::GETSTATIC | opcode::GETFIELD => {
                        self.pop(reference)?;
                        self.push(words);
                    }
                    _ => self.pop(words + reference)?,
                }
            }
            opcode::INVOKEDYNAMIC => {
                let call = pool.invoke_dynamic(instruction.pool_index()?).ok()?;
                self.pop(descriptor::argument_words(call.descriptor))?;
                self.push(descriptor::words(descriptor::return_type(call.descriptor)));
            }
            _ if opcode::is_invoke(opcode) => {
                let callee = pool.member_ref(instruction.pool_index()?).ok()?;
                self.pop(descriptor::argument_words(callee.descriptor))?;
                if opcode != opcode::INVOKESTATIC {
                    let receiver_is_this = self.stack.pop()?;
                    if opcode == opcode::INVOKESPECIAL
                        && receiver_is_this
                        && callee.name == b"<init>"
                    {
                        return Some(true);
                    }
                }
                self.push(descriptor::words(descriptor::return_type(callee.descriptor)));
            }
            opcode::MULTIANEWARRAY => {
                self.pop(instruction.constant()? as u16)?;
                self.push(1);
            }
            opcode::LDC | opcode::LDC_W => self.push(1),
            _ => {
                let (pops, pushes) = opcode::stack_effect(opcode);
                self.pop(pops.into())?;
                self.push(pushes.into());
            }
        }
        Some(false)
    }
}
