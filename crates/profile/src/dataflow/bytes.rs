//! Objects and copies in the compact form, as `docs/reference/format.md` documents it.

use base::leb128::put;

use crate::cursor::{Cursor, put_string};
use crate::dataflow::{
    Allocations, CopyEdge, CopyProfile, Field, FieldId, Location, LostOrigins, Objects, Origin,
    Place, Site, SiteId, SiteKind, Store, StoreId, Tag, TagContext, TagId,
};
use crate::{Error, MethodId};

const KINDS: [SiteKind; 7] = [
    SiteKind::New,
    SiteKind::Array,
    SiteKind::Clone,
    SiteKind::Concat,
    SiteKind::Lambda,
    SiteKind::Untracked,
    SiteKind::Call,
];

/// Reads a table that starts with its number of entries, of at least so many
/// bytes each.
pub(super) fn table<'a, T>(
    cursor: &mut Cursor<'a>,
    least: usize,
    what: &str,
    mut entry: impl FnMut(&mut Cursor<'a>) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let count = cursor.count(least, what)?;
    (0..count).map(|_| entry(cursor)).collect()
}

impl Place {
    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.method.map_or(0, |method| u64::from(method.0) + 1));
        put(out, u64::from(self.bci));
        put(out, u64::from(self.line));
    }

    pub(super) fn decode(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        Ok(Self {
            method: cursor.varint_u32("a method")?.checked_sub(1).map(MethodId),
            bci: cursor.varint_u16("a bytecode index")?,
            line: cursor.varint_u16("a line")?,
        })
    }
}

impl Objects {
    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.slots));
        put(out, self.sites.len() as u64);
        for site in &self.sites {
            site.place.encode(out);
            put_string(out, &site.class);
            // The table has every kind.
            let kind = KINDS.iter().position(|&kind| kind == site.kind).unwrap_or(KINDS.len() - 1);
            out.push(kind as u8);
        }
        put(out, self.tags.len() as u64);
        for (tag, allocations) in self.tags.iter().zip(&self.allocations) {
            put(out, u64::from(tag.site.0));
            put(out, u64::from(tag.slot));
            put(out, allocations.objects);
            put(out, allocations.bytes);
        }
        put(out, self.contexts.len() as u64);
        for context in &self.contexts {
            put(out, u64::from(context.tag.0));
            put(out, u64::from(context.context));
        }
        put(out, self.fields.len() as u64);
        for field in &self.fields {
            put_string(out, &field.class);
            put_string(out, &field.name);
            put_string(out, &field.descriptor);
            out.push(field.is_static.into());
        }
        encode_lost(&self.lost, out);
    }

    pub(super) fn decode(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let slots = cursor.varint_u32("the number of slots")?;
        let sites = table(cursor, 5, "the number of sites", |cursor| {
            let place = Place::decode(cursor)?;
            let class = cursor.string("a class name")?.to_owned();
            let kind = cursor.byte("the kind of a site")?;
            let kind = KINDS.get(usize::from(kind)).copied();
            let kind = kind.ok_or_else(|| cursor.error("unknown kind of site"))?;
            Ok(Site { place, class, kind })
        })?;
        let (tags, allocations) = table(cursor, 4, "the number of tags", |cursor| {
            let tag = Tag {
                site: SiteId(cursor.varint_u32("a site")?),
                slot: cursor.varint_u32("a slot")?,
            };
            let objects = cursor.varint("a number of objects")?;
            Ok((tag, Allocations { objects, bytes: cursor.varint("a number of bytes")? }))
        })?
        .into_iter()
        .unzip();
        let contexts = table(cursor, 2, "the number of contexts", |cursor| {
            let tag = TagId(cursor.varint_u32("a tag")?);
            Ok(TagContext { tag, context: cursor.varint_u32("a context")? })
        })?;
        let fields = table(cursor, 4, "the number of fields", |cursor| {
            Ok(Field {
                class: cursor.string("a class name")?.to_owned(),
                name: cursor.string("a field name")?.to_owned(),
                descriptor: cursor.string("a descriptor")?.to_owned(),
                is_static: cursor.byte("whether a field is static")? != 0,
            })
        })?;
        let lost = decode_lost(cursor)?;
        Ok(Self { slots, sites, tags, contexts, fields, allocations, lost })
    }
}

pub(super) fn encode_lost(lost: &[LostOrigins], out: &mut Vec<u8>) {
    put(out, lost.len() as u64);
    for lost in lost {
        put_string(out, &lost.reason);
        put(out, lost.values);
    }
}

pub(super) fn decode_lost(cursor: &mut Cursor<'_>) -> Result<Vec<LostOrigins>, Error> {
    table(cursor, 2, "the number of reasons", |cursor| {
        let reason = cursor.string("a reason")?.to_owned();
        Ok(LostOrigins { reason, values: cursor.varint("a number of values")? })
    })
}

impl Location {
    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.tag.0));
        put(out, u64::from(self.field.0));
    }

    pub(super) fn decode(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let tag = TagId(cursor.varint_u32("a tag")?);
        Ok(Self { tag, field: FieldId(cursor.varint_u32("a field")?) })
    }
}

impl Origin {
    /// A producer is 0 and its tag; a location is 1 more than its field, and its
    /// tag.
    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        let (first, tag) = match self {
            Self::Producer(tag) => (0, tag),
            Self::Location(Location { tag, field }) => (u64::from(field.0) + 1, tag),
        };
        put(out, first);
        put(out, u64::from(tag.0));
    }

    pub(super) fn decode(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let field = cursor.varint_u32("an origin")?.checked_sub(1);
        let tag = TagId(cursor.varint_u32("a tag")?);
        Ok(field.map_or(Self::Producer(tag), |field| {
            Self::Location(Location { tag, field: FieldId(field) })
        }))
    }
}

impl CopyProfile {
    /// Appends the payload of its section.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        self.objects.encode(out);
        put(out, self.stores.len() as u64);
        for store in &self.stores {
            store.place.encode(out);
            put(out, u64::from(store.field.0));
        }
        put(out, self.edges.len() as u64);
        for edge in &self.edges {
            edge.from.encode(out);
            edge.to.encode(out);
            put(out, u64::from(edge.store.0));
            put(out, edge.count);
            out.push(edge.bytes);
        }
        put(out, self.consumed.len() as u64);
        for origin in &self.consumed {
            origin.encode(out);
        }
        put(out, self.assigned.len() as u64);
        for assigned in &self.assigned {
            put(out, assigned.objects);
            put(out, assigned.bytes);
        }
    }

    /// Reads what [`CopyProfile::encode`] wrote.
    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let objects = Objects::decode(cursor)?;
        let stores = table(cursor, 4, "the number of stores", |cursor| {
            let place = Place::decode(cursor)?;
            Ok(Store { place, field: FieldId(cursor.varint_u32("a field")?) })
        })?;
        let edges = table(cursor, 7, "the number of edges", |cursor| {
            Ok(CopyEdge {
                from: Origin::decode(cursor)?,
                to: Location::decode(cursor)?,
                store: StoreId(cursor.varint_u32("a store")?),
                count: cursor.varint("a number of copies")?,
                bytes: cursor.byte("the size of a value")?,
            })
        })?;
        let consumed = table(cursor, 2, "the number of consumed origins", Origin::decode)?;
        let assigned = table(cursor, 2, "the number of tags", |cursor| {
            let objects = cursor.varint("a number of objects")?;
            Ok(Allocations { objects, bytes: cursor.varint("a number of bytes")? })
        })?;
        Ok(Self { objects, stores, edges, consumed, assigned })
    }
}
