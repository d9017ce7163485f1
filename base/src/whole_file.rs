//! Files that have their name only when they are whole.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// A file that is written beside its place and then moved there, so that the name
/// always stands for a whole profile. Dropped before, it leaves nothing behind.
#[derive(Debug)]
pub struct WholeFile {
    file: File,
    temporary: PathBuf,
    path: PathBuf,
}

impl WholeFile {
    /// Creates an empty file that only its owner may read, since names of classes
    /// and command lines are nobody else's business.
    ///
    /// # Errors
    /// When there is something at `path` that must stay (see [`beside`]), or when no
    /// file can be created there.
    pub fn create(path: &Path) -> io::Result<Self> {
        let temporary = beside(path)?;
        Ok(Self { file: create_private(&temporary)?, temporary, path: path.into() })
    }

    /// What is to be written to.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives the file its name. Readers of an older file of that name keep what
    /// they have.
    ///
    /// # Errors
    /// When the file cannot be moved; what was there before stays.
    pub fn complete(self) -> io::Result<()> {
        fs::rename(&self.temporary, &self.path)
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        // Gone if it was completed; otherwise there is nothing more to be done.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// Where a file is until it may have its name: in the same folder.
///
/// # Errors
/// When there is something at `path` that is no file: a folder, a device like
/// `/dev/null`, a pipe. A symbolic link is refused, too: to replace it is not what
/// `/dev/stdout` was named for, and to follow it lets whoever may write into the
/// folder choose which file is replaced.
pub fn beside(path: &Path) -> io::Result<PathBuf> {
    let Some(name) = path.file_name() else {
        return Err(io::Error::other("there is a folder"));
    };
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => {
            return Err(io::Error::other("there is a symbolic link; name the file itself"));
        }
        Ok(found) if found.is_dir() => return Err(io::Error::other("there is a folder")),
        Ok(found) if !found.is_file() => {
            return Err(io::Error::other("there is something that is no file"));
        }
        _ => {}
    }
    let mut name = name.to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(name))
}

/// Creates a file that only its owner may read; there must be none. (On Windows,
/// whoever the folder's permissions let read may read it.)
///
/// # Errors
/// When there is one, or it cannot be created.
pub fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::unix::fs::symlink;

    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("subsume-{}-{name}", std::process::id()));
        fs::create_dir(&folder).expect("a new name");
        folder
    }

    #[test]
    fn a_file_is_replaced_when_it_is_whole() {
        let folder = folder("whole");
        let path = folder.join("p");
        fs::write(&path, "old").expect("a new file");
        let mut abandoned = WholeFile::create(&path).expect("a file may be replaced");
        abandoned.file().write_all(b"half").expect("room");
        drop(abandoned);
        assert_eq!(fs::read(&path).expect("it stays"), b"old");
        let mut whole = WholeFile::create(&path).expect("a file may be replaced");
        whole.file().write_all(b"new").expect("room");
        whole.complete().expect("same folder");
        assert_eq!(fs::read(&path).expect("it is there"), b"new");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1, "nothing is left beside");
        fs::remove_dir_all(&folder).expect("it is ours");
    }

    #[test]
    fn what_is_no_file_stays() {
        let folder = folder("stays");
        let (inner, link, dangling) = (folder.join("d"), folder.join("l"), folder.join("n"));
        fs::create_dir(&inner).expect("a new name");
        fs::write(folder.join("target"), "data").expect("a new file");
        symlink("target", &link).expect("a new name");
        symlink("nothing", &dangling).expect("a new name");
        for path in [&inner, &link, &dangling, Path::new("/dev/null"), Path::new("/")] {
            assert!(WholeFile::create(path).is_err(), "{}", path.display());
        }
        assert_eq!(fs::read(&link).expect("it leads to the file"), b"data");
        fs::remove_dir_all(&folder).expect("it is ours");
    }
}
