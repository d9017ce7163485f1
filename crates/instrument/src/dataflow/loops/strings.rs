//! Strings as values.
//!
//! That a string is compared, hashed or copied is one step of a program, like the same of
//! a number: what the string's own code reads for it are no reads of a loop. Otherwise
//! names with a common beginning would make any loop over them similar. Only code that
//! goes through the characters one after the other reads them.

/// The classes of which strings consist.
const CLASSES: [&[u8]; 8] = [
    b"java/lang/String",
    b"java/lang/StringLatin1",
    b"java/lang/StringUTF16",
    b"java/lang/StringConcatHelper",
    b"java/lang/StringCoding",
    b"java/lang/AbstractStringBuilder",
    b"java/lang/StringBuilder",
    b"java/lang/StringBuffer",
];

/// What they call to hash their characters, since Java 21.
const HASHES: [&[u8]; 4] =
    [b"hashCodeOfUTF16", b"hashCodeOfUnsigned", b"unsignedHashCode", b"utf16hashCode"];

/// Beginnings of the names of their methods that look at single characters.
const LOOK: [&[u8]; 5] =
    [b"charAt", b"codePointAt", b"codePointBefore", b"indexOf", b"lastIndexOf"];

/// True for a method that handles strings as a whole, or takes in bytes for a digest.
pub fn handles_whole_strings(class: &[u8], method: &[u8]) -> bool {
    // Digests pad what they hash with constants.
    if class == b"sun/security/provider/DigestBase" {
        return true;
    }
    let hashes = class == b"jdk/internal/util/ArraysSupport" && HASHES.contains(&method);
    hashes || CLASSES.contains(&class) && !LOOK.iter().any(|&name| method.starts_with(name))
}

/// True for methods that copy an array for their caller, of which strings are made, too.
pub fn copies_for_caller(class: &[u8], method: &[u8]) -> bool {
    class == b"java/util/Arrays" && method.starts_with(b"copyOf")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn to_look_at_characters_is_to_read() {
        assert!(handles_whole_strings(b"java/lang/StringLatin1", b"equals"));
        assert!(!handles_whole_strings(b"java/lang/StringLatin1", b"indexOfChar"));
        assert!(!handles_whole_strings(b"java/lang/String", b"charAt"));
        assert!(!handles_whole_strings(b"java/util/ArrayList", b"equals"));
        assert!(handles_whole_strings(b"sun/security/provider/DigestBase", b"engineUpdate"));
        let hashes = |method| handles_whole_strings(b"jdk/internal/util/ArraysSupport", method);
        assert!(copies_for_caller(b"java/util/Arrays", b"copyOfRange"));
        assert!(!copies_for_caller(b"java/util/Arrays", b"equals"));
        assert!(hashes(b"unsignedHashCode") && !hashes(b"signedHashCode"));
    }
}
