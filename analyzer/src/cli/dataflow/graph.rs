//! `subsume graph`.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use analysis::dataflow::copies::graph::CopyGraph;
use analysis::dataflow::copies::neighbourhood::{Extent, Neighbourhood, neighbourhood};
use analysis::dataflow::name::{Contexts, Naming};
use analysis::dataflow::place::find;
use base::number::{counted, grouped};
use profile::dataflow::{CopyProfile, Place, StoreId, TagId};
use serde::Serialize;
use tree::error::Result;

use super::command::DataflowCommand;
use super::exactness::Exactness;
use super::names::{JsonLocation, JsonPlace, JsonTag};
use super::source::{Objects, Profiles, files_and_place};
use super::text::evidence;
use crate::cli::json;
use crate::cli::terminal;

/// Print the copy graph around the objects made at a line.
///
/// Shows the copies to and from the fields of these objects, and where references to them are
/// stored, each with its number and bytes.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "subsume graph [OPTIONS] <FILE>... <CLASS:LINE>",
    after_help = "\
Examples:
  subsume graph fop.subsume java.util.ArrayList:181
  subsume graph --hops 2 --dot fop.subsume Main:12 | dot -Tsvg > graph.svg
  subsume graph --json run1.subsume run2.subsume Main:12"
)]
pub struct Args {
    /// Profiles; several are added up by names. The place comes before or after them: a class,
    /// or the end of its name, and the line of an allocation.
    // One list, so that options may stand between the files and the place.
    #[arg(required = true, value_name = "FILE PLACE")]
    files_and_place: Vec<OsString>,

    /// How many copies away from the objects to go.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=20))]
    hops: u8,

    /// Show at most N copies, those with most bytes.
    #[arg(long, value_name = "N", default_value_t = 100)]
    edges: usize,

    /// Print a graph for Graphviz.
    #[arg(long, conflicts_with = "json")]
    dot: bool,

    /// Print JSON for programs.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    objects: Objects,
}

impl DataflowCommand for Args {
    fn files(&self) -> Result<Vec<PathBuf>> {
        Ok(files_and_place(&self.files_and_place, "graph")?.0)
    }

    fn answer(&self, profiles: Profiles, out: &mut dyn Write) -> Result<()> {
        let (_, place) = files_and_place(&self.files_and_place, "graph")?;
        let place = &*place;
        let copies = self.objects.unite(&profiles)?;
        drop(profiles);
        let objects = &copies.profile.objects;
        let graph = CopyGraph::new(&copies.profile);
        let naming = Naming::new(&copies.methods, objects, Contexts::Receiver)
            .telling_apart(graph.locations.iter().copied());
        let places: Vec<(u32, Place)> = (1..objects.tags.len() as u32)
            .map(|tag| (tag, objects.site(TagId(tag)).place))
            .filter(|(_, place)| place.method.is_some())
            .collect();
        let tags = find(&naming, &places, place, "allocation site")?;
        let tags: Vec<TagId> = tags.into_iter().map(TagId).collect();
        let extent = Extent { hops: self.hops.into(), edges: self.edges.max(1) };
        let part = neighbourhood(&graph, &tags, extent);
        let answer = Answer { copies: &copies.profile, graph: &graph, naming: &naming, tags, part };
        if json::answered(self.json, out, |out| json::print(&document(&answer), out))? {
            Ok(())
        } else if self.dot {
            print_dot(&answer, out)
        } else {
            print(&answer, out)
        }
    }
}

struct Answer<'a> {
    copies: &'a CopyProfile,
    graph: &'a CopyGraph,
    naming: &'a Naming<'a>,
    /// The objects at the centre.
    tags: Vec<TagId>,
    part: Neighbourhood,
}

impl Answer<'_> {
    fn name(&self, location: u32) -> String {
        self.naming.location(self.graph.location(location))
    }

    fn place(&self, store: StoreId) -> Place {
        self.copies.stores[store.0 as usize].place
    }

    fn is_central(&self, location: u32) -> bool {
        self.tags.contains(&self.graph.location(location).tag)
    }
}

fn print(answer: &Answer<'_>, out: &mut dyn Write) -> Result<()> {
    let width = terminal::width();
    let part = &answer.part;
    for &tag in &answer.tags {
        let made = answer.copies.objects.allocations[tag.0 as usize];
        writeln!(
            out,
            "{}: {}, {}",
            answer.naming.tag(tag),
            counted(made.objects, "object"),
            counted(made.bytes, "byte")
        )?;
    }
    // A location with everything that is copied to it, central ones first.
    let mut targets: Vec<u32> = part.locations.clone();
    targets.sort_by_key(|&location| (!answer.is_central(location), location));
    for location in targets {
        writeln!(out)?;
        let used = if answer.graph.consumed[location as usize] { "  used" } else { "" };
        writeln!(out, "{}{used}", answer.name(location))?;
        let mut lines = Vec::new();
        for produced in part.produced.iter().filter(|produced| produced.to == location) {
            let from = format!("new {}", answer.naming.tag(produced.tag));
            lines.push(("from", from, produced.count, produced.bytes, produced.store));
        }
        for edge in part.edges.iter().filter(|edge| edge.to == location) {
            lines.push(("from", answer.name(edge.from), edge.count, edge.bytes, edge.store));
        }
        for edge in part.edges.iter().filter(|edge| edge.from == location && edge.to != location) {
            lines.push(("to", answer.name(edge.to), edge.count, edge.bytes, edge.store));
        }
        for (direction, other, count, bytes, store) in lines {
            let place = answer.naming.place(answer.place(store));
            let line = format!("{direction} {other}  {} x {bytes} at {place}", grouped(count));
            writeln!(out, "{}", evidence(&line, width))?;
        }
    }
    if part.left_out > 0 {
        writeln!(
            out,
            "\n{} with fewer bytes are left out (--edges N shows more).",
            counted(part.left_out as u64, "edge")
        )?;
    }
    Exactness::new(&answer.copies.objects).write(out)
}

