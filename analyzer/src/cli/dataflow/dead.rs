//! `subsume dead`.

mod sarif;

use std::io::Write;
use std::path::PathBuf;

use analysis::dataflow::costs::dead::{Dead, DeadPlace, by_place, by_site, dead};
use analysis::dataflow::costs::graph::Dependences;
use analysis::dataflow::for_whom::Shares;
use analysis::dataflow::name::{Contexts, Naming};
use base::number::{counted, grouped, percent};
use profile::dataflow::{CostGraph, Place};
use report::table::{Kind, Table};
use rustc_hash::FxHashMap;
use serde::Serialize;
use tree::error::Result;

use super::command::DataflowCommand;
use super::exactness::Exactness;
use super::for_whom::{JsonPart, JsonShares, Recorded, parts};
use super::names::{JsonPlace, JsonSite, site_matches};
use super::source::{BYTECODES, CostGraphs, Files, Profiles, cost_graphs};
use crate::cli::json::{self, share};
use crate::cli::own::Own;
use crate::cli::sarif::{self as any_sarif, FindingOutput};
use crate::cli::source::Output;
use crate::cli::terminal;

/// Show how much of the work makes values that nobody needs, and where.
///
/// A value is dead if neither it nor anything computed from it is ever tested or given to
/// native code. A reference is not used by only leading to a field, an element or the receiver
/// of a call: the slices of Xu et al. 2014 leave such uses out, so structures that are only passed
/// through show up here, too. IPD is the share of instruction instances that make only dead
/// values, IPP of those that end up only in tests. NLD is the share of instructions (in their
/// contexts) all of whose values are dead. The first 20 methods and lines are listed unless
/// --top says otherwise.
///
/// Where calls were recorded, too (mode=calls+costs), "For" says on whose behalf a method of
/// the JDK makes them: the nearest method above it that is not the JDK's, with its share; with
/// --own or --sources, the nearest one of your own code. A method that works for several is
/// divided by the bytecodes that it executes for each, which is an estimate. A list at the end
/// sums this up for all dead values.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume dead fop.subsume
  subsume dead --class 'org.apache.*' fop.subsume
  subsume dead --json fop.subsume")]
pub struct Args {
    #[command(flatten)]
    files: Files,

    #[command(flatten)]
    own: Own,

    #[command(flatten)]
    output: FindingOutput,
}

const TOP: usize = 20;
/// What methods are shared out by, and what is read of contexts.
const EXECUTED: [&str; 1] = [BYTECODES];
const COLUMNS: [&str; 2] = [BYTECODES, "calls"];

impl DataflowCommand for Args {
    fn files(&self) -> Result<Vec<PathBuf>> {
        Ok(self.files.files.clone())
    }

