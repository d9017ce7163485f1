//! Any bytes, imported as JP2's text.

#![no_main]

mod import;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| import::check(bytes, |files| formats::import::jp2::read(files)));
