//! Values of the JVM, each with what the rules know of it.

/// Number of an object of the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

/// A value. `boolean`, `byte`, `char` and `short` are ints, as on the operand stack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// An int.
    Int(i32),
    /// A long.
    Long(i64),
    /// A float.
    Float(f32),
    /// A double.
    Double(f64),
    /// A reference to an object.
    Object(ObjectId),
    /// The reference to none.
    Null,
}

impl Value {
    /// What a field or element of a type with this descriptor holds at first.
    pub fn default_of(descriptor: &str) -> Self {
        match descriptor.as_bytes().first() {
            Some(b'J') => Self::Long(0),
            Some(b'F') => Self::Float(0.0),
            Some(b'D') => Self::Double(0.0),
            Some(b'L' | b'[') => Self::Null,
            _ => Self::Int(0),
        }
    }

    /// True for a long or double, which take two words.
    pub fn is_wide(self) -> bool {
        matches!(self, Self::Long(_) | Self::Double(_))
    }

    /// What is left of the value in a field or element of a type with this
    /// descriptor.
    pub fn narrowed(self, descriptor: &str) -> Self {
        let Self::Int(int) = self else { return self };
        Self::Int(match descriptor.as_bytes().first() {
            Some(b'Z') => int & 1,
            Some(b'B') => i32::from(int as i8),
            Some(b'C') => i32::from(int as u16),
            Some(b'S') => i32::from(int as i16),
            _ => int,
        })
    }

    /// The int.
    ///
    /// # Panics
    /// If it is none: the program is not verified.
    pub fn int(self) -> i32 {
        match self {
            Self::Int(int) => int,
            other => panic!("{other:?} instead of an int"),
        }
    }

    /// The long.
    ///
    /// # Panics
    /// If it is none.
    pub fn long(self) -> i64 {
        match self {
            Self::Long(long) => long,
            other => panic!("{other:?} instead of a long"),
        }
    }

    /// The float.
    ///
    /// # Panics
    /// If it is none.
    pub fn float(self) -> f32 {
        match self {
            Self::Float(float) => float,
            other => panic!("{other:?} instead of a float"),
        }
    }

    /// The double.
    ///
    /// # Panics
    /// If it is none.
    pub fn double(self) -> f64 {
        match self {
            Self::Double(double) => double,
            other => panic!("{other:?} instead of a double"),
        }
    }

    /// The object referred to.
    ///
    /// # Panics
    /// If it is not a reference.
    pub fn reference(self) -> Option<ObjectId> {
        match self {
            Self::Object(object) => Some(object),
            Self::Null => None,
            other => panic!("{other:?} instead of a reference"),
        }
    }
}

impl From<Option<ObjectId>> for Value {
    fn from(reference: Option<ObjectId>) -> Self {
        reference.map_or(Self::Null, Self::Object)
    }
}

/// Bytes that a value of a type with this descriptor has in the heap;
/// references are compressed.
pub fn width(descriptor: &str) -> u8 {
    match descriptor.as_bytes().first() {
        Some(b'Z' | b'B') => 1,
        Some(b'C' | b'S') => 2,
        Some(b'J' | b'D') => 8,
        _ => 4,
    }
}

/// A local variable or a place on the operand stack, with its shadow.
#[derive(Debug, Clone, Copy)]
pub struct Slot<S> {
    /// The value.
    pub value: Value,
    /// Where it is known to come from.
    pub shadow: S,
}

impl<S: Default> Slot<S> {
    /// A value that comes from nowhere.
    pub fn plain(value: Value) -> Self {
        Self { value, shadow: S::default() }
    }
}

/// A heap location, with its last writer.
#[derive(Debug, Clone, Copy)]
pub struct Cell<W> {
    /// The value.
    pub value: Value,
    /// Who wrote it.
    pub writer: W,
}
