//! Reads what the witness wrote; `agent/src/dump.rs` documents the lines.

use std::path::Path;

use crate::name::Method;
use crate::tree::Counts;

/// Everything that the witness saw of a run.
#[derive(Debug, Default)]
pub struct Dump {
    /// Its threads.
    pub threads: Vec<WatchedThread>,
}

/// What it saw of a thread.
#[derive(Debug, Default)]
pub struct WatchedThread {
    /// The thread's name.
    pub name: String,
    /// How often events did not fit to the stack that the witness knew of.
    pub resyncs: u64,
    /// Contexts in preorder.
    pub nodes: Vec<WatchedNode>,
    /// Methods of which the witness missed instructions, and how often.
    pub missed: Vec<(Method, u64)>,
    /// Instructions of the program's own methods.
    pub steps: Vec<Step>,
}

/// How often an instruction was executed.
#[derive(Debug)]
pub struct Step {
    /// The method that it is in.
    pub method: Method,
    /// The JVM's number of that method: hidden classes may have the same name.
    pub id: u64,
    /// Its bytecode index.
    pub bci: u32,
    /// Its source line, 0 if unknown.
    pub line: u16,
    /// How often.
    pub times: u64,
}

/// A context as the JVM showed it.
#[derive(Debug)]
pub struct WatchedNode {
    /// Distance from the thread's first frame.
    pub depth: usize,
    /// What ran in it.
    pub method: Method,
    /// True if that has no bytecodes.
    pub is_native: bool,
    /// What was counted in it.
    pub counts: Counts,
}

impl Dump {
    /// Reads a file that the witness wrote.
    ///
    /// # Errors
    /// What is wrong with it, with the line.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Self::parse(&text)
    }

    /// Reads the text of such a file.
    ///
    /// # Errors
    /// The line that is none of the witness, or that the end is missing.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut dump = Self::default();
        let mut has_end = false;
        for line in text.lines() {
            has_end = line == "end";
            if !has_end {
                dump.take(line).ok_or_else(|| format!("not a line of the witness: {line}"))?;
            }
        }
        if has_end { Ok(dump) } else { Err("the witness's file is cut short".to_owned()) }
    }

    fn take(&mut self, line: &str) -> Option<()> {
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            ["thread", name, resyncs] => self.threads.push(WatchedThread {
                name: name.to_owned(),
                resyncs: resyncs.parse().ok()?,
                ..WatchedThread::default()
            }),
            ["node", depth, calls, bytecodes, kind, class, name, descriptor] => {
                self.threads.last_mut()?.nodes.push(WatchedNode {
                    depth: depth.parse().ok()?,
                    method: Method::new(class, name, descriptor),
                    is_native: kind == "native",
                    counts: Counts {
                        calls: calls.parse().ok()?,
                        bytecodes: bytecodes.parse().ok()?,
                    },
                });
            }
            ["missed", class, name, descriptor, times] => {
                let missed = (Method::new(class, name, descriptor), times.parse().ok()?);
                self.threads.last_mut()?.missed.push(missed);
            }
            ["step", times, id, bci, line, class, name, descriptor] => {
                self.threads.last_mut()?.steps.push(Step {
                    method: Method::new(class, name, descriptor),
                    id: id.parse().ok()?,
                    bci: bci.parse().ok()?,
                    line: line.parse().ok()?,
                    times: times.parse().ok()?,
                });
            }
            _ => return None,
        }
        Some(())
    }
}
