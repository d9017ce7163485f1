//! What a method keeps while it runs: its context slot, the counters of its
//! basic blocks there, and the context of its caller.

use classfile::{Code, CodeEdit, Fragment, Local, LocalType, PoolExtension, Refusal, opcode};

use crate::dataflow::objects::contexts::{ContextKind, Contexts};
use crate::dataflow::objects::tags;
use crate::plan::Body;
use crate::plan::handlers;
use crate::probe::Access;
use crate::probe::members::{self, Family, ProbeMethod, family};

family! {
    adds [("frequencies", "J")];
    "SubsumeActivation" {
        OUTER = "outer" "()I";
        WITHIN = "within" "(I)V";
        WITHIN_OBJECT = "withinObject" "(II)V";
        BEGIN = "begin" "(Ljava/lang/Object;II)J";
        BEGIN_EARLY = "beginEarly" "(III)J";
        BEGIN_STATIC = "beginStatic" "(I)J";
        SLOT = "slot" "(J)I";
        COUNTERS = "counters" "(J)J";
        INITIALISED = "initialised" "(Ljava/lang/Object;JI)J";
    }
}

/// The locals of an activation.
#[derive(Debug, Clone, Copy)]
pub struct Activation {
    /// The context slot.
    pub slot: Local,
    /// Address of the counters of basic blocks, if they are counted.
    pub counters: Option<Local>,
    /// The caller's context, where this method has changed it for its callees.
    pub outer: Option<Local>,
    /// True if the counters are for one tag of the receiver.
    pub is_by_receiver: bool,
}

/// A method has counters for each tag of its receiver if that many bytes of
/// code have at least one access to a field of `this`: more counters against
/// less to be asked whenever it is executed.
const BYTES_FOR_ACCESS: usize = 64;

/// Flag for `SubsumeActivation.begin` (the same number there): the method has counters for
/// each tag of its receiver.
pub const BY_RECEIVER: i32 = 1;
/// Flag for `SubsumeActivation.begin` (the same number there): the context of the method's
/// callees includes its own.
pub const CHANGES_CONTEXT: i32 = 2;

/// True if it is worth while to know the receiver's tag once and for all.
fn is_about_receiver(code: &Code<'_>) -> bool {
    let method = code.method();
    if method.is_static() {
        return false;
    }
    let (mut accesses, mut before) = (0, 0);
    for instruction in code.instructions() {
        // What is stored stands between `this` and the store.
        let accesses_this = match instruction.opcode {
            opcode::GETFIELD => before == opcode::ALOAD_0,
            opcode::PUTFIELD => true,
            _ => false,
        };
        accesses += usize::from(accesses_this);
        before = instruction.opcode;
    }
    accesses * BYTES_FOR_ACCESS >= code.bytecode().len()
}

