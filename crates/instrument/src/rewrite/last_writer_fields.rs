//! Fields that classes get beside their own: those for last writers, where the mode has
//! them, with whether other code may rely on them, and those of the mode.

use classfile::{ClassEditor, ClassFile};
use profile::metadata::Record;

use super::class_load::Subject;
use super::rewriter::Rewriter;
use crate::dataflow::capability::Capability;
use crate::dataflow::last_writers::fields::{self, Lack};
use crate::dataflow::mode::DataflowOptions;

impl Rewriter<'_> {
    /// Notes which static fields a class has, if anybody keeps their last writers.
    pub(super) fn declare_static_fields(&self, class: &ClassFile<'_>) {
        let Some(graph) = self.recording.graph else { return };
        let Some(last_writers) = &graph.last_writers else { return };
        let write = |record: &Record| {
            self.recording.append(record);
        };
        last_writers.statics.declare(class, |field| graph.numbers.field(field, write));
    }

    /// Notes what a class extends, if anybody keeps last writers.
    pub(super) fn declare_superclass(&self, class: &ClassFile<'_>) {
        if let (Some(known), Some(superclass)) =
            (self.recording.last_writers(), class.super_class())
        {
            known.extend(class.this_class(), superclass);
        }
    }

    /// Whether fields need others beside them; all classes must have these
    /// from the beginning.
    pub(super) fn has_last_writers(&self) -> bool {
        self.dataflow().is_some_and(|flow| flow.mode.has(Capability::KeepsLastWriters))
    }

    /// Whether classes get fields, of last writers or of the mode.
    pub(super) fn adds_fields(&self) -> bool {
        self.dataflow().is_some_and(|flow| flow.mode.adds_fields())
    }

    /// Adds these fields; true if there are any.
    fn add_fields(
        &self,
        subject: &Subject<'_>,
        editor: &mut ClassEditor<'_>,
    ) -> Result<bool, Lack> {
        let Some(DataflowOptions { mode, .. }) = self.dataflow() else { return Ok(false) };
        let class = subject.class;
        let added = mode.has(Capability::KeepsLastWriters)
            && fields::add(class, |descriptor| mode.has_last_writer(descriptor), editor)?;
        let graph = self.recording.graph;
        Ok(mode.add_fields((class, subject.boot), graph, editor)? || added)
    }

    /// Gives a class these fields, or has it listed as one without; true if it has got any.
    pub(super) fn give_fields(&self, subject: &Subject<'_>, editor: &mut ClassEditor<'_>) -> bool {
        let name = subject.class.this_class();
        let added = match subject.is_redefined && !self.recording.noticed.was_shown_in_time(name) {
            true => Err(Lack::Unnoticed),
            false => self.add_fields(subject, editor),
        };
        match added {
            Ok(added) => {
                if let Some(known) = self.recording.last_writers() {
                    known.have(name, subject.boot);
                }
                added
            }
            Err(lack) => {
                let what = match self.has_last_writers() {
                    true => "its fields do not know who wrote them last",
                    false => "its objects are not followed",
                };
                let reason = format!("{what}: {lack}");
                self.skip_class(subject, &reason);
                self.lacks_last_writers(subject.class.this_class());
                false
            }
        }
    }

    /// From now on code that accesses fields of a class of this name looks for no last writers.
    pub(super) fn lacks_last_writers(&self, class: &[u8]) {
        if let Some(known) = self.recording.last_writers() {
            known.lack(class);
        }
    }
}
