//! Numbers in LEB128: seven bits a byte, the lowest first, and the highest bit
//! of each byte but the last is set (DWARF 5, 7.6; protocol buffers call them
//! varints).

/// Appends a number, 1 to 10 bytes.
#[inline]
pub fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The number at `position`, which is moved past it; nothing (and an unmoved
/// position) if the bytes end first or the number has more than 64 bits.
#[inline]
pub fn get(bytes: &[u8], position: &mut usize) -> Option<u64> {
    let first = *bytes.get(*position)?;
    if first < 0x80 {
        *position += 1;
        return Some(u64::from(first));
    }
    get_long(bytes, position)
}

fn get_long(bytes: &[u8], position: &mut usize) -> Option<u64> {
    let mut value = 0u64;
    for (i, &byte) in bytes.get(*position..)?.iter().take(10).enumerate() {
        let bits = u64::from(byte & 0x7f);
        // The tenth byte has room for one bit only.
        if i == 9 && bits > 1 {
            return None;
        }
        value |= bits << (7 * i);
        if byte < 0x80 {
            *position += i + 1;
            return Some(value);
        }
    }
    None
}

/// As [`get`], in the form of the JDK's Flight Recorder, which takes 9 bytes at
/// most: the ninth has eight bits of the number.
pub fn get_in_nine_bytes(bytes: &[u8], position: &mut usize) -> Option<u64> {
    let mut value = 0u64;
    for (i, &byte) in bytes.get(*position..)?.iter().take(9).enumerate() {
        let bits = if i == 8 { byte } else { byte & 0x7f };
        value |= u64::from(bits) << (7 * i);
        if i == 8 || byte < 0x80 {
            *position += i + 1;
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_length_round_trip() {
        let mut out = Vec::new();
        let values: Vec<u64> =
            (0..64).flat_map(|bit| [1u64 << bit, (1u64 << bit) - 1, u64::MAX >> bit]).collect();
        for &value in &values {
            put(&mut out, value);
        }
        let mut position = 0;
        for &value in &values {
            assert_eq!(get(&out, &mut position), Some(value));
        }
        assert_eq!(position, out.len());
    }

    #[test]
    fn numbers_that_do_not_end_or_do_not_fit_are_refused() {
        assert_eq!(get(&[0x80], &mut 0), None);
        assert_eq!(get(&[0xff; 9], &mut 0), None);
        assert_eq!(get(&[0xff; 20], &mut 0), None);
        let mut largest = [0xff; 10];
        largest[9] = 1;
        assert_eq!(get(&largest, &mut 0), Some(u64::MAX));
        largest[9] = 2;
        assert_eq!(get(&largest, &mut 0), None);
    }

    #[test]
    fn nine_bytes_hold_all_bits() {
        let mut position = 0;
        assert_eq!(get_in_nine_bytes(&[0xff; 10], &mut position), Some(u64::MAX));
        assert_eq!(position, 9);
        assert_eq!(get_in_nine_bytes(&[0xff; 8], &mut 0), None);
        assert_eq!(get_in_nine_bytes(&[0xac, 0x02], &mut 0), Some(300));
        assert_eq!(get_in_nine_bytes(&[], &mut 7), None);
    }
}
