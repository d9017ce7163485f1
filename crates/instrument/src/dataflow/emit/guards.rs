//! Asks for last writers of fields that may have none.

use classfile::{Fragment, Local, MemberRef, Refusal};

use super::{Emitter, forget};
use crate::dataflow::last_writers::fields::AccessPath;
use crate::dataflow::probes;
use crate::probe::Access;

impl Emitter<'_, '_> {
    /// The access path to the last writer of a field.
    pub(in crate::dataflow) fn access_path(&self, named: MemberRef<'_>) -> AccessPath {
        let class = self.subject.code.method().class();
        let is_boot = self.access == Access::Direct;
        self.last_writers
            .map_or(AccessPath::None, |known| known.access_path_from(class, named, is_boot))
    }

    /// Inserts what reaches for a last writer behind an access to its field.
    pub(in crate::dataflow) fn after_access(
        &mut self,
        bci: u32,
        path: AccessPath,
        fragment: Fragment,
    ) -> Result<(), Refusal> {
        let AccessPath::Guarded(number) = path else {
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
