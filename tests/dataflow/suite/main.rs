//! Java programs recorded with data flow, and what the profile says of them.
//!
//! The JDKs are those named by `SUBSUME_JDKS` (homes, `:` between several) or
//! else the ones that lie where JDKs usually lie. Every test runs on all of
//! them and names the one it fails on.

mod rig;

mod arrays;
mod compiled;
mod costs;
mod effects;
mod growth;
mod last_writers;
mod loops;
mod maven_loops;
mod names;
mod nulls;
mod results;
mod tags;
mod typestate;
mod unfollowed;
