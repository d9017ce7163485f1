//! Contexts of one method that differ by the text of an argument, such as an SQL statement.
//!
//! A method that the option `split` names keeps its probes, but its entry probe first asks for
//! the number of the pair of method and text. To the profile each pair is a method of its own:
//! its nodes have the same layout, its name has the text behind it. So counts stay what they
//! are, and the contexts of all texts add up to those of the method.
//!
//! [`rules`] say which methods are split by what, [`presets`] are rules with names, [`form`]
//! makes texts of arguments, and [`table`] gives pairs their numbers.

pub mod form;
pub mod presets;
pub mod rules;
mod sql;
pub mod table;
