//! `subsume summary`.

mod json;
mod moved;
mod repeated;
mod text;

use std::io::Write;

use analysis::subsuming::Subsuming;
use analysis::summary::Summary;
use tree::Tree;
use tree::both::both;
use tree::error::Result;
use tree::views::movers::{MOVED, Mover};
use tree::views::neighbours::neighbours;
use tree::views::parts::Part;
use tree::views::region::Region;
use tree::views::suspicious_calls::SuspiciousCalls;

use self::repeated::{Repeated, repeated};
use crate::cli::source::{Bounds, Output, Source};

/// Where the cost lies, in three short lists.
///
/// Repeated patterns: subsuming methods, with what they induce ('subsume methods'
/// has all of them). Largest single places: the program taken apart by its calls
/// until no part costs more than a tenth, with the path to where most of it lies, and
/// with the method that contexts all over the part call, if that has a third of it.
/// Suspicious calls: few of a method's calls that take most of its cost, each call
/// costing a multiple of the others; a loop within a loop looks like this. Where many
/// elements are moved by arraycopy, clone and the like, work that bytecodes do not show,
/// it also lists who has them moved. Where results of methods were recorded, it names
/// those that a cache could stand in for.
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
    bounds: Bounds,

    #[command(flatten)]
    output: Output,
}

/// Entries of the lists unless the user says otherwise: ten that name what costs most,
/// and a few to be suspicious of.
const PATTERNS: usize = 3;
const PLACES: usize = 7;
const CALLS: usize = 3;

/// Runs the command.
///
/// # Errors
/// If a profile cannot be read or merged, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let tree = args.source.tree_with(MOVED)?;
    let answer = Answer::of(&tree, args)?;
    if args.output.json { json::print(&answer, out) } else { text::print(&answer, args, out) }
}

/// All that is shown.
struct Answer<'a> {
    tree: &'a Tree,
    analysis: Subsuming,
    /// Subsuming methods, the greatest induced cost first.
    patterns: Vec<u32>,
    region: Region,
    /// Of each method of the tree whether it is the JDK's.
    is_platform: Vec<bool>,
    /// Places in the region.
    places: Vec<Part>,
    calls: Vec<SuspiciousCalls>,
    /// Who has elements moved, where that matters.
    movers: Vec<Mover>,
    /// Candidates for a cache, where results were recorded.
    repeated: Option<Repeated>,
    contexts: u64,
    methods: u64,
}

impl<'a> Answer<'a> {
    fn of(tree: &'a Tree, args: &Args) -> Result<Self> {
        let (analysis, edges) = both(
            || Subsuming::analyse(tree, args.bounds.thresholds(), &args.bounds.never()),
            || neighbours(tree).edges,
        );
        let Summary { mut patterns, region, is_platform, mut places, mut calls } =
            Summary::new(tree, &analysis, &edges);
        let mut movers = moved::movers_that_matter(tree);
        if let Some(class) = args.output.class() {
            let matches = |method: u32| class.matches(&tree.methods[method as usize].class);
            patterns.retain(|&method| matches(method));
            places.retain(|part| {
                let path = region.path(part.place.node);
                let methods = path.into_iter().map(|node| region.method[node as usize]);
                methods.chain(part.spread.map(|spread| spread.method)).any(matches)
            });
            calls.retain(|found| matches(found.caller) || matches(found.callee));
            movers.retain(|mover| matches(mover.method));
        }
        patterns.truncate(args.output.top(PATTERNS));
        places.truncate(args.output.top(PLACES));
        calls.truncate(args.output.top(CALLS));
        movers.truncate(args.output.top(CALLS));
        let class = args.output.class();
        let top = args.output.top(CALLS);
        let repeated = repeated(tree, args.source.files(), class.as_ref(), top)?;
        let executed = analysis.executed().count() as u64;
        let contexts = tree.len() as u64;
        Ok(Self {
            tree,
            analysis,
            patterns,
            region,
            is_platform,
            places,
            calls,
            movers,
            repeated,
            contexts,
            methods: executed,
        })
    }
}
