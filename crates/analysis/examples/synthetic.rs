//! Writes a synthetic profile shaped like that of the jython benchmark.
//!
//! Maplesden et al. 2015 analysed a tree of 18,982,648 contexts and 5,794 methods for jython
//! in 216 seconds; 7.61 % of the methods and 14.05 % of the contexts subsumed.
//! The paper says nothing of the tree's shape, so that follows the trees of
//! Ammons et al. 2004: half of the nodes leaves, a mean depth of 22 to 65, a greatest
//! depth of 77 to 135, 1.8 to 1.9 children per inner node.
//!
//! ```text
//! cargo run --release -p subsume-analysis --example synthetic -- OUT [CONTEXTS] [SEED]
//! ```

#![allow(clippy::disallowed_macros, reason = "what it says is its own")]

mod jython;

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("synthetic: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args_os().skip(1);
    let out = PathBuf::from(args.next().ok_or("usage: synthetic OUT [CONTEXTS] [SEED]")?);
    let mut number = |default: u64| match args.next() {
        Some(text) => text.to_string_lossy().replace(['_', ','], "").parse(),
        None => Ok(default),
    };
    let contexts = number(jython::CONTEXTS)?;
    let profile = jython::profile(contexts, number(1)?);
    let summary = profile::write(&profile, BufWriter::new(File::create(&out)?))?;
    println!("{}: {summary:?}", out.display());
    Ok(())
}
