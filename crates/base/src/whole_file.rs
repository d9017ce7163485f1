//! Files that have their name only when they are whole.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How many names are tried. Each is taken by chance once in four thousand million times.
const TRIES: usize = 16;

/// A temporary file is left alone for so long, also if nobody holds its lock: it may have
/// been created just now.
const GRACE: Duration = Duration::from_secs(60);

/// A file that is written beside its place and then moved there, so that the name
/// always stands for a whole profile. Dropped before, it leaves nothing behind.
///
/// The name that it has until then is drawn at random: the process id tells nothing apart
/// in containers, where it is always the same, and what a killed process leaves behind
/// must be in nobody's way. Its writer holds a lock of it, which ends with the writer, so
/// that the next one of the same name removes what was left behind.
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
    /// When there is something at `path` that is not a file and must stay, or when no
    /// file can be created there.
    pub fn create(path: &Path) -> io::Result<Self> {
        let name = check(path)?;
        for _ in 0..TRIES {
            let temporary = path.with_file_name(temporary_name(name));
            match create_private(&temporary) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                file => {
                    let whole = Self { file: file?, temporary, path: path.into() };
                    // Without it, where there are no locks, nobody removes it either.
                    let _ = whole.file.try_lock();
                    whole.check_owner()?;
                    whole.remove_abandoned(name);
                    return Ok(whole);
                }
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Refuses what [`WholeFile::complete`] could not do: in folders like `/tmp`, files are
    /// replaced by their owners only.
    #[cfg(unix)]
    fn check_owner(&self) -> io::Result<()> {
        use std::os::unix::fs::MetadataExt;
        const STICKY: u32 = 0o1000;
        let Ok(found) = fs::symlink_metadata(&self.path) else { return Ok(()) };
        let folder = fs::metadata(self.folder())?;
        let me = self.file.metadata()?.uid();
        if folder.mode() & STICKY == 0 || [found.uid(), folder.uid()].contains(&me) || me == 0 {
            return Ok(());
        }
        Err(io::Error::other("there is a file of another user"))
    }

    #[cfg(not(unix))]
    fn check_owner(&self) -> io::Result<()> {
        Ok(())
    }

    fn folder(&self) -> &Path {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder.unwrap_or(Path::new("."))
    }

    /// Removes temporary files of the same name whose writers have ended. What cannot be
    /// removed stays.
    fn remove_abandoned(&self, name: &OsStr) {
        let Ok(entries) = fs::read_dir(self.folder()) else { return };
        let is_temporary = |found: &OsStr| {
            let found = found.as_encoded_bytes().strip_prefix(name.as_encoded_bytes());
            matches!(found, Some([b'.', random @ .., b'.', b't', b'm', b'p'])
                if random.len() == 8 && random.iter().all(u8::is_ascii_hexdigit))
        };
        for entry in entries.flatten().filter(|entry| is_temporary(&entry.file_name())) {
            let Ok(found) = entry.metadata() else { continue };
            let age = found.modified().map(|then| SystemTime::now().duration_since(then));
            let is_old = matches!(age, Ok(Ok(age)) if age > GRACE);
            if found.is_file()
                && is_old
                && let Ok(file) = OpenOptions::new().write(true).open(entry.path())
                && file.try_lock().is_ok()
            {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// What is to be written to.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives the file its name, once the disk has what is in it: else the name would stand
    /// for an empty file after a failure of power. Readers of an older file of that name
    /// keep what they have.
    ///
    /// # Errors
    /// When the disk does not take what was written, or the file cannot be moved; what was
    /// there before stays.
    pub fn complete(self) -> io::Result<()> {
        match self.file.sync_all() {
            // Not every file system can.
            Err(error) if !is_unsupported(&error) => return Err(error),
            _ => {}
        }
        self.complete_early()?;
        // The name is there for all who look now. That it stays so after a failure of power
        // is more than some file systems promise.
        let _ = File::open(self.folder()).and_then(|folder| folder.sync_all());
        Ok(())
    }

    /// Gives the file its name, for what goes on to be written after that.
    ///
    /// # Errors
    /// When it cannot be moved; what was there before stays.
    pub fn complete_early(&self) -> io::Result<()> {
        fs::rename(&self.temporary, &self.path)
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        // Gone if it was completed; otherwise there is nothing more to be done.
        let _ = fs::remove_file(&self.temporary);
    }
}

fn is_unsupported(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported)
}

/// `fop.subsume.0a1b2c3d.tmp`.
fn temporary_name(name: &OsStr) -> std::ffi::OsString {
    // Drawn from the system for each thread, and another one each time.
    let random = RandomState::new().build_hasher().finish();
    let mut name = name.to_owned();
    name.push(format!(".{:08x}.tmp", random & 0xffff_ffff));
    name
}

/// The last part of a path at which a file may be written or replaced.
///
/// # Errors
/// When there is something at `path` that is not a file: a folder, a device like
/// `/dev/null`, a pipe. A symbolic link is refused, too: replacing it is not what
/// `/dev/stdout` was named for, and following it would let any user who may write
/// into the folder choose which file is replaced.
fn check(path: &Path) -> io::Result<&OsStr> {
    let Some(name) = path.file_name() else {
        return Err(io::Error::other("it is a folder; name a file"));
    };
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => {
            Err(io::Error::other("it is a symbolic link; name the file itself"))
        }
        Ok(found) if found.is_dir() => Err(io::Error::other("it is a folder; name a file")),
        Ok(found) if !found.is_file() => {
            Err(io::Error::other("it is a device, a pipe or a socket; name a file"))
        }
        _ => Ok(name),
    }
}

/// Creates a file that only its owner may read; there must be none. (On Windows, the
/// folder's permissions say who may read it.)
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

    /// As in containers, where each process has the id of the one before.
    #[test]
    fn what_killed_processes_left_is_in_nobodys_way() {
        let folder = folder("left");
        let path = folder.join("p");
        let id = std::process::id();
        fs::write(folder.join(format!("p.{id}.tmp")), "half").expect("a new file");
        std::mem::forget(WholeFile::create(&path).expect("it is killed now"));
        for _ in 0..3 {
            WholeFile::create(&path).and_then(WholeFile::complete).expect("names differ");
        }
        assert_eq!(fs::read(&path).expect("it is there"), b"");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 3, "what was left, and p");
        fs::remove_dir_all(&folder).expect("it is ours");
    }

    #[test]
    fn what_a_killed_writer_left_goes_with_the_next() {
        let folder = folder("abandoned");
        let path = folder.join("p");
        let (abandoned, new) = (folder.join("p.0123abcd.tmp"), folder.join("p.0123abce.tmp"));
        let other = folder.join("p.q.0123abcd.tmp");
        let hour_ago = SystemTime::now() - Duration::from_secs(3600);
        for left in [&abandoned, &new, &other] {
            let file = File::create(left).expect("a new file");
            if left != &new {
                file.set_modified(hour_ago).expect("it is ours");
            }
        }
        let writer = WholeFile::create(&path).expect("they are in nobody's way");
        assert!(!abandoned.exists() && new.exists() && other.exists());
        writer.file.set_modified(hour_ago).expect("it is ours");
        WholeFile::create(&path).and_then(WholeFile::complete).expect("a file may be replaced");
        assert!(writer.temporary.exists(), "its writer lives");
        drop(writer);
        fs::remove_dir_all(&folder).expect("it is ours");
    }

    #[test]
    fn many_may_write_one_file_at_a_time() {
        let folder = folder("many");
        let path = folder.join("p");
        let write = || {
            for _ in 0..100 {
                let mut whole = WholeFile::create(&path).expect("no other is in the way");
                whole.file().write_all(&[b'x'; 1000]).expect("room");
                whole.complete().expect("same folder");
                assert_eq!(fs::read(&path).expect("it is there").len(), 1000, "it is whole");
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(write);
            }
        });
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
