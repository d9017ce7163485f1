//! Accesses to the heap by calls of `Unsafe`.
//!
//! They are loads and stores like others, but which field is meant is known
//! only when they are executed.

/// What such a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnsafeAccess {
    /// Loads.
    Load,
    /// Stores its last argument.
    Store,
    /// Stores its last argument if what is there equals the one before.
    CompareAndSet,
    /// Stores its last argument and gives what was there.
    GetAndSet,
    /// Computes with its last argument and gives what was there.
    GetAndAdd,
}

/// The operand that is stored: behind `Unsafe`, the object and the offset.
pub const VALUE: usize = 3;

impl UnsafeAccess {
    /// By the name of a method; `None` for others.
    pub fn of(owner: &[u8], name: &[u8], descriptor: &[u8]) -> Option<Self> {
        if owner != b"jdk/internal/misc/Unsafe" || !descriptor.starts_with(b"(Ljava/lang/Object;J")
        {
            return None;
        }
        let starts = |prefix: &[u8]| name.starts_with(prefix);
        if starts(b"compareAndSet") || starts(b"weakCompareAndSet") {
            Some(Self::CompareAndSet)
        } else if starts(b"getAndSet") {
            Some(Self::GetAndSet)
        } else if starts(b"getAndAdd") || starts(b"getAndBitwise") {
            Some(Self::GetAndAdd)
        } else if starts(b"get") {
            Some(Self::Load)
        } else if starts(b"put") {
            Some(Self::Store)
        } else {
            None
        }
    }

    /// True if it stores a value as it is.
    pub fn stores(self) -> bool {
        matches!(self, Self::Store | Self::CompareAndSet | Self::GetAndSet)
    }

    /// True if its result is what was there.
    pub fn loads(self) -> bool {
        matches!(self, Self::Load | Self::GetAndSet | Self::GetAndAdd)
    }

    /// Number of the operand that is stored, if one is.
    pub fn stored(self) -> Option<usize> {
        match self {
            Self::Store | Self::GetAndSet => Some(VALUE),
            Self::CompareAndSet => Some(VALUE + 1),
            Self::Load | Self::GetAndAdd => None,
        }
    }

    /// Number of the operand that is compared or added, if one is.
    pub fn consumed(self) -> Option<usize> {
        matches!(self, Self::CompareAndSet | Self::GetAndAdd).then_some(VALUE)
    }
}

/// Descriptor of what a method of `Unsafe` of this name accesses; all references
/// have one.
pub fn descriptor_of(name: &[u8]) -> &'static [u8] {
    let is_about = |kind: &[u8]| name.windows(kind.len()).any(|part| part == kind);
    let kinds: [(&[u8], &[u8]); 8] = [
        (b"Byte", b"B"),
        (b"Boolean", b"Z"),
        (b"Char", b"C"),
        (b"Short", b"S"),
        (b"Int", b"I"),
        (b"Float", b"F"),
        (b"Long", b"J"),
        (b"Double", b"D"),
    ];
    let kind = kinds.into_iter().find(|(name, _)| is_about(name));
    kind.map_or(b"L", |(_, descriptor)| descriptor)
}
