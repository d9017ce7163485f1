//! The first candidate for a cache, where results of methods were recorded.

use std::io::Write;
use std::path::PathBuf;

use analysis::dataflow::results::explanation::sentences;
use analysis::dataflow::results::finding::{Findings, LEAST_SHARE};
use analysis::dataflow::results::{Results, unite};
use base::number::percent;
use tree::Tree;
use tree::error::Result;
use tree::names::method::Method;
use tree::names::pattern::Pattern;
use tree::owners::OwnCode;

use crate::cli::dataflow::read_results;
use crate::cli::dataflow::text::evidence;

/// Candidates for a cache.
pub struct Repeated {
    pub results: Results,
    /// Places of those that are shown, in the order of `subsume repeats`.
    pub candidates: Vec<usize>,
}

/// Those of the profiles that the tree is made of, `None` if they have no results or no
/// candidate. With results, it reads the profiles again.
///
/// # Errors
/// If a profile cannot be read.
pub fn repeated(
    tree: &Tree,
    files: &[PathBuf],
    own: &OwnCode,
    class: Option<&Pattern>,
    top: usize,
) -> Result<Option<Repeated>> {
    if tree.results.is_empty() {
        return Ok(None);
    }
    let profiles = read_results(files)?;
    if profiles.iter().any(|(_, profile)| profile.dataflow.results.is_none()) {
        return Ok(None);
    }
    let results = unite(&profiles, own)?;
    let wanted = |method: &Method| class.is_none_or(|class| class.matches(&method.class));
    let mut candidates = Findings::new(&results, LEAST_SHARE, wanted).candidates;
    candidates.truncate(top);
    Ok((!candidates.is_empty()).then_some(Repeated { results, candidates }))
}

/// Prints the list, if there is anything in it.
///
/// # Errors
/// If `out` fails.
pub fn print(
    repeated: Option<&Repeated>,
    file: &str,
    width: usize,
    out: &mut impl Write,
) -> Result<()> {
    let Some(Repeated { results, candidates }) = repeated else { return Ok(()) };
    writeln!(out, "\nResults repeated: methods that a cache could stand in for")?;
    let names = results.names();
    for &at in candidates {
        let one = &results.followed[at];
        let spared = one.spared(&one.exact);
        let mark = if spared.is_guess() { "~" } else { "" };
        let share = format!("{mark}{}", percent(spared.likely, results.bytecodes));
        writeln!(out, "{share:>7}  {}", names.of(Some(one.method.0)))?;
        if let Some(first) = sentences(one, &one.exact, results.bytecodes).first() {
            writeln!(out, "{}", evidence(&format!("     {first}"), width))?;
        }
    }
    writeln!(out, "  subsume repeats {file}    all of them, and what is a cache already")?;
    Ok(())
}
