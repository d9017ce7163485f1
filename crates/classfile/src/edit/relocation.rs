//! Where each instruction went.

use crate::read::opcode;

/// From this instruction of the old code on, all lie at the same distance from where they
/// were, up to the next move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// Where the instruction was.
    pub from: u32,
    /// Where it is in the new code.
    pub to: u32,
}

/// Maps positions of the old code to positions of the new code.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relocation {
    places: Vec<Place>,
    /// The way back, for instructions only: each place where the distance changes.
    moves: Vec<Move>,
    /// The distance that was last, which wraps around.
    distance: u32,
    /// Where the old code ends now. No instruction starts there, but ranges
    /// may end there.
    end: u32,
}

/// The new position of one instruction.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Of what was inserted before it: where jumps, ranges and frames go.
    before: u32,
    /// Of the instruction itself: what `Uninitialized` types and type
    /// annotations name.
    at: u32,
}

/// Where no instruction starts.
const NOWHERE: Place = Place { before: u32::MAX, at: u32::MAX };

impl Relocation {
    /// Starts again for code of this length.
    pub(crate) fn restart(&mut self, code_length: usize) {
        self.places.clear();
        self.places.resize(code_length, NOWHERE);
        self.moves.clear();
        self.distance = 0;
        self.end = u32::MAX;
    }

    /// Records where the old code ends.
    pub(crate) fn set_end(&mut self, end: u32) {
        self.end = end;
    }

    /// Records where the instruction at `bci` went.
    #[inline]
    pub(crate) fn set(&mut self, bci: usize, before: u32, at: u32) {
        self.keep_move(bci, at.wrapping_sub(bci as u32));
        if let Some(place) = self.places.get_mut(bci) {
            *place = Place { before, at };
        }
    }

    #[inline]
    fn keep_move(&mut self, bci: usize, distance: u32) {
        if distance != self.distance {
            self.distance = distance;
            let from = bci as u32;
            self.moves.push(Move { from, to: from.wrapping_add(distance) });
        }
    }

    /// The moves, in order.
    pub(crate) fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Records instructions that are copied as they are, from `bci` on: each
    /// moves by `shift`, which wraps around. Stops at `end` and at the first
    /// instruction that needs a closer look, and gives its bci.
    pub(crate) fn pass_plain(
        &mut self,
        bytecode: &[u8],
        bci: usize,
        end: usize,
        shift: u32,
    ) -> usize {
        let passed = self.place_plain(bytecode, bci, end, shift);
        if passed > bci {
            self.keep_move(bci, shift);
        }
        passed
    }

    // Not inlined, so that all it needs stays in registers: most of the
    // editor's work on most instructions is done here.
    #[inline(never)]
    fn place_plain(&mut self, bytecode: &[u8], mut bci: usize, end: usize, shift: u32) -> usize {
        let bytecode = bytecode.get(..end).unwrap_or(bytecode);
        let Some(places) = self.places.get_mut(..bytecode.len()) else { return bci };
        while let (Some(&first), Some(place)) = (bytecode.get(bci), places.get_mut(bci)) {
            let length = opcode::plain_length(first);
            if length == 0 {
                break;
            }
            let position = shift.wrapping_add(bci as u32);
            *place = Place { before: position, at: position };
            bci += length;
        }
        bci
    }

    #[inline]
    fn place(&self, bci: u32) -> Option<Place> {
        self.places.get(bci as usize).copied().filter(|place| place.at != u32::MAX)
    }

    /// Where control that jumps to `bci` arrives now.
    #[inline]
    pub(crate) fn before(&self, bci: u32) -> Option<u32> {
        self.place(bci).map(|place| place.before)
    }

    /// Where the instruction itself is now.
    pub(crate) fn at(&self, bci: u32) -> Option<u32> {
        self.place(bci).map(|place| place.at)
    }

    /// Where a range that ended before `bci` ends now.
    pub(crate) fn range_end(&self, bci: u32) -> Option<u32> {
        if bci as usize == self.places.len() { Some(self.end) } else { self.before(bci) }
    }

    /// As [`Relocation::before`] for tables that the JVM lets point into the
    /// middle of an instruction: such a position keeps its distance from the
    /// start of the instruction.
    pub(crate) fn before_or_within(&self, bci: u32) -> Option<u32> {
        if let Some(before) = self.before(bci) {
            return Some(before);
        }
        let up_to_here = self.places.get(..=bci as usize)?;
        let start = up_to_here.iter().rposition(|place| place.at != u32::MAX)?;
        let instruction = up_to_here.get(start)?;
        Some(instruction.at + (bci - start as u32))
    }

    /// As [`Relocation::range_end`] for such tables.
    pub(crate) fn range_end_or_within(&self, bci: u32) -> Option<u32> {
        self.range_end(bci).or_else(|| self.before_or_within(bci))
    }
}
