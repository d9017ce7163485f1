//! Data flow: where values come from and where they go.
//!
//! [`mode`] says what of it is recorded.

pub mod mode;
