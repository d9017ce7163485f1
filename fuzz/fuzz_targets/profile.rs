//! Any bytes, read as a profile in either form, are an error or a profile that
//! keeps all rules; what was read can be written, and reads again the same.

#![no_main]

use std::io::sink;

use analysis::subsuming::{Subsuming, Thresholds};
use formats::export::folded;
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use profile::{Columns, Completeness, Ending, Image, Profile, SliceImage, write_compact_from_live};
use tree::Tree;
use tree::forest::Selection;
use tree::names::pattern::Pattern;

fuzz_target!(|bytes: &[u8]| {
    let with_some_columns = profile::read_with(bytes, &Columns::only(&["calls"]));
    let Ok(profile) = profile::read(bytes) else { return };
    profile.validate().expect("what was read keeps all rules");
    let fewer = with_some_columns.expect("fewer columns are no harder to read");
    assert_eq!(fewer.nodes.parent, profile.nodes.parent);

    let mut written = Vec::new();
    profile::write(&profile, &mut written).expect("what was read can be written");
    let again = profile::read(&written).expect("what was written can be read");
    assert_same(&profile, &again);

    if let Ok(image) = SliceImage::new(bytes) {
        // A compact file of this size gets this far too, and is refused.
        let mut converted = Vec::new();
        let active: Vec<u32> = (0..image.words()).step_by(7).collect();
        let ending = Ending { completeness: Completeness::Snapshot, active: Some(&active) };
        let done = write_compact_from_live(&image, ending, &mut converted);
        if done.is_ok() {
            profile::read(&converted).expect("a converted profile can be read");
        }
    }
    analyse(profile);
});

fn assert_same(left: &Profile, right: &Profile) {
    assert_eq!(left.classes, right.classes);
    assert_eq!(left.methods, right.methods);
    assert_eq!(left.threads, right.threads);
    assert_eq!(left.skipped, right.skipped);
    assert_eq!(left.nodes.method, right.nodes.method);
    assert_eq!(left.nodes.parent, right.nodes.parent);
    assert_eq!(left.nodes.site, right.nodes.site);
    assert_eq!(left.nodes.metrics, right.nodes.metrics);
}

/// What the command does with a profile; its numbers are proved elsewhere.
fn analyse(profile: Profile) {
    let selection = Selection { call_sites: true, ..Selection::default() };
    let Ok(tree) = Tree::merge(vec![("fuzzed".to_owned(), profile)], &selection) else { return };
    let analysis =
        Subsuming::analyse(&tree, Thresholds { height: 1, distance: 1 }, &Pattern::new(""));
    let induced: u64 = analysis.subsuming().map(|method| analysis.induced[method]).sum();
    assert!(induced <= tree.total(), "induced costs are parts of the whole");
    folded::write(&tree, &folded::Stacks::default(), true, &mut sink())
        .expect("a sink takes everything");
}

// The checksums of the compact form would stop nearly every mutation at the
// door. Three of four mutated inputs get new ones.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let size = fuzzer_mutate(data, size, max_size);
    if !seed.is_multiple_of(4) {
        sign_sections(&mut data[..size]);
    }
    size
});

/// Puts right the checksum of each section of a compact profile, as far as the
/// chain of sections can be followed.
fn sign_sections(bytes: &mut [u8]) {
    const START: usize = 16;
    const SECTION_HEADER: usize = 16;
    if !bytes.starts_with(b"SUBSUME\n") || bytes.get(10) != Some(&2) {
        return;
    }
    let Some((_, mut rest)) = bytes.split_at_mut_checked(START) else { return };
    while let Some((header, payloads)) = rest.split_at_mut_checked(SECTION_HEADER) {
        let (signed, length) = header.split_at(8);
        let length = length.try_into().map_or(u64::MAX, u64::from_le_bytes);
        let Some((payload, next)) =
            usize::try_from(length).ok().and_then(|length| payloads.split_at_mut_checked(length))
        else {
            return;
        };
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&signed[..4]);
        hasher.update(&length.to_le_bytes());
        hasher.update(payload);
        header[4..8].copy_from_slice(&hasher.finalize().to_le_bytes());
        rest = next;
    }
}
