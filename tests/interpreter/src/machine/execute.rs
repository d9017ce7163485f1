//! One instruction after the other.

use classfile::{Instruction, opcode as op};

use super::value::{Slot, Value};
use super::{Frame, Machine, Stop, arithmetic};
use crate::rules::Rules;

/// Where execution goes on.
pub(super) enum Next<S> {
    /// With the next instruction.
    Follows,
    /// At this bci.
    At(u32),
    /// In the caller.
    Return(Option<Slot<S>>),
}

impl<R: Rules> Machine<'_, R> {
    /// Executes a method to its end.
    pub(super) fn run(
        &mut self,
        frame: &mut Frame<R::Shadow>,
    ) -> Result<Option<Slot<R::Shadow>>, Stop> {
        loop {
            let body = self.methods[frame.method.0 as usize].body.as_ref();
            let body = body.expect("only methods with code have frames");
            let instruction = body.instructions[frame.bci as usize].expect("branches are sound");
            frame.opcode = instruction.opcode;
            *self.executed.entry((frame.method, instruction.opcode)).or_default() += 1;
            match self.step(frame, instruction) {
                Ok(Next::Follows) => frame.bci = instruction.end(),
                Ok(Next::At(bci)) => frame.bci = bci,
                Ok(Next::Return(value)) => return Ok(value),
                Err(Stop::Thrown(exception)) => self.catch(frame, exception)?,
                Err(stop) => return Err(stop),
            }
        }
    }

    fn step(
        &mut self,
        frame: &mut Frame<R::Shadow>,
        instruction: Instruction<'static>,
    ) -> Result<Next<R::Shadow>, Stop> {
        let opcode = instruction.opcode;
        match opcode {
            op::NOP => {}
            op::ACONST_NULL => {
                let shadow = self.rules.null(frame.here());
                frame.push(Slot { value: Value::Null, shadow });
            }
            op::ICONST_M1..=op::SIPUSH => frame.push(Slot::plain(pushed(instruction))),
            op::LDC | op::LDC_W | op::LDC2_W => {
                let value = self.constant(frame.class, pool_index(instruction))?;
                frame.push(Slot::plain(value));
            }
            op::ILOAD..=op::ALOAD_3 => {
                let slot = frame.locals[local(instruction)];
                frame.push(slot);
            }
            op::IALOAD..=op::SALOAD => self.load_element(frame)?,
            op::ISTORE..=op::ASTORE_3 => frame.locals[local(instruction)] = frame.pop(),
            op::IASTORE..=op::SASTORE => self.store_element(frame)?,
            op::POP..=op::SWAP => frame.shuffle(opcode),
            op::IINC => {
                let at = local(instruction);
                let Slot { value, shadow } = frame.locals[at];
                let by = instruction.constant().expect("iinc has a constant");
                let value = Value::Int(value.int().wrapping_add(by));
                let shadow = self.rules.compute(frame.here(), frame.slot, &[shadow]);
                frame.locals[at] = Slot { value, shadow };
            }
            op::IFEQ..=op::IF_ICMPLE => {
                let right = if opcode >= op::IF_ICMPEQ { Some(frame.pop()) } else { None };
                let left = frame.pop();
                match right {
                    Some(right) => {
                        self.rules.test(frame.here(), &[left.shadow, right.shadow]);
                    }
                    None => self.rules.test(frame.here(), &[left.shadow]),
                }
                let right = right.map_or(0, |right| right.value.int());
                return Ok(branch(
                    instruction,
                    arithmetic::branches(opcode, left.value.int(), right),
                ));
            }
            op::IF_ACMPEQ | op::IF_ACMPNE => {
                let (right, left) = (frame.pop(), frame.pop());
                self.rules.test(frame.here(), &[left.shadow, right.shadow]);
                let equal = left.value.reference() == right.value.reference();
                return Ok(branch(instruction, equal == (opcode == op::IF_ACMPEQ)));
            }
            op::IFNULL | op::IFNONNULL => {
                let operand = frame.pop();
                self.rules.test(frame.here(), &[operand.shadow]);
                let null = operand.value == Value::Null;
                return Ok(branch(instruction, null == (opcode == op::IFNULL)));
            }
            op::GOTO | op::GOTO_W => return Ok(branch(instruction, true)),
            op::TABLESWITCH | op::LOOKUPSWITCH => {
                let key = frame.pop();
                self.rules.test(frame.here(), &[key.shadow]);
                let switch = instruction.switch().expect("it is a switch");
                let case = switch.cases().find(|(case, _)| *case == key.value.int());
                return Ok(Next::At(case.map_or(switch.default_target(), |(_, target)| target)));
            }
            op::RETURN => return Ok(Next::Return(None)),
            op::IRETURN..=op::ARETURN => {
                let mut result = frame.pop();
                let returns = &self.methods[frame.method.0 as usize].returns;
                result.value = result.value.narrowed(returns);
                if result.value == Value::Null {
                    result.shadow = self.rules.result(frame.here(), result.shadow);
                }
                return Ok(Next::Return(Some(result)));
            }
            op::GETSTATIC => self.load_static(frame, pool_index(instruction))?,
            op::PUTSTATIC => self.store_static(frame, pool_index(instruction))?,
            op::GETFIELD => self.load_field(frame, pool_index(instruction))?,
            op::PUTFIELD => self.store_field(frame, pool_index(instruction))?,
            op::INVOKEDYNAMIC => self.invoke_dynamic(frame, pool_index(instruction))?,
            _ if op::is_invoke(opcode) => self.call(frame, opcode, pool_index(instruction))?,
            op::NEW => {
                let class = self.resolve_class(frame.class, pool_index(instruction))?;
                self.new_object(frame, class)?;
            }
            op::NEWARRAY => {
                let element = self.primitive(element_letter(instruction));
                let class = self.array_of(element)?;
                self.new_array(frame, class)?;
            }
            op::ANEWARRAY => {
                let element = self.resolve_class(frame.class, pool_index(instruction))?;
                let class = self.array_of(element)?;
                self.new_array(frame, class)?;
            }
            op::MULTIANEWARRAY => {
                let class = self.resolve_class(frame.class, pool_index(instruction))?;
                let dimensions = usize::from(instruction.bytes()[3]);
                self.new_arrays(frame, class, dimensions)?;
            }
            op::ARRAYLENGTH => {
                let base = frame.pop();
                let array = self.base(frame, base)?;
                let length = self.object(array).elements().len() as i32;
                // The array is a base, no operand.
                let shadow = self.rules.compute(frame.here(), frame.slot, &[]);
                frame.push(Slot { value: Value::Int(length), shadow });
            }
            op::ATHROW => {
                let exception = frame.pop();
                return Err(Stop::Thrown(self.base(frame, exception)?));
            }
            op::CHECKCAST => {
                let class = self.resolve_class(frame.class, pool_index(instruction))?;
                let value = frame.stack.last().map(|slot| slot.value);
                if !self.is_instance(value.unwrap_or(Value::Null), class, true) {
                    return Err(self.throw("java/lang/ClassCastException"));
                }
            }
            op::INSTANCEOF => {
                let class = self.resolve_class(frame.class, pool_index(instruction))?;
                let operand = frame.pop();
                let value = Value::Int(self.is_instance(operand.value, class, false).into());
                let shadow = self.rules.compute(frame.here(), frame.slot, &[operand.shadow]);
                frame.push(Slot { value, shadow });
            }
            op::MONITORENTER | op::MONITOREXIT => {
                let object = frame.pop();
                self.base(frame, object)?;
            }
            _ => return self.calculate(frame, opcode),
        }
        Ok(Next::Follows)
    }

    /// Rule COMPUTATION for everything that [`arithmetic`] knows.
    fn calculate(
        &mut self,
        frame: &mut Frame<R::Shadow>,
        opcode: u8,
    ) -> Result<Next<R::Shadow>, Stop> {
        let count =
            arithmetic::operands(opcode).ok_or_else(|| Stop::unsupported(op::name(opcode)))?;
        let operands = frame.stack.split_off(frame.stack.len() - count);
        let (values, shadows): (Vec<_>, Vec<_>) =
            operands.into_iter().map(|slot| (slot.value, slot.shadow)).unzip();
        let Some(value) = arithmetic::compute(opcode, &values) else {
            return Err(self.throw("java/lang/ArithmeticException"));
        };
        let shadow = self.rules.compute(frame.here(), frame.slot, &shadows);
        frame.push(Slot { value, shadow });
        Ok(Next::Follows)
    }

    /// Whether a value is an instance of a class; `null` counts as `of_null`.
    pub(super) fn is_instance(
        &self,
        value: Value,
        class: super::class::ClassId,
        of_null: bool,
    ) -> bool {
        match value.reference() {
            Some(object) => self.is_subclass(self.object(object).class, class),
            None => of_null,
        }
    }

    /// Goes on at the handler of an exception, or leaves the method. What is
    /// caught comes from nowhere: the paper does not track it.
    fn catch(
        &mut self,
        frame: &mut Frame<R::Shadow>,
        exception: super::value::ObjectId,
    ) -> Result<(), Stop> {
        let body = self.methods[frame.method.0 as usize].body.as_ref();
        for entry in body.map(|body| body.handlers.clone()).unwrap_or_default() {
            if !(entry.start..entry.end).contains(&frame.bci) {
                continue;
            }
            let caught = entry.catch_type == 0 || {
                let class = self.resolve_class(frame.class, entry.catch_type)?;
                self.is_instance(Value::Object(exception), class, false)
            };
            if caught {
                frame.stack.clear();
                frame.push(Slot::plain(Value::Object(exception)));
                frame.bci = entry.handler;
                return Ok(());
            }
        }
        Err(Stop::Thrown(exception))
    }
}

