//! Random programs and those of others, counted twice.

mod counts;
mod single_steps;
