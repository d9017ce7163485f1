//! Similar memory accesses in loops, as the metadata of a live file has them.

use super::catalog::Catalog;
use crate::MethodId;
use crate::dataflow::{LoopProfile, LoopTotals, Place, SimilarLoop, SimilarRead};
use crate::loop_records::{FrameRecord, LoopRecord, SimilarReadRecord};

/// What was found, if loops were judged.
pub(super) fn read_loops(catalog: &Catalog) -> Option<LoopProfile> {
    let totals = catalog.dataflow.loop_totals.as_ref()?;
    let totals = LoopTotals {
        reads: totals.reads,
        lost: totals.lost,
        deep: totals.deep,
        forgotten: totals.forgotten,
        uncopied: totals.uncopied,
        irreducible: totals.irreducible,
        exhausted: totals.exhausted,
        unjudged: totals.unjudged,
    };
    // Without the record of a method, for which there was no room, its loops have no names.
    let loops = catalog.dataflow.loops.values().filter_map(|record| found(record, catalog));
    Some(LoopProfile { loops: loops.collect(), totals })
}

/// The loop of a record; `None` if a method is not known.
pub(super) fn found(record: &LoopRecord, catalog: &Catalog) -> Option<SimilarLoop> {
    let last = record.path.last()?;
    let method = MethodId(catalog.place(last.method)?);
    let mut found = SimilarLoop {
        place: Place { method: Some(method), bci: record.bci, line: record.line },
        path: calls(None, &record.path, catalog)?,
        instances: record.instances,
        judged: record.judged,
        reported: record.reported,
        iterations: record.iterations,
        reads: record.reads,
        repeated: record.repeated,
        wasted: record.wasted,
        unjudged: record.unjudged,
        similar: Vec::with_capacity(record.similar.len()),
        others: record.others,
    };
    for read in &record.similar {
        found.similar.push(similar(read, last.method, catalog)?);
    }
    Some(found)
}

fn similar(read: &SimilarReadRecord, outer: u32, catalog: &Catalog) -> Option<SimilarRead> {
    let method = read.path.last().map_or(outer, |frame| frame.method);
    let method = MethodId(catalog.place(method)?);
    Some(SimilarRead {
        place: Place { method: Some(method), bci: read.bci, line: read.line },
        path: calls(Some(outer), &read.path, catalog)?,
        what: read.what.clone(),
        reported: read.reported,
        same_places: read.same_places,
        sequences: read.sequences,
        similar: read.similar,
        reads: read.reads,
        wasted: read.wasted,
        ratios: read.ratios,
        truncated: read.truncated,
    })
}

/// The calls that led from one method to the next, the first of which was called by the
/// given one, or by nobody.
fn calls(caller: Option<u32>, path: &[FrameRecord], catalog: &Catalog) -> Option<Vec<Place>> {
    let mut calls = Vec::with_capacity(path.len());
    let mut caller = caller;
    for frame in path {
        if let Some(caller) = caller {
            let method = catalog.place(caller)?;
            let slots = &catalog.shape(method).slots;
            let site = slots.iter().find(|&&(offset, _)| offset == frame.slot)?.1;
            // Site 0 is what the JVM calls on the method's behalf.
            let known = site
                .checked_sub(1)
                .and_then(|number| catalog.methods[method as usize].sites.get(number as usize));
            let (bci, line) = known.map_or((0, 0), |site| (site.bci, site.line));
            calls.push(Place { method: Some(MethodId(method)), bci, line });
        }
        caller = Some(frame.method);
    }
    Some(calls)
}
