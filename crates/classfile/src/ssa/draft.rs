//! Values while they are being found.

use super::definition::{Definition, Position};
use crate::cfg::control_flow::BlockIndex;

/// The number of a [`Term`].
pub(super) type TermId = u32;

/// No term.
pub(super) const NONE: TermId = u32::MAX;

/// A local variable, or behind those a word of the operand stack.
pub(super) type Slot = u32;

/// A value, or a name for one that is not known yet.
#[derive(Clone, Copy, Debug)]
pub(super) enum Term {
    /// A value.
    Defined(Definition),
    /// Whatever the slot holds when the block is entered.
    AtEntry { block: BlockIndex, slot: Slot },
}

/// What a block leaves in a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    pub(super) slot: Slot,
    pub(super) block: BlockIndex,
    /// The bci behind the instruction that wrote: from there on it holds.
    pub(super) end: u32,
    pub(super) term: TermId,
}

/// What an instruction uses and defines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub(super) bci: u32,
    /// Where its operands start.
    pub(super) operands: u32,
    pub(super) operand_count: u32,
    /// `NONE` if it defines nothing.
    pub(super) result: TermId,
}

impl Record {
    /// Stands for an instruction that is not reached.
    pub(super) const UNREACHED: Record =
        Record { bci: u32::MAX, operands: 0, operand_count: 0, result: NONE };

    pub(super) fn is_reached(&self) -> bool {
        self.bci != u32::MAX
    }
}

/// The terms of a method and their uses.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    terms: Vec<Term>,
    /// For each term the one that it turned out to mean, itself at first.
    meaning: Vec<TermId>,
    /// How many local variables there are: the first slot of the stack.
    pub(super) local_count: u32,
    pub(super) slot_count: u32,
    /// The parameter that each local variable starts with, or `NONE`.
    pub(super) initial: Vec<TermId>,
    /// What blocks write: those of one block lie together, in order.
    pub(super) writes: Vec<Write>,
    /// All terms of the kind `AtEntry`.
    pub(super) reads: Vec<TermId>,
    pub(super) operands: Vec<TermId>,
    /// One for each instruction, in order.
    pub(super) records: Vec<Record>,
}

impl Draft {
    /// A draft for a method with so many local variables, stack words and
    /// instructions.
    pub(super) fn new(locals: u16, stack: u16, instructions: usize) -> Draft {
        Draft {
            terms: Vec::with_capacity(instructions),
            meaning: Vec::with_capacity(instructions),
            local_count: locals.into(),
            slot_count: u32::from(locals) + u32::from(stack),
            initial: vec![NONE; locals.into()],
            writes: Vec::new(),
            reads: Vec::new(),
            operands: Vec::with_capacity(instructions),
            records: vec![Record::UNREACHED; instructions],
        }
    }

    pub(super) fn add(&mut self, term: Term) -> TermId {
        let id = self.terms.len() as TermId;
        self.terms.push(term);
        self.meaning.push(id);
        id
    }

    pub(super) fn define(&mut self, definition: Definition) -> TermId {
        self.add(Term::Defined(definition))
    }

    pub(super) fn term(&self, id: TermId) -> Term {
        self.terms[id as usize]
    }

    pub(super) fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Whether the term stands for itself.
    pub(super) fn is_final(&self, id: TermId) -> bool {
        self.meaning[id as usize] == id
    }

    /// From now on one term means another.
    pub(super) fn replace(&mut self, id: TermId, by: TermId) {
        self.meaning[id as usize] = by;
    }

    /// What a term means in the end.
    pub(super) fn meaning(&mut self, mut id: TermId) -> TermId {
        while !self.is_final(id) {
            let next = self.meaning[id as usize];
            // Halving the path keeps chains of names short.
            self.meaning[id as usize] = self.meaning[next as usize];
            id = next;
        }
        id
    }

    /// The local variable or stack word that a slot stands for.
    pub(super) fn position(&self, slot: Slot) -> Position {
        // Class files count both in two bytes.
        match slot.checked_sub(self.local_count) {
            Some(depth) => Position::Stack(depth as u16),
            None => Position::Local(slot as u16),
        }
    }
}
