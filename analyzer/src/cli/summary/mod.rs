//! `subsume summary`.

mod json;
mod text;

use std::io::Write;

use analyzer::error::Result;
use analyzer::names::method::Method;
use analyzer::subsuming::Subsuming;
use analyzer::tree::Tree;
use analyzer::views::places::{Place, places};
use analyzer::views::region::Region;
use analyzer::views::suspicious_calls::{SuspiciousCalls, suspicious_calls};

use crate::cli::source::{Bounds, Output, Source};

/// Where the cost lies, in three short lists.
///
/// Repeated patterns: subsuming methods, with what they induce ('subsume methods'
/// has all of them). Largest single places: cost that lies in one calling context
/// and below no pattern, with the path to it. Suspicious calls: few of a method's
/// calls that take most of its cost, each call costing a multiple of the others;
/// a loop within a loop looks like this.
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

/// Entries of each list unless the user says otherwise.
const TOP: usize = 5;
/// A subsuming method with more contexts than this is a pattern; what others induce
/// lies in single places.
const MOST_CONTEXTS: u64 = 3;
/// Smaller shares of all are not shown.
const LEAST_SHARE: f64 = 0.005;

/// Runs the command.
///
/// # Errors
/// If a profile cannot be read or merged, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let tree = args.source.tree(false)?;
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
    /// Places in the region.
    places: Vec<Place>,
    calls: Vec<SuspiciousCalls>,
    contexts: u64,
    methods: u64,
}

impl<'a> Answer<'a> {
    fn of(tree: &'a Tree, args: &Args) -> Result<Self> {
        let analysis = Subsuming::analyse(tree, args.bounds.thresholds(), &args.bounds.never());
        let least = (LEAST_SHARE * tree.total() as f64) as u64;
        let is_single = |method: u32| {
            analysis.subsumes[method as usize]
                && analysis.costs[method as usize].contexts <= MOST_CONTEXTS
        };
        let region = Region::induced(tree, &analysis.subsumes, is_single, true)?;
        let mut patterns: Vec<u32> = (0..tree.methods.len() as u32)
            .filter(|&method| analysis.subsumes[method as usize] && !is_single(method))
            .filter(|&method| analysis.induced[method as usize] >= least.max(1))
            .collect();
        patterns.sort_by_key(|&m| (std::cmp::Reverse(analysis.induced[m as usize]), m));
        let is_platform: Vec<bool> = tree.methods.iter().map(Method::is_platform).collect();
        let mut places = places(&region, &is_platform, least);
        let mut calls = suspicious_calls(tree, least);
        if let Some(class) = args.output.class() {
            let matches = |method: u32| class.matches(&tree.methods[method as usize].class);
            patterns.retain(|&method| matches(method));
            places.retain(|p| {
                region.path(p.node).iter().any(|&n| matches(region.method[n as usize]))
            });
            calls.retain(|found| matches(found.caller) || matches(found.callee));
        }
        let top = args.output.top(TOP);
        patterns.truncate(top);
        places.truncate(top);
        calls.truncate(top);
        let executed = analysis.executed().count() as u64;
        let contexts = tree.len() as u64;
        Ok(Self { tree, analysis, patterns, region, places, calls, contexts, methods: executed })
    }
}
