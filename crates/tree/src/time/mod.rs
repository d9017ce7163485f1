//! The time of a plain run, beside the exact counts of another one.
//!
//! A sampling profiler looks at a run that nothing slows down. Its samples are laid on the
//! calling contexts of a recording, where they are one more metric, [`TIME`].

mod lay;
pub mod precision;
pub mod text;
mod waiting;

pub use lay::lay;
pub use profile::sampling::TIME;
