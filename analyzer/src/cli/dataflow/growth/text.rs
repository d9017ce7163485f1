//! Growth as text.

use std::io::Write;

use analysis::dataflow::growth::fit::{LEAST_RANGE, LEAST_SIZES};
use analysis::dataflow::growth::picture::picture;
use base::number::{counted, grouped};
use profile::dataflow::GrowthTotals;
use report::painted::Painted;
use report::table::{Kind, Table};
use tree::error::Result;

use super::{Answer, Fitted, IdleLoop};
use crate::cli::dataflow::names::{in_colour, painted};
use crate::cli::dataflow::text::more;
use crate::cli::source::Output;
use crate::cli::terminal;

/// Prints the answer for people.
pub fn print(answer: &Answer<'_>, output: &Output, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}", heading(answer))?;
    if !answer.loops.is_empty() {
        writeln!(out)?;
        terminal::write_table(&table(answer), out)?;
    }
    if answer.fitted == 0
        && let Some(hint) = output.hint("loop with enough sizes")
    {
        writeln!(out, "{hint}")?;
    }
    more(answer.more, out)?;
    if !answer.idle.is_empty() {
        writeln!(out, "\nNotes: loops that go on without effect\n")?;
        terminal::write_table(&idle_table(answer), out)?;
        more(answer.more_idle, out)?;
    }
    if answer.loops.is_empty() && answer.steep == 0 {
        writeln!(out, "'subsume loops' shows those that read the same data again")?;
    }
    let notes = notes(answer);
    let has_tables = !answer.loops.is_empty() || !answer.idle.is_empty();
    if has_tables && !notes.is_empty() {
        writeln!(out)?;
    }
    for note in notes {
        writeln!(out, "{note}")?;
    }
    Ok(())
}

fn heading(answer: &Answer<'_>) -> String {
    let of = match answer.fitted {
        0 => return "No loop or recursive method has an exponent".to_owned(),
        1 => "1 loop or recursive method with an exponent".to_owned(),
        fitted => {
            format!("{} loops and recursive methods with an exponent", grouped(fitted as u64))
        }
    };
    match answer.steep {
        0 => format!("None of {of} grows quadratically"),
        1 => format!("1 of {of} grows quadratically, or nearly so"),
        steep => format!("{steep} of {of} grow quadratically, or nearly so"),
    }
}

fn table(answer: &Answer<'_>) -> Table {
    let mut table = Table::new(&[
        ("Exponent", Kind::Number(0)),
        ("R²", Kind::Number(3)),
        ("Sizes", Kind::Number(2)),
        ("From", Kind::Number(2)),
        ("To", Kind::Number(1)),
        ("Reads there", Kind::Number(1)),
        ("Reads by size", Kind::Text(4)),
        ("Loop or method", Kind::Text(0)),
    ]);
    for one in &answer.loops {
        table.painted_row(row(answer, one));
    }
    table
}

fn row(answer: &Answer<'_>, one: &Fitted) -> Vec<Painted> {
    let fit = &one.fit;
    let whole = |number: f64| grouped(number.round() as u64);
    let figures = [
        // What rounds to nothing has no sign.
        format!("{:.2}", fit.exponent + 0.0),
        format!("{:.2}", fit.r_squared),
        grouped(fit.sizes as u64),
        whole(fit.least),
        whole(fit.greatest),
        whole(fit.cost),
        picture(&one.growth.points),
    ];
    let name = in_colour(&name(answer, one), answer.naming, one.growth.place);
    figures.map(Painted::from).into_iter().chain([name]).collect()
}

fn idle_table(answer: &Answer<'_>) -> Table {
    let mut table = Table::new(&[
        ("Iterations", Kind::Number(2)),
        ("Without effect", Kind::Number(0)),
        ("Instances", Kind::Number(3)),
        ("What", Kind::Text(1)),
        ("Loop", Kind::Text(0)),
    ]);
    for IdleLoop { growth, verdict, iterations } in &answer.idle {
        let figures = [
            grouped(growth.effects.iterations),
            grouped(*iterations),
            grouped(growth.effects.instances),
            verdict.text().to_owned(),
        ];
        let name = painted(answer.naming, growth.place);
        table.painted_row(figures.map(Painted::from).into_iter().chain([name]).collect());
    }
    table
}

/// The name of a loop, or that of a recursive method.
fn name(answer: &Answer<'_>, one: &Fitted) -> String {
    let place = one.growth.place;
    match answer.naming.method(place).filter(|_| one.growth.is_method) {
        Some(method) => format!("{} (recursive)", method.qualified()),
        None => answer.naming.place(place),
    }
}

/// What was left out, a line for each reason.
fn notes(answer: &Answer<'_>) -> Vec<String> {
    let GrowthTotals { inexact, unkept, unfinished, resting, .. } = answer.totals;
    let few = format!(
        "without an exponent: fewer than {LEAST_SIZES} sizes, or all within a factor of \
         {LEAST_RANGE}"
    );
    let reasons = [
        (answer.unfitted as u64, "other", &*few),
        (inexact, "loop instance", "of unknown size: max-memory, or very long arrays copied"),
        (unkept, "loop instance", "left out for want of memory (max-memory)"),
        (unfinished, "loop instance", "left out: their threads or the recording ended first"),
        (resting, "loop", "followed for the first accesses only (max-accesses)"),
    ];
    let lines = reasons.iter().filter(|(count, ..)| *count > 0);
    lines.map(|&(count, unit, what)| format!("note: {} {what}", counted(count, unit))).collect()
}
