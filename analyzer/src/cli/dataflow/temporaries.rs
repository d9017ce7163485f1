//! `subsume temporaries`.

mod callers;
mod sarif;

use std::cmp::Reverse;
use std::io::Write;
use std::path::PathBuf;

use analysis::dataflow::copies::graph::CopyGraph;
use analysis::dataflow::copies::temporaries::{Temporaries, temporaries};
use analysis::dataflow::for_whom::{Contexts as CallingContexts, Shares};
use analysis::dataflow::name::{Contexts, Naming};
use base::number::{counted, percent};
use profile::dataflow::CopyProfile;
use serde::Serialize;
use tree::error::Result;
use tree::names::method::Method;

use self::callers::Callers;
use super::command::DataflowCommand;
use super::exactness::Exactness;
use super::for_whom::{JsonPart, JsonShares, parts};
use super::names::{JsonSite, site_matches};
use super::source::{Files, Objects, Profiles};
use super::text::{evidence, more};
use crate::cli::json::{self, Name};
use crate::cli::own::Own;
use crate::cli::sarif::{self as any_sarif, FindingOutput};
use crate::cli::source::Output;
use crate::cli::start::{JsonStart, Start, WITH_START, start_up};
use crate::cli::terminal;

/// List the sites of objects that are never assigned to the heap: tops of
/// structures that carry data over a few calls.
///
/// Each object counts by itself: if no followed code stored a reference to it in a field or an
/// array, it is a temporary, even if others of its site were stored. Stores by native code,
/// handles and reflection do not count, nor do objects whose creation was not seen. Below each
/// site stand the calling contexts in which its method allocates most. The first 20 sites are
/// listed unless --top says otherwise.
///
/// "for" says on whose behalf a method of the JDK makes them: the nearest method above it that
/// is not the JDK's; with --own or --sources, the nearest one of your own code. A method that
/// allocates for several is divided by its allocations for each, which is an estimate. A list
/// at the end sums this up for all temporaries.
///
/// Sites that are executed only in work that happens once are left out, and a line says how
/// much that is; see 'subsume summary'. Other sites keep the objects that they made then.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume temporaries fop.subsume
  subsume temporaries --sort bytes --class 'org.apache.*' fop.subsume
  subsume temporaries --json run1.subsume run2.subsume")]
pub struct Args {
    #[command(flatten)]
    files: Files,

    /// Column to sort by.
    #[arg(long, value_name = "COLUMN", default_value = "objects")]
    sort: Column,

    #[command(flatten)]
    start: Start,

    #[command(flatten)]
    objects: Objects,

    #[command(flatten)]
    own: Own,

    #[command(flatten)]
    output: FindingOutput,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Column {
    Objects,
    Bytes,
}

const TOP: usize = 20;
/// Calling contexts shown of a site.
const CONTEXTS: usize = 3;

/// What contexts are shared out by, and what is read of them.
const ALLOCATIONS: [&str; 1] = ["allocations"];
const COLUMNS: [&str; 2] = [ALLOCATIONS[0], "calls"];

impl DataflowCommand for Args {
    fn files(&self) -> Result<Vec<PathBuf>> {
        Ok(self.files.files.clone())
    }

    fn metrics(&self) -> &'static [&'static str] {
        &COLUMNS
    }