/// Adds to `edit` what a method does first. `number` is that of the method, if
/// its blocks are counted.
///
/// # Errors
/// When the method cannot be edited.
pub fn enter(
    contexts: Contexts,
    (code, body, number): (&Code<'_>, Body, Option<u32>),
    access: Access,
    edit: &mut CodeEdit,
    pool: &mut PoolExtension,
) -> Result<Activation, Refusal> {
    let slot = edit.new_local(LocalType::Int);
    let method = code.method();
    let is_by_receiver = number.is_some() && is_about_receiver(code);
    let is_constructor = method.name() == b"<init>";
    let changes_context =
        body == Body::General && contexts.kind != ContextKind::None && !method.is_static();
    let mut call = |fragment: Fragment, probe: &ProbeMethod| access.call(fragment, probe, pool);
    let mut fragment = Fragment::new();
    let mut outer = None;
    if changes_context {
        let local = edit.new_local(LocalType::Int);
        fragment = call(fragment, &OUTER)?.store_int(local);
        outer = Some(local);
    }
    let mut counters = None;
    if let Some(number) = number {
        let local = edit.new_local(LocalType::Long);
        let how = if is_by_receiver { BY_RECEIVER } else { 0 };
        let how = how | if changes_context { CHANGES_CONTEXT } else { 0 };
        // `this` cannot be asked before it is initialised.
        let (asked, probe) = match (method.is_static(), is_constructor) {
            (true, _) => (fragment, &BEGIN_STATIC),
            (false, true) => (call(fragment, &tags::probes::PENDING)?, &BEGIN_EARLY),
            (false, false) => (fragment.simple(opcode::ALOAD_0), &BEGIN),
        };
        // Numbers stay far below 2^31.
        fragment = asked.push_int(number as i32, pool)?;
        if !method.is_static() {
            fragment = fragment.push_int(how, pool)?;
        }
        // What it returns leads to both.
        fragment = access.call(access.call(fragment, probe, pool)?.dup2(), &COUNTERS, pool)?;
        fragment = access.call(fragment.store_long(local), &SLOT, pool)?;
        counters = Some(local);
    } else {
        if let Some(outer) = outer {
            fragment = match is_constructor {
                true => call(fragment, &tags::probes::PENDING)?,
                false => call(fragment.simple(opcode::ALOAD_0), &tags::probes::TAG)?,
            };
            fragment = call(fragment.load_int(outer), &WITHIN_OBJECT)?;
        }
        fragment = fragment.simple(opcode::ICONST_0);
    }
    fragment = fragment.store_int(slot);
    if body == Body::General && contexts.kind != ContextKind::None {
        fragment = restore_in_handlers(code, fragment, access, edit, pool)?;
    }
    edit.at_entry(fragment);
    if let (Some(counters), Some(number), true) = (counters, number, is_by_receiver) {
        // Another object may have been expected.
        for init in code.initialisation().calls {
            let fragment = Fragment::new().simple(opcode::ALOAD_0).load_long(counters);
            let fragment = fragment.push_int(number as i32, pool)?;
            let fragment = access.call(fragment, &INITIALISED, pool)?;
            edit.after(init, fragment.store_long(counters));
        }
    }
    Ok(Activation { slot, counters, outer, is_by_receiver })
}

/// Adds to `edit` what a method that is not followed does for the context of those that
/// it calls; true if that is anything. It changes none, but where it catches an exception,
/// others may have left theirs.
///
/// # Errors
/// If the constant pool has no room left.
pub fn insert_unfollowed(
    contexts: Contexts,
    code: &Code<'_>,
    access: Access,
    edit: &mut CodeEdit,
    pool: &mut PoolExtension,
) -> Result<bool, Refusal> {
    if contexts.kind != ContextKind::Chain || handlers::starts(code, |_| true).is_empty() {
        return Ok(false);
    }
    let fragment = restore_in_handlers(code, Fragment::new(), access, edit, pool)?;
    edit.at_start(fragment);
    Ok(true)
}

/// What an exception leaves may not have restored the context of who called it:
/// a constructor cannot while it initialises its object. So a method that catches
/// exceptions keeps the context of what it calls, and restores it in its handlers.
fn restore_in_handlers(
    code: &Code<'_>,
    entry: Fragment,
    access: Access,
    edit: &mut CodeEdit,
    pool: &mut PoolExtension,
) -> Result<Fragment, Refusal> {
    let handlers = handlers::starts(code, |_| true);
    if handlers.is_empty() {
        return Ok(entry);
    }
    let inner = edit.new_local(LocalType::Int);
    let restore = access.call(Fragment::new().load_int(inner), &WITHIN, pool)?;
    for handler in handlers {
        edit.before(handler, &restore);
    }
    Ok(access.call(entry, &OUTER, pool)?.store_int(inner))
}

impl Activation {
    /// On every way out: what the caller calls next is in its context.
    ///
    /// # Errors
    /// If the constant pool has no room left.
    pub fn leave(
        &self,
        fragment: Fragment,
        access: Access,
        pool: &mut PoolExtension,
    ) -> Result<Fragment, Refusal> {
        match self.outer {
            Some(outer) => access.call(fragment.load_int(outer), &WITHIN, pool),
            None => Ok(fragment),
        }
    }

    /// Adds one to a counter.
    ///
    /// # Errors
    /// If the constant pool has no room left.
    pub fn count(
        &self,
        fragment: Fragment,
        counter: u32,
        access: Access,
        pool: &mut PoolExtension,
    ) -> Result<Fragment, Refusal> {
        let Some(counters) = self.counters else { return Ok(fragment) };
        // A method has far fewer counters than 2^28.
        let fragment = fragment.load_long(counters).push_int(counter as i32 * 8, pool)?;
        access.call(fragment, &members::COUNT, pool)
    }
}
