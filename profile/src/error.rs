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
    source: Option<io::Error>,
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

    fn new(message: String, offset: Option<u64>, source: Option<io::Error>) -> Self {
        Self { inner: Box::new(Inner { message, offset, source }) }
    }

    /// Byte offset in the file, if the error is tied to one.
    pub fn offset(&self) -> Option<u64> {
        self.inner.offset
    }

    /// True if the operating system refused, rather than the bytes being wrong.
    pub fn is_io(&self) -> bool {
        self.inner.source.is_some()
    }
}

impl From<io::Error> for Error {
    fn from(source: io::Error) -> Self {
        Self::new(source.to_string(), None, Some(source))
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

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The message already is the text of the source; an error chain that
        // prints both would say everything twice.
        None
    }
}
