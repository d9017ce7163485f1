//! Evidence of a recording of nulls: where code meets them, and where they come from.

use base::number::counted;
use profile::dataflow::{NullGraph, Place};
use profile::{MethodId, Profile};
use tree::error::Result;
use tree::names::method::Method;
use tree::owners::Owner;

use super::evidence::{Evidence, Recording, Sure};
use super::kind::Kind;
use super::program::Program;
use super::region::Region;
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
    let evidence = raised(&nulls.graph).into_iter().filter_map(|one| {
        let Place { method: Some(MethodId(number)), line, .. } = one.place else { return None };
        let method = nulls.methods.get(number as usize)?;
        let count = one.uncaught.saturating_add(one.caught);
        let is_told = one.uncaught > 0 || count >= FEWEST;
        if !is_told || program.owners.owner(&method.class) == Owner::Platform {
            return None;
        }
        let method = program.number(method)?;
        Some(Evidence {
            kind: Kind::NullMet,
            recording: Recording::Nulls,
            method,
            line,
            node: program.costliest(program.contexts(method)),
            sentence: sentence(&one, &nulls.methods, &nulls.graph),
            hint: Some("test for null where it comes from, or give another value there"),
            region: Region::default(),
            saving: 0,
            likely: 0,
            sure: Sure::Exact,
            command: vec!["nulls".to_owned()],
        })
    });
    Ok(evidence.collect())
}

/// How many exceptions there were, and where their nulls come from.
fn sentence(raised: &Raised, methods: &[Method], graph: &NullGraph) -> String {
    let count = counted(raised.uncaught.saturating_add(raised.caught), "NullPointerException");
    let caught = match (raised.uncaught, raised.caught) {
        (0, _) => "caught",
        (_, 0) => "not caught",
        _ => "caught in part",
    };
    let mut origins: Vec<String> = Vec::new();
    for way in &raised.ways {
        let Some(first) = way.nodes.first() else { continue };
        let Place { method: Some(MethodId(number)), line, .. } =
            graph.nodes[first.0 as usize].place
        else {
            continue;
        };
        let Some(method) = methods.get(number as usize) else { continue };
        let line = if line == 0 { String::new() } else { format!(":{line}") };
        let origin = format!("{}{line}", method.qualified());
        if !origins.contains(&origin) {
            origins.push(origin);
        }
    }
    let more = origins.len() > ORIGINS;
    origins.truncate(ORIGINS);
    let from = match origins.is_empty() {
        true => String::new(),
        false => format!("; the nulls come from {}", origins.join(", ")),
    };
    let more = if more { " and others" } else { "" };
    format!("{count} here, {caught}{from}{more}")
}
