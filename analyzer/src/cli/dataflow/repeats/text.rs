//! Repeated results as text.

use std::io::Write;

use analysis::dataflow::results::Followed;
use analysis::dataflow::results::explanation::{estimate, sentences};
use analysis::dataflow::results::finding::{is_cache, mean_costs, survivor};
use base::number::{counted, grouped, percent};
use profile::dataflow::{MethodResults, ResultKind};
use profile::results::STRUCTURAL_DEPTHS;
use report::table::{Kind, Table};
use tree::error::Result;
use tree::readable_names::printable;

use super::Answer;
use super::contexts::start_line;
use crate::cli::dataflow::text::{cost, evidence, more};
use crate::cli::run::quoted;
use crate::cli::source::Output;
use crate::cli::terminal;

/// Prints the answer for people.
pub fn print(answer: &Answer<'_>, output: &Output, out: &mut dyn Write) -> Result<()> {
    let found = &answer.found;
    let width = terminal::width();
    writeln!(out, "{}", heading(answer))?;
    if let Some(line) = start_line(answer) {
        writeln!(out, "{line}")?;
    }
    if let Some(&first) = found.candidates.first() {
        writeln!(out)?;
        terminal::write_table(&candidates(answer), out)?;
        more(answer.more.candidates, out)?;
        explain(answer, first, width, out)?;
    } else if let Some(hint) = output.hint("candidate") {
        writeln!(out, "{hint}")?;
    }
    if let Some(&first) = found.by_structure.first() {
        writeln!(out, "\nBy structure: objects compared by what they hold\n")?;
        terminal::write_table(&by_structure(answer), out)?;
        more(answer.more.by_structure, out)?;
        if found.candidates.is_empty() && survivor(&answer.results.followed[first]).is_some() {
            explain(answer, first, width, out)?;
        }
    }
    if !found.caches.is_empty() {
        writeln!(out, "\nNotes: methods that are caches already\n")?;
        terminal::write_table(&caches(answer), out)?;
        more(answer.more.caches, out)?;
    }
    if !found.always_null.is_empty() {
        writeln!(out, "\nNotes: methods that always return null: they never find anything\n")?;
        terminal::write_table(&always_null(answer), out)?;
        more(answer.more.always_null, out)?;
    }
    let notes = notes(answer);
    if !notes.is_empty() {
        writeln!(out)?;
    }
    for note in notes {
        writeln!(out, "{}", printable(&note))?;
    }
    Ok(())
}

fn heading(answer: &Answer<'_>) -> String {
    let methods = counted(answer.results.followed.len() as u64, "method");
    let deep = answer.found.candidates_by_structure;
    let by_structure = match deep {
        0 => String::new(),
        1 => "; by what objects hold, 1 is".to_owned(),
        more => format!("; by what objects hold, {} are", grouped(more as u64)),
    };
    let heading = match answer.candidates {
        0 => format!("None of {methods} with known results is a candidate for a cache"),
        1 => format!("1 of {methods} with known results is a candidate for a cache"),
        more => {
            let more = grouped(more as u64);
            format!("{more} of {methods} with known results are candidates for a cache")
        }
    };
    heading + &by_structure
}

fn explain(answer: &Answer<'_>, at: usize, width: usize, out: &mut dyn Write) -> Result<()> {
    let one = &answer.results.followed[at];
    let told = match answer.found.candidates.is_empty() {
        false => Some(&one.exact),
        true => survivor(one),
    };
    let Some(told) = told else { return Ok(()) };
    writeln!(out, "\n{}", answer.name(one))?;
    for sentence in sentences(one, told, answer.results.bytecodes) {
        writeln!(out, "{}", evidence(&sentence, width))?;
    }
    Ok(())
}

fn candidates(answer: &Answer<'_>) -> Table {
    let tells_users = answer.users.iter().any(Option::is_some);
    let mut columns = vec![
        ("Spared", Kind::Number(0)),
        ("Of all", Kind::Number(0)),
        ("Calls", Kind::Number(1)),
        ("Inputs", Kind::Number(2)),
        ("Hits", Kind::Number(1)),
        ("A hit", Kind::Number(2)),
        ("Call before", Kind::Number(3)),
        ("Writes", Kind::Number(4)),
        ("Results", Kind::Text(5)),
        ("Method", Kind::Text(0)),
    ];
    columns.extend(tells_users.then_some(("For", Kind::Text(3))));
    let mut table = Table::new(&columns);
    for (&at, user) in answer.found.candidates.iter().zip(&answer.users) {
        let one = &answer.results.followed[at];
        let exact = &one.exact;
        let spared = one.spared(exact);
        let mut cells = vec![
            spared.text(),
            percent(spared.likely, answer.results.bytecodes),
            grouped(calls(one, exact)),
            estimate(exact.inputs, exact.inputs_error()),
            hits(exact),
            cost(mean_costs(exact)[0]),
            percent(exact.last_hits, exact.hits),
            grouped(exact.wrote),
            ResultKind::of(exact).text().to_owned(),
            answer.name(one),
        ];
        if tells_users {
            let told = answer.called.zip(user.as_ref());
            let cell = told.map(|(called, user)| called.recorded.told(user).cell());
            cells.push(cell.unwrap_or_else(|| "-".to_owned()));
        }
        table.row(cells);
    }
    table
}

/// Calls that returned; all calls if these are not known.
fn calls(one: &Followed, results: &MethodResults) -> u64 {
    if one.is_partly_known(results) { one.calls } else { results.returned }
}

