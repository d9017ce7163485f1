//! A profile without its contexts.

use crate::Profile;

/// What a file says of its contexts together. Of a file in the compact form
/// this is known many times faster than its contexts.
#[derive(Debug, Clone, Default)]
pub struct Overview {
    /// The profile, without contexts; the ranges of its threads tell how many
    /// each has.
    pub tables: Profile,
    /// Number of the contexts, apart by thread and call site.
    pub contexts: u32,
    /// Name of each metric, and its sum over all contexts.
    pub totals: Vec<(String, u128)>,
}
