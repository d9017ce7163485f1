//! Placeholder of the agent crate, replaced by its first commit.
