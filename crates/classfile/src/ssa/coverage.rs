//! Which instructions a handler covers.

use super::predecessors::Predecessors;
use crate::cfg::control_flow::BlockIndex;
use crate::read::code::Code;

/// Instructions of one block, one behind the other, that a handler covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) handler: BlockIndex,
    pub(super) block: BlockIndex,
    /// The first covered bci.
    pub(super) start: u32,
    /// The first bci that is no longer covered.
    pub(super) end: u32,
}

/// The runs of all handlers, ordered by handler and place.
#[derive(Debug)]
pub(super) struct Coverage {
    runs: Vec<Run>,
}

impl Coverage {
    pub(super) fn new(code: &Code<'_>, predecessors: &Predecessors<'_>) -> Coverage {
        let flow = predecessors.flow;
        let mut ranges: Vec<(BlockIndex, u32, u32)> = code
            .exception_table()
            .filter_map(|entry| {
                let handler = flow.block_starting_at(entry.handler)?;
                predecessors.is_handler(handler).then_some((handler, entry.start, entry.end))
            })
            .collect();
        ranges.sort_unstable();
        // Ranges that touch or overlap are one: `catch (A | B)` has two
        // entries for one range, and a `return` in a `try` cuts it.
        ranges.dedup_by(|next, joined| {
            let touch = next.0 == joined.0 && next.1 <= joined.2;
            if touch {
                joined.2 = joined.2.max(next.2);
            }
            touch
        });
        let mut runs = Vec::with_capacity(ranges.len());
        for (handler, start, end) in ranges {
            let first = flow.blocks().partition_point(|block| block.end <= start);
            for (block, extent) in flow.blocks().iter().enumerate().skip(first) {
                if end <= extent.start {
                    break;
                }
                if predecessors.is_reachable(block as BlockIndex) {
                    runs.push(Run {
                        handler,
                        block: block as BlockIndex,
                        start: start.max(extent.start),
                        end: end.min(extent.end),
                    });
                }
            }
        }
        Coverage { runs }
    }

    /// What one handler covers.
    pub(super) fn of(&self, handler: BlockIndex) -> &[Run] {
        let start = self.runs.partition_point(|run| run.handler < handler);
        let count = self.runs[start..].partition_point(|run| run.handler == handler);
        &self.runs[start..start + count]
    }
}
