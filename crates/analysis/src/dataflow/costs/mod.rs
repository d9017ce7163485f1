//! Analyses of costs and benefits, section 4 of the paper.

pub mod attribution;
pub mod balance;
pub mod components;
pub mod dead;
pub mod fields;
pub mod graph;
pub mod ownership;
pub mod ranking;
pub mod reach;
pub mod relative;
pub mod sketch;
pub mod slice;
pub mod structures;
