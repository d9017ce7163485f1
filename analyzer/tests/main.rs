//! The command, tried from outside.
//!
//! One program holds all of them, since each program of its own would link the whole
//! library once more.

mod fixture;

mod broken;
mod collector;
mod diagnose;
mod diff;
mod files_of_others;
mod fleet;
mod fleet_methods;
mod fold;
mod for_whom;
mod json;
mod json_documented;
mod mcp;
mod own;
mod paths;
mod reference;
mod report;
mod robustness;
mod sarif;
mod transcripts;
mod versions;
