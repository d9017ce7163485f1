//! The folder of a dataset: where its files are, and how they get there.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use base::whole_file::create_private;

use crate::run::Run;
use tree::error::{Error, Result};

/// Where files are until they are whole. Engines pass over names that begin so.
const UNFINISHED: &str = "_unfinished";
/// Files there that are older belong to no process any more.
const ABANDONED_SECONDS: u64 = 86_400;

/// A kind of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A row for each run.
    Runs,
    /// Names of methods.
    Methods,
    /// Costs of methods.
    MethodRuns,
    /// Dominators of methods.
    Dominators,
    /// Whole profiles.
    Trees,
    /// Calling contexts.
    Contexts,
    /// Profiles without their contexts.
    Heads,
}

impl Kind {
    fn folder(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::Methods => "methods",
            Self::MethodRuns => "method_runs",
            Self::Dominators => "dominators",
            Self::Trees => "trees",
            Self::Contexts => "contexts",
            Self::Heads => "heads",
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Trees | Self::Heads => ".subsume.gz",
            _ => ".parquet",
        }
    }
}

/// A dataset.
#[derive(Debug, Clone)]
pub struct Dataset {
    root: PathBuf,
}

impl Dataset {
    /// Opens a dataset.
    ///
    /// # Errors
    /// If there is none.
    pub fn open(root: &Path) -> Result<Self> {
        let runs = root.join(Kind::Runs.folder());
        match fs::metadata(&runs) {
            Ok(found) if found.is_dir() => Ok(Self { root: root.to_owned() }),
            Ok(_) => Err(Error::new(format!("{}: this is not a folder", runs.display()))),
            Err(error) if error.kind() == ErrorKind::NotFound => Err(Error::new(format!(
                "{}: there is no fleet; 'subsume fleet add' makes one",
                root.display()
            ))),
            Err(error) => Err(Error::io(root, &error)),
        }
    }

