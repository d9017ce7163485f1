//! Records of the live form about typestate histories.

use base::leb128::put;

use crate::Error;
use crate::cursor::{Cursor, put_string};
use crate::dataflow::typestate_bytes::{
    decode_event, decode_flag, decode_states, encode_event, encode_states,
};

/// A protocol. Of records of one number the last one counts, here as in the others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProtocolRecord {
    /// Its number, from 1 on.
    pub number: u32,
    /// Its name.
    pub name: String,
    /// Index of the state before the first call.
    pub start: u32,
    /// Its states, and whether objects leak that end in them. The first one is that of
    /// objects that broke the protocol.
    pub states: Vec<(String, bool)>,
}

/// Where objects were made or obtained.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypestateSiteRecord {
    /// Its number, from 1 on.
    pub number: u32,
    /// Number of the method.
    pub method: u32,
    /// Bytecode index of the instruction.
    pub bci: u16,
    /// The source line, 0 if unknown.
    pub line: u16,
    /// The class that it names.
    pub class: String,
    /// Whether it calls a method that returns the objects, rather than making them.
    pub is_obtained: bool,
}

/// A call on objects of one site in one state, or that they were made or obtained there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypestateNodeRecord {
    /// Its number, above those of the protocols.
    pub number: u32,
    /// Number of the protocol.
    pub protocol: u32,
    /// Number of the site, 0 if it is not known.
    pub site: u32,
    /// Number of the method.
    pub method: u32,
    /// Bytecode index of the instruction.
    pub bci: u16,
    /// The source line, 0 if unknown.
    pub line: u16,
    /// The method that is called, with what it has returned where that counts; `None` if
    /// objects are made or obtained.
    pub event: Option<String>,
    /// Index of the state before.
    pub before: u32,
    /// Index of the state after.
    pub after: u32,
    /// Numbers of the nodes of the events before, or that of the protocol where there was
    /// none, and how often.
    pub incoming: Vec<(u32, u64)>,
}

/// What was left out. The last record counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TypestateTotalsRecord {
    /// Different events that found no room.
    pub lost: u64,
    /// Classes of which objects had no room for their state.
    pub unfollowed: u64,
}

impl ProtocolRecord {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.number));
        put_string(out, &self.name);
        put(out, u64::from(self.start));
        encode_states(self.states.iter().map(|(name, leaks)| (name.as_str(), *leaks)), out);
    }

    pub(crate) fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        Ok(Self {
            number: fields.varint_u32("a protocol")?,
            name: fields.string("the name of a protocol")?.to_owned(),
            start: fields.varint_u32("a state")?,
            states: decode_states(fields)?,
        })
    }
}

impl TypestateSiteRecord {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.number));
        put(out, u64::from(self.method));
        put(out, u64::from(self.bci));
        put(out, u64::from(self.line));
        put_string(out, &self.class);
        out.push(self.is_obtained.into());
    }

    pub(crate) fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        Ok(Self {
            number: fields.varint_u32("a site")?,
            method: fields.varint_u32("a method id")?,
            bci: fields.varint_u16("a bytecode index")?,
            line: fields.varint_u16("a line")?,
            class: fields.string("a class")?.to_owned(),
            is_obtained: decode_flag(fields)?,
        })
    }
}

impl TypestateNodeRecord {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        for number in [self.number, self.protocol, self.site, self.method] {
            put(out, u64::from(number));
        }
        put(out, u64::from(self.bci));
        put(out, u64::from(self.line));
        encode_event(self.event.as_deref(), out);
        put(out, u64::from(self.before));
        put(out, u64::from(self.after));
        put(out, self.incoming.len() as u64);
        for &(from, count) in &self.incoming {
            put(out, u64::from(from));
            put(out, count);
        }
    }

    pub(crate) fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        let [number, protocol, site, method] =
            ["a node", "a protocol", "a site", "a method id"].map(|what| fields.varint_u32(what));
        let mut record = Self {
            number: number?,
            protocol: protocol?,
            site: site?,
            method: method?,
            bci: fields.varint_u16("a bytecode index")?,
            line: fields.varint_u16("a line")?,
            event: decode_event(fields)?,
            before: fields.varint_u32("a state")?,
            after: fields.varint_u32("a state")?,
            incoming: Vec::new(),
        };
        for _ in 0..fields.count(2, "the number of events before")? {
            record.incoming.push((fields.varint_u32("a node")?, fields.varint("a count")?));
        }
        Ok(record)
    }
}

impl TypestateTotalsRecord {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.lost);
        put(out, self.unfollowed);
    }

    pub(crate) fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        let lost = fields.varint("a number of events")?;
        Ok(Self { lost, unfollowed: fields.varint("a number of classes")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_read_as_written<R: PartialEq + std::fmt::Debug>(
        record: &R,
        encode: impl Fn(&R, &mut Vec<u8>),
        decode: impl Fn(&mut Cursor<'_>) -> Result<R, Error>,
    ) {
        let mut bytes = Vec::new();
        encode(record, &mut bytes);
        assert_eq!(decode(&mut Cursor::new(&bytes, 0)).expect("is sound"), *record);
        for cut in 0..bytes.len() {
            assert!(decode(&mut Cursor::new(&bytes[..cut], 0)).is_err(), "{cut}");
        }
    }

    #[test]
    fn records_are_read_as_they_were_written() {
        let protocol = ProtocolRecord {
            number: 300,
            name: "file".to_owned(),
            start: 1,
            states: vec![("error".to_owned(), false), ("open".to_owned(), true)],
        };
        is_read_as_written(&protocol, ProtocolRecord::encode, ProtocolRecord::decode);
        let class = "a.B".to_owned();
        let (method, bci, line) = (1 << 30, 65_535, 300);
        let site = TypestateSiteRecord { number: 7, method, bci, line, class, is_obtained: true };
        is_read_as_written(&site, TypestateSiteRecord::encode, TypestateSiteRecord::decode);
        for event in [None, Some("read=true".to_owned())] {
            let (before, after) = (1, 0);
            let (number, protocol, site) = (u32::MAX, 300, 7);
            let incoming = vec![(300, u64::MAX), (9, 1)];
            let node = TypestateNodeRecord {
                number,
                protocol,
                site,
                method,
                bci,
                line,
                event,
                before,
                after,
                incoming,
            };
            is_read_as_written(&node, TypestateNodeRecord::encode, TypestateNodeRecord::decode);
        }
        let totals = TypestateTotalsRecord { lost: 1 << 40, unfollowed: 3 };
        is_read_as_written(&totals, TypestateTotalsRecord::encode, TypestateTotalsRecord::decode);
    }
}
