//! Any bytes, imported as a recording of Flight Recorder.

#![no_main]

mod import;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| import::check(bytes, |files| formats::import::jfr::read(files)));
