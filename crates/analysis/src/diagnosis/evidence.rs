//! What one recording says of waste in one place.

use super::kind::Kind;
use super::region::Region;

/// What a recording was made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Recording {
    /// Calls, bytecodes and allocations by context; with it the time of a plain run.
    Calls,
    /// Inputs and results of methods.
    Results,
    /// Values moved between objects, and objects that are never stored.
    Copies,
    /// Values that loops read again.
    Loops,
    /// What values cost, and what becomes of them.
    Costs,
    /// How the cost of loops grows.
    Growth,
    /// Histories of objects.
    Typestate,
    /// Where nulls come from.
    Nulls,
}

impl Recording {
    /// In the order of what they tell for what they cost.
    pub const ALL: [Self; 8] = [
        Self::Calls,
        Self::Results,
        Self::Copies,
        Self::Loops,
        Self::Growth,
        Self::Typestate,
        Self::Costs,
        Self::Nulls,
    ];

    /// The agent's mode.
    pub fn mode(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Results => "results",
            Self::Copies => "copies",
            Self::Loops => "loops",
            Self::Costs => "calls+costs",
            Self::Growth => "growth",
            Self::Typestate => "typestate",
            Self::Nulls => "nulls",
        }
    }

    /// The file's name in a folder of recordings.
    pub fn file(self) -> &'static str {
        match self {
            Self::Calls => "calls.subsume",
            Self::Results => "results.subsume",
            Self::Copies => "copies.subsume",
            Self::Loops => "loops.subsume",
            Self::Costs => "costs.subsume",
            Self::Growth => "growth.subsume",
            Self::Typestate => "typestate.subsume",
            Self::Nulls => "nulls.subsume",
        }
    }
}

/// How sure a saving is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sure {
    /// Counted: so many bytecodes were executed for nothing.
    Exact,
    /// Shares that were counted by method or loop, times exact costs of contexts.
    Estimate,
    /// No more than that: what the place costs, as far as it makes what is wasted.
    Bound,
}

impl Sure {
    /// For people and JSON.
    pub fn text(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Estimate => "estimate",
            Self::Bound => "upper bound",
        }
    }
}

/// What one recording says of waste in one place.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// What is wasted.
    pub kind: Kind,
    /// The recording that says so.
    pub recording: Recording,
    /// The method to look at, by its number in the tree.
    pub method: u32,
    /// The line in it; 0 if it is not known.
    pub line: u16,
    /// Its costliest context there; `None` if the method has none outside the start.
    pub node: Option<u32>,
    /// What happens, with figures.
    pub sentence: String,
    /// What kind of repair the facts speak for.
    pub hint: Option<&'static str>,
    /// The contexts that the waste lies in.
    pub region: Region,
    /// Bytecodes that a change saves at most, of those in the region.
    pub saving: u64,
    /// What findings are ranked by: of an upper bound a half; of what is short-lived or unused
    /// as far as its share is above that of the whole program.
    pub likely: u64,
    /// Elements that a change spares from being moved; single calls move them without bytecodes.
    pub moved: u64,
    /// How sure that is.
    pub sure: Sure,
    /// The command that shows more of it, without the file.
    pub command: Vec<String>,
}
