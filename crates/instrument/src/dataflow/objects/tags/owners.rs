//! Owners: on whose behalf a method makes objects, which decides about their
//! contexts.
//!
//! Methods of an object make theirs on its behalf: the owner is its tag. A static
//! method has the owner of its caller, which passes it on beside the tracking stack
//! (`java.lang.SubsumeStack`). Where the caller has none, or a call that led to another
//! class, the call itself is the owner. Code without probes passes on none.
//!
//! Where chains of receivers are contexts, they are the owner of everything.

use classfile::{
    Code, CodeEdit, Fragment, Initialisation, Instruction, Local, LocalType, PoolExtension,
    Refusal, opcode,
};
use profile::dataflow::SiteKind;

use super::subject::Subject;
use super::{Tags, probes};
use crate::dataflow::objects::contexts::ContextKind;
use crate::dataflow::tracking::calls::{self, Call};
use crate::dataflow::tracking::stack;
use crate::probe::Access;

/// An owner from here on is a call: the number of its site is added. Tags are
/// smaller.
pub const CALL: u32 = 1 << 26;

/// Where code finds the owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// There is none.
    Nobody,
    /// `this`.
    Receiver,
    /// A local holds it.
    Kept(Local),
    /// All receivers on the stack.
    Chain,
}

/// A call that passes on an owner: that of a static method that is followed.
#[derive(Debug, Clone, Copy)]
pub struct Passing {
    bci: u32,
    /// The owner where the method has none that it passes on; 0 for none.
    call: u32,
    /// True for a method of the same class.
    is_within: bool,
}

impl Passing {
    /// Those of a method.
    pub fn of(tags: &Tags, subject: &Subject<'_, '_>) -> Vec<Self> {
        let Some(plan) = subject.plan.filter(|_| tags.contexts.kind == ContextKind::Receiver)
        else {
            return Vec::new();
        };
        let code = subject.code;
        let is_static = code.method().is_static();
        let passes = |instruction: &Instruction<'_>| {
            instruction.opcode == opcode::INVOKESTATIC
                && matches!(calls::call(code, plan, instruction), Some(Call::Tracked { .. }))
        };
        let lines = code.line_table();
        let passing = |instruction: Instruction<'_>| {
            let bci = instruction.bci;
            let line = lines.line_of(bci).unwrap_or(0);
            let numbered = is_static.then(|| subject.site(tags, bci, line, (SiteKind::Call, b"")));
            let call = numbered.flatten().map_or(0, |site| CALL | site);
            Self { bci, call, is_within: names_own_class(code, &instruction) }
        };
        code.instructions().filter(passes).map(passing).collect()
    }
}

/// The owners of a method.
#[derive(Debug)]
pub struct Owners {
    /// The local that keeps the tag of `this` in a constructor, if there is one.
    pub tag_of_this: Option<Local>,
    /// In a static method that knows its owner, whether the shadows on the tracking
    /// stack are those of its arguments.
    pub entered: Option<Local>,
    /// The owner wherever `this` is initialised.
    whole: Owner,
    is_static: bool,
    passing: Vec<Passing>,
}

impl Owners {
    /// Of a method that makes no objects and passes on no owner.
    pub fn none(tag_of_this: Option<Local>) -> Self {
        let (whole, passing) = (Owner::Nobody, Vec::new());
        Self { tag_of_this, entered: None, whole, is_static: false, passing }
    }

