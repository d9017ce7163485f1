//! Blueprints: pictures of cost over structure (Bergel, Bañados, Robbes and Binder,
//! Execution profiling blueprints, 2012).
//!
//! Heights are costs, linear, and widths executions, logarithmic. The page of `subsume
//! report` draws the same pictures by the same rules (`report/view/blueprint_*.js`);
//! here they become files. Lengths are in CSS pixels.

pub mod axis;
pub mod blocks;
pub mod colours;
pub mod evolution;
pub mod labels;
pub mod methods;
pub mod picture;
pub mod reached;
pub mod scatter;
pub mod skylines;
pub mod svg;

/// The width that stands for so many executions: `least` for none, and `decade` more
/// for each ten times as many.
pub fn executions_width(executions: u64, least: f64, decade: f64) -> f64 {
    least + decade * (1.0 + executions as f64).log10()
}
