//! Names of methods in the colours of whose code they are.

use report::painted::Painted;
use tree::Tree;
use tree::owners::{Owner, Owners};
use tree::readable_names::Names;

use crate::cli::terminal;

/// How methods of a tree are shown.
pub struct PaintedNames {
    names: Names,
    /// Of each method; nothing where the output has no colours.
    owners: Vec<Owner>,
}

impl PaintedNames {
    /// The names of a tree's methods.
    pub fn new(tree: &Tree, owners: &Owners) -> Self {
        let methods = if terminal::colours() { &tree.methods[..] } else { &[] };
        let owners = methods.iter().map(|method| owners.owner(&method.class)).collect();
        Self { names: Names::new(tree), owners }
    }

    /// The name of a method, or of the virtual root for `None`.
    pub fn of(&self, method: Option<u32>) -> Painted {
        let owner = method.and_then(|method| self.owners.get(method as usize).copied());
        Painted::name(self.names.of(method), owner)
    }

    /// The names without colours, for commands and JSON.
    pub fn plain(&self) -> &Names {
        &self.names
    }
}
