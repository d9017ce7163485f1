//! Which runs of a fleet.

use std::path::PathBuf;

use analyzer::error::Result;
use analyzer::fleet::dataset::Dataset;
use analyzer::fleet::labels::Condition;
use analyzer::fleet::run::Run;

/// A fleet, and which of its runs.
#[derive(Debug, clap::Args)]
pub struct Selection {
    /// Folder of the fleet.
    #[arg(value_name = "DIR")]
    pub fleet: PathBuf,

    /// Only runs with this label, such as version=1.2, or host='a*;b*' with * for any
    /// characters and ; between several; may be repeated. program, date, run, jvm and
    /// completeness are labels of every run.
    #[arg(long = "where", value_name = "KEY=VALUE")]
    conditions: Vec<Condition>,
}

impl Selection {
    /// The fleet.
    ///
    /// # Errors
    /// If there is none.
    pub fn dataset(&self) -> Result<Dataset> {
        Dataset::open(&self.fleet)
    }

    /// The runs that are selected.
    ///
    /// # Errors
    /// If the fleet cannot be read.
    pub fn all(&self, dataset: &Dataset) -> Result<Vec<Run>> {
        let mut runs = dataset.runs()?;
        runs.retain(|run| self.conditions.iter().all(|condition| condition.holds(run)));
        Ok(runs)
    }
}

/// The labels of a run as they are given, those that all tables show left out.
pub fn shown(run: &Run) -> String {
    let labels = run.labels.iter().filter(|(key, _)| *key != "program");
    labels.map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
}
