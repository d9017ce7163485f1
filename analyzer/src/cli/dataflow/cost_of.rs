//! `subsume cost-of`.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use analysis::dataflow::costs::graph::Dependences;
use analysis::dataflow::costs::slice::{Hop, Slice, costliest, slice};
use analysis::dataflow::name::{Contexts, Naming};
use analysis::dataflow::place::find;
use base::number::{counted, grouped, percent};
use profile::dataflow::{CostGraph, CostNodeId, InstructionKind, Place};
use serde::Serialize;
use tree::error::Result;

use super::command::DataflowCommand;
use super::exactness::Exactness;
use super::names::{JsonLocation, JsonPlace, accessed_locations};
use super::source::{Profiles, cost_graph, files_and_place};
use super::text::evidence;
use crate::cli::json;
use crate::cli::terminal;

/// Show what it cost to make the values of a line, hop by hop.
///
/// A hop leads from values read from the heap to the values computed from them; the next hop
/// says how the values read came into the heap. The first hop is the relative cost of the line,
/// as 'subsume costs' counts it for the values that the line stores. All hops together are its
/// absolute cost.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "subsume cost-of [OPTIONS] <FILE> <CLASS:LINE>",
    after_help = "\
Examples:
  subsume cost-of fop.subsume java.util.HashMap:661
  subsume cost-of --hops 0 fop.subsume Main:35
  subsume cost-of --json fop.subsume Main:35"
)]
pub struct Args {
    /// A profile. The place comes before or after it: a class, or the end of its name, and a
    /// line.
    #[arg(required = true, value_name = "FILE PLACE")]
    file_and_place: Vec<OsString>,

    /// Show only the first N hops; 0 for all.
    #[arg(long, value_name = "N", default_value_t = 5)]
    hops: usize,

    /// Print JSON for programs.
    #[arg(long)]
    json: bool,
}

/// Instructions shown of a hop, and locations.
const SHOWN: usize = 8;

impl DataflowCommand for Args {
    fn files(&self) -> Result<Vec<PathBuf>> {
        Ok(files_and_place(&self.file_and_place, "cost-of")?.0)
    }

    fn answer(&self, profiles: Profiles, out: &mut dyn Write) -> Result<()> {
        let (_, place) = files_and_place(&self.file_and_place, "cost-of")?;
        let place = &*place;
        let (methods, graph, _) = cost_graph(profiles)?;
        let naming = Naming::new(&methods, &graph.objects, Contexts::Chain)
            .telling_apart(accessed_locations(&graph));
        let places: Vec<(u32, Place)> = (0..graph.nodes.len() as u32)
            .map(|node| (node, graph.instruction(CostNodeId(node)).place))
            .collect();
        let seeds = find(&naming, &places, place, "instruction")?;
        let dependences = Dependences::new(&graph);
        let slice = slice(&graph, &dependences, &seeds);
        let shown = if self.hops == 0 { usize::MAX } else { self.hops };
        let answer = Answer {
            graph: &graph,
            naming: &naming,
            dependences: &dependences,
            place,
            executed: seeds.iter().map(|&seed| dependences.frequency[seed as usize]).sum(),
            slice,
            shown,
        };
        if json::answered(self.json, out, |out| json::print(&document(&answer), out))? {
            return Ok(());
        }
        print(&answer, out)
    }
}

struct Answer<'a> {
    graph: &'a CostGraph,
    naming: &'a Naming<'a>,
    dependences: &'a Dependences,
    place: &'a str,
    /// Instances of the line's own instructions.
    executed: u64,
    slice: Slice,
    shown: usize,
}

impl Answer<'_> {
    fn hops(&self) -> impl Iterator<Item = &Hop> {
        self.slice.hops.iter().take(self.shown)
    }
}

