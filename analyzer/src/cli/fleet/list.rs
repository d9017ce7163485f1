//! `subsume fleet list`.

use std::io::Write;

use base::number::{counted, grouped};
use fleet::run::{METRICS, Run};
use report::table::{Kind, Table};
use serde::Serialize;
use serde_json::{Map, Value};
use tree::error::Result;

use super::selection::{Selection, flaws_of, shown};
use crate::cli::{json, terminal};

/// List the runs of a fleet.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume fleet list fleet
  subsume fleet list fleet --where version=1.2 --where host='a*'
  subsume fleet list --json fleet")]
pub struct Args {
    #[command(flatten)]
    selection: Selection,

    /// Print JSON for programs.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    runs: Vec<JsonRun<'a>>,
}

#[derive(Serialize)]
struct JsonRun<'a> {
    run: &'a str,
    program: &'a str,
    /// Null if unknown, as the times are.
    date: Option<&'a str>,
    labels: &'a fleet::labels::Labels,
    start_millis: Option<i64>,
    end_millis: Option<i64>,
    jvm: &'a str,
    command_line: &'a str,
    origin: &'a str,
    /// Its costs are samples.
    sampled: bool,
    completeness: &'a str,
    contexts_lost: i64,
    contexts: i64,
    methods: i64,
    metric: &'a str,
    total: i64,
    totals: Map<String, Value>,
    tree: bool,
}

/// Runs the command.
///
/// # Errors
/// If the fleet cannot be read, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let dataset = args.selection.dataset()?;
    let runs = args.selection.all(&dataset)?;
    if runs.is_empty() {
        args.selection.tell_unknown_label(&dataset)?;
    }
    if json::answered(args.json, out, |out| {
        json::print(&Document { runs: runs.iter().map(json_run).collect() }, out)
    })? {
        return Ok(());
    }
    writeln!(out, "{}", counted(runs.len() as u64, "run"))?;
    if runs.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let mut columns = vec![
        ("Run", Kind::Text(0)),
        ("Program", Kind::Text(0)),
        ("Date", Kind::Text(2)),
        ("Labels", Kind::Text(0)),
        ("Total", Kind::Number(0)),
        ("Cost", Kind::Text(1)),
        ("Contexts", Kind::Number(3)),
        ("Methods", Kind::Number(4)),
        ("Flaws", Kind::Text(0)),
    ];
    // Worth a column where there is a difference.
    let is_imported = runs.iter().any(|run| run.origin != "recorded");
    if is_imported {
        columns.insert(4, ("Origin", Kind::Text(1)));
    }
    let mut table = Table::new(&columns);
    let widths = (8..=32).find(|&width| are_apart(&runs, width)).unwrap_or(32);
    for run in &runs {
        let mut cells = vec![
            run.id.chars().take(widths).collect(),
            run.program.clone(),
            if run.date.is_empty() { "-".to_owned() } else { run.date.clone() },
            shown(run),
            grouped(run.total.unsigned_abs()),
            run.metric.clone(),
            grouped(run.contexts.unsigned_abs()),
            grouped(run.methods.unsigned_abs()),
            flaws(run),
        ];
        if is_imported {
            let sampled = if run.is_sampled() { ", sampled" } else { "" };
            cells.insert(4, format!("{}{sampled}", run.origin));
        }
        table.row(cells);
    }
    let left_out = terminal::write_table(&table, out)?;
    terminal::name_left_out(&left_out, out).map_err(Into::into)
}

/// True if so many digits tell all runs apart.
fn are_apart(runs: &[Run], width: usize) -> bool {
    let mut starts: Vec<&str> =
        runs.iter().map(|run| run.id.get(..width).unwrap_or(&run.id)).collect();
    starts.sort_unstable();
    starts.windows(2).all(|pair| pair[0] != pair[1])
}

/// What is missing of a run.
fn flaws(run: &Run) -> String {
    let tree = (!run.has_tree).then(|| "no tree".to_owned());
    flaws_of(run).into_iter().chain(tree).collect::<Vec<_>>().join(", ")
}

fn json_run(run: &Run) -> JsonRun<'_> {
    let known = |millis: i64| (millis > 0).then_some(millis);
    let totals = METRICS.into_iter().zip(run.totals);
    let totals = totals.filter_map(|(name, total)| Some((name.to_owned(), total?.into())));
    JsonRun {
        run: &run.id,
        program: &run.program,
        date: Some(run.date.as_str()).filter(|date| !date.is_empty()),
        labels: &run.labels,
        start_millis: known(run.start_millis),
        end_millis: known(run.end_millis),
        jvm: &run.jvm,
        command_line: &run.command_line,
        origin: &run.origin,
        sampled: run.is_sampled(),
        completeness: &run.completeness,
        contexts_lost: run.contexts_lost,
        contexts: run.contexts,
        methods: run.methods,
        metric: &run.metric,
        total: run.total,
        totals: totals.collect(),
        tree: run.has_tree,
    }
}
