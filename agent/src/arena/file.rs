//! The file behind the arena.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// A file whose disk space is allocated before it is mapped.
#[derive(Debug)]
pub struct BackingFile(File);

impl BackingFile {
    /// Creates an empty file that only its owner may read. An older file of
    /// that name is removed first, so that its readers keep what they have
    /// and its permissions do not carry over.
    pub fn create(path: &Path) -> io::Result<Self> {
        check_replaceable(path)?;
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        create_private(path).map(Self)
    }

    /// Allocates disk space for a range and extends the file to its end.
    pub fn allocate(&self, offset: u64, length: u64) -> io::Result<()> {
        let range = (libc::off_t::try_from(offset), libc::off_t::try_from(length));
        let (Ok(offset), Ok(length)) = range else {
            return Err(io::ErrorKind::FileTooLarge.into());
        };
        // SAFETY: plain system call on a descriptor that `self` keeps open.
        match unsafe { libc::posix_fallocate(self.0.as_raw_fd(), offset, length) } {
            0 => Ok(()),
            code => Err(io::Error::from_raw_os_error(code)),
        }
    }
}

/// Refuses to replace what is no file: a folder, or a device like `/dev/null`.
pub fn check_replaceable(path: &Path) -> io::Result<()> {
    match std::fs::symlink_metadata(path) {
        Ok(found) if !found.is_file() && !found.is_symlink() => {
            Err(io::Error::other("there is something that is no file"))
        }
        _ => Ok(()),
    }
}

/// Creates a file that only its owner may read; there must be none.
pub fn create_private(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .mode(0o600)
        .custom_flags(libc::O_CLOEXEC)
        .open(path)
}

impl AsRawFd for BackingFile {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}
