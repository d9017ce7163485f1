//! What two versions copy, where both were recorded with mode=copies.

use std::io::Write;

use analysis::dataflow::copies::difference::{Changed, CopyDifference, difference};
use base::number::{grouped, signed};
use report::table::{Kind, Table};
use serde_json::{Value, json};
use tree::error::Result;
use tree::readable_names::printable;

use super::Answer;
use super::profiles::Profiles;
use crate::cli::terminal;

/// Entries of each list shown unless the user says otherwise.
const TOP: usize = 5;

/// The difference, if both sides are one run with copies.
pub fn compared(profiles: &Profiles) -> Option<CopyDifference> {
    let [base, new] = profiles.pair()?;
    Some(difference(base.copies.as_ref()?, new.copies.as_ref()?))
}

/// Prints the difference, if there is any.
///
/// # Errors
/// If `out` fails.
pub fn print(answer: &Answer<'_>, out: &mut impl Write) -> Result<()> {
    let Some(copies) = &answer.copies else { return Ok(()) };
    if copies.is_empty() {
        writeln!(out, "\nNo chain, clone or temporary differs")?;
        return Ok(());
    }
    let top = answer.args.output.top(TOP);
    let title = "Temporaries, objects that no reference is stored to, by class and maker";
    print_list(title, &copies.temporaries, top, out, Clone::clone)?;
    let title = "Clones, bytes copied from what one structure reaches to another";
    print_list(title, &copies.clones, top, out, |[from, to]| format!("{from} -> {to}"))?;
    let title = "Copy chains, by waste factor: length times bytes of the least copy";
    print_list(title, &copies.chains, top, out, |chain| chain.join(" -> "))
}

fn print_list<T>(
    title: &str,
    all: &[Changed<T>],
    top: usize,
    out: &mut impl Write,
    name: impl Fn(&T) -> String,
) -> Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}\n")?;
    let mut table = Table::new(&[
        ("Difference", Kind::Number(0)),
        ("Before", Kind::Number(1)),
        ("After", Kind::Number(1)),
        ("In", Kind::Text(0)),
        ("What", Kind::Text(0)),
    ]);
    for one in all.iter().take(top) {
        table.row(vec![
            signed(one.difference()),
            grouped(one.base),
            grouped(one.new),
            one.kind().to_owned(),
            printable(&name(&one.what)).to_string(),
        ]);
    }
    terminal::write_table(&table, out)?;
    terminal::count_rest(all.len().saturating_sub(top), out)?;
    Ok(())
}

/// The difference for programs.
pub fn document(copies: &CopyDifference) -> Value {
    json!({
        "temporaries": list(&copies.temporaries, |what| json!({ "what": what })),
        "clones": list(&copies.clones, |[from, to]| json!({ "from": from, "to": to })),
        "chains": list(&copies.chains, |chain| json!({ "locations": chain })),
    })
}

fn list<T>(all: &[Changed<T>], what: impl Fn(&T) -> Value) -> Value {
    let entry = |one: &Changed<T>| {
        let mut entry = what(&one.what);
        entry["before"] = one.base.into();
        entry["after"] = one.new.into();
        entry["in"] = one.kind().into();
        entry
    };
    all.iter().map(entry).collect()
}
