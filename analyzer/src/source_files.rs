//! Finding the source files of classes in folders.

use std::fs;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use crate::error::{Error, Result};

/// Languages whose compilers write class files.
const EXTENSIONS: [&str; 5] = ["java", "kt", "scala", "groovy", "clj"];

/// Source files in some folders, by their names.
#[derive(Debug, Default)]
pub struct SourceFiles {
    by_name: FxHashMap<String, Vec<SourceFile>>,
}

/// A file, and the folder that was given.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SourceFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its path in the folder, with slashes.
    pub name: String,
}

impl SourceFiles {
    /// All source files below these folders. Links to folders are not followed.
    ///
    /// # Errors
    /// If one of them cannot be read as a folder. What is below is left out where
    /// it cannot be read.
    pub fn below(folders: &[PathBuf]) -> Result<Self> {
        let mut files = Self::default();
        for folder in folders {
            let mut pending = vec![folder.clone()];
            while let Some(next) = pending.pop() {
                let entries = match fs::read_dir(&next) {
                    Ok(entries) => entries,
                    Err(error) if next == *folder => return Err(Error::io(folder, &error)),
                    Err(_) => continue,
                };
                for entry in entries.flatten() {
                    match entry.file_type() {
                        Ok(kind) if kind.is_dir() => pending.push(entry.path()),
                        Ok(_) => files.add(folder, entry.path()),
                        Err(_) => {}
                    }
                }
            }
        }
        // The order of a folder's entries is not always the same.
        files.by_name.values_mut().for_each(|found| found.sort_by(|a, b| a.path.cmp(&b.path)));
        Ok(files)
    }

    fn add(&mut self, folder: &Path, path: PathBuf) {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if !extension.is_some_and(|extension| EXTENSIONS.contains(&extension)) {
            return;
        }
        let Some(name) = path.file_name().map(|name| name.to_string_lossy().into_owned()) else {
            return;
        };
        let inside = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
        self.by_name.entry(name).or_default().push(SourceFile { path, name: inside });
    }

    /// The source file of a class: the one of that name in the folder of its
    /// package. `source_file` is what the class file says, possibly nothing.
    /// Kotlin and others may keep files elsewhere; then the only one of the name
    /// is taken.
    pub fn of_class(&self, class: &str, source_file: &str) -> Option<&SourceFile> {
        let (package, simple) = class.rsplit_once('.').unwrap_or(("", class));
        let outermost = simple.split_once('$').map_or(simple, |(outermost, _)| outermost);
        let named = self.by_name.get(source_file);
        let found = match named {
            None if source_file.is_empty() => self.by_name.get(&format!("{outermost}.java"))?,
            found => found?,
        };
        let package: PathBuf = package.split('.').filter(|part| !part.is_empty()).collect();
        let in_package = |file: &&SourceFile| {
            file.path.parent().is_some_and(|folder| folder.ends_with(&package))
        };
        let only = (found.len() == 1 && !source_file.ends_with(".java")).then(|| &found[0]);
        found.iter().find(in_package).or(only)
    }
}
