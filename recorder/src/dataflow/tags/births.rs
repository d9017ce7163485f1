//! Writes the probes by which new objects get their tags.

use classfile::{
    Code, CodeEdit, Fragment, Initialisation, Local, LocalType, PoolExtension, Refusal, opcode,
};

use super::allocations::{Allocation, Moment, allocations};
use super::constructors::keeps_tag;
use super::names::text;
use super::receiver::loses_this;
use super::{Tags, probes};
use crate::dataflow::contexts::ContextKind;
use crate::dataflow::sites::{AllocationSite, hash_of};
use crate::plan::policy;
use crate::probe::Access;
use crate::probe::members::ProbeMethod;

/// A method whose allocations are to be tagged.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'s, 'c> {
    /// Its code.
    pub code: &'s Code<'c>,
    /// Its number.
    pub number: u32,
    /// How its class reaches the probes.
    pub access: Access,
    /// What it does before it is initialised, if it is a constructor.
    pub initialisation: &'s Initialisation,
}

/// Where the owner's tag comes from that decides about contexts.
#[derive(Debug, Clone, Copy)]
enum Owner {
    /// There is none.
    Nobody,
    /// `this`.
    Receiver,
    /// A local holds its tag.
    Kept(Local),
    /// All receivers on the stack.
    Chain,
}

struct Births<'b, 'c> {
    tags: &'b Tags,
    subject: Subject<'b, 'c>,
    edit: &'b mut CodeEdit,
    pool: &'b mut PoolExtension,
}

/// Adds to `edit` what a method's allocations need. In a constructor that
/// keeps the tag of `this` in a local, the result is that local; in others, the
/// tag waits in the thread until `this` is initialised.
///
/// # Errors
/// If the constant pool has no room left.
pub fn insert(
    tags: &Tags,
    subject: Subject<'_, '_>,
    edit: &mut CodeEdit,
    pool: &mut PoolExtension,
) -> Result<Option<Local>, Refusal> {
    let allocations = allocations(subject.code, subject.initialisation);
    let mut births = Births { tags, subject, edit, pool };
    let has_this = allocations.is_empty() || !loses_this(subject.code);
    let kept = births.keep_tag(has_this)?;
    if allocations.is_empty() {
        return Ok(kept);
    }
    let whole = births.owner_of_all(has_this, kept)?;
    let lines = subject.code.line_table();
    for allocation in &allocations {
        let line = lines.line_of(allocation.bci).unwrap_or(0);
        let owner = match (whole, kept) {
            // Not initialised yet, it cannot be asked.
            (Owner::Receiver, Some(kept)) if births.is_before(allocation) => Owner::Kept(kept),
            (Owner::Receiver, None) if births.is_before(allocation) => Owner::Nobody,
            (owner, _) => owner,
        };
        births.tag(allocation, line, owner)?;
    }
    Ok(kept)
}

/// Adds to `edit` what the constructor of `Object` does.
///
/// # Errors
/// If the constant pool has no room left.
pub fn insert_in_object(edit: &mut CodeEdit, pool: &mut PoolExtension) -> Result<(), Refusal> {
    let fragment = Fragment::new().simple(opcode::ALOAD_0);
    edit.at_entry(Access::Direct.call(fragment, &probes::BORN, pool)?);
    Ok(())
}

impl Births<'_, '_> {
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
        let kept = self.edit.new_local(LocalType::Int);
        let fragment = self.call(Fragment::new(), &probes::TAKE)?.store_int(kept);
        self.edit.at_entry(fragment);
        for &bci in &initialisation.calls {
            let fragment = self.call(Fragment::new().load_int(kept), &probes::GIVE)?;
            self.edit.before(bci, fragment);
        }
        Ok(Some(kept))
    }

    /// The owner wherever `this` is initialised.
    fn owner_of_all(&mut self, has_this: bool, kept: Option<Local>) -> Result<Owner, Refusal> {
        let code = self.subject.code;
        match self.tags.contexts.kind {
            ContextKind::None => return Ok(Owner::Nobody),
            ContextKind::Chain => return Ok(Owner::Chain),
            ContextKind::Receiver if code.method().is_static() => return Ok(Owner::Nobody),
            ContextKind::Receiver => {}
        }
        if has_this {
            return Ok(Owner::Receiver);
        }
        if !self.subject.initialisation.calls.is_empty() {
            return Ok(kept.map_or(Owner::Nobody, Owner::Kept));
        }
        let local = self.edit.new_local(LocalType::Int);
        let fragment = self.call(Fragment::new().simple(opcode::ALOAD_0), &probes::TAG)?;
        self.edit.at_entry(fragment.store_int(local));
        Ok(Owner::Kept(local))
    }

    fn is_before(&self, allocation: &Allocation) -> bool {
        let bci = match allocation.moment {
            Moment::Constructor(call) => call,
            _ => allocation.bci,
        };
        self.subject.initialisation.before.iter().any(|range| range.contains(&bci))
    }

    fn tag(&mut self, allocation: &Allocation, line: u16, owner: Owner) -> Result<(), Refusal> {
        // What has no number gets the tag of what nobody saw being made.
        let Some(site) = self.number(allocation, line) else { return Ok(()) };
        let bci = allocation.bci;
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
        let fragment = match owner {
            Owner::Nobody => fragment.simple(opcode::ICONST_0),
            Owner::Receiver => self.call(fragment.simple(opcode::ALOAD_0), &probes::TAG)?,
            Owner::Kept(tag) => fragment.load_int(tag),
            Owner::Chain => self.call(fragment, &probes::CHAIN)?,
        };
        fragment.push_int(site as i32, self.pool)
    }

    fn number(&self, allocation: &Allocation, line: u16) -> Option<u32> {
        let method = self.subject.code.method();
        let class = method.class().this_class();
        // Code is shorter than 65,536 bytes.
        let bci = allocation.bci as u16;
        let place = bci.to_be_bytes();
        self.tags.sites.number(AllocationSite {
            method: self.subject.number,
            bci,
            line,
            kind: allocation.kind,
            class: text(&allocation.class),
            // Numbers of generated classes differ from run to run, slots do not.
            hash: hash_of([
                policy::display_name(class).replace('.', "/").as_bytes(),
                method.name(),
                method.descriptor(),
                &place,
            ]),
            is_provisional: makes_strings_for_others(class),
        })
    }
}

/// True for what makes the strings of concatenations.
fn makes_strings_for_others(class: &[u8]) -> bool {
    class.starts_with(b"java/lang/StringConcatHelper")
        || class.starts_with(b"java/lang/String$$StringConcat")
        || class.starts_with(b"java/lang/invoke/")
}
