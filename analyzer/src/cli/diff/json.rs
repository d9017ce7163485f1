//! The difference for programs.

use std::io::Write;

use analyzer::diff::methods::{MethodDifference, Side};
use analyzer::error::Result;
use serde_json::{Map, Value, json};

use super::Answer;
use super::table::{kind_of, path_of};
use crate::cli::json;

/// Prints the answer.
///
/// # Errors
/// If `out` fails.
pub fn print(answer: &Answer<'_>, out: &mut impl Write) -> Result<()> {
    let mut totals = Map::new();
    for total in &answer.totals {
        totals.insert(total.name.clone(), json!({ "before": total.base, "after": total.new }));
    }
    let mut document = json!({
        "metric": answer.trees.base.metric(),
        "totals": totals,
        "broken": answer.broken.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "different": answer.fates.iter().map(|kind| {
            (kind.fate.name().to_owned(), json!(kind.methods))
        }).collect::<Map<String, Value>>(),
        "different_by_callees_only": answer.fates.iter().map(|kind| kind.by_callees).sum::<u64>(),
        "methods": answer.methods.iter().map(|m| method(answer, m)).collect::<Vec<_>>(),
    });
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
                    answer.trees.base.methods[method as usize].to_string()
                }).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
        });
    }
    json::print(&document, out)
}

fn method(answer: &Answer<'_>, row: &MethodDifference) -> Value {
    let names = answer.trees.base.metric_names();
    let side = |side: &Side| {
        let exclusive = names.iter().cloned().zip(side.exclusive.iter().map(|&cost| json!(cost)));
        json!({
            "exclusive": exclusive.collect::<Map<String, Value>>(),
            "inclusive": side.inclusive,
            "contexts": side.contexts,
        })
    };
    let name = json::Name::of(&answer.trees.base, Some(row.method));
    json!({
        "class": name.class,
        "name": name.name,
        "descriptor": name.descriptor,
        "code": row.fate.name(),
        "before": side(&row.base),
        "after": side(&row.new),
    })
}
