//! Where fields lie, by the numbers that JNI and JVM TI have for them.
//!
//! Neither interface tells offsets. HotSpot keeps them in its ids of fields: that of an
//! instance field is the offset above two bits, that of a static one the address of a
//! structure (`JNIid`). Nothing promises that, so modes that rely on it compare both with what
//! `Unsafe` says before anything is recorded (`known_field_ids`).

use jvmti_bindings::sys::jni::jfieldID;

use super::vm_output::is_writable;

/// The lowest bits of the id of an instance field. (The lowest one says that there is a hash
/// above the offset, in builds for debugging.)
const INSTANCE: usize = 2;
const KIND: usize = 3;
/// In a `JNIid`, behind two pointers.
const OFFSET_IN_ID: usize = 16;

/// The offset of a live field of a class.
pub fn offset_of(field: jfieldID, is_static: bool) -> u64 {
    if !is_static {
        return field as u64 >> 2;
    }
    // SAFETY: the id of a static field of a live class, which is as long as the class. That
    // it is an address with the offset there was compared with the JVM's own answer at the
    // start, or what asks for offsets is not in use.
    unsafe { field.cast::<u8>().add(OFFSET_IN_ID).cast::<u32>().read() }.into()
}

/// The offset in an id that may be anything: an id of another kind is not followed.
pub fn offset_if_sound(field: jfieldID, is_static: bool, mappings: &str) -> Option<u64> {
    let id = field.addr();
    let is_sound = match is_static {
        false => id & KIND == INSTANCE,
        true => {
            id.is_multiple_of(align_of::<usize>())
                && is_writable(mappings, (id + OFFSET_IN_ID) as u64) == Some(true)
        }
    };
    is_sound.then(|| offset_of(field, is_static))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_id_is_not_followed() {
        let mappings = std::fs::read_to_string("/proc/self/maps").expect("a process has some");
        let id = |number: usize| std::ptr::without_provenance_mut(number);
        assert_eq!(offset_if_sound(id(12 << 2 | INSTANCE), false, &mappings), Some(12));
        for other in [0, 1, 3] {
            assert_eq!(offset_if_sound(id(12 << 2 | other), false, &mappings), None);
        }
        let structure = [1_u64, 2, 0xFFFF_FFFF_0000_0068];
        let at = (&raw const structure).cast_mut().cast();
        assert_eq!(offset_if_sound(at, true, &mappings), Some(0x68));
        for nowhere in [12 << 2 | INSTANCE, 0x1000, usize::MAX - 63] {
            assert_eq!(offset_if_sound(id(nowhere), true, &mappings), None, "{nowhere:x}");
        }
    }
}
