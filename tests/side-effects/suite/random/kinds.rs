//! Types of values, as random programs name them.

use support::random::Random;

/// A type: all that the JVM tells apart, and two of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    /// `String`, null now and then.
    Text,
    /// `Object`: boxes and texts.
    Boxed,
}

use Kind::{Boolean, Boxed, Byte, Char, Double, Float, Int, Long, Short, Text};

impl Kind {
    /// All of them; primitive ones first.
    pub const ALL: [Self; 10] = [Boolean, Byte, Char, Short, Int, Long, Float, Double, Text, Boxed];

    /// As Java writes it.
    pub fn name(self) -> &'static str {
        match self {
            Boolean => "boolean",
            Byte => "byte",
            Char => "char",
            Short => "short",
            Int => "int",
            Long => "long",
            Float => "float",
            Double => "double",
            Text => "String",
            Boxed => "Object",
        }
    }

    /// Its name in those of accessors: `getInt`.
    pub fn accessor(self) -> &'static str {
        match self {
            Boolean => "Boolean",
            Byte => "Byte",
            Char => "Char",
            Short => "Short",
            Int => "Int",
            Long => "Long",
            Float => "Float",
            Double => "Double",
            Text | Boxed => "",
        }
    }

    /// The class of its boxes, or itself.
    pub fn wrapper(self) -> &'static str {
        match self {
            Char => "Character",
            Int => "Integer",
            Text => "String",
            Boxed => "Object",
            primitive => primitive.accessor(),
        }
    }

    pub fn is_primitive(self) -> bool {
        !matches!(self, Text | Boxed)
    }

    /// Whether handles can add to it.
    pub fn is_number(self) -> bool {
        !matches!(self, Boolean | Text | Boxed)
    }

    /// Whether handles can combine its bits.
    pub fn has_bits(self) -> bool {
        !matches!(self, Float | Double | Text | Boxed)
    }

    /// An expression of this type that depends on the `int` `i`.
    pub fn value(self, random: &mut Random) -> String {
        let factor = random.below(2000) * 2 + 1;
        let plus = random.below(100);
        match self {
            Boolean => format!("((i * {factor} + {plus}) % 5 < 2)"),
            Byte | Char | Short => format!("(({}) (i * {factor} + {plus}))", self.name()),
            Int => format!("(i * {} + {plus})", random.below(1 << 31)),
            Long => format!("(i * {}L + {plus})", random.next() >> 1),
            Float => format!("(i % 9 == {} ? Float.NaN : i * {factor} / 16f)", random.below(12)),
            Double => format!("(i % 9 == {} ? -0.0 : i * {factor} / 32d)", random.below(12)),
            Text => {
                let letter = random.index(3);
                let text = ["a", "\\u20ac", "Aa"][letter];
                format!("(i % 11 == {} ? null : \"{text}\" + i % {factor})", random.below(14))
            }
            Boxed => format!("Sum.boxed(i + {plus})"),
        }
    }

    /// An expression of this type that depends on an expression of type `long`.
    pub fn of(self, long: &str) -> String {
        match self {
            Boolean => format!("(({long}) & 1) == 0"),
            Long => long.to_owned(),
            Text => format!("Long.toString({long}, 36)"),
            Boxed => format!("Sum.boxed((int) ({long}))"),
            other => format!("({}) ({long})", other.name()),
        }
    }

    pub fn any(random: &mut Random) -> Self {
        Self::ALL[random.index(Self::ALL.len())]
    }

    pub fn any_primitive(random: &mut Random) -> Self {
        Self::ALL[random.index(8)]
    }
}
