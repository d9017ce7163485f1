//! Placeholder of the classfile crate, replaced by its first commit.
