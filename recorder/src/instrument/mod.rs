//! Rewriting classes so that they record.
//!
//! [`policy`] says what gets probes, and [`dangling`] which classes are none; [`plan`] what to count where in a method,
//! with its [`call_sites`] and [`loops`]; [`throws`] and [`cuts`] what exceptions leave of a block, and [`handlers`] where they arrive; [`probes`] writes the calls; [`rewriter`] does all of it for a class,
//! [`jdk_methods`] and [`forgetting`] what a few methods do beside being recorded.

pub mod call_sites;
pub mod class_load;
pub mod cuts;
pub mod dangling;
pub mod environment;
mod forgetting;
pub mod handlers;
mod jdk_methods;
pub mod leaf;
pub mod loops;
pub mod members;
pub mod plan;
pub mod policy;
pub mod probes;
pub mod rewriter;
mod targets;
pub mod throws;
