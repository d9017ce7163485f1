//! Mutations of class files, reproducible from a seed.
//!
//! Some mutations know nothing of the format; most keep the file readable
//! for longer, so that damage reaches code, tables and frames
//! instead of stopping at the constant pool.

use support::random::Random;

/// Values that sit at the edges of the format's fields.
const EDGES: [u16; 12] = [0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xfffe, 0xffff, 0xc4c4];

/// Opcodes with special rules: switches, `wide`, subroutines, calls, `new`,
/// exits, and two that do not exist.
const OPCODES: [u8; 20] = [
    0x00, 0x10, 0x84, 0x99, 0xa7, 0xa8, 0xa9, 0xaa, 0xab, 0xac, 0xb1, 0xb7, 0xb8, 0xb9, 0xba, 0xbb,
    0xbf, 0xc4, 0xc8, 0xfe,
];

/// Changes the class file at the start of a buffer, as fuzzers want it; its new
/// length, which is at most `max_size`.
pub fn mutate_in_place(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut bytes = data[..size].to_vec();
    mutate(&mut bytes, &mut Random(seed.into()));
    let length = bytes.len().min(max_size);
    data[..length].copy_from_slice(&bytes[..length]);
    length
}

/// Changes a class file in one to six places.
pub fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    let places = 1 + random.index(6);
    for _ in 0..places {
        mutate_once(bytes, random);
    }
}

fn mutate_once(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() {
        bytes.push(random.byte());
        return;
    }
    let at = random.index(bytes.len());
    match random.index(24) {
        0 => bytes[at] ^= 1 << random.index(8),
        1 => bytes[at] = random.byte(),
        2 => bytes[at] = OPCODES[random.index(OPCODES.len())],
        3 => write_u16(bytes, at, EDGES[random.index(EDGES.len())]),
        4 => {
            // Neighbouring values: off-by-one errors in lengths and offsets.
            let step = 1 + random.index(3) as u8;
            bytes[at] = if random.index(2) == 0 {
                bytes[at].wrapping_add(step)
            } else {
                bytes[at].wrapping_sub(step)
            };
        }
        5 => bytes.truncate(at),
        6 => {
            let end = (at + 1 + random.index(16)).min(bytes.len());
            bytes.drain(at..end);
        }
        7 => {
            let count = 1 + random.index(16);
            let fresh: Vec<u8> = (0..count).map(|_| random.byte()).collect();
            bytes.splice(at..at, fresh);
        }
        8 => {
            // Another part of the same file: often still a sensible structure.
            let from = random.index(bytes.len());
            let count = random.index(32).min(bytes.len() - from).min(bytes.len() - at);
            bytes.copy_within(from..from + count, at);
        }
        9 | 10 => damage_attribute_length(bytes, random),
        // Most mutations go where most of the work is done.
        _ => damage_code(bytes, random),
    }
}

fn write_u16(bytes: &mut [u8], at: usize, value: u16) {
    for (target, byte) in bytes[at..].iter_mut().zip(value.to_be_bytes()) {
        *target = byte;
    }
}

/// Changes a byte near an instruction that ends a method: there the code is,
/// and behind it the exception table and the code's attributes.
fn damage_code(bytes: &mut [u8], random: &mut Random) {
    let returns: Vec<usize> = bytes
        .iter()
        .enumerate()
        .filter(|(_, byte)| (0xac..=0xb1).contains(*byte))
        .map(|(at, _)| at)
        .collect();
    if returns.is_empty() {
        return;
    }
    let near = returns[random.index(returns.len())] + random.index(48);
    let at = near.saturating_sub(24).min(bytes.len() - 1);
    bytes[at] =
        if random.index(2) == 0 { OPCODES[random.index(OPCODES.len())] } else { random.byte() };
}

/// Changes the low byte of something that looks like the four-byte length of
/// an attribute.
fn damage_attribute_length(bytes: &mut [u8], random: &mut Random) {
    let lengths: Vec<usize> = bytes
        .windows(4)
        .enumerate()
        .filter(|(_, window)| window[0] == 0 && window[1] == 0 && window[3] != 0)
        .map(|(at, _)| at + 3)
        .collect();
    if !lengths.is_empty() {
        bytes[lengths[random.index(lengths.len())]] = random.byte();
    }
}
