//! `subsume typestate`.

mod json;
mod sarif;
mod text;

use std::cmp::Reverse;
use std::io::Write;
use std::path::PathBuf;

use analysis::dataflow::name::{Contexts, Naming};
use analysis::dataflow::typestate::{Group, counts, groups, unite};
use profile::dataflow::{Objects, Place, TypestateProfile};
use tree::error::Result;
use tree::owners::Owners;

use super::command::DataflowCommand;
use super::source::{Files, Profiles};
use crate::cli::json as any_json;
use crate::cli::own::Own;
use crate::cli::sarif::{self as any_sarif, FindingOutput};

/// Sites shown unless the user says otherwise.
const TOP: usize = 20;

/// Show objects that broke the protocol of their class, and objects never closed.
///
/// A protocol says which calls lead from one state of an object to another: a stream that is
/// read after it was closed broke its protocol, and one that is never closed leaks. For each
/// site at which such objects were made, or obtained from the JDK, the answer shows the calls
/// that led there: the state before, the method that was called, where and how often, and the
/// state after.
///
/// The calls of a history are those of all objects of the site that end there; an object may
/// have seen only some of them. A call by an object's method on the object itself does not
/// count.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume run --mode typestate -o app.subsume -- java -jar app.jar
  subsume typestate app.subsume
  subsume typestate --all --class 'org.example.*' app.subsume
  subsume typestate --markdown app.subsume > comment.md")]
pub struct Args {
    #[command(flatten)]
    files: Files,

    /// Show all objects to which a protocol applies, including those that kept to it and those
    /// that the JDK made for itself.
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    own: Own,

    #[command(flatten)]
    output: FindingOutput,
}

/// All that is shown.
struct Answer<'a> {
    naming: &'a Naming<'a>,
    graph: &'a TypestateProfile,
    /// How often each node was met.
    counts: Vec<u64>,
    /// Objects by site, those that broke their protocol first, of unknown sites last.
    groups: Vec<Group>,
    /// Sites that `--top` has left out.
    more: usize,
    /// Objects in all.
    objects: u64,
    /// Those that broke their protocol.
    broken: u64,
    /// Those of known sites that leak.
    leaking: u64,
    /// Those of unknown sites that do.
    leaking_elsewhere: u64,
}

impl DataflowCommand for Args {
    fn files(&self) -> Result<Vec<PathBuf>> {
        Ok(self.files.files.clone())
    }

    fn answer(&self, profiles: Profiles, out: &mut dyn Write) -> Result<()> {
        let histories = unite(&profiles)?;
        let places = self.output.places(&profiles, || self.own.source_files())?;
        let all = profiles.iter().map(|(_, profile)| profile);
        let owners = Owners::of_profiles(all, &self.own.code()?, &histories.methods);
        drop(profiles);
        let objects = Objects::default();
        let naming =
            &Naming::new(&histories.methods, &objects, Contexts::Receiver).with_owners(&owners);
        let graph = &histories.graph;
        let mut groups = groups(graph);
        if let Some(class) = self.output.class() {
            groups.retain(|group| {
                group.site.is_some_and(|site| {
                    let site = &graph.sites[site as usize];
                    class.matches(naming.class(site.place)) || class.matches(&site.class)
                })
            });
        }
        let sum = |of: &dyn Fn(&Group) -> u64| {
            groups.iter().fold(0u64, |sum, group| sum.saturating_add(of(group)))
        };
        let (objects, broken) = (sum(&|group| group.objects), sum(&Group::broken));
        let all_leaking = sum(&Group::leaking);
        let leaking = sum(&|group| if group.site.is_some() { group.leaking() } else { 0 });
        groups.retain(|group| {
            let leaks = group.site.is_some() && group.leaking() > 0;
            self.all || group.broken() > 0 || leaks
        });
        groups.sort_by_key(|group| {
            let place = group.site.map(|site| graph.sites[site as usize].place);
            let is_unknown = group.site.is_none();
            (is_unknown, Reverse(group.broken()), Reverse(group.leaking()), place, group.protocol)
        });
        let all = groups.len();
        groups.truncate(self.output.entries(TOP));
        let answer = Answer {
            naming,
            graph,
            counts: counts(graph),
            more: all - groups.len(),
            groups,
            objects,
            broken,
            leaking,
            leaking_elsewhere: all_leaking - leaking,
        };
        if let Some(places) = places {
            any_sarif::print("typestate", &sarif::findings(&answer), &places, out)
        } else if any_json::answered(self.output.table.json, out, |out| {
            any_json::print(&json::document(&answer), out)
        })? {
            Ok(())
        } else {
            text::print(&answer, &self.output.table, out)
        }
    }
}

impl Answer<'_> {
    /// The name of a state of a protocol.
    fn state(&self, protocol: u32, state: u32) -> &str {
        &self.graph.protocols[protocol as usize].states[state as usize].name
    }

    /// The name of a group's site, such as `java.io.FileInputStream[App.load:17]`.
    fn site(&self, group: &Group) -> String {
        match group.site.map(|site| &self.graph.sites[site as usize]) {
            Some(site) => format!("{}[{}]", site.class, self.naming.place(site.place)),
            None => "unknown origin".to_owned(),
        }
    }

    /// Where the objects of a group were made or obtained, if it is known.
    fn made_at(&self, group: &Group) -> Option<Place> {
        group.site.map(|site| self.graph.sites[site as usize].place)
    }
}
