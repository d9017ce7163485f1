//! Placeholder of the analyzer crate, replaced by its first commit.
