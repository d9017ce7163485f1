//! References that a clone had for a moment only.
//!
//! The JVM's `clone` copies all fields, so at first a clone refers to the parts
//! of its original. Where it is given parts of its own then, it no longer does.

use profile::dataflow::{CopyProfile, FieldId, Location, Origin, SiteKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is stored in a location.
#[derive(Debug, Default)]
struct Stored {
    /// Where the JVM copied from when it cloned.
    cloned: Vec<Location>,
    /// What code stored: locations, `None` for new objects.
    others: FxHashSet<Option<Location>>,
}

/// Copies from the first location to the second one whose values were replaced:
/// made by the JVM's `clone`, into a field that code stores something else in.
pub fn replaced(copies: &CopyProfile) -> FxHashSet<(Location, Location)> {
    let mut stored: FxHashMap<Location, Stored> = FxHashMap::default();
    for edge in &copies.edges {
        // An array keeps those of the copied elements that are not stored again.
        let site = copies.objects.site(edge.to.tag);
        if site.kind != SiteKind::Clone || edge.to.field == FieldId::ELEMENTS {
            continue;
        }
        let stored = stored.entry(edge.to).or_default();
        match edge.from {
            Origin::Location(from) if copies.stores[edge.store.0 as usize].place == site.place => {
                stored.cloned.push(from);
            }
            Origin::Location(from) => drop(stored.others.insert(Some(from))),
            Origin::Producer(_) => drop(stored.others.insert(None)),
        }
    }
    let mut replaced = FxHashSet::default();
    for (to, stored) in stored {
        for from in stored.cloned {
            // What code copies once more from the same place stays.
            if !stored.others.is_empty() && !stored.others.contains(&Some(from)) {
                replaced.insert((from, to));
            }
        }
    }
    replaced
}
