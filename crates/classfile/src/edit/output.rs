//! Big-endian numbers at the end of a growing class file, and in its middle
//! once they are known.

#[inline]
pub(crate) fn put_u2(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_be_bytes());
}

#[inline]
pub(crate) fn put_u4(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_be_bytes());
}

/// Appends `source[start..end]`, or nothing if there is no such range.
///
/// Nearly all pieces of code are short. Copying sixteen bytes and forgetting
/// the last of them takes two moves; copying a few takes a call.
#[inline]
pub(crate) fn put_piece(out: &mut Vec<u8>, source: &[u8], start: usize, end: usize) {
    let length = end.wrapping_sub(start);
    if length <= 16
        && let Some(sixteen) = source.get(start..).and_then(<[u8]>::first_chunk::<16>)
    {
        out.extend_from_slice(sixteen);
        out.truncate(out.len() - (16 - length));
    } else {
        out.extend_from_slice(source.get(start..end).unwrap_or_default());
    }
}

/// Overwrites a `u2` that was put before.
pub(crate) fn patch_u2(out: &mut [u8], at: usize, value: u16) {
    if let Some(place) = out.get_mut(at..at + 2) {
        place.copy_from_slice(&value.to_be_bytes());
    }
}

/// Overwrites a `u4` that was put before.
pub(crate) fn patch_u4(out: &mut [u8], at: usize, value: u32) {
    if let Some(place) = out.get_mut(at..at + 4) {
        place.copy_from_slice(&value.to_be_bytes());
    }
}
