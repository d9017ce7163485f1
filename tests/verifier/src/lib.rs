//! Proofs of the `classfile` crate: an instrumentation that uses every part
//! of its editor, and the means to hold the result against real verifiers,
//! real JVMs and damaged input.
//!
//! - [`instrument`] puts probes at entries, exits, calls, handlers and basic
//!   blocks, or before and after every single instruction.
//! - [`toolchain`] finds two JDKs and the Eclipse compiler; the fixtures that
//!   they compile lie in `fixtures/` and in [`generated`].
//! - [`mutation`] and [`invariants`] are the two halves of the fuzz target in
//!   the folder `fuzz` and of its seeded version in `cargo test`.
//! - [`value_proof`] holds values against [`reaching`] definitions.
//! - The script `verify-jdk` runs the binary `rewrite-image` over whole JDKs.

pub mod annotation_removal;
pub mod constructor_regions;
pub mod fixture_run;
pub mod generated;
pub mod instrument;
pub mod invariants;
mod marked_code;
pub mod marks;
pub mod method_probes;
pub mod mutation;
pub mod probe_pool;
pub mod reaching;
pub mod toolchain;
pub mod value_proof;
