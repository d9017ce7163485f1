//! Text as class files have it.

/// Decodes modified UTF-8 (JVMS 4.4.7). Class files may hold halves of
/// surrogate pairs, which no other text can: they become `\ud800` and the like,
/// and what is no text at all becomes a replacement character.
pub fn decode(bytes: &[u8]) -> String {
    // The same for all characters but U+0000 and those beyond U+FFFF, and those
    // are not valid UTF-8 in class files.
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    let mut text = String::with_capacity(bytes.len());
    for unit in char::decode_utf16(Units(bytes)) {
        match unit {
            Ok(c) => text.push(c),
            Err(half) => text.push_str(&format!("\\u{:04x}", half.unpaired_surrogate())),
        }
    }
    text
}

/// The UTF-16 units of modified UTF-8.
struct Units<'a>(&'a [u8]);

impl Iterator for Units<'_> {
    type Item = u16;

    fn next(&mut self) -> Option<u16> {
        let tail = |byte: u8| u16::from(byte & 0x3f);
        let (unit, length) = match *self.0 {
            [] => return None,
            [a, ..] if a < 0x80 => (u16::from(a), 1),
            [a, b, ..] if a >> 5 == 0b110 && b >> 6 == 0b10 => {
                (u16::from(a & 0x1f) << 6 | tail(b), 2)
            }
            [a, b, c, ..] if a >> 4 == 0b1110 && b >> 6 == 0b10 && c >> 6 == 0b10 => {
                (u16::from(a & 0xf) << 12 | tail(b) << 6 | tail(c), 3)
            }
            _ => (char::REPLACEMENT_CHARACTER as u16, 1),
        };
        self.0 = &self.0[length..];
        Some(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn what_only_class_files_have() {
        assert_eq!(decode("plain äöü \u{2028}".as_bytes()), "plain äöü \u{2028}");
        assert_eq!(decode(b"nul \xc0\x80."), "nul \0.");
        assert_eq!(decode(b"\xed\xa0\xbd\xed\xb8\x80!"), "\u{1f600}!");
        assert_eq!(decode(b"half \xed\xa0\x80."), "half \\ud800.");
        assert_eq!(decode(b"\xff\xc3"), "\u{fffd}\u{fffd}");
    }
}
