//! What code that is not followed does for those that are: it clears the tracking
//! stack, makes last writers forgotten where it stores, constructs objects without giving
//! their tags to others, and restores the context where it catches exceptions.

use classfile::{ClassEditor, Code, CodeEdit, Member, PoolExtension, Refusal};
use profile::metadata::Record;

use super::class_load::Subject;
use super::rewriter::Rewriter;
use crate::dataflow;
use crate::dataflow::capability::Capability;
use crate::dataflow::methods::activation;
use crate::dataflow::methods::clearing::Clearing;
use crate::dataflow::objects::tags::constructors::{keep_tag, keeps_tag};
use crate::dataflow::unfollowed::Duties;
use crate::modified_utf8;
use crate::plan::policy::{self, ClassPolicy, MethodPolicy};
use crate::probe::Access;

impl Rewriter<'_> {
    /// All that a method has to do.
    pub(super) fn duties(&self) -> Duties {
        Duties { clears: Clearing::Calls, forgets: self.has_last_writers() }
    }

    /// True for a class without probes.
    pub(super) fn is_unfollowed(&self, subject: &Subject<'_>) -> bool {
        self.recording.graph.is_some()
            && self.follows_values()
            && match policy::class_policy(&subject.name) {
                ClassPolicy::Instrument => !self.recording.options.classes.wants(&subject.name),
                ClassPolicy::Plain(_) => subject.name.starts_with("java/lang/invoke/"),
                ClassPolicy::Ours => false,
            }
    }

    /// Has the methods of such a class do what they have to; true if that is
    /// anything.
    pub(super) fn rewrite_unfollowed(
        &self,
        subject: &Subject<'_>,
        edit: &mut CodeEdit,
        editor: &mut ClassEditor<'_>,
    ) -> bool {
        let methods = subject.class.methods();
        let edited = methods.iter().enumerate().map(|(index, method)| {
            let Ok(Some(code)) = method.code() else { return false };
            let policy = policy::method_policy(&subject.name, &method, code.bytecode());
            let stays = matches!(policy, MethodPolicy::Plain(_) | MethodPolicy::Derived);
            !stays
                && !is_busy(subject, &method)
                && self.edit_unfollowed(subject, (index, &code), edit, editor)
        });
        edited.fold(false, |changed, edited| changed | edited)
    }

    /// Has a method without probes do what it has to; true if that is anything.
    /// What it has no room for is listed.
    pub(super) fn edit_unfollowed(
        &self,
        subject: &Subject<'_>,
        (index, code): (usize, &Code<'_>),
        edit: &mut CodeEdit,
        editor: &mut ClassEditor<'_>,
    ) -> bool {
        let access = Access::of(subject.boot, self.recording.is_attached);
        let all = self.duties();
        let less = Duties { clears: Clearing::Entry, ..all };
        let least = Duties { forgets: false, ..less };
        let mut refused = None;
        for duties in [all, less, least] {
            edit.restart(code);
            match self.insert_unfollowed(code, duties, access, edit, editor.pool()) {
                Ok(false) if refused.is_none() => return false,
                Ok(false) => break,
                Ok(true) => match editor.edit_code(index, edit) {
                    Ok(()) => {
                        if let Some(refusal) = refused.filter(|_| duties == least) {
                            self.mention_remembered(subject, &code.method(), refusal);
                        }
                        return true;
                    }
                    Err(refusal) => refused = Some(refusal),
                },
                Err(refusal) => refused = Some(refusal),
            }
        }
        if let Some(refusal) = refused {
            let reason =
                format!("what it passes on, or stores, may seem to come from elsewhere: {refusal}");
            self.skip_method(subject, &code.method(), &reason);
        }
        false
    }

    /// Adds to `edit` what a method has to do that is not followed; true if that is
    /// anything.
    pub(super) fn insert_unfollowed(
        &self,
        code: &Code<'_>,
        duties: Duties,
        access: Access,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<bool, Refusal> {
        let (Some(graph), Some(flow)) =
            (self.recording.graph, self.recording.options.mode.dataflow)
        else {
            return Ok(false);
        };
        if !flow.mode.has(Capability::FollowsValues) {
            return Ok(false);
        }
        let mut does =
            dataflow::methods::clearing::insert(code, duties.clears, access, edit, pool)?;
        let initialisation = code.initialisation();
        if flow.mode.tags_objects() && keeps_tag(code, &initialisation) {
            keep_tag(&initialisation, access, edit, pool)?;
            does = true;
        }
        does |= activation::insert_unfollowed(flow.contexts, code, access, edit, pool)?;
        if !duties.forgets || !self.forgets(code) {
            return Ok(does);
        }
        let write = |record: &Record| {
            self.recording.append(record);
        };
        let forgetting = dataflow::unfollowed::Unfollowed {
            code,
            access,
            mode: flow.mode,
            graph,
            write: &write,
        };
        Ok(forgetting.insert(edit, pool)? || does)
    }

    /// True for code whose stores make last writers forgotten.
    fn forgets(&self, code: &Code<'_>) -> bool {
        let name = modified_utf8::decode(code.method().class().this_class());
        match policy::class_policy(&name) {
            ClassPolicy::Plain(_) => dataflow::unfollowed::stores_for_handles(&name),
            _ => true,
        }
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

/// True for a method that does something else for the agent, also where its class
/// has no probes.
fn is_busy(subject: &Subject<'_>, method: &Member<'_>) -> bool {
    match subject.name.as_str() {
        "java/lang/Object" | "java/lang/Thread" => method.name() == b"<init>",
        "jdk/internal/reflect/Reflection" => method.name() == b"filterFields",
        _ => false,
    }
}
