//! Ways into places where values meet.

use classfile::ssa::kinds::{Kind, kind};
use classfile::ssa::{Definition, Origin, Position};
use classfile::{BlockIndex, Fragment, Refusal};

use super::{Emitter, object};
use crate::dataflow::tags;

impl Emitter<'_, '_> {
    /// Start of blocks: merges become what is coming in, all at once.
    pub(super) fn turn_merges(&mut self) -> Result<(), Refusal> {
        let subject = self.subject;
        for merge in subject.values.phis() {
            let Definition::Phi { block, position } = subject.values.definition(merge) else {
                continue;
            };
            let mut fragment = Fragment::new();
            if let (Some(incoming), Some(current)) =
                (self.places.incoming(merge), self.places.shadow(merge))
            {
                fragment = fragment.load_long(incoming).store_long(current);
            }
            if let (Some(tag), Position::Local(local)) = (self.places.tag(merge), position) {
                fragment = fragment.load_reference(object(local));
                fragment = self.probe(fragment, &tags::probes::TAG)?.store_int(tag);
            }
            if fragment.peak() > 0 {
                self.edit.before(subject.flow.blocks()[block as usize].start, fragment);
            }
        }
        Ok(())
    }

    /// Ways into merges: what comes in.
    pub(super) fn feed_merges(&mut self) -> Result<(), Refusal> {
        let subject = self.subject;
        for merge in subject.values.phis() {
            let Some(incoming) = self.places.incoming(merge) else { continue };
            for input in subject.values.inputs(merge) {
                let fragment = self.push(Fragment::new(), input.value)?;
                let fragment = fragment.store_long(incoming);
                match input.origin {
                    Origin::Entry => {}
                    Origin::Before(bci) => self.edit.before(bci, fragment),
                    Origin::Block(block) => {
                        let last = subject.flow.blocks()[block as usize].last;
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
        let last = self.subject.flow.blocks()[block as usize].last;
        self.subject.code.instruction_at(last).is_some_and(|instruction| {
            !matches!(
                kind(instruction.opcode),
                Kind::Predicate | Kind::Jump | Kind::Return | Kind::Throw
            )
        })
    }
}
