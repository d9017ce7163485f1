//! Layouts of objects, by which probes read what objects hold.

/// Recent ones that probes find by themselves.
pub const LAYOUTS: usize = 1 << 10;

/// What a class says of its objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layout {
    /// They stand for themselves: classes, threads, class loaders, enum constants.
    ByNumber,
    /// They hold what their fields hold: offset and first letter of the descriptor of each.
    Fields(Vec<(u64, u8)>),
    /// They hold what their fields hold, and are compared by that at any depth: boxes.
    Value(Vec<(u64, u8)>),
    /// Arrays: the first letter of the descriptor of elements, `L` for all references.
    Array(u8),
}

impl Layout {
    /// By the internal name of the class, those of its superclasses, and all their fields.
    pub fn of(name: &[u8], superclasses: &[&[u8]], fields: Vec<(u64, u8)>) -> Self {
        let is = |class: &[u8]| name == class || superclasses.contains(&class);
        if let [b'[', element, ..] = *name {
            return Self::Array(if element == b'[' { b'L' } else { element });
        }
        let stand_for_themselves: [&[u8]; 4] =
            [b"java/lang/Class", b"java/lang/Thread", b"java/lang/ClassLoader", b"java/lang/Enum"];
        if stand_for_themselves.iter().any(|class| is(class)) {
            return Self::ByNumber;
        }
        let boxes: [&[u8]; 8] = [
            b"java/lang/Boolean",
            b"java/lang/Byte",
            b"java/lang/Character",
            b"java/lang/Short",
            b"java/lang/Integer",
            b"java/lang/Long",
            b"java/lang/Float",
            b"java/lang/Double",
        ];
        if boxes.contains(&name) { Self::Value(fields) } else { Self::Fields(fields) }
    }

    /// As probes read it: the number of the class, the kind, how many fields there are,
    /// and of each the offset above the letter.
    pub fn words(&self, class: u32) -> Box<[u64]> {
        let (kind, fields): (u64, &[_]) = match self {
            Self::ByNumber => (kind::BY_NUMBER, &[]),
            Self::Fields(fields) => (kind::BY_FIELDS, fields),
            Self::Value(fields) => (kind::VALUE, fields),
            Self::Array(element) => (u64::from(*element), &[]),
        };
        let fields = fields.iter().map(|&(offset, letter)| offset << 8 | u64::from(letter));
        let head = [u64::from(class), kind, fields.len() as u64];
        head.into_iter().chain(fields).collect()
    }
}

/// Kinds of classes, as probes know them.
pub mod kind {
    /// Objects stand for themselves.
    pub const BY_NUMBER: u64 = 0;
    /// They hold what their fields hold.
    pub const BY_FIELDS: u64 = 1;
    /// They hold what their fields hold, at any depth.
    pub const VALUE: u64 = 2;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_objects_hold() {
        let fields = vec![(12, b'I'), (16, b'L')];
        let of = |name: &[u8], parent: &[u8]| Layout::of(name, &[parent], fields.clone());
        assert_eq!(of(b"a/Colour", b"java/lang/Enum"), Layout::ByNumber);
        assert_eq!(of(b"java/lang/Class", b"java/lang/Object"), Layout::ByNumber);
        assert_eq!(of(b"[[I", b"java/lang/Object"), Layout::Array(b'L'));
        assert_eq!(of(b"[J", b"java/lang/Object"), Layout::Array(b'J'));
        assert_eq!(of(b"java/lang/Long", b"java/lang/Number"), Layout::Value(fields.clone()));
        let point = of(b"a/Point", b"java/lang/Object");
        assert_eq!(*point.words(7), [7, kind::BY_FIELDS, 2, 12 << 8 | 73, 16 << 8 | 76]);
    }
}
