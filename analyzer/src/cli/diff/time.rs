//! What the difference means in time.

use std::io::Write;
use std::path::Path;

use analysis::diff::changes::{CodeChange, code_changes};
use analysis::diff::time::{self, TimeEstimate};
use base::number::{counted, signed_percent_of};
use tree::Tree;
use tree::error::Result;

use super::Answer;
use super::profiles::Profiles;
use crate::cli::source::Choice;

/// An estimate from the samples of plain runs, if there are two profiles, costs are bytecodes and
/// one of them has samples.
pub fn estimate(profiles: &Profiles, changes: &[Option<CodeChange>]) -> Option<TimeEstimate> {
    let [base, new] = profiles.pair()?;
    if base.tree().metric() != "bytecodes" {
        return None;
    }
    let sampled = [base, new]
        .map(|side| (side.tree(), side.time.as_ref().map(|metric| metric.values.as_slice())));
    time::estimate(sampled, changes)
}

/// By how much the time of two programs differs, estimated in the same way, as a share of what
/// it was; `None` if neither profile has samples of a plain run.
///
/// # Errors
/// If a profile cannot be read, or they have no metric in common.
pub fn of_files(before: &Path, after: &Path) -> Result<Option<f64>> {
    let [before, after] = [before, after].map(|path| [path.to_path_buf()]);
    let profiles = Profiles::load(&before, &after, &Choice::default())?;
    let methods = &profiles.base.tree().methods;
    let changes = code_changes(profiles.codes(), &profiles.signatures, methods);
    Ok(estimate(&profiles, &changes).map(|time| time.difference()))
}

/// Says how the whole time differs, by estimate and by the clock.
///
/// # Errors
/// If `out` fails.
pub(super) fn print(answer: &Answer<'_>, out: &mut impl Write) -> Result<()> {
    if let Some(time) = &answer.time {
        let samples = counted(time.samples, "sample");
        let difference = signed_percent_of(time.difference());
        writeln!(
            out,
            "Time, estimated from bytecodes and {samples} of uninstrumented runs: {difference}"
        )?;
    }
    let Some([base, new]) = answer.profiles.pair() else { return Ok(()) };
    let run = |tree: &Tree| tree.sampling.as_ref().map_or(0, |run| run.cpu_millis);
    let (before, after) = (run(base.tree()), run(new.tree()));
    if before > 0 && after > 0 && answer.time.is_some() {
        let seconds = |millis: u64| millis as f64 / 1e3;
        let difference = (after as f64 - before as f64) / before as f64;
        writeln!(
            out,
            "Time, measured, one uninstrumented run each: {:.1} s and {:.1} s of processor time, {}",
            seconds(before),
            seconds(after),
            signed_percent_of(difference),
        )?;
    }
    Ok(())
}
