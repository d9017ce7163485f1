//! Allocation hooks: the probes by which new objects get their tags.

use classfile::{CodeEdit, Fragment, Local, PoolExtension, Refusal, opcode};

use super::allocations::{Allocation, Moment, allocations};
use super::constructors::{keep_tag, keeps_tag};
use super::owners::{Owner, Owners, Passing, push};
use super::receiver::loses_this;
use super::subject::Subject;
use super::{Tags, probes};
use crate::probe::Access;
use crate::probe::members::ProbeMethod;

/// The hooks of one method, while they are written.
struct AllocationHooks<'b, 'c> {
    tags: &'b Tags,
    subject: Subject<'b, 'c>,
    edit: &'b mut CodeEdit,
    pool: &'b mut PoolExtension,
}

/// Adds to `edit` what a method's allocations need, and says on whose behalf the
/// method acts. In a constructor that keeps no tag of `this` in a local, the tag waits
/// in the thread until `this` is initialised.
///
/// # Errors
/// If the constant pool has no room left.
pub fn insert(
    tags: &Tags,
    subject: Subject<'_, '_>,
    edit: &mut CodeEdit,
    pool: &mut PoolExtension,
) -> Result<Owners, Refusal> {
    let allocations = allocations(subject.code, subject.initialisation);
    let passing = Passing::of(tags, &subject);
    let has_owner = !allocations.is_empty() || !passing.is_empty();
    let has_this = !has_owner || !loses_this(subject.code);
    let mut hooks = AllocationHooks { tags, subject, edit, pool };
    let kept = hooks.keep_tag(has_this)?;
    if !has_owner {
        return Ok(Owners::none(kept));
    }
    let this = (has_this, kept);
    let owners = Owners::find(tags, &subject, passing, this, hooks.edit, hooks.pool)?;
    let lines = subject.code.line_table();
    for allocation in &allocations {
        let line = lines.line_of(allocation.bci).unwrap_or(0);
        let bci = match allocation.moment {
            Moment::Constructor(call) => call,
            _ => allocation.bci,
        };
        hooks.tag(allocation, line, owners.at(bci, subject.initialisation))?;
    }
    Ok(owners)
}

/// Adds to `edit` what the constructor of `Object` does.
///
/// # Errors
/// If the constant pool has no room left.
pub fn insert_in_object(edit: &mut CodeEdit, pool: &mut PoolExtension) -> Result<(), Refusal> {
    let fragment = Fragment::new().simple(opcode::ALOAD_0);
    edit.at_entry(Access::Direct.call(fragment, &probes::ALLOCATED, pool)?);
    Ok(())
}

impl AllocationHooks<'_, '_> {
    fn call(&mut self, fragment: Fragment, probe: &ProbeMethod) -> Result<Fragment, Refusal> {
        self.subject.access.call(fragment, probe, self.pool)
    }

    /// Keeps the tag of `this` while the constructor does other things, or
    /// because it does not know `this` everywhere.
    fn keep_tag(&mut self, has_this: bool) -> Result<Option<Local>, Refusal> {
        let initialisation = self.subject.initialisation;
        let is_kept = !has_this || keeps_tag(self.subject.code, initialisation);
        if initialisation.calls.is_empty() || !is_kept {
            return Ok(None);
        }
        keep_tag(initialisation, self.subject.access, self.edit, self.pool).map(Some)
    }

    fn tag(&mut self, allocation: &Allocation, line: u16, owner: Owner) -> Result<(), Refusal> {
        // What has no number gets the tag of what nobody saw being made.
        let Allocation { bci, kind, ref class, .. } = *allocation;
        let site = self.subject.site(self.tags, bci, line, (kind, class));
        let Some(site) = site else { return Ok(()) };
        match allocation.moment {
            Moment::Constructor(call) => {
                let fragment = self.owner_and_site(Fragment::new(), owner, site)?;
                let fragment = self.call(fragment, &probes::EXPECT)?;
                self.edit.before(call, fragment);
            }
            Moment::Array { dimensions: 1, elements } => {
                let fragment = Fragment::new().dup().dup().simple(opcode::ARRAYLENGTH);
                let fragment = fragment.push_int(elements, self.pool)?;
                let fragment = self.owner_and_site(fragment, owner, site)?;
                let fragment = self.call(fragment, &probes::ARRAY)?;
                self.edit.after(bci, fragment);
            }
            Moment::Array { dimensions, .. } => {
                let fragment = Fragment::new().dup().push_int(dimensions.into(), self.pool)?;
                let fragment = self.owner_and_site(fragment, owner, site)?;
                let fragment = self.call(fragment, &probes::ARRAYS)?;
                self.edit.after(bci, fragment);
            }
            Moment::Clone => {
                let fragment = self.owner_and_site(Fragment::new().dup(), owner, site)?;
                let fragment = self.call(fragment, &probes::CLONED)?;
                self.edit.after(bci, fragment);
            }
            Moment::Lambda | Moment::Made => {
                if allocation.moment == Moment::Lambda {
                    let fragment = self.owner_and_site(Fragment::new(), owner, site)?;
                    let fragment = self.call(fragment, &probes::EXPECT)?;
                    self.edit.before(bci, fragment);
                }
                let fragment = self.owner_and_site(Fragment::new().dup(), owner, site)?;
                let fragment = self.call(fragment, &probes::MADE)?;
                self.edit.after(bci, fragment);
            }
        }
        Ok(())
    }

    fn owner_and_site(
        &mut self,
        fragment: Fragment,
        owner: Owner,
        site: u32,
    ) -> Result<Fragment, Refusal> {
        let fragment = push(owner, fragment, self.subject.access, self.pool)?;
        fragment.push_int(site as i32, self.pool)
    }
}
