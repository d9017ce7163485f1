//! Recordings of JDK Flight Recorder, for JDK Mission Control, IntelliJ and VisualVM.
//!
//! An execution sample has no weight, so contexts get samples in proportion to their costs.
//! An allocation sample has one, so each context that allocates gets one event. A profile has
//! no times: events are spread evenly over the run, and mixed, so that any part of the time
//! shows about what the whole does.

mod chunk;
mod encoding;
mod metadata;
mod shares;
mod types;

use std::io::Write;

use chunk::Chunk;
use tree::Tree;
use tree::error::Result;

use crate::export::folded::{Stacks, select};

/// Metrics that say how much is allocated.
const ALLOCATED: [&str; 3] = ["allocations", "bytes", "allocated"];
/// A chunk has about so many bytes, so that no more of a recording is in memory.
const CHUNK: usize = 16 << 20;
/// How long a run of unknown duration takes, in nanoseconds.
const A_SECOND: u64 = 1_000_000_000;
const NANOS_PER_MILLI: u64 = 1_000_000;

/// What is known of the run.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// Start of the recording in milliseconds since 1970; 0 if unknown.
    pub start_millis: u64,
    /// How long it took; 0 if unknown.
    pub millis: u64,
    /// Name and version of the JVM.
    pub jvm: String,
    /// Main class or name of the archive, without arguments.
    pub program: String,
    /// Process id, 0 if unknown.
    pub process_id: u32,
}

impl Run {
    fn start_nanos(&self) -> u64 {
        self.start_millis.saturating_mul(NANOS_PER_MILLI).min(i64::MAX.unsigned_abs())
    }

    fn nanos(&self) -> u64 {
        match self.millis {
            0 => A_SECOND,
            millis => millis.saturating_mul(NANOS_PER_MILLI).min(i64::MAX.unsigned_abs()),
        }
    }
}

/// True if costs by this metric become allocation samples.
pub fn is_allocated(metric: &str) -> bool {
    ALLOCATED.contains(&metric)
}

/// Writes the selected stacks: about allocations an event for each, with its cost; otherwise
/// `samples` execution samples in proportion to the costs, or one for each unit if there are
/// not so many.
///
/// # Errors
/// If `out` fails.
pub fn write(
    tree: &Tree,
    stacks: &Stacks,
    run: &Run,
    samples: u64,
    out: &mut impl Write,
) -> Result<()> {
    let selected = select(tree, stacks);
    let cost = |node: u32| if selected[node as usize] { tree.cost()[node as usize] } else { 0 };
    let is_allocated = is_allocated(tree.metric());
    let events = if is_allocated {
        (0..tree.len() as u32).filter(|&node| cost(node) > 0).collect()
    } else {
        shares::samples(tree, cost, samples)
    };
    let nanos = run.nanos();
    let count = events.len() as u128;
    let mut chunk = Chunk::new(tree, run, 0);
    let mut start = 0;
    for (number, node) in (0u128..).zip(shares::mixed(&events)) {
        // At most the duration, as the number is below their count.
        let at = (number * u128::from(nanos) / count) as u64;
        if chunk.len() >= CHUNK {
            chunk.write(run, start..at, false, out)?;
            chunk = Chunk::new(tree, run, at);
            start = at;
        }
        if is_allocated {
            chunk.add_allocation(node, at, cost(node));
        } else {
            chunk.add_execution(node, at);
        }
    }
    chunk.write(run, start..nanos, true, out)
}
