//! `subsume costs`.

mod document;
mod sarif;

use std::io::Write;
use std::path::PathBuf;

use analysis::dataflow::costs::balance::Balances;
use analysis::dataflow::costs::fields::Fields;
use analysis::dataflow::costs::graph::Dependences;
use analysis::dataflow::costs::ranking::{Ranked, RankedField, Ranking};
use analysis::dataflow::costs::relative::Relative;
use analysis::dataflow::costs::sketch::standard_error;
use analysis::dataflow::costs::structures::{HEIGHTS, Structures};
use analysis::dataflow::name::{Contexts, Naming};
use base::number::{counted, grouped, percent};
use profile::dataflow::{CostGraph, FieldId, Place, SiteId, SiteKind};
use serde::Serialize;
use tree::error::Result;
use tree::owners::{Definitions, Owners};

use super::command::DataflowCommand;
use super::exactness::Exactness;
use super::names::{accessed_locations, in_colour, site_matches};
use super::source::{BYTECODES, File, Profiles, cost_graph};
use super::text::{cost, evidence, more};
use crate::cli::json;
use crate::cli::own::Own;
use crate::cli::progress::Progress;
use crate::cli::sarif::{self as any_sarif, FindingOutput};
use crate::cli::source::Output;
use crate::cli::terminal;

/// List the data structures that cost much and bring little.
///
/// Structures are ranked by their excess cost, given as a share of the run. The cost of a
/// structure is the work that made its values, from other values in the heap. Its benefit is
/// the work done with these values until the results are stored. The excess is the cost that
/// the benefit does not make up for, field by field. Each executed instruction counts once: if
/// several values used its result, they share it. A value that is tested, reaches native code
/// or leads to another object was worth its cost; one that is never read brought nothing.
///
/// A structure consists of the objects at its top and those that they refer to, over fewer than
/// N references. Where structures overlap, the common part counts for one of them, so the
/// shares can be added up. RAC and RAB are the sums defined by Xu et al. 2014, in the context
/// with most excess. The first 10 places are listed unless --top says otherwise.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume costs fop.subsume
  subsume costs --class 'org.apache.*' --top 30 fop.subsume
  subsume costs --height 1 fop.subsume
  subsume costs --json fop.subsume")]
pub struct Args {
    #[command(flatten)]
    file: File,

    /// Levels of objects that belong to a structure.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=4))]
    height: u8,

    #[command(flatten)]
    own: Own,

    #[command(flatten)]
    output: FindingOutput,
}

const TOP: usize = 10;
/// Fields shown of a structure.
const FIELDS: usize = 6;

impl DataflowCommand for Args {
    fn files(&self) -> Result<Vec<PathBuf>> {
        Ok(vec![self.file.file.clone()])
    }

