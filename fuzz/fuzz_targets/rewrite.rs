//! Any bytes: read, written and rewritten, they never break a promise of the
//! `classfile` crate (see `verifier::invariants`).

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use verifier::invariants::check;
use verifier::mutation::mutate_in_place;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
});

// libFuzzer's own mutations know coverage, ours know where class files are
// fragile; they take turns.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed.is_multiple_of(2) {
        fuzzer_mutate(data, size, max_size)
    } else {
        mutate_in_place(data, size, max_size, seed)
    }
});
