//! Text in class files: modified UTF-8 (JVMS 4.4.7).

use std::cell::RefCell;
use std::collections::HashMap;

thread_local! {
    /// Names beyond the BMP that were decoded before.
    static DECODED: RefCell<HashMap<Box<[u8]>, &'static str>> = RefCell::default();
}

/// A name or descriptor of a class file as text. The programs have no name with half
/// a surrogate pair, which is not text.
///
/// What has to be decoded lives as long as the test does, as class files do.
pub fn text(bytes: &[u8]) -> &str {
    // Both forms are the same but for U+0000 and what lies beyond U+FFFF, and there
    // the modified form is not valid UTF-8.
    std::str::from_utf8(bytes).unwrap_or_else(|_| {
        DECODED.with_borrow_mut(|decoded| match decoded.get(bytes) {
            Some(text) => *text,
            None => {
                let text: &'static str = String::from_utf16_lossy(&units(bytes)).leak();
                decoded.insert(bytes.into(), text);
                text
            }
        })
    })
}

/// UTF-16 code units of modified UTF-8.
pub fn units(bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::new();
    let mut rest = bytes.iter().map(|&byte| u16::from(byte));
    while let Some(first) = rest.next() {
        let mut follow = || rest.next().unwrap_or_default() & 0x3f;
        units.push(match first {
            0xe0.. => (first & 0xf) << 12 | follow() << 6 | follow(),
            0xc0.. => (first & 0x1f) << 6 | follow(),
            _ => first,
        });
    }
    units
}

/// Text in modified UTF-8.
pub fn bytes(text: &str) -> Vec<u8> {
    let follow = |unit: u16, shift: u16| 0x80 | (unit >> shift & 0x3f) as u8;
    let encoded = text.encode_utf16().map(|unit| match unit {
        1..0x80 => vec![unit as u8],
        0 | 0x80..0x800 => vec![0xc0 | (unit >> 6) as u8, follow(unit, 0)],
        0x800.. => vec![0xe0 | (unit >> 12) as u8, follow(unit, 6), follow(unit, 0)],
    });
    encoded.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surrogate_pairs_are_encoded_one_by_one() {
        for (name, encoded) in [
            ("plain", b"plain".as_slice()),
            ("\u{e4}\0", b"\xc3\xa4\xc0\x80"),
            ("\u{20ac}", b"\xe2\x82\xac"),
            ("a\u{1d49c}", b"a\xed\xa0\xb5\xed\xb2\x9c"),
        ] {
            assert_eq!((text(encoded), bytes(name)), (name, encoded.to_vec()));
        }
    }
}
