//! Code that calls nothing, not even by way of the JVM.
//!
//! While such code runs, nobody asks the thread where it is. A method that
//! consists of it (an accessor, most often) need not say so at all; a method
//! that begins with it (one that passes its arguments on) not before its first
//! call.

use classfile::{Code, Instruction, Member, opcode, tag};

use super::plan::{Callee, MethodPlan};

/// True if no instruction of the method can call or throw anything.
pub fn is_leaf(method: &Member<'_>, code: &Code<'_>, plan: &MethodPlan) -> bool {
    // The constructor of Object is accounted for without a node.
    if plan.sites.iter().any(|site| !is_object_constructor(code, site.bci, site.callee))
        || code.exception_table().len() > 0
        || plan.base_allocations > 0
        || plan.counts_allocations()
    {
        return false;
    }
    let mut receiver = Receiver::new(method, plan.blocks.is_empty());
    code.instructions().all(|instruction| {
        let allowed = is_harmless(code, &instruction, &receiver);
        receiver.step(code, &instruction);
        allowed
    })
}

/// True if nothing can be called or thrown before the first call that tells
/// where it comes from.
pub fn begins_quietly(method: &Member<'_>, code: &Code<'_>, plan: &MethodPlan) -> bool {
    // Past a branch, the stack is not followed any more.
    let mut receiver = Receiver::new(method, true);
    for instruction in code.instructions() {
        let site = plan.sites.iter().find(|site| site.bci == instruction.bci);
        match site.map(|site| site.callee) {
            Some(Callee::Probed | Callee::Plain(_)) => return true,
            Some(callee) if !is_object_constructor(code, instruction.bci, callee) => return false,
            _ => {}
        }
        if opcode::ends_block(instruction.opcode)
            || plan.blocks.iter().any(|block| block.start == instruction.bci)
            || !is_harmless(code, &instruction, &receiver)
        {
            return false;
        }
        receiver.step(code, &instruction);
    }
    false
}

fn is_object_constructor(code: &Code<'_>, bci: u32, callee: Callee) -> bool {
    let reference = code
        .instruction_at(bci)
        .and_then(|instruction| instruction.pool_index())
        .and_then(|index| code.constant_pool().member_ref(index).ok());
    matches!(callee, Callee::Derived(_))
        && reference.is_some_and(|r| r.owner == b"java/lang/Object" && r.name == b"<init>")
}

/// Follows `this` over the operand stack of straight code: reading or writing
/// a field of it cannot throw.
struct Receiver {
    is_instance: bool,
    is_straight: bool,
    /// For every word on the stack whether it is `this`; `None` once unknown.
    stack: Option<Vec<bool>>,
}

impl Receiver {
    fn new(method: &Member<'_>, is_straight: bool) -> Self {
        Self { is_instance: !method.is_static(), is_straight, stack: Some(Vec::new()) }
    }

    /// True if the word below the `depth` topmost ones is `this`.
    fn is_below(&self, depth: usize) -> bool {
        self.stack.as_ref().is_some_and(|stack| {
            stack.len().checked_sub(depth + 1).is_some_and(|index| stack[index])
        })
    }

    fn step(&mut self, code: &Code<'_>, instruction: &Instruction<'_>) {
        let Some(stack) = &mut self.stack else { return };
        let (pops, pushes) = match instruction.opcode {
            opcode::ALOAD_0 => {
                stack.push(self.is_instance);
                return;
            }
            // `this` may be overwritten, or the stack differ by path.
            opcode::ASTORE_0 => {
                self.stack = None;
                return;
            }
            opcode::ASTORE if instruction.local() == Some(0) => {
                self.stack = None;
                return;
            }
            _ if opcode::ends_block(instruction.opcode) && !self.is_straight => {
                self.stack = None;
                return;
            }
            opcode::GETFIELD => (1, field_words(code, instruction)),
            opcode::PUTFIELD => (1 + field_words(code, instruction), 0),
            opcode::GETSTATIC => (0, field_words(code, instruction)),
            opcode::PUTSTATIC => (field_words(code, instruction), 0),
            // Only Object's constructor gets here.
            opcode::INVOKESPECIAL => (1, 0),
            other => {
                let (pops, pushes) = opcode::stack_effect(other);
                (usize::from(pops), usize::from(pushes))
            }
        };
        let left = stack.len().saturating_sub(pops);
        stack.truncate(left);
        stack.resize(left + pushes, false);
    }
}

fn field_words(code: &Code<'_>, instruction: &Instruction<'_>) -> usize {
    let field = instruction.pool_index().and_then(|i| code.constant_pool().member_ref(i).ok());
    field.map_or(0, |field| classfile::descriptor::words(field.descriptor).into())
}

fn is_harmless(code: &Code<'_>, instruction: &Instruction<'_>, receiver: &Receiver) -> bool {
    use classfile::opcode::*;
    let pool = code.constant_pool();
    match instruction.opcode {
        // Division throws when the divisor is 0.
        IDIV | LDIV | IREM | LREM => false,
        NOP..=SIPUSH => true,
        LDC | LDC_W | LDC2_W => {
            instruction.pool_index().and_then(|i| pool.tag(i)).is_some_and(|kind| {
                matches!(kind, tag::INTEGER | tag::FLOAT | tag::LONG | tag::DOUBLE | tag::STRING)
            })
        }
        ILOAD..=ALOAD_3 | ISTORE..=ASTORE_3 | POP..=SWAP => true,
        // Arithmetic, conversions and comparisons.
        IADD..=DCMPG => true,
        IFEQ..=GOTO | TABLESWITCH | LOOKUPSWITCH | IFNULL | IFNONNULL | GOTO_W => true,
        IRETURN..=RETURN => true,
        GETSTATIC | PUTSTATIC => {
            // The method's own class is initialised, or being so by this thread.
            let field = instruction.pool_index().and_then(|i| pool.member_ref(i).ok());
            field.is_some_and(|field| field.owner == code.method().class().this_class())
        }
        GETFIELD => receiver.is_below(0),
        PUTFIELD => receiver.is_below(field_words(code, instruction)),
        INVOKESPECIAL => true,
        _ => false,
    }
}
