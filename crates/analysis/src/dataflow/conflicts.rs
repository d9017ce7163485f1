//! How often contexts share a slot: the paper's context conflict ratio.

use profile::dataflow::{Objects, SiteKind};

/// The mean conflict ratio of the sites, and how many sites have a conflict.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Conflicts {
    /// Mean over all sites of the largest number of contexts in one slot, as a
    /// share of the site's contexts; 0 for a site whose contexts have a slot
    /// each (CCR, section 3.7).
    pub ratio: f64,
    /// Sites with two or more contexts in a slot.
    pub sites_in_conflict: usize,
    /// Sites that count: those that make objects, but for untracked ones.
    pub sites: usize,
}

/// The conflicts of a recording.
pub fn conflicts(objects: &Objects) -> Conflicts {
    let mut by_tag = vec![0u64; objects.tags.len()];
    for context in &objects.contexts {
        by_tag[context.tag.0 as usize] += 1;
    }
    // Largest number of contexts in a slot, and their sum, of each site.
    let mut by_site = vec![(0u64, 0u64); objects.sites.len()];
    for (tag, &contexts) in objects.tags.iter().zip(&by_tag) {
        let (largest, sum) = &mut by_site[tag.site.0 as usize];
        *largest = contexts.max(*largest);
        *sum += contexts;
    }
    let counted = objects.sites.iter().zip(&by_site);
    let counted =
        counted.filter(|(site, _)| !matches!(site.kind, SiteKind::Untracked | SiteKind::Call));
    let mut conflicts = Conflicts::default();
    let mut sum_of_ratios = 0.0;
    for (_, &(largest, sum)) in counted {
        conflicts.sites += 1;
        if largest > 1 {
            conflicts.sites_in_conflict += 1;
            sum_of_ratios += largest as f64 / sum as f64;
        }
    }
    if conflicts.sites > 0 {
        conflicts.ratio = sum_of_ratios / conflicts.sites as f64;
    }
    conflicts
}
