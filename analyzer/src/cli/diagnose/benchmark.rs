//! A benchmark of JMH as a program that executes a fixed number of operations.
//!
//! The number follows from what an operation executes, which two short recordings count. So it is
//! the same on a busy machine. The clock decides only on operations that mostly wait, or spend
//! their time in native code.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use base::number::grouped;
use base::{shown, tell};
use profile::{Columns, MethodId, NO_PARENT, Profile, read_file_with};
use tree::error::{Error, Result};
use tree::views::movers::MOVED;

use super::folder::{Folder, PLAIN};
use crate::cli::progress::Progress;
use crate::cli::run::launch::Launch;
use crate::cli::run::profiles::Profiles;

/// JMH's options for one process, which does a fixed number of operations once: the same
/// work in each run, and no loop that goes on for a time.
pub const JMH: [&str; 8] = ["-f", "0", "-wi", "0", "-i", "1", "-bm", "ss"];
/// Stands before the number of operations.
const OPERATIONS: &str = "-bs";
/// JMH calls the benchmark in a loop of a method with this behind its name.
const STUB: &str = "_ss_jmhStub";
/// Operations of the two recordings. The difference is that of operations that are not the first.
const COUNTED: [u64; 2] = [1, 65];
/// All operations together execute no more bytecodes, which takes about a second.
const WORK: f64 = (1u64 << 31) as f64;
/// Moving so many elements takes as long as a bytecode, roughly.
const MOVED_EACH: f64 = 8.0;
/// Part of the operations that are run to see whether they mostly wait.
const TRIED: u64 = 16;
/// Operations that take longer together mostly wait, or are in native code.
const TOO_LONG: Duration = Duration::from_secs(30);
/// Recorded ones, which code that is not compiled executes, may take longer.
const TOO_LONG_RECORDED: Duration = Duration::from_secs(1_800);
/// By the clock, as many operations as take that long.
const LONG_ENOUGH: Duration = Duration::from_secs(2);
/// What JMH does besides the operations takes no more.
const START: Duration = Duration::from_millis(700);
/// More operations than that are not tried.
const MOST: u64 = 1 << 30;
/// From one trial to the next, the number grows by no more than this factor.
const STEP: f64 = 32.0;

/// A benchmark, and the command that runs JMH.
pub struct Benchmark<'a> {
    pub command: &'a [OsString],
    pub name: &'a str,
    /// The agent's library.
    pub agent: &'a Path,
    /// Where the outputs of trials go.
    pub folder: &'a Folder,
}