fn print(answer: &Answer<'_>, out: &mut dyn Write) -> Result<()> {
    let width = terminal::width();
    let slice = &answer.slice;
    writeln!(
        out,
        "{}: {} in {}, of them {} of the line itself",
        answer.place,
        counted(slice.cost(), "instruction instance"),
        counted(slice.hops.len() as u64, "hop"),
        grouped(answer.executed),
    )?;
    for (number, hop) in (1..).zip(answer.hops()) {
        writeln!(out)?;
        writeln!(
            out,
            "Hop {number}: {} ({}) by {}",
            grouped(hop.cost),
            percent(hop.cost, slice.cost()),
            counted(hop.nodes.len() as u64, "node")
        )?;
        for node in costliest(answer.dependences, hop, SHOWN) {
            let instruction = answer.graph.instruction(node);
            let frequency = answer.dependences.frequency[node.0 as usize];
            let place = answer.naming.place(instruction.place);
            let line = format!("{} {} at {place}", grouped(frequency), verb(instruction.kind));
            writeln!(out, "{}", evidence(&line, width))?;
        }
        if let Some(more) = hop.nodes.len().checked_sub(SHOWN).filter(|&more| more > 0) {
            let line = format!("and {} of no greater cost", counted(more as u64, "node"));
            writeln!(out, "{}", evidence(&line, width))?;
        }
        for &location in hop.read.iter().take(SHOWN) {
            let line = format!("read from {}", answer.naming.location(location));
            writeln!(out, "{}", evidence(&line, width))?;
        }
        if let Some(more) = hop.read.len().checked_sub(SHOWN).filter(|&more| more > 0) {
            let line = format!("and from {} more", counted(more as u64, "location"));
            writeln!(out, "{}", evidence(&line, width))?;
        }
    }
    if let Some(more) = slice.hops.len().checked_sub(answer.shown).filter(|&more| more > 0) {
        writeln!(out, "\n... {} more (--hops 0 for all)", counted(more as u64, "hop"))?;
    }
    Exactness::of_costs(answer.graph).write(out)
}

fn verb(kind: InstructionKind) -> &'static str {
    match kind {
        InstructionKind::Compute => "compute",
        InstructionKind::Allocate => "allocate",
        InstructionKind::Load => "load",
        InstructionKind::Store => "store",
        InstructionKind::Predicate => "test",
        InstructionKind::Native => "call native",
    }
}

#[derive(Serialize)]
struct Document<'a> {
    place: &'a str,
    /// Instances of the line's own instructions.
    executed: u64,
    /// All hops together, also those not listed.
    cost: u64,
    all_hops: usize,
    hops: Vec<JsonHop<'a>>,
    exactness: Exactness<'a>,
}

#[derive(Serialize)]
struct JsonHop<'a> {
    cost: u64,
    nodes: usize,
    /// The instructions that were executed most.
    instructions: Vec<JsonInstruction<'a>>,
    read: Vec<JsonLocation<'a>>,
}

#[derive(Serialize)]
struct JsonInstruction<'a> {
    #[serde(flatten)]
    place: JsonPlace<'a>,
    kind: &'static str,
    slot: Option<u32>,
    frequency: u64,
}

fn document<'a>(answer: &Answer<'a>) -> Document<'a> {
    let hops = answer.hops().map(|hop| JsonHop {
        cost: hop.cost,
        nodes: hop.nodes.len(),
        instructions: costliest(answer.dependences, hop, SHOWN)
            .into_iter()
            .map(|node| {
                let instruction = answer.graph.instruction(node);
                let info = &answer.graph.nodes[node.0 as usize];
                JsonInstruction {
                    place: JsonPlace::new(answer.naming, instruction.place),
                    kind: verb(instruction.kind),
                    slot: info.slot,
                    frequency: info.frequency,
                }
            })
            .collect(),
        read: hop.read.iter().map(|&at| JsonLocation::new(answer.naming, at)).collect(),
    });
    Document {
        place: answer.place,
        executed: answer.executed,
        cost: answer.slice.cost(),
        all_hops: answer.slice.hops.len(),
        hops: hops.collect(),
        exactness: Exactness::of_costs(answer.graph),
    }
}
