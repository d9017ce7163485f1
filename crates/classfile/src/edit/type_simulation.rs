//! Types along straight-line code.
//!
//! Widening a conditional branch makes a jump target where the compiler put
//! no stack map frame, and so does inserting code that has a way around it.
//! The frame follows from the last one before it and the instructions between,
//! which nothing jumps into: each fixes the types that it leaves behind, so no
//! class hierarchy is asked.

use super::pool_extension::PoolExtension;
use super::refusal::Refusal;
use super::verification_type::{VerificationType, class_of};
use crate::read::code::{Code, Instructions};
use crate::read::constant_pool::tag;
use crate::read::descriptor;
use crate::read::instruction::Instruction;
use crate::read::opcode;

/// The types at one place of the old code.
///
/// Both lists have one entry per slot or word: behind a long or double stands
/// a `Top`.
#[derive(Clone, Debug, Default)]
pub(crate) struct TypeSimulation {
    bci: u32,
    locals: Vec<VerificationType>,
    stack: Vec<VerificationType>,
}

/// What an instruction does to the stack.
struct Effect {
    /// Words popped.
    pops: u16,
    pushed: Option<VerificationType>,
}

impl TypeSimulation {
    /// Starts from a frame.
    pub(crate) fn restart(
        &mut self,
        bci: u32,
        locals: &[VerificationType],
        stack: &[VerificationType],
    ) {
        self.bci = bci;
        spread(locals, &mut self.locals);
        spread(stack, &mut self.stack);
    }

    /// Runs up to the instruction at `bci` and gives the frame there, one
    /// entry per type.
    ///
    /// # Errors
    /// [`Refusal::UnknownFrame`] if the place is not reached in a straight
    /// line, or the code cannot be typed; [`Refusal::PoolFull`].
    pub(crate) fn run_to(
        &mut self,
        bci: u32,
        code: &Code<'_>,
        pool: &mut PoolExtension,
        locals: &mut Vec<VerificationType>,
        stack: &mut Vec<VerificationType>,
    ) -> Result<(), Refusal> {
        for instruction in Instructions::starting_at(code.bytecode(), self.bci as usize) {
            if instruction.bci >= bci || opcode::is_unconditional(instruction.opcode) {
                break;
            }
            self.run(&instruction, code, pool)?.ok_or(Refusal::UnknownFrame { bci })?;
            self.bci = instruction.end();
        }
        if self.bci != bci {
            return Err(Refusal::UnknownFrame { bci });
        }
        gather(&self.locals, locals);
        // Slots that hold nothing need not be named.
        while locals.last() == Some(&VerificationType::Top) {
            locals.pop();
        }
        gather(&self.stack, stack);
        Ok(())
    }

    /// Applies one instruction; `None` if it does not fit the types.
    fn run(
        &mut self,
        instruction: &Instruction<'_>,
        code: &Code<'_>,
        pool: &mut PoolExtension,
    ) -> Result<Option<()>, Refusal> {
        if let Some(result) = self.shuffle(instruction) {
            return Ok(Some(result));
        }
        let Some(Effect { pops, pushed }) = self.effect(instruction, code, pool)? else {
            return Ok(None);
        };
        let Some(kept) = self.stack.len().checked_sub(usize::from(pops)) else { return Ok(None) };
        let receiver = self.stack.get(kept).copied();
        self.stack.truncate(kept);
        if instruction.opcode == opcode::INVOKESPECIAL {
            self.initialise(receiver, code);
        }
        if let Some(pushed) = pushed {
            push(&mut self.stack, pushed);
        }
        Ok(Some(()))
    }

    /// Instructions that only move types; `None` for all others.
    fn shuffle(&mut self, instruction: &Instruction<'_>) -> Option<()> {
        let (words, below) = match instruction.opcode {
            opcode::ALOAD | opcode::ALOAD_0..=opcode::ALOAD_3 => {
                let local = *self.locals.get(usize::from(instruction.local()?))?;
                self.stack.push(local);
                return Some(());
            }
            opcode::ISTORE..=opcode::ASTORE | opcode::ISTORE_0..=opcode::ASTORE_3 => {
                let (words, _) = opcode::stack_effect(instruction.opcode);
                let place = self.stack.len().checked_sub(words.into())?;
                let stored = *self.stack.get(place)?;
                self.stack.truncate(place);
                self.store(usize::from(instruction.local()?), stored);
                return Some(());
            }
            opcode::DUP => (1, 0),
            opcode::DUP_X1 => (1, 1),
            opcode::DUP_X2 => (1, 2),
            opcode::DUP2 => (2, 0),
            opcode::DUP2_X1 => (2, 1),
            opcode::DUP2_X2 => (2, 2),
            opcode::SWAP => {
                let top = self.stack.len().checked_sub(2)?;
                self.stack.get_mut(top..)?.swap(0, 1);
                return Some(());
            }
            _ => return None,
        };
        let top = self.stack.len().checked_sub(words)?;
        let copies = self.stack.get(top..)?.to_vec();
        let place = top.checked_sub(below)?;
        self.stack.splice(place..place, copies);
        Some(())
    }

