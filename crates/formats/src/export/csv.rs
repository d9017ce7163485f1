//! Comma-separated values (RFC 4180): a row for each context.

use std::borrow::Cow;
use std::io::Write;

use profile::NO_PARENT;

use tree::Tree;
use tree::error::Result;

/// Writes all contexts: number, number of the caller (empty for roots), depth,
/// class, method, descriptor, and the costs, the first one also inclusive.
///
/// # Errors
/// If `out` fails.
pub fn write(tree: &Tree, out: &mut impl Write) -> Result<()> {
    let costs: Vec<String> = tree.metrics.iter().map(|metric| quoted(&metric.name)).collect();
    let inclusive = quoted(&format!("inclusive {}", tree.metric()));
    write!(
        out,
        "context,caller,depth,class,method,descriptor,{},{inclusive}\r\n",
        costs.join(",")
    )?;
    let names: Vec<String> = tree
        .methods
        .iter()
        .map(|m| [&m.class, &m.name, &m.descriptor].map(|text| quoted(text)).join(","))
        .collect();
    let inclusive = tree.inclusive();
    for (node, depth) in (0..).zip(depths(tree)) {
        let caller = match tree.parent[node] {
            NO_PARENT => String::new(),
            parent => parent.to_string(),
        };
        write!(out, "{node},{caller},{depth},{}", names[tree.method[node] as usize])?;
        for metric in &tree.metrics {
            write!(out, ",{}", metric.values[node])?;
        }
        write!(out, ",{}\r\n", inclusive[node])?;
    }
    Ok(())
}

/// Depth of each context, as [`tree::views::top_down::Limits::depth`] counts it.
pub fn depths(tree: &Tree) -> Vec<u32> {
    let root = u32::from(tree.has_virtual_root());
    let mut depths: Vec<u32> = Vec::with_capacity(tree.len());
    for &parent in &tree.parent {
        depths.push(if parent == NO_PARENT { root } else { depths[parent as usize] + 1 });
    }
    depths
}

/// A cell. Spreadsheets take one that begins as formulas do for a formula, which may fetch
/// and run things; behind an apostrophe they take it for text.
fn quoted(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text: Cow<'_, str> = if is_formula { format!("'{text}").into() } else { text.into() };
    if text.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn no_cell_is_a_formula() {
        for (text, cell) in [
            ("a.B", "a.B"),
            ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
            ("@SUM(1,2)", "\"'@SUM(1,2)\""),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("\tx", "'\tx"),
            ("\r=1", "\"'\r=1\""),
            ("(I)V", "(I)V"),
        ] {
            assert_eq!(quoted(text), cell);
        }
    }
}
