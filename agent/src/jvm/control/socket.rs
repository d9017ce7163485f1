//! The socket at which commands arrive.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base::known_names::{FOLDER, PREFIX, not_own, refusal, sockets};
use base::tell;

/// A command is one short line, sent at once.
const READING: Duration = Duration::from_secs(2);
/// How long a client may stop reading a dump before the dump is broken off.
const WRITING: Duration = Duration::from_secs(20);

/// A folder with more files than this is not worth the search.
const MOST_FILES: usize = 10_000;

/// A socket in `/tmp` that has the process id in its name. The command finds
/// it there, also in the `/tmp` of a container (`/proc/PID/root/tmp`).
#[derive(Debug)]
pub struct Socket {
    listener: UnixListener,
    path: PathBuf,
    /// What tells it from another one that has its name.
    identity: (u64, u64),
}

impl Socket {
    /// Makes the socket; only its owner may connect. It has its name only when it listens,
    /// so that nobody takes it for one that was left behind. Where that name is somebody
    /// else's, of another user or of a process of the same id in another container, it gets
    /// the next one.
    ///
    /// # Errors
    /// What the system says, as when `/tmp` cannot be written; `AddrInUse` if all names are
    /// others'.
    pub fn bind() -> io::Result<Self> {
        let folder = Path::new(FOLDER);
        let id = std::process::id();
        let own = folder.join(format!("{PREFIX}{id}.{:x}.new", unique()));
        let listener = UnixListener::bind(&own)?;
        let named = fs::set_permissions(&own, Permissions::from_mode(0o600)).and_then(|()| {
            let made = fs::symlink_metadata(&own)?;
            let path = take_name(&own, sockets(id).map(|name| folder.join(name)))?;
            Ok((path, (made.dev(), made.ino())))
        });
        // It has another name now, or nobody will come.
        let _ = fs::remove_file(&own);
        let (path, identity) = named?;
        Ok(Self { listener, path, identity })
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

    /// Removes the name of the socket, unless it is another's by now.
    pub fn remove(&self) {
        let is_this = |found: fs::Metadata| (found.dev(), found.ino()) == self.identity;
        if fs::symlink_metadata(&self.path).is_ok_and(is_this) {
            // Somebody who cleans up `/tmp` may have been faster.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Gives a socket the first of these names that it can have.
fn take_name(socket: &Path, names: impl Iterator<Item = PathBuf>) -> io::Result<PathBuf> {
    for name in names {
        let is_free = || match fs::hard_link(socket, &name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            // Not every file system has links.
            Err(_) if fs::symlink_metadata(&name).is_err() => {
                fs::rename(socket, &name).map(|()| true)
            }
            linked => linked.map(|()| true),
        };
        if is_free()? || (remove_if_left_over(&name) && is_free()?) {
            return Ok(name);
        }
    }
    Err(io::ErrorKind::AddrInUse.into())
}

/// Different in each process, also in containers with one `/tmp`, and at each call.
fn unique() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish()
}

/// Writes why the agent does not work into the file `/tmp/.subsume-PID.refusal`, if it is
/// there. Without it nobody wants to know.
pub fn tell_refusal(message: &str) {
    static TOLD: AtomicBool = AtomicBool::new(false);
    let path = Path::new(FOLDER).join(refusal(std::process::id()));
    match write_refusal(&path, message) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) if !TOLD.swap(true, Ordering::Relaxed) => {
            tell!("nothing is recorded: {message} (the command is not told: {error})");
        }
        _ => {}
    }
}

/// Anybody can put something there: a link, or a pipe, to open which the thread that serves
/// `jstack` would wait for ever.
fn write_refusal(path: &Path, message: &str) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC);
    let mut file = match options.open(path) {
        // A link, or a pipe that nobody reads.
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(not_own(path));
        }
        file => file?,
    };
    let found = file.metadata()?;
    // A second link leads to a file that is elsewhere, too.
    if !found.is_file() || found.uid() != own_user() || found.nlink() != 1 {
        return Err(not_own(path));
    }
    file.write_all(message.as_bytes())
}

/// The user that the process runs as.
pub(super) fn own_user() -> u32 {
    // SAFETY: always succeeds.
    unsafe { libc::geteuid() }
}

/// Removes the sockets of processes that were killed: nobody listens there.
pub fn remove_left_over() {
    let Ok(folder) = fs::read_dir(FOLDER) else { return };
    for entry in folder.flatten().take(MOST_FILES) {
        // A young one may belong to a process that is about to listen.
        let age = entry.metadata().and_then(|found| found.modified()).map(|at| at.elapsed());
        let is_old = age.is_ok_and(|age| age.is_ok_and(|age| age > Duration::from_secs(60)));
        if entry.file_name().as_bytes().starts_with(PREFIX.as_bytes()) && is_old {
            remove_if_left_over(&entry.path());
        }
    }
}