/// The share of hits, with its standard error where it is an estimate.
fn hits(results: &MethodResults) -> String {
    let share = percent(results.hits, results.returned);
    match results.hits_error {
        0 => share,
        error => format!("{share} ±{}", percent(error, results.returned)),
    }
}

fn deep(depth: u8) -> String {
    format!("{depth} deep")
}

fn by_structure(answer: &Answer<'_>) -> Table {
    let depths = STRUCTURAL_DEPTHS.map(deep);
    let mut columns = vec![
        ("Spared", Kind::Number(1)),
        ("Of all", Kind::Number(0)),
        ("Calls", Kind::Number(2)),
        ("By identity", Kind::Number(3)),
    ];
    columns.extend(depths.iter().map(|depth| (&**depth, Kind::Number(0))));
    columns.extend([("Candidate", Kind::Text(1)), ("Method", Kind::Text(0))]);
    let mut table = Table::new(&columns);
    for &at in &answer.found.by_structure {
        let one = &answer.results.followed[at];
        let survivor = survivor(one);
        let rate = |depth: u8| {
            let deep = one.deep.iter().find(|deep| deep.depth == depth);
            deep.map_or_else(|| "-".to_owned(), hits)
        };
        let saving = survivor.map_or_else(
            || ["-".to_owned(), "-".to_owned()],
            |deep| {
                let spared = one.spared(deep);
                [spared.text(), percent(spared.likely, answer.results.bytecodes)]
            },
        );
        let [spared, share] = saving;
        let calls = calls(one, one.deep.first().unwrap_or(&one.exact));
        let mut row = vec![spared, share, grouped(calls), hits(&one.exact)];
        row.extend(STRUCTURAL_DEPTHS.map(rate));
        row.push(match survivor {
            Some(found) if is_cache(one, found) => "a cache already".to_owned(),
            Some(found) => deep(found.depth),
            None => "no".to_owned(),
        });
        row.push(answer.name(one));
        table.row(row);
    }
    table
}

fn caches(answer: &Answer<'_>) -> Table {
    let mut table = Table::new(&[
        ("Hits", Kind::Number(0)),
        ("Of calls", Kind::Number(0)),
        ("A hit costs", Kind::Number(1)),
        ("Another call", Kind::Number(1)),
        ("Inputs", Kind::Number(2)),
        ("Writes", Kind::Number(3)),
        ("Method", Kind::Text(0)),
    ]);
    for &at in &answer.found.caches {
        let one = &answer.results.followed[at];
        let exact = &one.exact;
        let [hit, other] = mean_costs(exact);
        table.row(vec![
            estimate(exact.hits, exact.hits_error),
            percent(exact.hits, exact.returned),
            cost(hit),
            cost(other),
            estimate(exact.inputs, exact.inputs_error()),
            grouped(exact.wrote),
            answer.name(one),
        ]);
    }
    table
}

fn always_null(answer: &Answer<'_>) -> Table {
    let mut table = Table::new(&[
        ("Cost", Kind::Number(1)),
        ("Of all", Kind::Number(0)),
        ("Calls", Kind::Number(0)),
        ("Inputs", Kind::Number(2)),
        ("Method", Kind::Text(0)),
    ]);
    for &at in &answer.found.always_null {
        let one = &answer.results.followed[at];
        let exact = &one.exact;
        table.row(vec![
            grouped(exact.cost),
            percent(exact.cost, answer.results.bytecodes),
            grouped(exact.returned),
            estimate(exact.inputs, exact.inputs_error()),
            answer.name(one),
        ]);
    }
    table
}

/// What to try next, and what was not followed, a line for each.
fn notes(answer: &Answer<'_>) -> Vec<String> {
    let results = answer.results;
    let mut notes = Vec::new();
    let is_guess = |&at: &usize| {
        let one = &results.followed[at];
        one.spared(&one.exact).is_guess()
    };
    if answer.found.candidates.iter().any(is_guess) {
        notes.push(
            "note: ~ the first calls were followed, or not all inputs were kept; the others are \
             taken to be like these (--json has the bounds)"
                .to_owned(),
        );
    }
    if let Some(option) = &answer.deeper {
        notes.push(format!(
            "note: objects that differ may hold the same: subsume run --mode results \
             --agent-options {}",
            quoted(option)
        ));
    }
    if answer.candidates > 1 {
        notes.push(
            "note: where candidates call each other, what they spare is in both lines".to_owned(),
        );
    }
    if results.totals.threads > 1 {
        notes.push(format!(
            "note: inputs are those of {}, as if one had run behind the other",
            counted(results.totals.threads, "thread")
        ));
    }
    let reasons = [
        (results.unfollowed as u64, "method", "not followed: constructors, and leaf methods"),
        (
            results.calls_after_the_first(),
            "call",
            "not followed: those before had shown that no cache would help, or were enough \
             (max-calls)",
        ),
        (results.totals.too_deep, "call", "not followed: too deep in recursion"),
    ];
    let lines = reasons.iter().filter(|(count, ..)| *count > 0);
    notes.extend(lines.map(|&(n, unit, what)| format!("note: {} {what}", counted(n, unit))));
    if results.totals.numbers_repeat() {
        notes.push(format!(
            "note: {} objects were numbered, more than there are numbers: two that differ may \
             pass for one",
            grouped(results.totals.identities)
        ));
    }
    notes
}
