//! The tree, tried from outside.

mod exceptions;
mod filter;
mod landings;
mod time;
