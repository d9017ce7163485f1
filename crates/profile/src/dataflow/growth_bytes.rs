//! The growth of loops in the compact form, as `docs/reference/format.md` documents it, and what
//! the live form has in common with it.

use base::leb128::put;

use crate::Error;
use crate::cursor::Cursor;
use crate::dataflow::bytes::table;
use crate::dataflow::{GrowthPoint, GrowthProfile, GrowthTotals, LoopEffects, LoopGrowth, Place};

impl GrowthProfile {
    /// Appends the payload of its section.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.loops.len() as u64);
        for one in &self.loops {
            one.place.encode(out);
            out.push(one.is_method.into());
            encode_points(&one.points, out);
            one.effects.encode(out);
        }
        self.totals.encode(out);
    }

    /// Reads what [`GrowthProfile::encode`] wrote.
    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let loops = table(cursor, 11, "the number of loops", |cursor| {
            let (place, is_method) = (Place::decode(cursor)?, decode_is_method(cursor)?);
            let points = decode_points(cursor)?;
            Ok(LoopGrowth { place, is_method, points, effects: LoopEffects::decode(cursor)? })
        })?;
        Ok(Self { loops, totals: GrowthTotals::decode(cursor)? })
    }
}

impl LoopEffects {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        let Self {
            has_one_exit,
            instances,
            iterations,
            instances_without,
            iterations_without,
            iterations_behind,
        } = *self;
        out.push(has_one_exit.into());
        [instances, iterations, instances_without, iterations_without, iterations_behind]
            .iter()
            .for_each(|&number| put(out, number));
    }

    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let has_one_exit = match cursor.byte("whether a loop has one exit")? {
            0 => false,
            1 => true,
            other => return Err(cursor.error(format!("{other} says nothing of a loop's exits"))),
        };
        let mut number = || cursor.varint("a number of iterations");
        let (instances, iterations) = (number()?, number()?);
        let (instances_without, iterations_without) = (number()?, number()?);
        let iterations_behind = number()?;
        Ok(Self {
            has_one_exit,
            instances,
            iterations,
            instances_without,
            iterations_without,
            iterations_behind,
        })
    }
}

impl GrowthTotals {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        let Self { instances, inexact, unkept, unfinished, resting } = *self;
        let numbers = [instances, inexact, unkept, unfinished, resting];
        numbers.iter().for_each(|&number| put(out, number));
    }

    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let mut number = || cursor.varint("a number of loop instances");
        let (instances, inexact, unkept, unfinished) = (number()?, number()?, number()?, number()?);
        // Earlier agents followed all loops to the end.
        let resting = match cursor.remaining() {
            0 => 0,
            _ => cursor.varint("a number of loops")?,
        };
        Ok(Self { instances, inexact, unkept, unfinished, resting })
    }
}

/// Whether a method follows, and no loop.
pub(crate) fn decode_is_method(cursor: &mut Cursor<'_>) -> Result<bool, Error> {
    match cursor.byte("whether it is a method")? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(cursor.error(format!("{other} is neither a loop nor a method"))),
    }
}

/// Appends how many points there are, and the points.
pub(crate) fn encode_points(points: &[GrowthPoint], out: &mut Vec<u8>) {
    put(out, points.len() as u64);
    for point in points {
        let GrowthPoint { instances, sizes, least, sum, greatest } = *point;
        [instances, sizes, least, sum, greatest].iter().for_each(|&number| put(out, number));
    }
}

/// Reads what [`encode_points`] wrote.
pub(crate) fn decode_points(cursor: &mut Cursor<'_>) -> Result<Vec<GrowthPoint>, Error> {
    table(cursor, 5, "the number of points", |cursor| {
        let mut number = || cursor.varint("a number of a point");
        let (instances, sizes, least) = (number()?, number()?, number()?);
        Ok(GrowthPoint { instances, sizes, least, sum: number()?, greatest: number()? })
    })
}
