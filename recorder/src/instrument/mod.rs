//! Rewriting classes so that they record.
//!
//! [`rewriter`] does it for a class, in the [`environment`] of a recording. [`probes`]
//! writes what the [plan](crate::plan) of a method asks for, [`dangling`] knows class
//! files that are none. [`targets`] are methods without probes, which their callers
//! count; [`jdk_methods`] are methods of the JDK that do more than being recorded, and
//! [`unfollowed`] is what methods do that are not followed.

pub mod class_load;
pub mod dangling;
pub mod environment;
mod jdk_methods;
pub mod probes;
pub mod rewriter;
mod targets;
mod unfollowed;
