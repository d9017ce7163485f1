//! Proofs on class files that compilers made, and on whole JDKs.

#[path = "../../../classfile/tests/assembler/mod.rs"]
mod assembler;

mod code_hashes;
mod copied_methods;
mod fixtures;
mod marks;
mod mutations;
mod type_annotations;
mod values;