impl Benchmark<'_> {
    /// The command that runs it, with as many operations as an earlier command for it has, so
    /// that they compare, or otherwise as take a second or two.
    ///
    /// # Errors
    /// If JMH cannot be started, or fails.
    pub fn with_operations(&self, earlier: &[String]) -> Result<Vec<OsString>> {
        if let Some(operations) = operations_of(earlier, self.name) {
            return Ok(of_operations(self.command, self.name, operations));
        }
        let operations = match self.counted()? {
            Some(operations) => operations,
            None => self.by_clock(1)?,
        };
        tell!("{}: {} operations in each run", self.name, grouped(operations));
        Ok(of_operations(self.command, self.name, operations))
    }

    /// As many operations as execute the usual number of bytecodes; `None` if JMH's loop is not
    /// found in the recordings, or operations mostly wait.
    fn counted(&self) -> Result<Option<u64>> {
        let (first, _) = self.recorded(COUNTED[0])?;
        let (all, took) = self.recorded(COUNTED[1])?;
        let (Some(first), Some(all)) = (first, all) else { return Ok(None) };
        let Some(operations) = operations_for(first, all) else { return Ok(None) };
        let tried = (operations / TRIED).max(1);
        let each = |took: Duration, of: u64| took.saturating_sub(START).as_secs_f64() / of as f64;
        if each(took, COUNTED[1]) * tried as f64 > TOO_LONG_RECORDED.as_secs_f64() {
            return Ok(None);
        }
        let took = self.run(tried)?;
        if each(took, tried) * operations as f64 > TOO_LONG.as_secs_f64() {
            return self.by_clock(tried.div_ceil(TRIED)).map(Some);
        }
        Ok(Some(operations))
    }

    /// What so many operations do, if JMH's loop is found, and how long that takes.
    fn recorded(&self, operations: u64) -> Result<(Option<Done>, Duration)> {
        let file = self.folder.path().join("counted.subsume");
        let file = std::path::absolute(&file).map_err(|e| Error::io(&file, &e))?;
        let profiles = Profiles::expected(&file, Launch::new(self.command).is_java());
        let options = format!("out={},mode=calls,compilers=c1", profiles.template()?);
        let doing = format!("counting what {} of {} execute", grouped(operations), self.name);
        let took = self
            .timed(&doing, operations, |launch| launch.record(self.agent, &options, &profiles))?;
        let mut done = None;
        for file in profiles.collect()? {
            let profile = read_file_with(&file, &Columns::only(&["calls", "bytecodes", MOVED]));
            let _ = std::fs::remove_file(&file);
            let of_file = Done::of(&profile.map_err(|e| Error::new(e.to_string()))?);
            done = done.max(of_file);
        }
        Ok((done, took))
    }

    /// As many operations as take long enough, from so many on.
    fn by_clock(&self, from: u64) -> Result<u64> {
        let mut operations = from.max(1);
        loop {
            let took = self.run(operations)?;
            if took >= LONG_ENOUGH + START || operations >= MOST {
                return Ok(operations);
            }
            let worked = took.saturating_sub(START).as_secs_f64();
            let factor = (1.2 * LONG_ENOUGH.as_secs_f64() / worked.max(1e-3)).clamp(2.0, STEP);
            operations = ((operations as f64 * factor) as u64).min(MOST);
        }
    }

    /// How long JMH takes for so many operations.
    fn run(&self, operations: u64) -> Result<Duration> {
        let profiles = Profiles::expected(&self.folder.output(PLAIN), true);
        let doing = format!("trying {} of {}", grouped(operations), self.name);
        self.timed(&doing, operations, |launch| launch.run_with(&[], &profiles))
    }

    /// Has JMH do so many operations, and says how long that takes.
    fn timed(
        &self,
        doing: &str,
        operations: u64,
        run: impl FnOnce(&Launch<'_>) -> Result<ExitStatus>,
    ) -> Result<Duration> {
        let progress = Progress::of_long_work();
        progress.say(doing);
        let words = of_operations(self.command, self.name, operations);
        let output = self.folder.output(PLAIN);
        let folder = std::env::current_dir().unwrap_or_default();
        let launch = Launch::new(&words).quiet(&folder, &output, None);
        let since = Instant::now();
        let status = run(&launch)?;
        let took = since.elapsed();
        self.check(status.success(), &status.to_string())?;
        Ok(took)
    }

    /// Whether JMH ran the benchmark.
    fn check(&self, succeeded: bool, status: &str) -> Result<()> {
        let output = self.folder.output(PLAIN);
        let text = std::fs::read_to_string(&output).unwrap_or_default();
        if succeeded && text.contains(benchmark_of(self.name)) {
            return Ok(());
        }
        Err(Error::new(format!(
            "JMH did not run {} ({status}); its output is in {}",
            self.name,
            shown(&output)
        )))
    }
}

/// What the operations of a recording did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Done {
    /// Calls of the benchmark's method.
    calls: u64,
    bytecodes: u64,
    moved: u64,
}

impl Done {
    /// What JMH's loops around benchmarks have called; `None` if there are none.
    fn of(profile: &Profile) -> Option<Self> {
        let nodes = &profile.nodes;
        let column = |name: &str| nodes.metric(name).map(|metric| &*metric.values);
        let (calls, bytecodes) = (column("calls")?, column("bytecodes")?);
        let moved = column(MOVED).unwrap_or_default();
        let name = |node: usize| profile.name(MethodId(nodes.method[node])).name;
        let mut done = Self::default();
        // Whether a context is such a loop, or below one.
        let mut is_within: Vec<bool> = Vec::with_capacity(nodes.len());
        for (node, &parent) in nodes.parent.iter().enumerate() {
            let above = Some(parent as usize).filter(|_| parent != NO_PARENT);
            let is_called = above.is_some_and(|above| is_within[above]);
            is_within.push(is_called || name(node).ends_with(STUB));
            if !is_within[node] {
                continue;
            }
            let add = |sum: &mut u64, more: Option<&u64>| {
                *sum = sum.saturating_add(more.copied().unwrap_or(0));
            };
            add(&mut done.bytecodes, bytecodes.get(node));
            add(&mut done.moved, moved.get(node));
            let benchmark = above.and_then(|above| name(above).strip_suffix(STUB));
            if benchmark == Some(name(node)) {
                add(&mut done.calls, calls.get(node));
            }
        }
        (done.calls > 0).then_some(done)
    }

