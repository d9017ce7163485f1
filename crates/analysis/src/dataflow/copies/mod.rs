//! Analyses of copies, section 3 of the paper.

pub mod chains;
pub mod clones;
pub mod concentration;
pub mod difference;
pub mod graph;
pub mod lifetimes;
pub mod methods;
pub mod neighbourhood;
pub mod owners;
pub mod replaced;
pub mod stored_by;
pub mod temporaries;
pub mod unite;
pub mod useless;
