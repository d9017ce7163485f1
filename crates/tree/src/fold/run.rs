//! What is to be known of several runs together.

use profile::{Completeness, RunInfo};

/// Adds a run to those before it: sums of what was lost, the whole time from the first
/// start to the last end, and of texts those that are the same in all.
pub fn add(all: &mut RunInfo, run: RunInfo) {
    let same = |all: &mut String, one: String| {
        if *all != one {
            all.clear();
        }
    };
    same(&mut all.jvm, run.jvm);
    same(&mut all.command_line, run.command_line);
    same(&mut all.options, run.options);
    if all.origin != run.origin && all.origin == profile::Origin::Recorded {
        // Exact counts and others together are not exact.
        all.origin = run.origin;
    }
    if rank(&run.completeness) > rank(&all.completeness) {
        all.completeness = run.completeness;
    }
    // The metric of time goes, too, if one of them has none.
    all.sampling = all.sampling.take().zip(run.sampling).map(|(mut all, one)| {
        all.add(one);
        all
    });
    all.labels.retain(|name, value| run.labels.get(name) == Some(value));
    all.splits.extend(run.splits);
    all.process_id = 0;
    all.start_millis = [all.start_millis, run.start_millis]
        .into_iter()
        .filter(|&millis| millis > 0)
        .min()
        .unwrap_or(0);
    all.end_millis = all.end_millis.max(run.end_millis);
    all.stopped_millis = all.stopped_millis.max(run.stopped_millis);
    all.contexts_lost = all.contexts_lost.saturating_add(run.contexts_lost);
    all.calls_lost = all.calls_lost.saturating_add(run.calls_lost);
    all.bytecodes_lost = all.bytecodes_lost.saturating_add(run.bytecodes_lost);
    if all.shortage.is_empty() {
        all.shortage = run.shortage;
    }
    let active = all.active_at_end.zip(run.active_at_end);
    all.active_at_end = active.map(|(all, one)| all.saturating_add(one));
    all.recording_bytes = all.recording_bytes.max(run.recording_bytes);
}

/// How much may be missing.
fn rank(completeness: &Completeness) -> u8 {
    match completeness {
        Completeness::Complete => 0,
        Completeness::Snapshot => 1,
        Completeness::Recording => 2,
        Completeness::CutShort => 3,
    }
}
