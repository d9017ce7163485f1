//! The sections of a compact file, as far as tests of damage need them.

/// Start and end of each section of a compact file, header included.
pub fn sections(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut sections = Vec::new();
    let mut start = 16;
    while start < bytes.len() {
        let length = u64::from_le_bytes(bytes[start + 8..start + 16].try_into().unwrap());
        sections.push((start, start + 16 + length as usize));
        start += 16 + length as usize;
    }
    sections
}

/// Makes the checksum of a section right again.
pub fn sign(section: &mut [u8]) {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&section[..4]);
    hasher.update(&section[8..]);
    section[4..8].copy_from_slice(&hasher.finalize().to_le_bytes());
}
