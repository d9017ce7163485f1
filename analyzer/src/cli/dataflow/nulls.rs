//! `subsume nulls`.

use std::io::Write;
use std::path::PathBuf;

use analysis::dataflow::name::{Contexts, Naming};
use analysis::dataflow::nulls::{Nulls, Raised, Way, raised, unite, verb};
use base::number::{counted, grouped};
use profile::dataflow::{NullNodeId, Objects};
use serde::Serialize;
use tree::error::Result;
use tree::owners::Owners;

use super::command::DataflowCommand;
use super::exactness::NullExactness;
use super::names::{JsonPlace, owner, painted};
use super::source::{Files, Profiles};
use super::text::{evidence, more};
use crate::cli::json;
use crate::cli::own::Own;
use crate::cli::source::Output;
use crate::cli::terminal;

/// Show where the nulls behind NullPointerExceptions came from.
///
/// Lists the places where the JVM raised the exception, those that nobody caught first. Under
/// each place are the paths of the nulls, from where they originated to where they were
/// dereferenced. The first 20 places are listed unless --top says otherwise.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume nulls app.subsume
  subsume nulls --class 'org.apache.*' app.subsume
  subsume nulls --json run1.subsume run2.subsume")]
pub struct Args {
    #[command(flatten)]
    files: Files,

    #[command(flatten)]
    own: Own,

    #[command(flatten)]
    output: Output,
}

const TOP: usize = 20;
/// Ways shown to a place.
const WAYS: usize = 3;

impl DataflowCommand for Args {
    fn files(&self) -> Result<Vec<PathBuf>> {
        Ok(self.files.files.clone())
    }

    fn answer(&self, profiles: Profiles, out: &mut dyn Write) -> Result<()> {
        let nulls = unite(&profiles)?;
        let all = profiles.iter().map(|(_, profile)| profile);
        let owners = Owners::of_profiles(all, &self.own.code()?, &nulls.methods);
        drop(profiles);
        let objects = Objects::default();
        let naming = Naming::new(&nulls.methods, &objects, Contexts::Receiver).with_owners(&owners);
        let mut found = raised(&nulls.graph);
        let sum =
            |of: fn(&Raised) -> u64| found.iter().fold(0u64, |sum, r| sum.saturating_add(of(r)));
        let (uncaught, caught) = (sum(|r| r.uncaught), sum(|r| r.caught));
        let class = self.output.class();
        found.retain(|at| class.as_ref().is_none_or(|c| c.matches(naming.class(at.place))));
        let all = found.len();
        found.truncate(self.output.entries(TOP));
        let more = all - found.len();
        let answer = Answer { nulls: &nulls, naming: &naming, found, more, uncaught, caught };
        if json::answered(self.output.json, out, |out| json::print(&document(&answer), out))? {
            return Ok(());
        }
        print(&answer, &self.output, out)
    }
}

struct Answer<'a> {
    nulls: &'a Nulls,
    naming: &'a Naming<'a>,
    found: Vec<Raised>,
    more: usize,
    uncaught: u64,
    caught: u64,
}

fn print(answer: &Answer<'_>, output: &Output, out: &mut dyn Write) -> Result<()> {
    let width = terminal::width();
    writeln!(
        out,
        "{}, {} of them not caught",
        counted(answer.uncaught.saturating_add(answer.caught), "NullPointerException"),
        grouped(answer.uncaught)
    )?;
    for raised in &answer.found {
        writeln!(out)?;
        writeln!(
            out,
            "{} not caught, {} caught at {}",
            grouped(raised.uncaught),
            grouped(raised.caught),
            painted(answer.naming, raised.place)
        )?;
        for way in raised.ways.iter().take(WAYS) {
            let count = counted(way.exceptions, "null");
            writeln!(out, "{}", evidence(&format!("{count} may have come this way:"), width))?;
            for &node in &way.nodes {
                let line = format!("  {}", step(answer, node));
                writeln!(out, "{}", evidence(&line, width))?;
            }
        }
        if let Some(more) = raised.ways.len().checked_sub(WAYS).filter(|&more| more > 0) {
            let line = format!("and {} from other origins", counted(more as u64, "way"));
            writeln!(out, "{}", evidence(&line, width))?;
        }
        if raised.unknown > 0 {
            let line = format!("{} of unknown origin", counted(raised.unknown, "null"));
            writeln!(out, "{}", evidence(&line, width))?;
        }
    }
    if answer.found.is_empty()
        && let Some(hint) = output.hint("NullPointerException in code")
    {
        writeln!(out, "{hint}")?;
    }
    if answer.more > 0 {
        writeln!(out)?;
    }
    more(answer.more, out)?;
    NullExactness::new(&answer.nulls.graph).write(out)
}

fn step(answer: &Answer<'_>, node: NullNodeId) -> String {
    let node = &answer.nulls.graph.nodes[node.0 as usize];
    let what = if node.what.is_empty() { String::new() } else { format!(" ({})", node.what) };
    format!("{} {}{what}", answer.naming.place(node.place), verb(node.kind))
}

#[derive(Serialize)]
struct Document<'a> {
    uncaught: u64,
    caught: u64,
    places: Vec<JsonRaised<'a>>,
    /// Entries that `--top` has left out.
    more: usize,
    #[serde(flatten)]
    exactness: NullExactness<'a>,
}

#[derive(Serialize)]
struct JsonRaised<'a> {
    #[serde(flatten)]
    place: JsonPlace<'a>,
    /// Whose code it is.
    owner: &'static str,
    uncaught: u64,
    caught: u64,
    /// Those of which it is not known where the null came from.
    unknown: u64,
    ways: Vec<JsonWay<'a>>,
}

#[derive(Serialize)]
struct JsonWay<'a> {
    exceptions: u64,
    /// The origin first.
    steps: Vec<JsonStep<'a>>,
}

#[derive(Serialize)]
struct JsonStep<'a> {
    #[serde(flatten)]
    place: JsonPlace<'a>,
    does: &'static str,
    /// What it handles, empty if it needs no name.
    what: &'a str,
}

fn document<'a>(answer: &Answer<'a>) -> Document<'a> {
    let nodes = &answer.nulls.graph.nodes;
    let way = |way: &Way| JsonWay {
        exceptions: way.exceptions,
        steps: way
            .nodes
            .iter()
            .map(|&node| &nodes[node.0 as usize])
            .map(|node| JsonStep {
                place: JsonPlace::new(answer.naming, node.place),
                does: verb(node.kind),
                what: &node.what,
            })
            .collect(),
    };
    let places = answer.found.iter().map(|raised| JsonRaised {
        place: JsonPlace::new(answer.naming, raised.place),
        owner: owner(answer.naming, raised.place),
        uncaught: raised.uncaught,
        caught: raised.caught,
        unknown: raised.unknown,
        ways: raised.ways.iter().map(way).collect(),
    });
    Document {
        uncaught: answer.uncaught,
        caught: answer.caught,
        places: places.collect(),
        more: answer.more,
        exactness: NullExactness::new(&answer.nulls.graph),
    }
}
