//! A history for programs.

use std::io::Write;

use serde::Serialize;
use serde_json::Value;
use tree::error::Result;
use tree::names::method::VIRTUAL_ROOT;

use super::{Answer, Row, TOP, Version};
use crate::cli::json::{self, Name, difference};

#[derive(Serialize)]
struct Document<'a> {
    metric: &'a str,
    versions: Vec<JsonVersion<'a>>,
    methods: Vec<JsonRow<'a>>,
    /// Methods that `--top` has left out.
    more: usize,
}

#[derive(Serialize)]
struct JsonVersion<'a> {
    name: &'a str,
    file: String,
    total: u64,
    /// What the version changed; null of the first one.
    change: Option<JsonStep>,
}

#[derive(Serialize)]
struct JsonStep {
    by_changed_code: Value,
    changed_methods: usize,
    by_data: Value,
    below: Value,
}

#[derive(Serialize)]
struct JsonRow<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    changes: Vec<JsonChange<'a>>,
}

#[derive(Serialize)]
struct JsonChange<'a> {
    version: &'a str,
    difference: Value,
    code: &'static str,
}

/// Prints the answer.
///
/// # Errors
/// If `out` fails.
pub fn print(answer: &Answer<'_>, out: &mut (impl Write + ?Sized)) -> Result<()> {
    let Answer { args, metric, versions, rows } = answer;
    let shown = args.output.entries(TOP).min(rows.len());
    let document = Document {
        metric,
        versions: versions.iter().map(version).collect(),
        methods: rows[..shown].iter().map(|row| method(row, versions)).collect(),
        more: rows.len() - shown,
    };
    json::print(&document, out)
}

fn version(version: &Version) -> JsonVersion<'_> {
    JsonVersion {
        name: &version.name,
        file: version.file.to_string_lossy().into_owned(),
        total: version.total,
        change: version.step.as_ref().map(|step| JsonStep {
            by_changed_code: difference(step.by_changed_code),
            changed_methods: step.changed,
            by_data: difference(step.by_data),
            below: difference(step.below),
        }),
    }
}

fn method<'a>(row: &'a Row, versions: &'a [Version]) -> JsonRow<'a> {
    let name = match &row.method {
        Some(method) => Name::new(method),
        None => Name { class: "", name: VIRTUAL_ROOT, descriptor: "" },
    };
    let changes = row.steps.iter().map(|(&at, explained)| JsonChange {
        version: &versions[at].name,
        difference: difference(explained.difference),
        code: explained.change.map_or("same", |change| change.name()),
    });
    JsonRow { name, changes: changes.collect() }
}
