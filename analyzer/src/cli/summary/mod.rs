//! `subsume summary`.

mod json;
mod moved;
mod next;
mod repeated;
mod text;

use std::io::Write;

use analysis::subsuming::Subsuming;
use analysis::summary::{Entry, Summary, entries};
use tree::Tree;
use tree::both::both;
use tree::error::Result;
use tree::names::pattern::Pattern;
use tree::owners::Owners;
use tree::start_up::StartUp;
use tree::views::landings::Landing;
use tree::views::movers::{MOVED, Mover};
use tree::views::neighbours::neighbours;
use tree::views::own_loops::OwnLoop;
use tree::views::suspicious_calls::SuspiciousCalls;
use tree::views::users::User;
use tree::views::way_in::way_in;

use self::repeated::{Repeated, repeated};
use crate::cli::source::{Bounds, Output, Source};
use crate::cli::start::Start;
use crate::cli::terminal;

/// Show where the cost lies, in three short lists.
///
/// Places: methods of the program in which the cost lands, including the JDK's work for them.
/// An entry shows the calls that lead there, from the last method of your own on, with the
/// first method of each library, and below them the methods with most of the cost. Each context
/// counts in one place only. Places below one loop of your own are one entry, with the loop's
/// cost. If a caller makes many calls in each of its own calls, the entry says how many, and
/// with how many different arguments where results of methods were recorded.
///
/// Repeated patterns: subsuming methods, with their induced costs ('subsume methods' lists all
/// of them), and who uses those of the JDK most.
///
/// Suspicious calls: a few calls of a method that take most of its cost, each many times as
/// expensive as the others; a loop within a loop looks like this.
///
/// If arraycopy, clone and the like move many elements, which bytecodes do not show, the
/// summary also lists who has them moved. If results of methods were recorded, it names the
/// methods that a cache could replace.
///
/// What happens once is left out, and a line says how much that is: class loading, static
/// initialisers, and a call that a method makes once although it is called again and again.
/// Shares are of the rest. A program that is nearly all start-up is shown whole.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume summary fop.subsume
  subsume summary --top 10 --class 'org.apache.*' fop.subsume
  subsume summary --json fop.subsume")]
pub struct Args {
    #[command(flatten)]
    source: Source,

    #[command(flatten)]
    start: Start,

    #[command(flatten)]
    bounds: Bounds,

    #[command(flatten)]
    output: Output,
}

/// Entries of the lists unless the user says otherwise: ten that name what costs most,
/// and a few patterns, and calls to be suspicious of.
const PLACES: usize = 10;
const PATTERNS: usize = 3;
const CALLS: usize = 3;

/// Runs the command.
///
/// # Errors
/// If a profile cannot be read or merged, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let mut tree = args.source.tree_with(MOVED, args.start)?;
    let start = args.start.put_aside(&mut tree);
    let answer = Answer::of(&tree, start, args)?;
    if crate::cli::json::answered(args.output.json, out, |out| json::print(&answer, out))? {
        return Ok(());
    }
    text::print(&answer, args, out)
}

/// All that is shown.
struct Answer<'a> {
    tree: &'a Tree,
    /// What happens once, unless it counts.
    start: Option<StartUp>,
    analysis: Subsuming,
    /// Where the cost lands, the greatest first, and loops with several of these places.
    places: Vec<Landing>,
    loops: Vec<OwnLoop>,
    /// Only places with a class that matches, and so many entries.
    class: Option<Pattern>,
    top: usize,
    /// Subsuming methods, the greatest induced cost first, and of each who uses it most.
    patterns: Vec<(u32, Option<User>)>,
    owners: Owners,
    /// Samples of a plain run; 0 without any.
    samples: u64,
    calls: Vec<SuspiciousCalls>,
    /// Who has elements moved, where that matters.
    movers: Vec<Mover>,
    /// Candidates for a cache, where results were recorded.
    repeated: Option<Repeated>,
    contexts: u64,
    methods: u64,
}

impl<'a> Answer<'a> {
    fn of(tree: &'a Tree, start: Option<StartUp>, args: &Args) -> Result<Self> {
        let (analysis, edges) = both(
            || Subsuming::analyse(tree, args.bounds.thresholds(), &args.bounds.never()),
            || neighbours(tree).edges,
        );
        let Summary { places, loops, patterns, users, owners, mut calls } =
            Summary::new(tree, &analysis, &edges);
        let mut patterns: Vec<_> = patterns.into_iter().zip(users).collect();
        let mut movers = moved::movers_that_matter(tree);
        if let Some(class) = args.output.class() {
            let matches = |method: u32| class.matches(&tree.methods[method as usize].class);
            patterns.retain(|&(method, user)| {
                matches(method) || user.is_some_and(|user| matches(user.method))
            });
            calls.retain(|found| matches(found.caller) || matches(found.callee));
            movers.retain(|mover| matches(mover.method));
        }
        patterns.truncate(args.output.top(PATTERNS));
        calls.truncate(args.output.top(CALLS));
        movers.truncate(args.output.top(CALLS));
        let class = args.output.class();
        let top = args.output.top(CALLS);
        let own = args.source.choice().own().code()?;
        let repeated = repeated(tree, args.source.files(), &own, class.as_ref(), top)?;
        let executed = analysis.executed().count() as u64;
        let contexts = tree.len() as u64;
        Ok(Self {
            tree,
            start,
            analysis,
            places,
            loops,
            class,
            top: args.output.top(PLACES),
            patterns,
            owners,
            samples: tree.samples(),
            calls,
            movers,
            repeated,
            contexts,
            methods: executed,
        })
    }
    /// The entries of the list of places that are shown.
    fn entries(&self) -> Vec<Entry<'_>> {
        let mut entries = entries(&self.places, &self.loops);
        if let Some(class) = &self.class {
            entries.retain(|entry| match entry {
                Entry::Place(place) => self.names(place, class),
                Entry::Loop(one) => {
                    one.places.iter().any(|&at| self.names(&self.places[at], class))
                }
            });
        }
        entries.truncate(self.top);
        entries
    }

    /// Whether an entry has a method of a class that matches.
    fn names(&self, landing: &Landing, class: &Pattern) -> bool {
        let matches = |method: u32| class.matches(&self.tree.methods[method as usize].class);
        let way_in = way_in(self.tree, &self.owners, landing.node, terminal::extent());
        let frames = way_in.iter().filter_map(|stop| stop.frame.method());
        let steps = landing.goes_on.iter().chain(&landing.ways).map(|step| step.method);
        let spread = landing.all_over.map(|spread| spread.method);
        frames.chain(steps).chain(spread).any(matches)
    }
}
