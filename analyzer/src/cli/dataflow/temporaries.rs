//! `subsume temporaries`.

use std::cmp::Reverse;
use std::io::Write;
use std::path::PathBuf;

use analysis::dataflow::copies::graph::CopyGraph;
use analysis::dataflow::copies::temporaries::{Temporaries, temporaries};
use analysis::dataflow::name::{Contexts, Naming};
use base::number::{counted, percent};
use profile::dataflow::CopyProfile;
use rustc_hash::FxHashMap;
use serde::Serialize;
use tree::Tree;
use tree::error::Result;
use tree::forest::{MetricChoice, Selection};
use tree::names::method::Method;
use tree::readable_names::Names;

use super::command::DataflowCommand;
use super::exactness::Exactness;
use super::names::{JsonSite, site_matches};
use super::source::{Files, Objects, Profiles};
use super::text::{evidence, more};
use crate::cli::json::{self, Name};
use crate::cli::source::Output;
use crate::cli::terminal;

/// List the sites of objects that are never assigned to the heap: tops of
/// structures that carry data over a few calls.
///
/// Each object counts for itself: if no reference to it was stored in a field or an
/// array by code that is followed, it is a temporary, even if others of its site were
/// stored. What native code, handles and reflection store does not count, and neither
/// do objects that nobody saw being made.
/// Below each site stand the calling contexts in which its method allocates most.
/// The first 20 sites are listed unless --top says otherwise.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume temporaries fop.subsume
  subsume temporaries --sort bytes --class 'org.apache.*' fop.subsume
  subsume temporaries --json run1.subsume run2.subsume")]
pub struct Args {
    #[command(flatten)]
    files: Files,

    /// What to sort by.
    #[arg(long, value_name = "COLUMN", default_value = "objects")]
    sort: Column,

    #[command(flatten)]
    objects: Objects,

    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Column {
    Objects,
    Bytes,
}

const TOP: usize = 20;
/// Calling contexts shown of a site, and callers of each.
const CONTEXTS: usize = 3;
const CALLERS: usize = 4;

const ALLOCATIONS: &str = "allocations";

impl DataflowCommand for Args {
    fn files(&self) -> Result<Vec<PathBuf>> {
        Ok(self.files.files.clone())
    }

    fn metrics(&self) -> &'static [&'static str] {
        &[ALLOCATIONS]
    }

    fn answer(&self, profiles: Profiles, out: &mut dyn Write) -> Result<()> {
        let copies = self.objects.unite(&profiles)?;
        let graph = CopyGraph::new(&copies.profile);
        let naming = Naming::new(&copies.methods, &copies.profile.objects, Contexts::Receiver);
        let mut sites = temporaries(&copies.profile, &graph);
        drop(graph);
        let objects = sites.iter().fold(0u64, |sum, site| sum.saturating_add(site.objects));
        let class = self.output.class();
        sites.retain(|site| site_matches(&naming, site.site, class.as_ref()));
        if self.sort == Column::Bytes {
            sites.sort_by_key(|site| Reverse((site.bytes, site.objects)));
        }
        let all = sites.len();
        sites.truncate(self.output.entries(TOP));
        let callers = Callers::new(profiles)?;
        let made = copies.profile.objects.allocations.iter();
        let answer = Answer {
            copies: &copies.profile,
            naming: &naming,
            more: all - sites.len(),
            sites,
            callers,
            objects,
            all_objects: made.fold(0, |sum, made| sum.saturating_add(made.objects)),
        };
        if self.output.json {
            json::print(&document(&answer), out)
        } else {
            print(&answer, &self.output, out)
        }
    }
}

struct Answer<'a> {
    copies: &'a CopyProfile,
    naming: &'a Naming<'a>,
    sites: Vec<Temporaries>,
    more: usize,
    callers: Callers,
    /// Temporaries of all sites, and objects of all sites.
    objects: u64,
    all_objects: u64,
}

