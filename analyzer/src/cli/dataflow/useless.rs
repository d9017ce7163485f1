//! `subsume useless`.

use std::io::Write;
use std::path::PathBuf;

use analysis::dataflow::copies::graph::CopyGraph;
use analysis::dataflow::copies::stored_by::stored_by;
use analysis::dataflow::copies::useless::{Owner, Useless, useless};
use analysis::dataflow::for_whom::Shares;
use analysis::dataflow::name::{Contexts, Naming};
use base::number::{counted, grouped};
use profile::dataflow::{CopyProfile, Location, Place, TagId};
use rustc_hash::FxHashSet;
use serde::Serialize;
use tree::error::Result;

use super::command::DataflowCommand;
use super::exactness::Exactness;
use super::for_whom::{COPIES, COPIES_WITH_CALLS, JsonPart, JsonShares, Recorded, parts};
use super::names::{JsonLocation, JsonSite, site_matches};
use super::source::{Files, Objects, Profiles};
use super::text::{evidence, more};
use crate::cli::json;
use crate::cli::own::Own;
use crate::cli::source::Output;
use crate::cli::terminal;

/// List the fields and arrays whose values are copied, but never used.
///
/// A value is used when something is computed from it, when it is tested, or when it is given
/// to native code, possibly after further copies. Following a reference does not use it:
/// references to objects whose own values are used are marked, and counted separately. The
/// first 20 sites are listed unless --top says otherwise.
///
/// "for" says on whose behalf methods of the JDK store the values: the nearest method above
/// them that is not the JDK's, by bytes; with --own or --sources, the nearest one of your own
/// code. A method that copies for several is divided by its copies for each, which is an
/// estimate. A list at the end sums this up for all such values.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume useless fop.subsume
  subsume useless --class 'org.apache.*' fop.subsume
  subsume useless --json run1.subsume run2.subsume")]
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

const TOP: usize = 20;
/// Locations shown of a site.
const LOCATIONS: usize = 5;

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
        let mut found = useless(&copies.profile, &graph);
        let sum =
            |of: fn(&Useless) -> u64| found.iter().fold(0u64, |sum, u| sum.saturating_add(of(u)));
        let (bytes, bytes_nowhere) = (sum(|u| u.bytes), sum(|u| u.bytes_nowhere));
        let contexts = recorded.as_ref().map(|recorded| recorded.contexts(&COPIES));
        let is_useless: FxHashSet<Location> = locations(&graph, &found).collect();
        let stored =
            stored_by(&copies.profile, |edge| Some(edge.to).filter(|to| is_useless.contains(to)));
        let work = |found: &[Useless]| {
            let stored = locations(&graph, found).filter_map(|location| stored.get(&location));
            let in_method = |&(place, bytes): &(Place, u64)| (naming.method(place), bytes);
            stored.flatten().map(in_method).collect::<Vec<_>>()
        };
        let for_whom = contexts.as_ref().map(|contexts| contexts.all(work(&found)));
        if let Some(class) = self.output.class() {
            found.retain(|entry| match entry.owner {
                Owner::Site(site) => site_matches(&naming, site, Some(&class)),
                Owner::Static(field) => {
                    class.matches(&copies.profile.objects.fields[field.0 as usize].class)
                }
            });
        }
        let all = found.len();
        found.truncate(self.output.entries(TOP));
        let users = found.iter().map(|entry| {
            contexts.as_ref().and_then(|contexts| contexts.of(work(std::slice::from_ref(entry))))
        });
        let answer = Answer {
            users: users.collect(),
            for_whom: for_whom.unwrap_or_default(),
            recorded: recorded.as_ref(),
            copies: &copies.profile,
            graph: &graph,
            naming: &naming,
            more: all - found.len(),
            found,
            bytes,
            bytes_nowhere,
        };
        if json::answered(self.output.json, out, |out| json::print(&document(&answer), out))? {
            return Ok(());
        }
        print(&answer, &self.output, out)
    }
}

/// The locations of some entries.
fn locations<'a>(
    graph: &'a CopyGraph,
    found: &'a [Useless],
) -> impl Iterator<Item = Location> + 'a {
    let locations = found.iter().flat_map(|entry| &entry.locations);
    locations.map(|useless| graph.location(useless.location))
}

struct Answer<'a> {
    /// For whom each entry is, as far as that is known.
    users: Vec<Option<Shares>>,
    /// For whom all values are that are never used.
    for_whom: Shares,
    recorded: Option<&'a Recorded>,
    copies: &'a CopyProfile,
    graph: &'a CopyGraph,
    naming: &'a Naming<'a>,
    found: Vec<Useless>,
    more: usize,
    bytes: u64,
    bytes_nowhere: u64,
}

