//! How exact the numbers of data flow are, printed with every result.

use std::io::Write;

use analysis::dataflow::conflicts::{Conflicts, conflicts};
use base::number::{counted, grouped};
use profile::dataflow::{CostGraph, LostOrigins, NullGraph, Objects};
use serde::Serialize;
use tree::error::Result;

use super::element_writers::ElementFacts;

/// What is approximate in a recording.
#[derive(Debug, Serialize)]
pub struct Exactness<'a> {
    /// Context slots of a site, 0 if objects are told apart by sites alone.
    slots: u32,
    /// Mean share of contexts that share the fullest slot of a site, 0 for
    /// sites without conflict.
    conflict_ratio: f64,
    sites_in_conflict: usize,
    sites: usize,
    /// Values whose origins were lost.
    lost: Vec<Lost<'a>>,
    /// In recordings of costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    shared_last_writers: Option<Shared>,
    /// In recordings of costs.
    #[serde(flatten)]
    element_facts: Option<ElementFacts>,
}

/// Arrays whose elements share last writers.
#[derive(Debug, Serialize)]
struct Shared {
    arrays: u64,
    elements: u64,
}

#[derive(Debug, Serialize)]
struct Lost<'a> {
    reason: &'a str,
    values: u64,
}

impl<'a> Exactness<'a> {
    /// That of some objects.
    pub fn new(objects: &'a Objects) -> Self {
        let Conflicts { ratio, sites_in_conflict, sites } = conflicts(objects);
        Self {
            slots: objects.slots,
            conflict_ratio: ratio,
            sites_in_conflict,
            sites,
            lost: lost(&objects.lost),
            shared_last_writers: None,
            element_facts: None,
        }
    }

    /// That of a cost graph.
    pub fn of_costs(graph: &'a CostGraph) -> Self {
        let shared = graph.shared;
        let shared = Shared { arrays: shared.arrays, elements: shared.elements };
        Self {
            shared_last_writers: Some(shared),
            element_facts: Some(ElementFacts::new(graph.element_writers)),
            ..Self::new(&graph.objects)
        }
    }

    /// Writes it in a few lines.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write(&self, out: &mut dyn Write) -> Result<()> {
        writeln!(out)?;
        if self.slots > 0 {
            writeln!(
                out,
                "Contexts: {} slots a site; {} of {} sites have several contexts in a slot \
                 (conflict ratio {:.4}).",
                self.slots,
                grouped(self.sites_in_conflict as u64),
                grouped(self.sites as u64),
                self.conflict_ratio,
            )?;
        } else {
            writeln!(out, "Objects are told apart by their allocation sites alone.")?;
        }
        write_lost(&self.lost, out)?;
        if let Some(shared) = self.shared_last_writers.as_ref().filter(|shared| shared.arrays > 0) {
            writeln!(
                out,
                "Last writers: {} so large that neighbours among their {} share one.",
                counted_verb(shared.arrays),
                counted(shared.elements, "element"),
            )?;
        }
        self.element_facts.map_or(Ok(()), |facts| write_lines(facts, out))
    }
}

fn write_lines(facts: ElementFacts, out: &mut dyn Write) -> Result<()> {
    for (title, text) in facts.lines() {
        writeln!(out, "{title}: {text}")?;
    }
    Ok(())
}

fn counted_verb(arrays: u64) -> String {
    format!("{} {}", counted(arrays, "array"), if arrays == 1 { "is" } else { "are" })
}

fn lost(lost: &[LostOrigins]) -> Vec<Lost<'_>> {
    lost.iter().map(|lost| Lost { reason: &lost.reason, values: lost.values }).collect()
}

fn write_lost(lost: &[Lost<'_>], out: &mut dyn Write) -> Result<()> {
    let all: u64 = lost.iter().fold(0, |sum, lost| sum.saturating_add(lost.values));
    if all == 0 {
        return Ok(());
    }
    let reasons: Vec<String> =
        lost.iter().map(|lost| format!("{} {}", grouped(lost.values), lost.reason)).collect();
    writeln!(
        out,
        "Origins lost: {} values count as coming from nowhere ({}).",
        grouped(all),
        reasons.join("; ")
    )?;
    Ok(())
}

/// What is approximate in a recording without objects.
#[derive(Debug, Serialize)]
pub struct NullExactness<'a> {
    lost: Vec<Lost<'a>>,
    #[serde(flatten)]
    element_facts: ElementFacts,
}

impl<'a> NullExactness<'a> {
    /// That of ways of nulls.
    pub fn new(graph: &'a NullGraph) -> Self {
        Self { lost: lost(&graph.lost), element_facts: ElementFacts::new(graph.element_writers) }
    }

    /// Writes it in a few lines, if there is anything to say.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write(&self, out: &mut dyn Write) -> Result<()> {
        write_lost(&self.lost, out)?;
        write_lines(self.element_facts, out)
    }
}
