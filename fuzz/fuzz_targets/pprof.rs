//! Any bytes, imported as a profile of pprof.

#![no_main]

mod import;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| import::check(bytes, |files| formats::import::pprof::read(files)));
