//! Damaged files: an error or a valid profile, never a panic or a hang.

use made_profiles::live::live_from;
use made_profiles::random::{Shape, random_profile};
use made_profiles::sections::{sections, sign};
use subsume_profile::layout::ARENA_OFFSET;
use subsume_profile::metadata::Record;
use subsume_profile::{Completeness, Ending, Image, Profile, SliceImage, write_compact_from_live};

fn of(contexts: u32) -> Profile {
    random_profile(1, &Shape { contexts, methods: 6, threads: 2, depth: 9 })
}

fn small() -> Profile {
    of(60)
}

fn written(profile: &Profile) -> Vec<u8> {
    let mut bytes = Vec::new();
    subsume_profile::write(profile, &mut bytes).unwrap();
    bytes
}

fn compact() -> Vec<u8> {
    written(&small())
}

/// A file that is so small that nothing is compressed, and one whose columns are.
fn compacts() -> [Vec<u8>; 2] {
    let mut profile = of(520);
    for metric in &mut profile.nodes.metrics {
        metric.values.fill(1);
    }
    let compressed = written(&profile);
    assert!(compressed.len() < 520 * 5, "{} bytes", compressed.len());
    [compact(), compressed]
}

fn live() -> Vec<u8> {
    let mut live = live_from(&mut small());
    live.record(&Record::End { reason: "exit".into(), end_millis: 1 });
    live.bytes()
}

/// True if the bytes are a profile; it then is a valid one.
fn readable(bytes: &[u8]) -> bool {
    match subsume_profile::read(bytes) {
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
    for bytes in compacts() {
        for len in 0..bytes.len() {
            assert!(!readable(&bytes[..len]), "{len} of {} bytes", bytes.len());
        }
        assert!(readable(&bytes));
    }
}

#[test]
fn every_flipped_bit_of_a_compact_file_is_found() {
    for whole in compacts() {
        each_flip(&whole, |at, bytes| assert!(!readable(bytes), "byte {at}"));
    }
}

#[test]
fn damage_with_right_checksums_does_no_harm() {
    for bytes in compacts() {
        let mut found = 0;
        for (start, end) in sections(&bytes) {
            let mut damaged = bytes.clone();
            for at in start..end {
                for mask in [1, 2, 16, 64, 128, 255] {
                    damaged[at] = bytes[at] ^ mask;
                    sign(&mut damaged[start..end]);
                    found += u32::from(!readable(&damaged));
                }
                damaged[at] = bytes[at];
            }
        }
        assert!(found > 1_000, "only {found} changes were found");
    }
}

#[test]
fn sections_that_are_shorter_missing_or_doubled_do_no_harm() {
    for bytes in compacts() {
        for (start, end) in sections(&bytes) {
            for len in 16..end - start {
                let mut section = bytes[start..start + len].to_vec();
                section[8..16].copy_from_slice(&(len as u64 - 16).to_le_bytes());
                sign(&mut section);
                assert!(!readable(&[&bytes[..start], &section, &bytes[end..]].concat()));
            }
            assert!(!readable(&[&bytes[..start], &bytes[end..]].concat()));
            assert!(!readable(&[&bytes[..end], &bytes[start..]].concat()));
        }
    }
}

#[test]
fn unknown_sections_are_passed_over() {
    let bytes = compact();
    let (end_start, _) = *sections(&bytes).last().unwrap();
    let mut unknown = vec![0; 20];
    unknown[0] = 99;
    unknown[8] = 4;
    sign(&mut unknown);
    let mut end = bytes[end_start..].to_vec();
    end[24] += 1;
    sign(&mut end);
    assert!(readable(&[&bytes[..end_start], &unknown, &end].concat()));
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

/// A live profile of which parts were taken away while it was written.
struct LacksParts<'a>(SliceImage<'a>);

impl Image for LacksParts<'_> {
    fn words(&self) -> u32 {
        self.0.words()
    }

    fn word(&self, index: u32) -> u32 {
        self.0.word(index)
    }

    fn lacks_parts(&self) -> bool {
        true
    }

    fn header_u64(&self, byte_offset: usize) -> u64 {
        self.0.header_u64(byte_offset)
    }

    fn header_u32(&self, byte_offset: usize) -> u32 {
        self.0.header_u32(byte_offset)
    }

    fn bytes(&self, word: u32, len: usize, out: &mut Vec<u8>) {
        self.0.bytes(word, len, out);
    }
}

#[test]
fn what_lies_before_parts_that_were_taken_away_is_read() {
    let bytes = live();
    let whole = subsume_profile::read(&bytes).unwrap();
    let mut methods_read = Vec::new();
    // Memory is taken away by pages, so no word in part.
    for taken in (ARENA_OFFSET..bytes.len()).step_by(4) {
        let mut damaged = bytes.clone();
        damaged[taken..].fill(0);
        let mut compact = Vec::new();
        let ending = Ending { completeness: Completeness::CutShort, active: None };
        let image = LacksParts(SliceImage::new(&damaged).unwrap());
        write_compact_from_live(&image, ending, &mut compact)
            .unwrap_or_else(|error| panic!("from {taken} on: {error}"));
        let read = subsume_profile::read(&compact).unwrap();
        read.validate().unwrap();
        assert!(whole.classes.starts_with(&read.classes), "from {taken} on");
        assert!(whole.methods.starts_with(&read.methods), "from {taken} on");
        methods_read.push(read.methods.len());
    }
    methods_read.dedup();
    assert!(methods_read.is_sorted() && methods_read[0] == 0, "{methods_read:?}");
    assert_eq!(methods_read.last(), Some(&whole.methods.len()));
}

#[test]
fn a_small_file_cannot_ask_for_much_memory() {
    let mut profile = small();
    let long = "x".repeat(100_000);
    profile.skipped = vec![Default::default(); 1_000];
    for skipped in &mut profile.skipped {
        skipped.reason.clone_from(&long);
    }
    let bytes = written(&profile);
    assert!(bytes.len() < 200_000);
    let error = subsume_profile::read(&bytes).unwrap_err();
    assert!(error.to_string().contains("beyond all measure"), "{error}");
}

#[test]
fn bytes_behind_the_end_are_found() {
    let mut bytes = compact();
    let end = bytes.len() as u64;
    bytes.push(0);
    assert_eq!(subsume_profile::read(&bytes).unwrap_err().offset(), Some(end));
}

#[test]
fn other_files_are_refused_by_name() {
    let error = subsume_profile::read(b"main;a;b 5\n").unwrap_err();
    assert!(error.to_string().contains("not a profile"), "{error}");
    let mut later = compact();
    let version = subsume_profile::layout::COMPACT_VERSION + 1;
    later[8..10].copy_from_slice(&version.to_le_bytes());
    let error = subsume_profile::read(&later).unwrap_err();
    assert!(error.to_string().contains(&format!("version {version}")), "{error}");
    let error = subsume_profile::read_file(std::path::Path::new("no/such/file")).unwrap_err();
    assert_eq!(error.io_kind(), Some(std::io::ErrorKind::NotFound), "{error}");
}
