//! Where the instructions of a class went that was rewritten.
//!
//! Whatever a JVM runs stays in memory here for as long as the JVM lives, so it is written
//! down in few bytes: of each method a hash of its name and descriptor, the lengths of its new
//! and old code, and the places where the distance between both changes. Nearly all of them
//! take two bytes.

use std::hash::{BuildHasher, Hash};

use base::leb128;
use classfile::{ClassEditor, ClassFile, Move, MovedCode};
use rustc_hash::FxBuildHasher;

/// Where the instructions of a class's methods went.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Moved(Box<[u8]>);

/// Where those of one method went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MovedMethod<'m> {
    /// Bytes of the new code.
    pub length: u32,
    /// Bytes of the old one.
    old_length: u32,
    moves: &'m [u8],
}

impl Moved {
    /// What an editor has done so far.
    pub fn of(class: &ClassFile<'_>, editor: &ClassEditor<'_>) -> Self {
        let methods = editor.moved_code().filter(|code| !code.moves.is_empty());
        Self::of_methods(methods.filter_map(|code| {
            let method = class.methods().get(code.method)?;
            Some((key(method.name(), method.descriptor()), code))
        }))
    }

    fn of_methods<'e>(methods: impl Iterator<Item = (u32, MovedCode<'e>)>) -> Self {
        let (mut bytes, mut method) = (Vec::new(), Vec::new());
        for (key, code) in methods {
            method.clear();
            leb128::put(&mut method, code.length.into());
            leb128::put(&mut method, code.old_length.into());
            put_moves(&mut method, code.moves);
            bytes.extend_from_slice(&key.to_le_bytes());
            leb128::put(&mut bytes, method.len() as u64);
            bytes.extend_from_slice(&method);
        }
        Self(bytes.into())
    }

    /// True if no instruction went anywhere.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Where the instructions of a method went, if they did.
    pub fn method(&self, name: &[u8], descriptor: &[u8]) -> Option<MovedMethod<'_>> {
        let wanted = key(name, descriptor);
        let mut found = None;
        let mut at = 0;
        while at < self.0.len() {
            let key = self.0.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))?;
            at += size_of::<u32>();
            let length = usize::try_from(leb128::get(&self.0, &mut at)?).ok()?;
            let end = at.checked_add(length)?;
            let method = self.0.get(at..end)?;
            // Two of one hash cannot be told apart.
            if key == wanted && found.replace(method).is_some() {
                return None;
            }
            at = end;
        }
        MovedMethod::read(found?)
    }
}

impl<'m> MovedMethod<'m> {
    fn read(bytes: &'m [u8]) -> Option<Self> {
        let mut at = 0;
        let length = u32::try_from(leb128::get(bytes, &mut at)?).ok()?;
        let old_length = u32::try_from(leb128::get(bytes, &mut at)?).ok()?;
        Some(Self { length, old_length, moves: bytes.get(at..)? })
    }

    /// The index that an instruction had before, by the one that it has in the new code.
    /// `None` for code that was inserted.
    pub fn original(&self, index: u32) -> Option<u32> {
        let mut at = 0;
        let (mut from, mut to) = (0_i64, 0_i64);
        let index = i64::from(index);
        while at < self.moves.len() {
            let next_from = from.checked_add_unsigned(leb128::get(self.moves, &mut at)?)?;
            let farther = signed(leb128::get(self.moves, &mut at)?);
            let next_to = next_from.checked_add(to - from)?.checked_add(farther)?;
            if index < next_to {
                let original = from + (index - to);
                return u32::try_from(original).ok().filter(|_| original < next_from);
            }
            (from, to) = (next_from, next_to);
        }
        // Behind the old code come handlers that were appended.
        u32::try_from(from + (index - to)).ok().filter(|&original| original < self.old_length)
    }
}

fn put_moves(out: &mut Vec<u8>, moves: &[Move]) {
    let (mut last, mut distance) = (0, 0);
    for change in moves {
        let farther = i64::from(change.to) - i64::from(change.from);
        leb128::put(out, (change.from - last).into());
        leb128::put(out, unsigned(farther - distance));
        (last, distance) = (change.from, farther);
    }
}

