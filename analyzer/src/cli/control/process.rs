//! The process that a command is for.

use std::fs;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use base::known_names::{self, Trigger};
use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};
use tree::error::{Error, Result};

/// What is said of a process in which there is no JVM.
pub const NO_JVM: &str = "is not a JVM, or is starting or ending";

/// Whether a socket, if there is one, is this user's.
type IsOwn = fn(&Path, u32) -> io::Result<bool>;

/// A live process of a user whom we may command.
#[derive(Debug)]
pub struct Process {
    /// Its id where the command runs.
    pub id: u32,
    /// The user that it runs as.
    pub user: u32,
    /// Its id in its innermost namespace.
    inner: u32,
}

impl Process {
    /// Looks a process up.
    ///
    /// # Errors
    /// When there is none, or it belongs to another user.
    pub fn find(id: u32) -> Result<Self> {
        let Some(user) = user_of(id).filter(|_| !has_ended(id)) else {
            remove_left_over(id);
            return Err(Error::new(format!("there is no process {id}")));
        };
        let me = rustix::process::geteuid();
        if !me.is_root() && user != me.as_raw() {
            return Err(Error::new(format!("process {id} belongs to another user")));
        }
        // In a container, the process has another id and another /tmp.
        let inner = inner_id(id).unwrap_or(id);
        Ok(Self { id, user, inner })
    }

    /// Where its agent may wait, if it has one.
    pub fn sockets(&self) -> impl Iterator<Item = PathBuf> + use<'_> {
        let folder = self.tmp();
        known_names::sockets(self.inner).map(move |name| folder.join(name))
    }

    /// The file into which its agent writes why it does not work.
    pub fn refusal(&self) -> PathBuf {
        self.tmp().join(known_names::refusal(self.inner))
    }

    /// Makes the file at which its JVM looks when it gets `SIGQUIT`.
    ///
    /// # Errors
    /// If the JVM would take it, or another one, for nobody's wish.
    pub fn trigger(&self) -> io::Result<Trigger> {
        let working = PathBuf::from(format!("/proc/{}/cwd", self.id));
        Trigger::make(&self.tmp(), &working, self.inner, self.user)
    }

    /// Connects to its agent, if it has one that waits at this socket.
    ///
    /// # Errors
    /// As [`Process::connect_to_jvm`].
    pub fn connect_to_agent(&self, socket: &Path) -> io::Result<UnixStream> {
        self.connect(socket, known_names::is_socket_of)
    }

    /// Connects to the JVM's thread for requests, as HotSpot's own client does.
    ///
    /// # Errors
    /// `NotFound` or `ConnectionRefused` if nobody is there, `InvalidData` if the socket is
    /// somebody else's, or that it cannot be reached.
    pub fn connect_to_jvm(&self) -> io::Result<UnixStream> {
        let socket = self.tmp().join(known_names::attach_socket(self.inner));
        self.connect(&socket, known_names::is_private_socket)
    }

    /// Connects to a socket that this process has made. One that others have made is not even
    /// asked.
    fn connect(&self, socket: &Path, is_own: IsOwn) -> io::Result<UnixStream> {
        let not_own = || {
            let error = known_names::not_own(Path::new(&self.seen(socket)));
            io::Error::new(io::ErrorKind::InvalidData, error.to_string())
        };
        match is_own(socket, self.user) {
            Ok(true) => {}
            Ok(false) => return Err(io::ErrorKind::NotFound.into()),
            Err(error) if error.kind() == io::ErrorKind::Other => return Err(not_own()),
            Err(error) => return Err(error),
        }
        let stream = UnixStream::connect(socket)?;
        // A process of the same user, whose id is the same in another container with this
        // /tmp, can have made it.
        let is_genuine = getsockopt(&stream, PeerCredentials).is_ok_and(|peer| {
            u32::try_from(peer.pid()).is_ok_and(|id| id == self.id)
                && [self.user, 0].contains(&peer.uid())
        });
        if is_genuine { Ok(stream) } else { Err(not_own()) }
    }

    /// A path in its `/tmp` as the process sees it.
    fn seen(&self, path: &Path) -> PathBuf {
        let name = path.file_name().unwrap_or_default();
        Path::new(known_names::FOLDER).join(name)
    }

    fn tmp(&self) -> PathBuf {
        PathBuf::from(format!("/proc/{}/root{}", self.id, known_names::FOLDER))
    }

    /// Whether the process has a library of this name in its memory.
    pub fn maps(&self, library: &str) -> bool {
        // Not readable means not known.
        fs::read_to_string(format!("/proc/{}/maps", self.id))
            .is_ok_and(|maps| maps.contains(library))
    }

    /// Whether this is a word of the process's command line.
    pub fn was_started_with(&self, word: &str) -> bool {
        let line = fs::read(format!("/proc/{}/cmdline", self.id)).unwrap_or_default();
        line.split(|&byte| byte == 0).any(|found| found == word.as_bytes())
    }

    /// Whether the process sees the same file at this path.
    pub fn sees(&self, path: &Path) -> bool {
        let below = path.strip_prefix("/").unwrap_or(path);
        let there = Path::new("/proc").join(self.id.to_string()).join("root").join(below);
        let same = |(one, other): (fs::Metadata, fs::Metadata)| {
            (one.dev(), one.ino()) == (other.dev(), other.ino()) || one.len() == other.len()
        };
        fs::metadata(there).ok().zip(fs::metadata(path).ok()).is_some_and(same)
    }

    /// Whether `SIGQUIT` does not end the process.
    pub fn handles_quit(&self) -> bool {
        const QUIT: u32 = 3;
        let status = fs::read_to_string(format!("/proc/{}/status", self.id)).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        caught
            .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .is_some_and(|mask| mask >> (QUIT - 1) & 1 == 1)
    }

    /// Says why nobody answers at the socket.
    #[cold]
    pub fn explain(&self, error: &io::Error) -> Error {
        let id = self.id;
        let words = match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused if self.has_agent() => {
                format!(
                    "process {id} has the agent but takes no commands: it is starting or ending, \
                     /tmp cannot be written, or control=off was given"
                )
            }
            io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused
                if !self.maps("libjvm.so") =>
            {
                format!("process {id} {NO_JVM}")
            }
            io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => {
                format!(
                    "process {id} has no agent; start it with java -agentpath:libsubsume.so, or \
                     use subsume attach"
                )
            }
            io::ErrorKind::InvalidData if self.has_agent() => {
                format!(
                    "process {id} takes no commands: {error}. If containers share their /tmp, give \
                     each its own"
                )
            }
            io::ErrorKind::InvalidData => return self.explain(&io::ErrorKind::NotFound.into()),
            io::ErrorKind::PermissionDenied => {
                format!("process {id} may not be reached: the system denies the permission")
            }
            _ => format!("process {id} cannot be reached: {error}"),
        };
        Error::new(words)
    }

    fn has_agent(&self) -> bool {
        self.maps("libsubsume.so")
    }
}

