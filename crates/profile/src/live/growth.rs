//! The growth of loops, as the metadata of a live file has it.

use super::catalog::Catalog;
use crate::MethodId;
use crate::dataflow::{GrowthProfile, LoopGrowth, Place};
use crate::growth_records::GrowthRecord;

/// What was counted, if anybody asked for it.
pub(super) fn read_growth(catalog: &Catalog) -> Option<GrowthProfile> {
    let totals = catalog.dataflow.growth_totals?.0;
    // Without the record of a method, for which there was no room, its loops have no names.
    let one = |record: &GrowthRecord| {
        let method = Some(MethodId(catalog.place(record.method)?));
        let place = Place { method, bci: record.bci, line: record.line };
        // A damaged file may have points of nothing.
        let points = record.points.iter().filter(|point| point.instances > 0);
        let points = points.copied().collect();
        Some(LoopGrowth { place, is_method: record.is_method, points, effects: record.effects })
    };
    let loops = catalog.dataflow.growth.values().filter_map(one).collect();
    Some(GrowthProfile { loops, totals })
}
