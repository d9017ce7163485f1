//! Any bytes, imported as a call graph of Callgrind.

#![no_main]

mod import;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| import::check(bytes, |files| formats::import::callgrind::read(files)));
