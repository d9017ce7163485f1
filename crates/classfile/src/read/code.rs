//! The `Code` attribute (JVMS 4.7.3).

use super::attribute::{Attribute, Attributes};
use super::constant_pool::ConstantPool;
use super::error::{Error, ErrorKind};
use super::instruction::{Instruction, variable_length};
use super::member::Member;
use super::opcode;
use super::reader::{Reader, u2_at, u4_at};
use std::ops::Range;

/// The code of a method.
///
/// Its instructions are known to be sound: every opcode is defined and the
/// last instruction ends where the code ends. Where branches lead and what is
/// on the stack is not checked; that is the business of a verifier.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    method: Member<'a>,
    max_stack: u16,
    max_locals: u16,
    bytecode: &'a [u8],
    exceptions: &'a [u8],
    /// From `attributes_count` to the end.
    attributes: Reader<'a>,
    /// Absolute offset of `bytecode`.
    bytecode_offset: usize,
    /// Absolute offset of the byte behind the attribute.
    end: usize,
}

/// One entry of an exception table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExceptionEntry {
    /// First bci that is covered.
    pub start: u32,
    /// First bci that is no longer covered.
    pub end: u32,
    /// Where the handler starts.
    pub handler: u32,
    /// Constant pool index of the class that is caught; 0 catches all.
    pub catch_type: u16,
}

impl<'a> Code<'a> {
    /// Reads the attribute and checks all instructions.
    pub(crate) fn parse(method: Member<'a>, attribute: &Attribute<'a>) -> Result<Code<'a>, Error> {
        let code = Code::parse_unchecked(method, attribute)?;
        check_instructions(code.bytecode, code.bytecode_offset)?;
        let mut rest = code.attributes;
        let attribute_count = rest.u2()?;
        for _ in 0..attribute_count {
            rest.skip(2)?;
            let length = rest.u4()?;
            rest.skip(length as usize)?;
        }
        rest.expect_end()?;
        Ok(code)
    }

    /// Reads the attribute without looking at instructions and attributes,
    /// for the editor, which meets all of them anyway.
    pub(crate) fn parse_unchecked(
        method: Member<'a>,
        attribute: &Attribute<'a>,
    ) -> Result<Code<'a>, Error> {
        let mut reader = attribute.reader();
        let max_stack = reader.u2()?;
        let max_locals = reader.u2()?;
        let length = reader.u4()?;
        if length == 0 || length > 0xFFFF {
            return Err(reader.error(ErrorKind::BadCodeLength(length)));
        }
        let bytecode_offset = reader.offset();
        let bytecode = reader.bytes(length as usize)?;
        let exception_count = usize::from(reader.u2()?);
        let exceptions = reader.bytes(8 * exception_count)?;
        let attributes = reader;
        Ok(Code {
            method,
            max_stack,
            max_locals,
            bytecode,
            exceptions,
            attributes,
            bytecode_offset,
            end: attribute.offset + attribute.info.len(),
        })
    }

    /// The method that this is the code of.
    pub fn method(&self) -> Member<'a> {
        self.method
    }

    /// The constant pool that instructions refer to.
    pub fn constant_pool(&self) -> &'a ConstantPool<'a> {
        self.method.class().constant_pool()
    }

    /// Words that the operand stack may hold.
    pub fn max_stack(&self) -> u16 {
        self.max_stack
    }

    /// Local variable slots, with those of the arguments.
    pub fn max_locals(&self) -> u16 {
        self.max_locals
    }

    /// The bytes of the instructions.
    pub fn bytecode(&self) -> &'a [u8] {
        self.bytecode
    }

    /// The number of bytes of the instructions, at most 65,535.
    pub fn length(&self) -> u32 {
        self.bytecode.len() as u32
    }

    /// The exception table, in the order in which it is searched.
    pub fn exception_table(&self) -> impl ExactSizeIterator<Item = ExceptionEntry> + use<'a> {
        self.exceptions.as_chunks::<8>().0.iter().map(|entry| {
            let field = |at| u2_at(entry, at).unwrap_or(0);
            ExceptionEntry {
                start: field(0).into(),
                end: field(2).into(),
                handler: field(4).into(),
                catch_type: field(6),
            }
        })
    }

    /// The instructions in the order of their positions.
    pub fn instructions(&self) -> Instructions<'a> {
        Instructions { code: self.bytecode, bci: 0 }
    }

    /// The instruction that starts at `bci`. If none starts there, what the
    /// bytes happen to spell, or `None`.
    pub fn instruction_at(&self, bci: u32) -> Option<Instruction<'a>> {
        Instruction::decode(self.bytecode, bci as usize)
    }

    /// The attributes of the code.
    pub fn attributes(&self) -> Attributes<'a> {
        // `parse` has read the count; an empty table stands for the
        // impossible rest.
        Attributes::new(self.constant_pool(), self.attributes)
            .unwrap_or_else(|_| Attributes::empty(self.constant_pool()))
    }

    /// The absolute range of the attribute's `info`.
    pub(crate) fn info_range(&self) -> Range<usize> {
        // Stack, locals and length come before the instructions.
        self.bytecode_offset - 8..self.end
    }

    /// Absolute offset of the first instruction, for errors.
    pub(crate) fn bytecode_offset(&self) -> usize {
        self.bytecode_offset
    }
}

