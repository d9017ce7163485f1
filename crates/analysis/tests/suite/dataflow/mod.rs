//! Analyses of data flow: the paper's examples by hand, and random graphs
//! against literal definitions.

mod figure_11;
mod figure_6;
mod hops;
mod lifetimes;
mod names;
mod null_ways;
mod random_copies;
mod random_costs;
mod ranking;
mod several_runs;
