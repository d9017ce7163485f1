//! Sites, tags and allocations of a live file.

use std::collections::HashMap;

use super::arena::Arena;
use super::catalog::Catalog;
use crate::dataflow::{Allocations, Objects, Place, Site, SiteId, Tag, TagContext, TagId};
use crate::layout::{births, dataflow};
use crate::object_records::{AllocationSiteRecord, ObjectRecord};
use crate::{Error, Image, MethodId};

/// What is known of the objects of a recording.
pub(super) fn read_objects<I: Image>(
    arena: &Arena<'_, I>,
    catalog: &Catalog,
) -> Result<Objects, Error> {
    let mut objects = Objects::default();
    let mut sites = HashMap::new();
    let mut sizes = Vec::new();
    let mut tables = Vec::new();
    for record in &catalog.dataflow.objects {
        match record {
            ObjectRecord::Scheme { slots } => objects.slots = *slots,
            // It is written once for each of its tags.
            ObjectRecord::Site(site) if sites.contains_key(&site.id) => {}
            ObjectRecord::Site(site) => {
                sites.insert(site.id, SiteId(objects.sites.len() as u32));
                objects.sites.push(name(site, catalog));
            }
            ObjectRecord::Tag { id, site, slot } => {
                let site = sites.get(site).copied().unwrap_or_default();
                let slot = (*slot).min(objects.slots);
                set_tag(&mut objects, *id, Tag { site, slot });
            }
            ObjectRecord::Context { tag, context, is_site } => {
                let context = match is_site {
                    true => sites.get(context).copied().unwrap_or_default().0,
                    false => *context,
                };
                objects.contexts.push(TagContext { tag: TagId(*tag), context });
            }
            ObjectRecord::Births { table, .. } => tables.push(*table),
            ObjectRecord::Size { tag, bytes } => sizes.push((*tag, *bytes)),
        }
    }
    objects.allocations = vec![Allocations::default(); objects.tags.len()];
    // Whatever had no room for its record is not known.
    let tags = objects.tags.len();
    objects.contexts.retain(|context| (context.tag.0 as usize) < tags);
    for table in tables {
        count(arena, table, &mut objects)?;
    }
    for (tag, bytes) in sizes {
        if let Some(allocations) = objects.allocations.get_mut(tag as usize) {
            let all = allocations.objects.saturating_mul(u64::from(bytes));
            allocations.bytes = allocations.bytes.saturating_add(all);
        }
    }
    Ok(objects)
}

fn name(site: &AllocationSiteRecord, catalog: &Catalog) -> Site {
    let method = catalog.place(site.method).map(MethodId);
    Site {
        place: Place { method, bci: site.bci, line: site.line },
        class: site.class.clone(),
        kind: site.kind,
    }
}

/// Tags are numbered as they are made, but two threads may write theirs down
/// in the other order.
fn set_tag(objects: &mut Objects, id: u32, tag: Tag) {
    if id == 0 || id >= dataflow::TAGS {
        return;
    }
    let index = id as usize;
    if objects.tags.len() <= index {
        objects.tags.resize(index + 1, Tag::default());
    }
    objects.tags[index] = tag;
}

/// Adds the counters of one tree.
fn count<I: Image>(arena: &Arena<'_, I>, table: u32, objects: &mut Objects) -> Result<(), Error> {
    arena.check(table, births::PAGES, "a table of counters of objects")?;
    for number in 0..births::PAGES {
        let page = arena.image.word(table + number);
        // A page behind the end found no room.
        if page == 0 || arena.is_beyond(page, births::PAGE_WORDS) {
            continue;
        }
        arena.check(page, births::PAGE_WORDS, "a page of counters of objects")?;
        let first = (number * births::PER_PAGE) as usize;
        let tags = objects.allocations.iter_mut().skip(first);
        for (counters, allocations) in
            (page..).step_by(births::WORDS as usize).zip(tags.take(births::PER_PAGE as usize))
        {
            let objects = arena.image.counter(counters + births::OBJECTS);
            let bytes = arena.image.counter(counters + births::BYTES);
            allocations.objects = allocations.objects.saturating_add(objects);
            allocations.bytes = allocations.bytes.saturating_add(bytes);
        }
    }
    Ok(())
}
