//! Rewriting classes so that they record.
//!
//! [`policy`] says what gets probes, and [`dangling`] which classes are none; [`plan`] what to count where in a method;
//! [`throws`] and [`cuts`] what exceptions leave of a block; [`probes`] writes the calls; [`calls`] does it for a class in mode `calls`.

pub mod calls;
pub mod cuts;
pub mod dangling;
pub mod leaf;
pub mod members;
pub mod plan;
pub mod policy;
pub mod probes;
pub mod throws;