    fn store(&mut self, index: usize, stored: VerificationType) {
        let end = index + usize::from(stored.words());
        if self.locals.len() < end {
            self.locals.resize(end, VerificationType::Top);
        }
        // Half of a long or double is worth nothing.
        if let Some(before) = index.checked_sub(1)
            && self.locals[before].words() == 2
        {
            self.locals[before] = VerificationType::Top;
        }
        if self.locals[end - 1].words() == 2
            && let Some(second_half) = self.locals.get_mut(end)
        {
            *second_half = VerificationType::Top;
        }
        self.locals[index] = stored;
        if end - index == 2 {
            self.locals[index + 1] = VerificationType::Top;
        }
    }

    /// After a constructor call every copy of its receiver is initialised.
    fn initialise(&mut self, receiver: Option<VerificationType>, code: &Code<'_>) {
        let class = match receiver {
            Some(VerificationType::UninitializedThis) => {
                Some(code.method().class().this_class_index())
            }
            Some(VerificationType::Uninitialized(bci)) => {
                code.instruction_at(bci.into()).and_then(|new| new.pool_index())
            }
            _ => None,
        };
        let (Some(receiver), Some(class)) = (receiver, class) else { return };
        for place in self.locals.iter_mut().chain(&mut self.stack) {
            if *place == receiver {
                *place = VerificationType::Object(class);
            }
        }
    }

    /// What an instruction does to the stack; `None` if it cannot be typed.
    fn effect(
        &self,
        instruction: &Instruction<'_>,
        code: &Code<'_>,
        pool: &mut PoolExtension,
    ) -> Result<Option<Effect>, Refusal> {
        let old_pool = code.constant_pool();
        let index = instruction.pool_index().unwrap_or(0);
        let (pops, _) = opcode::stack_effect(instruction.opcode);
        let fixed = |pushed| Ok(Some(Effect { pops: pops.into(), pushed }));
        match instruction.opcode {
            opcode::LDC | opcode::LDC_W | opcode::LDC2_W => {
                let pushed = match old_pool.tag(index) {
                    Some(tag::INTEGER) => VerificationType::Integer,
                    Some(tag::FLOAT) => VerificationType::Float,
                    Some(tag::LONG) => VerificationType::Long,
                    Some(tag::DOUBLE) => VerificationType::Double,
                    Some(tag::STRING) => object(b"java/lang/String", pool)?,
                    Some(tag::CLASS) => object(b"java/lang/Class", pool)?,
                    Some(tag::METHOD_TYPE) => object(b"java/lang/invoke/MethodType", pool)?,
                    Some(tag::METHOD_HANDLE) => object(b"java/lang/invoke/MethodHandle", pool)?,
                    _ => return of_descriptor(0, old_pool.invoke_dynamic(index)?.descriptor, pool),
                };
                fixed(Some(pushed))
            }
            opcode::GETSTATIC => of_descriptor(0, old_pool.member_ref(index)?.descriptor, pool),
            opcode::GETFIELD => of_descriptor(1, old_pool.member_ref(index)?.descriptor, pool),
            opcode::PUTSTATIC | opcode::PUTFIELD => {
                let words = descriptor::words(old_pool.member_ref(index)?.descriptor);
                let reference = u16::from(instruction.opcode == opcode::PUTFIELD);
                Ok(Some(Effect { pops: words + reference, pushed: None }))
            }
            opcode::INVOKEDYNAMIC => {
                let callee = old_pool.invoke_dynamic(index)?.descriptor;
                let words = descriptor::argument_words(callee);
                of_descriptor(words, descriptor::return_type(callee), pool)
            }
            invoke if opcode::is_invoke(invoke) => {
                let callee = old_pool.member_ref(index)?.descriptor;
                let receiver = u16::from(invoke != opcode::INVOKESTATIC);
                let words = descriptor::argument_words(callee).saturating_add(receiver);
                of_descriptor(words, descriptor::return_type(callee), pool)
            }
            opcode::NEW => fixed(Some(VerificationType::Uninitialized(instruction.bci as u16))),
            opcode::NEWARRAY => match instruction.constant() {
                Some(kind @ 4..=11) => {
                    fixed(Some(object(&[b'[', b"ZCFDBSIJ"[kind as usize - 4]], pool)?))
                }
                _ => Ok(None),
            },
            opcode::ANEWARRAY => {
                let component = old_pool.class_name(index)?;
                let array = if component.first() == Some(&b'[') {
                    [b"[", component].concat()
                } else {
                    [b"[L", component, b";"].concat()
                };
                fixed(Some(object(&array, pool)?))
            }
            opcode::MULTIANEWARRAY => {
                let dimensions = instruction.constant().unwrap_or(0) as u16;
                let pushed = Some(VerificationType::Object(index));
                Ok(Some(Effect { pops: dimensions, pushed }))
            }
            opcode::CHECKCAST => fixed(Some(VerificationType::Object(index))),
            opcode::AALOAD => {
                let array = self.stack.len().checked_sub(2).and_then(|at| self.stack.get(at));
                match self.component(array.copied(), code, pool) {
                    Some(Some(component)) => of_descriptor(2, &component, pool),
                    Some(None) => fixed(Some(VerificationType::Null)),
                    None => Ok(None),
                }
            }
            other => fixed(result_of(other)),
        }
    }

