//! Text for people: numbers, names and tables.

pub mod name;
pub mod number;
pub mod table;
