//! Tags: every object and array says at which site, and in which context slot,
//! it was made.
//!
//! [`allocations`] finds where a method makes objects, [`constructors`] which
//! constructors keep a tag for a while, [`receiver`] where there is no `this`,
//! [`owners`] on whose behalf objects are made, and [`allocation_hooks`] writes the probes;
//! [`subject`] gives the sites of a method their numbers.
//! [`counters`] holds what each thread counts for each tag. The numbers are
//! made in [`sites`](crate::dataflow::objects::sites) and [`tag_table`](crate::dataflow::objects::tag_table).

pub mod allocation_hooks;
pub mod allocations;
pub mod constructors;
pub mod counters;
pub mod names;
pub mod owners;
pub mod probes;
pub mod receiver;
pub mod subject;

use profile::dataflow::SiteKind;
use profile::metadata::Record;
use profile::object_records::{AllocationSiteRecord, ObjectRecord};

use crate::probe::RuntimeClass;

use crate::dataflow::objects::contexts::{ContextKind, Contexts};
use crate::dataflow::objects::sites::{AllocationSite, Sites};
use crate::dataflow::objects::tag_table::{Pair, SiteTraits, TagTable};
use counters::Counters;

/// The runtime classes behind tags.
pub const RUNTIME_CLASSES: &[RuntimeClass] = &[
    RuntimeClass::new("SubsumeMark"),
    RuntimeClass::new("SubsumeHashes"),
    RuntimeClass::new("SubsumeArrays"),
    RuntimeClass::new("SubsumeUntracked"),
    RuntimeClass::new("SubsumeAllocations"),
];

/// The class that initialises them where objects carry tags.
pub const TAGS_FIT: RuntimeClass = RuntimeClass::initialised_by(
    "SubsumeTags",
    "canTag",
    "objects of this JVM have no room for tags; use mode=calls",
);

/// The tags of a recording.
#[derive(Debug)]
pub struct Tags {
    /// What the user asked for.
    pub contexts: Contexts,
    /// All sites.
    pub sites: Sites,
    /// All tags.
    pub table: TagTable,
    /// What each thread counts.
    pub counters: Counters,
    /// The tag of objects whose own one could not be made.
    rest: std::sync::OnceLock<u32>,
}

impl Tags {
    /// For a recording that follows data.
    pub fn new(contexts: Contexts) -> Self {
        Self {
            contexts,
            sites: Sites::default(),
            table: TagTable::default(),
            counters: Counters::default(),
            rest: std::sync::OnceLock::new(),
        }
    }

    /// The tag of objects that are made at a site on behalf of an owner: in
    /// receiver contexts the tag of the receiver or a call, in chains the hashed
    /// chain; 0 for none. What is new is noted.
    pub fn tag_in_context(&self, owner: u32, site: u32, note: &dyn Fn(&Record)) -> u32 {
        let Some(known) = self.sites.get(site) else { return self.rest(note) };
        let (slot, context) = match self.contexts.kind {
            _ if owner == 0 || self.contexts.slots == 0 => (0, None),
            ContextKind::None => (0, None),
            ContextKind::Receiver => {
                let of = self.site_of_owner(owner);
                let hash = self.sites.get(of).map_or(0, |site| site.hash);
                (1 + hash % self.contexts.slots, Some(of))
            }
            ContextKind::Chain => (1 + owner % self.contexts.slots, Some(owner)),
        };
        self.tag(Pair { site, slot }, context, &known, note)
    }

    /// The site of a receiver, or the call.
    fn site_of_owner(&self, owner: u32) -> u32 {
        match owner.checked_sub(owners::CALL) {
            Some(call) => call,
            None => self.table.site_of(owner),
        }
    }

    /// The tag of objects of a class that nobody saw being made.
    pub fn untracked(&self, class: &str, note: &dyn Fn(&Record)) -> u32 {
        let site =
            self.sites.untracked(class).and_then(|number| Some((number, self.sites.get(number)?)));
        let Some((site, known)) = site else { return self.rest(note) };
        self.tag(Pair { site, slot: 0 }, None, &known, note)
    }

    fn tag(
        &self,
        pair: Pair,
        context: Option<u32>,
        site: &AllocationSite,
        note: &dyn Fn(&Record),
    ) -> u32 {
        let traits = SiteTraits { hash: site.hash, is_provisional: site.is_provisional };
        let tag = self.table.find(pair, context, traits, |found| {
            if found.is_new {
                // The reader takes what a site's first tag says.
                note(&record_of(pair.site, site));
                note(&Record::Object(ObjectRecord::Tag {
                    id: found.tag,
                    site: pair.site,
                    slot: pair.slot,
                }));
            }
            if let Some(context) = context
                && found.is_new_context
            {
                let call = self.contexts.kind == ContextKind::Receiver;
                let call = call.then(|| self.sites.get(context)).flatten();
                if let Some(call) = call.filter(|site| site.kind == SiteKind::Call) {
                    note(&record_of(context, &call));
                }
                note(&Record::Object(ObjectRecord::Context {
                    tag: found.tag,
                    context,
                    is_site: self.contexts.kind == ContextKind::Receiver,
                }));
            }
        });
        tag.unwrap_or_else(|| self.rest(note))
    }

    /// Makes the tag that stands for all others when numbers run out.
    pub fn reserve_rest(&self, note: &dyn Fn(&Record)) {
        note(&Record::Object(ObjectRecord::Scheme { slots: self.contexts.slots }));
        self.rest(note);
    }

