//! Verification types (JVMS 4.7.4).

use super::fragment::LocalType;
use super::pool_extension::PoolExtension;
use super::refusal::Refusal;
use super::relocation::Relocation;
use crate::read::access;
use crate::read::descriptor;
use crate::read::error::{Error, ErrorKind};
use crate::read::member::Member;
use crate::read::reader::Reader;

/// The type of a local variable or stack entry in a frame of the old code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VerificationType {
    Top,
    Integer,
    Float,
    Double,
    Long,
    Null,
    UninitializedThis,
    /// Constant pool index of the class.
    Object(u16),
    /// Position of the `new` instruction in the old code.
    Uninitialized(u16),
    /// A class that the old constant pool may not name: a range of the
    /// method's descriptor. It gets its `Class` entry when it is written.
    Parameter {
        start: u16,
        length: u16,
    },
}

impl VerificationType {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<VerificationType, Error> {
        let offset = reader.offset();
        Ok(match reader.u1()? {
            0 => VerificationType::Top,
            1 => VerificationType::Integer,
            2 => VerificationType::Float,
            3 => VerificationType::Double,
            4 => VerificationType::Long,
            5 => VerificationType::Null,
            6 => VerificationType::UninitializedThis,
            7 => VerificationType::Object(reader.u2()?),
            8 => VerificationType::Uninitialized(reader.u2()?),
            _ => return Err(Error::new(ErrorKind::BadStackMapFrame, offset)),
        })
    }

    /// Local variable slots or stack words that the type takes.
    pub(crate) fn words(self) -> u16 {
        match self {
            VerificationType::Double | VerificationType::Long => 2,
            _ => 1,
        }
    }

    /// Writes the type as it is in the new code.
    pub(crate) fn write(
        self,
        context: &mut WriteContext<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), Refusal> {
        let (tag, operand) = match self {
            VerificationType::Top => (0, None),
            VerificationType::Integer => (1, None),
            VerificationType::Float => (2, None),
            VerificationType::Double => (3, None),
            VerificationType::Long => (4, None),
            VerificationType::Null => (5, None),
            VerificationType::UninitializedThis => (6, None),
            VerificationType::Object(index) => (7, Some(index)),
            VerificationType::Parameter { start, length } => {
                let start = usize::from(start);
                let field_type = context.descriptor.get(start..start + usize::from(length));
                (7, Some(context.pool.class(class_of(field_type.unwrap_or_default()))?))
            }
            VerificationType::Uninitialized(bci) => {
                let position = context.relocation.at(bci.into());
                let position = position.and_then(|position| u16::try_from(position).ok());
                let bad_position = || Refusal::bad_position(bci.into(), context.offset);
                (8, Some(position.ok_or_else(bad_position)?))
            }
        };
        match operand.map(u16::to_be_bytes) {
            None => out.push(tag),
            Some([high, low]) => out.extend_from_slice(&[tag, high, low]),
        }
        Ok(())
    }
}

/// What writing types needs beside the types.
pub(crate) struct WriteContext<'c> {
    pub(crate) relocation: &'c Relocation,
    pub(crate) pool: &'c mut PoolExtension,
    /// The descriptor of the method.
    pub(crate) descriptor: &'c [u8],
    /// Where the frames lie in the old class file, for errors.
    pub(crate) offset: usize,
}

/// The name in the `Class` entry of a reference type: `java/lang/String` for
/// `Ljava/lang/String;`, while arrays go by their descriptors.
pub(crate) fn class_of(field_type: &[u8]) -> &[u8] {
    match field_type {
        [b'L', name @ .., b';'] => name,
        other => other,
    }
}

/// The types of a variable that an edit added.
impl From<LocalType> for VerificationType {
    fn from(local: LocalType) -> VerificationType {
        match local {
            LocalType::Int => VerificationType::Integer,
            LocalType::Long => VerificationType::Long,
            LocalType::Float => VerificationType::Float,
            LocalType::Double => VerificationType::Double,
            LocalType::Null => VerificationType::Null,
            LocalType::Object(class) => VerificationType::Object(class),
        }
    }
}

/// Fills in the local variables with which a method starts (JVMS 4.10.1.6).
pub(crate) fn initial_locals(method: &Member<'_>, locals: &mut Vec<VerificationType>) {
    locals.clear();
    let class = method.class();
    if method.access_flags() & access::STATIC == 0 {
        // Object's own constructor has nothing to call and starts initialised.
        let is_constructor =
            method.name() == b"<init>" && class.this_class() != b"java/lang/Object";
        locals.push(if is_constructor {
            VerificationType::UninitializedThis
        } else {
            VerificationType::Object(class.this_class_index())
        });
    }
    // The descriptor opens with a parenthesis.
    let mut start = 1;
    for parameter in descriptor::parameters(method.descriptor()) {
        let length = parameter.len() as u16;
        locals.push(match parameter.first() {
            Some(b'J') => VerificationType::Long,
            Some(b'D') => VerificationType::Double,
            Some(b'F') => VerificationType::Float,
            Some(b'L' | b'[') => VerificationType::Parameter { start, length },
            _ => VerificationType::Integer,
        });
        start = start.saturating_add(length);
    }
}
