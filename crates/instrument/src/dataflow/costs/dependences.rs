//! Dependences on values that a method has from elsewhere, and what calls of natives,
//! `arraycopy` and `clone` are to the graph.

use classfile::ssa::kinds::{Kind, kind};
use classfile::{Fragment, Refusal, opcode};
use profile::dataflow::InstructionKind;

use super::code::CostCode;
use super::nodes::is_in_all_slots;
use super::probes;
use crate::dataflow::domain::{Shadow, Step, Use};
use crate::dataflow::emit::{Emitter, forget};
use crate::dataflow::tracking::calls::{Call, clones_unless_overridden};
use crate::dataflow::tracking::stack::ARGUMENTS;

impl CostCode<'_> {
    /// Dependences on what the method has from elsewhere.
    pub(super) fn depend(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        use InstructionKind::{Compute, Native, Predicate, Store};
        let found = [Compute, Store, Predicate, Native]
            .into_iter()
            .find_map(|kind| self.nodes.node(bci, kind).map(|node| (node, kind)));
        let Some((node, kind_of_node)) = found else { return Ok(()) };
        let mut fragment = Fragment::new();
        for (operand, demand) in (0..).zip(emitter.shadows.demands_at(bci)) {
            let is_dynamic = matches!(emitter.shadows.of(demand.value), Shadow::Dynamic(_));
            if is_dynamic && matches!(demand.wants, Use::Consumed | Use::Stored) {
                fragment = emitter.push(fragment, demand.value)?;
                fragment = match is_in_all_slots(kind_of_node) {
                    true => self.own_nodes.push_in_all(fragment, node, emitter.pool)?,
                    false => self.push_node(emitter, fragment, node)?,
                };
                fragment = self.push_met_operand(emitter, fragment, bci, operand)?;
                fragment = emitter.probe(fragment, &probes::DEPENDS)?;
            }
        }
        if fragment.peak() == 0 {
            return Ok(());
        }
        if kind(step.instruction.opcode) == Kind::Predicate || step.call.is_some() {
            emitter.edit.before(bci, fragment);
        } else {
            // What throws an exception uses nothing.
            emitter.edit.after(bci, fragment);
        }
        Ok(())
    }

    /// After a call of what may have been native: if nobody has taken the
    /// arguments, it was.
    pub(super) fn note_native(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let kind = InstructionKind::Native;
        let (Some(Call::Tracked { callee }), Some(node), Some(counter), Some(counters)) = (
            step.call,
            self.nodes.node(bci, kind),
            self.nodes.counter(bci, kind),
            self.activation.counters,
        ) else {
            return Ok(());
        };
        if step.operands.iter().all(|&value| emitter.shadows.of(value) == Shadow::NONE) {
            let fragment =
                Fragment::new().simple(opcode::LCONST_0).push_int(callee, emitter.pool)?;
            let fragment = emitter.probe(fragment, &ARGUMENTS[0])?;
            emitter.edit.before(bci, fragment);
        }
        let mut fragment = Fragment::new().load_long(counters);
        // A method has far fewer counters than 2^28.
        fragment =
            fragment.push_int(counter as i32 * 8, emitter.pool)?.push_int(callee, emitter.pool)?;
        fragment = emitter.probe(fragment, &probes::WAS_NATIVE)?.store_int(emitter.scratch);
        for (operand, &value) in (0..).zip(step.operands) {
            if emitter.shadows.of(value) != Shadow::NONE {
                fragment = emitter.push(fragment, value)?.load_int(emitter.scratch);
                fragment = fragment.simple(opcode::I2L).simple(opcode::LAND);
                fragment = self.own_nodes.push_in_all(fragment, node, emitter.pool)?;
                fragment = self.push_met_operand(emitter, fragment, bci, operand)?;
                fragment = emitter.probe(fragment, &probes::DEPENDS)?;
            }
        }
        emitter.edit.after(bci, fragment);
        Ok(())
    }

    pub(super) fn note_array_copy(
        &self,
        emitter: &mut Emitter<'_, '_>,
        bci: u32,
    ) -> Result<(), Refusal> {
        let Some(node) = self.nodes.node(bci, InstructionKind::Store) else { return Ok(()) };
        let (after, arrays) = emitter.keep_array_copy(bci)?;
        let after = self.push_node(emitter, after, node)?;
        let after = emitter.probe(after, &probes::COPIED)?;
        emitter.edit.after(bci, forget(after, &arrays));
        Ok(())
    }

    pub(super) fn note_clone(
        &self,
        emitter: &mut Emitter<'_, '_>,
        bci: u32,
    ) -> Result<(), Refusal> {
        let Some(node) = self.nodes.node(bci, InstructionKind::Store) else { return Ok(()) };
        let any = emitter.any_object()?;
        let from = emitter.spill(any, 0);
        emitter.edit.before(bci, Fragment::new().dup().store_reference(from));
        let after = Fragment::new().dup().load_reference(from).swap();
        let after = self.push_node(emitter, after, node)?;
        let probe = match clones_unless_overridden(emitter.subject.code, bci) {
            true => &probes::CLONED_UNLESS_OVERRIDDEN,
            false => &probes::CLONED,
        };
        let after = emitter.probe(after, probe)?;
        emitter.edit.after(bci, forget(after, &[from]));
        Ok(())
    }
}
