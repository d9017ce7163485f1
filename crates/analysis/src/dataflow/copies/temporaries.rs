//! Objects that are never assigned to the heap (NATH), section 3.5.3.

use profile::dataflow::{CopyProfile, SiteId, SiteKind, TagId};

use crate::dataflow::copies::graph::CopyGraph;

/// A site some of whose objects were never assigned to the heap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Temporaries {
    /// The site.
    pub site: SiteId,
    /// Those of its tags that have such objects.
    pub tags: Vec<TagId>,
    /// These objects.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
    /// All objects of the site.
    pub all_objects: u64,
    /// True if a reference to an object of these tags was tested or given to native code.
    pub consumed: bool,
}

/// The sites that make temporaries, those of most objects first.
///
/// An object counts if no reference to it was stored in any field or array; it may
/// have been consumed. Untracked objects do not count: not all of their
/// references are known.
pub fn temporaries(copies: &CopyProfile, graph: &CopyGraph) -> Vec<Temporaries> {
    let objects = &copies.objects;
    let mut sites: Vec<Temporaries> = (0..objects.sites.len() as u32)
        .map(|site| Temporaries {
            site: SiteId(site),
            tags: Vec::new(),
            objects: 0,
            bytes: 0,
            all_objects: 0,
            consumed: false,
        })
        .collect();
    for (number, (tag, made)) in (0..).zip(objects.tags.iter().zip(&objects.allocations)) {
        let site = &mut sites[tag.site.0 as usize];
        site.all_objects = site.all_objects.saturating_add(made.objects);
        let number = TagId(number);
        let assigned = copies.assigned(number);
        if made.objects > assigned.objects {
            site.tags.push(number);
            site.objects = site.objects.saturating_add(made.objects - assigned.objects);
            site.bytes = site.bytes.saturating_add(made.bytes - assigned.bytes);
            site.consumed |= graph.consumed_producers.contains(&number);
        }
    }
    sites.retain(|site| {
        let kind = objects.sites[site.site.0 as usize].kind;
        kind != SiteKind::Untracked && !site.tags.is_empty()
    });
    sites.sort_by(|a, b| b.objects.cmp(&a.objects).then(b.bytes.cmp(&a.bytes)));
    sites
}