    /// Opens a dataset, which is made if there is none.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn create(root: &Path) -> Result<Self> {
        let has_files = entries(root).is_ok_and(|found| !found.is_empty());
        // Asked for afterwards: another add that makes the fleet meanwhile makes this first.
        if has_files && !root.join(Kind::Runs.folder()).is_dir() {
            return Err(Error::new(format!(
                "{}: this folder has other files and is not a fleet; name an empty one, or one \
                 that is not there yet",
                root.display()
            )));
        }
        for folder in [Kind::Runs.folder(), UNFINISHED] {
            let folder = root.join(folder);
            fs::create_dir_all(&folder).map_err(|error| Error::io(&folder, &error))?;
        }
        let dataset = Self { root: root.to_owned() };
        dataset.remove_abandoned();
        Ok(dataset)
    }

    /// Where a file of a run is.
    pub fn path(&self, kind: Kind, run: &Run) -> PathBuf {
        let folder = self.root.join(kind.folder());
        let folder = folder.join(partition("program", &run.program));
        let folder = match kind {
            Kind::Methods => folder,
            _ => folder.join(partition("date", &run.date)),
        };
        folder.join(format!("{}{}", run.id, kind.extension()))
    }

    /// Where a table of methods of a program is.
    pub fn method_table(&self, program: &str, table: &str) -> PathBuf {
        let folder = self.root.join(Kind::Methods.folder()).join(partition("program", program));
        folder.join(format!("{table}{}", Kind::Methods.extension()))
    }

    /// Names of the tables of methods of a program.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn method_tables(&self, program: &str) -> Result<Vec<String>> {
        let folder = self.root.join(Kind::Methods.folder()).join(partition("program", program));
        let mut names = Vec::new();
        for path in entries(&folder)? {
            names.extend(stem(&path, Kind::Methods).map(str::to_owned));
        }
        Ok(names)
    }

    /// The files of the table `runs` by the numbers of the runs. No file is opened.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn run_files(&self) -> Result<BTreeMap<String, PathBuf>> {
        let mut files = BTreeMap::new();
        for program in entries(&self.root.join(Kind::Runs.folder()))? {
            if !program.is_dir() {
                continue;
            }
            for date in entries(&program)? {
                if !date.is_dir() {
                    continue;
                }
                for path in entries(&date)? {
                    if let Some(run) = stem(&path, Kind::Runs) {
                        files.insert(run.to_owned(), path.clone());
                    }
                }
            }
        }
        Ok(files)
    }

    /// All runs, by program and start.
    ///
    /// # Errors
    /// If a file of the table `runs` cannot be read.
    pub fn runs(&self) -> Result<Vec<Run>> {
        let mut runs = Vec::new();
        for path in self.run_files()?.into_values() {
            runs.push(Run::read(&path)?);
        }
        runs.sort_by(|one, other| {
            let key = |run: &Run| (run.program.clone(), run.start_millis, run.id.clone());
            key(one).cmp(&key(other))
        });
        Ok(runs)
    }

    /// Adds a file, which appears when it is whole. What is there already stays: files of
    /// one name hold the same.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&self, path: &Path, write: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
        if path.exists() {
            return Ok(());
        }
        self.place(path, write, |unfinished| fs::rename(unfinished, path))
    }

    /// Adds a file that may differ from one of the same name, such as labels, that another
    /// process adds at this moment; false if that one was the first.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn claim(&self, path: &Path, write: impl FnOnce(&mut File) -> Result<()>) -> Result<bool> {
        let mut is_first = true;
        self.place(path, write, |unfinished| match fs::hard_link(unfinished, path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                is_first = false;
                Ok(())
            }
            // File systems without hard links have no such order.
            Err(_) if !path.exists() => fs::rename(unfinished, path),
            linked => linked,
        })?;
        Ok(is_first)
    }

    /// Writes a file, which is its owner's only, and puts it where it belongs.
    fn place(
        &self,
        path: &Path,
        write: impl FnOnce(&mut File) -> Result<()>,
        put: impl FnOnce(&Path) -> std::io::Result<()>,
    ) -> Result<()> {
        let failed = |error: std::io::Error| Error::io(path, &error);
        let unfinished = Unfinished::new(&self.root);
        let mut file = create_private(&unfinished.0).map_err(failed)?;
        write(&mut file)?;
        // After a power failure, too, a name stands for a whole file.
        file.sync_all().map_err(failed)?;
        drop(file);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        put(&unfinished.0).map_err(failed)
    }

    /// Removes what adds that were killed have left. That others do so at the same time,
    /// or that it cannot be removed, does no harm.
    fn remove_abandoned(&self) {
        let Ok(found) = entries(&self.root.join(UNFINISHED)) else { return };
        for path in found {
            let age = path
                .metadata()
                .and_then(|found| found.modified())
                .ok()
                .and_then(|modified| SystemTime::now().duration_since(modified).ok());
            if age.is_some_and(|age| age.as_secs() > ABANDONED_SECONDS) {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// A file that is being written. Gone when it is dropped, unless it has been moved.
struct Unfinished(PathBuf);

impl Unfinished {
    /// A name that no other process takes, on whatever machine.
    fn new(root: &Path) -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let process = std::process::id();
        Self(root.join(UNFINISHED).join(format!("{process}-{}-{number}", now.as_nanos())))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // Gone if it was moved.
        let _ = fs::remove_file(&self.0);
    }
}

/// What is in a folder, in the order of the names; nothing if there is no folder.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let read = match fs::read_dir(folder) {
        Ok(read) => read,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::io(folder, &error)),
    };
    let mut paths = Vec::new();
    for entry in read {
        paths.push(entry.map_err(|error| Error::io(folder, &error))?.path());
    }
    paths.sort();
    Ok(paths)
}

/// The name of a file of this kind without its extension; `None` for other files.
fn stem(path: &Path, kind: Kind) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    let is_hidden = name.starts_with(['.', '_']);
    name.strip_suffix(kind.extension()).filter(|_| !is_hidden)
}

/// The name of a partition's folder, as Hive has it; what cannot be in it is written as
/// `%` and two digits.
fn partition(key: &str, value: &str) -> String {
    if value.is_empty() {
        return format!("{key}=__HIVE_DEFAULT_PARTITION__");
    }
    let mut name = format!("{key}=");
    for byte in value.bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        match is_plain {
            true => name.push(byte.into()),
            false => name += &format!("%{byte:02X}"),
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::partition;

    #[test]
    fn partitions_are_names_of_folders() {
        assert_eq!(partition("program", "org.example.App"), "program=org.example.App");
        assert_eq!(partition("program", "a/b=c d"), "program=a%2Fb%3Dc%20d");
        assert_eq!(partition("date", ""), "date=__HIVE_DEFAULT_PARTITION__");
        assert_eq!(partition("program", ".."), "program=..");
    }
}
