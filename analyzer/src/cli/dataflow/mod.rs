//! The commands on data flow, and what they share.

mod chains;
mod clones;
mod copies;
mod cost_of;
mod costs;
mod dead;
pub mod element_writers;
mod exactness;
mod graph;
mod names;
mod nulls;
pub mod sections;
mod source;
mod temporaries;
mod text;
mod useless;

use std::io::Write;

use analyzer::error::Result;
use clap::Subcommand;

/// The commands on data flow.
#[derive(Debug, Subcommand)]
pub enum Command {
    Copies(copies::Args),
    Chains(chains::Args),
    Clones(clones::Args),
    Temporaries(temporaries::Args),
    Useless(useless::Args),
    Graph(graph::Args),
    Costs(costs::Args),
    Dead(dead::Args),
    CostOf(cost_of::Args),
    Nulls(nulls::Args),
}

/// Runs a command.
///
/// # Errors
/// As the command has them.
pub fn run(command: &Command, out: &mut impl Write) -> Result<()> {
    match command {
        Command::Copies(args) => copies::run(args, out),
        Command::Chains(args) => chains::run(args, out),
        Command::Clones(args) => clones::run(args, out),
        Command::Temporaries(args) => temporaries::run(args, out),
        Command::Useless(args) => useless::run(args, out),
        Command::Graph(args) => graph::run(args, out),
        Command::Costs(args) => costs::run(args, out),
        Command::Dead(args) => dead::run(args, out),
        Command::CostOf(args) => cost_of::run(args, out),
        Command::Nulls(args) => nulls::run(args, out),
    }
}
