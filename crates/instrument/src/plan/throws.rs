//! Which instructions can throw.
//!
//! An exception can come out of a call, or from the JVM: no object where one
//! is needed, no memory, a class that cannot be linked or initialised.

use classfile::{Code, Instruction, Member, MemberRef, opcode, tag};

/// True if an instruction can throw, where nothing but `this` is known of what
/// it works on.
///
/// Not counted as throwing, though the JVM may: resolving a field of the
/// method's own class or a string, and `ireturn` and its kin where a lock is
/// still held.
pub fn can_throw(code: &Code<'_>, instruction: &Instruction<'_>, receiver: &Receiver) -> bool {
    use classfile::opcode::*;
    let pool = code.constant_pool();
    match instruction.opcode {
        // Division throws when the divisor is 0.
        IDIV | LDIV | IREM | LREM => true,
        NOP..=SIPUSH => false,
        LDC | LDC_W | LDC2_W => {
            !instruction.pool_index().and_then(|i| pool.tag(i)).is_some_and(|kind| {
                matches!(kind, tag::INTEGER | tag::FLOAT | tag::LONG | tag::DOUBLE | tag::STRING)
            })
        }
        ILOAD..=ALOAD_3 | ISTORE..=ASTORE_3 | POP..=SWAP => false,
        // Arithmetic, conversions and comparisons.
        IADD..=DCMPG => false,
        IFEQ..=RET | TABLESWITCH | LOOKUPSWITCH | IFNULL | IFNONNULL | GOTO_W | JSR_W => false,
        IRETURN..=RETURN => false,
        GETSTATIC | PUTSTATIC => {
            let field = instruction.pool_index().and_then(|i| pool.member_ref(i).ok());
            !field.is_some_and(|field| is_declared_by_own_class(code, &field))
        }
        GETFIELD => !receiver.is_below(0),
        PUTFIELD => !receiver.is_below(field_words(code, instruction)),
        INVOKESPECIAL => !is_object_constructor_call(code, instruction),
        _ => true,
    }
}

/// True for a field that the method's own class declares: that class is
/// initialised, or being so by this thread. An inherited field may be one of an
/// interface that is not.
fn is_declared_by_own_class(code: &Code<'_>, field: &MemberRef<'_>) -> bool {
    let class = code.method().class();
    field.owner == class.this_class()
        && class
            .fields()
            .iter()
            .any(|own| own.name() == field.name && own.descriptor() == field.descriptor)
}

/// True for the call of `Object`'s constructor, which does nothing.
pub fn is_object_constructor_call(code: &Code<'_>, instruction: &Instruction<'_>) -> bool {
    instruction.opcode == opcode::INVOKESPECIAL
        && instruction
            .pool_index()
            .and_then(|index| code.constant_pool().member_ref(index).ok())
            .is_some_and(|callee| callee.owner == b"java/lang/Object" && callee.name == b"<init>")
}

/// Follows `this` over the operand stack of straight code: reading or writing
/// a field of it cannot throw.
#[derive(Debug, Clone)]
pub struct Receiver {
    /// True if slot 0 holds `this` everywhere.
    in_slot_0: bool,
    /// For each word on the stack whether it is `this`, as far up as the block
    /// pushed it; nothing is known of what lies below.
    stack: Vec<bool>,
}

impl Receiver {
    /// At the start of a method.
    pub fn new(method: &Member<'_>, code: &Code<'_>) -> Self {
        let overwrites = |instruction: Instruction<'_>| {
            let first = instruction.opcode;
            let stores = matches!(first, opcode::ISTORE..=opcode::ASTORE)
                || matches!(first, opcode::ISTORE_0..=opcode::ASTORE_3);
            stores && instruction.local() == Some(0)
        };
        let in_slot_0 = !method.is_static() && !code.instructions().any(overwrites);
        Self { in_slot_0, stack: Vec::new() }
    }

    /// Where code may have come from elsewhere.
    pub fn enter_block(&mut self) {
        self.stack.clear();
    }

    /// True if the word below the `depth` topmost ones is `this`.
    fn is_below(&self, depth: usize) -> bool {
        self.stack.len().checked_sub(depth + 1).is_some_and(|index| self.stack[index])
    }

    /// Passes an instruction.
    pub fn step(&mut self, code: &Code<'_>, instruction: &Instruction<'_>) {
        let (pops, pushes) = match instruction.opcode {
            opcode::ALOAD_0 => {
                self.stack.push(self.in_slot_0);
                return;
            }
            opcode::DUP => {
                // The value under a copy of what the block did not push is
                // unknown, but there: it must not be mistaken for the bottom.
                let top = self.is_below(0);
                if self.stack.is_empty() {
                    self.stack.push(false);
                }
                self.stack.push(top);
                return;
            }
            opcode::GETFIELD => (1, field_words(code, instruction)),
            opcode::PUTFIELD => (1 + field_words(code, instruction), 0),
            opcode::GETSTATIC => (0, field_words(code, instruction)),
            opcode::PUTSTATIC => (field_words(code, instruction), 0),
            invoke if opcode::is_invoke(invoke) => call_words(code, instruction),
            opcode::MULTIANEWARRAY => (instruction.constant().unwrap_or(0) as usize, 1),
            other => {
                let (pops, pushes) = opcode::stack_effect(other);
                (usize::from(pops), usize::from(pushes))
            }
        };
        let left = self.stack.len().saturating_sub(pops);
        self.stack.truncate(left);
        self.stack.resize(left + pushes, false);
    }
}

fn field_words(code: &Code<'_>, instruction: &Instruction<'_>) -> usize {
    let field = instruction.pool_index().and_then(|i| code.constant_pool().member_ref(i).ok());
    field.map_or(0, |field| classfile::descriptor::words(field.descriptor).into())
}

/// Words that a call takes and gives.
fn call_words(code: &Code<'_>, instruction: &Instruction<'_>) -> (usize, usize) {
    let pool = code.constant_pool();
    let index = instruction.pool_index().unwrap_or(0);
    let descriptor = if instruction.opcode == opcode::INVOKEDYNAMIC {
        pool.invoke_dynamic(index).map(|callee| callee.descriptor)
    } else {
        pool.member_ref(index).map(|callee| callee.descriptor)
    };
    // Of a malformed call nothing is known; what it leaves is not `this`.
    let Ok(descriptor) = descriptor else { return (usize::MAX, 0) };
    let receiver =
        usize::from(!matches!(instruction.opcode, opcode::INVOKESTATIC | opcode::INVOKEDYNAMIC));
    let words = usize::from(classfile::descriptor::argument_words(descriptor)) + receiver;
    let result = classfile::descriptor::return_type(descriptor);
    (words, classfile::descriptor::words(result).into())
}