    fn rest(&self, note: &dyn Fn(&Record)) -> u32 {
        *self.rest.get_or_init(|| {
            let Some(site) = self.sites.untracked(names::REST) else { return 0 };
            let Some(known) = self.sites.get(site) else { return 0 };
            self.table
                .find(Pair { site, slot: 0 }, None, SiteTraits::default(), |found| {
                    note(&record_of(site, &known));
                    note(&Record::Object(ObjectRecord::Tag { id: found.tag, site, slot: 0 }));
                })
                .unwrap_or(0)
        })
    }

    /// Whether objects of a class, given by its JVM TI signature, may be made
    /// at the site of a tag.
    pub fn fits(&self, tag: u32, signature: &str) -> bool {
        let Some(site) = self.sites.get(self.table.site_of(tag)) else { return false };
        let Some(class) = signature.strip_prefix('L').and_then(|rest| rest.strip_suffix(';'))
        else {
            return false;
        };
        match site.kind {
            SiteKind::New => names::is_named(class, &site.class),
            SiteKind::Lambda => class.contains("$$Lambda"),
            _ => false,
        }
    }
}

fn record_of(number: u32, site: &AllocationSite) -> Record {
    Record::Object(ObjectRecord::Site(AllocationSiteRecord {
        id: number,
        method: site.method,
        bci: site.bci,
        line: site.line,
        kind: site.kind,
        class: names::java_name(&site.class),
    }))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    fn tags(context: ContextKind, slots: u32) -> Tags {
        Tags::new(Contexts { kind: context, slots })
    }

    fn known(method: u32, bci: u16) -> AllocationSite {
        AllocationSite {
            method,
            bci,
            line: 3,
            kind: SiteKind::New,
            class: "a/B".into(),
            hash: 0,
            is_provisional: false,
        }
    }

    fn site(tags: &Tags, bci: u16, hash: u32) -> u32 {
        let site = AllocationSite { hash, ..known(1, bci) };
        tags.sites.number(site).expect("there are numbers left")
    }

    #[test]
    fn slots_follow_from_the_receivers_site() {
        let tags = tags(ContextKind::Receiver, 4);
        let (a, b, inner) = (site(&tags, 0, 8), site(&tags, 1, 5), site(&tags, 2, 0));
        let written = RefCell::new(Vec::new());
        let note = |record: &Record| written.borrow_mut().push(record.clone());
        let (of_a, of_b) = (tags.tag_in_context(0, a, &note), tags.tag_in_context(0, b, &note));
        let below_a = tags.tag_in_context(of_a, inner, &note);
        let below_b = tags.tag_in_context(of_b, inner, &note);
        assert_eq!(tags.tag_in_context(of_a, inner, &note), below_a);
        assert_ne!(below_a, below_b);
        let slots: Vec<(u32, u32)> = written
            .borrow()
            .iter()
            .filter_map(|record| match record {
                Record::Object(ObjectRecord::Tag { site, slot, .. }) => Some((*site, *slot)),
                _ => None,
            })
            .collect();
        assert_eq!(slots, [(a, 0), (b, 0), (inner, 1), (inner, 2)]);
        let contexts = written
            .borrow()
            .iter()
            .filter(|record| {
                matches!(record, Record::Object(ObjectRecord::Context { is_site: true, .. }))
            })
            .count();
        assert_eq!(contexts, 2);
    }

    #[test]
    fn a_call_is_the_context_where_there_is_no_receiver() {
        let tags = tags(ContextKind::Receiver, 4);
        let call = AllocationSite { kind: SiteKind::Call, hash: 6, ..known(1, 4) };
        let call = tags.sites.number(call).expect("there are numbers left");
        let made = site(&tags, 8, 0);
        let written = RefCell::new(Vec::new());
        let note = |record: &Record| written.borrow_mut().push(record.clone());
        let tag = tags.tag_in_context(owners::CALL | call, made, &note);
        let note_again = |_: &Record| panic!("the context is known");
        assert_eq!(tags.tag_in_context(owners::CALL | call, made, &note_again), tag);
        let written: Vec<String> = written
            .into_inner()
            .into_iter()
            .map(|record| match record {
                Record::Object(ObjectRecord::Site(of)) => format!("{:?} {}", of.kind, of.id),
                Record::Object(ObjectRecord::Tag { site, slot, .. }) => {
                    format!("tag {site}^{slot}")
                }
                Record::Object(ObjectRecord::Context { context, is_site, .. }) => {
                    format!("context {context} {is_site}")
                }
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(written, ["New 2", "tag 2^3", "Call 1", "context 1 true"]);
    }

    #[test]
    fn without_contexts_a_site_has_one_tag() {
        let tags = tags(ContextKind::None, 0);
        let (a, inner) = (site(&tags, 0, 8), site(&tags, 2, 0));
        let owner = tags.tag_in_context(0, a, &|_| ());
        let below = tags.tag_in_context(owner, inner, &|_| ());
        assert_eq!(tags.tag_in_context(0, inner, &|_| ()), below);
    }

    #[test]
    fn a_class_shows_whether_the_tag_is_meant_for_it() {
        let tags = tags(ContextKind::None, 0);
        let tag = tags.tag_in_context(0, site(&tags, 0, 8), &|_| ());
        assert!(tags.fits(tag, "La/B;"));
        // The JVM tells hidden classes from their own names.
        assert!(tags.fits(tag, "La/B.0x00007f;"));
        assert!(!tags.fits(tag, "La/BC;") && !tags.fits(tag, "[La/B;") && !tags.fits(0, "La/B;"));
    }
}
