//! Finding the source files of classes in folders and archives.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use zip::ZipArchive;

use tree::error::{Error, Result};

/// Languages whose compilers write class files.
const EXTENSIONS: [&str; 5] = ["java", "kt", "scala", "groovy", "clj"];
/// A larger file was not written by a person.
const LARGEST_FILE: u64 = 4 << 20;

/// Source files in some folders and archives, by their names.
#[derive(Debug, Default)]
pub struct SourceFiles {
    by_name: FxHashMap<String, Vec<SourceFile>>,
    archives: Vec<RefCell<ZipArchive<BufReader<File>>>>,
}

/// A source file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SourceFile {
    /// Its path in what was given, with slashes.
    pub name: String,
    place: Place,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Place {
    File(PathBuf),
    /// Number of the archive, and of the entry in it.
    Entry(usize, usize),
}

impl SourceFiles {
    /// All source files below these folders and in these archives. Links to
    /// folders are not followed.
    ///
    /// # Errors
    /// If one of them can be read neither as a folder nor as an archive. What is
    /// below a folder is left out where it cannot be read.
    pub fn below(places: &[PathBuf]) -> Result<Self> {
        let mut files = Self::default();
        for place in places {
            if place.is_file() {
                files.add_archive(place)?;
            } else {
                files.add_folder(place)?;
            }
        }
        // The order of a folder's entries is not always the same.
        files.by_name.values_mut().for_each(|found| found.sort_by(|a, b| a.name.cmp(&b.name)));
        Ok(files)
    }

    fn add_folder(&mut self, folder: &Path) -> Result<()> {
        let mut pending = vec![folder.to_owned()];
        while let Some(next) = pending.pop() {
            let entries = match fs::read_dir(&next) {
                Ok(entries) => entries,
                Err(error) if next == *folder => return Err(Error::io(folder, &error)),
                Err(_) => continue,
            };
            for entry in entries.flatten() {
                let path = entry.path();
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => pending.push(path),
                    Ok(_) => {
                        let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy();
                        self.add(SourceFile { name: name.into_owned(), place: Place::File(path) });
                    }
                    Err(_) => {}
                }
            }
        }
        Ok(())
    }

    fn add_archive(&mut self, path: &Path) -> Result<()> {
        let file = File::open(path).map_err(|error| Error::io(path, &error))?;
        let archive = ZipArchive::new(BufReader::new(file)).map_err(|error| {
            Error::new(format!(
                "{}: neither a folder nor a zip or jar file: {error}",
                path.display()
            ))
        })?;
        let number = self.archives.len();
        for entry in 0..archive.len() {
            if let Some(Ok(name)) = archive.name_for_index(entry) {
                self.add(SourceFile {
                    name: name.into_owned(),
                    place: Place::Entry(number, entry),
                });
            }
        }
        self.archives.push(RefCell::new(archive));
        Ok(())
    }

    fn add(&mut self, file: SourceFile) {
        let path = Path::new(&file.name);
        let extension = path.extension().and_then(|extension| extension.to_str());
        if !extension.is_some_and(|extension| EXTENSIONS.contains(&extension)) {
            return;
        }
        if let Some(name) = path.file_name().map(|name| name.to_string_lossy().into_owned()) {
            self.by_name.entry(name).or_default().push(file);
        }
    }

    /// The source file of a class: the one of that name in the folder of its
    /// package. `source_file` is what the class file says, possibly nothing.
    /// Kotlin and others may keep files elsewhere; then the only one of the name
    /// is taken.
    pub fn of_class(&self, class: &str, source_file: &str) -> Option<&SourceFile> {
        let (package, simple) = class.rsplit_once('.').unwrap_or(("", class));
        let outermost = simple.split_once('$').map_or(simple, |(outermost, _)| outermost);
        let found = if source_file.is_empty() {
            self.by_name.get(&format!("{outermost}.java"))?
        } else {
            self.by_name.get(source_file)?
        };
        let package: PathBuf = package.split('.').filter(|part| !part.is_empty()).collect();
        let in_package = |file: &&SourceFile| {
            Path::new(&file.name).parent().is_some_and(|folder| folder.ends_with(&package))
        };
        // The folder that was given may be that of the package, or lie below it.
        let in_given = |file: &&SourceFile| match &file.place {
            Place::File(path) => path.parent().is_some_and(|folder| folder.ends_with(&package)),
            Place::Entry(..) => false,
        };
        let only = (found.len() == 1 && !source_file.ends_with(".java")).then(|| &found[0]);
        found.iter().find(in_package).or_else(|| found.iter().find(in_given)).or(only)
    }

    /// What is said where not one class has a source file among these.
    pub const NONE_FOUND: &str = "none of the given source files belongs to these classes: \
                                  they are found by package and name, as org/example/App.java";

    /// The text of a file; `None` if it cannot be read, or is none.
    pub fn text(&self, file: &SourceFile) -> Option<String> {
        let mut bytes = Vec::new();
        match &file.place {
            Place::File(path) => {
                File::open(path).ok()?.take(LARGEST_FILE + 1).read_to_end(&mut bytes).ok()?;
            }
            Place::Entry(archive, entry) => {
                let mut archive = self.archives[*archive].borrow_mut();
                archive
                    .by_index(*entry)
                    .ok()?
                    .take(LARGEST_FILE + 1)
                    .read_to_end(&mut bytes)
                    .ok()?;
            }
        }
        let is_text = bytes.len() as u64 <= LARGEST_FILE;
        is_text.then(|| String::from_utf8_lossy(&bytes).into_owned())
    }
}
