//! The page that `subsume report` writes: one HTML file with all that a browser
//! needs to show profiles, never larger than [`LARGEST_PAGE`].
//!
//! What does not fit is left out from the small end: methods of least inclusive
//! cost, contexts of least cost. The page says how much that is. All totals are
//! those of the whole profile.

pub mod assets;
pub mod by_metric;
pub mod call_tree;
pub mod count;
pub mod dataflow;
pub mod difference;
pub mod digest;
pub mod edges;
pub mod explanation;
pub mod facts;
pub mod findings;
pub mod first_screen;
pub mod grid_code;
pub mod html;
pub mod listing;
pub mod methods;
pub mod results;
pub mod room;
pub mod sources;
pub mod threads;
pub mod way;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::page::call_tree::{CallTree, InvertedTree};
use crate::page::count::Count;
use crate::page::difference::Difference;
use crate::page::digest::Digest;
use crate::page::edges::Edges;
use crate::page::explanation::Explained;
use crate::page::facts::{Facts, Skipped, Thread};
use crate::page::findings::Findings;
use crate::page::listing::Listing;
use crate::page::methods::{Methods, OtherMetrics};
use crate::page::room::Room;
use crate::page::sources::{Found, Sources};
use analysis::diff::splits::SplitMismatch;
use analysis::subsuming::Thresholds;
use tree::error::{Error, Result};
use tree::shape::Shape;

/// Bytes of a page at most.
pub const LARGEST_PAGE: usize = 5_000_000;

/// Everything known about one profile.
#[derive(Debug)]
pub struct Subject {
    /// About the recording.
    pub facts: Facts,
    /// About the tree.
    pub digest: Digest,
    /// Metrics beside the one that is analysed.
    pub other: OtherMetrics,
    /// What the commands on data flow say, by their names; null for what was not
    /// recorded.
    pub dataflow: BTreeMap<&'static str, Value>,
    /// Source text, if it was asked for.
    pub sources: Option<Found>,
    /// What `subsume diagnose` found, of a folder of recordings.
    pub findings: Option<Findings>,
}

/// What goes into a page.
#[derive(Debug)]
pub struct Contents {
    /// The profiles.
    pub subjects: Vec<Subject>,
    /// The thresholds that the page begins with.
    pub thresholds: Thresholds,
    /// When it is made, in milliseconds since 1970.
    pub created: u64,
    /// Entries of the agent's option `split` that only one of two profiles has, if they are
    /// compared.
    pub split_mismatches: Vec<SplitMismatch>,
    /// Methods that differ, the greatest difference first, if there are two
    /// profiles that can be compared.
    pub difference: Option<Difference>,
    /// What explains the difference, if there are two profiles that can be compared.
    pub explanation: Option<Explained>,
}

/// A page.
#[derive(Debug)]
pub struct Page {
    /// The file.
    pub html: Vec<u8>,
    /// The most that it holds of each profile.
    pub room: Room,
}

/// The form in which a page carries its contents.
#[derive(Debug, Serialize)]
struct Document<'a> {
    version: u32,
    generator: &'static str,
    created: u64,
    thresholds: Bounds,
    profiles: Vec<ProfileSection<'a>>,
    /// What makes two profiles hard to compare.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diff_notes: Vec<String>,
    diff: Option<difference::Section<'a>>,
    explanation: Option<explanation::Section>,
}

/// Incremented whenever the form changes.
const VERSION: u32 = 3;

#[derive(Debug, Serialize)]
struct Bounds {
    height: u32,
    distance: u32,
}

