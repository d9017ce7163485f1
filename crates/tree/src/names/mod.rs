//! Names of classes and methods, as profiles and descriptors write them, and
//! patterns for them. How people read names is in [`crate::readable_names`].

pub mod command_line;
pub mod descriptor;
pub mod generated;
pub mod method;
pub mod pattern;
pub mod superclasses;
