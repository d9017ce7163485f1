//! Metadata records of objects in the live form: sites, tags, and where the
//! counters of objects are.

use base::leb128::put;

use crate::Error;
use crate::cursor::{Cursor, put_string};
use crate::dataflow::SiteKind;
use crate::layout::record;

/// A record that says something about objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObjectRecord {
    /// How objects are told apart; written once, before all others.
    Scheme {
        /// How many context slots a site has, 0 without contexts.
        slots: u32,
    },
    /// An allocation site, before its first tag, or a call, before it is the context
    /// of a tag.
    Site(AllocationSiteRecord),
    /// A site in a context slot.
    Tag {
        /// Number of the tag, at least 1.
        id: u32,
        /// Number of the site.
        site: u32,
        /// The slot.
        slot: u32,
    },
    /// A context in which objects were made under a tag.
    Context {
        /// Number of the tag.
        tag: u32,
        /// In receiver contexts the number of the receiver's site, or of a call
        /// where there is no receiver; in chains the hashed chain.
        context: u32,
        /// Whether it is the number of a site.
        is_site: bool,
    },
    /// A tree has counters of objects.
    Births {
        /// Word index of the tree record.
        tree: u32,
        /// Word index of the table of pages; see [`layout::births`](crate::layout::births).
        table: u32,
    },
    /// The size of all objects with a tag but arrays, clones, and what else
    /// counts its bytes apart.
    Size {
        /// Number of the tag.
        tag: u32,
        /// Bytes that each object takes.
        bytes: u32,
    },
}

/// An allocation site, as recorded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllocationSiteRecord {
    /// Number of the site in this process, at least 1.
    pub id: u32,
    /// Number of the method, 0 if the site is in none.
    pub method: u32,
    /// Bytecode index of the instruction.
    pub bci: u16,
    /// Its source line, 0 if unknown.
    pub line: u16,
    /// How objects are made there.
    pub kind: SiteKind,
    /// Their class as Java writes it.
    pub class: String,
}

const KINDS: [SiteKind; 7] = [
    SiteKind::Untracked,
    SiteKind::New,
    SiteKind::Array,
    SiteKind::Clone,
    SiteKind::Concat,
    SiteKind::Lambda,
    SiteKind::Call,
];

impl ObjectRecord {
    /// The kind of the record, as in [`layout::record`](crate::layout::record).
    pub(crate) fn kind(&self) -> u8 {
        match self {
            Self::Scheme { .. } => record::TAG_SCHEME,
            Self::Site(_) => record::ALLOCATION_SITE,
            Self::Tag { .. } => record::TAG,
            Self::Context { .. } => record::TAG_CONTEXT,
            Self::Births { .. } => record::BIRTHS,
            Self::Size { .. } => record::OBJECT_SIZE,
        }
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Scheme { slots } => put(out, u64::from(*slots)),
            Self::Site(site) => {
                put(out, u64::from(site.id));
                put(out, u64::from(site.method));
                put(out, u64::from(site.bci));
                put(out, u64::from(site.line));
                let kind = KINDS.iter().position(|&kind| kind == site.kind);
                put(out, kind.unwrap_or(0) as u64);
                put_string(out, &site.class);
            }
            Self::Tag { id, site, slot } => {
                put(out, u64::from(*id));
                put(out, u64::from(*site));
                put(out, u64::from(*slot));
            }
            Self::Context { tag, context, is_site } => {
                put(out, u64::from(*tag));
                put(out, u64::from(*context));
                put(out, u64::from(*is_site));
            }
            Self::Births { tree, table } => {
                put(out, u64::from(*tree));
                put(out, u64::from(*table));
            }
            Self::Size { tag, bytes } => {
                put(out, u64::from(*tag));
                put(out, u64::from(*bytes));
            }
        }
    }

    /// Decodes a record of one of these kinds; `None` for others.
    pub(crate) fn decode(kind: u8, fields: &mut Cursor<'_>) -> Result<Option<Self>, Error> {
        Ok(Some(match kind {
            record::TAG_SCHEME => Self::Scheme { slots: fields.varint_u32("a number of slots")? },
            record::ALLOCATION_SITE => Self::Site(AllocationSiteRecord {
                id: fields.varint_u32("a site")?,
                method: fields.varint_u32("a method id")?,
                bci: fields.varint_u16("a bytecode index")?,
                line: fields.varint_u16("a line")?,
                kind: site_kind(fields)?,
                class: fields.string("a class name")?.to_owned(),
            }),
            record::TAG => Self::Tag {
                id: fields.varint_u32("a tag")?,
                site: fields.varint_u32("a site")?,
                slot: fields.varint_u32("a slot")?,
            },
            record::TAG_CONTEXT => Self::Context {
                tag: fields.varint_u32("a tag")?,
                context: fields.varint_u32("a context")?,
                is_site: fields.varint("what a context is")? != 0,
            },
            record::BIRTHS => Self::Births {
                tree: fields.varint_u32("a tree")?,
                table: fields.varint_u32("a table of counters")?,
            },
            record::OBJECT_SIZE => Self::Size {
                tag: fields.varint_u32("a tag")?,
                bytes: fields.varint_u32("the size of an object")?,
            },
            _ => return Ok(None),
        }))
    }
}

fn site_kind(fields: &mut Cursor<'_>) -> Result<SiteKind, Error> {
    let at = fields.offset();
    let kind = fields.varint("the kind of a site")?;
    let known = usize::try_from(kind).ok().and_then(|kind| KINDS.get(kind)).copied();
    known.ok_or_else(|| Error::at(at, format!("unknown kind {kind} of allocation site")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Record;

    #[test]
    fn records_round_trip_and_their_cuts_are_errors() {
        let site = AllocationSiteRecord {
            id: 7,
            method: 300,
            bci: 65_535,
            line: 12,
            kind: SiteKind::Lambda,
            class: "a.B[]".into(),
        };
        for record in [
            ObjectRecord::Scheme { slots: 4 },
            ObjectRecord::Site(site),
            ObjectRecord::Tag { id: 131_071, site: 7, slot: 256 },
            ObjectRecord::Context { tag: 1, context: u32::MAX, is_site: false },
            ObjectRecord::Births { tree: 64, table: 1 << 31 },
            ObjectRecord::Size { tag: 1, bytes: 24 },
        ] {
            let record = Record::Object(record);
            let mut bytes = Vec::new();
            record.encode(&mut bytes);
            for len in 0..bytes.len() {
                assert!(Record::decode(&bytes[..len], 0).is_err());
            }
            assert_eq!(Record::decode(&bytes, 0).unwrap(), (Some(record), bytes.len()));
        }
    }
}
