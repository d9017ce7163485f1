//! The tree, tried from outside.

mod by_thread;
mod exceptions;
mod filter;
mod landings;
mod time;