fn print(answer: &Answer<'_>, output: &Output, out: &mut dyn Write) -> Result<()> {
    let width = terminal::width();
    let naming = answer.naming;
    writeln!(
        out,
        "{} copied to where they are never used, {} of them without leading to anything used",
        counted(answer.bytes, "byte"),
        grouped(answer.bytes_nowhere),
    )?;
    writeln!(out)?;
    for (entry, user) in answer.found.iter().zip(&answer.users) {
        writeln!(
            out,
            "{} in {}, {} to no use: {}",
            counted(entry.bytes, "byte"),
            counted(entry.values, "value"),
            grouped(entry.bytes_nowhere),
            owner(naming, entry.owner),
        )?;
        if let Some((recorded, user)) = answer.recorded.zip(user.as_ref()) {
            writeln!(out, "{}", recorded.told(user).line(width))?;
        }
        for useless in entry.locations.iter().take(LOCATIONS) {
            let name = naming.location(answer.graph.location(useless.location));
            let leads_on = if useless.leads_on { ", leads to objects that are used" } else { "" };
            let line = format!("{name}: {}{leads_on}", counted(useless.bytes, "byte"));
            writeln!(out, "{}", evidence(&line, width))?;
        }
        if let Some(more) = entry.locations.len().checked_sub(LOCATIONS).filter(|&more| more > 0) {
            let more = format!("and {} more", counted(more as u64, "location"));
            writeln!(out, "{}", evidence(&more, width))?;
        }
    }
    if answer.found.is_empty() {
        writeln!(out, "{}", output.nothing("unused copy", "Everything that is copied is used."))?;
    }
    more(answer.more, out)?;
    if let Some(recorded) = answer.recorded
        && answer.users.iter().any(Option::is_some)
        && output.class().is_none()
    {
        recorded.told(&answer.for_whom).write_list("unused bytes", out)?;
    }
    Exactness::new(&answer.copies.objects).write(out)?;
    writeln!(out, "Next: 'subsume graph FILE CLASS:LINE' shows where the values come from.")?;
    Ok(())
}

fn owner(naming: &Naming<'_>, owner: Owner) -> String {
    match owner {
        Owner::Site(site) if site.0 == 0 => "objects of which nothing is known".to_owned(),
        Owner::Site(site) => naming.site(site),
        Owner::Static(field) => naming.location(Location { tag: TagId::UNKNOWN, field }),
    }
}

#[derive(Serialize)]
struct Document<'a> {
    bytes: u64,
    bytes_nowhere: u64,
    owners: Vec<JsonUseless<'a>>,
    /// For whom all unused values are.
    for_whom: Vec<JsonPart<'a>>,
    for_whom_is_estimate: bool,
    /// Entries that `--top` has left out.
    more: usize,
    exactness: Exactness<'a>,
}

#[derive(Serialize)]
struct JsonUseless<'a> {
    /// Null for static fields and for objects of which nothing is known.
    site: Option<JsonSite<'a>>,
    values: u64,
    bytes: u64,
    /// Bytes of values that lead to nothing used either.
    bytes_nowhere: u64,
    locations: Vec<JsonLocationUse<'a>>,
    #[serde(flatten)]
    user: JsonShares<'a>,
}

#[derive(Serialize)]
struct JsonLocationUse<'a> {
    #[serde(flatten)]
    location: JsonLocation<'a>,
    values: u64,
    bytes: u64,
    /// It holds references to objects whose own values are used.
    leads_on: bool,
}

fn document<'a>(answer: &Answer<'a>) -> Document<'a> {
    let owners = answer.found.iter().zip(&answer.users).map(|(entry, user)| JsonUseless {
        site: match entry.owner {
            Owner::Site(site) if site.0 > 0 => Some(JsonSite::new(answer.naming, site)),
            _ => None,
        },
        values: entry.values,
        bytes: entry.bytes,
        bytes_nowhere: entry.bytes_nowhere,
        locations: entry
            .locations
            .iter()
            .map(|useless| JsonLocationUse {
                location: JsonLocation::new(answer.naming, answer.graph.location(useless.location)),
                values: useless.values,
                bytes: useless.bytes,
                leads_on: useless.leads_on,
            })
            .collect(),
        user: JsonShares::new(answer.recorded, user.as_ref()),
    });
    Document {
        bytes: answer.bytes,
        bytes_nowhere: answer.bytes_nowhere,
        owners: owners.collect(),
        for_whom: answer
            .recorded
            .map_or_else(Vec::new, |known| parts(&known.tree, &answer.for_whom)),
        for_whom_is_estimate: answer.for_whom.is_estimate,
        more: answer.more,
        exactness: Exactness::new(&answer.copies.objects),
    }
}
