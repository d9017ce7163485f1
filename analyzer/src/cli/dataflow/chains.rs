//! `subsume chains`.

use std::io::Write;
use std::path::PathBuf;

use analysis::dataflow::copies::chains::{Chain, Chains, Limits, chains};
use analysis::dataflow::copies::graph::CopyGraph;
use analysis::dataflow::for_whom::Shares;
use analysis::dataflow::name::{Contexts, Naming};
use base::number::{counted, grouped};
use profile::dataflow::CopyProfile;
use serde::Serialize;
use tree::error::Result;
use tree::readable_names::{columns, printable};

use super::command::DataflowCommand;
use super::exactness::Exactness;
use super::for_whom::{COPIES, COPIES_WITH_CALLS, JsonShares, Recorded};
use super::names::{JsonLocation, JsonPlace, location_matches};
use super::source::{Files, Objects, Profiles};
use super::text::evidence;
use crate::cli::json;
use crate::cli::own::Own;
use crate::cli::source::Output;
use crate::cli::terminal;

/// List the most wasteful copy chains: values carried from one heap location to
/// the next without being used.
///
/// An entry is (waste factor, length) and the locations. Between two locations stand the method
/// and line that store most, how often, and how many bytes. The waste factor is the length
/// times the frequency and size of the least frequent copy. Chains inside a longer one are not
/// listed again. The first 20 chains are listed unless --top says otherwise; --top 0 lists all
/// that are found within --paths.
///
/// "for" says on whose behalf methods of the JDK store: the nearest method above them that is
/// not the JDK's; with --own or --sources, the nearest one of your own code. Each copy of a
/// chain has an equal share. A method that copies for several is divided by its copies for
/// each, which is an estimate.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume chains fop.subsume
  subsume chains --length 8 --top 50 fop.subsume
  subsume chains --class 'org.apache.*' run1.subsume run2.subsume")]
pub struct Args {
    #[command(flatten)]
    files: Files,

    /// Longest chain to look for, in copies.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=32))]
    length: u8,

    /// Paths to look at before giving up; the chains found until then are still the most
    /// wasteful ones.
    #[arg(long, value_name = "N", default_value_t = 3_000_000)]
    paths: u32,

    #[command(flatten)]
    objects: Objects,

    #[command(flatten)]
    own: Own,

    #[command(flatten)]
    output: Output,
}

const TOP: usize = 20;

impl DataflowCommand for Args {
    fn files(&self) -> Result<Vec<PathBuf>> {
        Ok(self.files.files.clone())
    }

    fn metrics(&self) -> &'static [&'static str] {
        &COPIES_WITH_CALLS
    }

    fn answer(&self, profiles: Profiles, out: &mut dyn Write) -> Result<()> {
        let copies = self.objects.unite(&profiles)?;
        let recorded = Recorded::new(profiles, &COPIES, self.own.code()?)?;
        let graph = CopyGraph::new(&copies.profile);
        let naming = Naming::new(&copies.methods, &copies.profile.objects, Contexts::Receiver)
            .telling_apart(graph.locations.iter().copied());
        let class = self.output.class();
        let limits = Limits {
            length: self.length.into(),
            top: self.output.top(TOP),
            paths: self.paths as usize,
        };
        let found = chains(&graph, limits, |edges| {
            class.as_ref().is_none_or(|class| {
                locations(&graph, edges)
                    .any(|location| location_matches(&naming, graph.location(location), class))
            })
        });
        let contexts = recorded.as_ref().map(|recorded| recorded.contexts(&COPIES));
        let stored_in = |&edge: &u32| {
            let store = graph.edge(edge).store;
            naming.method(copies.profile.stores[store.0 as usize].place)
        };
        let users = found.chains.iter().map(|chain| {
            let contexts = contexts.as_ref()?;
            let methods = chain.edges.iter().filter_map(stored_in);
            contexts.of(methods
                .filter(|m| contexts.works_for_callers(m))
                .map(|method| (Some(method), 1)))
        });
        let answer = Answer {
            copies: &copies.profile,
            graph: &graph,
            naming: &naming,
            users: users.collect(),
            recorded: recorded.as_ref(),
            reaching_consumer: graph.reaching_consumer(),
            found,
        };
        if json::answered(self.output.json, out, |out| json::print(&document(&answer), out))? {
            return Ok(());
        }
        print(&answer, &self.output, out)
    }
}

struct Answer<'a> {
    copies: &'a CopyProfile,
    graph: &'a CopyGraph,
    naming: &'a Naming<'a>,
    /// Locations whose values reach the consumer, possibly through others.
    reaching_consumer: Vec<bool>,
    found: Chains,
    /// For whom each chain is, as far as that is known.
    users: Vec<Option<Shares>>,
    recorded: Option<&'a Recorded>,
}

/// What becomes of the values at the last location of a chain.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum End {
    /// They are used there.
    Used,
    /// They are not, but copies that are not in the chain carry them on.
    CopiedOn,
    /// They are copied on, and nowhere used.
    CopiedOnAndNeverUsed,
    /// Nothing leaves the location but copies of the chain itself.
    Unused,
}

impl End {
    fn of(graph: &CopyGraph, reaching_consumer: &[bool], chain: &Chain) -> Self {
        let Some(&last) = chain.edges.last() else { return Self::Unused };
        let end = graph.edge(last).to;
        if graph.consumed[end as usize] {
            return Self::Used;
        }
        if graph.outgoing(end).iter().all(|edge| chain.edges.contains(edge)) {
            return Self::Unused;
        }
        if reaching_consumer[end as usize] { Self::CopiedOn } else { Self::CopiedOnAndNeverUsed }
    }

