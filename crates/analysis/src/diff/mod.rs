//! The exact difference of two profiles, by method and by context.

pub mod blame;
pub mod changes;
pub mod code;
pub mod contexts;
pub mod explanation;
pub mod limit;
pub mod methods;
pub mod pairing;
pub mod signatures;
pub mod splits;
pub mod time;
pub mod union;
