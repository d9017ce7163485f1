//! `subsume fleet methods`.

use std::cmp::Reverse;
use std::io::Write;

use base::number::{counted, grouped, percent};
use fleet::analysis::{Analysis, analyse, induced};
use fleet::owners::owners;
use report::table::{Kind, Table};
use serde::Serialize;
use tree::error::Result;
use tree::names::method::VIRTUAL_ROOT;
use tree::owners::{Owner, Owners};
use tree::readable_names::Names;

use super::selection::{Selection, tell_flaws, tell_sampled};
use crate::cli::json::{self, Name};
use crate::cli::own::Own;
use crate::cli::progress::Progress;
use crate::cli::source::{Bounds, Output};
use crate::cli::terminal;

/// List the subsuming methods of many runs.
///
/// The list is that of 'subsume methods' for all profiles together. Finding the methods takes
/// only the summaries in the fleet; their induced costs take a look at each profile, which
/// --summaries avoids. Contexts are counted in each run.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume fleet methods fleet --where version=1.2
  subsume fleet methods --summaries --top 40 fleet
  subsume fleet methods --height 2 --distance 2 --json fleet --where 'host=a*'")]
pub struct Args {
    #[command(flatten)]
    selection: Selection,

    #[command(flatten)]
    bounds: Bounds,

    /// List all executed methods, not only those that subsume.
    #[arg(long)]
    all: bool,

    /// Leave out induced costs, and sort by inclusive costs: then only summaries are read.
    #[arg(long)]
    summaries: bool,

    #[command(flatten)]
    own: Own,

    #[command(flatten)]
    output: Output,
}

/// Methods shown in a table unless the user says otherwise.
const TOP: usize = 20;

/// All that is shown.
struct Answer<'a> {
    args: &'a Args,
    runs: usize,
    analysis: &'a Analysis,
    /// Whose the methods are; `None` where only summaries are read.
    owners: Option<Owners>,
    /// Methods, and `None` for the virtual root.
    rows: Vec<Option<usize>>,
}

/// Runs the command.
///
/// # Errors
/// If the fleet cannot be read, no run is selected, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let dataset = args.selection.dataset()?;
    let runs = args.selection.runs(&dataset)?;
    tell_sampled(&runs)?;
    tell_flaws(&runs);
    let progress = Progress::of_long_work();
    progress.say("reading summaries");
    let mut analysis = analyse(&dataset, &runs, args.bounds.thresholds(), &args.bounds.never())?;
    if !args.summaries {
        progress.say("reading profiles");
        induced(&dataset, &runs, &mut analysis)?;
    }
    let owners = match args.summaries {
        true => None,
        false => Some(owners(&dataset, &runs, &args.own.code()?, &analysis.methods)?),
    };
    progress.wipe();
    let class = args.output.class();
    let subsuming = &analysis.subsuming;
    let mut rows: Vec<Option<usize>> = (0..analysis.methods.len())
        .filter(|&method| args.all || subsuming.subsumes[method])
        .filter(|&method| class.as_ref().is_none_or(|c| c.matches(&analysis.methods[method].class)))
        .map(Some)
        .collect();
    if subsuming.induced_by_virtual_root > 0 && class.is_none() {
        rows.push(None);
    }
    rows.sort_by_key(|row| {
        let key = match *row {
            None => (true, subsuming.induced_by_virtual_root),
            Some(method) if subsuming.subsumes[method] && !args.summaries => {
                (true, subsuming.induced[method])
            }
            Some(method) => (false, subsuming.costs[method].inclusive),
        };
        (Reverse(key), row.is_none(), *row)
    });
    let answer = Answer { args, runs: runs.len(), analysis: &analysis, owners, rows };
    if json::answered(args.output.json, out, |out| print_json(&answer, out))? {
        return Ok(());
    }
    print(&answer, out)
}

fn print(answer: &Answer<'_>, out: &mut impl Write) -> Result<()> {
    let Answer { args, runs, analysis, rows, .. } = answer;
    let subsuming = &analysis.subsuming;
    let count = subsuming.subsuming().count() as u64;
    let all = analysis.methods.len() as u64;
    writeln!(
        out,
        "{} {} in {} of {}",
        grouped(analysis.total),
        analysis.metric,
        counted(*runs as u64, "run"),
        counted(all, "method"),
    )?;
    writeln!(
        out,
        "Subsuming: {} ({}), with height > {} and distance > {}",
        counted(count, "method"),
        percent(count, all),
        args.bounds.height,
        args.bounds.distance,
    )?;
    writeln!(out)?;
    if rows.is_empty() {
        writeln!(out, "{}", args.output.nothing("subsuming method", "No method subsumes"))?;
        return Ok(());
    }
    let mut columns = Vec::new();
    if !args.summaries {
        columns.extend([("Induced", Kind::Number(2)), ("Ind.%", Kind::Number(0))]);
    }
    columns.extend([
        ("Incl.%", Kind::Number(1)),
        ("Excl.%", Kind::Number(1)),
        ("Calls", Kind::Number(1)),
        ("Runs", Kind::Number(3)),
        ("Height", Kind::Number(6)),
        ("Dist.", Kind::Number(5)),
    ]);
    if args.all {
        columns.push(("Subsumes", Kind::Text(0)));
    }
    if answer.owners.is_some() {
        columns.push(("Code", Kind::Text(7)));
    }
    columns.extend([("Method", Kind::Text(0)), ("Dominating method", Kind::Text(4))]);
    let mut table = Table::new(&columns);
    let names = Names::of_methods(&analysis.methods, 0..analysis.methods.len() as u32);
    let shown = args.output.top(TOP).min(rows.len());
    for row in &rows[..shown] {
        table.row(cells(answer, *row, &names));
    }
    let left_out = terminal::write_table(&table, out)?;
    terminal::count_rest(rows.len() - shown, out)?;
    terminal::name_left_out(&left_out, out)?;
    Ok(())
}

