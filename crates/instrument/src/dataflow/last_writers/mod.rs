//! Who has written what lies in a field.
//!
//! [`fields`] are those of objects and [`static_fields`] those of classes;
//! [`unsafe_access`] and [`native_effects`] are accesses that are no instructions.

pub mod fields;
pub mod native_effects;
pub mod static_fields;
pub mod unsafe_access;
