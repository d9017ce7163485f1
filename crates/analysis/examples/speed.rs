//! Times the analysis of Maplesden et al. 2015 against its literal implementation.
//!
//! Both work on the same tree, in the same run, and must agree on every height,
//! distance and induced cost.
//!
//! ```text
//! cargo run --release -p subsume-analysis --example speed -- [CONTEXTS] [FILE ...]
//! ```
//!
//! Without files, a synthetic profile is made. The literal algorithms take time
//! with the square of the tree's height; 20 million contexts need minutes.

#![allow(clippy::disallowed_macros, reason = "what it says is its own")]

mod jython;
#[allow(dead_code)] // The tests use all of it.
#[path = "../tests/suite/literal/mod.rs"]
mod literal;

use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use literal::Literal;
use profile::{Profile, read_file};
use subsume_analysis::subsuming::{Subsuming, Thresholds};
use tree::Tree;
use tree::forest::Selection;
use tree::names::pattern::Pattern;

/// The literal algorithms recurse as deeply as the tree is high.
const STACK: usize = 4 << 30;

fn main() -> ExitCode {
    let run = || run().map_err(|error| error.to_string());
    let result = thread::Builder::new().stack_size(STACK).spawn(run).map(|thread| thread.join());
    match result {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => {
            eprintln!("speed: {error}");
            ExitCode::from(2)
        }
        Ok(Err(_)) | Err(_) => ExitCode::from(2),
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let contexts = match args.next() {
        Some(text) => text.replace(['_', ','], "").parse()?,
        None => jython::CONTEXTS,
    };
    let mut profiles: Vec<(String, Profile)> = Vec::new();
    for file in args {
        let profile = read_file(Path::new(&file))?;
        profiles.push((file, profile));
    }
    if profiles.is_empty() {
        profiles.push(("synthetic".to_owned(), jython::profile(contexts, 1)));
    }

    let (tree, merging) = timed(|| Tree::merge(profiles, &Selection::default()));
    let tree = tree?;
    println!("{} contexts, merged in {merging:.2?}", tree.len());

    let thresholds = Thresholds::default();
    let (analysis, fast) = timed(|| Subsuming::analyse(&tree, thresholds, &Pattern::new("")));
    println!("analysis:             {fast:.2?}");

    let (mut literal, building) = timed(|| Literal::new(&tree));
    println!("literal, its tree:    {building:.2?}");
    let ((), slow) = timed(|| {
        literal.characterise();
        let subsumes = &analysis.subsumes;
        literal.calculate_induced_cost(&|m, _| subsumes.get(m).is_none_or(|&s| s));
    });
    println!("literal, algorithms:  {slow:.2?}");
    println!("times faster:         {:.1}", slow.as_secs_f64() / fast.as_secs_f64());
    compare(&tree, &analysis, &literal)?;
    println!("both agree on {} methods", tree.methods.len());
    Ok(())
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

fn compare(tree: &Tree, analysis: &Subsuming, literal: &Literal) -> Result<(), String> {
    for (m, method) in tree.methods.iter().enumerate() {
        let expected = &literal.methods[m];
        let found = &analysis.characteristics[m];
        let same_distance = match found.dominated {
            Some(dominated) => Some(dominated.distance) == expected.min_dmd,
            None => found.is_root || expected.nodes.is_empty(),
        };
        if found.height != expected.max_height
            || !same_distance
            || analysis.induced[m] != expected.induced
        {
            return Err(format!("{method}: the literal algorithms say something else"));
        }
    }
    Ok(())
}
