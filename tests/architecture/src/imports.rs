//! The paths in a file: what it imports, and what it names in place.

use syn::visit::Visit;
use syn::{Attribute, ItemMod, ItemUse, Path, UseTree};

/// What a file of a module says about other modules.
#[derive(Debug, Default)]
pub struct Imports {
    /// All paths, such as `super`, `graph`, `CopyGraph`; `*` stands for a glob.
    pub paths: Vec<Vec<String>>,
    /// Names that `use` brings into the module, with the paths they stand for.
    pub names: Vec<(String, Vec<String>)>,
}

impl Imports {
    /// Reads a file, without its tests.
    ///
    /// # Errors
    /// The text is not Rust.
    pub fn of_source(text: &str) -> Result<Self, syn::Error> {
        let mut found = Self::default();
        found.visit_file(&syn::parse_file(text)?);
        Ok(found)
    }

    fn add_tree(&mut self, before: &[String], tree: &UseTree) {
        let with = |name: String| [before, &[name]].concat();
        match tree {
            UseTree::Path(path) => self.add_tree(&with(path.ident.to_string()), &path.tree),
            UseTree::Name(name) => self.add(name.ident.to_string(), with(name.ident.to_string())),
            UseTree::Rename(name) => {
                self.add(name.rename.to_string(), with(name.ident.to_string()));
            }
            UseTree::Glob(_) => self.paths.push(with("*".to_owned())),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_tree(before, tree);
                }
            }
        }
    }

    fn add(&mut self, name: String, mut path: Vec<String>) {
        let mut name = name;
        // `use a::b::{self}` names b.
        if path.last().is_some_and(|last| last == "self") {
            path.pop();
            if name == "self" {
                name = path.last().cloned().unwrap_or_default();
            }
        }
        self.paths.push(path.clone());
        self.names.push((name, path));
    }
}

impl Visit<'_> for Imports {
    fn visit_item_use(&mut self, item: &ItemUse) {
        self.add_tree(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &Path) {
        let names = path.segments.iter().map(|segment| segment.ident.to_string());
        self.paths.push(names.collect());
        syn::visit::visit_path(self, path);
    }

    fn visit_item_mod(&mut self, module: &ItemMod) {
        if !module.attrs.iter().any(is_test) {
            syn::visit::visit_item_mod(self, module);
        }
    }
}

fn is_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute.parse_args::<Path>().is_ok_and(|of| of.is_ident("test"))
}
