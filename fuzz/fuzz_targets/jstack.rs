//! Any bytes, imported as thread dumps.

#![no_main]

mod import;

use formats::import::jstack::{Threads, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    import::check(bytes, |files| read(files, Threads::All).map(|dumps| dumps.profile));
});
