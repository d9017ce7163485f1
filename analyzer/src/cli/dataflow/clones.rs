//! `subsume clones`.

use std::io::Write;
use std::path::PathBuf;

use analysis::dataflow::copies::clones::{Clone as ClonePairs, Cut, Flow, Pair, clones, distinct};
use analysis::dataflow::copies::graph::CopyGraph;
use analysis::dataflow::copies::stored_by::stored_by;
use analysis::dataflow::for_whom::{Contexts as CallingContexts, Shares};
use analysis::dataflow::name::{Contexts, Naming};
use base::number::{counted, grouped, percent};
use profile::dataflow::{CopyProfile, Origin, TagId};
use rustc_hash::FxHashSet;
use serde::Serialize;
use tree::error::Result;

use super::command::DataflowCommand;
use super::exactness::Exactness;
use super::for_whom::{COPIES, COPIES_WITH_CALLS, JsonShares, Recorded};
use super::names::{JsonTag, site_matches};
use super::source::{Files, Objects, Profiles};
use super::text::{evidence, more};
use crate::cli::json;
use crate::cli::own::Own;
use crate::cli::source::Output;
use crate::cli::terminal;

/// List pairs of structures of which one is filled with copies of the other.
///
/// Bytes are those copied from objects that the first one reaches, over at most three
/// references, to objects that the second one reaches. Objects that both reach do not count.
/// Pairs explained by the same copies are one entry, the outermost pair first. A pair of whose
/// copies at least half explain an earlier entry is counted there. The first 10 entries are
/// listed unless --top says otherwise.
///
/// "for" says on whose behalf methods of the JDK fill a structure: the nearest method above
/// them that is not the JDK's, by the bytes of the flows; with --own or --sources, the nearest
/// one of your own code. A method that copies for several is divided by its copies for each,
/// which is an estimate.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume clones fop.subsume
  subsume clones --class 'java.util.GregorianCalendar;app.*' app.subsume
  subsume clones --sites --json run1.subsume run2.subsume")]
pub struct Args {
    #[command(flatten)]
    files: Files,

    #[command(flatten)]
    objects: Objects,

    #[command(flatten)]
    own: Own,

    #[command(flatten)]
    output: Output,
}

const TOP: usize = 10;
/// Pairs and copies shown below an entry.
const SHOWN: usize = 4;

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
        let naming = Naming::new(&copies.methods, &copies.profile.objects, Contexts::Receiver);
        let mut found = clones(&graph);
        found.clones = distinct(found.clones);
        if let Some(class) = self.output.class() {
            let matches = |tag: TagId| {
                site_matches(
                    &naming,
                    copies.profile.objects.tags[tag.0 as usize].site,
                    Some(&class),
                )
            };
            found
                .clones
                .retain(|entry| entry.pairs.iter().any(|p| matches(p.from) || matches(p.to)));
        }
        let all = found.clones.len();
        found.clones.truncate(self.output.entries(TOP));
        let contexts = recorded.as_ref().map(|recorded| recorded.contexts(&COPIES));
        let users = contexts.map_or_else(
            || vec![None; found.clones.len()],
            |contexts| users(&contexts, &copies.profile, &naming, &found.clones),
        );
        let answer = Answer {
            copies: &copies.profile,
            naming: &naming,
            users,
            recorded: recorded.as_ref(),
            clones: &found.clones,
            more: all - found.clones.len(),
            cut: found.cut,
            copied: graph.edges.iter().fold(0, |sum, edge| sum.saturating_add(edge.volume())),
        };
        if json::answered(self.output.json, out, |out| json::print(&document(&answer), out))? {
            return Ok(());
        }
        print(&answer, &self.output, out)
    }
}

struct Answer<'a> {
    copies: &'a CopyProfile,
    naming: &'a Naming<'a>,
    clones: &'a [ClonePairs],
    /// For whom each entry is, as far as that is known.
    users: Vec<Option<Shares>>,
    recorded: Option<&'a Recorded>,
    more: usize,
    cut: Cut,
    /// Bytes of all copies between locations.
    copied: u64,
}

/// For whom each entry is, by the stores of the flows that are kept of it.
fn users(
    contexts: &CallingContexts<'_>,
    copies: &CopyProfile,
    naming: &Naming<'_>,
    clones: &[ClonePairs],
) -> Vec<Option<Shares>> {
    let flows = clones.iter().flat_map(|entry| &entry.flows);
    let wanted: FxHashSet<(TagId, TagId)> = flows.map(|flow| (flow.from, flow.to)).collect();
    let stored = stored_by(copies, |edge| match edge.from {
        Origin::Location(from) => {
            Some((from.tag, edge.to.tag)).filter(|ends| wanted.contains(ends))
        }
        Origin::Producer(_) => None,
    });
    let of_entry = |entry: &ClonePairs| {
        let places = entry.flows.iter().filter_map(|flow| stored.get(&(flow.from, flow.to)));
        contexts.of(places.flatten().map(|&(place, bytes)| (naming.method(place), bytes)))
    };
    clones.iter().map(of_entry).collect()
}