/// Whether a process is over, and only its parent has not asked for its exit code yet.
fn has_ended(id: u32) -> bool {
    // The name of the program stands in parentheses, and may hold some.
    fs::read_to_string(format!("/proc/{id}/stat"))
        .is_ok_and(|stat| stat.rsplit(')').next().is_some_and(|rest| rest.starts_with(" Z")))
}

/// The id of a process in its innermost namespace.
fn inner_id(id: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let ids = status.lines().find_map(|line| line.strip_prefix("NSpid:"))?;
    ids.split_whitespace().next_back()?.parse().ok()
}

/// The user that a process runs as. The owner of its folder is another one if the system
/// keeps its memory from its user.
fn user_of(id: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    // The real one and the effective one, which owns what it makes.
    let users = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
    users.split_whitespace().nth(1)?.parse().ok()
}

/// Removes the sockets of a process that was killed; others may own them or have
/// removed them already. Where somebody listens, it is a process that has this id in a
/// container.
fn remove_left_over(id: u32) {
    for name in known_names::sockets(id) {
        let path = Path::new(known_names::FOLDER).join(name);
        let is_socket =
            fs::symlink_metadata(&path).is_ok_and(|found| found.file_type().is_socket());
        if is_socket && is_deserted(&path) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Whether nobody listens at a socket. Asked without waiting, since a process that listens
/// may be stopped.
fn is_deserted(path: &Path) -> bool {
    use rustix::net::{
        AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with,
    };
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let Ok(socket) = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None) else {
        return false;
    };
    SocketAddrUnix::new(path)
        .is_ok_and(|address| connect(&socket, &address) == Err(rustix::io::Errno::CONNREFUSED))
}
