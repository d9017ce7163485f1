//! The commands on data flow, and what they share.

mod chains;
mod clones;
mod command;
mod copies;
mod cost_of;
mod costs;
mod dead;
pub mod element_writers;
mod exactness;
mod for_whom;
mod graph;
mod growth;
pub mod loops;
mod names;
mod nulls;
mod repeats;
pub mod sections;
mod source;
mod temporaries;
pub mod text;
mod typestate;
mod useless;

use clap::Subcommand;

pub use self::command::DataflowCommand;
pub use self::repeats::read_results;

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
    Growth(growth::Args),
    Typestate(typestate::Args),
    Repeats(repeats::Args),
}

impl Command {
    /// The command with its arguments.
    pub fn parsed(&self) -> &dyn DataflowCommand {
        match self {
            Command::Copies(args) => args,
            Command::Chains(args) => args,
            Command::Clones(args) => args,
            Command::Temporaries(args) => args,
            Command::Useless(args) => args,
            Command::Graph(args) => args,
            Command::Costs(args) => args,
            Command::Dead(args) => args,
            Command::CostOf(args) => args,
            Command::Nulls(args) => args,
            Command::Growth(args) => args,
            Command::Typestate(args) => args,
            Command::Repeats(args) => args,
        }
    }
}
