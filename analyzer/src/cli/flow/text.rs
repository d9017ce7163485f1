//! Text that the commands on data flow have in common.

use analyzer::report::name::{printable, shorten};
use analyzer::report::number::grouped;

/// A cost as people read it: whole where it is large.
pub fn cost(cost: f64) -> String {
    if cost == 0.0 || cost >= 100.0 {
        return grouped(cost.round() as u64);
    }
    let text = format!("{cost:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A line of evidence: printable, indented, at most `width` wide.
pub fn evidence(text: &str, width: usize) -> String {
    format!("    {}", shorten(&printable(text), width.saturating_sub(4)))
}
