//! What can go wrong in an analysis.

use std::fmt;
use std::io;
use std::path::Path;

use base::printable;

/// One line for the user, saying what is wrong and where.
#[derive(Debug)]
pub struct Error {
    message: String,
    broken_pipe: bool,
    is_absent: bool,
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error in words; a sentence without a full stop, on one line.
    #[cold]
    pub fn new(message: impl Into<String>) -> Self {
        Self::told(&message.into(), false)
    }

    /// What is asked for, such as a method, is not in the profile: programs may want to know
    /// that from other errors.
    #[cold]
    pub fn absent(message: impl Into<String>) -> Self {
        Self { is_absent: true, ..Self::new(message) }
    }

    /// The operating system refused something that was to be done with `path`.
    #[cold]
    pub fn io(path: &Path, error: &io::Error) -> Self {
        let path = path.display();
        let message = match error.kind() {
            io::ErrorKind::IsADirectory => format!("{path} is a folder, where a file is wanted"),
            _ => format!("{path}: {error}"),
        };
        Self::told(&message, error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Whatever it names, of files or of another process, it is printable from here on.
    fn told(message: &str, broken_pipe: bool) -> Self {
        Self { message: printable(message).into_owned(), broken_pipe, is_absent: false }
    }

    /// The file at `path` is not a profile, or cannot be read.
    #[cold]
    pub fn profile(path: &Path, error: &profile::Error) -> Self {
        let path = path.display();
        Self::new(match error.io_kind() {
            Some(io::ErrorKind::IsADirectory) => {
                format!("{path} is a folder, where a profile is wanted; subsume fleet reads fleets")
            }
            _ => format!("{path}: {error}"),
        })
    }

    /// The error with the file that it is about.
    #[must_use]
    pub fn of_file(self, path: &Path) -> Self {
        let message = format!("{}: {}", path.display(), self.message);
        Self { message: printable(&message).into_owned(), ..self }
    }

    /// True if what is asked for is not in the profile.
    pub fn is_absent(&self) -> bool {
        self.is_absent
    }

    /// True if the reader of the output went away: `subsume tree FILE | head` must
    /// end quietly.
    pub fn is_broken_pipe(&self) -> bool {
        self.broken_pipe
    }
}

impl From<io::Error> for Error {
    /// An error while writing the answer to standard output.
    fn from(error: io::Error) -> Self {
        let message = format!("cannot write the output: {error}");
        Self::told(&message, error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
