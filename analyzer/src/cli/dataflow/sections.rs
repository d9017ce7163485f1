//! What the commands on data flow say about one profile, for a report.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use clap::{Parser, Subcommand};
use profile::dataflow::DataFlow;
use serde_json::Value;
use tree::error::{Error, Result};

use super::source::{Profiles, read_one};
use super::{Command, loops};
use crate::cli::own::Own;

/// Entries that are asked for: each may be long, and nobody reads as many.
const TOP: &str = "300";
/// The same of lists that have one short line for each method.
const ALL: &str = "0";

/// The commands of each kind of recording.
const OF_COPIES: [&str; 5] = ["copies", "chains", "clones", "temporaries", "useless"];
const OF_COSTS: [&str; 2] = ["costs", "dead"];
const OF_NULLS: [&str; 1] = ["nulls"];
const OF_LOOPS: [&str; 1] = ["loops"];
const OF_GROWTH: [&str; 1] = ["growth"];
const OF_RESULTS: [&str; 1] = ["repeats"];
const OF_TYPESTATE: [&str; 1] = ["typestate"];

/// The commands by their names, with what each prints with `--json`, or null for
/// those that ask for what was not recorded.
///
/// Each reads the profile again, with the columns that it needs, so that they are
/// not all in memory at a time. What happens once is left out where the commands do so,
/// unless it is to count.
///
/// # Errors
/// If the profile cannot be read.
pub fn sections(
    path: &Path,
    recorded: &DataFlow,
    thread: Option<&str>,
    own: &Own,
    is_with_start: bool,
) -> Result<BTreeMap<&'static str, Value>> {
    let kinds = [
        (recorded.copies.is_some(), &OF_COPIES[..]),
        (recorded.costs.is_some(), &OF_COSTS),
        (recorded.nulls.is_some(), &OF_NULLS),
        (recorded.loops.is_some(), &OF_LOOPS),
        (recorded.growth.is_some(), &OF_GROWTH),
        (recorded.results.is_some(), &OF_RESULTS),
        (recorded.typestates.is_some(), &OF_TYPESTATE),
    ];
    let mut sections = BTreeMap::new();
    for (is_recorded, names) in kinds {
        for &name in names {
            let section = if is_recorded {
                section(name, path, thread, own, is_with_start)?
            } else {
                Value::Null
            };
            sections.insert(name, section);
        }
    }
    Ok(sections)
}

/// A command line of its own, for the defaults of its options.
#[derive(Debug, Parser)]
struct Line {
    #[command(subcommand)]
    command: Asked,
}

/// What a section is made of.
#[derive(Debug, Subcommand)]
enum Asked {
    #[command(flatten)]
    Dataflow(Command),
    Loops(loops::Args),
}

fn section(
    name: &'static str,
    path: &Path,
    thread: Option<&str>,
    own: &Own,
    is_with_start: bool,
) -> Result<Value> {
    let top = if matches!(name, "copies" | "dead") { ALL } else { TOP };
    let mut words: Vec<OsString> =
        ["subsume", name, "--json", "--top", top].map(OsString::from).to_vec();
    if name == "growth" {
        words.push("--all".into());
    }
    if is_with_start && matches!(name, "copies" | "temporaries" | "repeats") {
        words.push("--with-start".into());
    }
    // The others are about objects, whatever thread has made them.
    if let (Some(thread), "copies") = (thread, name) {
        words.push(format!("--thread={thread}").into());
    }
    if matches!(name, "loops" | "repeats" | "growth" | "typestate" | "nulls" | "costs") {
        words.extend(own.words());
    }
    words.extend(["--".into(), path.as_os_str().to_owned()]);
    let line = Line::try_parse_from(words).map_err(|error| Error::new(error.to_string()))?;
    let read = |metrics: &[&str]| -> Result<Profiles> {
        Ok(vec![(path.to_string_lossy().into_owned(), read_one(path, metrics)?)])
    };
    let mut json = Vec::new();
    match &line.command {
        Asked::Dataflow(command) => {
            let command = command.parsed();
            command.answer(read(command.metrics())?, &mut json)?;
        }
        Asked::Loops(args) => {
            loops::answer(args, &read(&[])?, &mut json)?;
        }
    }
    serde_json::from_slice(&json).map_err(|error| Error::new(format!("{name}: {error}")))
}
