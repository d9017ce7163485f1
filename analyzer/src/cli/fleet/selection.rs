//! Which runs of a fleet.

use std::collections::BTreeMap;
use std::path::PathBuf;

use base::tell;
use fleet::condition::Condition;
use fleet::dataset::Dataset;
use fleet::run::Run;
use tree::error::{Error, Result};

/// A fleet, and which of its runs.
#[derive(Debug, clap::Args)]
pub struct Selection {
    /// Folder of the fleet.
    #[arg(value_name = "DIR")]
    pub fleet: PathBuf,

    /// Only runs with this label, such as version=1.2, or host='a*;b*'; * stands for any
    /// characters, ; separates several. May be repeated. program, date, run, jvm, completeness
    /// and origin are labels of every run.
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

    /// The runs that are selected, at least one.
    ///
    /// # Errors
    /// If there is none, or the fleet cannot be read.
    pub fn runs(&self, dataset: &Dataset) -> Result<Vec<Run>> {
        let runs = self.all(dataset)?;
        if runs.is_empty() {
            let fleet = base::shown(&self.fleet);
            return Err(Error::new(match unknown_label(&dataset.runs()?, &self.conditions) {
                Some(key) => format!("{fleet}: no such run is there: none has a label '{key}'"),
                None => format!("{fleet}: no such run is there"),
            }));
        }
        Ok(runs)
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

    /// Says of a label that no run has that it is so.
    ///
    /// # Errors
    /// If the fleet cannot be read.
    pub fn tell_unknown_label(&self, dataset: &Dataset) -> Result<()> {
        if let Some(key) = unknown_label(&dataset.runs()?, &self.conditions) {
            tell!("note: no run has a label '{key}'");
        }
        Ok(())
    }
}

/// The labels of a run as they are given, those that all tables show left out.
pub fn shown(run: &Run) -> String {
    let labels = run.labels.iter().filter(|(key, _)| *key != "program");
    labels.map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
}

/// A label that no run has.
fn unknown_label<'c>(runs: &[Run], conditions: &'c [Condition]) -> Option<&'c str> {
    let mut keys = conditions.iter().map(Condition::key);
    keys.find(|key| runs.iter().all(|run| run.label(key).is_none()))
}

/// The runs of two selections, at least one in each and none in both.
///
/// # Errors
/// If a selection is empty, a run is in both, or the fleet cannot be read.
pub fn sides(
    dataset: &Dataset,
    conditions: &[Condition],
    from: &[Condition],
    to: &[Condition],
) -> Result<[Vec<Run>; 2]> {
    let mut runs = dataset.runs()?;
    runs.retain(|run| conditions.iter().all(|condition| condition.holds(run)));
    let of = |side: &[Condition]| -> Vec<Run> {
        let chosen = runs.iter().filter(|run| side.iter().all(|condition| condition.holds(run)));
        chosen.cloned().collect()
    };
    let (before, after) = (of(from), of(to));
    for (side, option) in [(&before, "--from"), (&after, "--to")] {
        if side.is_empty() {
            let conditions = if option == "--from" { from } else { to };
            return Err(Error::new(match unknown_label(&runs, conditions) {
                Some(key) => format!("{option} selects no run: none has a label '{key}'"),
                None => format!("{option} selects no run"),
            }));
        }
    }
    if let Some(run) = before.iter().find(|run| after.contains(run)) {
        return Err(Error::new(format!("run {} is on both sides", run.id)));
    }
    Ok([before, after])
}

/// Refuses runs of several programs, whose costs say nothing of each other.
///
/// # Errors
/// If they are.
pub fn one_program<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Result<()> {
    match programs(runs) {
        Some([one, other]) => Err(Error::new(format!(
            "the runs are of {one} and {other}: select one with --where program=NAME"
        ))),
        None => Ok(()),
    }
}

/// Says of runs of several programs that they are.
pub fn tell_programs<'a>(runs: impl IntoIterator<Item = &'a Run>) {
    if let Some([one, other]) = programs(runs) {
        tell!(
            "note: the runs are of several programs, such as {one} and {other}; \
             --where program=NAME selects one"
        );
    }
}

/// Two programs of which runs are, if they are not all of one.
fn programs<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Option<[&'a str; 2]> {
    let mut programs = runs.into_iter().map(|run| run.program.as_str());
    let one = programs.next()?;
    programs.find(|other| *other != one).map(|other| [one, other])
}

/// Whether runs are sampled. Samples and counts say nothing of each other.
///
/// # Errors
/// If some are, and others are not.
pub fn are_sampled<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Result<bool> {
    let (mut sampled, mut counted) = (None, None);
    for run in runs {
        let first = if run.is_sampled() { &mut sampled } else { &mut counted };
        first.get_or_insert(run);
    }
    match (sampled, counted) {
        (Some(sampled), Some(counted)) => Err(Error::new(format!(
            "runs of {} are sampled, those of {} are counted: select one with --where origin='{}'",
            sampled.origin, counted.origin, counted.origin
        ))),
        _ => Ok(sampled.is_some()),
    }
}

/// Says of runs that are sampled that they are.
///
/// # Errors
/// If some are, and others are not.
pub fn tell_sampled<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Result<()> {
    if are_sampled(runs)? {
        tell!("note: the costs are samples, which differ from run to run");
    }
    Ok(())
}

/// Takes the runs out that are not whole.
pub fn take_flawed(runs: &mut Vec<Run>) -> Vec<Run> {
    runs.extract_if(.., |run| !run.is_whole()).collect()
}

/// How many runs have which flaws, in their order: `2 cut short; 1 snapshot`.
pub fn counted_flaws(runs: &[Run]) -> String {
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    for flaws in runs.iter().filter_map(flaws_of) {
        *kinds.entry(flaws).or_default() += 1;
    }
    let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    kinds.join("; ")
}

/// Says which runs are not whole.
pub fn tell_flaws<'a>(runs: impl IntoIterator<Item = &'a Run>) {
    for run in runs {
        if let Some(flaws) = flaws_of(run) {
            tell!("note: run {}, which counts all the same: {flaws}", run.id);
        }
    }
}

/// Why a run is not to be compared with others, if so.
pub fn flaws_of(run: &Run) -> Option<String> {
    let mut flaws = Vec::new();
    if run.completeness != "complete" {
        flaws.push(run.completeness.replace('_', " "));
    }
    if run.contexts_lost > 0 {
        flaws.push("contexts lost".to_owned());
    }
    (!flaws.is_empty()).then(|| flaws.join(", "))
}
