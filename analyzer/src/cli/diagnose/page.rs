//! The findings of a folder, for the first view of a page.

use analysis::diagnosis::diagnose;
use analysis::diagnosis::program::Program;
use report::page::digest::Digest;
use report::page::findings::Findings;
use tree::error::Result;
use tree::owners::OwnCode;
use tree::readable_names::Names;

use super::Diagnosed;
use super::answer::is_small;
use super::folder::Folder;
use super::text::command_of;

impl Folder {
    /// What is worth a change, the most first, by the methods of a page.
    ///
    /// # Errors
    /// If a recording cannot be read.
    pub fn findings(&self, own: &OwnCode, digest: &Digest) -> Result<Findings> {
        let read = Diagnosed::new(Folder::new(self.path()), own)?;
        let program = Program::new(&read.recorded.tree);
        let found = diagnose(&program, &read.recorded.recordings)?;
        let (names, modes) = (Names::new(program.tree), read.recorded.modes());
        let told = found.iter().filter(|finding| !is_small(&program, finding));
        let told: Vec<_> = told
            .map(|finding| (finding, command_of(finding.lead(), self, &modes, &names)))
            .collect();
        Ok(Findings::new(&program, &told, digest))
    }
}
