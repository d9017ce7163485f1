//! How the JVM lays arrays out, as far as it tells: by the sizes of arrays.
//!
//! The sizes of arrays of 0, 1, 2 and more elements grow by steps of the alignment of objects.
//! The first step says where the elements begin, the distance of the next one how large they are.
//! So nothing is taken for granted of headers, compressed pointers and alignment.

use jvmti_bindings::sys::jni::jobject;

use super::jni::Jni;
use super::jvmti::Jvmti;

/// More elements of a byte than any alignment has bytes, twice.
const MOST_ELEMENTS: usize = 1 << 10;

/// How arrays of one kind of elements are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrays {
    /// Sizes are multiples of it.
    pub alignment: i32,
    /// Bytes of an element.
    pub element: i32,
    /// Where the first element is.
    pub first: i32,
}

impl Arrays {
    /// Of the sizes of arrays by their lengths; `None` if they do not grow in such steps.
    pub fn of(mut size_of: impl FnMut(usize) -> Option<i64>) -> Option<Self> {
        let empty = size_of(0)?;
        let (mut size, mut steps) = (empty, Vec::new());
        for length in 1..MOST_ELEMENTS {
            let next = size_of(length)?;
            if next > size {
                steps.push((length as i64, next - size));
                size = next;
            }
            if let [(first, alignment), (second, again)] = steps[..] {
                let element = alignment / (second - first);
                let is_sound = alignment == again && element * (second - first) == alignment;
                return is_sound.then_some(Self {
                    alignment: i32::try_from(alignment).ok()?,
                    element: i32::try_from(element).ok()?,
                    first: i32::try_from(empty - element * (first - 1)).ok()?,
                });
            }
        }
        None
    }
}

/// How a JVM lays arrays out.
#[derive(Debug, Clone, Copy)]
pub struct ObjectLayout {
    /// Arrays of bytes; those of elements of two and four bytes begin there, too.
    pub bytes: Arrays,
    /// Arrays of elements of eight bytes.
    pub longs: Arrays,
    /// Arrays of references.
    pub references: Arrays,
}

impl ObjectLayout {
    /// Of this JVM.
    pub fn of(jni: Jni, jvmti: Jvmti) -> Option<Self> {
        let size = |array: Option<jobject>| {
            let array = array?;
            let size = jvmti.object_size(array).ok();
            jni.forget_local(array);
            size
        };
        Some(Self {
            bytes: Arrays::of(|length| size(jni.byte_array(&vec![0; length])))?,
            longs: Arrays::of(|length| size(jni.long_array(&vec![0; length])))?,
            references: Arrays::of(|length| size(jni.empty_references(length as i32)))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_tell_the_layout() {
        for alignment in [8, 16, 32, 256] {
            for (element, first) in [(1, 16), (1, 12), (1, 20), (4, 12), (4, 16), (8, 16), (8, 24)]
            {
                let size = |length: usize| {
                    let end = i64::from(first) + length as i64 * i64::from(element);
                    Some((end + alignment - 1) / alignment * alignment)
                };
                let expected = Arrays { alignment: alignment as i32, element, first };
                assert_eq!(Arrays::of(size), Some(expected), "{alignment} {element} {first}");
            }
        }
        assert_eq!(Arrays::of(|_| Some(16)), None);
        assert_eq!(Arrays::of(|_| None), None);
    }
}
