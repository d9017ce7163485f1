//! What a recording lacks.

use base::number::counted;
use profile::RunInfo;

/// What a run could not record for want of room, in words.
pub fn lost(run: &RunInfo) -> Option<String> {
    if run.contexts_lost == 0 && run.shortage.is_empty() {
        return None;
    }
    if run.contexts_lost == 0 {
        // Data flow alone; what it lost is said with it.
        return Some(format!("no room for all of it: {}", run.shortage));
    }
    // One context may have been asked for many times.
    let times = counted(run.contexts_lost, "time");
    let costs = if run.calls_lost > 0 {
        let calls = counted(run.calls_lost, "call");
        let bytecodes = counted(run.bytecodes_lost, "bytecode");
        format!("at least {calls} and {bytecodes} are missing")
    } else {
        "their costs are missing".to_owned()
    };
    let reason =
        if run.shortage.is_empty() { String::new() } else { format!("; {}", run.shortage) };
    Some(format!("no room for a context, {times}: {costs}{reason}"))
}
