//! Builds all test programs once and runs them side by side, the longest first.
//!
//! usage: runner TIER [--keep-going] [NAME...]
//!
//! Cargo runs one test program after the other, so that at the end of each most
//! processors wait. Here a worker for each processor takes the next [`unit::Unit`]: a
//! whole program, or a module of one. Each unit runs one test at a time. The tiers, and
//! what is left out of them, are in [`tier`]. `scripts/test` sets the JDKs.

#![allow(clippy::disallowed_macros, reason = "this prints for whoever reads it")]

mod build;
mod tier;
mod times;
mod unit;
mod work;

use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(tier) = arguments.next().and_then(|name| tier::Tier::named(&name)) else {
        eprintln!("usage: runner {} [--keep-going] [NAME...]", tier::NAMES);
        return ExitCode::from(2);
    };
    let (switches, names): (Vec<_>, Vec<_>) = arguments.partition(|word| word.starts_with("--"));
    if switches.iter().any(|switch| switch != "--keep-going") {
        eprintln!("runner: the only option is --keep-going, before names of tests");
        return ExitCode::from(2);
    }
    let begun = Instant::now();
    let Some(built) = build::build() else { return ExitCode::FAILURE };
    println!("built in {:.0} s", begun.elapsed().as_secs_f64());
    let units = unit::units(&built, tier, &names);
    if units.is_empty() {
        eprintln!("runner: no test has such a name in this tier");
        return ExitCode::from(2);
    }
    let outcome = work::run(units, &built, !switches.is_empty());
    outcome.print_slowest();
    if outcome.failed.is_empty() {
        println!("{} tests passed in {:.0} s", outcome.passed, begun.elapsed().as_secs_f64());
        return ExitCode::SUCCESS;
    }
    println!("failed: {}", outcome.failed.join(", "));
    ExitCode::FAILURE
}
