//! The error of the reading side.

use std::fmt;

/// Why some bytes are not a class file, and where.
///
/// Small and `Copy`, so that reading can fail without allocating.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Error {
    kind: ErrorKind,
    offset: u32,
}

impl Error {
    #[cold]
    pub(crate) fn new(kind: ErrorKind, offset: usize) -> Error {
        Error { kind, offset: u32::try_from(offset).unwrap_or(u32::MAX) }
    }

    /// What is wrong.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Where it is wrong, in bytes from the start of the class file.
    pub fn offset(&self) -> u32 {
        self.offset
    }
}

/// What can be wrong with a class file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file, or the part of it that announced its length, ends too early.
    UnexpectedEnd,
    /// The file does not start with `0xCAFEBABE`.
    BadMagic,
    /// Bytes follow the last attribute of the class, or of another structure
    /// that announced its length.
    TrailingBytes,
    /// A constant pool entry has an unknown tag.
    BadConstantTag(u8),
    /// A constant pool index names no entry, or one of another kind.
    BadConstantIndex(u16),
    /// A descriptor does not follow the grammar of JVMS 4.3.
    BadDescriptor,
    /// An opcode that the specification does not define.
    BadOpcode(u8),
    /// The `code` array is empty or longer than 65,535 bytes.
    BadCodeLength(u32),
    /// A `tableswitch` or `lookupswitch` with impossible bounds.
    BadSwitch,
    /// A method with two `Code` attributes.
    DuplicateCode,
    /// A stack map frame with an unknown frame type or verification type, or
    /// one that chops more locals than there are.
    BadStackMapFrame,
    /// An annotation with an unknown element tag or target type, or nested
    /// too deeply to be genuine.
    BadAnnotation,
    /// A table of the code names a position that is not an instruction.
    BadCodePosition(u32),
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} (at offset 0x{:x})", self.kind, self.offset)
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::UnexpectedEnd => write!(out, "unexpected end"),
            ErrorKind::BadMagic => write!(out, "not a class file: wrong magic number"),
            ErrorKind::TrailingBytes => write!(out, "bytes behind the end of a structure"),
            ErrorKind::BadConstantTag(tag) => write!(out, "unknown constant pool tag {tag}"),
            ErrorKind::BadConstantIndex(index) => {
                write!(out, "constant pool index {index} names no entry of the expected kind")
            }
            ErrorKind::BadDescriptor => write!(out, "malformed descriptor"),
            ErrorKind::BadOpcode(opcode) => write!(out, "undefined opcode 0x{opcode:02x}"),
            ErrorKind::BadCodeLength(length) => {
                write!(out, "code of {length} bytes, must be 1 to 65535")
            }
            ErrorKind::BadSwitch => write!(out, "switch instruction with impossible bounds"),
            ErrorKind::DuplicateCode => write!(out, "method with two Code attributes"),
            ErrorKind::BadStackMapFrame => write!(out, "malformed stack map frame"),
            ErrorKind::BadAnnotation => write!(out, "malformed annotation"),
            ErrorKind::BadCodePosition(bci) => {
                write!(out, "a table names bci {bci}, where no instruction starts")
            }
        }
    }
}

impl std::error::Error for Error {}
