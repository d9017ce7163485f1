//! Neighbours in a folder that import each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::Modules;
use crate::modules::ModulePath;

/// Modules of one folder of which each reaches each by imports.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Circle {
    /// The folder, `a/b`; nothing for the crate's own.
    pub folder: String,
    /// Files and folders in it.
    pub names: BTreeSet<String>,
    /// Which imports make the circle: module and imported module.
    pub imports: BTreeSet<(String, String)>,
}

impl fmt::Display for Circle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        write!(f, "{}: {}", self.folder, names.join(" "))?;
        for (from, to) in &self.imports {
            write!(f, "\n    {from} imports {to}")?;
        }
        Ok(())
    }
}

/// All circles of a crate, by folder.
pub fn circles(modules: &Modules) -> Vec<Circle> {
    // For each folder its entries, and for each entry the entries that it names.
    let mut folders: BTreeMap<&[String], Graph<'_>> = BTreeMap::new();
    for (from, named) in modules.arrows() {
        for to in named {
            let shared = from.iter().zip(to).take_while(|(from, to)| from == to).count();
            let (Some(entry), Some(other)) = (from.get(shared), to.get(shared)) else { continue };
            let arrows = folders.entry(&from[..shared]).or_default();
            arrows.entry(entry).or_default().entry(other).or_default().insert((from, to));
        }
    }
    let mut found = Vec::new();
    for (folder, graph) in &folders {
        let mut left: BTreeSet<&str> = graph.keys().copied().collect();
        while let Some(first) = left.pop_first() {
            let names: BTreeSet<&str> = left
                .iter()
                .copied()
                .filter(|name| reaches(graph, first, name) && reaches(graph, name, first))
                .collect();
            if names.is_empty() {
                continue;
            }
            left.retain(|name| !names.contains(name));
            let names: BTreeSet<String> =
                names.into_iter().chain([first]).map(str::to_owned).collect();
            let inside =
                graph.iter().filter(|(from, _)| names.contains(**from)).flat_map(|(_, to)| {
                    to.iter().filter(|(to, _)| names.contains(**to)).flat_map(|(_, arrows)| arrows)
                });
            let imports = inside.map(|(from, to)| (from.join("::"), to.join("::"))).collect();
            found.push(Circle { folder: folder.join("/"), names, imports });
        }
    }
    found
}

type Arrow<'m> = (&'m ModulePath, &'m ModulePath);
type Graph<'m> = BTreeMap<&'m str, BTreeMap<&'m str, BTreeSet<Arrow<'m>>>>;

/// Whether imports lead from one entry of a folder to another one.
fn reaches(graph: &Graph<'_>, from: &str, to: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut work = vec![from];
    while let Some(entry) = work.pop() {
        for &next in graph.get(entry).into_iter().flat_map(BTreeMap::keys) {
            if next == to {
                return true;
            }
            if seen.insert(next) {
                work.push(next);
            }
        }
    }
    false
}
