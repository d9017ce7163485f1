//! The transfer functions of `mode=costs`: code that counts executions and notes
//! dependences.

use classfile::ssa::ValueId;
use classfile::{Fragment, Refusal, opcode};

use super::nodes::MethodNodes;
use crate::dataflow::domain::Step;
use crate::dataflow::emit::Emitter;
use crate::dataflow::emit::own_nodes::OwnNodes;
use crate::dataflow::emit::transfer::Transfer;
use crate::dataflow::methods::activation::Activation;
use crate::dataflow::tracking::calls::Call;
use crate::dataflow::tracking::stack::NO_ARGUMENTS;

/// What is to be written for one method.
pub(super) struct CostCode<'n> {
    /// Its nodes of the cost graph.
    pub(super) nodes: &'n MethodNodes,
    /// What an activation of it keeps.
    pub(super) activation: Activation,
    /// How it pushes its nodes.
    pub(super) own_nodes: OwnNodes,
}

impl Transfer for CostCode<'_> {
    /// Counts the executions of basic blocks.
    fn enter(&self, emitter: &mut Emitter<'_, '_>) -> Result<(), Refusal> {
        for &(start, counter) in &self.nodes.blocks {
            let (access, pool) = (emitter.access, &mut *emitter.pool);
            let fragment = self.activation.count(Fragment::new(), counter, access, pool)?;
            emitter.edit.before(start, fragment);
        }
        Ok(())
    }

    fn before(&self, emitter: &mut Emitter<'_, '_>, step: &Step<'_>) -> Result<(), Refusal> {
        emitter.replace(&step.instruction)
    }

    fn load(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        _made: Option<ValueId>,
    ) -> Result<(), Refusal> {
        self.note_load(emitter, step)
    }

    fn store(&self, emitter: &mut Emitter<'_, '_>, step: &Step<'_>) -> Result<(), Refusal> {
        self.depend(emitter, step)?;
        self.note_store(emitter, step)
    }

    fn call(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        _made: Option<ValueId>,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        match step.call {
            Some(call @ Call::Tracked { callee }) => {
                emitter.pass(step, 0, callee)?;
                if call.may_be_native() {
                    self.note_native(emitter, step)?;
                }
                Ok(())
            }
            // The first argument of a constructor is the object.
            Some(Call::Captures { callee }) => emitter.pass(step, 1, callee),
            Some(Call::CopiesArray) => self.note_array_copy(emitter, bci),
            Some(Call::Clones) => self.note_clone(emitter, bci),
            Some(Call::Consumes { calls_back: true } | Call::Concatenates) => {
                self.depend(emitter, step)?;
                let fragment = emitter.probe(Fragment::new(), &NO_ARGUMENTS)?;
                emitter.edit.before(bci, fragment);
                Ok(())
            }
            Some(Call::Consumes { .. } | Call::Accesses(_)) => self.depend(emitter, step),
            Some(Call::Ignores) | None => Ok(()),
        }
    }

    fn leave(&self, emitter: &mut Emitter<'_, '_>, step: &Step<'_>) -> Result<(), Refusal> {
        emitter.leave_result(step)
    }

    fn operate(&self, emitter: &mut Emitter<'_, '_>, step: &Step<'_>) -> Result<(), Refusal> {
        self.depend(emitter, step)
    }
}

impl CostCode<'_> {
    /// Pushes the node of an instruction.
    pub(super) fn push_node(
        &self,
        emitter: &mut Emitter<'_, '_>,
        fragment: Fragment,
        node: u32,
    ) -> Result<Fragment, Refusal> {
        self.own_nodes.push(fragment, node, emitter.pool)
    }

    /// Pushes the node of an access to the heap, and where it keeps what it met.
    pub(super) fn push_node_at(
        &self,
        emitter: &mut Emitter<'_, '_>,
        fragment: Fragment,
        node: u32,
        bci: u32,
    ) -> Result<Fragment, Refusal> {
        let fragment = self.push_node(emitter, fragment, node)?;
        self.push_met(emitter, fragment, bci)
    }

    /// Pushes where an access to the heap keeps what it met.
    pub(super) fn push_met(
        &self,
        emitter: &mut Emitter<'_, '_>,
        fragment: Fragment,
        bci: u32,
    ) -> Result<Fragment, Refusal> {
        let offset = self.nodes.met(bci).ok_or(Refusal::NotAnInstruction { bci })?;
        self.push_behind(emitter, fragment, offset)
    }

    /// Pushes where an instruction keeps which node made an operand.
    pub(super) fn push_met_operand(
        &self,
        emitter: &mut Emitter<'_, '_>,
        fragment: Fragment,
        bci: u32,
        operand: u32,
    ) -> Result<Fragment, Refusal> {
        let offset =
            self.nodes.met_operand(bci, operand).ok_or(Refusal::NotAnInstruction { bci })?;
        self.push_behind(emitter, fragment, offset)
    }

    /// Pushes the address of the counters and an offset from there.
    fn push_behind(
        &self,
        emitter: &mut Emitter<'_, '_>,
        fragment: Fragment,
        offset: u32,
    ) -> Result<Fragment, Refusal> {
        let fragment = match self.activation.counters {
            Some(counters) => fragment.load_long(counters),
            None => fragment.simple(opcode::LCONST_0),
        };
        // A method has far fewer instructions than 2^16.
        fragment.push_int(offset as i32, emitter.pool)
    }
}
