//! Readers of other tools' files.

pub mod allowance;
pub mod builder;
pub mod call_graph;
pub mod callgrind;
pub mod folded;
pub mod frame;
pub mod input;
pub mod jfr;
pub mod jp2;
pub mod jprofiler;
pub mod jstack;
pub mod otlp;
pub mod pprof;
pub mod pprof_text;
mod signed;
pub mod thread_dump;
pub mod times;
