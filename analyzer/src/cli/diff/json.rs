//! The difference for programs.

use std::io::Write;

use analysis::diff::explanation::{Explanation, Row};
use analysis::diff::methods::{MethodDifference, Side};
use analysis::diff::splits::SplitMismatch;
use serde_json::{Map, Value, json};
use tree::error::Result;

use super::table::{kind_of, path_of};
use super::{Answer, copies};
use crate::cli::json;

/// Prints the answer.
///
/// # Errors
/// If `out` fails.
pub fn print(answer: &Answer<'_>, out: &mut (impl Write + ?Sized)) -> Result<()> {
    let mut totals = Map::new();
    for total in &answer.totals {
        totals.insert(total.name.clone(), json!({ "before": total.base, "after": total.new }));
    }
    let tree = answer.profiles.base.tree();
    let mut document = json!({
        "metric": tree.metric(),
        "totals": totals,
        "broken": answer.broken.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "explanation": explanation_document(answer, &answer.explanation),
    });
    let mismatches = answer.profiles.split_mismatches();
    if !mismatches.is_empty() {
        let mismatches = mismatches.iter().map(|mismatch| {
            let SplitMismatch { split, with, without } = mismatch;
            json!({ "split": split, "with": with, "without": without })
        });
        document["split_mismatches"] = mismatches.collect();
    }
    if let Some(time) = &answer.time {
        document["time"] =
            json!({ "samples": time.samples, "estimated_difference": time.difference() });
        let rows = document["explanation"]["rows"].as_array_mut().into_iter().flatten();
        for (value, row) in rows.zip(&answer.explanation.rows) {
            value["estimated_time"] = time.explained_by(row.blamed.method).into();
        }
    }
    if let Some(moved) = &answer.moved {
        document["moved"] = explanation_document(answer, moved);
    }
    if let Some(copied) = &answer.copies {
        document["copies"] = copies::document(copied);
    }
    if let Some(methods) = &answer.methods {
        document["different"] = methods
            .fates
            .iter()
            .map(|kind| (kind.fate.name().to_owned(), json!(kind.methods)))
            .collect::<Map<String, Value>>()
            .into();
        document["different_by_callees_only"] =
            methods.fates.iter().map(|kind| kind.by_callees).sum::<u64>().into();
        document["methods"] = methods.listed.iter().map(|m| method(answer, m)).collect();
    }
    if let Some(contexts) = &answer.contexts {
        document["contexts"] = json!({
            "common": contexts.common,
            "new": contexts.new,
            "gone": contexts.gone,
            "found": contexts.found,
            "greatest": contexts.greatest.iter().map(|row| json!({
                "difference": json::difference(row.cost),
                "in": kind_of(row),
                "path": path_of(answer, row).iter().map(|&method| {
                    tree.methods[method as usize].to_string()
                }).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
        });
    }
    json::print(&document, out)
}

fn explanation_document(answer: &Answer<'_>, explanation: &Explanation) -> Value {
    json!({
        "rows": explanation.rows.iter().map(|row| explained(answer, row)).collect::<Vec<_>>(),
        "below": {
            "methods": explanation.below,
            "difference": json::difference(explanation.below_difference),
        },
    })
}

fn explained(answer: &Answer<'_>, row: &Row) -> Value {
    let tree = answer.profiles.base.tree();
    let blamed = &row.blamed;
    let name = json::Name::of(tree, blamed.method);
    let mut value = json!({
        "class": name.class,
        "name": name.name,
        "descriptor": name.descriptor,
        "descriptor_before": blamed.method.and_then(|method| descriptor_before(answer, method)),
        "code": blamed.change.map_or("same", |change| change.name()),
        "before": blamed.base,
        "after": blamed.new,
        "difference": json::difference(row.difference()),
        "calls": { "before": blamed.calls[0], "after": blamed.calls[1] },
    });
    if let Some(spread) = row.spread {
        value["spread"] = spread.into();
    }
    if let Some(part) = blamed.greatest {
        value["mostly_by"] = json!({
            "callee": part.callee.map(|callee| json::Name::of(tree, Some(callee))),
            "before": part.base,
            "after": part.new,
            "calls": { "before": part.base_calls, "after": part.new_calls },
        });
    }
    value
}

/// The descriptor that a method of the shared table had before, if it changed.
fn descriptor_before<'a>(answer: &Answer<'a>, method: u32) -> Option<&'a str> {
    let method = &answer.profiles.base.tree().methods[method as usize];
    answer.profiles.signatures.before(method).map(|before| before.descriptor.as_str())
}

fn method(answer: &Answer<'_>, row: &MethodDifference) -> Value {
    let tree = answer.profiles.base.tree();
    let names = tree.metric_names();
    let side = |side: &Side| {
        let exclusive = names.iter().cloned().zip(side.exclusive.iter().map(|&cost| json!(cost)));
        json!({
            "exclusive": exclusive.collect::<Map<String, Value>>(),
            "inclusive": side.inclusive,
            "contexts": side.contexts,
        })
    };
    let name = json::Name::of(tree, Some(row.method));
    json!({
        "class": name.class,
        "name": name.name,
        "descriptor": name.descriptor,
        "descriptor_before": descriptor_before(answer, row.method),
        "code": row.fate.name(),
        "before": side(&row.base),
        "after": side(&row.new),
    })
}
