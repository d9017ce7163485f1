//! Loops that read similar values again and again (Toddler, ICSE 2013).
//!
//! [`clusters`] puts together what was found of one static loop, [`explanation`] says
//! in words what is read again and how such a thing is repaired, both as tests are told
//! by the agent ([`profile::verdicts`]), and a [`baseline`] lists what is known already.

pub mod baseline;
pub mod explanation;

use profile::Profile;
use profile::dataflow::{LoopTotals, SimilarLoop, SimilarRead};
pub use profile::verdicts::clusters;

use crate::dataflow::method_table::{MethodTable, Renumbering};
use tree::error::{Error, Result};
use tree::names::method::Method;

/// What was found in one or several runs.
#[derive(Debug, Default)]
pub struct FoundLoops {
    /// The methods that places refer to.
    pub methods: Vec<Method>,
    /// The loops in their contexts.
    pub loops: Vec<SimilarLoop>,
    /// What was left out.
    pub totals: LoopTotals,
}

/// Unites the loops of some profiles; each comes with the name it has in messages.
///
/// # Errors
/// If a profile has none.
pub fn unite(profiles: &[(String, Profile)]) -> Result<FoundLoops> {
    let mut table = MethodTable::default();
    let mut found = FoundLoops::default();
    for (file, profile) in profiles {
        let Some(loops) = &profile.dataflow.loops else {
            return Err(Error::new(format!(
                "{file}: no loops were recorded; record with mode=loops"
            )));
        };
        let methods = table.add(profile);
        found.loops.extend(loops.loops.iter().map(|one| renumbered(one, &methods)));
        let totals = &mut found.totals;
        let sum = |total: &mut u64, more: u64| *total = total.saturating_add(more);
        sum(&mut totals.reads, loops.totals.reads);
        sum(&mut totals.lost, loops.totals.lost);
        sum(&mut totals.deep, loops.totals.deep);
        sum(&mut totals.forgotten, loops.totals.forgotten);
        sum(&mut totals.uncopied, loops.totals.uncopied);
        sum(&mut totals.exhausted, loops.totals.exhausted);
        sum(&mut totals.unjudged, loops.totals.unjudged);
        totals.irreducible = totals.irreducible.max(loops.totals.irreducible);
    }
    found.methods = table.finish();
    Ok(found)
}

fn renumbered(one: &SimilarLoop, methods: &Renumbering) -> SimilarLoop {
    let path = |path: &[_]| path.iter().map(|&place| methods.place(place)).collect();
    let read = |read: &SimilarRead| SimilarRead {
        place: methods.place(read.place),
        path: path(&read.path),
        ..read.clone()
    };
    SimilarLoop {
        place: methods.place(one.place),
        path: path(&one.path),
        similar: one.similar.iter().map(read).collect(),
        ..one.clone()
    }
}
