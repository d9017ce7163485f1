//! What people look at: tables, pictures of a program ([`blueprint`]), and the page of
//! `subsume report`.

#![warn(clippy::missing_errors_doc)]

pub mod blueprint;
pub mod find_method;
pub mod page;
pub mod painted;
pub mod table;
