//! Programs that look at themselves, and the tools that come with a JDK, see
//! nothing of the agent.
//!
//! The tests here need a JDK and a C compiler only. Other people's test suites
//! and applications, which come from the Maven repository, are run by
//! `scripts/harmless`.

mod agents;
mod class_bytes;
mod code_indices;
mod debugger;
mod jdk_features;
mod known_layouts;
mod members;
mod native_code;
mod parameters;
mod random;
mod same;
mod stacks;

/// Each mode, and each that records two things at once.
const MODES: [&str; 10] = [
    "calls",
    "copies",
    "costs",
    "nulls",
    "loops",
    "growth",
    "results",
    "typestate",
    "calls+costs",
    "calls+nulls",
];