fn print_dot(answer: &Answer<'_>, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "digraph copies {{")?;
    writeln!(out, "  rankdir=LR; node [shape=box, fontname=\"sans-serif\"];")?;
    for &location in &answer.part.locations {
        let style = match (answer.is_central(location), answer.graph.consumed[location as usize]) {
            (true, _) => ", style=filled, fillcolor=\"#ffe9a8\"",
            (false, true) => ", style=filled, fillcolor=\"#dcefdc\"",
            (false, false) => "",
        };
        writeln!(out, "  l{location} [label={}{style}];", dot_text(&answer.name(location)))?;
        if answer.graph.consumed[location as usize] {
            writeln!(out, "  l{location} -> consumer;")?;
        }
    }
    let consumed = |&location: &u32| answer.graph.consumed[location as usize];
    if answer.part.locations.iter().any(consumed) {
        writeln!(out, "  consumer [label=\"C\", shape=circle];")?;
    }
    let mut producers: Vec<TagId> = answer.part.produced.iter().map(|p| p.tag).collect();
    producers.sort_unstable();
    producers.dedup();
    for tag in producers {
        let name = format!("new {}", answer.naming.tag(tag));
        writeln!(out, "  p{} [label={}, shape=ellipse];", tag.0, dot_text(&name))?;
    }
    for produced in &answer.part.produced {
        let label = format!("{},{}", produced.count, produced.bytes);
        writeln!(out, "  p{} -> l{} [label=\"{label}\"];", produced.tag.0, produced.to)?;
    }
    for edge in &answer.part.edges {
        let place = answer.naming.place(answer.place(edge.store));
        let label = dot_text(&format!("{},{}", edge.count, edge.bytes));
        let tooltip = dot_text(&place);
        writeln!(out, "  l{} -> l{} [label={label}, tooltip={tooltip}];", edge.from, edge.to)?;
    }
    writeln!(out, "}}")?;
    Ok(())
}

/// A string of Graphviz's language.
fn dot_text(text: &str) -> String {
    let text = tree::readable_names::printable(text);
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[derive(Serialize)]
struct Document<'a> {
    objects: Vec<Made<'a>>,
    locations: Vec<JsonNode<'a>>,
    /// Copies between locations, by their indices in `locations`.
    edges: Vec<JsonEdge<'a>>,
    /// References to new objects that were stored.
    produced: Vec<JsonProduced<'a>>,
    left_out: usize,
    exactness: Exactness<'a>,
}

#[derive(Serialize)]
struct Made<'a> {
    #[serde(flatten)]
    tag: JsonTag<'a>,
    objects: u64,
    bytes: u64,
}

#[derive(Serialize)]
struct JsonNode<'a> {
    #[serde(flatten)]
    location: JsonLocation<'a>,
    /// A value of it was computed with, tested or given to native code.
    consumed: bool,
}

#[derive(Serialize)]
struct JsonEdge<'a> {
    from: usize,
    to: usize,
    count: u64,
    bytes: u8,
    stored_at: JsonPlace<'a>,
}

#[derive(Serialize)]
struct JsonProduced<'a> {
    from: JsonTag<'a>,
    to: usize,
    count: u64,
    bytes: u8,
    stored_at: JsonPlace<'a>,
}

fn document<'a>(answer: &Answer<'a>) -> Document<'a> {
    let part = &answer.part;
    let index = |location: u32| part.locations.partition_point(|&other| other < location);
    let objects = answer.tags.iter().map(|&tag| {
        let made = answer.copies.objects.allocations[tag.0 as usize];
        Made { tag: JsonTag::new(answer.naming, tag), objects: made.objects, bytes: made.bytes }
    });
    let locations = part.locations.iter().map(|&location| JsonNode {
        location: JsonLocation::new(answer.naming, answer.graph.location(location)),
        consumed: answer.graph.consumed[location as usize],
    });
    let stored_at = |store| JsonPlace::new(answer.naming, answer.place(store));
    let edges = part.edges.iter().map(|edge| JsonEdge {
        from: index(edge.from),
        to: index(edge.to),
        count: edge.count,
        bytes: edge.bytes,
        stored_at: stored_at(edge.store),
    });
    let produced = part.produced.iter().map(|produced| JsonProduced {
        from: JsonTag::new(answer.naming, produced.tag),
        to: index(produced.to),
        count: produced.count,
        bytes: produced.bytes,
        stored_at: stored_at(produced.store),
    });
    Document {
        objects: objects.collect(),
        locations: locations.collect(),
        edges: edges.collect(),
        produced: produced.collect(),
        left_out: part.left_out,
        exactness: Exactness::new(&answer.copies.objects),
    }
}
