//! Hashes of constant pool entries.

/// FxHash over eight bytes at a time: entries are short and trusted not to be
/// chosen against it, since only the editor's user appends them.
#[inline]
pub(crate) fn hash(bytes: &[u8]) -> usize {
    const SEED: u64 = 0x517c_c1b7_2722_0a95;
    let mix = |hash: u64, chunk: u64| (hash.rotate_left(5) ^ chunk).wrapping_mul(SEED);
    let (chunks, rest) = bytes.as_chunks::<8>();
    let mut hash = bytes.len() as u64;
    for chunk in chunks {
        hash = mix(hash, u64::from_le_bytes(*chunk));
    }
    let rest = rest.iter().fold(0, |rest, &byte| rest << 8 | u64::from(byte));
    (mix(hash, rest) >> 32) as usize
}
