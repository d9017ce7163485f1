//! What `subsume diagnose` found, by the numbers of methods.

use rustc_hash::FxHashMap;
use serde::Serialize;

use analysis::diagnosis::merge::Finding;
use analysis::diagnosis::program::Program;
use tree::names::method::Method;
use tree::time::precision::FEWEST;
use tree::time::text::share;
use tree::views::folding::{Extent, Frame};
use tree::views::way_in::{Stop, way_in};

use crate::page::count::Count;
use crate::page::digest::Digest;
use crate::page::listing::Listing;
use crate::page::way::{Step, way};

/// Sentences that a finding is told with.
const SENTENCES: usize = 3;

/// Findings of a program, by the numbers of methods in a digest.
#[derive(Debug)]
pub struct Findings {
    total: u64,
    found: Vec<Found>,
}

#[derive(Debug)]
struct Found {
    kind: &'static str,
    /// Bytecodes that a change saves at most; `None` of a defect.
    saving: Option<u64>,
    method: u32,
    line: u16,
    way_in: Vec<Stop>,
    sentences: Vec<(u32, String)>,
    sure: &'static str,
    hint: Option<&'static str>,
    time: Option<String>,
    /// The command that shows more.
    command: String,
}

impl Findings {
    /// Those of a program whose methods a page knows, each with the command that shows more.
    pub fn new(program: &Program<'_>, findings: &[(&Finding, String)], digest: &Digest) -> Self {
        let numbers: FxHashMap<&Method, u32> = digest.methods.iter().zip(0..).collect();
        let number = |method: u32| numbers.get(&program.tree.methods[method as usize]).copied();
        let found = |(finding, command): &(&Finding, String)| {
            let lead = finding.lead();
            let stop = |stop: Stop| {
                let frame = match stop.frame {
                    Frame::Method(method) => Frame::Method(number(method)?),
                    folded => folded,
                };
                Some(Stop { frame, ..stop })
            };
            let stops = lead.node.map_or_else(Vec::new, |node| {
                way_in(program.tree, &program.owners, node, Extent::Telling)
            });
            let samples = program.tree.samples();
            let is_defect = lead.kind.is_defect();
            Some(Found {
                kind: lead.kind.text(),
                saving: (!is_defect).then(|| finding.saving()),
                method: number(lead.method)?,
                line: lead.line,
                way_in: stops.into_iter().map(stop).collect::<Option<_>>()?,
                sentences: finding
                    .told(SENTENCES)
                    .into_iter()
                    .filter_map(|one| Some((number(one.method)?, one.sentence.clone())))
                    .collect(),
                sure: lead.sure.text(),
                hint: lead.hint,
                time: (samples >= FEWEST && !is_defect)
                    .then(|| share(finding.samples_saved(), samples)),
                command: command.clone(),
            })
        };
        Self { total: program.tree.total(), found: findings.iter().filter_map(found).collect() }
    }

    /// The section of a page, with the findings whose methods are listed.
    pub fn section(&self, listing: &Listing<'_>) -> Section<'_> {
        Section {
            total: Count(self.total),
            found: self.found.iter().filter_map(|found| found.section(listing)).collect(),
        }
    }
}

impl Found {
    fn section(&self, listing: &Listing<'_>) -> Option<FoundSection<'_>> {
        Some(FoundSection {
            kind: self.kind,
            saving: self.saving.map(Count),
            method: listing.number(self.method)?,
            line: self.line,
            way_in: way(&self.way_in, listing).unwrap_or_default(),
            sentences: self
                .sentences
                .iter()
                .filter_map(|(method, text)| {
                    let is_other = *method != self.method;
                    let other = if is_other { Some(listing.number(*method)?) } else { None };
                    Some((other, text.clone()))
                })
                .collect(),
            sure: self.sure,
            hint: self.hint,
            time: self.time.clone(),
            command: &self.command,
        })
    }
}

/// The section of a page.
#[derive(Debug, Serialize)]
pub struct Section<'a> {
    /// Bytecodes that shares are of.
    total: Count,
    found: Vec<FoundSection<'a>>,
}

#[derive(Debug, Serialize)]
struct FoundSection<'a> {
    kind: &'static str,
    saving: Option<Count>,
    method: u32,
    line: u16,
    /// As in the list of places.
    way_in: Vec<Step>,
    /// Each with its method, if that is another one.
    sentences: Vec<(Option<u32>, String)>,
    sure: &'static str,
    hint: Option<&'static str>,
    time: Option<String>,
    command: &'a str,
}
