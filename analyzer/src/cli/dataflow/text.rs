//! Text that the commands on data flow have in common.

use std::io::Write;

use base::number::grouped;
use tree::error::Result;
use tree::readable_names::{columns, printable};

/// Says how many entries `--top` has left out, if any.
///
/// # Errors
/// If `out` fails.
pub fn more(count: usize, out: &mut dyn Write) -> Result<()> {
    if count > 0 {
        writeln!(out, "... {} more (--top 0 for all)", grouped(count as u64))?;
    }
    Ok(())
}

/// A cost as people read it: whole where it is large.
pub fn cost(cost: f64) -> String {
    if cost == 0.0 || cost >= 100.0 {
        return grouped(cost.round() as u64);
    }
    let text = format!("{cost:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A line of evidence: printable and indented. What is wider than `width` goes on
/// in further lines; names are not cut.
pub fn evidence(text: &str, width: usize) -> String {
    const INDENT: &str = "    ";
    // As deep as the text itself, and a little more.
    let own = text.len() - text.trim_start().len();
    let deeper = format!("\n{INDENT}{}  ", " ".repeat(own));
    let mut out = format!("{INDENT}{}", " ".repeat(own));
    let mut column = out.len();
    for (at, word) in printable(text.trim_start()).split(' ').enumerate() {
        let length = columns(word);
        if at > 0 && column + 1 + length > width {
            out += &deeper;
            column = deeper.len() - 1;
        } else if at > 0 {
            out.push(' ');
            column += 1;
        }
        out += word;
        column += length;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::evidence;

    #[test]
    fn what_is_too_wide_goes_on_in_the_next_line() {
        assert_eq!(evidence("by a to b", 40), "    by a to b");
        assert_eq!(evidence("by aaaa to bbbb", 12), "    by aaaa\n      to\n      bbbb");
        assert_eq!(evidence("  step", 8), "      step");
        assert_eq!(evidence("averylongname of one", 10), "    averylongname\n      of\n      one");
    }
}
