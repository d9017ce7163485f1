//! Similar memory accesses in the compact form, as `docs/reference/format.md` documents it.

use base::leb128::put;

use crate::Error;
use crate::cursor::{Cursor, put_string};
use crate::dataflow::bytes::table;
use crate::dataflow::{LoopProfile, LoopTotals, Place, SimilarLoop, SimilarRead};

impl LoopProfile {
    /// Appends the payload of its section.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.loops.len() as u64);
        for found in &self.loops {
            encode_places(found.place, &found.path, out);
            let SimilarLoop { instances, judged, reported, iterations, reads, .. } = *found;
            let SimilarLoop { repeated, wasted, unjudged, others, .. } = *found;
            let numbers = [
                instances, judged, reported, iterations, reads, repeated, wasted, unjudged, others,
            ];
            numbers.iter().for_each(|&number| put(out, number));
            put(out, found.similar.len() as u64);
            found.similar.iter().for_each(|read| read.encode(out));
        }
        let LoopTotals { reads, lost, deep, forgotten, uncopied, irreducible, .. } = self.totals;
        let LoopTotals { exhausted, unjudged, .. } = self.totals;
        let numbers = [reads, lost, deep, forgotten, uncopied, irreducible, exhausted, unjudged];
        numbers.iter().for_each(|&number| put(out, number));
    }

    /// Reads what [`LoopProfile::encode`] wrote.
    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let loops = table(cursor, 14, "the number of loops", |cursor| {
            let (place, path) = decode_places(cursor)?;
            let [
                instances,
                judged,
                reported,
                iterations,
                reads,
                repeated,
                wasted,
                unjudged,
                others,
            ] = numbers(cursor)?;
            let similar = table(cursor, 13, "the number of similar reads", SimilarRead::decode)?;
            Ok(SimilarLoop {
                place,
                path,
                instances,
                judged,
                reported,
                iterations,
                reads,
                repeated,
                wasted,
                unjudged,
                similar,
                others,
            })
        })?;
        let [reads, lost, deep, forgotten, uncopied, irreducible, exhausted, unjudged] =
            numbers(cursor)?;
        let totals =
            LoopTotals { reads, lost, deep, forgotten, uncopied, irreducible, exhausted, unjudged };
        Ok(Self { loops, totals })
    }
}

impl SimilarRead {
    fn encode(&self, out: &mut Vec<u8>) {
        encode_places(self.place, &self.path, out);
        put_string(out, &self.what);
        let Self { reported, same_places, sequences, similar, .. } = *self;
        let Self { reads, wasted, ratios, truncated, .. } = *self;
        let numbers = [reported, same_places, sequences, similar, reads, wasted, ratios, truncated];
        numbers.iter().for_each(|&number| put(out, number));
    }

    fn decode(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let (place, path) = decode_places(cursor)?;
        let what = cursor.string("what is read")?.to_owned();
        let [reported, same_places, sequences, similar, reads, wasted, ratios, truncated] =
            numbers(cursor)?;
        Ok(Self {
            place,
            path,
            what,
            reported,
            same_places,
            sequences,
            similar,
            reads,
            wasted,
            ratios,
            truncated,
        })
    }
}

/// The place first.
fn encode_places(place: Place, path: &[Place], out: &mut Vec<u8>) {
    place.encode(out);
    put(out, path.len() as u64);
    path.iter().for_each(|place| place.encode(out));
}

fn decode_places(cursor: &mut Cursor<'_>) -> Result<(Place, Vec<Place>), Error> {
    let place = Place::decode(cursor)?;
    let path = table(cursor, 3, "the length of a calling path", Place::decode)?;
    Ok((place, path))
}

fn numbers<const N: usize>(cursor: &mut Cursor<'_>) -> Result<[u64; N], Error> {
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = cursor.varint("a number of a loop")?;
    }
    Ok(numbers)
}
