//! Answers as Markdown, for pull requests, notes and assistants.
//!
//! Commands write the same lines as ever, and tables write themselves as Markdown
//! ([`write_table`](super::terminal::write_table)). What stands between the tables
//! becomes Markdown here, line by line: sentences become paragraphs, and what is
//! aligned by spaces becomes a code block, where it stays aligned.

use std::io::{self, Write};

use report::table::escape_markdown;

use super::by_line::ByLine;

/// What the line before belonged to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    /// To nothing: the document begins here, or after an empty line.
    None,
    Paragraph,
    Code,
    Table,
}

/// A writer that takes an answer's lines and writes Markdown.
#[derive(Debug)]
pub struct Markdown<W: Write> {
    out: W,
    /// The line that has no end yet.
    line: Vec<u8>,
    block: Block,
    /// Empty lines of a code block, which are written if the block goes on.
    held: usize,
}

impl<W: Write> Markdown<W> {
    /// A document in `out`.
    pub fn new(out: W) -> Self {
        Self { out, line: Vec::new(), block: Block::None, held: 0 }
    }

    /// Ends the document; what it was written to.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.end()?;
        match self.block {
            Block::Code => writeln!(self.out, "```")?,
            Block::Paragraph => writeln!(self.out)?,
            Block::None | Block::Table => {}
        }
        self.out.flush()?;
        Ok(self.out)
    }

    fn empty_line(&mut self) -> io::Result<()> {
        if self.block == Block::Code {
            self.held += 1;
            return Ok(());
        }
        self.leave()?;
        self.block = Block::None;
        Ok(())
    }

    /// Ends the block, with an empty line behind it.
    fn leave(&mut self) -> io::Result<()> {
        self.held = 0;
        match self.block {
            Block::None => Ok(()),
            Block::Paragraph => writeln!(self.out, "\n"),
            Block::Code => writeln!(self.out, "```\n"),
            Block::Table => writeln!(self.out),
        }
    }
}

impl<W: Write> ByLine for Markdown<W> {
    fn begun(&mut self) -> &mut Vec<u8> {
        &mut self.line
    }

    fn end_of_line(&mut self) -> io::Result<()> {
        let bytes = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim_end();
        let is_aligned = line.starts_with(' ') || line.contains("  ");
        let next = match self.block {
            _ if line.is_empty() => return self.empty_line(),
            _ if line.starts_with("| ") => Block::Table,
            // What follows an aligned line belongs to it, up to the next empty line.
            Block::Code if self.held == 0 => Block::Code,
            _ if is_aligned => Block::Code,
            _ => Block::Paragraph,
        };
        if next != self.block {
            self.leave()?;
            if next == Block::Code {
                writeln!(self.out, "```text")?;
            }
        } else if next == Block::Paragraph {
            // A line of its own, as it is on a terminal.
            writeln!(self.out, "\\")?;
        }
        for _ in 0..std::mem::take(&mut self.held) {
            writeln!(self.out)?;
        }
        self.block = next;
        match next {
            Block::Paragraph => write!(self.out, "{}", escape_markdown(line)),
            _ => writeln!(self.out, "{line}"),
        }
    }
}

impl<W: Write> Write for Markdown<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.take(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markdown(text: &str) -> String {
        let mut written = Vec::new();
        let mut document = Markdown::new(&mut written);
        // In pieces, as commands write.
        for piece in text.as_bytes().chunks(3) {
            document.write_all(piece).unwrap();
        }
        document.finish().unwrap();
        String::from_utf8(written).unwrap()
    }

    #[test]
    fn sentences_are_paragraphs_and_what_is_aligned_is_code() {
        assert_eq!(
            markdown("5 of a_b.<init>\nPatterns:\n  1.00%  x\ny\n\n  2.00%  z\n\nEnd"),
            "5 of a\\_b.&lt;init>\\\nPatterns:\n\n```text\n  1.00%  x\ny\n\n  2.00%  z\n```\n\nEnd\n"
        );
    }

    #[test]
    fn tables_stand_alone() {
        assert_eq!(
            markdown("Title\n| A |\n| ---: |\n| 1 |\nmore\n"),
            "Title\n\n| A |\n| ---: |\n| 1 |\n\nmore\n"
        );
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(markdown(""), "");
        assert_eq!(markdown("\n\n"), "");
        assert_eq!(markdown(" a\n\n"), "```text\n a\n```\n");
    }
}
