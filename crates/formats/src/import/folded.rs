//! Folded stacks: one line per path, frames from the root on separated by `;`,
//! then a space and a whole number.

use std::io::BufRead;
use std::path::Path;

use profile::Profile;

use crate::import::allowance::Allowance;
use crate::import::builder::{Builder, Paths};
use crate::import::frame::UNKNOWN;
use crate::import::input::{decoded, open_counted, read_line};
use tree::error::{Error, Result};

/// What profiles say that they were imported from.
pub const FORMAT: &str = "folded stacks";

/// Name of the metric that a file of folded stacks has.
pub const WEIGHT: &str = "weight";

/// Builds a profile from files of folded stacks.
///
/// Each file becomes a tree named after it, so that `--thread` can tell the
/// files apart later.
#[derive(Debug)]
pub struct Importer {
    builder: Builder,
    /// Of all stacks.
    total: u64,
    allowance: Allowance,
}

impl Default for Importer {
    fn default() -> Self {
        Self {
            builder: Builder::new(&[WEIGHT.to_owned()]),
            total: 0,
            allowance: Allowance::default(),
        }
    }
}

/// The stack of the last line, of which the next one often repeats the
/// beginning.
#[derive(Default)]
struct Last {
    text: Vec<u8>,
    /// Where each frame ends in the text, and the path until there.
    frames: Vec<(usize, u32)>,
}

impl Last {
    /// Keeps the frames that `stack` begins with. Returns their path and where
    /// the next frame begins.
    fn keep(&mut self, stack: &[u8]) -> (u32, usize) {
        let common = self.text.iter().zip(stack).take_while(|(one, other)| one == other).count();
        let ends_there = |end: usize| {
            end <= common
                && stack.get(end).is_none_or(|&byte| byte == b';')
                && self.text.get(end).is_none_or(|&byte| byte == b';')
        };
        let kept = self.frames.iter().rposition(|&(end, _)| ends_there(end)).map_or(0, |at| at + 1);
        self.frames.truncate(kept);
        self.text.clear();
        self.text.extend_from_slice(stack);
        match self.frames.last() {
            Some(&(end, path)) => (path, end + 1),
            None => (Paths::ROOT, 0),
        }
    }
}

impl Importer {
    /// Reads a file, which may be compressed.
    ///
    /// # Errors
    /// If it cannot be read, or with the number of the first line that is not a folded stack.
    pub fn read_file(&mut self, path: &Path) -> Result<()> {
        let mut input = open_counted(path, &self.allowance)?;
        self.lines(path, &mut input)
    }

    /// Reads from something else than a file; `path` is its name in messages.
    ///
    /// # Errors
    /// With the number of the first line that is not a folded stack.
    pub fn read(&mut self, path: &Path, input: &mut impl BufRead) -> Result<()> {
        let allowance = self.allowance.clone();
        let mut input = decoded(input, &allowance).map_err(|e| Error::io(path, &e))?;
        self.lines(path, &mut input)
    }

    fn lines(&mut self, path: &Path, input: &mut impl BufRead) -> Result<()> {
        let mut paths = Paths::new(1, &self.allowance);
        let mut last = Last::default();
        let mut bytes = Vec::new();
        for number in 1u64.. {
            if !read_line(input, &mut bytes).map_err(|e| Error::io(path, &e))? {
                break;
            }
            self.line(&bytes, &mut paths, &mut last)
                .map_err(|what| Error::new(format!("{}: line {number}: {what}", path.display())))?;
        }
        if paths.is_empty() {
            return Err(Error::new(format!("{}: no folded stack in it", path.display())));
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        self.builder.thread(name, &paths)
    }

    fn line(
        &mut self,
        bytes: &[u8],
        paths: &mut Paths,
        last: &mut Last,
    ) -> std::result::Result<(), String> {
        let line = std::str::from_utf8(bytes).map_err(|_| "not UTF-8 text")?.trim();
        if line.is_empty() {
            return Ok(());
        }
        let (stack, weight) =
            line.rsplit_once(char::is_whitespace).ok_or("no space and number after the stack")?;
        let weight: u64 =
            weight.parse().map_err(|_| format!("'{weight}' is not a whole number of 64 bits"))?;
        // No analysis could add them up.
        self.total = self.total.checked_add(weight).ok_or("the weights do not fit in 64 bits")?;
        let stack = stack.trim_end();
        let (mut at, mut start) = last.keep(stack.as_bytes());
        while start <= stack.len() {
            let rest = &stack[start..];
            let length = rest.find(';').unwrap_or(rest.len());
            // Some collapsers write nothing where they know no name.
            let frame = if length == 0 { UNKNOWN } else { &rest[..length] };
            let method = self.builder.frame(frame);
            at = paths.child(at, method).map_err(|e| e.to_string())?;
            last.frames.push((start + length, at));
            start += length + 1;
        }
        paths.add(at, 0, weight).map_err(|e| e.to_string())
    }

    /// The profile of all files read.
    pub fn finish(self) -> Profile {
        self.builder.finish(FORMAT)
    }
}
