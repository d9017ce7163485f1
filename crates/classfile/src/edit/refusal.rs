//! Why an edit was not made.

use crate::read::error::{Error, ErrorKind};
use std::fmt;

/// Why a class or one of its methods cannot be edited as asked.
///
/// A refused method stays as it was; the rest of the class can still be
/// edited and written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// The constant pool would need an index beyond 65,534.
    PoolFull,
    /// A constant is longer than the 65,535 bytes that its length can tell.
    ConstantTooLong,
    /// The class has no method with this index.
    NoSuchMethod,
    /// The method is abstract or native, or the edit belongs to another one.
    NoCode,
    /// The code would be longer than 65,535 bytes.
    CodeTooLarge {
        /// The length that would be needed.
        length: u32,
    },
    /// The method would need more than 65,535 local variable slots.
    TooManyLocals,
    /// The operand stack would need more than 65,535 words.
    StackTooDeep,
    /// A table of the method would need more than 65,535 entries, or its
    /// attribute more than 4 GB.
    TableTooLong,
    /// The class would need more than 65,535 fields or methods.
    TooManyMembers,
    /// A fragment or a handler was placed where no instruction starts.
    NotAnInstruction {
        /// The position that was named.
        bci: u32,
    },
    /// A landing pad leads to an exception table entry that is not there or has no
    /// stack map frame, or to a handler that was not added.
    NoSuchHandler,
    /// The method does what another class may not, or has constants or handlers that are
    /// not copied.
    NotCopied,
    /// The code has a `StackMap` attribute (CLDC), which is not understood.
    CldcStackMap,
    /// A stack map frame is needed behind a branch that had to be widened, or
    /// an optional insertion, and the types there cannot be derived.
    UnknownFrame {
        /// The position behind it.
        bci: u32,
    },
    /// The method, or a part of the class that has to be rewritten for it, is
    /// malformed.
    Malformed(Error),
}

impl Refusal {
    /// A table of the method names a position where no instruction starts.
    #[cold]
    pub(crate) fn bad_position(bci: u32, offset: usize) -> Refusal {
        Refusal::Malformed(Error::new(ErrorKind::BadCodePosition(bci), offset))
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Malformed(error)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::PoolFull => write!(out, "the constant pool is full"),
            Refusal::ConstantTooLong => write!(out, "a constant is longer than 65535 bytes"),
            Refusal::NoSuchMethod => write!(out, "the class has no such method"),
            Refusal::NoCode => write!(out, "the method has no code, or the edit is another's"),
            Refusal::CodeTooLarge { length } => {
                write!(out, "the code would take {length} bytes, more than 65535")
            }
            Refusal::TooManyLocals => write!(out, "more than 65535 local variable slots"),
            Refusal::StackTooDeep => write!(out, "more than 65535 words on the operand stack"),
            Refusal::TableTooLong => write!(out, "a table would have more than 65535 entries"),
            Refusal::TooManyMembers => write!(out, "more than 65535 fields or methods"),
            Refusal::NotAnInstruction { bci } => {
                write!(out, "no instruction starts at bci {bci}")
            }
            Refusal::NoSuchHandler => write!(out, "a landing pad leads to no handler"),
            Refusal::NotCopied => write!(out, "the method cannot be copied to another class"),
            Refusal::CldcStackMap => write!(out, "the code has a CLDC StackMap attribute"),
            Refusal::UnknownFrame { bci } => {
                write!(out, "the stack map frame needed at bci {bci} cannot be derived")
            }
            Refusal::Malformed(error) => write!(out, "malformed class file: {error}"),
        }
    }
}

impl std::error::Error for Refusal {}
