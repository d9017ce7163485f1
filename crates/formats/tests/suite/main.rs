//! Other tools' profiles, written and read again.

mod exchange;
mod jfr;
