//! Ways in which a file is not what it should be.

use std::fs;
use std::path::Path;

use made_profiles::sections::{sections, sign};
use support::random::Random;

/// A damaged file.
#[derive(Debug, Clone)]
pub struct Damaged {
    /// What was done, for messages.
    pub what: String,
    pub bytes: Vec<u8>,
    /// Everybody must notice, because something is missing or checksums tell.
    pub is_noticed: bool,
}

impl Damaged {
    /// Writes the file.
    pub fn write(&self, path: &Path) {
        // Some file systems wait for the disk when a file is written over.
        let _ = fs::remove_file(path);
        fs::write(path, &self.bytes).unwrap();
    }
}

fn damaged(what: String, bytes: Vec<u8>, is_noticed: bool) -> Damaged {
    Damaged { what, bytes, is_noticed }
}

/// Files of other kinds, by what they begin with or are.
pub fn foreign() -> Vec<Damaged> {
    let kinds: [(&str, &[u8]); 11] = [
        ("nothing", b""),
        ("a byte", b"S"),
        ("the beginning of a profile", b"SUBSUME\n"),
        ("a line", b"main;a;b 5\n"),
        ("two lines", b"# callgrind format\nevents: Ir\n"),
        ("gzip", b"\x1f\x8b\x08\0\0\0\0\0\0\x03"),
        ("zip", b"PK\x03\x04\x14\0\0\0\x08\0"),
        ("a program", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0"),
        ("a class", b"\xca\xfe\xba\xbe\0\0\0\x3d\0\x10"),
        ("XML", b"<?xml version=\"1.0\"?>\n<tree/>\n"),
        ("no text", b"\xff\xfe\0\x80\xc3\x28"),
    ];
    let mut files: Vec<Damaged> =
        kinds.map(|(what, bytes)| damaged(what.to_owned(), bytes.to_vec(), true)).into();
    files.push(damaged("zeros".to_owned(), vec![0; 4096], true));
    files
}

/// The compact form, cut in and at the borders of each of its sections.
pub fn cut(whole: &[u8]) -> Vec<Damaged> {
    let mut lengths = vec![8, 15];
    for (start, end) in sections(whole) {
        lengths.extend([start, start + 7, start + 16, (start + end) / 2, end - 1]);
    }
    lengths.retain(|&length| length < whole.len());
    lengths.dedup();
    let cut = |length: usize| {
        damaged(format!("the first {length} bytes"), whole[..length].to_vec(), true)
    };
    lengths.into_iter().map(cut).collect()
}

/// Makes `copies` copies with one to four flipped bits.
pub fn flipped(
    whole: &[u8],
    copies: u64,
    has_checksums: bool,
    random: &mut Random,
) -> Vec<Damaged> {
    let flip = |random: &mut Random| {
        let mut bytes = whole.to_vec();
        let mut what = "flipped".to_owned();
        for _ in 0..=random.below(4) {
            let (at, bit) = (random.below(whole.len() as u64) as usize, random.below(8));
            bytes[at] ^= 1 << bit;
            what += &format!(" {at}.{bit}");
        }
        let is_noticed = has_checksums && bytes != whole;
        damaged(what, bytes, is_noticed)
    };
    (0..copies).map(|_| flip(random)).collect()
}

/// Makes `copies` copies of the compact form with flipped bits and right checksums, so
/// that what reads them gets further.
pub fn signed(whole: &[u8], copies: u64, random: &mut Random) -> Vec<Damaged> {
    let sections = sections(whole);
    let sign = |mut file: Damaged| {
        for &(start, end) in &sections {
            // Kind and length stay, so that the chain holds.
            file.bytes[start..start + 4].copy_from_slice(&whole[start..start + 4]);
            file.bytes[start + 8..start + 16].copy_from_slice(&whole[start + 8..start + 16]);
            sign(&mut file.bytes[start..end]);
        }
        damaged(format!("{}, signed", file.what), file.bytes, false)
    };
    flipped(whole, copies, false, random).into_iter().map(sign).collect()
}
