//! pprof: protocol buffers, compressed with gzip.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::export::folded::{Stacks, for_each_stack};
use crate::export::strings::Strings;
use crate::protobuf::Message;
use tree::Tree;
use tree::error::Result;

/// Writes the selected stacks, with a value for each metric, also those that cost
/// nothing by the first one. The kind of the first metric is shown first.
///
/// # Errors
/// If `out` fails.
pub fn write(tree: &Tree, stacks: &Stacks, out: &mut impl Write) -> Result<()> {
    let mut out = GzEncoder::new(out, Compression::fast());
    let mut strings = Strings::default();
    let mut top = Message::default();
    let mut part = Message::default();
    let unit = strings.number("count");
    for metric in &tree.metrics {
        part.clear();
        part.number(1, strings.number(&metric.name));
        part.number(2, unit);
        top.text(1, part.bytes());
    }
    let first = strings.number(tree.metric());
    top.number(14, first);
    for (number, method) in (1..).zip(&tree.methods) {
        part.clear();
        part.number(1, number);
        part.number(2, strings.number(&method.qualified()));
        part.number(3, strings.number(&method.to_string()));
        top.text(5, part.bytes());
        // A location is a place in a function; ours are whole functions.
        let mut line = Message::default();
        line.number(1, number);
        part.clear();
        part.number(1, number);
        part.text(4, line.bytes());
        top.text(4, part.bytes());
    }
    for text in strings.texts() {
        top.text(6, text.as_bytes());
    }
    out.write_all(top.bytes())?;
    let stacks = Stacks { every_metric: true, ..stacks.clone() };
    for_each_stack(tree, &stacks, |stack, node| {
        part.clear();
        // The innermost call comes first.
        part.packed(1, stack.iter().rev().map(|&method| u64::from(method) + 1));
        part.packed(2, tree.metrics.iter().map(|metric| metric.values[node as usize]));
        top.clear();
        top.text(2, part.bytes());
        out.write_all(top.bytes())?;
        Ok(())
    })?;
    out.finish()?;
    Ok(())
}
