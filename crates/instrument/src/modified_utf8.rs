//! Names as the JVM has them: modified UTF-8 (JVMS 4.4.7).
//!
//! Class files, JVM TI and the load hook all hand over names in this form, and the
//! agent keeps and compares them as bytes. [`decode`] is the one place where a name
//! becomes text, for the profile, for messages, and for the user's patterns; a lint
//! (`clippy.toml`) keeps other decoders out. Java strings cross JNI as UTF-16
//! (the agent's `jvm/jni.rs`), so no text is ever encoded.

use std::borrow::Cow;

/// Decodes modified UTF-8. Names may hold halves of surrogate pairs, which no
/// other text can: they become `\ud800` and the like, so that two classes whose
/// names differ in nothing else stay two. Bytes that are not text become a
/// replacement character.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    // The same for all characters but U+0000 and those beyond U+FFFF, and those
    // are not valid UTF-8 in class files.
    #[allow(clippy::disallowed_methods, reason = "this is the decoder")]
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for unit in char::decode_utf16(Units(bytes)) {
        match unit {
            Ok(c) => text.push(c),
            Err(half) => text.push_str(&format!("\\u{:04x}", half.unpaired_surrogate())),
        }
    }
    Cow::Owned(text)
}

/// The internal name of a class, from its signature; an array's has none.
pub fn class_in(signature: &[u8]) -> Option<&[u8]> {
    signature.strip_prefix(b"L")?.strip_suffix(b";")
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
    use super::*;

    #[test]
    fn what_only_class_files_have() {
        assert_eq!(decode("plain äöü \u{2028}".as_bytes()), "plain äöü \u{2028}");
        assert_eq!(decode(b"nul \xc0\x80."), "nul \0.");
        assert_eq!(decode(b"\xed\xa0\xbd\xed\xb8\x80!"), "\u{1f600}!");
        assert_eq!(decode(b"half \xed\xa0\x80."), "half \\ud800.");
        assert_eq!(decode(b"\xff\xc3"), "\u{fffd}\u{fffd}");
    }

    #[test]
    fn only_classes_have_internal_names() {
        assert_eq!(class_in(b"La/B;"), Some(b"a/B".as_slice()));
        assert_eq!(class_in(b"[La/B;"), None);
        assert_eq!(class_in(b"I"), None);
    }
}
