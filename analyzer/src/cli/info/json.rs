//! The JSON of `subsume info`.

use std::collections::BTreeMap;
use std::io::Write;

use profile::{Completeness, Origin};
use serde::Serialize;
use tree::error::Result;
use tree::shape::Shape;

use super::dataflow::DataflowFacts;
use super::splits::Split;
use super::{Facts, FileFacts};
use crate::cli::json;
use crate::cli::time::TimeOfRun;

#[derive(Serialize)]
struct Document<'a> {
    files: Vec<File<'a>>,
    /// Sums over the selected threads of all files.
    totals: Vec<Total<'a>>,
    /// The tree that analyses work on: threads and call sites merged. Null if it
    /// was not measured.
    tree: Option<&'a Shape>,
    /// The tree with threads merged and call sites kept apart. Null if it was not
    /// measured.
    call_site_tree: Option<&'a Shape>,
}

#[derive(Serialize)]
struct Total<'a> {
    metric: &'a str,
    total: u64,
}

#[derive(Serialize)]
struct File<'a> {
    file: String,
    /// `recorded`, or the format that it was imported from.
    origin: &'a str,
    /// `complete`, `snapshot` or `cut-short`.
    completeness: &'static str,
    jvm: &'a str,
    command_line: &'a str,
    options: &'a str,
    labels: &'a BTreeMap<String, String>,
    /// The plain run whose samples are beside the counts, if there was one.
    time: Option<TimeOfRun<'a>>,
    writer: &'a str,
    process_id: u32,
    /// Milliseconds since 1970, 0 if unknown.
    start_millis: u64,
    end_millis: u64,
    /// When recording was switched off, 0 if it was on at the end.
    stopped_millis: u64,
    bytes: u64,
    /// Bytes of mapped memory while recording, 0 if unknown.
    recording_bytes: u64,
    /// Contexts in the file, apart by thread and call site.
    contexts: usize,
    contexts_lost: u64,
    /// What ran out; empty if nothing did.
    shortage: &'a str,
    /// At least so many.
    calls_lost: u64,
    bytecodes_lost: u64,
    /// The agent came into a JVM that was running.
    attached: bool,
    /// Calls active at the end, null if unknown.
    active_at_end: Option<u64>,
    classes: usize,
    methods: usize,
    /// What was taken for one's own code, and why, in words; empty without methods.
    own_code: &'a str,
    /// Methods whose contexts differ by the text of an argument; empty without option split.
    splits: &'a [Split],
    threads: Vec<Thread<'a>>,
    /// Bytes by allocated class, the most first; empty unless they were counted.
    allocated: Vec<Allocated<'a>>,
    skipped: Vec<Skipped<'a>>,
    /// How well the data flow is known; null without data flow.
    flow: Option<&'a DataflowFacts>,
}

#[derive(Serialize)]
struct Thread<'a> {
    name: &'a str,
    trees: usize,
    threads: u32,
    contexts: usize,
}

#[derive(Serialize)]
struct Allocated<'a> {
    /// The class, or the type of the arrays.
    class: &'a str,
    bytes: u64,
}

#[derive(Serialize)]
struct Skipped<'a> {
    class: &'a str,
    /// Name and descriptor; empty for a whole class.
    method: &'a str,
    reason: &'a str,
}

/// Prints the facts as one JSON object.
///
/// # Errors
/// If `out` fails.
pub fn print(facts: &Facts, out: &mut (impl Write + ?Sized)) -> Result<()> {
    let totals = facts.totals.iter().map(|(metric, total)| Total { metric, total: *total });
    let document = Document {
        files: facts.files.iter().map(file).collect(),
        totals: totals.collect(),
        tree: facts.tree.as_ref().map(|shapes| &shapes.by_method),
        call_site_tree: facts.tree.as_ref().map(|shapes| &shapes.by_call_site),
    };
    json::print(&document, out)
}

fn file(file: &FileFacts) -> File<'_> {
    let run = &file.run;
    File {
        file: file.path.to_string_lossy().into_owned(),
        origin: match &run.origin {
            Origin::Recorded => "recorded",
            Origin::Imported(format) => format,
        },
        completeness: match run.completeness {
            Completeness::Complete => "complete",
            Completeness::Snapshot => "snapshot",
            Completeness::Recording => "recording",
            Completeness::CutShort => "cut-short",
        },
        jvm: &run.jvm,
        command_line: &run.command_line,
        options: &run.options,
        labels: &run.labels,
        time: run.sampling.as_ref().map(TimeOfRun::of),
        writer: &run.writer,
        process_id: run.process_id,
        start_millis: run.start_millis,
        end_millis: run.end_millis,
        stopped_millis: run.stopped_millis,
        bytes: file.bytes,
        recording_bytes: run.recording_bytes,
        contexts: file.contexts,
        contexts_lost: run.contexts_lost,
        shortage: &run.shortage,
        calls_lost: run.calls_lost,
        bytecodes_lost: run.bytecodes_lost,
        attached: run.is_attached,
        active_at_end: run.active_at_end,
        classes: file.classes,
        methods: file.methods,
        own_code: &file.own,
        splits: &file.splits,
        threads: file
            .threads
            .iter()
            .map(|t| Thread {
                name: &t.name,
                trees: t.trees,
                threads: t.threads,
                contexts: t.contexts,
            })
            .collect(),
        allocated: file
            .allocated
            .iter()
            .map(|(class, bytes)| Allocated { class, bytes: *bytes })
            .collect(),
        skipped: file
            .skipped
            .iter()
            .map(|s| Skipped { class: &s.class, method: &s.method, reason: &s.reason })
            .collect(),
        flow: file.dataflow.as_ref(),
    }
}
