//! Fallbacks: a method that cannot be edited as it was decided, mostly because it would
//! be too large, gets less; each step gives up what is missed least, and the profile
//! lists it.

use classfile::{ClassEditor, CodeEdit};
use profile::metadata::Record;

use super::class_load::Subject;
use super::rewriter::{Decided, Rewriter};
use crate::dataflow::methods::clearing::Clearing;
use crate::dataflow::methods::follow::Obstacle;

impl Rewriter<'_> {
    /// Edits a method as decided, or with less; true if it is changed.
    pub(super) fn edit_or_fall_back(
        &self,
        subject: &Subject<'_>,
        decided: &mut Decided<'_>,
        number: u32,
        edit: &mut CodeEdit,
        editor: &mut ClassEditor<'_>,
    ) -> bool {
        let mut result = self.edit_method(subject, decided, number, edit, editor);
        if let Err(Obstacle::Refused(refusal)) = &result
            && decided.plan.has_line_probes()
        {
            let reason = format!("its lines are not counted: {refusal}");
            self.skip_method(subject, &decided.method, &reason);
            decided.plan.leave_lines_out();
            result = self.edit_method(subject, decided, number, edit, editor);
        }
        if let Err(Obstacle::Refused(refusal)) = &result
            && decided.plan.has_bytes_probes()
        {
            let reason = format!("its bytes are not counted: {refusal}");
            self.skip_method(subject, &decided.method, &reason);
            decided.plan.leave_bytes_out();
            result = self.edit_method(subject, decided, number, edit, editor);
        }
        if let Err(obstacle) = &result
            && decided.is_followed
        {
            let reason = format!("its values are not followed: {obstacle}");
            self.skip_method(subject, &decided.method, &reason);
            decided.is_followed = false;
            result = self.edit_method(subject, decided, number, edit, editor);
        }
        if result.is_err() && decided.duties.clears == Clearing::Calls {
            decided.duties.clears = Clearing::Entry;
            result = self.edit_method(subject, decided, number, edit, editor);
        }
        if let Err(Obstacle::Refused(refusal)) = &result
            && decided.duties.forgets
        {
            self.mention_remembered(subject, &decided.method, *refusal);
            decided.duties.forgets = false;
            result = self.edit_method(subject, decided, number, edit, editor);
        }
        if let Err(refusal) = &result
            && decided.is_tagged
        {
            let reason = format!("what it makes has no site of its own: {refusal}");
            self.skip_method(subject, &decided.method, &reason);
            decided.is_tagged = false;
            result = self.edit_method(subject, decided, number, edit, editor);
        }
        if result.is_err() && !decided.plan.cuts.is_empty() {
            decided.plan.cuts.clear();
            result = self.edit_method(subject, decided, number, edit, editor);
            if result.is_ok() {
                let reason = "too large for exact counts at exceptions: \
                    the rest of a block that one cuts short counts as executed";
                self.skip_method(subject, &decided.method, reason);
            }
        }
        match result {
            Ok(()) => {
                if let Some(blocks) = decided.plan.blocks_record(number, &decided.code) {
                    // Without room for it there is none for its counts either.
                    self.recording.append(&Record::Blocks(blocks));
                }
                true
            }
            Err(refusal) => {
                self.skip_method(subject, &decided.method, &refusal.to_string());
                let method = (decided.plan.index, &decided.code);
                self.edit_unfollowed(subject, method, edit, editor)
            }
        }
    }
}
