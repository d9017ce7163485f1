//! The profiles that a command on data flow works on.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use analysis::dataflow::copies::unite::{Copies, Sensitivity, unite};
use analysis::dataflow::method_table::MethodTable;
use base::tell;
use clap::Args;
use profile::dataflow::CostGraph;
use profile::{Columns, Profile};
use tree::error::{Error, Result};
use tree::names::method::Method;

use crate::cli::files_and;
use crate::cli::progress::Progress;
use crate::cli::reading::flaw;

/// Profiles with the names that they have in messages.
pub type Profiles = Vec<(String, Profile)>;

/// Which profiles.
#[derive(Debug, Args)]
pub struct Files {
    /// Profiles; several are added up by the names of methods and sites.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// The profile of commands that cannot add up several.
#[derive(Debug, Args)]
pub struct File {
    /// A profile.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// What tells objects apart.
#[derive(Debug, Args)]
pub struct Objects {
    /// Group objects by their allocation sites alone, rather than also by the receivers of the
    /// methods that make them.
    #[arg(long)]
    sites: bool,
}

impl Objects {
    /// The copies in some profiles.
    ///
    /// # Errors
    /// If a profile has no copies, or they name objects in different ways.
    pub fn unite(&self, profiles: &Profiles) -> Result<Copies> {
        let sensitivity = if self.sites { Sensitivity::Sites } else { Sensitivity::Contexts };
        unite(profiles, sensitivity)
    }
}

/// Reads profiles with the columns of these metrics, and warns of those that
/// are not whole.
///
/// # Errors
/// If a profile cannot be read.
pub fn read(files: &[PathBuf], metrics: &[&str]) -> Result<Profiles> {
    let progress = Progress::of_files(files);
    let mut profiles = Vec::with_capacity(files.len());
    for file in files {
        let name = file.to_string_lossy().into_owned();
        progress.say(&format!("reading {name}"));
        let profile = read_one(file, metrics)?;
        if let Some(flaw) = flaw(&profile) {
            progress.wipe();
            tell!("note: {name}: {flaw}");
        }
        profiles.push((name, profile));
    }
    Ok(profiles)
}

/// Reads a profile with the columns of these metrics, and warns of nothing.
///
/// # Errors
/// If the profile cannot be read.
pub fn read_one(file: &Path, metrics: &[&str]) -> Result<Profile> {
    profile::read_file_with(file, &Columns::only(metrics)).map_err(|e| Error::profile(file, &e))
}

/// The files and the place among the words of a command.
///
/// # Errors
/// If one of them is missing.
pub fn files_and_place(words: &[OsString], command: &str) -> Result<(Vec<PathBuf>, String)> {
    files_and::split(words, command, "a place such as java.util.HashMap:677")
}

/// Cost graphs of runs, with the methods that all of them refer to.
#[derive(Debug)]
pub struct CostGraphs {
    /// The methods.
    pub methods: Vec<Method>,
    /// A graph for each run. They cannot be added up: each node has its own
    /// frequencies and contexts.
    pub graphs: Vec<CostGraph>,
    /// Bytecodes that the runs executed, if all of them were counted.
    pub bytecodes: Option<u64>,
}

/// The metric that cost commands show beside instruction instances.
pub const BYTECODES: &str = "bytecodes";

/// Takes the cost graphs out of profiles, which keep everything else.
///
/// # Errors
/// If a profile has none.
pub fn cost_graphs(profiles: &mut Profiles) -> Result<CostGraphs> {
    let executed = profiles.iter().map(|(_, profile)| {
        let metric = profile.nodes.metric(BYTECODES)?;
        Some(metric.values.iter().fold(0u64, |sum, &count| sum.saturating_add(count)))
    });
    let bytecodes = executed.sum();
    let mut table = MethodTable::default();
    let mut graphs = Vec::with_capacity(profiles.len());
    for (file, profile) in profiles {
        let Some(mut graph) = profile.dataflow.costs.take() else {
            return Err(Error::new(format!(
                "{file}: no costs were recorded; record with mode=costs"
            )));
        };
        let numbers = table.add(profile);
        for site in &mut graph.objects.sites {
            site.place = numbers.place(site.place);
        }
        for instruction in &mut graph.instructions {
            instruction.place = numbers.place(instruction.place);
        }
        graphs.push(graph);
    }
    Ok(CostGraphs { methods: table.finish(), graphs, bytecodes })
}

/// Takes the cost graph out of the only profile; also the bytecodes of its run.
///
/// # Errors
/// If there are several profiles, or this one has none.
pub fn cost_graph(mut profiles: Profiles) -> Result<(Vec<Method>, CostGraph, Option<u64>)> {
    let CostGraphs { methods, graphs, bytecodes } = cost_graphs(&mut profiles)?;
    match <[CostGraph; 1]>::try_from(graphs) {
        Ok([graph]) => Ok((methods, graph, bytecodes)),
        Err(graphs) => Err(Error::new(format!(
            "costs and benefits of {} runs cannot be added up; give one profile",
            graphs.len()
        ))),
    }
}
