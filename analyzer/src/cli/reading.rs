//! Reading profiles, and what they do not tell.

use std::path::Path;

use profile::{Columns, Completeness, Profile, RunInfo};
use tree::error::{Error, Result};
use tree::exceptions::{self, EXCEPTIONS};
use tree::forest::{BESIDE, MetricChoice};

use crate::cli::lost::lost;

/// Reads a profile with the columns that are wanted, because the others would
/// take as much memory again.
///
/// # Errors
/// If the profile cannot be read.
pub fn read(path: &Path, metric: &MetricChoice) -> Result<Profile> {
    let wanted = match metric {
        MetricChoice::Every => None,
        MetricChoice::Named(name) if name == EXCEPTIONS => None,
        MetricChoice::Named(name) => Some(vec![name.as_str()]),
        MetricChoice::Usual => Some(vec!["bytecodes"]),
        MetricChoice::UsualWith(name) => Some(vec!["bytecodes", name]),
    };
    let read = |columns: &Columns| {
        profile::read_file_with(path, columns).map_err(|e| Error::profile(path, &e))
    };
    let columns = match &wanted {
        Some(names) => Columns::only(&names.iter().chain(&BESIDE).copied().collect::<Vec<_>>()),
        None => Columns::All,
    };
    let mut profile = read(&columns)?;
    // An import, or a name that must be refused with a list of those there are.
    let is_missing = wanted.is_some_and(|names| profile.nodes.metric(names[0]).is_none());
    if is_missing {
        profile = read(&Columns::All)?;
    }
    let wants_exceptions = match metric {
        MetricChoice::Every => true,
        MetricChoice::Named(name) => is_missing || name == EXCEPTIONS,
        MetricChoice::Usual | MetricChoice::UsualWith(_) => false,
    };
    if wants_exceptions && exceptions::are_known(&profile) {
        exceptions::add(&mut profile);
    }
    Ok(profile)
}

/// Who records the profile right now, and what to do about it.
pub fn being_recorded(run: &RunInfo) -> String {
    let id = run.process_id;
    format!("it is being recorded by process {id}; 'subsume dump {id}' writes what there is")
}

/// Why the profile does not tell everything, if so.
pub fn flaw(profile: &Profile) -> Option<String> {
    let run = &profile.run;
    if let Some(lost) = lost(run) {
        return Some(lost);
    }
    match run.completeness {
        Completeness::CutShort => Some(
            "the run was cut short; each method active at that time may lack up to 65,536 bytecodes"
                .to_owned(),
        ),
        Completeness::Recording => Some(being_recorded(run)),
        Completeness::Complete | Completeness::Snapshot => None,
    }
}