    /// Finds the owners of a method, and adds to `edit` what it has to keep for them.
    /// `has_this` is false where `this` is not in the first local everywhere.
    ///
    /// # Errors
    /// If the constant pool has no room left.
    pub fn find(
        tags: &Tags,
        subject: &Subject<'_, '_>,
        passing: Vec<Passing>,
        (has_this, tag_of_this): (bool, Option<Local>),
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<Self, Refusal> {
        let is_static = subject.code.method().is_static();
        let mut owners = Self { is_static, passing, ..Self::none(tag_of_this) };
        match tags.contexts.kind {
            ContextKind::None => {}
            ContextKind::Chain => owners.whole = Owner::Chain,
            // The JVM calls initialisers.
            ContextKind::Receiver if subject.code.method().name() == b"<clinit>" => {}
            ContextKind::Receiver if is_static => owners.ask_caller(subject, edit, pool)?,
            ContextKind::Receiver if has_this => owners.whole = Owner::Receiver,
            ContextKind::Receiver if !subject.initialisation.calls.is_empty() => {
                owners.whole = tag_of_this.map_or(Owner::Nobody, Owner::Kept);
            }
            ContextKind::Receiver => {
                let local = edit.new_local(LocalType::Int);
                let fragment = Fragment::new().simple(opcode::ALOAD_0);
                let fragment = subject.access.call(fragment, &probes::TAG, pool)?;
                edit.at_entry(fragment.store_int(local));
                owners.whole = Owner::Kept(local);
            }
        }
        Ok(owners)
    }

    /// A static method takes the owner that its caller has passed on.
    fn ask_caller(
        &mut self,
        subject: &Subject<'_, '_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<(), Refusal> {
        let callee = calls::callee_of(subject.code);
        let [entered, owner] = [(); 2].map(|()| edit.new_local(LocalType::Int));
        let fragment = Fragment::new().push_int(callee, pool)?;
        let fragment = subject.access.call(fragment, &stack::ENTERED_STATIC, pool)?;
        let fragment = fragment.store_int(entered);
        let fragment = subject.access.call(fragment, &stack::PASSED_OWNER, pool)?;
        edit.at_start(fragment.store_int(owner));
        self.entered = Some(entered);
        self.whole = Owner::Kept(owner);
        Ok(())
    }

    /// The owner of what an instruction makes.
    pub fn at(&self, bci: u32, initialisation: &Initialisation) -> Owner {
        let is_before = || initialisation.before.iter().any(|range| range.contains(&bci));
        match self.whole {
            // Not initialised yet, it cannot be asked.
            Owner::Receiver if is_before() => self.tag_of_this.map_or(Owner::Nobody, Owner::Kept),
            owner => owner,
        }
    }

    /// Pushes the owner that the call at an instruction passes on; `None` if it passes
    /// on none.
    ///
    /// # Errors
    /// If the constant pool has no room left.
    pub fn push_passed(
        &self,
        fragment: &Fragment,
        bci: u32,
        initialisation: &Initialisation,
        access: Access,
        pool: &mut PoolExtension,
    ) -> Result<Option<Fragment>, Refusal> {
        let Ok(at) = self.passing.binary_search_by_key(&bci, |passing| passing.bci) else {
            return Ok(None);
        };
        let Passing { call, is_within, .. } = self.passing[at];
        let owner = self.at(bci, initialisation);
        let fragment = fragment.clone();
        if !self.is_static {
            return push(owner, fragment, access, pool).map(Some);
        }
        if owner == Owner::Nobody {
            return fragment.push_int(call as i32, pool).map(Some);
        }
        let fragment = push(owner, fragment, access, pool)?.push_int(call as i32, pool)?;
        let probe = if is_within { &probes::OWNER_WITHIN } else { &probes::OWNER_BEYOND };
        access.call(fragment, probe, pool).map(Some)
    }
}

/// Pushes an owner.
///
/// # Errors
/// If the constant pool has no room left.
pub fn push(
    owner: Owner,
    fragment: Fragment,
    access: Access,
    pool: &mut PoolExtension,
) -> Result<Fragment, Refusal> {
    match owner {
        Owner::Nobody => Ok(fragment.simple(opcode::ICONST_0)),
        Owner::Receiver => access.call(fragment.simple(opcode::ALOAD_0), &probes::TAG, pool),
        Owner::Kept(owner) => Ok(fragment.load_int(owner)),
        Owner::Chain => access.call(fragment, &probes::CHAIN, pool),
    }
}

fn names_own_class(code: &Code<'_>, call: &Instruction<'_>) -> bool {
    let named = call.pool_index().and_then(|index| code.constant_pool().member_ref(index).ok());
    named.is_some_and(|named| named.owner == code.method().class().this_class())
}
