//! Reports in a real browser: every view of them, and what clicks and keys do.
//!
//! The browser is Chromium, found by its usual names or by `SUBSUME_CHROMIUM`.
//! The profiles are recorded by the first JDK found, or written by hand as
//! folded stacks.

mod blueprints;
mod browser;
mod devtools;
mod profiles;

mod address;
mod appearance;
mod axe;
mod differences;
mod fleet;
mod folding;
mod for_whom;
mod frames;
mod history;
mod hostile_names;
mod keys;
mod layout;
mod pictures;
mod sides;
mod tables;
mod tree;
mod views;
