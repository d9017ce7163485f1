//! Numbers for sites, tags and fields.

use std::collections::{HashMap, HashSet};

use profile::MethodId;
use profile::dataflow::{
    Field, FieldId, Objects, Place, Site, SiteId, SiteKind, Tag, TagContext, TagId,
};

use super::{Hashed, site_hash};

/// A site as every recording of the program names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteName {
    /// Class, name and descriptor of the allocating method; empty for a
    /// pseudo-site.
    pub method: String,
    /// The allocating instruction.
    pub bci: u16,
    /// Class of the objects.
    pub class: String,
    /// How they are made.
    pub kind: SiteKind,
}

/// The numbers that contexts are hashed from, where they are not
/// [`site_hash`]es.
#[derive(Debug, Clone, Default)]
pub struct Numbering {
    known: HashMap<SiteName, u32>,
}

impl Numbering {
    /// These numbers; other sites have their hashes.
    pub fn new(known: HashMap<SiteName, u32>) -> Self {
        Self { known }
    }
}

/// Hands out numbers.
#[derive(Debug, Default)]
pub struct Registry {
    /// The tables so far.
    pub objects: Objects,
    /// How many objects of each tag were assigned to the heap.
    pub assigned: Vec<u64>,
    sites: HashMap<SiteName, SiteId>,
    names: Vec<SiteName>,
    numbers: Vec<u32>,
    numbering: Numbering,
    tags: HashMap<Tag, TagId>,
    fields: HashMap<Field, FieldId>,
    contexts: HashSet<TagContext>,
}

impl Registry {
    /// Nothing yet; a site has this many context slots.
    pub fn new(slots: u32, numbering: Numbering) -> Self {
        Self {
            objects: Objects { slots, ..Objects::default() },
            numbers: vec![0],
            numbering,
            ..Self::default()
        }
    }

    /// The slot of a context: 0 without one.
    pub fn slot(&self, context: Option<Hashed>) -> u32 {
        match (context, self.objects.slots) {
            (None, _) | (_, 0) => 0,
            (Some(context), slots) => 1 + context.hash % slots,
        }
    }

    /// The number that contexts are hashed from.
    pub fn number(&self, site: SiteId) -> u32 {
        self.numbers[site.0 as usize]
    }

    /// The site with this name.
    pub fn site(&mut self, name: SiteName, method: Option<MethodId>, line: u16) -> SiteId {
        if let Some(&site) = self.sites.get(&name) {
            return site;
        }
        let site = SiteId(self.objects.sites.len() as u32);
        self.names.push(name.clone());
        self.objects.sites.push(Site {
            place: Place { method, bci: name.bci, line },
            class: name.class.clone(),
            kind: name.kind,
        });
        let known = self.numbering.known.get(&name).copied();
        self.numbers.push(known.unwrap_or_else(|| site_hash(&name)));
        self.sites.insert(name, site);
        site
    }

    /// The tag of objects that are made at a site in a context.
    pub fn tag(&mut self, site: SiteId, context: Option<Hashed>) -> TagId {
        let tag = Tag { site, slot: self.slot(context) };
        *self.tags.entry(tag).or_insert_with(|| {
            self.objects.tags.push(tag);
            self.objects.allocations.push(Default::default());
            self.assigned.resize(self.objects.tags.len(), 0);
            TagId(self.objects.tags.len() as u32 - 1)
        })
    }

    /// Objects with this tag have been made in a context.
    pub fn made_in(&mut self, tag: TagId, context: Option<Hashed>) {
        if let Some(context) = context.filter(|_| self.objects.slots > 0) {
            let context = TagContext { tag, context: context.name };
            if self.contexts.insert(context) {
                self.objects.contexts.push(context);
            }
        }
    }

    /// The field.
    pub fn field(&mut self, field: Field) -> FieldId {
        let fields = &mut self.objects.fields;
        *self.fields.entry(field).or_insert_with_key(|field| {
            fields.push(field.clone());
            FieldId(fields.len() as u32 - 1)
        })
    }
}
