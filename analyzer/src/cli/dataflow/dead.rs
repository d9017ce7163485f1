//! `subsume dead`.

use std::io::Write;
use std::path::PathBuf;

use analysis::dataflow::costs::dead::{Dead, DeadPlace, by_place, by_site, dead};
use analysis::dataflow::costs::graph::Dependences;
use analysis::dataflow::name::{Contexts, Naming};
use base::number::{counted, grouped, percent};
use profile::dataflow::{CostGraph, Place};
use report::table::{Kind, Table};
use rustc_hash::FxHashMap;
use serde::Serialize;
use tree::error::Result;

use super::command::DataflowCommand;
use super::exactness::Exactness;
use super::names::{JsonPlace, JsonSite, site_matches};
use super::source::{BYTECODES, CostGraphs, Files, Profiles, cost_graphs};
use crate::cli::json::{self, share};
use crate::cli::source::Output;
use crate::cli::terminal;

/// Tell how much of the work makes values that nobody needs, and where.
///
/// A value is dead if neither it nor anything made of it is ever tested or given
/// to native code. A reference that only leads to a field, an element or the
/// receiver of a call is not used by that: the paper's slices leave such uses
/// out, so structures that are only passed through show up here, too. IPD is the share of instruction instances that make only dead
/// values, IPP of those that end up only in tests, NLD the share of instructions
/// (in their contexts) all of whose values are dead. The first 20 methods and
/// lines are listed unless --top says otherwise.
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
    output: Output,
}

const TOP: usize = 20;

impl DataflowCommand for Args {
    fn files(&self) -> Result<Vec<PathBuf>> {
        Ok(self.files.files.clone())
    }

    fn metrics(&self) -> &'static [&'static str] {
        &[BYTECODES]
    }

    fn answer(&self, profiles: Profiles, out: &mut dyn Write) -> Result<()> {
        let CostGraphs { methods, graphs, bytecodes } = cost_graphs(profiles)?;
        let found: Vec<Dead> = graphs.iter().map(|graph| dead(&Dependences::new(graph))).collect();
        let runs: Vec<(&CostGraph, &Dead)> = graphs.iter().zip(&found).collect();
        let namings: Vec<Naming<'_>> =
            graphs.iter().map(|g| Naming::new(&methods, &g.objects, Contexts::Chain)).collect();
        let Some(naming) = namings.first() else { return Ok(()) };
        let class = self.output.class();
        let top = self.output.entries(TOP);
        let listed = |group: fn(Place) -> Place| {
            let mut places = by_place(&runs, group);
            places.retain(|at| class.as_ref().is_none_or(|c| c.matches(naming.class(at.place))));
            places.truncate(top);
            places
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
            methods: listed(|place| Place { bci: 0, line: 0, ..place }),
            lines: listed(|place| Place { bci: 0, ..place }),
            sites,
            bytecodes,
            instances: sum(|d| d.instances),
            dead: sum(|d| d.dead),
            only_predicates: sum(|d| d.only_predicates),
            nodes: sum(|d| d.nodes as u64),
            dead_nodes: sum(|d| d.dead_nodes as u64),
        };
        if self.output.json {
            json::print(&document(answer), out)
        } else {
            print(&answer, &self.output, out)
        }
    }
}

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
    methods: Vec<DeadPlace>,
    lines: Vec<DeadPlace>,
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
        let mut table = Table::new(&[
            ("Dead", Kind::Number(0)),
            ("Share", Kind::Number(1)),
            ("Of its instances", Kind::Number(2)),
            (title, Kind::Text(0)),
        ]);
        for at in places {
            let name = match answer.naming.method(at.place) {
                Some(method) if !is_line => method.qualified(),
                _ => answer.naming.place(at.place),
            };
            table.row(vec![
                grouped(at.dead),
                percent(at.dead, answer.dead),
                percent(at.dead, at.instances),
                name,
            ]);
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
    sites: Vec<DeadSite<'a>>,
    /// One entry for each run.
    exactness: Vec<Exactness<'a>>,
}

#[derive(Serialize)]
struct JsonDead<'a> {
    #[serde(flatten)]
    place: JsonPlace<'a>,
    dead: u64,
    instances: u64,
}

fn document(answer: Answer<'_>) -> Document<'_> {
    let json = |at: &DeadPlace| JsonDead {
        place: JsonPlace::new(answer.naming, at.place),
        dead: at.dead,
        instances: at.instances,
    };
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
        sites: answer.sites.into_iter().map(|(_, site)| site).collect(),
        exactness: answer.graphs.iter().map(Exactness::of_costs).collect(),
    }
}
