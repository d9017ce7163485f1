//! Programs, one for each feature of the language and the JVM, recorded and
//! witnessed on every JDK found (as in `tests/end-to-end`).
//!
//! - `SUBSUME_WITNESS=NAME` runs one program, or those whose names begin so;
//! - `SUBSUME_AGENT=PATH` tests another profiler library than a fresh build.

mod agreement;
mod classes;
mod features;
mod lines;
