//! `subsume costs`.

use std::io::Write;

use analyzer::error::Result;
use analyzer::flow::costs::fields::{FieldCosts, Fields};
use analyzer::flow::costs::graph::Dependences;
use analyzer::flow::costs::relative::Relative;
use analyzer::flow::costs::sketch::standard_error;
use analyzer::flow::costs::structures::{HEIGHTS, Structure, Structures};
use analyzer::flow::name::{Contexts, Naming};
use analyzer::report::number::{counted, grouped, percent};
use profile::dataflow::{CostGraph, SiteId, TagId};
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::exactness::Exactness;
use super::names::{JsonLocation, JsonTag, accessed_locations, site_matches};
use super::source::{BYTECODES, File, Profiles, cost_graph};
use super::text::{cost, evidence, more};
use crate::cli::json;
use crate::cli::progress::Progress;
use crate::cli::source::Output;
use crate::cli::terminal;

/// List the data structures that cost much and bring little.
///
/// The cost of a field is what it took to make the values stored in it, from
/// other values in the heap (RAC); its benefit is what is made of them until the
/// results are stored (RAB). A structure has those of all objects below its top
/// one, over at most N - 1 references; its rate is cost / (1 + benefit). Where
/// instructions worked for others, too, only the part for these objects counts
/// for the rate, and "of" says what they cost in all. Fields whose values decide what is executed or reach native code are "consumed" and
/// count for neither. The first 10 structures are listed unless --top says
/// otherwise.
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
    output: Output,
}

const TOP: usize = 10;
/// Fields shown of a structure.
const FIELDS: usize = 6;
/// Fields that JSON has of a structure: those within four references of one
/// object are thousands.
const JSON_FIELDS: usize = 50;

/// Runs the command.
///
/// # Errors
/// If a profile cannot be read, or as [`answer`] has them.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    answer(args.file.read(METRICS)?, args, out)
}

/// Columns of contexts that the answer is made of.
pub const METRICS: &[&str] = &[BYTECODES];

/// Answers for these profiles.
///
/// # Errors
/// If a profile does not have the data flow asked for, or `out` fails.
pub fn answer(profiles: Profiles, args: &Args, out: &mut impl Write) -> Result<()> {
    let (methods, graph, bytecodes) = cost_graph(profiles)?;
    let progress = Progress::of_bytes(64 * graph.edges.len() as u64);
    progress.say("costs and benefits");
    let naming = Naming::new(&methods, &graph.objects, Contexts::Chain)
        .telling_apart(accessed_locations(&graph));
    let dependences = Dependences::new(&graph);
    let relative = Relative::new(&dependences);
    let fields = Fields::new(&graph, &relative);
    let structures = Structures::new(&graph, &fields);
    let height = args.height.into();
    let mut ranked = structures.ranked(height);
    drop(progress);
    let class = args.output.class();
    ranked.retain(|structure| {
        let site = graph.objects.tags[structure.tag.0 as usize].site;
        site_matches(&naming, site, class.as_ref())
    });
    // Objects that nobody saw being made have no place to change; and a string that
    // was concatenated is named by its `+`, while what filled it knew another name.
    let before = ranked.len();
    ranked.retain(|structure| args.output.json || structure.objects > 0);
    let unseen = before - ranked.len();
    // For people, a site is one entry, with its worst context.
    let mut contexts: FxHashMap<SiteId, usize> = FxHashMap::default();
    ranked.retain(|structure| {
        let site = graph.objects.tags[structure.tag.0 as usize].site;
        let known = contexts.entry(site).or_default();
        *known += 1;
        args.output.json || *known == 1
    });
    let all = ranked.len();
    ranked.truncate(args.output.entries(TOP));
    let answer = Answer {
        graph: &graph,
        naming: &naming,
        structures: &structures,
        height,
        contexts,
        unseen,
        more: all - ranked.len(),
        ranked,
        instances: dependences.instances(),
        bytecodes,
        estimated: (relative.estimated(), relative.len()),
    };
    if args.output.json {
        json::print(&document(&answer), out)
    } else {
        print(&answer, &args.output, out)
    }
}

