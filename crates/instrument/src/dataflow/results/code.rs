//! Code that tells of inputs, results and writes.

use classfile::{
    Code, CodeEdit, ControlFlow, Fragment, Local, LocalType, MemberRef, PoolExtension, Refusal,
    access, descriptor, opcode,
};
use profile::results as kinds;

use super::probes;
use super::threads::{Deep, MOST_METHODS};
use crate::dataflow::emit::forget;
use crate::dataflow::emit::spill_slots::{SpillSlots, local_type};
use crate::dataflow::last_writers::native_effects;
use crate::dataflow::last_writers::unsafe_access::UnsafeAccess;
use crate::dataflow::methods::follow::Followed;
use crate::dataflow::methods::leaving::push_bytecodes;
use crate::dataflow::methods::upcalls;
use crate::plan::{Body, Callee};
use crate::probe::members::ProbeMethod;

/// What probes report of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Its results, each with its input.
    Told,
    /// Nothing, and its caller is not charged either: the JVM calls it wherever the program
    /// needs it first.
    Suspended,
    /// Only what it executes.
    Counted,
}

impl Role {
    /// That of a method. Constructors return nothing, and what neither calls nor loops is
    /// cheaper than any cache.
    pub fn of(code: &Code<'_>, body: Body) -> Self {
        let method = code.method();
        let loops = || {
            let flow = ControlFlow::new(code);
            // Not by exceptions: the handler that unlocks an object covers itself.
            (0..flow.blocks().len() as u32)
                .any(|block| flow.successors(block).iter().any(|&target| target <= block))
        };
        let calls = || code.instructions().any(|one| opcode::is_invoke(one.opcode));
        match body {
            Body::General if upcalls::is_upcall(method.class().this_class(), &method) => {
                Self::Suspended
            }
            Body::General if method.name() != b"<init>" && (calls() || loops()) => Self::Told,
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
        Some(b'L' | b'[') if returns_only_null(code) => any | kinds::NULL | kinds::ONLY_NULL,
        Some(b'L' | b'[') if of_receiver != 0 => any | kinds::NULL | kinds::FLUENT,
        Some(b'L' | b'[') => any | kinds::NULL,
        _ => any,
    }
}

/// The class that has no objects.
const VOID: &[u8] = b"Ljava/lang/Void;";

/// Whether a method that returns a reference can return nothing but null: by its type, or
/// because each of its returns takes a null that stands right before it.
fn returns_only_null(code: &Code<'_>) -> bool {
    if descriptor::return_type(code.method().descriptor()) == VOID {
        return true;
    }
    let flow = ControlFlow::new(code);
    let mut is_null = false;
    let mut returns = 0;
    for one in code.instructions() {
        // Another block may come here with something else on the stack.
        is_null &= !flow.is_leader(one.bci);
        match one.opcode {
            opcode::ACONST_NULL => is_null = true,
            opcode::CHECKCAST => {}
            opcode::ARETURN if !is_null => return false,
            opcode::ARETURN => returns += 1,
            _ => is_null = false,
        }
    }
    returns > 0
}

/// Whether a method has receivers, and whether these are other than its inputs.
pub fn has_receivers(code: &Code<'_>) -> (bool, bool) {
    let method = code.method();
    let has = method.access_flags() & access::STATIC == 0;
    let has_arguments = descriptor::parameters(method.descriptor()).next().is_some();
    (has, has && has_arguments)
}

/// Adds to a method what it tells. `frame` is the local that keeps what it has told when
/// it was entered. With `deep`, objects are compared by what they hold, too.
pub fn insert(
    followed: &Followed<'_>,
    frame: Option<Local>,
    deep: Option<Deep>,
    edit: &mut CodeEdit,
    pool: &mut PoolExtension,
) -> Result<(), Refusal> {
    let spill_slots = SpillSlots::of(followed.code);
    let mut code = ResultCode { followed, edit, pool, spill_slots };
    if let Some(frame) = frame {
        let frames = code.frames(frame, deep);
        for &Framed { frame, depth } in frames.iter().rev() {
            match (depth, deep) {
                (Some(depth), Some(deep)) => {
                    code.enter(frame, deep.number(depth), Some(depth))?;
                }
                // Without a place for the method, its frame is always 0.
                _ if followed.number < MOST_METHODS => {
                    code.enter(frame, followed.number, None)?;
                }
                _ => {}
            }
        }
        code.returns(&frames)?;
    }
    code.writes()
}

/// The local with a frame of a call, and how deep objects are compared there; by identity
/// if that is `None`.
struct Framed {
    frame: Local,
    depth: Option<u8>,
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

    /// The frames of a call, the innermost first. What is left by an exception is left by
    /// the outermost one, which is in the local that is given.
    fn frames(&mut self, outermost: Local, deep: Option<Deep>) -> Vec<Framed> {
        let mut depths = vec![None];
        if deep.is_some() {
            depths.extend(kinds::STRUCTURAL_DEPTHS.map(Some));
        }
        let last = depths.len() - 1;
        let frame = |(at, depth)| {
            if at == last {
                return Framed { frame: outermost, depth };
            }
            let frame = self.edit.new_local(LocalType::Long);
            self.edit.at_entry(Fragment::new().simple(opcode::LCONST_0).store_long(frame));
            Framed { frame, depth }
        };
        depths.into_iter().enumerate().map(frame).collect()
    }

