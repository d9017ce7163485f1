//! Any bytes, imported as profiles of OpenTelemetry.

#![no_main]

mod import;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| import::check(bytes, |files| formats::import::otlp::read(files)));
