//! Proofs on class files that compilers made, and on whole JDKs.

// As the assembler, which is of the tests of that crate, calls it.
extern crate classfile as subsume_classfile;

#[path = "../../../crates/classfile/tests/assembler/mod.rs"]
mod assembler;

mod code_hashes;
mod copied_methods;
mod fixtures;
mod marks;
mod mutations;
mod type_annotations;
mod values;
