//! The oracle's own tests, and the comparison with what the agent records.

mod agreement;
mod batch;
mod execution;
mod figure11;
mod figure6;
mod generator;
mod pathologies;
mod recording;
mod rig;
