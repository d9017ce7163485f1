//! What the agent and the command share, and what belongs to no format:
//! patterns for names, dates, numbers in LEB128, files that are replaced in one
//! step, files whose names everybody knows, where Java lies, and how users are told things.

#![warn(clippy::missing_errors_doc)]

mod calendar;
mod duration;
pub mod java_home;
#[cfg(unix)]
pub mod known_names;
pub mod leb128;
pub mod number;
mod printable;
pub mod whole_file;
pub mod wildcard;

pub use calendar::DateTime;
pub use duration::{DURATION, parse_duration};
pub use printable::{printable, shown, tell as tell_line};
