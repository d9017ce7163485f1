//! `subsume fleet outliers`.

use std::io::Write;

use base::number::{counted, grouped, signed, signed_percent_of};
use fleet::outliers::{Outlier, find};
use fleet::owners::owners;
use fleet::run::Run;
use fleet::spread::Spreads;
use report::table::{Kind, Table};
use serde::Serialize;
use tree::error::{Error, Result};
use tree::owners::Owners;

use super::gate::Group;
use super::selection::{Selection, counted_flaws, one_program, take_flawed, tell_sampled};
use super::shown_names::ShownNames;
use crate::cli::json::{self, Name};
use crate::cli::own::Own;
use crate::cli::source::Output;
use crate::cli::terminal;

/// Values shown unless the user says otherwise.
const TOP: usize = 20;

/// Find the labels whose runs differ from the others.
///
/// For each value of each label, the runs that have it are compared with those that do not: by
/// the mean of the cost, and by whether each of them is above, or each below, all others. The
/// answer also names the method whose own cost differs most. Incomplete runs (cut short,
/// attached to, snapshots, contexts lost) are left out.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume fleet outliers fleet
  subsume fleet outliers fleet --where program=fop --metric allocations
  subsume fleet outliers --json fleet --where version=1.2")]
pub struct Args {
    #[command(flatten)]
    selection: Selection,

    /// Cost to compare: calls, bytecodes or allocations [default: that of the runs].
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,

    #[command(flatten)]
    own: Own,

    #[command(flatten)]
    output: Output,
}

/// All that is shown.
struct Answer<'a> {
    args: &'a Args,
    runs: usize,
    /// Runs that are not whole.
    left_out: Vec<Run>,
    spreads: &'a Spreads,
    /// Whose the methods are.
    owners: Owners,
    outliers: Vec<Outlier>,
}

/// Runs the command.
///
/// # Errors
/// If the fleet cannot be read, runs are of several programs, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let dataset = args.selection.dataset()?;
    let mut runs = args.selection.runs(&dataset)?;
    let left_out = take_flawed(&mut runs);
    if runs.is_empty() {
        let flaws = counted_flaws(&left_out);
        return Err(Error::new(format!("outliers needs at least one complete run: {flaws}")));
    }
    one_program(&runs)?;
    tell_sampled(&runs)?;
    let class = args.output.class();
    let (spreads, outliers) = find(&dataset, &runs, args.metric.as_deref(), class.as_ref())?;
    let methods = spreads.methods.iter().map(|(method, _)| method);
    let owners = owners(&dataset, &runs, &args.own.code()?, methods)?;
    let answer = Answer { args, runs: runs.len(), left_out, spreads: &spreads, owners, outliers };
    if json::answered(args.output.json, out, |out| print_json(&answer, out))? {
        return Ok(());
    }
    print(&answer, out)
}

fn print(answer: &Answer<'_>, out: &mut impl Write) -> Result<()> {
    let Answer { args, runs, left_out, spreads, owners, outliers } = answer;
    writeln!(out, "{} of {}", spreads.metric, counted(*runs as u64, "run"))?;
    if !left_out.is_empty() {
        let runs = counted(left_out.len() as u64, "run");
        writeln!(out, "Left out, as not whole: {runs} ({})", counted_flaws(left_out))?;
    }
    writeln!(out)?;
    if outliers.is_empty() {
        writeln!(out, "No label has values that tell these runs apart")?;
        return Ok(());
    }
    let mut table = Table::new(&[
        ("Label", Kind::Text(0)),
        ("Runs", Kind::Number(1)),
        ("Mean", Kind::Number(2)),
        ("Others", Kind::Number(2)),
        ("Difference", Kind::Number(0)),
        ("Apart", Kind::Text(0)),
        ("By", Kind::Number(1)),
        ("Code", Kind::Text(3)),
        ("Mostly by", Kind::Text(0)),
    ]);
    let names = ShownNames::new(spreads);
    let shown = args.output.top(TOP).min(outliers.len());
    for outlier in &outliers[..shown] {
        let (difference, code, method) = match outlier.method {
            Some((at, difference)) => {
                let method = &spreads.methods[at].0;
                let code = owners.owner(&method.class).word().to_owned();
                (signed(difference.round() as i128), code, names.of(method).to_owned())
            }
            None => (String::new(), String::new(), String::new()),
        };
        let is_apart = outlier.with.is_apart(&outlier.without);
        table.row(vec![
            format!("{}={}", outlier.key, outlier.value),
            grouped(outlier.with.runs),
            grouped(outlier.with.mean().round() as u64),
            grouped(outlier.without.mean().round() as u64),
            signed_percent_of(outlier.share()),
            if is_apart { "yes" } else { "-" }.to_owned(),
            difference,
            code,
            method,
        ]);
    }
    let left_out = terminal::write_table(&table, out)?;
    terminal::count_rest(outliers.len() - shown, out)?;
    terminal::name_left_out(&left_out, out)?;
    Ok(())
}

#[derive(Serialize)]
struct Document<'a> {
    metric: &'a str,
    runs: usize,
    runs_left_out: usize,
    outliers: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    key: &'a str,
    value: &'a str,
    with: Group,
    without: Group,
    /// Difference of the means as a part of the mean without.
    share: f64,
    /// Each run with the value is above, or each is below, all others.
    apart: bool,
    /// Null if none differs.
    method: Option<Differing<'a>>,
}

#[derive(Serialize)]
struct Differing<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    /// Whose it is.
    owner: &'static str,
    difference: f64,
}

fn print_json(answer: &Answer<'_>, out: &mut (impl Write + ?Sized)) -> Result<()> {
    let Answer { args, runs, left_out, spreads, owners, outliers } = answer;
    let shown = args.output.entries(TOP).min(outliers.len());
    let document = Document {
        metric: &spreads.metric,
        runs: *runs,
        runs_left_out: left_out.len(),
        outliers: outliers[..shown]
            .iter()
            .map(|outlier| json_row(outlier, spreads, owners))
            .collect(),
    };
    json::print(&document, out)
}

fn json_row<'a>(outlier: &'a Outlier, spreads: &'a Spreads, owners: &Owners) -> Row<'a> {
    Row {
        key: &outlier.key,
        value: &outlier.value,
        with: Group::of(outlier.with),
        without: Group::of(outlier.without),
        share: outlier.share(),
        apart: outlier.with.is_apart(&outlier.without),
        method: outlier.method.map(|(at, difference)| Differing {
            name: Name::new(&spreads.methods[at].0),
            owner: owners.owner(&spreads.methods[at].0.class).word(),
            difference,
        }),
    }
}
