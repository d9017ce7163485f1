//! Texts and events as a chunk has them. Integers have seven bits a byte, the lowest first.
//! Flight Recorder stops at nine bytes, which all numbers below 2^63 keep.

use base::leb128;

const EMPTY: u8 = 1;
const UTF_8: u8 = 3;

/// Appends a text.
pub fn put_text(out: &mut Vec<u8>, text: &str) {
    if text.is_empty() {
        out.push(EMPTY);
        return;
    }
    out.push(UTF_8);
    leb128::put(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Appends an event: its length, which counts itself, the number of its type, and its fields.
pub fn put_event(out: &mut Vec<u8>, class: u64, fields: &[u8]) {
    let rest = length_of(class) + fields.len() as u64;
    let mut length = rest + 1;
    while rest + length_of(length) != length {
        length += 1;
    }
    leb128::put(out, length);
    leb128::put(out, class);
    out.extend_from_slice(fields);
}

/// How many bytes a number takes.
fn length_of(number: u64) -> u64 {
    let bits = u64::BITS - number.leading_zeros();
    u64::from(bits.div_ceil(7).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_count_themselves() {
        for fields in [0, 1, 124, 125, 126, 127, 16_379, 16_380, 16_381, 16_382, 1 << 21] {
            let mut out = Vec::new();
            put_event(&mut out, 7, &vec![0; fields]);
            let mut at = 0;
            assert_eq!(leb128::get(&out, &mut at), Some(out.len() as u64), "{fields}");
            assert_eq!(leb128::get(&out, &mut at), Some(7), "{fields}");
            assert_eq!(out.len() - at, fields);
        }
    }

    #[test]
    fn texts() {
        let mut out = Vec::new();
        put_text(&mut out, "");
        put_text(&mut out, "aä");
        assert_eq!(out, [1, 3, 3, b'a', 0xc3, 0xa4]);
    }
}
