//! Sizes and costs of the loops of all threads, and the records of them.

use std::collections::{BTreeMap, BTreeSet};

use profile::dataflow::{GrowthPoint, GrowthTotals, LoopEffects};
use profile::growth_records::{GrowthRecord, GrowthTotalsRecord};
use profile::metadata::Record;

use super::program::Program;
use online::loops::effects::Effects;
use online::loops::growth::{Growth, LoopAndBucket};

/// What the threads have counted, added up.
#[derive(Debug, Default)]
pub struct Sizes {
    points: BTreeMap<LoopAndBucket, GrowthPoint>,
    effects: BTreeMap<u32, LoopEffects>,
    totals: GrowthTotals,
    /// Loops that were not followed to the end.
    resting: BTreeSet<u32>,
}

impl Sizes {
    /// Adds what a thread has counted.
    pub fn add(&mut self, growth: &Growth, effects: &Effects) {
        for (&key, point) in &growth.points {
            self.points.entry(key).and_modify(|known| known.add(point)).or_insert(*point);
        }
        for (&number, counted) in &effects.loops {
            self.effects.entry(number).or_default().add(counted);
        }
        self.totals.add(&growth.totals);
        self.resting.extend(growth.exhausted());
    }

    /// Writes a record for each loop, and one of what was left out.
    pub fn write(&self, program: &Program, write: &dyn Fn(&Record)) {
        let points: Vec<(u32, GrowthPoint)> =
            self.points.iter().map(|(&(number, _), &point)| (number, point)).collect();
        for points in points.chunk_by(|one, other| one.0 == other.0) {
            let number = points[0].0;
            let Some(known) = program.loop_of(number) else { continue };
            let counted = self.effects.get(&number).copied().unwrap_or_default();
            let effects = LoopEffects { has_one_exit: known.has_one_exit, ..counted };
            write(&Record::Growth(GrowthRecord {
                number,
                method: known.method,
                bci: known.bci,
                line: known.line,
                is_method: known.is_method,
                points: points.iter().map(|&(_, point)| point).collect(),
                effects,
            }));
        }
        let resting = self.resting.len() as u64;
        let totals = GrowthTotals { resting, ..self.totals };
        write(&Record::GrowthTotals(GrowthTotalsRecord(totals)));
    }
}