fn branch<S>(instruction: Instruction<'_>, taken: bool) -> Next<S> {
    if !taken {
        return Next::Follows;
    }
    Next::At(instruction.branch_target().expect("it is a branch"))
}

fn pool_index(instruction: Instruction<'_>) -> u16 {
    instruction.pool_index().expect("the instruction has a constant")
}

fn local(instruction: Instruction<'_>) -> usize {
    usize::from(instruction.local().expect("the instruction has a local variable"))
}

/// What `iconst_m1` to `sipush` push.
fn pushed(instruction: Instruction<'_>) -> Value {
    let bytes = instruction.bytes();
    match instruction.opcode {
        op::LCONST_0 | op::LCONST_1 => Value::Long(i64::from(instruction.opcode - op::LCONST_0)),
        op::FCONST_0..=op::FCONST_2 => Value::Float(f32::from(instruction.opcode - op::FCONST_0)),
        op::DCONST_0 | op::DCONST_1 => Value::Double(f64::from(instruction.opcode - op::DCONST_0)),
        op::BIPUSH => Value::Int(i32::from(bytes[1] as i8)),
        op::SIPUSH => Value::Int(i32::from(i16::from_be_bytes([bytes[1], bytes[2]]))),
        opcode => Value::Int(i32::from(opcode) - i32::from(op::ICONST_0)),
    }
}

/// The type that `newarray` names (JVMS table 6.5.newarray-A).
fn element_letter(instruction: Instruction<'_>) -> u8 {
    b"ZCFDBSIJ"[usize::from(instruction.bytes()[1]) - 4]
}