fn cells(answer: &Answer<'_>, row: Option<usize>, names: &Names) -> Vec<String> {
    let Answer { args, runs, analysis, .. } = answer;
    let (subsuming, total) = (&analysis.subsuming, analysis.total);
    let none = || "-".to_owned();
    let Some(method) = row else {
        let rest = subsuming.induced_by_virtual_root;
        let mut cells = vec![grouped(rest), percent(rest, total), percent(total, total)];
        cells.extend([percent(0, total), none(), grouped(*runs as u64), none(), none()]);
        if args.all {
            cells.push("yes".to_owned());
        }
        cells.extend(answer.owners.as_ref().map(|_| none()));
        cells.extend([names.of(None).to_owned(), none()]);
        return cells;
    };
    let (costs, facts) = (&subsuming.costs[method], &subsuming.characteristics[method]);
    let subsumes = subsuming.subsumes[method];
    let mut cells = Vec::new();
    if !args.summaries {
        let induced = subsumes.then_some(subsuming.induced[method]);
        cells.push(induced.map_or_else(none, grouped));
        cells.push(induced.map_or_else(none, |induced| percent(induced, total)));
    }
    cells.extend([
        percent(costs.inclusive, total),
        percent(costs.exclusive, total),
        costs.calls.map_or_else(none, grouped),
        grouped(analysis.runs[method]),
        facts.height.to_string(),
        facts.dominated.map_or_else(none, |d| d.distance.to_string()),
    ]);
    if args.all {
        cells.push(if subsumes { "yes" } else { "-" }.to_owned());
    }
    let owner = |owners: &Owners| owners.owner(&analysis.methods[method].class).word().to_owned();
    cells.extend(answer.owners.as_ref().map(owner));
    cells.push(names.of(Some(method as u32)).to_owned());
    cells.push(facts.dominated.map_or_else(none, |d| names.of(d.by).to_owned()));
    cells
}

#[derive(Serialize)]
struct Document<'a> {
    metric: &'a str,
    total: u64,
    runs: usize,
    thresholds: Thresholds,
    all: Count,
    subsuming: Count,
    methods: Vec<Method<'a>>,
}

#[derive(Serialize)]
struct Thresholds {
    height: u32,
    distance: u32,
}

#[derive(Serialize)]
struct Count {
    methods: usize,
}

#[derive(Serialize)]
struct Method<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    /// Whose it is; null of the virtual root, and with `--summaries`.
    owner: Option<&'static str>,
    height: Option<u32>,
    distance: Option<u32>,
    dominator: Option<Name<'a>>,
    /// Null with `--summaries`.
    induced: Option<u64>,
    inclusive: u64,
    exclusive: u64,
    calls: Option<u64>,
    /// Contexts of all runs.
    contexts: u64,
    runs: u64,
    subsuming: bool,
}

const ROOT: Name<'static> = Name { class: "", name: VIRTUAL_ROOT, descriptor: "" };

fn print_json(answer: &Answer<'_>, out: &mut (impl Write + ?Sized)) -> Result<()> {
    let Answer { args, runs, analysis, rows, .. } = answer;
    let shown = args.output.entries(TOP).min(rows.len());
    let document = Document {
        metric: &analysis.metric,
        total: analysis.total,
        runs: *runs,
        thresholds: Thresholds { height: args.bounds.height, distance: args.bounds.distance },
        all: Count { methods: analysis.methods.len() },
        subsuming: Count { methods: analysis.subsuming.subsuming().count() },
        methods: rows[..shown].iter().map(|row| json_method(answer, *row)).collect(),
    };
    json::print(&document, out)
}

fn json_method<'a>(answer: &Answer<'a>, row: Option<usize>) -> Method<'a> {
    let analysis = answer.analysis;
    let subsuming = &analysis.subsuming;
    let Some(method) = row else {
        return Method {
            name: ROOT,
            owner: None,
            height: None,
            distance: None,
            dominator: None,
            induced: Some(subsuming.induced_by_virtual_root),
            inclusive: analysis.total,
            exclusive: 0,
            calls: None,
            contexts: 0,
            runs: answer.runs as u64,
            subsuming: true,
        };
    };
    let (costs, facts) = (&subsuming.costs[method], &subsuming.characteristics[method]);
    let named = |by: Option<u32>| match by {
        Some(by) => Name::new(&analysis.methods[by as usize]),
        None => ROOT,
    };
    let owners = answer.owners.as_ref();
    let owner = owners.map(|owners| owners.owner(&analysis.methods[method].class));
    Method {
        name: Name::new(&analysis.methods[method]),
        owner: owner.map(Owner::word),
        height: Some(facts.height),
        distance: facts.dominated.map(|d| d.distance),
        dominator: facts.dominated.map(|d| named(d.by)),
        induced: (!answer.args.summaries).then(|| subsuming.induced[method]),
        inclusive: costs.inclusive,
        exclusive: costs.exclusive,
        calls: costs.calls,
        contexts: costs.contexts,
        runs: analysis.runs[method],
        subsuming: subsuming.subsumes[method],
    }
}
