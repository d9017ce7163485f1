//! Editing: new class files out of old ones.

pub(crate) mod class_editor;
pub(crate) mod code_edit;
mod copied_method;
pub(crate) mod emitter;
pub(crate) mod exception_table;
pub(crate) mod fragment;
pub(crate) mod known_entries;
pub(crate) mod method_parameters;
pub(crate) mod method_rewrite;
pub(crate) mod output;
pub(crate) mod pool_extension;
pub(crate) mod refusal;
pub(crate) mod relocation;
pub(crate) mod stack_map;
pub(crate) mod tables;
mod text_hash;
pub(crate) mod type_annotations;
pub(crate) mod type_simulation;
pub(crate) mod verification_type;
