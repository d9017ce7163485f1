//! Static single assignment form: which value each instruction of a method
//! uses, through whatever local variables and stack words it passed.
//!
//! [`Values::new`] puts a method into this form. Loads
//! and stores of local variables, `dup`, `swap` and `checkcast` pass values
//! through, so an operand names at once what made it: a parameter, the result
//! of an instruction, a caught exception, or a phi where control joins.
//!
//! ```
//! use subsume_classfile::ssa::{Definition, Values};
//! use subsume_classfile::ssa::kinds::{Kind, kind};
//! use subsume_classfile::{Code, ControlFlow};
//!
//! /// The calls whose results a method puts into the heap as they are.
//! fn stored_results(code: &Code<'_>) -> Result<Vec<u32>, Box<dyn std::error::Error>> {
//!     let values = Values::new(code, &ControlFlow::new(code))?;
//!     let stored = values.operations().filter(|operation| {
//!         code.instruction_at(operation.bci).is_some_and(|found| kind(found.opcode) == Kind::Store)
//!     });
//!     // The last operand of a store is what it stores.
//!     let stored = stored.filter_map(|operation| operation.operands.last().copied());
//!     let mut calls = Vec::new();
//!     for value in values.demanded_by(stored).iter() {
//!         if let Definition::Result(bci) = values.definition(value)
//!             && code.instruction_at(bci).is_some_and(|found| kind(found.opcode) == Kind::Call)
//!         {
//!             calls.push(bci);
//!         }
//!     }
//!     Ok(calls)
//! }
//! ```
//!
//! # Phi functions
//!
//! There is a phi only where something reads what it defines, and where at
//! least two different values come together: a phi whose inputs are one
//! value and phis that mean the same is replaced by that value.
//!
//! An exception can come from anywhere in what a handler covers. For a
//! phi of a handler the inputs are therefore places in the code, see
//! [`Origin::Before`]. Every covered instruction counts, whether it seems to
//! throw or not, as it does for verifiers: exceptions from other threads come
//! anywhere.
//!
//! # Limits
//!
//! Subroutines are refused, and so is code that no verifier accepts where
//! that is noticed, and a method whose phis would take hundreds of
//! megabytes. Code that cannot be reached has no values.

mod coverage;
mod definition;
mod demand;
mod draft;
mod effect;
pub mod kinds;
mod numbering;
mod predecessors;
mod redundancy;
mod resolution;
mod unsupported;
mod walk;

pub use definition::{Definition, Origin, PhiInput, Position, ValueId};
pub use demand::ValueSet;
pub use unsupported::Unsupported;

use crate::cfg::control_flow::{BlockIndex, ControlFlow};
use crate::read::code::Code;
use draft::{NONE, Record};
use predecessors::Predecessors;
use resolution::Phis;

/// The values of a method.
#[derive(Clone, Debug)]
pub struct Values {
    /// Phis come last, ordered by block and position.
    definitions: Vec<Definition>,
    first_phi: u32,
    inputs: Vec<PhiInput>,
    /// Where the inputs of each phi end.
    input_ends: Vec<u32>,
    /// The reachable instructions, ordered by bci.
    records: Vec<Record>,
    operands: Vec<ValueId>,
}

/// An instruction with the values that it uses and makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operation<'v> {
    /// The instruction.
    pub bci: u32,
    /// What it takes off the stack, from the bottom up, a long or double
    /// being one operand. For `iinc` and loads of local variables, what the
    /// variable holds.
    pub operands: &'v [ValueId],
    /// The value that it makes, if it makes one.
    pub result: Option<ValueId>,
}

impl Values {
    /// Finds the values of a method.
    ///
    /// # Errors
    /// Why they are not known, see [`Unsupported`].
    pub fn new(code: &Code<'_>, flow: &ControlFlow) -> Result<Values, Unsupported> {
        let (mut draft, reachable) = walk::walk(code, flow)?;
        let mut phis = Phis::default();
        if !draft.reads.is_empty() {
            let predecessors = Predecessors::new(flow, &reachable);
            phis = resolution::resolve(&mut draft, code, &predecessors)?;
            redundancy::remove(&mut draft, &mut phis);
        }
        Ok(numbering::number(draft, &phis))
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.definitions.len()
    }

    /// Whether there are none: a method that only returns.
    pub fn is_empty(&self) -> bool {
        self.definitions.is_empty()
    }

    /// All values.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = ValueId> + use<> {
        (0..self.definitions.len() as u32).map(ValueId)
    }

    /// What a value is.
    ///
    /// # Panics
    /// If it is the value of another method, with a number too large for this
    /// one.
    #[inline]
    pub fn definition(&self, value: ValueId) -> Definition {
        self.definitions[value.index()]
    }

    /// The inputs of a phi; nothing for other values.
    pub fn inputs(&self, value: ValueId) -> &[PhiInput] {
        let Some(phi) = value.0.checked_sub(self.first_phi) else { return &[] };
        let Some(&end) = self.input_ends.get(phi as usize) else { return &[] };
        let before = phi.checked_sub(1).and_then(|before| self.input_ends.get(before as usize));
        &self.inputs[before.copied().unwrap_or(0) as usize..end as usize]
    }

    /// All phis, ordered by block and position.
    pub fn phis(&self) -> impl ExactSizeIterator<Item = ValueId> + use<> {
        (self.first_phi..self.definitions.len() as u32).map(ValueId)
    }

    /// The phis at the entry of a block.
    pub fn phis_of(&self, block: BlockIndex) -> impl ExactSizeIterator<Item = ValueId> + use<> {
        let phis = &self.definitions[self.first_phi as usize..];
        let of_earlier = |found: &Definition, limit: BlockIndex| match found {
            Definition::Phi { block, .. } => *block < limit,
            _ => true,
        };
        let start = phis.partition_point(|found| of_earlier(found, block));
        let end = phis.partition_point(|found| of_earlier(found, block.saturating_add(1)));
        (self.first_phi + start as u32..self.first_phi + end as u32).map(ValueId)
    }

    fn operation(&self, record: &Record) -> Operation<'_> {
        let start = record.operands as usize;
        Operation {
            bci: record.bci,
            operands: &self.operands[start..start + record.operand_count as usize],
            result: (record.result != NONE).then_some(ValueId(record.result)),
        }
    }

    /// The reachable instructions, ordered by bci.
    pub fn operations(&self) -> impl ExactSizeIterator<Item = Operation<'_>> {
        self.records.iter().map(|record| self.operation(record))
    }

    /// The instruction that starts at `bci`; `None` if none does, or if it
    /// cannot be reached.
    pub fn at(&self, bci: u32) -> Option<Operation<'_>> {
        let index = self.records.binary_search_by_key(&bci, |record| record.bci).ok()?;
        self.records.get(index).map(|record| self.operation(record))
    }
}
