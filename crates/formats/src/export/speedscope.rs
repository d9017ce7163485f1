//! speedscope's own format: the tree as calls that begin and end, where time
//! is what was spent until then.

use std::io::Write;

use profile::NO_PARENT;
use serde_json::json;

use crate::export::folded::{Stacks, select};
use tree::Tree;
use tree::error::Result;

/// Writes the selected contexts, and those on the way to them.
///
/// # Errors
/// If `out` fails.
pub fn write(tree: &Tree, stacks: &Stacks, name: &str, out: &mut impl Write) -> Result<()> {
    let selected = select(tree, stacks);
    let mut shown = selected.clone();
    for node in (0..tree.len()).rev() {
        let parent = tree.parent[node];
        if parent != NO_PARENT {
            shown[parent as usize] |= shown[node];
        }
    }
    let cost = |node: usize| if selected[node] { tree.cost()[node] } else { 0 };
    let total: u64 = (0..tree.len()).map(cost).sum();
    let frames: Vec<_> =
        tree.methods.iter().map(|method| json!({ "name": method.qualified() })).collect();
    let head = json!({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": concat!("subsume ", env!("CARGO_PKG_VERSION")),
        "name": name,
        "activeProfileIndex": 0,
        "shared": { "frames": frames },
    });
    // The events are too many to be kept; they come last in the object.
    let head = head.to_string();
    let head = &head[..head.len() - 1];
    let title = json!(format!("{name}, {}", tree.metric()));
    write!(out, "{head},\"profiles\":[{{\"type\":\"evented\",\"name\":{title},\"unit\":\"none\"")?;
    write!(out, ",\"startValue\":0,\"endValue\":{total},\"events\":[")?;

    let mut spent = 0;
    let mut open: Vec<u32> = Vec::new();
    let mut separator = "";
    let mut event = |kind: char, node: u32, at: u64, out: &mut dyn Write| {
        let frame = tree.method[node as usize];
        let before = std::mem::replace(&mut separator, ",");
        write!(out, "{before}{{\"type\":\"{kind}\",\"frame\":{frame},\"at\":{at}}}")
    };
    for node in (0..tree.len() as u32).filter(|&node| shown[node as usize]) {
        let parent = tree.parent[node as usize];
        while let Some(last) = open.pop_if(|last| *last != parent) {
            event('C', last, spent, out)?;
        }
        event('O', node, spent, out)?;
        spent += cost(node as usize);
        open.push(node);
    }
    while let Some(last) = open.pop() {
        event('C', last, spent, out)?;
    }
    writeln!(out, "]}}]}}")?;
    Ok(())
}