    /// In bytecodes.
    fn work(self) -> f64 {
        self.bytecodes as f64 + self.moved as f64 / MOVED_EACH
    }
}

/// The number of operations in each run, a power of two, by what the two recordings did. `None`
/// if JMH did not call the benchmark as often as it was asked to.
fn operations_for(first: Done, all: Done) -> Option<u64> {
    let asked = COUNTED[1] / COUNTED[0];
    if all.calls != first.calls.checked_mul(asked)? {
        return None;
    }
    let more = (COUNTED[1] - COUNTED[0]) as f64;
    let each = ((all.work() - first.work()) / more).max(1.0);
    let operations = ((WORK / each) as u64).clamp(1, MOST);
    Some(1 << operations.ilog2())
}

/// The command with which JMH does so many operations of a benchmark.
fn of_operations(command: &[OsString], benchmark: &str, operations: u64) -> Vec<OsString> {
    let mut words = command.to_vec();
    words.push(benchmark.into());
    words.extend(JMH.map(OsString::from));
    words.push(OPERATIONS.into());
    words.push(operations.to_string().into());
    words
}

/// The last part of a benchmark's name, which JMH prints.
fn benchmark_of(pattern: &str) -> &str {
    pattern.rsplit(|c: char| !c.is_alphanumeric()).find(|part| !part.is_empty()).unwrap_or("")
}

/// The number of operations in a command that was made here for this benchmark.
fn operations_of(earlier: &[String], benchmark: &str) -> Option<u64> {
    let words = &earlier[earlier.len().checked_sub(JMH.len() + 3)?..];
    let [name, options @ .., flag, number] = words else { return None };
    (name == benchmark && options == JMH && flag == OPERATIONS).then(|| number.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn an_earlier_number_of_operations_is_found() {
        let made = of_operations(&words("java -jar b.jar"), "Parse.deep", 4_096);
        let texts: Vec<String> =
            made.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        assert_eq!(operations_of(&texts, "Parse.deep"), Some(4_096));
        assert_eq!(operations_of(&texts, "Parse.flat"), None);
        assert_eq!(operations_of(&texts[..3], "Parse.deep"), None);
        assert_eq!(benchmark_of("org.x.Parse.deep$"), "deep");
    }

    #[test]
    fn the_number_of_operations_follows_from_counts() {
        let done = |calls, bytecodes, moved| Done { calls, bytecodes, moved };
        // The first operation loads classes, which counts for no other one.
        let first = done(1, 3_000_000, 0);
        assert_eq!(operations_for(first, done(65, 3_000_000 + 64 * 57_579, 0)), Some(32_768));
        assert_eq!(operations_for(first, done(65, 3_000_000, 64 * 8 * 57_579)), Some(32_768));
        // Two values of a parameter.
        assert_eq!(operations_for(done(2, 10, 0), done(130, 10 + 64 * (1 << 31), 0)), Some(1));
        assert_eq!(operations_for(done(1, 5, 0), done(65, 5, 0)), Some(MOST));
        // It ended before it had done all.
        assert_eq!(operations_for(first, done(64, 9_000_000, 0)), None);
    }

    #[test]
    fn operations_are_counted_in_the_loop_of_jmh() {
        use profile::{ClassId, ClassInfo, MethodInfo, Metric, Nodes, ThreadTree};
        let method = |name: &str| MethodInfo::new(ClassId(0), name, "()V");
        let metric =
            |name: &str, values: [u64; 5]| Metric { name: name.into(), values: values.into() };
        let mut profile = Profile {
            classes: vec![ClassInfo::default()],
            methods: vec![method("main"), method("fill_ss_jmhStub"), method("fill"), method("add")],
            nodes: Nodes {
                method: vec![0, 1, 2, 3, 3],
                parent: vec![NO_PARENT, 0, 1, 2, 0],
                site: vec![0; 5],
                metrics: vec![
                    metric("bytecodes", [7, 10, 200, 3_000, 9]),
                    metric("calls", [1, 1, 65, 650, 1]),
                    metric(MOVED, [4, 0, 0, 40, 4]),
                ],
            },
            threads: vec![ThreadTree { name: "main".into(), threads: 1, nodes: 0..5 }],
            ..Profile::default()
        };
        let expected = Done { calls: 65, bytecodes: 3_210, moved: 40 };
        assert_eq!(Done::of(&profile), Some(expected));
        profile.methods[1].name = "fill".into();
        assert_eq!(Done::of(&profile), None);
    }
}
