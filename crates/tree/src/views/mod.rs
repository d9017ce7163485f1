//! Parts of a calling context tree that are worth showing: from a method up to
//! its callers, down to its callees, or the costliest contexts alone.

pub mod bottom_up;
pub mod callers;
pub mod every_method;
pub mod folded_lines;
pub mod folding;
pub mod for_whom;
pub mod inputs;
pub mod inversion;
pub mod landings;
pub mod movers;
pub mod neighbours;
pub mod outline;
pub mod own_loops;
pub mod places;
pub mod region;
pub mod suspicious_calls;
pub mod top_down;
pub mod users;
pub mod way_in;
