//! Callgrind's format, which also other tools write: costs of functions, and
//! of calls between them.

use std::path::Path;

use profile::Profile;
use rustc_hash::FxHashMap;

use crate::import::allowance::Allowance;
use crate::import::builder::{Builder, Paths};
use crate::import::call_graph::CallGraph;
use crate::import::input::{open_counted, read_line};
use tree::error::{Error, Result};

/// Reads files that count the same events into one profile, a thread each.
///
/// The format has no contexts, only who calls whom. What a function costs is
/// shared out among its callers by what their calls cost, as if it did the same
/// for all of them; what it costs by itself in all contexts is as in the file.
///
/// # Errors
/// With the number of the first line that is wrong.
pub fn read(files: &[impl AsRef<Path>]) -> Result<Profile> {
    let mut builder: Option<(Builder, Vec<String>)> = None;
    let allowance = Allowance::default();
    for path in files {
        let path = path.as_ref();
        let mut input = open_counted(path, &allowance)?;
        let mut reader = Reader::default();
        let mut bytes = Vec::new();
        for number in 1u64.. {
            if !read_line(&mut input, &mut bytes).map_err(|e| Error::io(path, &e))? {
                break;
            }
            let line = String::from_utf8_lossy(&bytes);
            reader.line(line.trim()).ok_or_else(|| {
                Error::new(format!("{}: line {number}: this is not Callgrind's", path.display()))
            })?;
        }
        let nothing = || Error::new(format!("{}: no costs of functions in it", path.display()));
        let Reader { graph: Some(graph), events, .. } = reader else { return Err(nothing()) };
        let (builder, known) =
            builder.get_or_insert_with(|| (Builder::new(&events), events.clone()));
        if *known != events {
            return Err(Error::new(format!(
                "{}: it counts {}, the one before {}",
                path.display(),
                events.join(", "),
                known.join(", ")
            )));
        }
        let mut paths = Paths::new(events.len(), &allowance);
        graph.unfold(builder, &mut paths).map_err(|error| error.of_file(path))?;
        if paths.is_empty() {
            return Err(nothing());
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        builder.thread(name, &paths)?;
    }
    let (builder, _) = builder.ok_or_else(|| Error::new("no file given"))?;
    Ok(builder.finish("Callgrind's call graph, contexts estimated"))
}

/// The state while a file is read.
#[derive(Default)]
struct Reader {
    events: Vec<String>,
    /// Columns in front of the costs.
    positions: usize,
    /// Names by their numbers: of functions, and of files, which also stand
    /// in front of `calls`.
    names: FxHashMap<String, String>,
    function: Option<u32>,
    callee: Option<u32>,
    /// The next line of costs is that of a call.
    in_call: bool,
    graph: Option<CallGraph>,
}

impl Reader {
    /// Takes a line; `None` if it is wrong.
    fn line(&mut self, line: &str) -> Option<()> {
        if line.is_empty() || line.starts_with('#') {
            return Some(());
        }
        if let Some(events) = line.strip_prefix("events:") {
            self.events = events.split_whitespace().map(str::to_owned).collect();
            self.graph = Some(CallGraph::new(self.events.len()));
            return (!self.events.is_empty()).then_some(());
        }
        if let Some(positions) = line.strip_prefix("positions:") {
            self.positions = positions.split_whitespace().count();
            return Some(());
        }
        if let Some((key, value)) = line.split_once('=')
            && key.chars().all(|c| c.is_ascii_alphabetic())
        {
            return self.specification(key, value.trim());
        }
        if line.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '*')) {
            return self.costs(line);
        }
        // Headers such as `cmd: ls`, and jumps.
        line.contains(':').then_some(())
    }

    fn specification(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "fn" => {
                let name = self.name("fn", value)?;
                self.function = Some(self.graph.as_mut()?.function(&name));
            }
            "cfn" => {
                let name = self.name("fn", value)?;
                self.callee = Some(self.graph.as_mut()?.function(&name));
            }
            "calls" => self.in_call = true,
            // Files and objects only number their names.
            "fl" | "fi" | "fe" | "cfi" | "cfl" | "ob" | "cob" | "jump" | "jcnd" | "jfi" | "jfn" => {
            }
            _ => return None,
        }
        Some(())
    }

    /// `(3) name` gives a name a number, `(3)` stands for it from then on.
    fn name(&mut self, kind: &str, value: &str) -> Option<String> {
        let Some(rest) = value.strip_prefix('(') else { return Some(value.to_owned()) };
        let (number, name) = rest.split_once(')')?;
        if !number.chars().all(|c| c.is_ascii_digit()) {
            return Some(value.to_owned());
        }
        let key = format!("{kind}{number}");
        let name = name.trim();
        if name.is_empty() {
            return self.names.get(&key).cloned();
        }
        self.names.insert(key, name.to_owned());
        Some(name.to_owned())
    }

    fn costs(&mut self, line: &str) -> Option<()> {
        let positions = self.positions.max(1);
        let costs = line.split_whitespace().skip(positions).map(str::parse);
        let costs: Vec<u64> = costs.collect::<std::result::Result<_, _>>().ok()?;
        if costs.len() > self.events.len() {
            return None;
        }
        let graph = self.graph.as_mut()?;
        let function = self.function?;
        if std::mem::take(&mut self.in_call) {
            graph.call(function, self.callee?, &costs)
        } else {
            graph.own(function, &costs)
        }
    }
}
