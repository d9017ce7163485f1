//! Arithmetic, logic, shifts, conversions and comparisons (JVMS 6.5).

use std::cmp::Ordering;

use classfile::opcode as op;

use super::value::Value;

/// How many operands an instruction of this group takes; `None` if it is of
/// another group.
pub fn operands(opcode: u8) -> Option<usize> {
    match opcode {
        op::INEG | op::LNEG | op::FNEG | op::DNEG => Some(1),
        op::IADD..=op::LXOR => Some(2),
        op::I2L..=op::I2S => Some(1),
        op::LCMP..=op::DCMPG => Some(2),
        _ => None,
    }
}

/// The result; `None` is a division by zero.
pub fn compute(opcode: u8, operands: &[Value]) -> Option<Value> {
    Some(match (opcode, operands) {
        (_, &[value]) => unary(opcode, value),
        (op::LCMP..=op::DCMPG, &[left, right]) => Value::Int(compare(opcode, left, right)),
        (_, &[Value::Int(left), Value::Int(right)]) => Value::Int(int(opcode, left, right)?),
        (_, &[Value::Long(left), Value::Int(by)]) => Value::Long(match opcode {
            op::LSHL => left.wrapping_shl(by as u32),
            op::LSHR => left.wrapping_shr(by as u32),
            _ => (left as u64).wrapping_shr(by as u32) as i64,
        }),
        (_, &[Value::Long(left), Value::Long(right)]) => Value::Long(long(opcode, left, right)?),
        (_, &[Value::Float(left), Value::Float(right)]) => Value::Float(match opcode {
            op::FADD => left + right,
            op::FSUB => left - right,
            op::FMUL => left * right,
            op::FDIV => left / right,
            _ => left % right,
        }),
        (_, &[Value::Double(left), Value::Double(right)]) => Value::Double(match opcode {
            op::DADD => left + right,
            op::DSUB => left - right,
            op::DMUL => left * right,
            op::DDIV => left / right,
            _ => left % right,
        }),
        _ => panic!("operands {operands:?} of {}", op::name(opcode)),
    })
}

fn int(opcode: u8, left: i32, right: i32) -> Option<i32> {
    Some(match opcode {
        op::IADD => left.wrapping_add(right),
        op::ISUB => left.wrapping_sub(right),
        op::IMUL => left.wrapping_mul(right),
        op::IDIV | op::IREM if right == 0 => return None,
        op::IDIV => left.wrapping_div(right),
        op::IREM => left.wrapping_rem(right),
        op::ISHL => left.wrapping_shl(right as u32),
        op::ISHR => left.wrapping_shr(right as u32),
        op::IUSHR => (left as u32).wrapping_shr(right as u32) as i32,
        op::IAND => left & right,
        op::IOR => left | right,
        _ => left ^ right,
    })
}

fn long(opcode: u8, left: i64, right: i64) -> Option<i64> {
    Some(match opcode {
        op::LADD => left.wrapping_add(right),
        op::LSUB => left.wrapping_sub(right),
        op::LMUL => left.wrapping_mul(right),
        op::LDIV | op::LREM if right == 0 => return None,
        op::LDIV => left.wrapping_div(right),
        op::LREM => left.wrapping_rem(right),
        op::LAND => left & right,
        op::LOR => left | right,
        _ => left ^ right,
    })
}

fn unary(opcode: u8, value: Value) -> Value {
    use Value::{Double, Float, Int, Long};
    match (opcode, value) {
        (op::INEG, Int(value)) => Int(value.wrapping_neg()),
        (op::LNEG, Long(value)) => Long(value.wrapping_neg()),
        (op::FNEG, Float(value)) => Float(-value),
        (op::DNEG, Double(value)) => Double(-value),
        (op::I2B, Int(value)) => Int(i32::from(value as i8)),
        (op::I2C, Int(value)) => Int(i32::from(value as u16)),
        (op::I2S, Int(value)) => Int(i32::from(value as i16)),
        (op::I2L, Int(value)) => Long(value.into()),
        (op::I2F, Int(value)) => Float(value as f32),
        (op::I2D, Int(value)) => Double(value.into()),
        (op::L2I, Long(value)) => Int(value as i32),
        (op::L2F, Long(value)) => Float(value as f32),
        (op::L2D, Long(value)) => Double(value as f64),
        // `as` saturates and makes 0 of NaN, as the JVM does.
        (op::F2I, Float(value)) => Int(value as i32),
        (op::F2L, Float(value)) => Long(value as i64),
        (op::F2D, Float(value)) => Double(value.into()),
        (op::D2I, Double(value)) => Int(value as i32),
        (op::D2L, Double(value)) => Long(value as i64),
        (op::D2F, Double(value)) => Float(value as f32),
        _ => panic!("operand {value:?} of {}", op::name(opcode)),
    }
}

fn compare(opcode: u8, left: Value, right: Value) -> i32 {
    let order = match (left, right) {
        (Value::Long(left), Value::Long(right)) => Some(left.cmp(&right)),
        (Value::Float(left), Value::Float(right)) => left.partial_cmp(&right),
        _ => left.double().partial_cmp(&right.double()),
    };
    match order {
        Some(Ordering::Less) => -1,
        Some(Ordering::Equal) => 0,
        Some(Ordering::Greater) => 1,
        None if matches!(opcode, op::FCMPG | op::DCMPG) => 1,
        None => -1,
    }
}

/// Whether a conditional branch on ints is taken; the right operand of the
/// short forms is 0.
pub fn branches(opcode: u8, left: i32, right: i32) -> bool {
    match opcode {
        op::IFEQ | op::IF_ICMPEQ => left == right,
        op::IFNE | op::IF_ICMPNE => left != right,
        op::IFLT | op::IF_ICMPLT => left < right,
        op::IFGE | op::IF_ICMPGE => left >= right,
        op::IFGT | op::IF_ICMPGT => left > right,
        _ => left <= right,
    }
}
