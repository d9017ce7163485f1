//! Results of methods, as the metadata of a live file has them.

use super::catalog::Catalog;
use crate::MethodId;
use crate::dataflow::{MethodResults, ResultsProfile};
use crate::result_records::MethodResultsRecord;
use crate::results;

/// What was counted, if anybody asked for it.
pub(super) fn read_results(catalog: &Catalog) -> Option<ResultsProfile> {
    let totals = catalog.dataflow.results_totals?.0;
    // Without the record of a method, for which there was no room, it has no name.
    let one = |&MethodResultsRecord(record): &MethodResultsRecord| {
        let method = MethodId(catalog.place(record.method.0)?);
        // A damaged file may have any depth.
        let known = results::is_depth(record.depth);
        known.then(|| MethodResults { method, ..record }.agreed())
    };
    let methods = catalog.dataflow.results.values().filter_map(one).collect();
    Some(ResultsProfile { methods, totals })
}
