//! Source code: its files, where a method stands in them, and what its lines cost.

pub mod extent;
pub mod files;
pub mod known_places;
pub mod line_costs;
pub mod line_counts;