    /// Tells the receiver and the arguments. `number` is that of the method, or, if objects
    /// are compared by what they hold, of the method with this depth.
    fn enter(&mut self, frame: Local, number: u32, depth: Option<u8>) -> Result<(), Refusal> {
        let method = self.followed.code.method();
        let is_static = method.access_flags() & access::STATIC != 0;
        if let (None, Some(fragment)) = (depth, self.enter_at_once(number)?) {
            self.edit.at_entry(fragment.store_long(frame));
            return Ok(());
        }
        let (mut slot, receiver, begun) = match (is_static, depth) {
            (true, _) => (0, Fragment::new(), &probes::BEGUN),
            (_, None) => (1, Fragment::new().simple(opcode::ALOAD_0), &probes::BEGUN_BY),
            (_, Some(_)) => (1, Fragment::new().simple(opcode::ALOAD_0), &probes::BEGUN_DEEP),
        };
        // Numbers stay far below 2^31.
        let mut fragment = receiver.push_int(number as i32, self.pool)?;
        if let Some(depth) = depth.filter(|_| !is_static) {
            fragment = fragment.push_int(depth.into(), self.pool)?;
        }
        fragment = self.call(fragment, begun)?;
        for parameter in descriptor::parameters(method.descriptor()) {
            let any = LocalType::Object(self.pool.class(b"java/lang/Object")?);
            let local = Local::existing(slot, local_type(parameter, any));
            fragment = fragment.dup2().load(local);
            let probe = match (parameter.first(), depth) {
                (Some(b'J'), _) => &probes::INPUT_LONG,
                (Some(b'F'), _) => &probes::INPUT_FLOAT,
                (Some(b'D'), _) => &probes::INPUT_DOUBLE,
                (Some(b'L' | b'['), Some(depth)) => {
                    fragment = fragment.push_int(depth.into(), self.pool)?;
                    &probes::INPUT_DEEP
                }
                (Some(b'L' | b'['), None) => &probes::INPUT_REFERENCE,
                _ => &probes::INPUT_INT,
            };
            fragment = self.call(fragment, probe)?;
            slot += descriptor::words(parameter);
        }
        let fragment = self.call(fragment, &probes::ENTERED)?;
        self.edit.at_entry(fragment.store_long(frame));
        Ok(())
    }

    /// Tells the receiver and the arguments by one probe, if there is one for them.
    fn enter_at_once(&mut self, number: u32) -> Result<Option<Fragment>, Refusal> {
        let method = self.followed.code.method();
        let is_static = method.access_flags() & access::STATIC != 0;
        let any = LocalType::Object(self.pool.class(b"java/lang/Object")?);
        let (mut slot, mut fragment) = match is_static {
            true => (0, Fragment::new()),
            false => (1, Fragment::new().simple(opcode::ALOAD_0)),
        };
        let mut arguments = Vec::new();
        for parameter in descriptor::parameters(method.descriptor()) {
            fragment = fragment.load(Local::existing(slot, local_type(parameter, any)));
            slot += descriptor::words(parameter);
            arguments.push(match parameter.first() {
                Some(b'L' | b'[') => b'L',
                Some(&other @ (b'J' | b'F' | b'D')) => other,
                _ => {
                    fragment = fragment.simple(opcode::I2L);
                    b'J'
                }
            });
        }
        let Some(probe) = probes::entered(is_static, &arguments) else { return Ok(None) };
        // Numbers stay far below 2^31.
        let fragment = fragment.push_int(number as i32, self.pool)?;
        self.call(fragment, probe).map(Some)
    }

    /// Tells the result, and leaves the frames, the innermost first.
    fn returns(&mut self, frames: &[Framed]) -> Result<(), Refusal> {
        let code = self.followed.code;
        let type_ = descriptor::return_type(code.method().descriptor());
        let mut counted = (self.followed.bytecodes, self.followed.plan.base_bytecodes);
        let mut fragment = Fragment::new();
        for one in frames {
            let (result, probe) = match type_.first() {
                Some(b'V') => (fragment.simple(opcode::LCONST_0), &probes::RETURNED),
                Some(b'J') => (fragment.dup2(), &probes::RETURNED),
                Some(b'F') => (fragment.dup(), &probes::RETURNED_FLOAT),
                Some(b'D') => (fragment.dup2(), &probes::RETURNED_DOUBLE),
                Some(b'L' | b'[') if one.depth.is_some() => {
                    (fragment.dup(), &probes::RETURNED_DEEP)
                }
                Some(b'L' | b'[') => (fragment.dup(), &probes::RETURNED_REFERENCE),
                _ => (fragment.dup().simple(opcode::I2L), &probes::RETURNED),
            };
            fragment = push_bytecodes(result.load_long(one.frame), counted, self.pool)?;
            if let (Some(b'L' | b'['), Some(depth)) = (type_.first(), one.depth) {
                fragment = fragment.push_int(depth.into(), self.pool)?;
            }
            fragment = self.call(fragment, probe)?;
            // They are told once.
            counted = (None, 0);
        }
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
                    // Before it is initialised, `this` can be written, but not passed to a probe.
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
        self.spill_slots.next_instruction();
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
