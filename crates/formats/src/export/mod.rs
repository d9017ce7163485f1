//! Writers of other tools' formats.

pub mod callgrind;
pub mod csv;
pub mod firefox;
pub mod folded;
pub mod jfr;
pub mod otlp;
pub mod parquet;
pub mod pprof;
pub mod speedscope;
mod strings;
