//! Code that tells of inputs, results and writes.

use classfile::{
    Code, CodeEdit, ControlFlow, Fragment, Local, LocalType, MemberRef, PoolExtension, Refusal,
    access, descriptor, opcode,
};
use profile::results as kinds;

use super::probes;
use super::threads::MOST_METHODS;
use crate::dataflow::emit::forget;
use crate::dataflow::emit::spill_slots::{SpillSlots, local_type};
use crate::dataflow::follow::Followed;
use crate::dataflow::leaving::push_bytecodes;
use crate::dataflow::native_effects;
use crate::dataflow::unsafe_access::UnsafeAccess;
use crate::dataflow::upcalls;
use crate::plan::{Body, Callee};
use crate::probe::members::ProbeMethod;

/// What is told of the results of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// What it returns for which input.
    Told,
    /// What it does is no part of what its caller does: the JVM calls it wherever the
    /// program comes by first.
    Suspended,
    /// Only what it executes.
    Counted,
}

impl Role {
    /// That of a method. Constructors return nothing, and what neither calls nor loops is
    /// cheaper than any cache.
    pub fn of(code: &Code<'_>, body: Body) -> Self {
        let method = code.method();
        let is_simple = || {
            !code.instructions().any(|one| opcode::is_invoke(one.opcode))
                && ControlFlow::new(code).backward_edges().next().is_none()
        };
        match body {
            Body::General if upcalls::is_upcall(method.class().this_class(), &method) => {
                Self::Suspended
            }
            Body::General if method.name() != b"<init>" && !is_simple() => Self::Told,
            _ => Self::Counted,
        }
    }
}

/// The kinds of result that a method may turn out to have.
pub fn possible_kinds(code: &Code<'_>) -> u8 {
    let method = code.method();
    let of_receiver = match method.access_flags() & access::STATIC {
        0 => kinds::PER_RECEIVER,
        _ => 0,
    };
    let any = kinds::ONE_VALUE | of_receiver;
    match descriptor::return_type(method.descriptor()).first() {
        Some(b'V') => kinds::VOID,
        Some(b'F' | b'D') => any | kinds::NAN,
        Some(b'L' | b'[') if of_receiver != 0 => any | kinds::NULL | kinds::FLUENT,
        Some(b'L' | b'[') => any | kinds::NULL,
        _ => any,
    }
}

/// Whether a method has receivers, and whether these are other than its inputs.
pub fn has_receivers(code: &Code<'_>) -> (bool, bool) {
    let method = code.method();
    let has = method.access_flags() & access::STATIC == 0;
    let has_arguments = descriptor::parameters(method.descriptor()).next().is_some();
    (has, has && has_arguments)
}

/// Adds to a method what it tells. `frame` is the local that keeps what it has told when
/// it was entered.
pub fn insert(
    followed: &Followed<'_>,
    frame: Option<Local>,
    edit: &mut CodeEdit,
    pool: &mut PoolExtension,
) -> Result<(), Refusal> {
    let spill_slots = SpillSlots::default();
    let mut code = ResultCode { followed, edit, pool, spill_slots };
    if let Some(frame) = frame {
        // Without a place for the method, its frame is always 0.
        if followed.number < MOST_METHODS {
            code.enter(frame)?;
        }
        code.returns(frame)?;
    }
    code.writes()
}

struct ResultCode<'r, 'a> {
    followed: &'r Followed<'a>,
    edit: &'r mut CodeEdit,
    pool: &'r mut PoolExtension,
    spill_slots: SpillSlots,
}

impl ResultCode<'_, '_> {
    fn call(&mut self, fragment: Fragment, probe: &ProbeMethod) -> Result<Fragment, Refusal> {
        self.followed.access.call(fragment, probe, self.pool)
    }

    /// Tells the receiver and the arguments.
    fn enter(&mut self, frame: Local) -> Result<(), Refusal> {
        let method = self.followed.code.method();
        // Numbers stay far below 2^31.
        let number = self.followed.number as i32;
        let mut parameters = descriptor::parameters(method.descriptor()).peekable();
        let is_static = method.access_flags() & access::STATIC != 0;
        if !is_static && parameters.peek().is_none() {
            let fragment = Fragment::new().simple(opcode::ALOAD_0).push_int(number, self.pool)?;
            let fragment = self.call(fragment, &probes::ENTERED_BY)?;
            self.edit.at_entry(fragment.store_long(frame));
            return Ok(());
        }
        let (mut slot, receiver, begun) = match is_static {
            true => (0, Fragment::new(), &probes::BEGUN),
            false => (1, Fragment::new().simple(opcode::ALOAD_0), &probes::BEGUN_BY),
        };
        let named = receiver.push_int(number, self.pool)?;
        let mut fragment = self.call(named, begun)?.store_long(frame);
        for parameter in parameters {
            let any = LocalType::Object(self.pool.class(b"java/lang/Object")?);
            let local = Local::existing(slot, local_type(parameter, any));
            let probe = match parameter.first() {
                Some(b'J') => &probes::INPUT_LONG,
                Some(b'F') => &probes::INPUT_FLOAT,
                Some(b'D') => &probes::INPUT_DOUBLE,
                Some(b'L' | b'[') => &probes::INPUT_REFERENCE,
                _ => &probes::INPUT_INT,
            };
            fragment = self.call(fragment.load_long(frame).load(local), probe)?;
            slot += descriptor::words(parameter);
        }
        let fragment = self.call(fragment.load_long(frame), &probes::ENTERED)?;
        self.edit.at_entry(fragment.store_long(frame));
        Ok(())
    }

