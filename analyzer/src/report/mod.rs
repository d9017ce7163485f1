//! What people look at: numbers, names, tables, and the page of `subsume report`.

pub mod find_method;
pub mod name;
pub mod number;
pub mod page;
pub mod table;
