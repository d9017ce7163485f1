//! What objects are called in a graph: the [`tags`] of their allocation [`sites`], in the
//! [`contexts`] that tell objects of one site apart, with their tables in [`tag_table`], and
//! what a [clone](clones) copies.

pub mod clones;
pub mod contexts;
pub mod sites;
pub mod tag_table;
pub mod tags;
