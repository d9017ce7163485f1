//! The file behind the arena.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, RawFd};

/// Not in the libc crate: no copy on write (`linux/fs.h`).
const FS_NOCOW_FL: libc::c_int = 0x0080_0000;
/// Not in the libc crate: a file system in memory without limit (`linux/magic.h`).
const RAMFS_MAGIC: libc::c_long = 0x8584_58f6;

/// A file whose disk space is allocated before it is mapped.
#[derive(Debug)]
pub struct BackingFile(File);

impl BackingFile {
    /// Takes a new file, which is empty.
    pub fn new(file: File) -> Self {
        let file = Self(file);
        file.write_in_place();
        // By this readers know that the file is being recorded; where the file system has
        // no locks, they take it for one that was cut short.
        let _ = file.0.try_lock();
        file
    }

    /// Asks a file system that writes every change to a new place (btrfs) not to
    /// do so here. It would need room that was not allocated, and when there is
    /// none, an access to a mapped page fails. Others do not know the request.
    fn write_in_place(&self) {
        let mut flags: libc::c_int = 0;
        // SAFETY: both requests take the address of an int, and this one is ours.
        unsafe {
            if libc::ioctl(self.0.as_raw_fd(), libc::FS_IOC_GETFLAGS, &mut flags) == 0 {
                flags |= FS_NOCOW_FL;
                libc::ioctl(self.0.as_raw_fd(), libc::FS_IOC_SETFLAGS, &flags);
            }
        }
    }

    /// True if the file lies in memory, so that its pages take memory for good.
    pub fn is_in_memory(&self) -> bool {
        // SAFETY: the structure is plain data, for which zeros are valid, and a place
        // for the result.
        unsafe {
            let mut system: libc::statfs = std::mem::zeroed();
            libc::fstatfs(self.0.as_raw_fd(), &mut system) == 0
                && [libc::TMPFS_MAGIC, RAMFS_MAGIC].contains(&system.f_type)
        }
    }

    /// A file in memory without a name, for a recording that cannot be kept.
    ///
    /// # Errors
    /// If the system has no memory for it.
    pub fn in_memory() -> io::Result<Self> {
        // SAFETY: the name ends with a zero byte; a new descriptor is ours.
        unsafe {
            match libc::memfd_create(c"subsume".as_ptr(), libc::MFD_CLOEXEC) {
                -1 => Err(io::Error::last_os_error()),
                descriptor => Ok(Self(File::from_raw_fd(descriptor))),
            }
        }
    }

    /// Allocates disk space for a range and extends the file to its end.
    ///
    /// # Errors
    /// If there is no space, or files of the system cannot be so large.
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

    /// Bytes that the file has; `None` if the system does not say.
    pub fn length(&self) -> Option<u64> {
        self.0.metadata().ok().map(|metadata| metadata.len())
    }

    /// Gives back what was allocated behind `length` when that came to nothing.
    pub fn shorten(&self, length: u64) {
        // If it fails, the file is longer than it need be, and reads the same.
        let _ = self.0.set_len(length);
    }
}

impl AsRawFd for BackingFile {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}
