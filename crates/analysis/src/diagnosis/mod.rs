//! What a program wastes, where, and what a change would save: the evidence of all recordings
//! of a program, brought to one calling context tree and told cause by cause.
//!
//! Each recording has its own module, which turns what it says into [`evidence`]: a place in
//! the tree of [`program`], a sentence with figures, and the bytecodes that a change saves at
//! most. [`mod@merge`] brings together what speaks of one cause.

pub mod below;
pub mod copying;
mod cost_graphs;
mod defects;
pub mod evidence;
mod exceptions;
mod growing_copies;
mod histories;
mod idle_loops;
pub mod kind;
pub mod merge;
mod nulls;
mod overwritten;
pub mod program;
mod queries;
pub mod region;
mod repeats;
mod rereads;
mod short_lived;
mod spread;
mod steep;
mod unused;
mod vain;

use profile::Profile;
use tree::error::Result;
use tree::owners::OwnCode;

use crate::dataflow::{growth, results};
use cost_graphs::CostGraphOf;
use evidence::{Evidence, Recording};
use merge::{Finding, merge};
use program::Program;

/// Smaller shares of all bytecodes are not worth telling.
pub const LEAST_SHARE: f64 = 0.005;

/// The causes of waste, the most worth changing first.
///
/// # Errors
/// If a recording lacks what its mode records.
pub fn diagnose(
    program: &Program<'_>,
    recordings: &[(Recording, Vec<(String, Profile)>)],
) -> Result<Vec<Finding>> {
    let mut all: Vec<Evidence> = queries::evidence(program);
    all.extend(exceptions::evidence(program));
    all.extend(growing_copies::evidence(program));
    let has_loops = recordings.iter().any(|(recording, _)| *recording == Recording::Loops);
    for (recording, profiles) in recordings {
        all.extend(match recording {
            Recording::Results => {
                // Whose code methods are, the tree knows.
                let results = results::unite(profiles, &OwnCode::default())?;
                let mut found = repeats::evidence(program, &results);
                found.extend(vain::evidence(program, &results));
                found
            }
            Recording::Copies => short_lived::evidence(program, profiles)?,
            Recording::Loops => rereads::evidence(program, *recording, profiles)?,
            Recording::Growth => {
                // It has the loops that read the same again, too.
                let mut found = match has_loops {
                    true => Vec::new(),
                    false => rereads::evidence(program, *recording, profiles)?,
                };
                let growth = growth::unite(profiles)?;
                found.extend(steep::evidence(program, &growth));
                found.extend(idle_loops::evidence(program, &growth));
                found
            }
            Recording::Typestate => histories::evidence(program, profiles)?,
            Recording::Costs => {
                let graphs = CostGraphOf::all(profiles)?;
                let mut found = unused::evidence(program, &graphs);
                found.extend(overwritten::evidence(program, &graphs));
                found
            }
            Recording::Nulls => nulls::evidence(program, profiles)?,
            Recording::Calls => Vec::new(),
        });
    }
    all.iter_mut().for_each(|one| program.add_moved(one));
    Ok(merge(program, all))
}
