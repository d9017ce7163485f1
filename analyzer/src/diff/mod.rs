//! The exact difference of two profiles, by method and by context.

pub mod code;
pub mod contexts;
pub mod limit;
pub mod methods;
