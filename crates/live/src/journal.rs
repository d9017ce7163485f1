//! The metadata of a recording, written beside the trees as it becomes known,
//! so that a file that was cut short can still name what is in it.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use parking_lot::Mutex;
use profile::layout::{header, segment};
use profile::metadata::Record;

use arena::Arena;

/// Bytes of room in a segment, unless one record needs more.
const SEGMENT_BYTES: u32 = 1 << 16;

/// Bytes of each segment that only [`Journal::close`] may use, so that how the
/// run ended can be told when the disk is full.
const CLOSING_BYTES: usize = 1 << 12;

/// The chain of metadata segments in an arena.
#[derive(Debug, Default)]
pub struct Journal {
    /// Word index of the last segment, 0 before the first.
    last: Mutex<u32>,
}

impl Journal {
    /// Appends a record. False when the arena is full; then it is lost.
    pub fn append(&self, arena: &Arena, record: &Record) -> bool {
        self.append_leaving(arena, record, CLOSING_BYTES)
    }

    /// Appends one of the few short records with which a recording ends. For
    /// them there is room also when the arena is full.
    pub fn close(&self, arena: &Arena, record: &Record) -> bool {
        self.append_leaving(arena, record, 0)
    }

    fn append_leaving(&self, arena: &Arena, record: &Record, rest: usize) -> bool {
        let mut bytes = Vec::with_capacity(256);
        record.encode(&mut bytes);
        let mut last = self.last.lock();
        if !has_room(arena, *last, bytes.len() + rest) {
            match new_segment(arena, *last, bytes.len() + CLOSING_BYTES) {
                Some(segment) => *last = segment,
                None => return false,
            }
        }
        write(arena, *last, &bytes).is_some()
    }
}

fn has_room(arena: &Arena, segment: u32, bytes: usize) -> bool {
    let word = |offset| arena.word(segment + offset).map_or(0, |word| word.load(Relaxed));
    // Pages that are lost read as zeros, each word by itself: then what is used may be more
    // than there is room for.
    let room = word(segment::CAPACITY).saturating_sub(word(segment::USED));
    segment != 0 && room as usize >= bytes
}

/// A segment behind `last`, with room for a record of this length.
fn new_segment(arena: &Arena, last: u32, bytes: usize) -> Option<u32> {
    let capacity = u32::try_from(bytes).ok()?.next_multiple_of(8).max(SEGMENT_BYTES);
    let at = arena.take(segment::RECORDS + capacity / 4)?;
    arena.word(at + segment::CAPACITY)?.store(capacity, Relaxed);
    let link = match last {
        0 => arena.header_word(header::FIRST_SEGMENT),
        last => arena.word(last + segment::NEXT)?,
    };
    link.store(at, Release);
    Some(at)
}

/// Writes the bytes behind what is used, then publishes them.
fn write(arena: &Arena, segment: u32, bytes: &[u8]) -> Option<()> {
    let used = arena.word(segment + segment::USED)?;
    let from = used.load(Acquire);
    for (position, &byte) in (from..).zip(bytes) {
        let word = arena.word(segment + segment::RECORDS + position / 4)?;
        let shift = position % 4 * 8;
        word.store(word.load(Relaxed) | u32::from(byte) << shift, Relaxed);
    }
    used.store(from + u32::try_from(bytes.len()).ok()?, Release);
    Some(())
}

#[cfg(test)]
mod tests {
    use base::whole_file::create_private;

    use super::*;

    #[test]
    fn records_stand_one_behind_the_other() {
        let file = format!("subsume-journal-{}", std::process::id());
        let path = std::env::temp_dir().join(file);
        let arena = create_private(&path)
            .and_then(|file| Arena::create(file, None))
            .expect("a temporary file can be mapped");
        let journal = Journal::default();
        let record = |value: &str| Record::RunInfo { key: "k".into(), value: value.into() };
        let mut expected = Vec::new();
        for value in ["a", "bcd", "", "efghij"] {
            assert!(journal.append(&arena, &record(value)));
            record(value).encode(&mut expected);
        }
        let first = arena.header_word(header::FIRST_SEGMENT).load(Acquire);
        let used = arena.word(first + segment::USED).expect("usable").load(Acquire);
        assert_eq!(used as usize, expected.len());
        let read: Vec<u8> = (0..used.div_ceil(4))
            .filter_map(|word| arena.word(first + segment::RECORDS + word))
            .flat_map(|word| word.load(Relaxed).to_le_bytes())
            .take(expected.len())
            .collect();
        assert_eq!(read, expected);
        // One that does not fit into what is left opens the next segment.
        assert!(journal.append(&arena, &record(&"x".repeat(SEGMENT_BYTES as usize))));
        let second = arena.word(first + segment::NEXT).expect("usable").load(Acquire);
        assert_ne!(second, 0);
        // Where the capacity was lost, nothing is written behind it, but into a new segment.
        arena.word(second + segment::CAPACITY).expect("usable").store(0, Relaxed);
        assert!(!has_room(&arena, second, 1));
        assert!(journal.append(&arena, &record("after a loss")));
        assert_ne!(arena.word(second + segment::NEXT).expect("usable").load(Acquire), 0);
        std::fs::remove_file(&path).expect("it exists");
    }
}
