//! Numbers of classes, methods and nodes.

/// Index of a class in [`Profile::classes`](crate::Profile::classes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub u32);

/// Index of a method in [`Profile::methods`](crate::Profile::methods).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodId(pub u32);

/// Index of a node in the columns of [`Nodes`](crate::Nodes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);
