//! The process that a command is for.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use analyzer::error::{Error, Result};

/// What is said of a process in which there is no JVM.
pub const NO_JVM: &str = "is no JVM, or is starting or ending";

/// A live process of a user whom we may command.
#[derive(Debug)]
pub struct Process {
    /// Its id where the command runs.
    pub id: u32,
    /// The user that it runs as.
    pub user: u32,
    /// Where its agent waits, if it has one.
    pub socket: PathBuf,
    /// Its id in its innermost namespace.
    inner: u32,
}

impl Process {
    /// Looks a process up.
    ///
    /// # Errors
    /// When there is none, or it belongs to another user.
    pub fn find(id: u32) -> Result<Self> {
        let user = match fs::metadata(format!("/proc/{id}")) {
            Ok(metadata) if !has_ended(id) => metadata.uid(),
            _ => {
                remove_left_over(id);
                return Err(Error::new(format!("there is no process {id}")));
            }
        };
        let me = rustix::process::geteuid();
        if !me.is_root() && user != me.as_raw() {
            return Err(Error::new(format!("process {id} belongs to another user")));
        }
        // In a container, the process has another id and another /tmp.
        let inner = inner_id(id).unwrap_or(id);
        let socket = PathBuf::from(format!("/proc/{id}/root/tmp/.subsume-{inner}"));
        Ok(Self { id, user, socket, inner })
    }

    /// The file of this name and the process's id in its `/tmp`.
    pub fn in_tmp(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/root/tmp/{name}{}", self.id, self.inner))
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

/// Removes the socket of a process that was killed; others may own it or have
/// removed it already.
fn remove_left_over(id: u32) {
    let _ = fs::remove_file(format!("/tmp/.subsume-{id}"));
}
