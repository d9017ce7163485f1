//! Reading: the structures of JVMS chapter 4, borrowed from the bytes.

pub mod access;
pub(crate) mod annotation;
pub(crate) mod attribute;
pub(crate) mod bootstrap;
pub(crate) mod class_file;
pub(crate) mod code;
pub(crate) mod code_hash;
pub(crate) mod constant_pool;
pub mod descriptor;
pub(crate) mod error;
pub(crate) mod instruction;
pub(crate) mod line_table;
pub(crate) mod member;
mod member_table;
pub mod opcode;
pub(crate) mod reader;
