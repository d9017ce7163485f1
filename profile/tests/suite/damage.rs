//! Damaged files: an error or a valid profile, never a panic or a hang.

use crate::live_builder::live_from;
use crate::random_profile::{Shape, random_profile};
use profile::Profile;
use profile::metadata::Record;

fn small() -> Profile {
    random_profile(1, &Shape { contexts: 60, methods: 6, threads: 2, depth: 9 })
}

fn compact() -> Vec<u8> {
    let mut bytes = Vec::new();
    profile::write(&small(), &mut bytes).unwrap();
    bytes
}

fn live() -> Vec<u8> {
    let mut live = live_from(&mut small());
    live.record(&Record::End { reason: "exit".into(), end_millis: 1 });
    live.bytes()
}

/// True if the bytes are a profile; it then is a valid one.
fn readable(bytes: &[u8]) -> bool {
    match profile::read(bytes) {
        Ok(profile) => {
            profile.validate().unwrap();
            true
        }
        Err(error) => {
            assert!(!error.to_string().contains('\n'));
            assert!(error.offset().is_none_or(|offset| offset <= 1 << 35), "{error}");
            false
        }
    }
}

/// Every file that differs from `bytes` in one bit or one byte.
fn each_flip(bytes: &[u8], mut check: impl FnMut(usize, &[u8])) {
    let mut damaged = bytes.to_vec();
    for at in 0..bytes.len() {
        for mask in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
            damaged[at] = bytes[at] ^ mask;
            check(at, &damaged);
        }
        damaged[at] = bytes[at];
    }
}

#[test]
fn every_cut_of_a_compact_file_is_found() {
    let bytes = compact();
    for len in 0..bytes.len() {
        assert!(!readable(&bytes[..len]), "{len} of {} bytes", bytes.len());
    }
    assert!(readable(&bytes));
}

#[test]
fn every_flipped_bit_of_a_compact_file_is_found() {
    each_flip(&compact(), |at, bytes| assert!(!readable(bytes), "byte {at}"));
}

#[test]
fn every_cut_of_a_live_file_is_found() {
    let bytes = live();
    for len in 0..bytes.len() {
        assert!(!readable(&bytes[..len]), "{len} of {} bytes", bytes.len());
    }
    assert!(readable(&bytes));
}

#[test]
fn flipped_bits_of_a_live_file_do_no_harm() {
    let mut found = 0;
    each_flip(&live(), |_, bytes| found += u32::from(!readable(bytes)));
    // A live file has no checksums, but most links and lengths do matter.
    assert!(found > 1_000, "only {found} flips were found");
}

#[test]
fn bytes_behind_the_end_are_found() {
    let mut bytes = compact();
    let end = bytes.len() as u64;
    bytes.push(0);
    assert_eq!(profile::read(&bytes).unwrap_err().offset(), Some(end));
}

#[test]
fn other_files_are_refused_by_name() {
    let error = profile::read(b"main;a;b 5\n").unwrap_err();
    assert!(error.to_string().contains("not a profile"), "{error}");
    let mut later = compact();
    later[8] = 9;
    let error = profile::read(&later).unwrap_err();
    assert!(error.to_string().contains("version 9"), "{error}");
    let error = profile::read_file(std::path::Path::new("no/such/file")).unwrap_err();
    assert!(error.is_io(), "{error}");
}
