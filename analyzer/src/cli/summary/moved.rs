//! Who has elements moved, where that is much beside the bytecodes.

use std::io::Write;

use base::number::{grouped, percent};
use report::painted::Painted;
use tree::Tree;
use tree::error::Result;
use tree::views::movers::{MOVED, Mover, movers};

use super::Answer;
use crate::cli::painted_names::PaintedNames;
use crate::cli::paths;

/// A smaller number of elements than this share of the bytecodes is not listed: moving
/// one takes less time than a bytecode.
const LEAST_SHARE: f64 = 0.02;

/// Those who have that many moved. Nothing if costs are no bytecodes.
pub fn movers_that_matter(tree: &Tree) -> Vec<Mover> {
    if tree.metric() != "bytecodes" {
        return Vec::new();
    }
    let is_platform = tree.are_platform();
    movers(tree, &is_platform, (LEAST_SHARE * tree.total() as f64) as u64)
}

/// Prints the list, if there is anything in it.
///
/// # Errors
/// If `out` fails.
pub fn print(
    answer: &Answer<'_>,
    names: &PaintedNames,
    file: &str,
    width: usize,
    out: &mut impl Write,
) -> Result<()> {
    if answer.movers.is_empty() {
        return Ok(());
    }
    let tree = answer.tree;
    let all = tree.metrics.iter().find(|metric| metric.name == MOVED);
    let all: u64 = all.map_or(0, |metric| metric.values.iter().sum());
    writeln!(
        out,
        "\nElements moved by arraycopy, clone and the like, which bytecodes do not show: {}",
        grouped(all)
    )?;
    for mover in &answer.movers {
        let methods = std::iter::once(mover.method).chain(mover.through);
        let frames: Vec<Painted> = methods.map(|m| names.of(Some(m))).collect();
        paths::write(&format!("{:>7}", percent(mover.moved, all)), &frames, width, out)?;
    }
    writeln!(out, "  subsume summary --metric {MOVED} {file}    where, by this cost")?;
    Ok(())
}