    fn text(self) -> Option<&'static str> {
        match self {
            Self::Used => None,
            Self::CopiedOn => Some("copied on from its end"),
            Self::CopiedOnAndNeverUsed => Some("copied on from its end, and never used"),
            Self::Unused => Some("not used at its end"),
        }
    }
}

/// The locations of a chain, in order.
fn locations<'a>(graph: &'a CopyGraph, edges: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    let first = edges.first().map(|&edge| graph.edge(edge).from);
    first.into_iter().chain(edges.iter().map(|&edge| graph.edge(edge).to))
}

fn print(answer: &Answer<'_>, output: &Output, out: &mut dyn Write) -> Result<()> {
    let width = terminal::width();
    let graph = answer.graph;
    writeln!(
        out,
        "{} between {}",
        counted(graph.edges.len() as u64, "copy edge"),
        counted(graph.locations.len() as u64, "heap location")
    )?;
    writeln!(out)?;
    for (chain, user) in answer.found.chains.iter().zip(&answer.users) {
        for line in chain_lines(answer, chain, width) {
            writeln!(out, "{}", printable(&line))?;
        }
        let mut facts = Vec::new();
        facts.extend(End::of(graph, &answer.reaching_consumer, chain).text().map(str::to_owned));
        if chain.folded > 0 {
            facts.push(format!("{} inside", counted(chain.folded as u64, "chain")));
        }
        if !facts.is_empty() {
            writeln!(out, "{}", evidence(&facts.join("; "), width))?;
        }
        if let Some((recorded, user)) = answer.recorded.zip(user.as_ref()) {
            writeln!(out, "{}", recorded.told(user).line(width))?;
        }
    }
    if answer.found.chains.is_empty() {
        writeln!(out, "{}", output.nothing("chain", "No chain found."))?;
    }
    if let Some(missing) = answer.found.missing {
        writeln!(
            out,
            "Looked at {} and gave up: chains that are missing have waste factors up to {} \
             (--paths N looks further).",
            counted(answer.found.paths as u64, "path"),
            grouped(missing)
        )?;
    }
    Exactness::new(&answer.copies.objects).write(out)?;
    writeln!(
        out,
        "Next: 'subsume graph FILE CLASS:LINE' shows all copies around one of the sites."
    )?;
    Ok(())
}

/// The chain as the paper prints it, on one line if that fits, otherwise with
/// each copy on a line of its own.
fn chain_lines(answer: &Answer<'_>, chain: &Chain, width: usize) -> Vec<String> {
    let (graph, naming) = (answer.graph, answer.naming);
    let name = |location: u32| naming.location(graph.location(location));
    let first = graph.edge(chain.edges[0]).from;
    let mut parts = vec![format!("({},{}) {}", chain.waste, chain.edges.len(), name(first))];
    for &edge in &chain.edges {
        let edge = graph.edge(edge);
        let place = naming.place(answer.copies.stores[edge.store.0 as usize].place);
        parts.push(format!("-[{place},{},{}]-> {}", edge.count, edge.bytes, name(edge.to)));
    }
    let line = parts.join(" ");
    if columns(&line) <= width {
        return vec![line];
    }
    let indented = parts.iter().skip(1).map(|part| format!("  {part}"));
    std::iter::once(parts[0].clone()).chain(indented).collect()
}

#[derive(Serialize)]
struct Document<'a> {
    locations: usize,
    edges: usize,
    chains: Vec<JsonChain<'a>>,
    /// Paths looked at.
    paths: usize,
    /// If the search was given up, the greatest waste factor that a chain which
    /// is missing may have.
    missing: Option<u64>,
    exactness: Exactness<'a>,
}

#[derive(Serialize)]
struct JsonChain<'a> {
    waste: u64,
    length: usize,
    frequency: u64,
    bytes: u8,
    /// The value was used at the end of the chain.
    consumed: bool,
    /// What becomes of it there.
    end: End,
    /// Chains inside this one that are not listed.
    folded: usize,
    start: JsonLocation<'a>,
    copies: Vec<JsonCopy<'a>>,
    #[serde(flatten)]
    user: JsonShares<'a>,
}

#[derive(Serialize)]
struct JsonCopy<'a> {
    stored_at: JsonPlace<'a>,
    count: u64,
    bytes: u8,
    to: JsonLocation<'a>,
}

fn document<'a>(answer: &Answer<'a>) -> Document<'a> {
    let (graph, naming) = (answer.graph, answer.naming);
    let location = |number: u32| JsonLocation::new(naming, graph.location(number));
    let chains = answer.found.chains.iter().zip(&answer.users).map(|(chain, user)| JsonChain {
        waste: chain.waste,
        length: chain.edges.len(),
        frequency: chain.frequency,
        bytes: chain.bytes,
        consumed: graph.consumed[graph.edge(chain.edges[chain.edges.len() - 1]).to as usize],
        end: End::of(graph, &answer.reaching_consumer, chain),
        folded: chain.folded,
        start: location(graph.edge(chain.edges[0]).from),
        copies: chain
            .edges
            .iter()
            .map(|&edge| graph.edge(edge))
            .map(|edge| JsonCopy {
                stored_at: JsonPlace::new(
                    naming,
                    answer.copies.stores[edge.store.0 as usize].place,
                ),
                count: edge.count,
                bytes: edge.bytes,
                to: location(edge.to),
            })
            .collect(),
        user: JsonShares::new(answer.recorded, user.as_ref()),
    });
    Document {
        locations: graph.locations.len(),
        edges: graph.edges.len(),
        chains: chains.collect(),
        paths: answer.found.paths,
        missing: answer.found.missing,
        exactness: Exactness::new(&answer.copies.objects),
    }
}
