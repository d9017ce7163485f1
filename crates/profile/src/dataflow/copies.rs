//! The copy graph, section 3 of the paper.

use crate::Error;
use crate::dataflow::check::within;
use crate::dataflow::{Allocations, FieldId, Location, Objects, Place, TagId};

/// Index of a store instruction in [`CopyProfile::stores`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StoreId(pub u32);

/// What was recorded of copies between heap locations.
///
/// How many copies and instructions of each kind each calling context executed
/// stands in the metrics `copies`, `loads`, `stores`, `alu` and `comparisons`
/// of the profile's contexts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CopyProfile {
    /// Objects and fields.
    pub objects: Objects,
    /// Instructions that store.
    pub stores: Vec<Store>,
    /// The edges, in no particular order. Several may connect the same two
    /// locations, each by another store.
    pub edges: Vec<CopyEdge>,
    /// Origins with an edge to the consumer: values of them were computed with,
    /// tested, or given to native code.
    pub consumed: Vec<Origin>,
    /// What of each tag's [allocations](Objects::allocations) was assigned to the heap: a
    /// reference to it was stored in a field or an element. Tags at the end of the table
    /// may be missing: nothing of theirs was.
    pub assigned: Vec<Allocations>,
}

/// An instruction that stores into the heap, or a call that does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Store {
    /// Where it stands.
    pub place: Place,
    /// The field stored to, [`FieldId::ELEMENTS`] for arrays.
    pub field: FieldId,
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// It is a reference to a new object with this tag.
    Producer(TagId),
    /// It was loaded from there.
    Location(Location),
}

/// Values that one store instruction copied from one origin to one location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CopyEdge {
    /// Where the values come from.
    pub from: Origin,
    /// Where they are stored.
    pub to: Location,
    /// The instruction that stores them.
    pub store: StoreId,
    /// How many values.
    pub count: u64,
    /// Bytes of each: 1, 2, 4 or 8.
    pub bytes: u8,
}

impl CopyProfile {
    /// Checks that every number lies within its table.
    ///
    /// `methods` is how many methods the profile has.
    ///
    /// # Errors
    ///
    /// Names the first number that does not.
    pub fn validate(&self, methods: usize) -> Result<(), Error> {
        self.objects.validate(methods)?;
        for (at, context) in self.objects.contexts.iter().enumerate() {
            within("context", at, "site", context.context, self.objects.sites.len())?;
        }
        for (at, store) in self.stores.iter().enumerate() {
            store.place.validate("store", at, methods)?;
            within("store", at, "field", store.field.0, self.objects.fields.len())?;
        }
        for (at, edge) in self.edges.iter().enumerate() {
            self.check("copy", at, edge.from)?;
            self.objects.check("copy", at, edge.to)?;
            within("copy", at, "store", edge.store.0, self.stores.len())?;
            if !matches!(edge.bytes, 1 | 2 | 4 | 8) {
                return Err(Error::invalid(format!("copy {at} is of {} bytes", edge.bytes)));
            }
        }
        if self.assigned.len() > self.objects.tags.len() {
            return Err(Error::invalid(format!(
                "{} tags were assigned to the heap of {}",
                self.assigned.len(),
                self.objects.tags.len()
            )));
        }
        for (at, &origin) in self.consumed.iter().enumerate() {
            self.check("consumed origin", at, origin)?;
        }
        Ok(())
    }

    /// What of a tag's allocations was assigned to the heap, at most all of them.
    pub fn assigned(&self, tag: TagId) -> Allocations {
        let of = |table: &[Allocations]| table.get(tag.0 as usize).copied().unwrap_or_default();
        let (made, assigned) = (of(&self.objects.allocations), of(&self.assigned));
        Allocations {
            objects: assigned.objects.min(made.objects),
            bytes: assigned.bytes.min(made.bytes),
        }
    }

    fn check(&self, what: &str, at: usize, origin: Origin) -> Result<(), Error> {
        match origin {
            Origin::Producer(tag) => self.objects.check_tag(what, at, tag),
            Origin::Location(location) => self.objects.check(what, at, location),
        }
    }
}