    fn metrics(&self) -> &'static [&'static str] {
        &[BYTECODES]
    }

    fn answer(&self, profiles: Profiles, out: &mut dyn Write) -> Result<()> {
        let places = self.output.places(&profiles, || self.own.source_files())?;
        let mut definitions = Definitions::with_own(&self.own.code()?);
        for (_, profile) in &profiles {
            definitions.add(&profile.run, &profile.classes);
        }
        let (methods, graph, bytecodes) = cost_graph(profiles)?;
        let owners = Owners::new(definitions, [], &methods);
        let progress = Progress::of_bytes(64 * graph.edges.len() as u64);
        progress.say("costs and benefits");
        let naming = Naming::new(&methods, &graph.objects, Contexts::Chain)
            .telling_apart(accessed_locations(&graph))
            .with_owners(&owners);
        let dependences = Dependences::new(&graph);
        let relative = Relative::new(&dependences);
        let fields = Fields::new(&graph, &relative);
        let structures = Structures::new(&graph, &fields);
        let height = self.height.into();
        let balances = Balances::new(&graph, &dependences);
        let ranking = Ranking::new(&graph, &balances, height);
        let class = self.output.class();
        let matching = (0..graph.objects.sites.len() as u32).map(SiteId);
        let matching = matching.filter(|&site| site_matches(&naming, site, class.as_ref()));
        // What the JVM makes has no place to change.
        let is_seen =
            |site: &SiteId| graph.objects.sites[site.0 as usize].kind != SiteKind::Untracked;
        let (seen, unseen): (Vec<SiteId>, Vec<SiteId>) = matching.partition(is_seen);
        let mut ranked = ranking.ranked(seen.into_iter());
        let unseen = ranking.own_excess(&unseen);
        drop(progress);
        let all = ranked.len();
        ranked.truncate(self.output.entries(TOP));
        let answer = Answer {
            graph: &graph,
            naming: &naming,
            structures: &structures,
            ranking: &ranking,
            height,
            unseen,
            more: all - ranked.len(),
            ranked,
            instances: dependences.instances(),
            bytecodes,
            estimated: (relative.estimated(), relative.len()),
        };
        if let Some(places) = places {
            any_sarif::print("costs", &sarif::findings(&answer), &places, out)
        } else if json::answered(self.output.table.json, out, |out| {
            json::print(&document::document(&answer), out)
        })? {
            Ok(())
        } else {
            print(&answer, &self.output.table, out)
        }
    }
}

struct Answer<'a> {
    graph: &'a CostGraph,
    naming: &'a Naming<'a>,
    structures: &'a Structures<'a>,
    ranking: &'a Ranking<'a>,
    height: usize,
    ranked: Vec<Ranked>,
    /// Balance of objects that were not seen being made.
    unseen: f64,
    more: usize,
    /// Frequencies of all nodes.
    instances: u64,
    bytecodes: Option<u64>,
    /// Sums that are estimated, of how many.
    estimated: (usize, usize),
}

fn print(answer: &Answer<'_>, output: &Output, out: &mut dyn Write) -> Result<()> {
    let width = terminal::width();
    let bytecodes = answer.bytecodes.map(|n| format!(" ({} bytecodes executed)", grouped(n)));
    writeln!(
        out,
        "{} of {} with {}{}",
        counted(answer.instances, "instance"),
        counted(answer.graph.nodes.len() as u64, "node"),
        counted(answer.graph.edges.len() as u64, "dependence"),
        bytecodes.unwrap_or_default(),
    )?;
    for (rank, structure) in (1..).zip(&answer.ranked) {
        writeln!(out)?;
        writeln!(
            out,
            "{rank}. {}: {} of the run, excess {} of cost {}, benefit {}; {}, {}",
            in_colour(
                &answer.naming.site(structure.site),
                answer.naming,
                made_at(answer, structure)
            ),
            share(structure.excess, answer.instances),
            cost(structure.excess),
            cost(structure.cost),
            cost(structure.benefit),
            counted(structure.objects, "object"),
            counted(structure.bytes, "byte"),
        )?;
        for line in structure_lines(answer, structure) {
            writeln!(out, "{}", evidence(&line, width))?;
        }
    }
    writeln!(out)?;
    if answer.ranked.is_empty() {
        writeln!(out, "{}", output.nothing("structure", "No structure found."))?;
    }
    more(answer.more, out)?;
    if answer.unseen > 0.0 {
        writeln!(
            out,
            "{} of the run is the excess of objects that were not seen being made",
            share(answer.unseen, answer.instances),
        )?;
    }
    if answer.estimated.0 > 0 {
        writeln!(
            out,
            "Estimated: {} of {} sums behind RAC and RAB, with a standard error of {:.1} %.",
            grouped(answer.estimated.0 as u64),
            grouped(answer.estimated.1 as u64),
            100.0 * standard_error()
        )?;
    }
    Exactness::of_costs(answer.graph).write(out)?;
    writeln!(out, "Next: 'subsume cost-of FILE CLASS:LINE' shows what made the values of a line.")?;
    Ok(())
}

