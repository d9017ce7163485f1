//! Finding the source files of classes in folders and archives.

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use zip::ZipArchive;

use tree::error::{Error, Result};
use tree::owners::{OwnSources, package_of};

/// Languages whose compilers write class files.
const EXTENSIONS: [&str; 5] = ["java", "kt", "scala", "groovy", "clj"];
/// A larger file was not written by a person.
const LARGEST_FILE: u64 = 4 << 20;

/// Source files in some folders and archives, by their names.
#[derive(Debug, Clone, Default)]
pub struct SourceFiles {
    by_name: FxHashMap<String, Vec<SourceFile>>,
    archives: Vec<Arc<Mutex<ZipArchive<BufReader<File>>>>>,
    /// The folders that were given.
    folders: Vec<PathBuf>,
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

impl SourceFile {
    /// Where it lies; `None` of one in an archive.
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::File(path) => Some(path),
            Place::Entry(..) => None,
        }
    }
}

/// The name of a class's source file where the class file does not say it: that of the
/// outermost class.
fn usual_name(class: &str) -> String {
    let named = class.split('/').next().unwrap_or_default();
    let simple = named.rsplit_once('.').map_or(named, |(_, simple)| simple);
    let outermost = simple.split_once('$').map_or(simple, |(outermost, _)| outermost);
    format!("{outermost}.java")
}

/// Where the source file of a class usually lies below its sources: in the folder of its
/// package. `source_file` is what the class file says, possibly nothing.
pub fn usual_path(class: &str, source_file: &str) -> String {
    let name = match source_file {
        "" => usual_name(class),
        name => name.to_owned(),
    };
    match package_of(class) {
        "" => name,
        package => format!("{}/{name}", package.replace('.', "/")),
    }
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
                files.folders.push(place.clone());
            }
        }
        files.sort();
        Ok(files)
    }

    /// The same, and what is in these archives, as far as they can be read.
    pub fn with_archives(mut self, archives: &[PathBuf]) -> Self {
        for archive in archives {
            // Nobody has asked for it.
            let _ = self.add_archive(archive);
        }
        self.sort();
        self
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// The order of a folder's entries is not always the same.
    fn sort(&mut self) {
        self.by_name.values_mut().for_each(|found| found.sort_by(|a, b| a.name.cmp(&b.name)));
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
        self.archives.push(Arc::new(Mutex::new(archive)));
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
        let found = self.named(class, source_file);
        let only = (found.len() == 1 && !source_file.ends_with(".java")).then(|| &found[0]);
        let package = package_of(class);
        let folder = package.replace('.', "/");
        let in_package = |file: &&SourceFile| {
            Path::new(&file.name).parent().is_some_and(|parent| parent.ends_with(&folder))
        };
        // The folder that was given may be that of the package, or lie below it.
        let in_given = |file: &&SourceFile| match &file.place {
            Place::File(path) => path.parent().is_some_and(|parent| parent.ends_with(&folder)),
            Place::Entry(..) => false,
        };
        found.iter().find(in_package).or_else(|| found.iter().find(in_given)).or(only)
    }

    /// The source files of the name that a class's has.
    fn named(&self, class: &str, source_file: &str) -> &[SourceFile] {
        let found = match source_file {
            "" => self.by_name.get(&usual_name(class)),
            name => self.by_name.get(name),
        };
        found.map_or(&[], Vec::as_slice)
    }

    /// Whether a file is in a folder that was given, and of the class's package: by its own
    /// folder, or, as not all compilers ask for that, by what it says.
    fn is_own(&self, file: &SourceFile, class: &str) -> bool {
        let Place::File(path) = &file.place else { return false };
        let package = package_of(class);
        let folder = package.replace('.', "/");
        if path.parent().is_some_and(|parent| parent.ends_with(&folder)) {
            return true;
        }
        let declares = |line: &str| {
            let named = line.trim().strip_prefix("package ");
            named.is_some_and(|named| named.trim_end_matches(';').trim() == package)
        };
        self.text(file).is_some_and(|text| text.lines().any(declares))
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
                let archive = self.archives[*archive].lock();
                let mut archive = archive.unwrap_or_else(PoisonError::into_inner);
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

/// What lies in folders is one's own; archives are of libraries, or of the JDK.
impl OwnSources for SourceFiles {
    fn contains(&self, class: &str, source_file: &str) -> bool {
        self.named(class, source_file).iter().any(|file| self.is_own(file, class))
    }

    fn places(&self) -> String {
        let folders: Vec<String> =
            self.folders.iter().map(|folder| folder.display().to_string()).collect();
        folders.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_paths_are_those_of_packages() {
        assert_eq!(usual_path("shop.Till$Drawer", ""), "shop/Till.java");
        assert_eq!(usual_path("shop.odd.TillKt", "Till.kt"), "shop/odd/Till.kt");
        assert_eq!(usual_path("Till", ""), "Till.java");
        assert_eq!(usual_path("shop.Till$$Lambda/0x1", ""), "shop/Till.java");
    }

    #[test]
    fn sources_in_folders_are_ones_own() {
        let folder = std::env::temp_dir().join(format!("own-sources-{}", std::process::id()));
        let source = folder.join("src/shop");
        fs::create_dir_all(&source).expect("a folder can be made");
        fs::write(source.join("Till.java"), "package shop;").expect("it can be written");
        fs::write(folder.join("src/Stray.java"), "// Of the shop.\npackage shop;\n")
            .expect("it can be written");
        fs::write(folder.join("src/Loose.kt"), "package shop.loose\n").expect("it can be written");
        let below = |name: &str| SourceFiles::below(&[folder.join(name)]).expect("it is there");
        let files = below("src");
        for (class, source_file, expected) in [
            ("shop.Till", "Till.java", true),
            ("shop.Till$Drawer", "", true),
            ("lib.Till", "Till.java", false),
            ("Till", "Till.java", true),
            ("shop.Stray", "Stray.java", true),
            ("lib.Stray", "Stray.java", false),
            ("shop.loose.LooseKt", "Loose.kt", true),
            ("lib.LooseKt", "Loose.kt", false),
        ] {
            assert_eq!(files.contains(class, source_file), expected, "{class}");
        }
        assert!(below("src/shop").contains("shop.Till", "Till.java"), "of the package itself");
        assert_eq!(files.places(), folder.join("src").display().to_string());
        fs::remove_dir_all(&folder).expect("it was made");
    }
}
