//! Writers that take an answer line by line.

use std::io;

/// Collects bytes until a line is whole.
pub trait ByLine {
    /// The line that has no end yet.
    fn begun(&mut self) -> &mut Vec<u8>;

    /// Takes the line that is whole now, out of [`begun`](Self::begun).
    ///
    /// # Errors
    /// If what it is written to fails.
    fn end_of_line(&mut self) -> io::Result<()>;

    /// Takes bytes; how many.
    ///
    /// # Errors
    /// If a line cannot be written.
    fn take(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            self.begun().extend_from_slice(&rest[..end]);
            rest = &rest[end + 1..];
            self.end_of_line()?;
        }
        self.begun().extend_from_slice(rest);
        Ok(bytes.len())
    }

    /// Takes what has no end as a line, too.
    ///
    /// # Errors
    /// If the line cannot be written.
    fn end(&mut self) -> io::Result<()> {
        match self.begun().is_empty() {
            true => Ok(()),
            false => self.end_of_line(),
        }
    }
}
