//! Ways of nulls in the compact form, as `docs/reference/format.md` documents it.

use base::leb128::put;

use crate::Error;
use crate::cursor::{Cursor, put_string};
use crate::dataflow::bytes::{decode_lost, encode_lost, table};
use crate::dataflow::{
    ElementWriters, NullGraph, NullKind, NullNode, NullNodeId, NullPointer, Place,
};

/// The kinds of nodes by their numbers.
const KINDS: [NullKind; 7] = [
    NullKind::Constant,
    NullKind::Initial,
    NullKind::Native,
    NullKind::Store,
    NullKind::Load,
    NullKind::Argument,
    NullKind::Return,
];

impl NullGraph {
    /// Appends the payload of its section.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.nodes.len() as u64);
        for node in &self.nodes {
            node.place.encode(out);
            // The table has every kind.
            let kind = KINDS.iter().position(|&kind| kind == node.kind).unwrap_or(0);
            out.push(kind as u8);
            put_string(out, &node.what);
        }
        put(out, self.edges.len() as u64);
        for &(from, to) in &self.edges {
            put(out, u64::from(from.0));
            put(out, u64::from(to.0));
        }
        put(out, self.exceptions.len() as u64);
        for exception in &self.exceptions {
            exception.place.encode(out);
            put(out, exception.last.map_or(0, |last| u64::from(last.0) + 1));
            put(out, exception.caught);
            put(out, exception.uncaught);
        }
        encode_lost(&self.lost, out);
        self.element_writers.encode(out);
    }

    /// Reads what [`NullGraph::encode`] wrote.
    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let nodes = table(cursor, 5, "the number of null nodes", |cursor| {
            let place = Place::decode(cursor)?;
            let kind = cursor.byte("the kind of a null node")?;
            let kind = KINDS.get(usize::from(kind)).copied();
            let kind = kind.ok_or_else(|| cursor.error("unknown kind of null node"))?;
            Ok(NullNode { place, kind, what: cursor.string("what a node handles")?.to_owned() })
        })?;
        let edges = table(cursor, 2, "the number of null edges", |cursor| {
            let from = NullNodeId(cursor.varint_u32("a null node")?);
            Ok((from, NullNodeId(cursor.varint_u32("a null node")?)))
        })?;
        let exceptions = table(cursor, 6, "the number of exceptions", |cursor| {
            let place = Place::decode(cursor)?;
            let last = cursor.varint_u32("a null node")?.checked_sub(1).map(NullNodeId);
            Ok(NullPointer {
                place,
                last,
                caught: cursor.varint("a number of exceptions")?,
                uncaught: cursor.varint("a number of exceptions")?,
            })
        })?;
        let lost = decode_lost(cursor)?;
        let element_writers = ElementWriters::decode(cursor)?;
        Ok(Self { nodes, edges, exceptions, lost, element_writers })
    }
}
