//! Where nulls come from, section 2.1 of the paper.

use crate::Error;
use crate::dataflow::check::within;
use crate::dataflow::{ElementWriters, LostOrigins, Place};

/// Index of a node in [`NullGraph::nodes`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NullNodeId(pub u32);

/// How nulls travelled, and the exceptions that they caused.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NullGraph {
    /// Instructions that handled nulls.
    pub nodes: Vec<NullNode>,
    /// A null went from the first node to the second.
    pub edges: Vec<(NullNodeId, NullNodeId)>,
    /// The exceptions, one entry for each place and last node.
    pub exceptions: Vec<NullPointer>,
    /// Values whose origins were lost on the way, by reason.
    pub lost: Vec<LostOrigins>,
    /// How well it is known who stored null in elements of arrays.
    pub element_writers: ElementWriters,
}

/// An instruction that handled nulls.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct NullNode {
    /// Where it stands.
    pub place: Place,
    /// What it does with nulls.
    pub kind: NullKind,
    /// What it handles, such as the field `java.util.HashMap.table`; empty if
    /// it needs no name.
    pub what: String,
}

/// What an instruction does with nulls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NullKind {
    /// It is the constant `null`.
    #[default]
    Constant,
    /// It loads what nobody was seen to set to null. Fields and elements are null at
    /// first; but code that is not followed stores, too.
    Initial,
    /// It calls native or other code that is not followed, which answered with null.
    Native,
    /// It stores a null.
    Store,
    /// It loads a null that was stored.
    Load,
    /// It hands a null to a method.
    Argument,
    /// It returns a null.
    Return,
}

impl NullKind {
    /// True where nulls begin.
    pub fn is_birth(self) -> bool {
        matches!(self, Self::Constant | Self::Initial | Self::Native)
    }
}

/// Exceptions that the JVM raised at one place for nulls that came the same way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NullPointer {
    /// The instruction that met the null.
    pub place: Place,
    /// The node that handled the null last; `None` if its origin was lost.
    pub last: Option<NullNodeId>,
    /// How many of these exceptions were caught.
    pub caught: u64,
    /// How many were not.
    pub uncaught: u64,
}

impl NullGraph {
    /// Checks that every number lies within its table.
    ///
    /// `methods` is how many methods the profile has.
    ///
    /// # Errors
    ///
    /// Names the first number that does not.
    pub fn validate(&self, methods: usize) -> Result<(), Error> {
        let check_node =
            |what, at, node: NullNodeId| within(what, at, "null node", node.0, self.nodes.len());
        for (at, node) in self.nodes.iter().enumerate() {
            node.place.validate("null node", at, methods)?;
        }
        for (at, &(from, to)) in self.edges.iter().enumerate() {
            check_node("null edge", at, from)?;
            check_node("null edge", at, to)?;
        }
        for (at, exception) in self.exceptions.iter().enumerate() {
            exception.place.validate("null pointer", at, methods)?;
            exception.last.map_or(Ok(()), |last| check_node("null pointer", at, last))?;
        }
        Ok(())
    }
}
