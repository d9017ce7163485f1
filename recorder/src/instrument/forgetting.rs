//! What code that is not followed does for those that are: it makes last writers
//! forgotten where it stores.

use classfile::{ClassEditor, Code, CodeEdit, Member, PoolExtension, Refusal};
use profile::metadata::Record;

use super::class_load::Subject;
use super::rewriter::Rewriter;
use crate::dataflow;
use crate::plan::policy::{self, ClassPolicy};
use crate::probe::Access;

/// Their methods do something else for the agent, also where they have no probes.
const BUSY: [&str; 3] = ["java/lang/Object", "java/lang/Thread", "jdk/internal/reflect/Reflection"];

impl Rewriter<'_> {
    /// True for a class without probes whose stores make last writers forgotten.
    pub(super) fn is_only_to_forget(&self, subject: &Subject<'_>) -> bool {
        self.has_last_writers()
            && !BUSY.contains(&subject.name.as_str())
            && match policy::class_policy(&subject.name) {
                ClassPolicy::Instrument => !self.recording.options.classes.wants(&subject.name),
                ClassPolicy::Plain(_) => dataflow::unfollowed::stores_for_handles(&subject.name),
                ClassPolicy::Ours => false,
            }
    }

    /// Has the methods of such a class do so; true if any of them stores.
    pub(super) fn forget_last_writers(
        &self,
        subject: &Subject<'_>,
        edit: &mut CodeEdit,
        editor: &mut ClassEditor<'_>,
    ) -> bool {
        let mut changed = false;
        for (index, method) in subject.class.methods().iter().enumerate() {
            let Ok(Some(code)) = method.code() else { continue };
            edit.restart(&code);
            let access = if subject.boot { Access::Direct } else { Access::ThroughObject };
            let edited = match self.insert_forgetting(&code, access, edit, editor.pool()) {
                Ok(true) => editor.edit_code(index, edit).map(|()| true),
                other => other,
            };
            match edited {
                Ok(stores) => changed |= stores,
                Err(refusal) => self.mention_remembered(subject, &method, refusal),
            }
        }
        changed
    }

    /// Adds to `edit` what makes last writers forgotten where a method stores that
    /// is not followed; true if it does.
    pub(super) fn insert_forgetting(
        &self,
        code: &Code<'_>,
        access: Access,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<bool, Refusal> {
        let (Some(graph), Some(flow)) = (self.recording.graph, self.recording.options.mode.flow)
        else {
            return Ok(false);
        };
        let write = |record: &Record| {
            self.recording.append(record);
        };
        dataflow::unfollowed::Unfollowed { code, access, mode: flow.mode, graph, write: &write }
            .insert(edit, pool)
    }

    pub(super) fn mention_remembered(
        &self,
        subject: &Subject<'_>,
        method: &Member<'_>,
        refusal: Refusal,
    ) {
        let reason = format!("what it stores may seem to come from who stored before: {refusal}");
        self.skip_method(subject, method, &reason);
    }
}
