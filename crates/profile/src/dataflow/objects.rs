//! Objects as data flow sees them: sites, tags and fields.

use crate::Error;
use crate::dataflow::Place;
use crate::dataflow::check::{reserved, within};

/// Index of a site in [`Objects::sites`]; 0 is the unknown site.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(pub u32);

/// Index of a tag in [`Objects::tags`]; 0 is the unknown tag.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TagId(pub u32);

/// Index of a field in [`Objects::fields`]; 0 stands for elements of arrays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldId(pub u32);

impl TagId {
    /// Of objects of which nothing is known, and of no object at all.
    pub const UNKNOWN: Self = Self(0);
}

impl FieldId {
    /// The elements of an array, `ELM` in the paper.
    pub const ELEMENTS: Self = Self(0);
}

/// What is known of the objects of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objects {
    /// How many context slots a site has; 0 where objects are told apart by
    /// their sites alone. Slot 0 is for objects made without a receiver, so
    /// slots of tags run from 0 to this number.
    pub slots: u32,
    /// Where objects are made.
    pub sites: Vec<Site>,
    /// Sites in context slots.
    pub tags: Vec<Tag>,
    /// Which contexts were seen in which slot, so that conflicts are known.
    pub contexts: Vec<TagContext>,
    /// Fields, instance and static.
    pub fields: Vec<Field>,
    /// What was allocated under each tag; as long as [`Objects::tags`].
    pub allocations: Vec<Allocations>,
    /// Values whose origins were lost on the way, by reason.
    pub lost: Vec<LostOrigins>,
}

/// Where objects are made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Site {
    /// The allocating instruction. Sites of [`SiteKind::Untracked`] have none.
    pub place: Place,
    /// Class of the objects as Java writes it: `java.lang.String`, `char[]`.
    pub class: String,
    /// How they are made.
    pub kind: SiteKind,
}

/// How objects are made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SiteKind {
    /// By `new`.
    New,
    /// By `newarray`, `anewarray` or `multianewarray`.
    Array,
    /// By a call of `clone`.
    Clone,
    /// By a string concatenation.
    Concat,
    /// By a lambda expression or method reference.
    Lambda,
    /// By the static method that the instruction calls, and by what that calls. It
    /// is the context of these objects ([`TagContext`]) and has no tags of its own.
    Call,
    /// By the JVM, by reflection or by native code, or before the recording
    /// began. There is one such site for each class.
    #[default]
    Untracked,
}

/// A site in a context slot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag {
    /// The site.
    pub site: SiteId,
    /// The slot, at most [`Objects::slots`].
    pub slot: u32,
}

/// A context in which objects were made under a tag.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TagContext {
    /// The tag.
    pub tag: TagId,
    /// In copies the [`SiteId`] of the receiver of the allocating method, or, where
    /// only static methods lead there, of a call ([`SiteKind::Call`]); in costs the
    /// hashed chain of receivers.
    pub context: u32,
}

/// A field.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Field {
    /// Binary name of the class that declares it.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// True for a static field.
    pub is_static: bool,
}

/// A heap location. That of a static field has the tag [`TagId::UNKNOWN`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// Objects that own the field.
    pub tag: TagId,
    /// The field.
    pub field: FieldId,
}

/// What was allocated under a tag.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Allocations {
    /// Objects, arrays counted as one each.
    pub objects: u64,
    /// Bytes in the Java heap, headers and padding included.
    pub bytes: u64,
}

/// Values whose origins were lost: they count as coming from nowhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LostOrigins {
    /// Why, in words for the user, such as `arguments of calls by native code`.
    pub reason: String,
    /// How many values.
    pub values: u64,
}

impl Default for Objects {
    /// No object; only what is reserved.
    fn default() -> Self {
        Self {
            slots: 0,
            sites: vec![Site::default()],
            tags: vec![Tag::default()],
            contexts: Vec::new(),
            fields: vec![Field { name: "ELM".to_owned(), ..Field::default() }],
            allocations: vec![Allocations::default()],
            lost: Vec::new(),
        }
    }
}

impl Objects {
    /// The site of a tag.
    ///
    /// # Panics
    ///
    /// When the tag is of another recording.
    pub fn site(&self, tag: TagId) -> &Site {
        &self.sites[self.tags[tag.0 as usize].site.0 as usize]
    }

    /// The field of a location.
    ///
    /// # Panics
    ///
    /// When the location is of another recording.
    pub fn field(&self, location: Location) -> &Field {
        &self.fields[location.field.0 as usize]
    }

    pub(super) fn validate(&self, methods: usize) -> Result<(), Error> {
        reserved("site", self.sites.len())?;
        reserved("tag", self.tags.len())?;
        reserved("field", self.fields.len())?;
        if self.tags[0] != Tag::default() {
            return Err(Error::invalid("tag 0 is not that of unknown objects"));
        }
        if self.allocations.len() != self.tags.len() {
            return Err(Error::invalid(format!(
                "there are allocations of {} tags, but {} tags",
                self.allocations.len(),
                self.tags.len()
            )));
        }
        for (at, site) in self.sites.iter().enumerate() {
            site.place.validate("site", at, methods)?;
        }
        for (at, tag) in self.tags.iter().enumerate() {
            within("tag", at, "site", tag.site.0, self.sites.len())?;
            within("tag", at, "slot", tag.slot, self.slots as usize + 1)?;
        }
        for (at, context) in self.contexts.iter().enumerate() {
            within("context", at, "tag", context.tag.0, self.tags.len())?;
        }
        Ok(())
    }

    pub(super) fn check_tag(&self, what: &str, at: usize, tag: TagId) -> Result<(), Error> {
        within(what, at, "tag", tag.0, self.tags.len())
    }

    pub(super) fn check(&self, what: &str, at: usize, location: Location) -> Result<(), Error> {
        self.check_tag(what, at, location.tag)?;
        within(what, at, "field", location.field.0, self.fields.len())?;
        if self.field(location).is_static && location.tag != TagId::UNKNOWN {
            return Err(Error::invalid(format!("{what} {at} gives a static field an owner")));
        }
        Ok(())
    }
}
