//! Phi copies: the moves of shadows along edges of the control flow graph, where SSA
//! form is left. Each phi has an incoming slot, which predecessors write, so that
//! phis of one block that name each other are copied in parallel.

use classfile::ssa::kinds::{Kind, kind};
use classfile::ssa::{Definition, Origin, Position};
use classfile::{BlockIndex, Fragment, Refusal};

use super::{Emitter, object};
use crate::dataflow::objects::tags;

impl Emitter<'_, '_> {
    /// At the start of blocks: the shadow of a phi becomes its incoming shadow.
    pub(super) fn enter_phis(&mut self) -> Result<(), Refusal> {
        let subject = self.subject;
        for phi in subject.values.phis() {
            let Definition::Phi { block, position } = subject.values.definition(phi) else {
                continue;
            };
            let mut fragment = Fragment::new();
            if let (Some(incoming), Some(current)) =
                (self.slots.incoming(phi), self.slots.shadow(phi))
            {
                fragment = fragment.load_long(incoming).store_long(current);
            }
            if let (Some(tag), Position::Local(local)) = (self.slots.tag(phi), position) {
                fragment = fragment.load_reference(object(local));
                fragment = self.probe(fragment, &tags::probes::TAG)?.store_int(tag);
            }
            if fragment.peak() > 0 {
                self.edit.before(subject.cfg.blocks()[block as usize].start, fragment);
            }
        }
        Ok(())
    }

    /// At the end of predecessors: the incoming shadow of a phi becomes that of the
    /// phi's input.
    pub(super) fn copy_phi_inputs(&mut self) -> Result<(), Refusal> {
        let subject = self.subject;
        for phi in subject.values.phis() {
            let Some(incoming) = self.slots.incoming(phi) else { continue };
            for input in subject.values.inputs(phi) {
                let fragment = self.push(Fragment::new(), input.value)?;
                let fragment = fragment.store_long(incoming);
                match input.origin {
                    Origin::Entry => {}
                    Origin::Before(bci) => self.edit.before(bci, fragment),
                    Origin::Block(block) => {
                        let last = subject.cfg.blocks()[block as usize].last;
                        if self.falls_through(block) {
                            self.edit.after(last, fragment);
                        } else {
                            self.edit.before(last, fragment);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// True if a block ends with an instruction that does not branch.
    fn falls_through(&self, block: BlockIndex) -> bool {
        let last = self.subject.cfg.blocks()[block as usize].last;
        self.subject.code.instruction_at(last).is_some_and(|instruction| {
            !matches!(
                kind(instruction.opcode),
                Kind::Predicate | Kind::Jump | Kind::Return | Kind::Throw
            )
        })
    }
}