#[derive(Debug, Serialize)]
struct ProfileSection<'a> {
    name: String,
    metric: &'a str,
    total: Count,
    contexts: u64,
    executed: usize,
    totals: Vec<(&'a str, Count)>,
    facts: Vec<(&'static str, String)>,
    notes: Vec<String>,
    remarks: Vec<String>,
    imported: bool,
    shape: &'a Shape,
    first: first_screen::Section,
    findings: Option<findings::Section<'a>>,
    metrics: Vec<by_metric::Total>,
    threads: &'a [Thread],
    threads_left_out: usize,
    skipped: Skipped<'a>,
    methods: Methods,
    tree: CallTree,
    inverted: InvertedTree,
    edges: Edges,
    dataflow: BTreeMap<&'static str, Value>,
    sources: Option<Sources<'a>>,
}

impl<'a> ProfileSection<'a> {
    fn new(subject: &'a Subject, room: Room) -> Self {
        let Subject { facts, digest, .. } = subject;
        let listing = Listing::new(&digest.order, room.methods, digest.methods.len());
        let threads = &facts.threads[..facts.threads.len().min(facts::MOST)];
        Self {
            name: facts::text(&facts.name),
            metric: &digest.metric,
            total: Count(digest.total),
            contexts: digest.shape.contexts,
            executed: digest.order.len(),
            totals: facts::totals(facts),
            facts: facts.lines.iter().map(|(title, text)| (*title, facts::text(text))).collect(),
            notes: facts.notes.iter().map(|note| facts::text(note)).collect(),
            remarks: facts.remarks.iter().map(|remark| facts::text(remark)).collect(),
            imported: facts.imported,
            shape: &digest.shape,
            first: digest.first_screen.section(&listing),
            findings: subject.findings.as_ref().map(|found| found.section(&listing)),
            metrics: by_metric::totals(&digest.by_metric),
            threads,
            threads_left_out: facts.threads.len() - threads.len(),
            skipped: Skipped::new(facts),
            methods: Methods::new(digest, &subject.other, &listing),
            tree: CallTree::new(digest, &listing, room.contexts),
            inverted: InvertedTree::new(digest, &listing, room.inverted),
            edges: Edges::new(digest, &listing, room.edges),
            dataflow: subject
                .dataflow
                .iter()
                .map(|(&name, section)| (name, dataflow::within(section, room.dataflow)))
                .collect(),
            sources: subject
                .sources
                .as_ref()
                .map(|found| Sources::new(found, &digest.methods, &listing, room.sources)),
        }
    }
}

impl Contents {
    /// The contents as JSON, as much as there is room for.
    ///
    /// # Errors
    /// If something cannot be written as JSON.
    pub fn json(&self, room: Room) -> Result<Vec<u8>> {
        let document = Document {
            version: VERSION,
            generator: concat!("subsume ", env!("CARGO_PKG_VERSION")),
            created: self.created,
            thresholds: Bounds {
                height: self.thresholds.height,
                distance: self.thresholds.distance,
            },
            profiles: self.subjects.iter().map(|s| ProfileSection::new(s, room)).collect(),
            diff_notes: self
                .split_mismatches
                .iter()
                .map(|mismatch| facts::text(&mismatch.to_string()))
                .collect(),
            diff: self.difference.as_ref().map(|d| d.section(room.differences)),
            explanation: self.explanation.as_ref().and_then(|explained| {
                let [base, new] = self.subjects.as_slice() else { return None };
                Some(explained.section([&base.digest, &new.digest], room))
            }),
        };
        serde_json::to_vec(&document).map_err(|e| Error::new(format!("cannot write JSON: {e}")))
    }

    /// The room that there is for each profile at most.
    pub fn room(&self) -> Room {
        Room::LARGEST.scaled(1.0 / self.subjects.len().max(1) as f64)
    }

    /// The page, with as much as it can hold.
    ///
    /// # Errors
    /// If it does not fit in [`LARGEST_PAGE`] even without what can be left out.
    pub fn page(&self) -> Result<Page> {
        let title: Vec<&str> = self.subjects.iter().map(|s| s.facts.name.as_str()).collect();
        let title = facts::text(&title.join(", "));
        let mut room = self.room();
        loop {
            let json = self.json(room)?;
            // What is far too much need not be compressed to the last byte.
            let mut length = html::estimate(&json)?;
            if length <= 2 * LARGEST_PAGE {
                let html = html::page(&title, &json)?;
                if html.len() <= LARGEST_PAGE {
                    return Ok(Page { html, room });
                }
                length = html.len();
            }
            if room == room.scaled(0.0) {
                return Err(Error::new("the profiles are too many for one report: give fewer"));
            }
            // Compressed, the parts do not shrink alike: better a bit too far
            // than once more.
            room = room.scaled(0.95 * LARGEST_PAGE as f64 / length as f64);
        }
    }
}
