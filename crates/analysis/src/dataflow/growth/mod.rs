//! How the cost of loops grows with their input (Coppa, Demetrescu and Finocchi,
//! "Input-Sensitive Profiling", PLDI 2012).
//!
//! [`fit`] finds the exponent of a loop, [`picture`] draws its cost. [`idle`] finds loops
//! most of whose iterations have no effect.

pub mod fit;
pub mod idle;
pub mod picture;

use std::collections::BTreeMap;

use profile::Profile;
use profile::dataflow::{GrowthPoint, GrowthTotals, LoopEffects, LoopGrowth, Place};

use crate::dataflow::method_table::MethodTable;
use tree::error::{Error, Result};
use tree::names::method::Method;

/// The loops of one or several runs.
#[derive(Debug, Default)]
pub struct Growth {
    /// The methods that places refer to.
    pub methods: Vec<Method>,
    /// The loops in the order of their places, each once.
    pub loops: Vec<LoopGrowth>,
    /// What was left out.
    pub totals: GrowthTotals,
}

/// Joins the points of some profiles; each comes with the name it has in messages.
///
/// # Errors
/// If a profile has none.
pub fn unite(profiles: &[(String, Profile)]) -> Result<Growth> {
    let mut table = MethodTable::default();
    let mut loops: BTreeMap<(Place, bool), (BTreeMap<u32, GrowthPoint>, LoopEffects)> =
        BTreeMap::new();
    let mut totals = GrowthTotals::default();
    for (file, profile) in profiles {
        let Some(growth) = &profile.dataflow.growth else {
            return Err(Error::new(format!(
                "{file}: no growth of loops was recorded; record with mode=growth"
            )));
        };
        let methods = table.add(profile);
        for one in &growth.loops {
            let (known, effects) =
                loops.entry((methods.place(one.place), one.is_method)).or_default();
            for point in &one.points {
                let bucket = GrowthPoint::bucket(point.sizes / point.instances);
                known.entry(bucket).and_modify(|known| known.add(point)).or_insert(*point);
            }
            effects.add(&one.effects);
        }
        totals.add(&growth.totals);
    }
    let loops = loops.into_iter().map(|((place, is_method), (points, effects))| LoopGrowth {
        place,
        is_method,
        points: points.into_values().collect(),
        effects,
    });
    Ok(Growth { methods: table.finish(), loops: loops.collect(), totals })
}

#[cfg(test)]
mod tests {
    use profile::dataflow::GrowthProfile;
    use profile::{ClassId, ClassInfo, MethodId, MethodInfo};

    use super::*;

    fn run(sizes: &[u64]) -> (String, Profile) {
        let method = MethodInfo::new(ClassId(0), "m", "()V");
        let mut profile = Profile {
            classes: vec![ClassInfo::default()],
            methods: vec![method],
            ..Profile::default()
        };
        let place = Place { method: Some(MethodId(0)), bci: 3, line: 4 };
        let points = sizes.iter().map(|&size| GrowthPoint::of(size, 2 * size)).collect();
        let totals = GrowthTotals { instances: 2, ..GrowthTotals::default() };
        profile.dataflow.growth = Some(GrowthProfile {
            loops: vec![LoopGrowth { place, points, ..LoopGrowth::default() }],
            totals,
        });
        ("run".into(), profile)
    }

    #[test]
    fn points_of_several_runs_are_joined() {
        let growth = unite(&[run(&[5, 300]), run(&[301, 5]), run(&[7])]).expect("they have it");
        assert_eq!(growth.totals.instances, 6);
        let [one] = &growth.loops[..] else { panic!("{:?}", growth.loops) };
        let points: Vec<_> =
            one.points.iter().map(|point| (point.instances, point.size(), point.sum)).collect();
        assert_eq!(points, [(2, 5.0, 20), (1, 7.0, 14), (2, 300.5, 1202)]);
    }

    #[test]
    fn a_run_without_growth_is_refused() {
        let error = unite(&[("a".into(), Profile::default())]).expect_err("has none");
        assert!(error.to_string().contains("record with mode=growth"), "{error}");
    }
}