    /// Tells the result, and leaves the frame.
    fn returns(&mut self, frame: Local) -> Result<(), Refusal> {
        let code = self.followed.code;
        let type_ = descriptor::return_type(code.method().descriptor());
        let result = Fragment::new();
        let (result, probe) = match type_.first() {
            Some(b'V') => (result.simple(opcode::LCONST_0), &probes::RETURNED),
            Some(b'J') => (result.dup2(), &probes::RETURNED),
            Some(b'F') => (result.dup(), &probes::RETURNED_FLOAT),
            Some(b'D') => (result.dup2(), &probes::RETURNED_DOUBLE),
            Some(b'L' | b'[') => (result.dup(), &probes::RETURNED_REFERENCE),
            _ => (result.dup().simple(opcode::I2L), &probes::RETURNED),
        };
        let counted = (self.followed.bytecodes, self.followed.plan.base_bytecodes);
        let fragment = push_bytecodes(result.load_long(frame), counted, self.pool)?;
        let fragment = self.call(fragment, probe)?;
        for instruction in code.instructions().filter(|i| opcode::is_return(i.opcode)) {
            self.edit.before(instruction.bci, &fragment);
        }
        Ok(())
    }

    /// Tells what is written. What a constructor writes to its own object is not: who has
    /// made that has called it.
    fn writes(&mut self) -> Result<(), Refusal> {
        let code = self.followed.code;
        let method = code.method();
        let is_constructor = method.name() == b"<init>";
        let initialisation = code.initialisation();
        let named = |bci: u32| {
            let index = code.instruction_at(bci)?.pool_index()?;
            code.constant_pool().member_ref(index).ok()
        };
        for instruction in code.instructions() {
            let bci = instruction.bci;
            let aside = match instruction.opcode {
                opcode::PUTFIELD => {
                    let Some(field) = named(bci) else { continue };
                    // Before it is initialised, `this` can be written, but not told of.
                    let is_early = initialisation.before.iter().any(|r| r.contains(&bci));
                    if is_early || (is_constructor && field.owner == method.class().this_class()) {
                        continue;
                    }
                    match descriptor::words(field.descriptor) {
                        2 => Fragment::new().simple(opcode::DUP2_X1).pop2().simple(opcode::DUP_X2),
                        _ => Fragment::new().dup2().pop(),
                    }
                }
                opcode::LASTORE | opcode::DASTORE => {
                    let fragment = Fragment::new().simple(opcode::DUP2_X2).pop2();
                    fragment.simple(opcode::DUP2_X2).pop()
                }
                opcode::IASTORE..=opcode::SASTORE => {
                    let fragment = Fragment::new().simple(opcode::DUP_X2).pop();
                    fragment.simple(opcode::DUP2_X1).pop()
                }
                opcode::PUTSTATIC => {
                    let fragment = self.call(Fragment::new(), &probes::WROTE_SOMEWHERE)?;
                    self.edit.before(bci, fragment);
                    continue;
                }
                opcode::INVOKESTATIC
                    if named(bci).is_some_and(|named| {
                        (named.owner, named.name) == (b"java/lang/System", b"arraycopy")
                    }) =>
                {
                    // To an array that lies below its offset and the length.
                    let operands: [&[u8]; 2] = [b"I", b"I"];
                    self.write_below(bci, operands.into_iter(), &probes::WROTE)?;
                    continue;
                }
                _ => continue,
            };
            let fragment = self.call(aside, &probes::WROTE)?;
            self.edit.before(bci, fragment);
        }
        for site in &self.followed.plan.sites {
            let callee = named(site.bci);
            if site.callee == Callee::Probed
                || callee.is_some_and(|callee| native_effects::has_none(callee.owner, callee.name))
            {
                continue;
            }
            if let Some(callee) = callee.filter(|callee| writes_by_offset(callee)) {
                let behind_object = descriptor::parameters(callee.descriptor).skip(1);
                self.write_below(site.bci, behind_object, &probes::WROTE_BY_OFFSET)?;
                continue;
            }
            let fragment = self.call(Fragment::new(), &probes::WROTE_SOMEWHERE)?;
            self.edit.before(site.bci, fragment);
        }
        Ok(())
    }

    /// The object that is written lies below operands of these types.
    fn write_below<'d>(
        &mut self,
        bci: u32,
        operands: impl Iterator<Item = &'d [u8]>,
        probe: &ProbeMethod,
    ) -> Result<(), Refusal> {
        let any = LocalType::Object(self.pool.class(b"java/lang/Object")?);
        let kinds: Vec<_> = operands.map(|operand| local_type(operand, any)).collect();
        let locals = self.spill_slots.get_all(&kinds, self.edit);
        let aside = locals.iter().rev().fold(Fragment::new(), |code, &local| code.store(local));
        let told = self.call(aside.dup(), probe)?;
        let back = locals.iter().fold(told, |code, &local| code.load(local));
        let is_object = |local: &&Local| local.kind() == any;
        let objects: Vec<_> = locals.iter().filter(is_object).copied().collect();
        self.edit.before(bci, forget(back, &objects));
        Ok(())
    }
}

/// Whether a call writes to an object that is given with an offset.
fn writes_by_offset(callee: &MemberRef<'_>) -> bool {
    UnsafeAccess::of(callee.owner, callee.name, callee.descriptor)
        .is_some_and(|access| access != UnsafeAccess::Load)
}
