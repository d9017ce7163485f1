//! Whether a page compares its two profiles.

use std::path::PathBuf;

use profile::RunInfo;
use tree::error::{Error, Result};

use crate::cli::runs::runs;

/// Whether the profiles are compared: two are, unless they are of two JVMs that ran at the same
/// time, such as those of one build. `is_wanted` if the user asks for it.
///
/// # Errors
/// If it is wanted of more or fewer than two.
pub fn is_compared(files: &[PathBuf], is_wanted: bool) -> Result<bool> {
    if files.len() != 2 {
        let refused = Error::new("--compare takes two profiles, the older one first");
        return if is_wanted { Err(refused) } else { Ok(false) };
    }
    if is_wanted {
        return Ok(true);
    }
    // Of a folder, or a pipe, nothing is known yet.
    Ok(!matches!(&runs(files)[..], [old, new] if ran_side_by_side(old, new)))
}

/// Whether two JVMs ran at the same time, by one clock. Two profiles of one JVM are of one run.
fn ran_side_by_side(one: &RunInfo, other: &RunInfo) -> bool {
    let is_known = |run: &RunInfo| run.start_millis != 0 && run.end_millis > run.start_millis;
    is_known(one)
        && is_known(other)
        && one.process_id != other.process_id
        && one.start_millis < other.end_millis
        && other.start_millis < one.end_millis
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jvms_of_one_build_are_not_compared() {
        let run = |process_id, start_millis, end_millis| RunInfo {
            process_id,
            start_millis,
            end_millis,
            ..RunInfo::default()
        };
        let maven = run(1, 1_000, 9_000);
        assert!(ran_side_by_side(&maven, &run(2, 2_000, 8_000)));
        assert!(ran_side_by_side(&run(2, 8_000, 9_500), &maven));
        // One after the other, two recordings of one JVM, and an import.
        assert!(!ran_side_by_side(&maven, &run(2, 9_000, 12_000)));
        assert!(!ran_side_by_side(&maven, &run(1, 2_000, 8_000)));
        assert!(!ran_side_by_side(&maven, &run(2, 0, 0)));
    }
}
