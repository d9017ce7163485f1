//! Whose code the methods of runs are.
//!
//! Tables keep names only. Where classes come from stands in the profiles that are kept, so one
//! profile of each program is looked at; runs that were added without theirs leave names.

use std::collections::BTreeSet;

use crate::archive;
use crate::dataset::{Dataset, Kind};
use crate::run::Run;
use tree::error::Result;
use tree::names::generated::make_comparable;
use tree::names::method::Method;
use tree::owners::{Definitions, OwnCode, Owners};

/// The owners of classes, by the last run of each program of which the profile is there.
/// `said` is what the user says is their own code, `methods` are those of the answer.
///
/// # Errors
/// If a profile is damaged.
pub fn owners<'a>(
    dataset: &Dataset,
    runs: &[Run],
    said: &OwnCode,
    methods: impl IntoIterator<Item = &'a Method>,
) -> Result<Owners> {
    let mut definitions = Definitions::with_own(said);
    let mut known = BTreeSet::new();
    for run in runs.iter().rev().filter(|run| run.has_tree) {
        let path = dataset.path(Kind::Trees, run);
        if known.contains(&run.program) || !path.is_file() {
            continue;
        }
        known.insert(&run.program);
        let mut profile = archive::tables(&path)?;
        make_comparable(&mut profile);
        definitions.add(&profile.run, &profile.classes);
    }
    Ok(Owners::new(definitions, [], methods))
}