/// The calling contexts in which methods allocate.
struct Callers {
    tree: Tree,
    /// Contexts of each method, those with most allocations first.
    contexts: FxHashMap<Method, Vec<u32>>,
}

impl Callers {
    fn new(profiles: Profiles) -> Result<Self> {
        let counted = profiles.iter().all(|(_, p)| p.nodes.metric(ALLOCATIONS).is_some());
        if !counted {
            return Ok(Self { tree: Tree::default(), contexts: FxHashMap::default() });
        }
        let metric = MetricChoice::Named(ALLOCATIONS.to_owned());
        let selection = Selection { metric, ..Selection::default() };
        let tree = Tree::merge(profiles, &selection)?;
        let mut contexts: FxHashMap<Method, Vec<u32>> = FxHashMap::default();
        for (node, &method) in (0u32..).zip(&tree.method) {
            if tree.cost()[node as usize] > 0 {
                contexts.entry(tree.methods[method as usize].clone()).or_default().push(node);
            }
        }
        for nodes in contexts.values_mut() {
            nodes.sort_by_key(|&node| (Reverse(tree.cost()[node as usize]), node));
        }
        Ok(Self { tree, contexts })
    }

    fn of(&self, method: Option<&Method>) -> &[u32] {
        method.and_then(|method| self.contexts.get(method)).map_or(&[], Vec::as_slice)
    }

    /// Callers of a context, the nearest first.
    fn path(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        self.tree.and_callers(node).skip(1)
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
    writeln!(out)?;
    let names = Names::new(&answer.callers.tree);
    for site in &answer.sites {
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
        let nodes = answer.callers.of(naming.method(place));
        for &node in nodes.iter().take(CONTEXTS) {
            let mut path: Vec<&str> = answer
                .callers
                .path(node)
                .take(CALLERS)
                .map(|caller| names.of(Some(answer.callers.tree.method[caller as usize])))
                .collect();
            if answer.callers.path(node).nth(CALLERS).is_some() {
                path.push("...");
            }
            let cost = answer.callers.tree.cost()[node as usize];
            let line = if path.is_empty() {
                format!("{} as a first frame", counted(cost, "allocation"))
            } else {
                format!("{} called by {}", counted(cost, "allocation"), path.join(" < "))
            };
            writeln!(out, "{}", evidence(&line, width))?;
        }
        if nodes.len() > CONTEXTS {
            let more =
                format!("and in {} more", counted((nodes.len() - CONTEXTS) as u64, "context"));
            writeln!(out, "{}", evidence(&more, width))?;
        }
    }
    if answer.sites.is_empty() {
        writeln!(out, "{}", output.nothing("site", "No site found."))?;
    }
    more(answer.more, out)?;
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
    /// Entries that `--top` has left out.
    more: usize,
    exactness: Exactness<'a>,
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
}

#[derive(Serialize)]
struct JsonContext<'a> {
    allocations: u64,
    /// The nearest first.
    callers: Vec<Name<'a>>,
}

fn document<'a>(answer: &'a Answer<'a>) -> Document<'a> {
    let callers = &answer.callers;
    let sites = answer.sites.iter().map(|site| {
        let place = answer.naming.objects().sites[site.site.0 as usize].place;
        let nodes = callers.of(answer.naming.method(place)).iter().take(CONTEXTS);
        let contexts = nodes.map(|&node| JsonContext {
            allocations: callers.tree.cost()[node as usize],
            callers: callers
                .path(node)
                .map(|caller| Name::of(&callers.tree, Some(callers.tree.method[caller as usize])))
                .collect(),
        });
        JsonTemporaries {
            site: JsonSite::new(answer.naming, site.site),
            objects: site.objects,
            bytes: site.bytes,
            all_objects: site.all_objects,
            consumed: site.consumed,
            contexts: contexts.collect(),
        }
    });
    Document {
        temporaries: answer.objects,
        objects: answer.all_objects,
        sites: sites.collect(),
        more: answer.more,
        exactness: Exactness::new(&answer.copies.objects),
    }
}
