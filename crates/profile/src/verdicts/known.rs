//! A loop and a way in which it reads similar values, without line numbers, so that a list
//! of them outlives other changes.

use super::Names;
use crate::dataflow::{Place, SimilarRead};

/// Stands between the three parts of a line.
pub const SEPARATOR: &str = " | ";

/// The line of a loop with this header and of a way: the loop's method, the calls to what
/// reads, and what is read.
pub fn line(header: &Place, read: &SimilarRead, names: Names<'_>) -> String {
    let name =
        |place: &Place| names(place).map_or_else(|| "?".to_owned(), |name| format!("{name:#}"));
    // The first call is one of the loop's own method.
    let calls = read.path.iter().skip(1).chain((!read.path.is_empty()).then_some(&read.place));
    let way: Vec<String> = calls.map(name).collect();
    let way = if way.is_empty() { "itself".to_owned() } else { way.join(" > ") };
    format!("{}{SEPARATOR}{way}{SEPARATOR}{}", name(header), read.what)
}