fn print(answer: &Answer<'_>, output: &Output, out: &mut dyn Write) -> Result<()> {
    let width = terminal::width();
    let naming = answer.naming;
    writeln!(out, "{} copied between heap locations", counted(answer.copied, "byte"))?;
    writeln!(out)?;
    for (entry, user) in answer.clones.iter().zip(&answer.users) {
        let pair = |p: &Pair| match p.from == p.to {
            true => format!("({}, others of it)", naming.tag(p.from)),
            false => format!("({}, {})", naming.tag(p.from), naming.tag(p.to)),
        };
        let (first, rest) = (&entry.pairs[0], &entry.pairs[1..]);
        let share = percent(entry.volume, answer.copied);
        writeln!(out, "{} ({share}): {}", grouped(entry.volume), pair(first))?;
        if first.reached > entry.volume {
            let line = format!("{} with what both of them reach", counted(first.reached, "byte"));
            writeln!(out, "{}", evidence(&line, width))?;
        }
        for inner in rest.iter().take(SHOWN) {
            writeln!(out, "{}", evidence(&format!("also {}", pair(inner)), width))?;
        }
        if rest.len() > SHOWN {
            let more = format!("and {} more", counted((rest.len() - SHOWN) as u64, "pair"));
            writeln!(out, "{}", evidence(&more, width))?;
        }
        if let Some((recorded, user)) = answer.recorded.zip(user.as_ref()) {
            writeln!(out, "{}", recorded.told(user).line(width))?;
        }
        for flow in entry.flows.iter().take(SHOWN) {
            writeln!(out, "{}", evidence(&flow_line(naming, flow), width))?;
        }
        if entry.all_flows > SHOWN {
            let more = format!("and {} more flows", entry.all_flows - SHOWN);
            writeln!(out, "{}", evidence(&more, width))?;
        }
        if entry.similar > 0 {
            let pairs = counted(entry.similar as u64, "pair");
            let line = format!("half or more of what explains {pairs} more is in these copies");
            writeln!(out, "{}", evidence(&line, width))?;
        }
    }
    if answer.clones.is_empty() {
        writeln!(out, "{}", output.nothing("pair", "No pair found."))?;
    }
    more(answer.more, out)?;
    if let Some(line) = not_looked_at(answer.cut) {
        writeln!(out, "{line}")?;
    }
    Exactness::new(&answer.copies.objects).write(out)?;
    writeln!(
        out,
        "Next: 'subsume graph FILE CLASS:LINE' shows all copies around one of the sites."
    )?;
    Ok(())
}

/// What the search left out, if anything.
fn not_looked_at(cut: Cut) -> Option<String> {
    let flows = (cut.flows > 0).then(|| {
        let most = counted(cut.largest_flow, "byte");
        format!("{} of up to {most} each", counted(cut.flows as u64, "smaller flow"))
    });
    let searches = (cut.searches > 0).then(|| {
        format!("owners beyond the first ones of {}", counted(cut.searches as u64, "site"))
    });
    let parts: Vec<String> = flows.into_iter().chain(searches).collect();
    (!parts.is_empty()).then(|| format!("Not looked at: {}.", parts.join(", and ")))
}

fn flow_line(naming: &Naming<'_>, flow: &Flow) -> String {
    let (from, to) = (naming.tag(flow.from), naming.tag(flow.to));
    let bytes = counted(flow.volume, "byte");
    if flow.from == flow.to {
        return format!("by {bytes} within objects of {from}");
    }
    format!("by {bytes} from fields of {from} to fields of {to}")
}

#[derive(Serialize)]
struct Document<'a> {
    /// Bytes of all copies between heap locations.
    copied: u64,
    clones: Vec<JsonClone<'a>>,
    /// Entries that `--top` has left out.
    more: usize,
    cut: JsonCut,
    exactness: Exactness<'a>,
}

#[derive(Serialize)]
struct JsonClone<'a> {
    bytes: u64,
    /// Outermost first.
    pairs: Vec<JsonPair<'a>>,
    /// How many flows explain the pairs; the 100 largest are listed.
    all_flows: usize,
    /// Pairs left out, half or more of whose copies are among these.
    similar: usize,
    flows: Vec<JsonFlow<'a>>,
    #[serde(flatten)]
    user: JsonShares<'a>,
}

#[derive(Serialize)]
struct JsonPair<'a> {
    from: JsonTag<'a>,
    to: JsonTag<'a>,
    /// Bytes of all copies from anything that one reaches to anything that the
    /// other one reaches.
    reached: u64,
}

#[derive(Serialize)]
struct JsonFlow<'a> {
    bytes: u64,
    from: JsonTag<'a>,
    to: JsonTag<'a>,
}

/// What was not looked at.
#[derive(Serialize)]
struct JsonCut {
    flows: usize,
    largest_flow: u64,
    searches: usize,
}

fn document<'a>(answer: &Answer<'a>) -> Document<'a> {
    let tag = |tag: TagId| JsonTag::new(answer.naming, tag);
    let pair = |p: &Pair| JsonPair { from: tag(p.from), to: tag(p.to), reached: p.reached };
    let clones = answer.clones.iter().zip(&answer.users).map(|(entry, user)| JsonClone {
        bytes: entry.volume,
        pairs: entry.pairs.iter().map(pair).collect(),
        all_flows: entry.all_flows,
        similar: entry.similar,
        flows: entry
            .flows
            .iter()
            .map(|flow| JsonFlow { bytes: flow.volume, from: tag(flow.from), to: tag(flow.to) })
            .collect(),
        user: JsonShares::new(answer.recorded, user.as_ref()),
    });
    let Cut { flows, largest_flow, searches } = answer.cut;
    Document {
        copied: answer.copied,
        clones: clones.collect(),
        more: answer.more,
        cut: JsonCut { flows, largest_flow, searches },
        exactness: Exactness::new(&answer.copies.objects),
    }
}
