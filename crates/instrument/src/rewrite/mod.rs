//! Rewriting classes so that they record.
//!
//! [`rewriter`] does it for a class, in the [`environment`] of a recording; a method that
//! cannot be edited as decided gets its [`fallbacks`], and [`last_writer_fields`] are the
//! fields that a class gets beside its own; [`numbering`] names the methods in the
//! profile. [`probes`] writes what the [plan](crate::plan) of a method asks for, [`dangling`] knows class
//! files that are none. [`targets`] are methods without probes, which their callers
//! count; [`jdk_methods`] are methods of the JDK that do more than being recorded,
//! [`secondary_seeds`] is the one that makes room for the slots of threads where the agent
//! came into a running JVM, and [`unfollowed`] is what methods do that are not followed.

pub mod class_load;
pub mod dangling;
pub mod environment;
mod fallbacks;
pub mod jdk_methods;
mod last_writer_fields;
mod numbering;
pub mod probes;
pub mod rewriter;
pub mod secondary_seeds;
mod targets;
mod unfollowed;
pub mod workspaces;
