//! One instruction and its operands (JVMS 6.5).

use super::error::{Error, ErrorKind};
use super::opcode::{self, Operands};
use super::reader::{u2_at, u4_at};

/// An instruction in the code of a method.
#[derive(Clone, Copy, Debug)]
pub struct Instruction<'a> {
    /// Position of the first byte (of `wide`, where there is one) in the code.
    pub bci: u32,
    /// The opcode; under `wide` the opcode that is widened.
    pub opcode: u8,
    /// Whether the instruction is prefixed by `wide`.
    pub is_wide: bool,
    bytes: &'a [u8],
}

impl<'a> Instruction<'a> {
    /// The instruction at a position that is known to be sound.
    #[inline]
    pub(crate) fn decode(code: &'a [u8], bci: usize) -> Option<Instruction<'a>> {
        let rest = code.get(bci..)?;
        let first = *rest.first()?;
        let length = match opcode::fixed_length(first) {
            0 => variable_length(code, bci).ok()?,
            length => length,
        };
        let bytes = rest.get(..length)?;
        let is_wide = first == opcode::WIDE;
        let opcode = if is_wide { *bytes.get(1)? } else { first };
        Some(Instruction { bci: bci as u32, opcode, is_wide, bytes })
    }

    /// All bytes of the instruction.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Length in bytes, with prefix and padding.
    #[inline]
    pub fn length(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// The bci behind the instruction.
    #[inline]
    pub fn end(&self) -> u32 {
        self.bci + self.length()
    }

    #[inline]
    fn u2(&self, at: usize) -> Option<u16> {
        u2_at(self.bytes, at)
    }

    /// The constant pool index, if the instruction has one.
    #[inline]
    pub fn pool_index(&self) -> Option<u16> {
        match opcode::operands(self.opcode) {
            Operands::PoolByte => self.bytes.get(1).map(|&index| u16::from(index)),
            Operands::Pool
            | Operands::InvokeInterface
            | Operands::InvokeDynamic
            | Operands::MultiArray => self.u2(1),
            _ => None,
        }
    }

    /// The local variable that the instruction names, be it by an operand or
    /// by its opcode, as in `aload_0`.
    pub fn local(&self) -> Option<u16> {
        match opcode::operands(self.opcode) {
            Operands::Local | Operands::Iinc if self.is_wide => self.u2(2),
            Operands::Local | Operands::Iinc => self.bytes.get(1).map(|&index| u16::from(index)),
            _ => match self.opcode {
                first @ opcode::ILOAD_0..=opcode::ALOAD_3 => {
                    Some(u16::from((first - opcode::ILOAD_0) & 3))
                }
                first @ opcode::ISTORE_0..=opcode::ASTORE_3 => {
                    Some(u16::from((first - opcode::ISTORE_0) & 3))
                }
                _ => None,
            },
        }
    }

    /// The integer that `iconst`, `bipush` and `sipush` push, that `iinc`
    /// adds, or the operand of `newarray` and `multianewarray`.
    pub fn constant(&self) -> Option<i32> {
        match self.opcode {
            opcode::ICONST_M1..=opcode::ICONST_5 => {
                Some(i32::from(self.opcode) - i32::from(opcode::ICONST_0))
            }
            opcode::BIPUSH => self.bytes.get(1).map(|&byte| i32::from(byte as i8)),
            opcode::NEWARRAY => self.bytes.get(1).map(|&byte| i32::from(byte)),
            opcode::MULTIANEWARRAY => self.bytes.get(3).map(|&byte| i32::from(byte)),
            opcode::SIPUSH => self.u2(1).map(|short| i32::from(short as i16)),
            opcode::IINC if self.is_wide => self.u2(4).map(|short| i32::from(short as i16)),
            opcode::IINC => self.bytes.get(2).map(|&byte| i32::from(byte as i8)),
            _ => None,
        }
    }

    /// Where a branch (also `goto`, `jsr` and their wide forms) leads. The
    /// position may lie outside the code if no JVM would accept it.
    #[inline]
    pub fn branch_target(&self) -> Option<u32> {
        let distance = match opcode::operands(self.opcode) {
            Operands::Branch => i32::from(self.u2(1)? as i16),
            Operands::BranchWide => u4_at(self.bytes, 1)? as i32,
            _ => return None,
        };
        Some(self.bci.wrapping_add(distance as u32))
    }

    /// The cases of a `tableswitch` or `lookupswitch`.
    pub fn switch(&self) -> Option<Switch<'a>> {
        let is_table = match self.opcode {
            opcode::TABLESWITCH => true,
            opcode::LOOKUPSWITCH => false,
            _ => return None,
        };
        let body = self.bytes.get(switch_padding(self.bci as usize) + 1..)?;
        let cases = body.get(if is_table { 12 } else { 8 }..)?;
        let low = if is_table { Some(u4_at(body, 4)? as i32) } else { None };
        Some(Switch { bci: self.bci, default: u4_at(body, 0)?, low, cases })
    }

    /// Every position that the instruction may jump to, without the one
    /// behind it.
    pub fn targets(&self) -> impl Iterator<Item = u32> + use<'a> {
        let switch = self.switch();
        self.branch_target()
            .into_iter()
            .chain(switch.map(|switch| switch.default_target()))
            .chain(switch.into_iter().flat_map(|switch| switch.cases().map(|(_, target)| target)))
    }
}