impl<'a> Member<'a> {
    /// The code of a method; `None` for abstract and native methods.
    ///
    /// # Errors
    /// If the `Code` attribute is not well-formed. What it returns is sound
    /// down to the single instruction, so that walking it cannot fail.
    pub fn code(&self) -> Result<Option<Code<'a>>, Error> {
        let mut code = None;
        for attribute in self.attributes()? {
            let attribute = attribute?;
            if attribute.name == b"Code" {
                if code.is_some() {
                    return Err(Error::new(ErrorKind::DuplicateCode, attribute.offset));
                }
                code = Some(Code::parse(*self, &attribute)?);
            }
        }
        Ok(code)
    }

    /// The code whose `info` lies in this absolute range, not yet known to be
    /// sound; `None` if this is not a `Code` attribute of the method.
    pub(crate) fn unchecked_code(&self, range: Range<usize>) -> Result<Option<Code<'a>>, Error> {
        let bytes = self.class().bytes();
        let place = self.range();
        let (Some(head), true) = (range.start.checked_sub(6), range.end <= place.end) else {
            return Ok(None);
        };
        let (Some(name_index), Some(length)) = (u2_at(bytes, head), u4_at(bytes, head + 2)) else {
            return Ok(None);
        };
        let name = self.class().constant_pool().utf8(name_index)?;
        if head < place.start || length as usize != range.len() || name != b"Code" {
            return Ok(None);
        }
        let info = self.class().slice(range.clone());
        let attribute = Attribute { name_index, name, info, offset: range.start };
        Code::parse_unchecked(*self, &attribute).map(Some)
    }
}

/// Walks the instructions once, so that no later walk can fail.
fn check_instructions(code: &[u8], base: usize) -> Result<(), Error> {
    let mut bci = 0;
    while let Some(&opcode) = code.get(bci) {
        bci += match opcode::fixed_length(opcode) {
            0 => variable_length(code, bci)
                .map_err(|error| Error::new(error.kind(), base + error.offset() as usize))?,
            length => length,
        };
    }
    if bci == code.len() {
        Ok(())
    } else {
        Err(Error::new(ErrorKind::UnexpectedEnd, base + code.len()))
    }
}

/// Iterates over the instructions of a method.
#[derive(Clone, Debug)]
pub struct Instructions<'a> {
    code: &'a [u8],
    bci: usize,
}

impl<'a> Instructions<'a> {
    /// Instructions of code that was checked before, from `bci` on.
    pub(crate) fn starting_at(code: &'a [u8], bci: usize) -> Instructions<'a> {
        Instructions { code, bci }
    }
}

impl<'a> Iterator for Instructions<'a> {
    type Item = Instruction<'a>;

    #[inline]
    fn next(&mut self) -> Option<Instruction<'a>> {
        let instruction = Instruction::decode(self.code, self.bci)?;
        self.bci += instruction.bytes().len();
        Some(instruction)
    }
}
