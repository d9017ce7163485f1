//! What tells objects of one allocation site apart.

/// The contexts of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contexts {
    /// What a context is.
    pub kind: ContextKind,
    /// In how many groups a site's contexts are kept; 0 without contexts. One
    /// more, slot 0, is for objects that are made without a receiver.
    pub slots: u32,
}

impl Contexts {
    /// No contexts.
    pub const NONE: Self = Self { kind: ContextKind::None, slots: 0 };
}

/// A kind of context (Xu et al. 2014, section 2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextKind {
    /// Nothing.
    None,
    /// The site of the receiver of the allocating method.
    Receiver,
    /// The sites of all receivers on the stack, hashed.
    Chain,
}
