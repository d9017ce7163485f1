//! Results of methods in the compact form, as `docs/reference/format.md` documents it, and what
//! the live form has in common with it.

use base::leb128::put;

use crate::cursor::Cursor;
use crate::dataflow::bytes::table;
use crate::dataflow::{MethodResults, ResultsProfile, ResultsTotals};
use crate::{Error, MethodId};

/// Beside the kinds of results: calls were followed no longer.
const STOPPED: u8 = 64;

impl ResultsProfile {
    /// Appends the payload of its section.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.methods.len() as u64);
        for one in &self.methods {
            put(out, u64::from(one.method.0));
            one.encode_numbers(out);
        }
        self.totals.encode(out);
    }

    /// Reads what [`ResultsProfile::encode`] wrote.
    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let methods = table(cursor, 18, "the number of results", |cursor| {
            let method = MethodId(cursor.varint_u32("a method")?);
            MethodResults::decode_numbers(method, cursor)
        })?;
        Ok(Self { methods, totals: ResultsTotals::decode(cursor)? })
    }

    /// Appends the payload of the section behind it: a number for each of the methods.
    pub(crate) fn encode_empty(&self, out: &mut Vec<u8>) {
        self.methods.iter().for_each(|one| one.encode_empty(out));
    }

    /// Reads what [`ResultsProfile::encode_empty`] wrote.
    pub(crate) fn decode_empty(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Error> {
        self.methods.iter_mut().try_for_each(|one| one.decode_empty(cursor))
    }
}

impl MethodResults {
    /// Appends all but the method.
    pub(crate) fn encode_numbers(&self, out: &mut Vec<u8>) {
        let Self {
            method: _,
            depth,
            kinds,
            level,
            receivers_level,
            returned,
            unfollowed,
            stopped,
            receivers,
            inputs,
            hits,
            hits_error,
            last_hits,
            conflicts,
            wrote,
            hits_that_wrote,
            cost,
            saving,
            saving_error,
            empty: _,
        } = *self;
        let kinds = kinds | if stopped { STOPPED } else { 0 };
        out.extend([depth, kinds, level, receivers_level]);
        let numbers = [
            returned,
            unfollowed,
            receivers,
            inputs,
            hits,
            hits_error,
            last_hits,
            conflicts,
            wrote,
            hits_that_wrote,
            cost,
            saving,
            saving_error,
        ];
        numbers.iter().for_each(|&number| put(out, number));
    }

    /// Reads what [`MethodResults::encode_numbers`] wrote.
    pub(crate) fn decode_numbers(method: MethodId, cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let depth = cursor.byte("the depth of a comparison")?;
        let kinds = cursor.byte("the kinds of results")?;
        let stopped = kinds & STOPPED != 0;
        let level = cursor.byte("how many inputs were kept")?;
        let receivers_level = cursor.byte("how many receivers were kept")?;
        let mut number = || cursor.varint("a number of results");
        // Fields of a literal are evaluated in the order in which they stand there.
        Ok(Self {
            method,
            depth,
            kinds: kinds & !STOPPED,
            level,
            receivers_level,
            returned: number()?,
            unfollowed: number()?,
            stopped,
            receivers: number()?,
            inputs: number()?,
            hits: number()?,
            hits_error: number()?,
            last_hits: number()?,
            conflicts: number()?,
            wrote: number()?,
            hits_that_wrote: number()?,
            cost: number()?,
            saving: number()?,
            saving_error: number()?,
            empty: None,
        })
    }

    /// Appends how many calls returned nothing, or that it is not known.
    pub(crate) fn encode_empty(&self, out: &mut Vec<u8>) {
        put(out, self.empty.map_or(0, |empty| empty.saturating_add(1)));
    }

    /// Reads what [`MethodResults::encode_empty`] wrote.
    pub(crate) fn decode_empty(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Error> {
        self.empty = cursor.varint("calls that returned nothing")?.checked_sub(1);
        Ok(())
    }
}

impl ResultsTotals {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        let Self { threads, identities, too_deep } = *self;
        [threads, identities, too_deep].iter().for_each(|&number| put(out, number));
    }

    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let mut number = || cursor.varint("a number of results");
        Ok(Self { threads: number()?, identities: number()?, too_deep: number()? })
    }
}
