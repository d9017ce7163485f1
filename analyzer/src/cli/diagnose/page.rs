//! What a page shows of a folder of recordings beside their tree.

use std::path::PathBuf;

use analysis::diagnosis::diagnose;
use profile::dataflow::DataFlow;
use report::page::digest::Digest;
use report::page::findings::Findings;
use tree::error::Result;
use tree::owners::OwnCode;
use tree::readable_names::Names;

use super::Diagnosed;
use super::answer::is_small;
use super::folder::Folder;
use super::text::command_of;

/// What the recordings of a folder tell.
pub struct Told {
    /// What is worth a change, the most first, by the methods of a page.
    pub findings: Findings,
    /// What each recording holds beside the tree, but that of calls, which holds nothing.
    pub dataflows: Vec<(PathBuf, DataFlow)>,
}

impl Folder {
    /// Reads the recordings for a page with this digest.
    ///
    /// # Errors
    /// If a recording cannot be read.
    pub fn told(&self, own: &OwnCode, digest: &Digest) -> Result<Told> {
        let read = Diagnosed::new(Folder::new(self.path()), own)?;
        let program = read.recorded.program();
        let found = diagnose(&program, &read.recorded.recordings)?;
        let (names, modes) = (Names::new(program.tree), read.recorded.modes());
        let told = found.iter().filter(|finding| !is_small(&program, finding));
        let told: Vec<_> = told
            .map(|finding| (finding, command_of(finding.lead(), self, &modes, &names)))
            .collect();
        let findings = Findings::new(&program, &told, digest);
        let profiles = read.recorded.recordings.into_iter().flat_map(|(_, profiles)| profiles);
        let dataflows = profiles.map(|(file, profile)| (PathBuf::from(file), profile.dataflow));
        Ok(Told { findings, dataflows: dataflows.collect() })
    }
}
