//! The Firefox Profiler's processed format, version 55: the tree is the table
//! of stacks, and each context is one sample that weighs its cost.

use std::io::Write;

use profile::NO_PARENT;
use serde_json::{Value, json};

use crate::export::folded::{Stacks, select};
use tree::Tree;
use tree::error::{Error, Result};

/// Writes the selected contexts as samples of one thread.
///
/// # Errors
/// If `out` fails.
pub fn write(tree: &Tree, stacks: &Stacks, name: &str, out: &mut impl Write) -> Result<()> {
    let methods = tree.methods.len();
    let frames = json!({
        "length": methods,
        "address": vec![-1; methods],
        "inlineDepth": vec![0; methods],
        "category": vec![0; methods],
        "subcategory": vec![0; methods],
        "func": (0..methods).collect::<Vec<_>>(),
        "nativeSymbol": nulls(methods),
        "innerWindowID": vec![0; methods],
        "line": nulls(methods),
        "column": nulls(methods),
    });
    let functions = json!({
        "length": methods,
        "name": (0..methods).collect::<Vec<_>>(),
        "isJS": vec![false; methods],
        "relevantForJS": vec![false; methods],
        "resource": vec![-1; methods],
        "fileName": nulls(methods),
        "lineNumber": nulls(methods),
        "columnNumber": nulls(methods),
    });
    let meta = json!({
        "categories": [{ "name": "Other", "color": "grey", "subcategories": ["Other"] }],
        "debug": false,
        "extensions": { "length": 0, "baseURL": [], "id": [], "name": [] },
        "interval": 1,
        "preprocessedProfileVersion": 55,
        "processType": 0,
        "product": name,
        "stackwalk": 0,
        "startTime": 0,
        "symbolicated": true,
        "pausedRanges": [],
        "version": 24,
        "usesOnlyOneStackType": true,
        "sourceCodeIsNotOnSearchfox": true,
        "markerSchema": [],
    });
    let names: Vec<String> = tree.methods.iter().map(|method| method.qualified()).collect();

    write!(
        out,
        "{{\"meta\":{meta},\"libs\":[],\"pages\":[],\"profilerOverhead\":[],\"counters\":[]"
    )?;
    write!(out, ",\"threads\":[{{\"frameTable\":{frames},\"funcTable\":{functions}")?;
    write!(out, ",\"name\":{},\"isMainThread\":true", json!(tree.metric()))?;
    write!(
        out,
        ",\"nativeSymbols\":{{\"length\":0,\"address\":[],\"functionSize\":[],\"libIndex\":[],\"name\":[]}}"
    )?;
    write!(
        out,
        ",\"resourceTable\":{{\"length\":0,\"lib\":[],\"name\":[],\"host\":[],\"type\":[]}}"
    )?;
    write!(
        out,
        ",\"markers\":{{\"length\":0,\"category\":[],\"data\":[],\"endTime\":[],\"name\":[],\"phase\":[],\"startTime\":[]}}"
    )?;
    write!(
        out,
        ",\"pausedRanges\":[],\"pid\":\"0\",\"tid\":0,\"processName\":{},\"processType\":\"default\"",
        json!(name)
    )?;
    write!(
        out,
        ",\"processStartupTime\":0,\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null"
    )?;
    write!(out, ",\"showMarkersInTimeline\":false,\"stringArray\":{}", json!(names))?;

    write!(out, ",\"stackTable\":{{\"length\":{},\"prefix\":", tree.len())?;
    let prefix = |&parent: &u32| (parent != NO_PARENT).then_some(parent);
    write_list(tree.parent.iter().map(prefix), out)?;
    write!(out, ",\"frame\":")?;
    write_list(tree.method.iter(), out)?;

    let selected = select(tree, stacks);
    let samples: Vec<usize> = (0..tree.len()).filter(|&node| selected[node]).collect();
    write!(
        out,
        "}},\"samples\":{{\"length\":{},\"weightType\":\"samples\",\"stack\":",
        samples.len()
    )?;
    write_list(samples.iter(), out)?;
    write!(out, ",\"time\":")?;
    write_list(0..samples.len(), out)?;
    write!(out, ",\"weight\":")?;
    write_list(samples.iter().map(|&node| tree.cost()[node]), out)?;
    writeln!(out, "}}}}]}}")?;
    Ok(())
}

fn nulls(len: usize) -> Vec<Value> {
    vec![Value::Null; len]
}

/// Writes a list that may be too long to be kept as text.
fn write_list<T: serde::Serialize>(
    values: impl Iterator<Item = T>,
    out: &mut impl Write,
) -> Result<()> {
    let mut separator = "[";
    for value in values {
        write!(out, "{separator}")?;
        let written = serde_json::to_writer(&mut *out, &value);
        written.map_err(|error| Error::from(std::io::Error::from(error)))?;
        separator = ",";
    }
    write!(out, "{}]", if separator == "[" { "[" } else { "" })?;
    Ok(())
}
