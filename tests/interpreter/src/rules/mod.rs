//! What the inference rules of the paper (Figures 9 and 12) ask of an
//! instance: one function for each rule that does more than move a value.
//!
//! Rules ASSIGN, METHOD ENTRY and RETURN are the machine's: it copies shadows
//! with the values that they belong to.

mod copies;
mod costs;
mod nulls;
mod registry;
mod selective;
mod site_hash;

use std::fmt;

use profile::MethodId;
use profile::dataflow::{FieldId, Location, SiteId, TagId};

pub use copies::Copies;
pub use costs::Costs;
pub use nulls::Nulls;
pub use registry::{Numbering, Registry, SiteName};
pub use selective::Selective;
pub use site_hash::site_hash;

/// On whose behalf a method makes objects (function `P_c` of the paper's section 3.4,
/// which says nothing of static methods).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// Site of the receiver, or of a caller's that called static methods only.
    Receiver(SiteId),
    /// Where there is none, the call by which the method's class was entered.
    Call(SiteId),
}

/// The owner, and the chain of receivers (function `objCon` of the paper's section
/// 4.1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Context {
    /// `None` in static methods that no instruction of followed code has called.
    pub owner: Option<Owner>,
    /// `g = 3 * g + site` over all receivers of the call stack; `None` if there
    /// was no receiver yet.
    pub chain: Option<u32>,
}

/// What an instance keeps of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hashed {
    /// What the slot is computed from.
    pub hash: u32,
    /// What [`TagContext::context`](profile::dataflow::TagContext) shows.
    pub name: u32,
}

/// An instruction that is being executed.
#[derive(Debug, Clone, Copy)]
pub struct Here {
    /// Its method.
    pub method: MethodId,
    /// Its bci.
    pub bci: u32,
    /// Its opcode.
    pub opcode: u8,
    /// The context of its activation.
    pub context: Context,
    /// Whether its method's values are followed.
    pub is_followed: bool,
    /// If not, whether last writers are forgotten where it stores.
    pub forgets: bool,
}

/// A store into the heap.
#[derive(Debug, Clone, Copy)]
pub struct Stored<S> {
    /// Where to.
    pub to: Location,
    /// Shadow of the value.
    pub value: S,
    /// Tag of the object that the value refers to, if it is a reference.
    pub target: Option<TagId>,
    /// True if it is null.
    pub is_null: bool,
    /// Bytes of the value.
    pub width: u8,
}

/// An instance of the framework.
pub trait Rules: fmt::Debug {
    /// Whether it matters which call consumes a value.
    const KNOWS_WHO_CONSUMES: bool;

    /// Shadow of a local variable or of a place on the operand stack.
    type Shadow: Copy + Default + fmt::Debug;
    /// Shadow of a heap location.
    type Writer: Copy + Default + fmt::Debug;

    /// Whether a value with this shadow is known to have been loaded from the heap. Only
    /// copies ask.
    fn is_loaded(_: Self::Shadow) -> bool {
        false
    }

    /// The part of a context that tells objects and nodes apart.
    fn context(context: Context, registry: &Registry) -> Option<Hashed>;

    /// ALLOC, but for what [`Rules::made`] says.
    fn allocate(&mut self, here: Here, slot: u32, tag: TagId) -> Self::Shadow;

    /// The object that ALLOC speaks of is new; a lambda expression may have made its
    /// object long ago, and the arguments of a constructor may throw.
    fn made(&mut self, object: Self::Shadow, tag: TagId);

    /// The reference that a constructor has to its object: what its caller gives, or
    /// what it knows itself.
    fn this(&mut self, given: Self::Shadow, tag: TagId) -> Self::Shadow;

    /// COMPUTATION.
    fn compute(&mut self, here: Here, slot: u32, operands: &[Self::Shadow]) -> Self::Shadow;

    /// PREDICATE.
    fn test(&mut self, here: Here, operands: &[Self::Shadow]);

    /// LOAD FIELD and LOAD STATIC.
    fn load(
        &mut self,
        here: Here,
        slot: u32,
        from: Location,
        is_null: bool,
        writer: &mut Self::Writer,
    ) -> Self::Shadow;

    /// STORE FIELD and STORE STATIC.
    fn store(
        &mut self,
        here: Here,
        slot: u32,
        stored: Stored<Self::Shadow>,
        writer: &mut Self::Writer,
    );

    /// A call that copies locations begins; [`Rules::copy`] follows for each.
    fn begin_copies(&mut self, here: Here, slot: u32, to: FieldId);

    /// A call copies one location to another: a load and a store in one.
    /// `stored.value` is ignored. `writer` is that of the target, unless both are
    /// the same. Returns the new one.
    fn copy(
        &mut self,
        here: Here,
        slot: u32,
        from: (Location, &mut Self::Writer),
        stored: Stored<Self::Shadow>,
        writer: Option<Self::Writer>,
    ) -> Self::Writer;

    /// A call of a native.
    fn native(&mut self, here: Here, arguments: &[Self::Shadow]);

    // Nulls, which the rules of the figures do not tell from other values.

    /// The constant `null`.
    fn null(&mut self, _: Here) -> Self::Shadow {
        Self::Shadow::default()
    }

    /// Null is handed to a method that is followed, as the argument with this number,
    /// counted from 1 behind so many receivers.
    fn argument(&mut self, _: Here, _: usize, _: usize, given: Self::Shadow) -> Self::Shadow {
        given
    }

    /// Null is returned.
    fn result(&mut self, _: Here, returned: Self::Shadow) -> Self::Shadow {
        returned
    }

    /// The caller, which is followed, takes the null that was returned just now.
    fn take_result(&mut self) {}

    /// A native, or other code that is not followed, answers a call with null.
    fn answer(&mut self, _: Here, answered: Self::Shadow) -> Self::Shadow {
        answered
    }

    /// The JVM raises an exception, since an instruction needs an object.
    fn meet_null(&mut self, _: Here, _: Self::Shadow) {}
}
