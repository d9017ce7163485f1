//! The tree, tried from outside.

mod filter;
mod landings;