struct Answer<'a> {
    graph: &'a CostGraph,
    naming: &'a Naming<'a>,
    structures: &'a Structures<'a>,
    height: usize,
    ranked: Vec<Structure>,
    /// In how many contexts each site has structures.
    contexts: FxHashMap<SiteId, usize>,
    /// Structures left out since none of their objects was seen being made.
    unseen: usize,
    more: usize,
    /// Frequencies of all nodes.
    instances: u64,
    bytecodes: Option<u64>,
    /// Sums that are estimated, of how many.
    estimated: (usize, usize),
}

fn print(answer: &Answer<'_>, output: &Output, out: &mut impl Write) -> Result<()> {
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
        let at = answer.height - 1;
        writeln!(
            out,
            "{rank}. {}: rate {}, cost {}{}, benefit {}; {}, {}",
            answer.naming.tag(structure.tag),
            cost(structure.rate(answer.height)),
            cost(structure.own[at]),
            shared_cost(structure, at),
            cost(structure.benefit[at]),
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
    if answer.unseen > 0 {
        writeln!(
            out,
            "{} of objects that were not seen being made, or got another name then, left out \
             (--json has them)",
            counted(answer.unseen as u64, "structure"),
        )?;
    }
    if answer.estimated.0 > 0 {
        writeln!(
            out,
            "Estimated: {} of {} sums, with a standard error of {:.1} %; fields with such sums \
             have a ~.",
            grouped(answer.estimated.0 as u64),
            grouped(answer.estimated.1 as u64),
            100.0 * standard_error()
        )?;
    }
    Exactness::of_costs(answer.graph).write(out)?;
    writeln!(out, "Next: 'subsume cost-of FILE CLASS:LINE' shows what made the values of a line.")?;
    Ok(())
}

/// What the same instructions cost for other objects as well.
fn shared_cost(structure: &Structure, at: usize) -> String {
    if structure.own[at] < structure.cost[at] {
        format!(" of {}", cost(structure.cost[at]))
    } else {
        String::new()
    }
}

/// The evidence under a structure.
fn structure_lines(answer: &Answer<'_>, structure: &Structure) -> Vec<String> {
    let naming = answer.naming;
    let site = naming.objects().site(structure.tag);
    let mut lines = vec![format!("made in {}", naming.place(site.place))];
    let site = naming.objects().tags[structure.tag.0 as usize].site;
    let contexts = answer.contexts.get(&site).copied().unwrap_or_default();
    if contexts > 1 {
        lines[0] +=
            &format!(", in {} with lower rates, too", counted(contexts as u64 - 1, "context"));
    }
    let levels = |values: &[f64; HEIGHTS]| values.map(cost).join(", ");
    lines.push(format!(
        "by levels: RAC {}; RAB {}",
        levels(&structure.cost),
        levels(&structure.benefit)
    ));
    let owners = answer.structures.owners(structure.tag);
    if let Some(&first) = owners.first() {
        let more = match owners.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        lines.push(format!("part of {}{more}", naming.tag(TagId(first))));
    }
    let fields = answer.structures.fields(structure.tag, answer.height);
    for (field, _) in fields.iter().take(FIELDS) {
        lines.push(field_line(naming, field));
    }
    if let Some(more) = fields.len().checked_sub(FIELDS).filter(|&more| more > 0) {
        lines.push(format!("and {}", counted(more as u64, "more field")));
    }
    lines
}

fn field_line(naming: &Naming<'_>, field: &FieldCosts) -> String {
    let about = if field.estimated { "~" } else { "" };
    let mut line = format!("{}: ", naming.location(field.location));
    if field.consumed {
        line += "consumed";
    } else {
        let of = match field.own < field.cost {
            true => format!(" of {}", cost(field.cost)),
            false => String::new(),
        };
        line +=
            &format!("cost {about}{}{of}, benefit {about}{}", cost(field.own), cost(field.benefit));
    }
    let uses = &field.uses;
    if uses.writes + uses.reads > 0 {
        line += &format!(", written {}, read {}", grouped(uses.writes), grouped(uses.reads));
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
    fn text(self, field: &FieldCosts) -> String {
        match self {
            Self::NeverRead => "never read".to_owned(),
            Self::WrittenMoreThanRead if field.location.field.0 == 0 => {
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

fn symptoms(field: &FieldCosts) -> Vec<Symptom> {
    let uses = &field.uses;
    let mut symptoms = Vec::new();
    if uses.writes > 0 && uses.reads == 0 && field.loading == 0 {
        symptoms.push(Symptom::NeverRead);
    } else if uses.writes > uses.reads {
        symptoms.push(Symptom::WrittenMoreThanRead);
    }
    if uses.overwritten > 0 {
        symptoms.push(Symptom::Overwritten);
    }
    symptoms
}

#[derive(Serialize)]
struct Document<'a> {
    /// Frequencies of all nodes.
    instances: u64,
    /// Null if they were not counted.
    bytecodes: Option<u64>,
    nodes: usize,
    dependences: usize,
    height: usize,
    structures: Vec<JsonStructure<'a>>,
    /// Entries that `--top` has left out.
    more: usize,
    estimated: Estimated,
    exactness: Exactness<'a>,
}

#[derive(Serialize)]
struct Estimated {
    sums: usize,
    of: usize,
    standard_error: f64,
}

#[derive(Serialize)]
struct JsonStructure<'a> {
    #[serde(flatten)]
    tag: JsonTag<'a>,
    rate: f64,
    /// n-RAC and n-RAB for n from 1 on.
    rac: [f64; HEIGHTS],
    rab: [f64; HEIGHTS],
    /// n-RAC with the part of each field's cost that was for it.
    own_rac: [f64; HEIGHTS],
    objects: u64,
    bytes: u64,
    /// Sites of the objects that refer to it.
    part_of: Vec<String>,
    /// The costliest; how many were left out comes behind them.
    fields: Vec<JsonField<'a>>,
    more_fields: usize,
}

#[derive(Serialize)]
struct JsonField<'a> {
    #[serde(flatten)]
    location: JsonLocation<'a>,
    /// References from the top of the structure to the field's owner.
    depth: usize,
    rac: f64,
    rab: f64,
    own_rac: f64,
    consumed: bool,
    estimated: bool,
    reads: u64,
    writes: u64,
    overwritten: u64,
    symptoms: Vec<Symptom>,
}

fn document<'a>(answer: &Answer<'a>) -> Document<'a> {
    let naming = answer.naming;
    let structures = answer.ranked.iter().map(|structure| {
        let fields = answer.structures.fields(structure.tag, answer.height);
        let owners = answer.structures.owners(structure.tag);
        JsonStructure {
            tag: JsonTag::new(naming, structure.tag),
            rate: structure.rate(answer.height),
            rac: structure.cost,
            rab: structure.benefit,
            own_rac: structure.own,
            objects: structure.objects,
            bytes: structure.bytes,
            part_of: owners.iter().map(|&owner| naming.tag(TagId(owner))).collect(),
            fields: fields
                .iter()
                .take(JSON_FIELDS)
                .map(|(field, depth)| json_field(naming, field, *depth))
                .collect(),
            more_fields: fields.len().saturating_sub(JSON_FIELDS),
        }
    });
    Document {
        instances: answer.instances,
        bytecodes: answer.bytecodes,
        nodes: answer.graph.nodes.len(),
        dependences: answer.graph.edges.len(),
        height: answer.height,
        structures: structures.collect(),
        more: answer.more,
        estimated: Estimated {
            sums: answer.estimated.0,
            of: answer.estimated.1,
            standard_error: standard_error(),
        },
        exactness: Exactness::of_costs(answer.graph),
    }
}

fn json_field<'a>(naming: &Naming<'a>, field: &FieldCosts, depth: usize) -> JsonField<'a> {
    JsonField {
        location: JsonLocation::new(naming, field.location),
        depth,
        rac: field.cost,
        rab: field.benefit,
        own_rac: field.own,
        consumed: field.consumed,
        estimated: field.estimated,
        reads: field.uses.reads,
        writes: field.uses.writes,
        overwritten: field.uses.overwritten,
        symptoms: symptoms(field),
    }
}
