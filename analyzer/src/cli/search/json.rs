//! The answers for programs, and the file of labels.

use std::io::Write;
use std::path::Path;

use analysis::search::command::USAGE;
use analysis::search::interface::{Costs, ProfileInterface};
use analysis::search::session::{Item, Labelled, List, Numbered, Session};
use serde_json::{Value, json};
use tree::error::Result;

use super::answer::Answer;
use super::text::Style;
use crate::cli::json;
use crate::cli::output_file::write_file;

/// Prints an answer on a line of its own.
///
/// # Errors
/// If `out` fails.
pub fn print(answer: &Answer, style: &Style<'_>, out: &mut impl Write) -> Result<()> {
    json::print(&value(answer, style), out)
}

/// Writes the labels to a file.
///
/// # Errors
/// If the file cannot be written.
pub fn save<P: ProfileInterface>(
    session: &Session<P>,
    style: &Style<'_>,
    path: &Path,
) -> Result<()> {
    let labels = session.labelled();
    let document = json!({
        "metric": style.metric(),
        "total": json::difference(style.total()),
        "labels": labels.iter().map(|l| label(l, style)).collect::<Vec<_>>(),
    });
    write_file(path, |file| json::print(&document, file))
}

fn value(answer: &Answer, style: &Style<'_>) -> Value {
    match answer {
        Answer::Setting(name, value) => {
            json!({ "answer": "setting", "name": name, "value": value })
        }
        Answer::Suggestions(suggester, found) => json!({
            "answer": "suggestions",
            "suggester": suggester.name(),
            "metric": style.metric(),
            "total": json::difference(style.total()),
            "suggestions": list(found, style),
        }),
        Answer::Selection(selection) => json!({
            "answer": "selection",
            "summary": item(&selection.item, style),
            "labels": selection.labels,
            "overlaps": selection.overlaps.iter().map(|(label, costs)| {
                with(of_costs(*costs, style), "label", json!(label))
            }).collect::<Vec<_>>(),
            "top": list(&selection.top, style),
            "bottom": list(&selection.bottom, style),
            "trimmings": list(&selection.trimmings, style),
        }),
        Answer::NewLabel(name, labelled) => {
            json!({ "answer": "label", "label": name, "summary": item(labelled, style) })
        }
        Answer::Labels(labels) => json!({
            "answer": "labels",
            "labels": labels.iter().map(|l| label(l, style)).collect::<Vec<_>>(),
        }),
        Answer::Coverage(coverage) => json!({
            "answer": "coverage",
            "labels": coverage.labels.iter().map(|(label, costs)| {
                with(of_costs(*costs, style), "label", json!(label))
            }).collect::<Vec<_>>(),
            "summaries": coverage.summaries,
            "mean_length": coverage.mean_length,
            "together": of_costs(coverage.costs, style),
        }),
        Answer::Saved(path) => {
            json!({ "answer": "saved", "file": path.to_string_lossy().into_owned() })
        }
        Answer::Help => json!({
            "answer": "help",
            "commands": USAGE.map(|(usage, what)| json!({ "usage": usage, "what": what })),
        }),
        Answer::Quit => json!({ "answer": "quit" }),
    }
}

/// Both costs with their shares; a share of nothing is null.
pub fn of_costs(costs: Costs, style: &Style<'_>) -> Value {
    json!({
        "base": json::difference(costs.base),
        "base_share": style.share(costs.base),
        "cum": json::difference(costs.cum),
        "cum_share": style.share(costs.cum),
    })
}

/// A summary.
pub fn item(item: &Item, style: &Style<'_>) -> Value {
    with(of_costs(item.costs, style), "path", json!(style.names(&item.path)))
}

/// An object with one more field.
pub fn with(mut object: Value, name: &str, value: Value) -> Value {
    object[name] = value;
    object
}

fn numbered(row: &Numbered, style: &Style<'_>) -> Value {
    let value = with(item(&row.item, style), "number", json!(row.number));
    match row.induced {
        Some(induced) => with(value, "induced", json::difference(induced)),
        None => value,
    }
}

fn list(list: &List, style: &Style<'_>) -> Value {
    json!({
        "summaries": list.shown.iter().map(|row| numbered(row, style)).collect::<Vec<_>>(),
        "more": list.more,
        "below_cutoff": list.below_cutoff,
    })
}

fn label(label: &Labelled, style: &Style<'_>) -> Value {
    let summaries: Vec<Value> = label.summaries.iter().map(|row| numbered(row, style)).collect();
    let value = with(of_costs(label.costs, style), "label", json!(label.name));
    with(value, "summaries", json!(summaries))
}