/// Where the objects at the top of a structure are made.
fn made_at(answer: &Answer<'_>, structure: &Ranked) -> Place {
    answer.naming.objects().sites[structure.site.0 as usize].place
}

/// A share of the run; not 0 where there is something.
fn share(instances: f64, all: u64) -> String {
    let percent = 100.0 * instances / all.max(1) as f64;
    if percent > 0.0 && percent < 0.01 { "<0.01%".to_owned() } else { format!("{percent:.2}%") }
}

/// The evidence under a structure.
fn structure_lines(answer: &Answer<'_>, structure: &Ranked) -> Vec<String> {
    let naming = answer.naming;
    let site = &naming.objects().sites[structure.site.0 as usize];
    let mut lines = vec![format!("made in {}", naming.place(site.place))];
    if structure.contexts > 1 {
        lines[0] += &format!(", in {}", counted(structure.contexts as u64, "context"));
    }
    let worst = answer.structures.structure(structure.worst);
    let levels = |values: &[f64; HEIGHTS]| values.map(cost).join(", ");
    lines.push(format!("by levels: RAC {}; RAB {}", levels(&worst.cost), levels(&worst.benefit)));
    let owners = owners(answer, structure);
    if let Some(&first) = owners.first() {
        let more = match owners.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        lines.push(format!("part of {}{more}", naming.site(first)));
    }
    let fields = answer.ranking.fields(structure.site);
    for field in fields.iter().take(FIELDS) {
        lines.push(field_line(naming, field));
    }
    if let Some(more) = fields.len().checked_sub(FIELDS).filter(|&more| more > 0) {
        lines.push(format!("and {}", counted(more as u64, "more field")));
    }
    lines
}

/// Sites of the objects that refer to those of the worst context.
fn owners(answer: &Answer<'_>, structure: &Ranked) -> Vec<SiteId> {
    let tags = answer.structures.owners(structure.worst).iter();
    let site = |&tag: &u32| answer.graph.objects.tags[tag as usize].site;
    let mut sites: Vec<SiteId> = tags.map(site).filter(|&site| site != structure.site).collect();
    sites.sort_unstable();
    sites.dedup();
    sites
}

fn field_line(naming: &Naming<'_>, field: &RankedField) -> String {
    let mut line = format!(
        "{}: excess {} of cost {}, benefit {}, written {}, read {}",
        naming.location_of_site(field.uses.location),
        cost(field.excess),
        cost(field.cost),
        cost(field.benefit),
        grouped(field.uses.writes),
        grouped(field.uses.reads),
    );
    if field.consumed > 0.0 {
        line += &format!(", consumed {}", cost(field.consumed));
    }
    for symptom in symptoms(field) {
        line += &format!(", {}", symptom.text(field));
    }
    line
}

/// What is wrong with a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Symptom {
    NeverRead,
    WrittenMoreThanRead,
    Overwritten,
}

impl Symptom {
    fn text(self, field: &RankedField) -> String {
        match self {
            Self::NeverRead => "never read".to_owned(),
            Self::WrittenMoreThanRead if field.field == FieldId::ELEMENTS => {
                "filled more than read".to_owned()
            }
            Self::WrittenMoreThanRead => "written more than read".to_owned(),
            Self::Overwritten => {
                let share = percent(field.uses.overwritten, field.uses.writes);
                format!("overwritten before read {} ({share})", grouped(field.uses.overwritten))
            }
        }
    }
}

fn symptoms(field: &RankedField) -> Vec<Symptom> {
    let uses = &field.uses;
    let mut symptoms = Vec::new();
    if uses.writes > 0 && uses.reads == 0 {
        symptoms.push(Symptom::NeverRead);
    } else if uses.writes > uses.reads {
        symptoms.push(Symptom::WrittenMoreThanRead);
    }
    if uses.overwritten > 0 {
        symptoms.push(Symptom::Overwritten);
    }
    symptoms
}