    fn metrics(&self) -> &'static [&'static str] {
        &COLUMNS
    }

    fn answer(&self, mut profiles: Profiles, out: &mut dyn Write) -> Result<()> {
        let CostGraphs { methods, graphs, bytecodes } = cost_graphs(&mut profiles)?;
        let places = self.output.places(&profiles, || self.own.source_files())?;
        let recorded = Recorded::new(profiles, &EXECUTED, self.own.code()?)?;
        let contexts = recorded.as_ref().map(|recorded| recorded.contexts(&EXECUTED));
        let found: Vec<Dead> = graphs.iter().map(|graph| dead(&Dependences::new(graph))).collect();
        let runs: Vec<(&CostGraph, &Dead)> = graphs.iter().zip(&found).collect();
        let namings: Vec<Naming<'_>> =
            graphs.iter().map(|g| Naming::new(&methods, &g.objects, Contexts::Chain)).collect();
        let Some(naming) = namings.first() else { return Ok(()) };
        let class = self.output.class();
        let top = self.output.entries(TOP);
        let in_method = |at: &DeadPlace| (naming.method(at.place), at.dead);
        let for_whom = contexts
            .as_ref()
            .map(|contexts| contexts.all(by_place(&runs, method_of).iter().map(in_method)));
        let listed = |group: fn(Place) -> Place| {
            let mut places = by_place(&runs, group);
            places.retain(|at| class.as_ref().is_none_or(|c| c.matches(naming.class(at.place))));
            places.truncate(top);
            let user = |at: &DeadPlace| {
                contexts.as_ref().and_then(|contexts| contexts.of([in_method(at)]))
            };
            places.into_iter().map(|at| (at, user(&at))).collect()
        };
        // Sites have the same names in all runs, but not the same numbers.
        let mut sites: FxHashMap<String, DeadSite<'_>> = FxHashMap::default();
        for ((graph, dead), naming) in runs.iter().zip(&namings) {
            for (site, count) in by_site(graph, dead) {
                if site_matches(naming, site, class.as_ref()) {
                    let json = || DeadSite { site: JsonSite::new(naming, site), dead: 0 };
                    let entry = sites.entry(naming.site(site)).or_insert_with(json);
                    entry.dead = entry.dead.saturating_add(count);
                }
            }
        }
        let mut sites: Vec<(String, DeadSite<'_>)> = sites.into_iter().collect();
        sites.sort_by(|a, b| b.1.dead.cmp(&a.1.dead).then_with(|| a.0.cmp(&b.0)));
        sites.truncate(top);
        let sum =
            |of: fn(&Dead) -> u64| found.iter().fold(0u64, |sum, d| sum.saturating_add(of(d)));
        let answer = Answer {
            naming,
            graphs: &graphs,
            recorded: recorded.as_ref(),
            for_whom: for_whom.unwrap_or_default(),
            methods: listed(method_of),
            lines: listed(|place| Place { bci: 0, ..place }),
            sites,
            bytecodes,
            instances: sum(|d| d.instances),
            dead: sum(|d| d.dead),
            only_predicates: sum(|d| d.only_predicates),
            nodes: sum(|d| d.nodes as u64),
            dead_nodes: sum(|d| d.dead_nodes as u64),
        };
        if let Some(places) = places {
            any_sarif::print("dead", &sarif::findings(&answer), &places, out)
        } else if json::answered(self.output.table.json, out, |out| {
            json::print(&document(&answer), out)
        })? {
            Ok(())
        } else {
            print(&answer, &self.output.table, out)
        }
    }
}

/// Stands for all places of a method.
fn method_of(place: Place) -> Place {
    Place { bci: 0, line: 0, ..place }
}

/// Dead values of a method or a line, and for whom they are, as far as that is known.
type Entry = (DeadPlace, Option<Shares>);

/// Dead values stored in the objects of one site.
#[derive(Serialize)]
struct DeadSite<'a> {
    #[serde(flatten)]
    site: JsonSite<'a>,
    dead: u64,
}

struct Answer<'a> {
    naming: &'a Naming<'a>,
    graphs: &'a [CostGraph],
    recorded: Option<&'a Recorded>,
    /// For whom all dead values are.
    for_whom: Shares,
    methods: Vec<Entry>,
    lines: Vec<Entry>,
    sites: Vec<(String, DeadSite<'a>)>,
    bytecodes: Option<u64>,
    instances: u64,
    dead: u64,
    only_predicates: u64,
    nodes: u64,
    dead_nodes: u64,
}