    fn answer(&self, profiles: Profiles, out: &mut dyn Write) -> Result<()> {
        let copies = self.objects.unite(&profiles)?;
        let graph = CopyGraph::new(&copies.profile);
        let naming = Naming::new(&copies.methods, &copies.profile.objects, Contexts::Receiver);
        let mut sites = temporaries(&copies.profile, &graph);
        drop(graph);
        let made = |sites: &[Temporaries]| {
            sites.iter().fold(0u64, |sum, site| sum.saturating_add(site.objects))
        };
        let objects = made(&sites);
        let places = self.output.places(&profiles, || self.own.source_files())?;
        let recorded = Callers::new(profiles, self.start, self.own.code()?)?;
        let callers = recorded.as_ref();
        let maker = |site: &Temporaries| {
            naming.method(copies.profile.objects.sites[site.site.0 as usize].place)
        };
        if let Some(callers) = callers {
            sites.retain(|site| !callers.is_start(maker(site)));
        }
        let left_out = objects - made(&sites);
        let contexts = callers.map(|callers| callers.recorded.contexts(&ALLOCATIONS));
        let for_whom = contexts
            .as_ref()
            .map(|contexts| contexts.all(sites.iter().map(|site| (maker(site), site.objects))));
        let class = self.output.class();
        sites.retain(|site| site_matches(&naming, site.site, class.as_ref()));
        if self.sort == Column::Bytes {
            sites.sort_by_key(|site| Reverse((site.bytes, site.objects)));
        }
        let all = sites.len();
        sites.truncate(self.output.entries(TOP));
        let users = sites.iter().map(|site| user(contexts.as_ref()?, maker(site), site.objects));
        let allocations = copies.profile.objects.allocations.iter();
        let answer = Answer {
            copies: &copies.profile,
            naming: &naming,
            more: all - sites.len(),
            users: users.collect(),
            for_whom: for_whom.unwrap_or_default(),
            sites,
            callers,
            start: callers.filter(|_| self.start.is_left_out()).map(|callers| JsonLeftOut {
                start: JsonStart::new(&callers.recorded.start),
                temporaries: left_out,
            }),
            objects,
            all_objects: allocations.fold(0, |sum, made| sum.saturating_add(made.objects)),
        };
        if let Some(places) = places {
            any_sarif::print("temporaries", &sarif::findings(&answer), &places, out)
        } else if json::answered(self.output.table.json, out, |out| {
            json::print(&document(&answer), out)
        })? {
            Ok(())
        } else {
            print(&answer, &self.output.table, out)
        }
    }
}

/// For whom a method makes so many temporaries. It is known if it makes nothing else.
fn user(contexts: &CallingContexts<'_>, maker: Option<&Method>, objects: u64) -> Option<Shares> {
    let mut shares = contexts.of([(maker, objects)])?;
    let made = maker.and_then(|maker| contexts.of_method(maker)).map_or(0, |made| made.all);
    shares.is_estimate &= made != objects;
    Some(shares)
}

struct Answer<'a> {
    copies: &'a CopyProfile,
    naming: &'a Naming<'a>,
    sites: Vec<Temporaries>,
    more: usize,
    callers: Option<&'a Callers>,
    /// For whom each site is, as far as that is known.
    users: Vec<Option<Shares>>,
    /// For whom all temporaries are, but those that are left out.
    for_whom: Shares,
    /// What is left out; nothing if the start counts.
    start: Option<JsonLeftOut>,
    /// Temporaries of all sites, and objects of all sites.
    objects: u64,
    all_objects: u64,
}

/// How much is left out, in a sentence.
fn start_line(answer: &Answer<'_>) -> Option<String> {
    let (callers, left_out) = answer.callers.zip(answer.start.as_ref())?;
    let start = &callers.recorded.start;
    match left_out.temporaries {
        0 if start.is_put_aside => None,
        0 => start_up(start, ALLOCATIONS[0], WITH_START),
        temporaries => Some(format!(
            "Sites of start-up and first calls alone: {} of these, left out{WITH_START}",
            percent(temporaries, answer.objects)
        )),
    }
}

fn print(answer: &Answer<'_>, output: &Output, out: &mut dyn Write) -> Result<()> {
    let width = terminal::width();
    writeln!(
        out,
        "{} ({} of all) are never assigned to the heap",
        counted(answer.objects, "object"),
        percent(answer.objects, answer.all_objects),
    )?;
    if let Some(line) = start_line(answer) {
        writeln!(out, "{line}")?;
    }
    writeln!(out)?;
    for (site, user) in answer.sites.iter().zip(&answer.users) {
        let naming = answer.naming;
        let place = naming.objects().sites[site.site.0 as usize].place;
        let whole = if site.objects == site.all_objects {
            "all of the site".to_owned()
        } else {
            format!("{} of the site", percent(site.objects, site.all_objects))
        };
        writeln!(
            out,
            "{}, {} ({whole}): {}",
            counted(site.objects, "object"),
            counted(site.bytes, "byte"),
            naming.site(site.site)
        )?;
        writeln!(out, "{}", evidence(&format!("made in {}", naming.place(place)), width))?;
        if let Some(callers) = answer.callers {
            if let Some(user) = user {
                writeln!(out, "{}", callers.recorded.told(user).line(width))?;
            }
            callers.write(naming.method(place), width, out)?;
        }
    }
    if answer.sites.is_empty() {
        writeln!(out, "{}", output.nothing("site", "No site found."))?;
    }
    more(answer.more, out)?;
    if let Some(callers) = answer.callers
        && answer.users.iter().any(Option::is_some)
        && output.class().is_none()
    {
        callers.recorded.told(&answer.for_whom).write_list("temporaries", out)?;
    }
    Exactness::new(&answer.copies.objects).write(out)?;
    writeln!(
        out,
        "Allocations of a context are those of the whole method.\n\
         Next: 'subsume callers FILE METHOD' shows who calls the method that makes them."
    )?;
    Ok(())
}

