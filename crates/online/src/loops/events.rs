//! What probes tell of a thread, in words of 64 bits; as in `SubsumeLoops`.

/// The word is a write, and its other bits are the place.
pub const WRITE: u64 = 1 << 63;
/// Where the kind of all other events lies.
pub const KIND_SHIFT: u32 = 61;
/// Kind: a read. Two words follow: the value and the place.
pub const READ: u64 = 0;
/// Kind: an iteration of a loop begins. A word follows: how many loops are around it, and
/// in its upper half, how many iterations follow before anything happens but reads in no
/// further loop. For those reads it makes no difference in which iteration they are.
pub const ITERATION: u64 = 1;
/// Kind: elements of an array are read by a call that copies them. Two words follow,
/// the place of the first, and the number of values with that of further elements in its
/// upper half, and then the values.
pub const COPY: u64 = 2;
/// Kind: one of those below, by the number in its middle.
pub const OTHER: u64 = 3;
/// Loops are left until so many are left.
pub const LEAVE: u64 = 0;
/// A number of consecutive elements is written. The place of the first one follows.
pub const WRITES: u64 = 1;

/// Something other than a write has an effect for the loops from this depth on.
pub const EFFECT: u64 = 2;
/// The write that follows is of an object's own, in its constructor or where an iterator
/// stands.
pub const OWN: u64 = 3;
/// The next loop that is entered works with a value from outside, which follows. The low
/// half of the word says which one it is.
pub const GIVEN: u64 = 4;
/// A lambda captures a value, which follows, for whatever loops come in the iteration.
pub const CAPTURED: u64 = 5;

/// Most words of an event but for the values of a copy.
pub const MOST_WORDS: usize = 3;

/// Values of a copied array that are told, the first ones.
pub const MOST_COPIED: u64 = 1 << 10;

/// An object and a part of it: the identity of the object in the upper half, and the
/// number of a field or an index in the lower half.
pub type Place = u64;

/// The bit of a place's number that fields have, and no index.
pub const FIELD: u64 = 1 << 31;

/// Where a read stands: the node of the calling context tree in the upper half, and the
/// number of the instruction in the lower half.
pub type Ipcs = u64;

/// The IPCS of an instruction in a context.
pub fn ipcs(node: u32, instruction: u32) -> Ipcs {
    u64::from(node) << 32 | u64::from(instruction)
}

/// The node of an IPCS.
pub fn node(ipcs: Ipcs) -> u32 {
    (ipcs >> 32) as u32
}

/// The first word of the event of a loop's iteration.
pub fn iteration(number: u32, node: u32) -> u64 {
    ITERATION << KIND_SHIFT | u64::from(number) << 32 | u64::from(node)
}

/// The loop of such an event: its number and the node.
pub fn loop_of(word: u64) -> (u32, u32) {
    ((word >> 32 & ((1 << (KIND_SHIFT - 32)) - 1)) as u32, word as u32)
}

/// An event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event<'w> {
    /// The header of a loop is executed, with so many loops around it.
    Iteration {
        /// Number of the loop.
        number: u32,
        /// Node of the activation that runs it.
        node: u32,
        /// Loops around it.
        depth: u32,
        /// Iterations that follow.
        more: u32,
    },
    /// All loops are left but so many.
    Leave {
        /// How many go on.
        depth: u32,
    },
    /// A field or an element is read.
    Read {
        /// Which instruction reads in which context.
        ipcs: Ipcs,
        /// The value's bits, or the identity of the object.
        value: u64,
        /// What is read.
        place: Place,
    },
    /// Elements are read by a call that copies them.
    Copy {
        /// Which call in which context.
        ipcs: Ipcs,
        /// The first element.
        place: Place,
        /// The values.
        values: &'w [u64],
        /// Elements behind the first [`MOST_COPIED`], whose values are not told: this is
        /// the event of the first ones.
        left: u32,
    },
    /// Something is written.
    Write {
        /// What.
        place: Place,
    },
    /// Consecutive elements are written.
    Writes {
        /// The first one.
        place: Place,
        /// How many.
        length: u32,
    },
    /// Something other than a write has an effect.
    Effect {
        /// For the loops around which there are at least so many.
        depth: u32,
    },
    /// The next event is a write that has none.
    Own,
    /// The next loop that is entered works with a value from outside.
    Given {
        /// Which of its values.
        part: u32,
        /// The value's bits, or the identity of the object.
        value: u64,
    },
    /// A lambda captures a value.
    Captured {
        /// Which of those that it captures.
        part: u32,
        /// The value's bits, or the identity of the object.
        value: u64,
    },
}