fn print(answer: &Answer<'_>, output: &Output, out: &mut dyn Write) -> Result<()> {
    let bytecodes = answer.bytecodes.map(|n| format!(" ({} bytecodes executed)", grouped(n)));
    writeln!(
        out,
        "{}{}",
        counted(answer.instances, "instruction instance"),
        bytecodes.unwrap_or_default()
    )?;
    for (name, part, whole, what) in [
        ("IPD", answer.dead, answer.instances, "of the instances make values that nobody needs"),
        ("IPP", answer.only_predicates, answer.instances, "of the instances only lead to tests"),
        (
            "NLD",
            answer.dead_nodes,
            answer.nodes,
            "of the instructions make nothing but dead values",
        ),
    ] {
        writeln!(out, "  {name} {:>7}  {} {what}", percent(part, whole), grouped(part))?;
    }
    for (title, places, is_line) in
        [("Method", &answer.methods, false), ("Line", &answer.lines, true)]
    {
        if places.is_empty() {
            continue;
        }
        writeln!(out)?;
        let mut columns = vec![
            ("Dead", Kind::Number(0)),
            ("Share", Kind::Number(1)),
            ("Of its instances", Kind::Number(2)),
            (title, Kind::Text(0)),
        ];
        let is_for_some =
            |of: fn(&Shares) -> bool| places.iter().any(|(_, user)| user.as_ref().is_some_and(of));
        let tells_users = is_for_some(|_| true);
        let is_estimate = is_for_some(|user| user.is_estimate);
        let for_title = if is_estimate { "For (estimate)" } else { "For" };
        columns.extend(tells_users.then_some((for_title, Kind::Text(1))));
        let mut table = Table::new(&columns);
        for (at, user) in places {
            let name = match answer.naming.method(at.place) {
                Some(method) if !is_line => method.qualified(),
                _ => answer.naming.place(at.place),
            };
            let mut cells = vec![
                grouped(at.dead),
                percent(at.dead, answer.dead),
                percent(at.dead, at.instances),
                name,
            ];
            if tells_users {
                let told = answer.recorded.zip(user.as_ref());
                let cell = told.map(|(known, user)| known.told(user).cell());
                cells.push(cell.unwrap_or_else(|| "-".to_owned()));
            }
            table.row(cells);
        }
        terminal::write_table(&table, out)?;
    }
    if !answer.sites.is_empty() {
        writeln!(out)?;
        let mut table =
            Table::new(&[("At most", Kind::Number(0)), ("Stored in objects of", Kind::Text(0))]);
        for (name, site) in &answer.sites {
            table.row(vec![grouped(site.dead), name.clone()]);
        }
        terminal::write_table(&table, out)?;
    }
    if answer.methods.is_empty()
        && let Some(hint) = output.hint("dead value")
    {
        writeln!(out)?;
        writeln!(out, "{hint}")?;
    }
    if let Some(recorded) = answer.recorded
        && answer.methods.iter().any(|(_, user)| user.is_some())
        && output.class().is_none()
    {
        recorded.told(&answer.for_whom).write_list("dead values", out)?;
    }
    for graph in answer.graphs {
        Exactness::of_costs(graph).write(out)?;
    }
    writeln!(
        out,
        "Next: 'subsume cost-of FILE CLASS:LINE' shows what went into the values of a line."
    )?;
    Ok(())
}

#[derive(Serialize)]
struct Document<'a> {
    instances: u64,
    /// Null if they were not counted.
    bytecodes: Option<u64>,
    dead: u64,
    only_predicates: u64,
    nodes: u64,
    dead_nodes: u64,
    /// Shares between 0 and 1.
    ipd: f64,
    ipp: f64,
    nld: f64,
    methods: Vec<JsonDead<'a>>,
    lines: Vec<JsonDead<'a>>,
    /// By the sites of the objects that dead values were stored in; upper bounds.
    sites: Vec<&'a DeadSite<'a>>,
    /// For whom all dead values are; empty where no calls were recorded.
    for_whom: Vec<JsonPart<'a>>,
    for_whom_is_estimate: bool,
    /// One entry for each run.
    exactness: Vec<Exactness<'a>>,
}

#[derive(Serialize)]
struct JsonDead<'a> {
    #[serde(flatten)]
    place: JsonPlace<'a>,
    dead: u64,
    instances: u64,
    #[serde(flatten)]
    user: JsonShares<'a>,
}

fn document<'a>(answer: &'a Answer<'_>) -> Document<'a> {
    let recorded = answer.recorded;
    let json = |entry| json_dead(answer, entry);
    Document {
        instances: answer.instances,
        bytecodes: answer.bytecodes,
        dead: answer.dead,
        only_predicates: answer.only_predicates,
        nodes: answer.nodes,
        dead_nodes: answer.dead_nodes,
        ipd: share(answer.dead, answer.instances),
        ipp: share(answer.only_predicates, answer.instances),
        nld: share(answer.dead_nodes, answer.nodes),
        methods: answer.methods.iter().map(json).collect(),
        lines: answer.lines.iter().map(json).collect(),
        sites: answer.sites.iter().map(|(_, site)| site).collect(),
        for_whom: recorded.map_or_else(Vec::new, |known| parts(&known.tree, &answer.for_whom)),
        for_whom_is_estimate: answer.for_whom.is_estimate,
        exactness: answer.graphs.iter().map(Exactness::of_costs).collect(),
    }
}

fn json_dead<'a>(answer: &Answer<'a>, (at, user): &Entry) -> JsonDead<'a> {
    JsonDead {
        place: JsonPlace::new(answer.naming, at.place),
        dead: at.dead,
        instances: at.instances,
        user: JsonShares::new(answer.recorded, user.as_ref()),
    }
}
