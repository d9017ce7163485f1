//! Typestate histories in the compact form, as `docs/reference/format.md` documents it, and what
//! the live form has in common with it.

use base::leb128::put;

use crate::Error;
use crate::cursor::{Cursor, put_string};
use crate::dataflow::bytes::table;
use crate::dataflow::{
    Place, TypestateEdge, TypestateNode, TypestateProfile, TypestateProtocol, TypestateSite,
    TypestateState,
};

impl TypestateProfile {
    /// Appends the payload of its section.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.protocols.len() as u64);
        for protocol in &self.protocols {
            put_string(out, &protocol.name);
            put(out, u64::from(protocol.start));
            let states = protocol.states.iter();
            encode_states(states.map(|state| (state.name.as_str(), state.is_leak)), out);
        }
        put(out, self.sites.len() as u64);
        for site in &self.sites {
            site.place.encode(out);
            put_string(out, &site.class);
            out.push(site.is_obtained.into());
        }
        put(out, self.nodes.len() as u64);
        for node in &self.nodes {
            put(out, u64::from(node.protocol));
            encode_index(node.site, out);
            node.place.encode(out);
            encode_event(node.event.as_deref(), out);
            put(out, u64::from(node.before));
            put(out, u64::from(node.after));
        }
        put(out, self.edges.len() as u64);
        for edge in &self.edges {
            encode_index(edge.from, out);
            put(out, u64::from(edge.to));
            put(out, edge.count);
        }
        put(out, self.lost);
        put(out, self.unfollowed);
    }

    /// Reads what [`TypestateProfile::encode`] wrote.
    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let protocols = table(cursor, 3, "the number of protocols", |cursor| {
            let name = cursor.string("the name of a protocol")?.to_owned();
            let start = cursor.varint_u32("a state")?;
            let states = decode_states(cursor)?.into_iter();
            let states = states.map(|(name, is_leak)| TypestateState { name, is_leak }).collect();
            Ok(TypestateProtocol { name, start, states })
        })?;
        let sites = table(cursor, 5, "the number of sites", |cursor| {
            let place = Place::decode(cursor)?;
            let class = cursor.string("a class")?.to_owned();
            Ok(TypestateSite { place, class, is_obtained: decode_flag(cursor)? })
        })?;
        let nodes = table(cursor, 8, "the number of nodes", |cursor| {
            Ok(TypestateNode {
                protocol: cursor.varint_u32("a protocol")?,
                site: decode_index(cursor)?,
                place: Place::decode(cursor)?,
                event: decode_event(cursor)?,
                before: cursor.varint_u32("a state")?,
                after: cursor.varint_u32("a state")?,
            })
        })?;
        let edges = table(cursor, 3, "the number of edges", |cursor| {
            let from = decode_index(cursor)?;
            let to = cursor.varint_u32("a node")?;
            Ok(TypestateEdge { from, to, count: cursor.varint("a count")? })
        })?;
        let lost = cursor.varint("a number of events")?;
        let unfollowed = cursor.varint("a number of classes")?;
        Ok(Self { protocols, sites, nodes, edges, lost, unfollowed })
    }
}

/// An index, above 0 for none.
fn encode_index(index: Option<u32>, out: &mut Vec<u8>) {
    put(out, index.map_or(0, |index| u64::from(index) + 1));
}

fn decode_index(cursor: &mut Cursor<'_>) -> Result<Option<u32>, Error> {
    Ok(cursor.varint_u32("an index")?.checked_sub(1))
}

/// Appends how many states there are, and for each its name and whether objects leak.
pub(crate) fn encode_states<'s>(
    states: impl ExactSizeIterator<Item = (&'s str, bool)>,
    out: &mut Vec<u8>,
) {
    put(out, states.len() as u64);
    for (name, is_leak) in states {
        put_string(out, name);
        out.push(is_leak.into());
    }
}

/// Reads what [`encode_states`] wrote.
pub(crate) fn decode_states(cursor: &mut Cursor<'_>) -> Result<Vec<(String, bool)>, Error> {
    table(cursor, 2, "the number of states", |cursor| {
        let name = cursor.string("the name of a state")?.to_owned();
        Ok((name, decode_flag(cursor)?))
    })
}

/// Appends the name of an event, or an empty one.
pub(crate) fn encode_event(event: Option<&str>, out: &mut Vec<u8>) {
    put_string(out, event.unwrap_or_default());
}

/// Reads what [`encode_event`] wrote.
pub(crate) fn decode_event(cursor: &mut Cursor<'_>) -> Result<Option<String>, Error> {
    let event = cursor.string("an event")?;
    Ok((!event.is_empty()).then(|| event.to_owned()))
}

/// Reads a byte that says yes or no.
pub(crate) fn decode_flag(cursor: &mut Cursor<'_>) -> Result<bool, Error> {
    match cursor.byte("a flag")? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(cursor.error(format!("{other} is neither yes nor no"))),
    }
}
