//! Class files that name something beyond their constant pool.
//!
//! The JVM refuses such a class. If anything were appended to its constants,
//! the index could name that, and the class could become a valid one.

use classfile::ClassFile;

/// True if a name or descriptor of a member, or an interface, is none.
///
/// Indices in attributes are not looked at.
pub fn has_dangling_names(class: &ClassFile<'_>) -> bool {
    let is_named = |name: &[u8], descriptor: &[u8]| !name.is_empty() && !descriptor.is_empty();
    let mut members = class.fields().iter().chain(class.methods().iter());
    !members.all(|member| is_named(member.name(), member.descriptor()))
        || class.interfaces().any(|interface| interface.is_err())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A class with four constants, one interface and a field.
    fn class([interface, name, descriptor]: [u8; 3]) -> Vec<u8> {
        let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61, 0, 5];
        bytes.extend([1, 0, 1, b'A', 7, 0, 1, 1, 0, 1, b'f', 1, 0, 1, b'I']);
        bytes.extend([0, 0x21, 0, 2, 0, 2, 0, 1, 0, interface]);
        bytes.extend([0, 1, 0, 0, 0, name, 0, descriptor, 0, 0]);
        bytes.extend([0; 4]);
        bytes
    }

    #[test]
    fn indices_beyond_the_pool_dangle() {
        let dangles = |indices| {
            let bytes = class(indices);
            has_dangling_names(&ClassFile::parse(&bytes).expect("it can be read"))
        };
        assert!(!dangles([2, 3, 4]));
        for indices in [[5, 3, 4], [2, 5, 4], [2, 3, 5], [2, 2, 4]] {
            assert!(dangles(indices), "{indices:?}");
        }
    }
}
