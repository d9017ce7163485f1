//! What the agent and the command share, and what belongs to no format:
//! patterns for names, dates, numbers in LEB128, files that are replaced in one
//! step.

#![warn(clippy::missing_errors_doc)]

mod calendar;
mod duration;
pub mod leb128;
pub mod whole_file;
pub mod wildcard;

pub use calendar::DateTime;
pub use duration::{DURATION, parse_duration};
