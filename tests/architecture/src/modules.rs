//! The modules of a crate and the arrows between them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

use crate::imports::Imports;

/// Names of a module from the crate on; the crate itself has none.
pub type ModulePath = Vec<String>;

/// How often a name may stand for another one that stands for another one.
const MOST_ALIASES: usize = 8;

/// The modules of a crate, one for each file.
#[derive(Debug)]
pub struct Modules {
    crate_name: String,
    by_path: BTreeMap<ModulePath, Imports>,
}

impl Modules {
    /// Reads the sources of a crate: all files below `sources`.
    ///
    /// # Errors
    /// A file cannot be read, or is not Rust.
    pub fn of_crate(crate_name: &str, sources: &Path) -> io::Result<Self> {
        let mut found = Self { crate_name: crate_name.to_owned(), by_path: BTreeMap::new() };
        found.read_folder(sources, &[])?;
        Ok(found)
    }

    fn read_folder(&mut self, folder: &Path, module: &[String]) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
            let below = [module, &[name.to_owned()]].concat();
            if path.is_dir() {
                self.read_folder(&path, &below)?;
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let is_parent =
                    name == "mod" || (module.is_empty() && matches!(name, "lib" | "main"));
                let module = if is_parent { module.to_vec() } else { below };
                let text = fs::read_to_string(&path)?;
                let imports = Imports::of_source(&text)
                    .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
                // A library and a program may share the folder.
                let known = self.by_path.entry(module).or_default();
                known.paths.extend(imports.paths);
                known.names.extend(imports.names);
            }
        }
        Ok(())
    }

    /// All modules, and those of this crate that each of them names.
    pub fn arrows(&self) -> BTreeMap<&ModulePath, BTreeSet<&ModulePath>> {
        let arrows = |(module, imports): (_, &Imports)| {
            let named = imports.paths.iter().filter_map(|path| self.resolve(module, path));
            (module, named.filter(|to| *to != module).collect())
        };
        self.by_path.iter().map(arrows).collect()
    }

    /// The module that a path in another module leads into; `None` if it leads
    /// out of the crate.
    fn resolve(&self, module: &ModulePath, path: &[String]) -> Option<&ModulePath> {
        let mut path = self.absolute(module, path)?;
        for _ in 0..MOST_ALIASES {
            let known = (0..=path.len())
                .rev()
                .find(|&length| self.by_path.contains_key(&path[..length]))?;
            let (module, imports) = self.by_path.get_key_value(&path[..known])?;
            // What it names there may come from elsewhere.
            let Some(name) = path.get(known) else { return Some(module) };
            let alias = imports.names.iter().find(|(alias, _)| alias == name);
            let Some(target) = alias.and_then(|(_, target)| self.absolute(module, target)) else {
                return Some(module);
            };
            let target = [target, path[known + 1..].to_vec()].concat();
            if target == path {
                return Some(module);
            }
            path = target;
        }
        None
    }

    /// The path from the crate on.
    fn absolute(&self, module: &ModulePath, path: &[String]) -> Option<ModulePath> {
        let (first, rest) = path.split_first()?;
        let mut base = match first.as_str() {
            "crate" => Vec::new(),
            "self" | "super" => module.clone(),
            // A program names the library that it belongs to.
            name if name == self.crate_name => Vec::new(),
            name => {
                // A child, or a name that the module imports.
                let child = [module.clone(), vec![name.to_owned()]].concat();
                if self.by_path.contains_key(&child) {
                    return Some([module.clone(), path.to_vec()].concat());
                }
                let imports = self.by_path.get(module)?;
                let (_, target) = imports.names.iter().find(|(alias, _)| alias == name)?;
                if target.first() == Some(first) {
                    return None;
                }
                let target = self.absolute(module, target)?;
                return Some([target, rest.to_vec()].concat());
            }
        };
        let mut rest = path;
        while let Some((first, others)) = rest.split_first() {
            match first.as_str() {
                "super" => drop(base.pop()?),
                "crate" | "self" => {}
                name if rest.len() == path.len() && name == self.crate_name => {}
                _ => break,
            }
            rest = others;
        }
        base.extend(rest.iter().cloned());
        Some(base)
    }
}