/// The event at the start of the words, and how many of them it takes; `None` where the
/// words end, or are no event.
#[inline(always)]
pub fn first(words: &[u64]) -> Option<(Event<'_>, usize)> {
    let &word = words.first()?;
    let low = word as u32;
    let middle = word >> 32 & ((1 << (KIND_SHIFT - 32)) - 1);
    if word & WRITE != 0 {
        return Some((Event::Write { place: word & !WRITE }, 1));
    }
    let following = |at: usize| words.get(at).copied();
    match (word >> KIND_SHIFT, middle) {
        (READ, instruction) => {
            let (value, place) = (following(1)?, following(2)?);
            Some((Event::Read { ipcs: ipcs(low, instruction as u32), value, place }, 3))
        }
        (ITERATION, number) => {
            let following = following(1)?;
            let (depth, more) = (following as u32, (following >> 32) as u32);
            Some((Event::Iteration { number: number as u32, node: low, depth, more }, 2))
        }
        (COPY, call) => {
            let (place, counts) = (following(1)?, following(2)?);
            let (count, left) = (counts as u32 as usize, (counts >> 32) as u32);
            let values = words.get(3..3 + count)?;
            Some((Event::Copy { ipcs: ipcs(low, call as u32), place, values, left }, 3 + count))
        }
        (OTHER, LEAVE) => Some((Event::Leave { depth: low }, 1)),
        (OTHER, WRITES) => Some((Event::Writes { place: following(1)?, length: low }, 2)),
        (OTHER, EFFECT) => Some((Event::Effect { depth: low }, 1)),
        (OTHER, OWN) => Some((Event::Own, 1)),
        (OTHER, GIVEN) => Some((Event::Given { part: low, value: following(1)? }, 2)),
        (OTHER, CAPTURED) => Some((Event::Captured { part: low, value: following(1)? }, 2)),
        _ => None,
    }
}

/// Events one after the other.
#[derive(Debug)]
pub struct Events<'w>(pub &'w [u64]);

impl<'w> Iterator for Events<'w> {
    type Item = Event<'w>;

    #[inline(always)]
    fn next(&mut self) -> Option<Event<'w>> {
        let (event, length) = first(self.0)?;
        self.0 = &self.0[length..];
        Some(event)
    }
}

#[cfg(test)]
impl Event<'_> {
    /// Appends the words that probes would write.
    pub fn encode(&self, out: &mut Vec<u64>) {
        let word =
            |kind: u64, middle: u64, low: u32| kind << KIND_SHIFT | middle << 32 | u64::from(low);
        match *self {
            Event::Iteration { number, node, depth, more } => {
                let following = u64::from(more) << 32 | u64::from(depth);
                out.extend([iteration(number, node), following]);
            }
            Event::Leave { depth } => out.push(word(OTHER, LEAVE, depth)),
            Event::Read { ipcs, value, place } => {
                out.extend([word(READ, ipcs & 0xFFFF_FFFF, (ipcs >> 32) as u32), value, place]);
            }
            Event::Copy { ipcs, place, values, left } => {
                let count = values.len() as u64;
                let first = word(COPY, ipcs & 0xFFFF_FFFF, (ipcs >> 32) as u32);
                out.extend([first, place, u64::from(left) << 32 | count]);
                out.extend(values);
            }
            Event::Write { place } => out.push(WRITE | place),
            Event::Writes { place, length } => out.extend([word(OTHER, WRITES, length), place]),
            Event::Effect { depth } => out.push(word(OTHER, EFFECT, depth)),
            Event::Own => out.push(word(OTHER, OWN, 0)),
            Event::Given { part, value } => out.extend([word(OTHER, GIVEN, part), value]),
            Event::Captured { part, value } => out.extend([word(OTHER, CAPTURED, part), value]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_as_they_were_written() {
        let events = [
            Event::Iteration { number: 5, node: u32::MAX, depth: 3, more: 9 },
            Event::Read { ipcs: ipcs(70, (1 << 29) - 1), value: u64::MAX, place: 7 << 32 | 1 },
            Event::Copy { ipcs: ipcs(1, 2), place: 9, values: &[1, WRITE, 3], left: 9 },
            Event::Write { place: 0x7FFF_FFFF_FFFF_FFFF },
            Event::Effect { depth: 7 },
            Event::Own,
            Event::Given { part: 5, value: u64::MAX },
            Event::Captured { part: 6, value: 8 },
            Event::Writes { place: 11, length: 1000 },
            Event::Leave { depth: 2 },
        ];
        let mut words = Vec::new();
        events.iter().for_each(|event| event.encode(&mut words));
        assert_eq!(Events(&words).collect::<Vec<_>>(), events);
        let cut = Events(&words[..words.len() - 3]).count();
        assert_eq!(cut, events.len() - 2, "a cut event is none");
    }
}
