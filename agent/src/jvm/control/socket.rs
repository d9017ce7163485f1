//! The socket at which commands arrive.

use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A command is one short line, sent at once.
const READING: Duration = Duration::from_secs(2);
/// Whoever stops reading a dump for so long gets no more of it.
const WRITING: Duration = Duration::from_secs(20);

/// Where the command looks, also below `/proc/PID/root`.
const FOLDER: &str = "/tmp";
/// Start of a socket's name; the process id follows.
const PREFIX: &str = ".subsume-";
/// A folder with more files than this is not worth the search.
const MOST_FILES: usize = 10_000;

/// A socket in `/tmp` that has the process id in its name. The command finds
/// it there, also in the `/tmp` of a container (`/proc/PID/root/tmp`).
#[derive(Debug)]
pub struct Socket {
    listener: UnixListener,
    path: PathBuf,
}

impl Socket {
    /// Makes the socket; only its owner may connect.
    ///
    /// # Errors
    /// What the system says, as when `/tmp` cannot be written.
    pub fn bind() -> io::Result<Self> {
        let path = Path::new(FOLDER).join(format!("{PREFIX}{}", std::process::id()));
        if is_ours(&path) {
            // Left from a process that had the same id. If it stays, binding fails.
            let _ = std::fs::remove_file(&path);
        }
        let listener = UnixListener::bind(&path)?;
        // Until then others can connect, but they get a refusal like all others.
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
        Ok(Self { listener, path })
    }

    /// Hands over one connection after the other, for ever. Those of other users
    /// are closed.
    pub fn each_connection(&self, mut each: impl FnMut(UnixStream)) {
        for connection in self.listener.incoming() {
            match connection {
                Ok(connection) if may_command(&connection) && set_limits(&connection) => {
                    each(connection);
                }
                Ok(_) => {}
                // No descriptor is free, for instance.
                Err(_) => std::thread::sleep(Duration::from_millis(100)),
            }
        }
    }

    /// Removes the name of the socket.
    pub fn remove(&self) {
        // Somebody who cleans up `/tmp` may have been faster.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Writes why the agent does not work into the file `/tmp/.subsume-PID.refusal`, if it is
/// there. Without it nobody wants to know.
pub fn tell_refusal(message: &str) {
    let path = Path::new(FOLDER).join(format!("{PREFIX}{}.refusal", std::process::id()));
    let mut options = std::fs::OpenOptions::new();
    // Anybody can put a link there.
    options.write(true).custom_flags(libc::O_NOFOLLOW);
    if let Ok(mut file) = options.open(path) {
        let _ = file.write_all(message.as_bytes());
    }
}

/// True for a socket of the user that the process runs as.
fn is_ours(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|found| {
        // SAFETY: always succeeds.
        found.file_type().is_socket() && found.uid() == unsafe { libc::geteuid() }
    })
}

/// Removes the sockets of processes that were killed: nobody listens there.
pub fn remove_left_over() {
    let Ok(folder) = std::fs::read_dir(FOLDER) else { return };
    for entry in folder.flatten().take(MOST_FILES) {
        // A young one may belong to a process that is about to listen.
        let age = entry.metadata().and_then(|found| found.modified()).map(|at| at.elapsed());
        let is_old = age.is_ok_and(|age| age.is_ok_and(|age| age > Duration::from_secs(60)));
        if !entry.file_name().to_string_lossy().starts_with(PREFIX)
            || !is_old
            || !is_ours(&entry.path())
        {
            continue;
        }
        let refused = UnixStream::connect(entry.path())
            .is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused);
        if refused {
            // Another process may have been faster.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn set_limits(connection: &UnixStream) -> bool {
    connection.set_read_timeout(Some(READING)).is_ok()
        && connection.set_write_timeout(Some(WRITING)).is_ok()
}

/// True for the user that the process runs as, and for root.
fn may_command(connection: &UnixStream) -> bool {
    let mut peer = libc::ucred { pid: 0, uid: u32::MAX, gid: u32::MAX };
    let mut size = size_of::<libc::ucred>() as libc::socklen_t;
    // SAFETY: `peer` has room for `size` bytes; the descriptor is open.
    let code = unsafe {
        libc::getsockopt(
            connection.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            (&raw mut peer).cast(),
            &mut size,
        )
    };
    // SAFETY: always succeeds.
    code == 0 && (peer.uid == 0 || peer.uid == unsafe { libc::geteuid() })
}
