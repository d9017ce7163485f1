//! Asks for last writers of fields that may have none.

use classfile::{Fragment, Local, MemberRef, Refusal};

use super::{Emitter, forget};
use crate::dataflow::last_writers::Way;
use crate::dataflow::probes;
use crate::probe::Access;

impl Emitter<'_, '_> {
    /// The way to the last writer of a field.
    pub(in crate::dataflow) fn way_to_last_writer(&self, named: MemberRef<'_>) -> Way {
        let class = self.subject.code.method().class();
        let is_boot = self.access == Access::Direct;
        self.last_writers.map_or(Way::None, |known| known.way_from(class, named, is_boot))
    }

    /// Inserts what reaches for a last writer behind an access to its field.
    pub(in crate::dataflow) fn after_access(
        &mut self,
        bci: u32,
        way: Way,
        fragment: Fragment,
    ) -> Result<(), Refusal> {
        let Way::Asking(number) = way else {
            self.edit.after(bci, fragment);
            return Ok(());
        };
        // Numbers are small.
        let question = Fragment::new().push_int(number as i32, self.pool)?;
        let question = self.probe(question, &probes::LACKS)?;
        self.edit.after_unless(bci, question, fragment)
    }

    /// What was kept for that is not needed any more.
    pub(in crate::dataflow) fn forget_after(&mut self, bci: u32, kept: &[Local]) {
        if !kept.is_empty() {
            self.edit.after(bci, forget(Fragment::new(), kept));
        }
    }
}