/// The operands of a `tableswitch` or `lookupswitch`.
#[derive(Clone, Copy, Debug)]
pub struct Switch<'a> {
    bci: u32,
    default: u32,
    /// `Some` for `tableswitch`.
    low: Option<i32>,
    /// Targets of a `tableswitch`, keys and targets of a `lookupswitch`.
    cases: &'a [u8],
}

impl<'a> Switch<'a> {
    /// Where control goes when no key matches.
    pub fn default_target(&self) -> u32 {
        self.bci.wrapping_add(self.default)
    }

    /// Keys and where they lead.
    pub fn cases(&self) -> impl Iterator<Item = (i32, u32)> + use<'a> {
        let Switch { bci, low, cases, .. } = *self;
        let width = if low.is_some() { 4 } else { 8 };
        cases.chunks_exact(width).enumerate().map(move |(position, case)| {
            let key = match low {
                Some(low) => low.wrapping_add(position as i32),
                None => u4_at(case, 0).unwrap_or(0) as i32,
            };
            let distance = u4_at(case, width - 4).unwrap_or(0);
            (key, bci.wrapping_add(distance))
        })
    }
}

/// Bytes between a switch's opcode at `bci` and its first operand.
#[inline]
pub(crate) fn switch_padding(bci: usize) -> usize {
    3 - bci % 4
}

/// Length of the instruction at `bci` where its opcode does not fix it.
///
/// Errors carry offsets relative to the code.
#[cold]
pub(crate) fn variable_length(code: &[u8], bci: usize) -> Result<usize, Error> {
    let end = || Error::new(ErrorKind::UnexpectedEnd, code.len());
    let opcode = *code.get(bci).ok_or_else(end)?;
    match opcode::operands(opcode) {
        Operands::Wide => {
            let widened = *code.get(bci + 1).ok_or_else(end)?;
            match opcode::operands(widened) {
                Operands::Local => Ok(4),
                Operands::Iinc => Ok(6),
                _ => Err(Error::new(ErrorKind::BadOpcode(widened), bci + 1)),
            }
        }
        Operands::TableSwitch => {
            let head = 1 + switch_padding(bci);
            let low = u4_at(code, bci + head + 4).ok_or_else(end)? as i32;
            let high = u4_at(code, bci + head + 8).ok_or_else(end)? as i32;
            let cases = i64::from(high) - i64::from(low) + 1;
            // Code ends after 65,535 bytes, so larger tables are impossible.
            match usize::try_from(cases) {
                Ok(cases @ 1..=0xFFFF) => Ok(head + 12 + 4 * cases),
                _ => Err(Error::new(ErrorKind::BadSwitch, bci)),
            }
        }
        Operands::LookupSwitch => {
            let head = 1 + switch_padding(bci);
            let pairs = u4_at(code, bci + head + 4).ok_or_else(end)?;
            match pairs {
                0..=0xFFFF => Ok(head + 8 + 8 * pairs as usize),
                _ => Err(Error::new(ErrorKind::BadSwitch, bci)),
            }
        }
        _ => match opcode::fixed_length(opcode) {
            0 => Err(Error::new(ErrorKind::BadOpcode(opcode), bci)),
            length => Ok(length),
        },
    }
}