#[derive(Serialize)]
struct Document<'a> {
    /// Temporaries of all sites, and objects of all sites.
    temporaries: u64,
    objects: u64,
    sites: Vec<JsonTemporaries<'a>>,
    /// For whom all temporaries are, but those that are left out.
    for_whom: Vec<JsonPart<'a>>,
    for_whom_is_estimate: bool,
    /// What happens once; null if it was to count.
    start_up: Option<JsonLeftOut>,
    /// Entries that `--top` has left out.
    more: usize,
    exactness: Exactness<'a>,
}

/// What happens once, by allocations, and the temporaries that are left out for it.
#[derive(Clone, Serialize)]
struct JsonLeftOut {
    #[serde(flatten)]
    start: JsonStart,
    temporaries: u64,
}

#[derive(Serialize)]
struct JsonTemporaries<'a> {
    #[serde(flatten)]
    site: JsonSite<'a>,
    objects: u64,
    bytes: u64,
    /// All objects of the site, also those that were assigned.
    all_objects: u64,
    /// A reference to some of them was tested or given to native code.
    consumed: bool,
    /// The contexts in which the site's method allocates most.
    contexts: Vec<JsonContext<'a>>,
    #[serde(flatten)]
    user: JsonShares<'a>,
}

#[derive(Serialize)]
struct JsonContext<'a> {
    allocations: u64,
    /// The nearest first.
    callers: Vec<Name<'a>>,
}

fn document<'a>(answer: &'a Answer<'a>) -> Document<'a> {
    let recorded = answer.callers.map(|callers| &callers.recorded);
    let sites = answer.sites.iter().zip(&answer.users);
    Document {
        temporaries: answer.objects,
        objects: answer.all_objects,
        sites: sites.map(|(site, user)| json_temporaries(answer, site, user.as_ref())).collect(),
        for_whom: recorded.map_or_else(Vec::new, |known| parts(&known.tree, &answer.for_whom)),
        for_whom_is_estimate: answer.for_whom.is_estimate,
        start_up: answer.start.clone(),
        more: answer.more,
        exactness: Exactness::new(&answer.copies.objects),
    }
}

fn json_temporaries<'a>(
    answer: &'a Answer<'a>,
    site: &Temporaries,
    user: Option<&Shares>,
) -> JsonTemporaries<'a> {
    let place = answer.naming.objects().sites[site.site.0 as usize].place;
    JsonTemporaries {
        site: JsonSite::new(answer.naming, site.site),
        objects: site.objects,
        bytes: site.bytes,
        all_objects: site.all_objects,
        consumed: site.consumed,
        contexts: json_contexts(answer, answer.naming.method(place)),
        user: JsonShares::new(answer.callers.map(|callers| &callers.recorded), user),
    }
}

/// The contexts in which a method allocates most.
fn json_contexts<'a>(answer: &'a Answer<'a>, method: Option<&Method>) -> Vec<JsonContext<'a>> {
    let Some(callers) = answer.callers else { return Vec::new() };
    let tree = &callers.recorded.tree;
    let nodes = callers.of(method).iter().take(CONTEXTS);
    let contexts = nodes.map(|&node| JsonContext {
        allocations: tree.cost()[node as usize],
        callers: callers
            .path(node)
            .map(|caller| Name::of(tree, Some(tree.method[caller as usize])))
            .collect(),
    });
    contexts.collect()
}