/// Small numbers for small ones of either sign.
fn unsigned(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

fn signed(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

fn key(name: &[u8], descriptor: &[u8]) -> u32 {
    let hash = FxBuildHasher.hash_one(Both(name, descriptor));
    (hash >> 32) as u32 ^ hash as u32
}

/// With the length of each, so that no two are hashed as the same bytes.
#[derive(Hash)]
struct Both<'a>(&'a [u8], &'a [u8]);

#[cfg(test)]
mod tests {
    use super::*;

    fn code(length: u32, moves: &[Move]) -> MovedCode<'_> {
        MovedCode { method: 0, old_length: 26, length, moves }
    }

    fn moved<const N: usize>(methods: [(u32, MovedCode<'_>); N]) -> Moved {
        Moved::of_methods(methods.into_iter())
    }

    /// Behind three bytes of entry code: at 0 three bytes, inserted ones before what was at
    /// 3, a switch at 5 that lost three bytes of padding, and more before what was at 20.
    const MOVES: [Move; 4] = [
        Move { from: 0, to: 3 },
        Move { from: 3, to: 10 },
        Move { from: 18, to: 22 },
        Move { from: 20, to: 400 },
    ];

    #[test]
    fn instructions_are_found_and_inserted_code_is_not() {
        let written = moved([(key(b"m", b"()V"), code(500, &MOVES))]);
        let method = written.method(b"m", b"()V").expect("it was moved");
        assert_eq!(method.length, 500);
        let original = |indices: &[u32]| -> Vec<Option<u32>> {
            indices.iter().map(|&index| method.original(index)).collect()
        };
        assert_eq!(original(&[3, 5, 10, 12, 22, 23]), [0, 2, 3, 5, 18, 19].map(Some));
        assert_eq!(original(&[400, 405]), [20, 25].map(Some));
        assert_eq!(original(&[0, 2, 6, 9, 24, 399, 406]), [None; 7]);
    }

    #[test]
    fn what_stands_before_the_first_move_has_stayed() {
        let moves = [Move { from: 8, to: 12 }];
        let written = moved([(key(b"m", b"()V"), code(20, &moves))]);
        let method = written.method(b"m", b"()V").expect("it was moved");
        let found = [0, 7, 8, 11, 12].map(|index| method.original(index));
        assert_eq!(found, [Some(0), Some(7), None, None, Some(8)]);
    }

    #[test]
    fn methods_are_told_apart() {
        let moves = [[Move { from: 0, to: 4 }], [Move { from: 0, to: 300 }]];
        let methods = [
            (key(b"m", b"()V"), code(9, &moves[0])),
            (key(b"m", b"(I)V"), code(70_000, &moves[1])),
        ];
        let written = moved(methods);
        let length = |name: &[u8], descriptor: &[u8]| {
            written.method(name, descriptor).map(|method| (method.length, method.original(301)))
        };
        assert_eq!(length(b"m", b"()V"), Some((9, None)));
        assert_eq!(length(b"m", b"(I)V"), Some((70_000, Some(1))));
        assert_eq!(length(b"n", b"()V"), None);
        assert_eq!(Moved::default().method(b"m", b"()V"), None);
        let alike = [methods[0], methods[1], methods[0]];
        let written = moved(alike);
        assert_eq!(written.method(b"m", b"()V"), None, "two of one hash");
        assert!(written.method(b"m", b"(I)V").is_some());
    }

    #[test]
    fn cut_bytes_give_nothing_and_do_not_fail() {
        let written = moved([(key(b"m", b"()V"), code(500, &MOVES))]);
        for length in 0..written.0.len() {
            let cut = Moved(written.0[..length].into());
            assert_eq!(cut.method(b"m", b"()V"), None);
        }
        let endless = MovedMethod { length: 9, old_length: 8, moves: &[0xFF, 0xFF, 0xFF, 0xFF] };
        assert_eq!(endless.original(5), None);
    }

    #[test]
    fn signs_come_back() {
        for number in [0, 1, -1, 63, -64, i64::from(u32::MAX), -i64::from(u32::MAX)] {
            assert_eq!(signed(unsigned(number)), number);
        }
        assert_eq!([0, -1, 1, -2].map(unsigned), [0, 1, 2, 3]);
    }
}
