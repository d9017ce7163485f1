//! What can be wrong with a profile file.

use std::fmt;
use std::io;

/// Why a profile could not be read or written, in one line.
///
/// An error found in a file carries the byte offset, from the start of the
/// file, of the first byte that is wrong or missing.
#[derive(Debug)]
pub struct Error {
    // Boxed, so that a `Result` in the decoding loops stays one word wide.
    inner: Box<Inner>,
}

#[derive(Debug)]
struct Inner {
    message: String,
    offset: Option<u64>,
    io: Option<io::ErrorKind>,
}

impl Error {
    /// Something in the file is wrong at `offset`.
    #[cold]
    pub(crate) fn at(offset: u64, message: impl Into<String>) -> Self {
        Self::new(message.into(), Some(offset), None)
    }

    /// A profile in memory breaks a rule of the model.
    #[cold]
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(message.into(), None, None)
    }

    fn new(message: String, offset: Option<u64>, io: Option<io::ErrorKind>) -> Self {
        Self { inner: Box::new(Inner { message, offset, io }) }
    }

    /// Byte offset in the file, if the error is tied to one.
    pub fn offset(&self) -> Option<u64> {
        self.inner.offset
    }

    /// The kind of refusal, if the operating system refused to read or write;
    /// otherwise the profile is wrong.
    pub fn io_kind(&self) -> Option<io::ErrorKind> {
        self.inner.io
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::new(error.to_string(), None, Some(error.kind()))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.inner.message)?;
        match self.inner.offset {
            Some(offset) => write!(f, " (at offset {offset:#x})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
