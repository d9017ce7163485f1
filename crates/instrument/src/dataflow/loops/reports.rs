//! Writes down what was found.

use std::sync::atomic::Ordering::Relaxed;

use arena::Arena;
use profile::layout::node;
use profile::loop_records::{FrameRecord, LoopRecord, LoopTotalsRecord, SimilarReadRecord};
use profile::metadata::Record;

use super::program::Program;
use super::sizes::Sizes;
use live::thread_trees::ThreadTrees;
use online::loops::events::Ipcs;
use online::loops::findings::{Finding, Instances, LoopInContext, SimilarIpcs};
use online::loops::judge::Totals;

/// Instructions of a loop that are written down, those with most waste.
const MOST_READS: usize = 64;
/// Longest calling path that is written down.
const LONGEST_PATH: usize = 4096;

/// What there is to write down.
#[derive(Debug, Default)]
pub struct Judged {
    /// What was found, and how many instances there were.
    pub findings: Vec<(LoopInContext, Instances, Finding)>,
    /// What was left out.
    pub totals: Totals,
    /// How the cost of loops grows, if that is recorded.
    pub growth: Option<Sizes>,
}

/// Writes the records of all findings.
pub fn write(
    judged: &Judged,
    program: &Program,
    arena: &Arena,
    trees: &ThreadTrees,
    write: &dyn Fn(&Record),
) {
    let paths = Paths { arena, trees };
    for (one, instances, finding) in &judged.findings {
        if let Some(record) = record(*one, *instances, finding, program, &paths) {
            write(&Record::Loop(record));
        }
    }
    let totals = judged.totals;
    write(&Record::LoopTotals(LoopTotalsRecord {
        reads: totals.reads,
        lost: totals.lost,
        deep: totals.deep,
        forgotten: totals.forgotten,
        uncopied: totals.uncopied,
        irreducible: program.irreducible,
        exhausted: totals.exhausted,
        unjudged: totals.unjudged,
    }));
    if let Some(growth) = &judged.growth {
        growth.write(program, write);
    }
}

/// The record of a finding; `None` if it is not known where it belongs.
pub fn record_of(
    one: LoopInContext,
    instances: Instances,
    finding: &Finding,
    program: &Program,
    (arena, trees): (&Arena, &ThreadTrees),
) -> Option<LoopRecord> {
    record(one, instances, finding, program, &Paths { arena, trees })
}

fn record(
    one: LoopInContext,
    instances: Instances,
    finding: &Finding,
    program: &Program,
    paths: &Paths<'_>,
) -> Option<LoopRecord> {
    let known = program.loop_of(one.number)?;
    let mut similar: Vec<(&Ipcs, &SimilarIpcs)> = finding.similar.iter().collect();
    similar.sort_unstable_by_key(|&(&ipcs, read)| (std::cmp::Reverse(read.wasted), ipcs));
    let reads = similar.iter().take(MOST_READS);
    let reads = reads.filter_map(|&(&ipcs, read)| {
        let (node, instruction) = ((ipcs >> 32) as u32, ipcs as u32);
        let known = program.read_of(instruction)?;
        Some(SimilarReadRecord {
            path: paths.between(one.node, node)?,
            bci: known.bci,
            line: known.line,
            what: program.name(known.name).to_owned(),
            reported: read.reported,
            same_places: read.same_places,
            sequences: read.sequences,
            similar: read.similar,
            reads: read.reads,
            wasted: read.wasted,
            ratios: (read.ratios * 1000.0).round() as u64,
            truncated: read.truncated,
        })
    });
    let reads: Vec<SimilarReadRecord> = reads.collect();
    Some(LoopRecord {
        number: one.number,
        node: one.node,
        bci: known.bci,
        line: known.line,
        path: paths.between(0, one.node)?,
        instances: instances.all,
        judged: instances.judged,
        reported: finding.reported,
        iterations: finding.iterations,
        reads: finding.reads,
        repeated: finding.repeated,
        wasted: finding.wasted,
        unjudged: instances.unjudged,
        others: (finding.similar.len() - reads.len()) as u64,
        similar: reads,
    })
}

struct Paths<'p> {
    arena: &'p Arena,
    trees: &'p ThreadTrees,
}

impl Paths<'_> {
    /// The frames below a node, or below no node, up to another one; `None` if that is
    /// not below it.
    fn between(&self, above: u32, node: u32) -> Option<Vec<FrameRecord>> {
        let mut frames = Vec::new();
        let mut at = node;
        while at != above {
            let method = self.arena.word(at + node::METHOD)?.load(Relaxed);
            let caller = self.trees.caller(at);
            frames.push(FrameRecord { method, slot: caller.map_or(0, |(_, slot)| slot) });
            match caller {
                Some((caller, _)) => at = caller,
                None if above == 0 => break,
                None => return None,
            }
            if frames.len() > LONGEST_PATH {
                return None;
            }
        }
        frames.reverse();
        Some(frames)
    }
}
