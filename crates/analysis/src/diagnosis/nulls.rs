//! Evidence of a recording of nulls: where code meets them, and where they come from.

use base::number::counted;
use profile::Profile;
use profile::dataflow::{NullGraph, NullNodeId, Objects};
use tree::error::Result;

use super::defects::defect;
use super::evidence::{Evidence, Recording};
use super::kind::Kind;
use super::program::Program;
use crate::dataflow::name::{Contexts, Naming};
use crate::dataflow::nulls::{Raised, raised, unite};

/// Fewer exceptions that are caught at one place may be a test of what is not there.
const FEWEST: u64 = 10;
/// Origins that a sentence names.
const ORIGINS: usize = 2;

/// What a recording of nulls says.
///
/// # Errors
/// If the profile has no nulls.
pub fn evidence(program: &Program<'_>, profiles: &[(String, Profile)]) -> Result<Vec<Evidence>> {
    let nulls = unite(profiles)?;
    let objects = Objects::default();
    let naming = Naming::new(&nulls.methods, &objects, Contexts::Receiver);
    let is_told = |one: &Raised| one.uncaught > 0 || one.caught >= FEWEST;
    let told = raised(&nulls.graph).into_iter().filter(is_told);
    let evidence = told.filter_map(|one| {
        let of = (Kind::NullMet, Recording::Nulls);
        let found = defect(program, of, one.place, &nulls.methods)?;
        Some(Evidence {
            sentence: sentence(&one, &naming, &nulls.graph),
            hint: Some("test for null where it comes from, or give another value there"),
            ..found
        })
    });
    Ok(evidence.collect())
}

/// How many exceptions there were, and where their nulls come from.
fn sentence(raised: &Raised, naming: &Naming<'_>, graph: &NullGraph) -> String {
    let count = counted(raised.uncaught.saturating_add(raised.caught), "NullPointerException");
    let caught = match (raised.uncaught, raised.caught) {
        (0, _) => "caught",
        (_, 0) => "not caught",
        _ => "caught in part",
    };
    let mut origins: Vec<String> = Vec::new();
    let origin = |first: &NullNodeId| graph.nodes[first.0 as usize].place;
    let places = raised.ways.iter().filter_map(|way| way.nodes.first().map(origin));
    for place in places.filter(|place| place.method.is_some()) {
        let origin = naming.place(place);
        if !origins.contains(&origin) {
            origins.push(origin);
        }
    }
    let more = if origins.len() > ORIGINS { " and others" } else { "" };
    origins.truncate(ORIGINS);
    let from = match origins.is_empty() {
        true => String::new(),
        false => format!("; the nulls come from {}", origins.join(", ")),
    };
    format!("{count} here, {caught}{from}{more}")
}
