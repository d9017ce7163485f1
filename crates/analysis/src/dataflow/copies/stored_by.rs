//! Which code has stored what.

use std::hash::Hash;

use profile::dataflow::{CopyEdge, CopyProfile, Place};
use rustc_hash::FxHashMap;

/// By a key of copies, such as where they go: the instructions that made them, with the
/// bytes that each of them stored. Copies without a key are left out.
pub fn stored_by<K: Eq + Hash>(
    copies: &CopyProfile,
    key: impl Fn(&CopyEdge) -> Option<K>,
) -> FxHashMap<K, Vec<(Place, u64)>> {
    let mut found: FxHashMap<K, Vec<(Place, u64)>> = FxHashMap::default();
    for edge in &copies.edges {
        if let Some(key) = key(edge) {
            let place = copies.stores[edge.store.0 as usize].place;
            let bytes = edge.count.saturating_mul(edge.bytes.into());
            found.entry(key).or_default().push((place, bytes));
        }
    }
    found
}
