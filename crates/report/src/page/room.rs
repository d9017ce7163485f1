//! How much of a profile goes into a page.

/// The most that is embedded of each profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Methods.
    pub methods: usize,
    /// Contexts of the call tree.
    pub contexts: usize,
    /// Nodes of the inverted tree.
    pub inverted: usize,
    /// Pairs of caller and callee.
    pub edges: usize,
    /// Bytes of JSON of each section on data flow.
    pub dataflow: usize,
    /// Bytes of source text.
    pub sources: usize,
    /// Methods in the difference of two profiles.
    pub differences: usize,
    /// Contexts of both profiles in the picture of their difference.
    pub differing_contexts: usize,
}

impl Room {
    /// More than this makes a page slow without showing more.
    pub const LARGEST: Self = Self {
        methods: 40_000,
        contexts: 200_000,
        inverted: 100_000,
        edges: 200_000,
        dataflow: 1_500_000,
        sources: 4_000_000,
        differences: 5_000,
        differing_contexts: 120_000,
    };

    /// This part of the room, a share between 0 and 1.
    pub fn scaled(self, share: f64) -> Self {
        // Shares of numbers this small are exact enough.
        let part = |most: usize| (most as f64 * share) as usize;
        Self {
            methods: part(self.methods),
            contexts: part(self.contexts),
            inverted: part(self.inverted),
            edges: part(self.edges),
            dataflow: part(self.dataflow),
            sources: part(self.sources),
            differences: part(self.differences),
            differing_contexts: part(self.differing_contexts),
        }
    }
}
