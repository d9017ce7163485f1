//! A history as a page for a browser.

use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use report::page::count::Count;
use report::page::html;
use serde::Serialize;
use serde_json::Value;
use tree::error::{Error, Result};
use tree::names::method::VIRTUAL_ROOT;
use tree::readable_names::printable;

use super::{Answer, Row, Version};
use crate::cli::json::difference;
use crate::cli::output_file::write_file;

/// Methods of a page at most, unless the user says otherwise.
const TOP: usize = 1000;

/// What `report/view/history_page.js` shows.
#[derive(Serialize)]
struct Document<'a> {
    history: bool,
    generator: &'static str,
    /// Milliseconds since 1970.
    created: u64,
    metric: &'a str,
    versions: Vec<PageVersion>,
    methods: Vec<Method>,
    /// Methods that are left out.
    more: usize,
}

#[derive(Serialize)]
struct PageVersion {
    name: String,
    total: Count,
    /// What the version changed; null of the first one.
    change: Option<Change>,
}

#[derive(Serialize)]
struct Change {
    by_changed_code: Value,
    changed_methods: usize,
    by_data: Value,
    below: Value,
}

#[derive(Serialize)]
struct Method {
    class: String,
    name: String,
    descriptor: String,
    /// The place of the version, the difference, and what became of the code.
    changes: Vec<(usize, Value, &'static str)>,
}

/// Writes the page.
///
/// # Errors
/// If the file or `out` cannot be written.
pub fn write(answer: &Answer<'_>, path: &Path, out: &mut impl Write) -> Result<()> {
    let Answer { args, metric, versions, rows } = answer;
    let shown = args.output.top(TOP).min(rows.len());
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let document = Document {
        history: true,
        generator: concat!("subsume ", env!("CARGO_PKG_VERSION")),
        created: since.as_millis() as u64,
        metric,
        versions: versions.iter().map(version).collect(),
        methods: rows[..shown].iter().map(method).collect(),
        more: rows.len() - shown,
    };
    let json = serde_json::to_vec(&document)
        .map_err(|error| Error::new(format!("cannot write JSON: {error}")))?;
    let page = html::page(&title(versions), &json)?;
    if path == Path::new("-") {
        out.write_all(&page)?;
        return Ok(());
    }
    write_file(path, |file| Ok(file.write_all(&page)?))?;
    let size = page.len() as f64 / 1e6;
    writeln!(out, "{}, {size:.1} MB: open it in a browser", base::shown(path))?;
    Ok(())
}

fn title(versions: &[Version]) -> String {
    let names: Vec<_> = versions.iter().map(|version| printable(&version.name)).collect();
    names.join(", ")
}

fn version(version: &Version) -> PageVersion {
    PageVersion {
        name: printable(&version.name).into_owned(),
        total: Count(version.total),
        change: version.step.as_ref().map(|step| Change {
            by_changed_code: difference(step.by_changed_code),
            changed_methods: step.changed,
            by_data: difference(step.by_data),
            below: difference(step.below),
        }),
    }
}

fn method(row: &Row) -> Method {
    let text = |text: &str| printable(text).into_owned();
    let (class, name, descriptor) = match &row.method {
        Some(method) => (text(&method.class), text(&method.name), text(&method.descriptor)),
        None => (String::new(), VIRTUAL_ROOT.to_owned(), String::new()),
    };
    let changes = row.steps.iter().map(|(&at, explained)| {
        let code = explained.change.map_or("same", |change| change.name());
        (at, difference(explained.difference), code)
    });
    Method { class, name, descriptor, changes: changes.collect() }
}