    /// The component type of an array type; `Some(None)` for null, `None` if
    /// it is not an array of references.
    fn component(
        &self,
        array: Option<VerificationType>,
        code: &Code<'_>,
        pool: &PoolExtension,
    ) -> Option<Option<Vec<u8>>> {
        let name = match array? {
            VerificationType::Null => return Some(None),
            VerificationType::Parameter { start, length } => {
                let start = usize::from(start);
                code.method().descriptor().get(start..start + usize::from(length))?
            }
            VerificationType::Object(index) => match code.constant_pool().class_name(index) {
                Ok(name) => name,
                Err(_) => pool.class_name(index)?,
            },
            _ => return None,
        };
        Some(Some(name.strip_prefix(b"[")?.to_vec()))
    }
}

/// The effect of popping some words and pushing what a field or return
/// descriptor stands for.
fn of_descriptor(
    pops: u16,
    field_type: &[u8],
    pool: &mut PoolExtension,
) -> Result<Option<Effect>, Refusal> {
    let pushed = match field_type.first() {
        None => return Ok(None),
        Some(b'V') => None,
        Some(b'J') => Some(VerificationType::Long),
        Some(b'D') => Some(VerificationType::Double),
        Some(b'F') => Some(VerificationType::Float),
        Some(b'L' | b'[') => Some(object(class_of(field_type), pool)?),
        Some(_) => Some(VerificationType::Integer),
    };
    Ok(Some(Effect { pops, pushed }))
}

fn object(name: &[u8], pool: &mut PoolExtension) -> Result<VerificationType, Refusal> {
    Ok(VerificationType::Object(pool.class(name)?))
}

/// The type pushed by an instruction whose opcode says it all.
fn result_of(opcode: u8) -> Option<VerificationType> {
    let (_, pushes) = opcode::stack_effect(opcode);
    // The mnemonic tells: `LADD` pushes a long, `I2D` and `DCONST_0` a double.
    let mnemonic = opcode::name(opcode).as_bytes();
    let letter = match mnemonic {
        [_, b'2', to] => to,
        [first, ..] => first,
        [] => return None,
    };
    match (pushes, opcode) {
        (0, _) => None,
        (_, opcode::ACONST_NULL) => Some(VerificationType::Null),
        (2, _) if *letter == b'D' => Some(VerificationType::Double),
        (2, _) => Some(VerificationType::Long),
        (_, opcode::FCMPL | opcode::FCMPG) => Some(VerificationType::Integer),
        _ if *letter == b'F' => Some(VerificationType::Float),
        _ => Some(VerificationType::Integer),
    }
}

fn push(words: &mut Vec<VerificationType>, pushed: VerificationType) {
    words.push(pushed);
    if pushed.words() == 2 {
        words.push(VerificationType::Top);
    }
}

/// From one entry per type to one per word.
fn spread(types: &[VerificationType], words: &mut Vec<VerificationType>) {
    words.clear();
    types.iter().for_each(|&entry| push(words, entry));
}

/// From one entry per word to one per type.
fn gather(words: &[VerificationType], types: &mut Vec<VerificationType>) {
    types.clear();
    let mut rest = words.iter();
    while let Some(&entry) = rest.next() {
        types.push(entry);
        if entry.words() == 2 {
            rest.next();
        }
    }
}
