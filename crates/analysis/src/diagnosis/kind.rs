//! Kinds of waste.

/// What is wasted, or wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A method computes the same results from the same inputs again.
    RepeatedResult,
    /// A method never finds what it looks for.
    NeverFinds,
    /// A method is tried many times, and mostly in vain.
    RarelyFinds,
    /// Iterations of a loop read what the one before has read.
    Reread,
    /// The cost of a loop grows faster than its input.
    Growth,
    /// A text or an array grows by copying itself.
    GrowingCopy,
    /// Most iterations of a loop have no effect.
    IdleLoop,
    /// A loop of one's own asks for one thing after the other, each by a query.
    QueryInLoop,
    /// Objects live for a few calls only.
    ShortLived,
    /// Values are computed and not used.
    Unused,
    /// Values are stored, and replaced before they are loaded.
    Overwritten,
    /// Exceptions are made again and again, as ordinary control flow.
    Exceptions,
    /// Objects are never closed.
    NeverClosed,
    /// Objects are used in a way that their protocol forbids.
    Misused,
    /// A null is met where an object is expected.
    NullMet,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::RepeatedResult,
        Self::NeverFinds,
        Self::RarelyFinds,
        Self::Reread,
        Self::Growth,
        Self::GrowingCopy,
        Self::IdleLoop,
        Self::QueryInLoop,
        Self::ShortLived,
        Self::Unused,
        Self::Overwritten,
        Self::Exceptions,
        Self::NeverClosed,
        Self::Misused,
        Self::NullMet,
    ];

    /// Its name in JSON.
    pub fn key(self) -> &'static str {
        match self {
            Self::RepeatedResult => "repeated_result",
            Self::NeverFinds => "never_finds",
            Self::RarelyFinds => "rarely_finds",
            Self::Reread => "reread",
            Self::Growth => "growth",
            Self::GrowingCopy => "growing_copy",
            Self::IdleLoop => "idle_loop",
            Self::QueryInLoop => "query_in_loop",
            Self::ShortLived => "short_lived",
            Self::Unused => "unused",
            Self::Overwritten => "overwritten",
            Self::Exceptions => "exceptions",
            Self::NeverClosed => "never_closed",
            Self::Misused => "misused",
            Self::NullMet => "null_met",
        }
    }

    /// For people.
    pub fn text(self) -> &'static str {
        match self {
            Self::RepeatedResult => "same result again",
            Self::NeverFinds => "never finds anything",
            Self::RarelyFinds => "mostly tried in vain",
            Self::Reread => "same data read again",
            Self::Growth => "grows faster than its input",
            Self::GrowingCopy => "a value that grows by copying itself",
            Self::IdleLoop => "a loop goes on without effect",
            Self::QueryInLoop => "a query for each of many",
            Self::ShortLived => "short-lived objects",
            Self::Unused => "computed and not used",
            Self::Overwritten => "written more than read",
            Self::Exceptions => "exceptions as ordinary control flow",
            Self::NeverClosed => "never closed",
            Self::Misused => "used after its end",
            Self::NullMet => "null where an object is expected",
        }
    }

    /// Whether it is wrong rather than slow.
    pub fn is_defect(self) -> bool {
        matches!(self, Self::NeverClosed | Self::Misused | Self::NullMet)
    }
}