/// Removes a socket of ours at which nobody listens; true if it is gone. One that somebody
/// listens at stays, whatever its name says: its process may be in another container, where
/// ids are others.
fn remove_if_left_over(path: &Path) -> bool {
    let identity = |path| -> io::Result<(u64, u64)> {
        let found = fs::symlink_metadata(path)?;
        let is_ours = found.file_type().is_socket() && found.uid() == own_user();
        if is_ours { Ok((found.dev(), found.ino())) } else { Err(io::ErrorKind::Other.into()) }
    };
    let Ok(before) = identity(path) else { return false };
    is_deserted(path)
        // Another process may have been faster, and listens there now.
        && identity(path).is_ok_and(|now| now == before)
        && fs::remove_file(path).is_ok()
}

/// Whether nobody listens at a socket. Asked without waiting: a process that is stopped
/// listens, too, and may have as many connections as it can.
fn is_deserted(path: &Path) -> bool {
    // SAFETY: the address is plain data, for which zeros are valid; its path ends with a zero,
    // since it is shorter than the room for it. A new descriptor is ours.
    unsafe {
        let mut address: libc::sockaddr_un = std::mem::zeroed();
        address.sun_family = libc::AF_UNIX as libc::sa_family_t;
        let bytes = path.as_os_str().as_bytes();
        if bytes.len() >= address.sun_path.len() {
            return false;
        }
        for (at, &byte) in address.sun_path.iter_mut().zip(bytes) {
            *at = byte as libc::c_char;
        }
        let kind = libc::SOCK_STREAM | libc::SOCK_NONBLOCK | libc::SOCK_CLOEXEC;
        let descriptor = libc::socket(libc::AF_UNIX, kind, 0);
        if descriptor < 0 {
            return false;
        }
        let socket = OwnedFd::from_raw_fd(descriptor);
        let length = size_of::<libc::sockaddr_un>() as libc::socklen_t;
        libc::connect(socket.as_raw_fd(), (&raw const address).cast(), length) != 0
            && io::Error::last_os_error().kind() == io::ErrorKind::ConnectionRefused
    }
}

fn set_limits(connection: &UnixStream) -> bool {
    connection.set_read_timeout(Some(READING)).is_ok()
        && connection.set_write_timeout(Some(WRITING)).is_ok()
}

/// True for the user that the process runs as, and for root.
fn may_command(connection: &UnixStream) -> bool {
    peer(connection).is_some_and(|peer| peer.uid == 0 || peer.uid == own_user())
}

/// Who is at the other end, as the kernel says.
pub(super) fn peer(connection: &UnixStream) -> Option<libc::ucred> {
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
    (code == 0).then_some(peer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("subsume-{}-{name}", std::process::id()));
        fs::create_dir(&folder).expect("a new name");
        folder
    }

    fn make_pipe(path: &Path) {
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.expect("mkfifo can be started").success());
    }

    #[test]
    fn a_refusal_goes_into_a_file_of_ours_only() {
        let folder = folder("refusal");
        let [file, link, second, pipe, none] =
            ["file", "link", "second", "pipe", "none"].map(|name| folder.join(name));
        fs::write(&file, "").expect("a new file");
        write_refusal(&file, "because").expect("it is ours");
        assert_eq!(fs::read(&file).expect("it is there"), b"because");
        std::os::unix::fs::symlink(&file, &link).expect("a new name");
        assert!(write_refusal(&link, "link").is_err());
        make_pipe(&pipe);
        assert!(write_refusal(&pipe, "nobody reads").is_err());
        let reader = fs::OpenOptions::new().read(true).write(true).open(&pipe);
        assert!(write_refusal(&pipe, "somebody reads").is_err());
        drop(reader);
        let missing = write_refusal(&none, "none").expect_err("nobody asks");
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        fs::hard_link(&file, &second).expect("a new name");
        assert!(write_refusal(&second, "second").is_err());
        assert_eq!(fs::read(&file).expect("it is there"), b"because");
        fs::remove_dir_all(&folder).expect("it is ours");
    }

    #[test]
    fn names_of_others_are_left_to_them() {
        let folder = folder("names");
        let names = || ["a", "b", "c", "d"].map(|name| folder.join(name)).into_iter();
        make_pipe(&folder.join("a"));
        let live = UnixListener::bind(folder.join("b")).expect("a new name");
        drop(UnixListener::bind(folder.join("c")).expect("a new name"));
        let own = folder.join("own");
        let _listener = UnixListener::bind(&own).expect("a new name");
        // That of a process that has ended.
        assert_eq!(take_name(&own, names()).expect("one is free"), folder.join("c"));
        assert!(!is_deserted(&folder.join("c")) && !is_deserted(&folder.join("b")));
        assert_eq!(take_name(&own, names()).expect("one is free"), folder.join("d"));
        let taken = take_name(&own, names()).expect_err("there are no more");
        assert_eq!(taken.kind(), io::ErrorKind::AddrInUse);
        drop(live);
        assert_eq!(take_name(&own, names()).expect("one is free"), folder.join("b"));
        fs::remove_dir_all(&folder).expect("it is ours");
    }
}
