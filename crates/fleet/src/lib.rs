//! Profiles of many runs, as a dataset of Parquet files that any engine reads.
//!
//! A dataset is a folder of tables. Each run has its own file in each of them, which
//! appears whole or not at all, and files are only added: so a dataset can be copied into
//! another one, or into an object store, at any time and in any order. A run is there when
//! its file in the table `runs` is, which is written last.
//!
//! ```text
//! runs/program=P/date=D/RUN.parquet          a row: labels, totals, how complete it is
//! methods/program=P/TABLE.parquet            names of methods by number
//! method_runs/program=P/date=D/RUN.parquet   a row for each method that was executed
//! dominators/program=P/date=D/RUN.parquet    all dominators of each method
//! trees/program=P/date=D/RUN.subsume.gz      the profile itself
//! contexts/program=P/date=D/RUN.parquet      on request: a row for each calling context
//! heads/program=P/date=D/RUN.subsume.gz      with them: the profile without its contexts
//! ```
//!
//! `docs/reference/fleet-tables.md` has the columns.

#![warn(clippy::missing_errors_doc)]

pub mod add;
pub mod analysis;
pub mod archive;
pub mod checksum;
pub mod condition;
pub mod contexts;
pub mod dataset;
pub mod gate;
pub mod history;
pub mod inputs;
pub mod labels;
pub mod merged;
pub mod method_table;
pub mod numbering;
pub mod outliers;
pub mod owners;
pub mod run;
pub mod spread;
pub mod summary;
mod table;

/// Version of the keys of methods, and of the rules by which generated names are
/// normalised before they are hashed.
pub const KEY_VERSION: i32 = 1;
