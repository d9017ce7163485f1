//! Search for bottlenecks (Ammons et al. 2004, BOTTLENECKS).
//!
//! A *summary* stands for a sequence of calls and for everything that was
//! executed along it and below it. The search knows profiles by the trait
//! [`interface::ProfileInterface`] only, which says what summaries cost and
//! what several of them cost together, counting nothing twice. One
//! implementation is [`call_tree::CallTree`], the other one
//! [`comparison::Comparison`].

pub mod auto;
pub mod call_tree;
pub mod command;
pub mod comparison;
pub mod culprits;
pub mod interface;
mod marks;
pub mod session;
pub mod suggester;
pub mod summary;
mod sums;
pub mod ways;
pub mod zoom;
