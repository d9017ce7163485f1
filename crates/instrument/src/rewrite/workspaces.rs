//! Memory for rewriting, kept from class to class.

use classfile::{CodeEdit, Scratch};
use parking_lot::Mutex;

/// Memory for rewriting, used for one class after the other.
#[derive(Debug, Default)]
pub struct Workspace {
    pub(super) scratch: Scratch,
    pub(super) edit: CodeEdit,
}

/// Memory for rewriting that no thread uses right now.
#[derive(Debug, Default)]
pub struct Workspaces(Mutex<Vec<Workspace>>);

impl Workspaces {
    /// Has something done in one of them.
    pub(super) fn with<T>(&self, work: impl FnOnce(&mut Workspace) -> T) -> T {
        let mut workspace = self.0.lock().pop().unwrap_or_default();
        let result = work(&mut workspace);
        self.0.lock().push(workspace);
        result
    }
}
