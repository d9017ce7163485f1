//! The command and the library of its analyses, tried from outside.
//!
//! One program holds all of them, since each program of its own would link the whole
//! library once more.

// What several of them use.
mod common;
mod dataflow_examples;
mod fixture;
mod literal;
mod literal_search;
#[path = "../../profile/tests/suite/live_builder.rs"]
mod live_builder;
mod random;
#[path = "../../profile/tests/suite/sections.rs"]
mod sections;

mod broken;
mod dataflow;
mod diff;
mod exchange;
mod files_of_others;
mod filter;
mod fleet;
mod fleet_methods;
mod fold;
mod jfr;
mod json;
mod json_documented;
mod mcp;
mod paper_000;
mod places;
mod random_trees;
mod real_profiles;
mod report;
mod report_laws;
mod robustness;
mod sampled_time;
mod search;
mod transcripts;
