//! The plain run before the recorded one, sampled.

use std::ffi::OsString;
use std::fs::{self, DirBuilder};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Instant;

use base::{shown, tell};
use serde::{Deserialize, Serialize};
use tree::error::{Error, Result};

use super::jvms::Jvm;
use super::launch::Launch;
use super::profiles::Profiles;
use crate::cli::samples::Samples;
use crate::cli::time;

/// Milliseconds between two samples of a thread.
const PERIOD: u32 = 5;
/// The module that has Flight Recorder.
const FLIGHT_RECORDER: &str = "jdk.jfr";
/// Name of the file of samples where there is one JVM.
const ONE: &str = "one.jfr";
/// Frames of a stack, which Flight Recorder otherwise cuts after 64.
pub const FRAMES: u32 = 1_024;

/// What Flight Recorder shall record, with something between the settings. What a JVM does not
/// know is not an error behind a plus sign.
pub fn settings(between: &str) -> String {
    let settings = [
        "settings=profile".to_owned(),
        format!("jdk.ExecutionSample#period={PERIOD}ms"),
        format!("jdk.NativeMethodSample#period={PERIOD}ms"),
        "+jdk.CPUTimeSample#enabled=true".to_owned(),
        format!("+jdk.CPUTimeSample#throttle={PERIOD}ms"),
    ];
    settings.join(between)
}

/// Who takes the samples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sampler {
    /// The JVM's Flight Recorder; from JDK 25 on its sampler of processor time.
    FlightRecorder,
    /// async-profiler, from this library.
    AsyncProfiler(PathBuf),
}

impl Sampler {
    /// async-profiler, if its library is named.
    ///
    /// # Errors
    /// If there is no such library.
    pub fn new(async_profiler: Option<&Path>) -> Result<Self> {
        match async_profiler {
            Some(library) if !library.is_file() => {
                Err(Error::new(format!("{}: there is no such library", shown(library))))
            }
            Some(library) => {
                // A name without a folder would be looked for elsewhere.
                let path = std::path::absolute(library).map_err(|e| Error::io(library, &e))?;
                Ok(Self::AsyncProfiler(path))
            }
            None => Ok(Self::FlightRecorder),
        }
    }

    /// The options that make a JVM take samples and write them to a file when it ends. If
    /// there are several JVMs, `target` is a folder.
    ///
    /// # Errors
    /// If the options cannot hold a path.
    fn options(&self, target: &Path, is_folder: bool) -> Result<Vec<OsString>> {
        let joined = |prefix: String, path: &Path| {
            let mut option = OsString::from(prefix);
            option.push(path);
            option
        };
        if target.to_string_lossy().contains([',', '%']) {
            let what = "samplers take no name with ',' or '%'";
            return Err(Error::new(format!("{}: {what}", shown(target))));
        }
        Ok(match self {
            Self::FlightRecorder => vec![
                // What it says of itself would stand in the program's output.
                "-Xlog:jfr+startup=error".into(),
                "-Xlog:jfr=error".into(),
                format!("-XX:FlightRecorderOptions=stackdepth={FRAMES}").into(),
                joined(format!("-XX:StartFlightRecording={},filename=", settings(",")), target),
            ],
            Self::AsyncProfiler(library) => {
                let mut option = joined("-agentpath:".to_owned(), library);
                option.push(format!("=start,event=cpu,interval={PERIOD}ms,jfr,file="));
                option.push(target);
                option.push(if is_folder { "/%p.jfr" } else { "" });
                vec![option]
            }
        })
    }
}

/// What a run took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// By the clock.
    pub millis: u64,
    /// Processor time; 0 if it is not known.
    pub cpu_millis: u64,
}

impl Timing {
    /// Of a program that is run and waited for.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn of<R>(run: impl FnOnce() -> Result<R>) -> Result<(Self, R)> {
        let (since, before) = (Instant::now(), children_millis());
        let result = run()?;
        let millis = since.elapsed().as_millis() as u64;
        Ok((Self { millis, cpu_millis: children_millis().saturating_sub(before) }, result))
    }
}

/// Samples of a plain run, a file for each JVM, in a folder that goes with this.
#[derive(Debug)]
pub struct PlainRun {
    folder: PathBuf,
    is_of_one: bool,
    timing: Timing,
}

impl Drop for PlainRun {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl PlainRun {
    /// Runs the program to its end without the agent, sampled. Returns its exit code, too.
    ///
    /// # Errors
    /// If the program cannot be started, or the folder for samples cannot be made.
    pub fn of(
        launch: &Launch<'_>,
        sampler: &Sampler,
        profiles: &Profiles,
    ) -> Result<(Self, ExitStatus)> {
        let is_of_one = launch.is_java();
        let folder = std::env::temp_dir().join(format!("subsume-samples-{}", std::process::id()));
        // Nobody else's, and for nobody else to read.
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&folder).map_err(|e| Error::io(&folder, &e))?;
        let mut run = Self { folder, is_of_one, timing: Timing::default() };
        let target = if is_of_one { run.folder.join(ONE) } else { run.folder.clone() };
        let mut options = sampler.options(&target, !is_of_one)?;
        // The JVM would not start. Of a script nobody knows on which image it runs.
        if *sampler == Sampler::FlightRecorder && launch.lacks_module(FLIGHT_RECORDER) {
            tell!(
                "note: this Java has no module {FLIGHT_RECORDER}, so the uninstrumented run has no \
                 samples"
            );
            options.clear();
        }
        let status;
        (run.timing, status) = Timing::of(|| launch.run_with(&options, profiles))?;
        Ok((run, status))
    }

    /// What it took, with all its processes.
    pub fn timing(&self) -> Timing {
        self.timing
    }

    /// Puts the samples in the profiles of the same JVMs, and says where there are none.
    pub fn lay_on(&self, jvms: &[Jvm]) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.sort();
        let mut sampled = Vec::new();
        for file in &files {
            match Samples::read(file) {
                Ok(samples) => sampled.push(samples),
                Err(error) if self.is_of_one => tell!("note: {error}"),
                // Of several, the shortest have none.
                Err(_) => {}
            }
        }
        sampled.sort_by_key(Samples::start_millis);
        let mut in_order: Vec<&Jvm> = jvms.iter().collect();
        in_order.sort_by_key(|jvm| jvm.start_millis);
        let programs = sampled.iter().map(|samples| samples.program().to_owned()).collect();
        let lines = in_order.iter().map(|jvm| jvm.command_line.as_str()).collect();
        let mut missing = 0;
        for (jvm, found) in in_order.iter().zip(pairs(lines, programs)) {
            let Some(at) = found else {
                missing += 1;
                continue;
            };
            if self.is_of_one {
                sampled[at].took(self.timing.millis, self.timing.cpu_millis);
            }
            put(&sampled[at], jvm);
        }
        if missing > 0 && !self.is_of_one {
            tell!(
                "note: {missing} of {} were not sampled in the uninstrumented run",
                jvm_count(jvms)
            );
        }
    }
}

fn jvm_count(jvms: &[Jvm]) -> String {
    base::number::counted(jvms.len() as u64, "JVM")
}

/// For each command line the place of the same program, and no program twice: first those
/// that are equal, then those that differ in numbers, and in the end those that are left, if
/// there is only one on each side.
fn pairs(lines: Vec<&str>, programs: Vec<String>) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> = vec![None; lines.len()];
    let mut is_left = vec![true; programs.len()];
    for is_same in [is_equal, is_equal_but_for_numbers] {
        for (line, found) in lines.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            let at = (0..programs.len()).find(|&at| is_left[at] && is_same(line, &programs[at]));
            if let Some(at) = at {
                is_left[at] = false;
                *found = Some(at);
            }
        }
    }
    let mut rest = found.iter_mut().filter(|found| found.is_none());
    let (only, more) = (rest.next(), rest.next());
    let mut left = (0..programs.len()).filter(|&at| is_left[at]);
    if let (Some(only), None, Some(at), None) = (only, more, left.next(), left.next()) {
        *only = Some(at);
    }
    found
}

/// Puts samples in the profile of a JVM; says why not, where that is.
fn put(samples: &Samples, jvm: &Jvm) {
    if let Err(error) = time::lay(samples, &jvm.file, &jvm.file) {
        tell!("note: {error}");
    }
}

/// True if a JVM's command line ends with the program and its arguments.
fn is_equal(line: &str, program: &str) -> bool {
    let before = line.trim().strip_suffix(program.trim());
    !program.is_empty() && before.is_some_and(|before| before.is_empty() || before.ends_with(' '))
}

/// True if a JVM's command line ends with the program and its arguments, numbers aside: build
/// tools put process ids and times in names of files.
fn is_equal_but_for_numbers(line: &str, program: &str) -> bool {
    is_equal(&without_numbers(line), &without_numbers(program))
}

/// A text with a sign for each number in it.
pub fn without_numbers(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for c in text.trim().chars() {
        match c.is_ascii_digit() {
            true if kept.ends_with('#') => {}
            true => kept.push('#'),
            false => kept.push(c),
        }
    }
    kept
}

/// Processor time of all children that have ended and been waited for, with theirs; 0 where the
/// system does not tell.
fn children_millis() -> u64 {
    // proc(5): fields 16 and 17, in ticks of which Linux has a hundred a second.
    const TICK_MILLIS: u64 = 10;
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The command in parentheses may hold blanks.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    let ticks: u64 = fields.skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    ticks * TICK_MILLIS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jvms_are_found_again_by_their_programs() {
        let line = "java -Xmx1g -jar /x/surefirebooter-20261129_3.jar /x 2026-11-29 surefire_0";
        let same = "/x/surefirebooter-20261130_17.jar /x 2026-11-30 surefire_1";
        assert!(is_equal_but_for_numbers(line, same) && !is_equal(line, same));
        assert!(!is_equal_but_for_numbers(line, &same.replace("/x", "/y")));
        assert!(!is_equal_but_for_numbers(line, ""));
        assert!(is_equal("java H 1", "H 1") && !is_equal("java XH 1", "H 1"));
        let paired = |lines: &[&str], programs: &[&str]| {
            pairs(lines.to_vec(), programs.iter().map(|&text| text.to_owned()).collect())
        };
        // Equal ones first, whatever their order.
        assert_eq!(paired(&["java A 1", "java A 2"], &["A 2", "A 1"]), [Some(1), Some(0)]);
        assert_eq!(paired(&["java A 1", "java A 2"], &["A 3", "A 4"]), [Some(0), Some(1)]);
        // What is left over on both sides is the same if it is one.
        assert_eq!(paired(&["java B", "java ..."], &["@args", "B"]), [Some(1), Some(0)]);
        assert_eq!(paired(&["java C", "java D"], &["E", "F"]), [None, None]);
        assert_eq!(paired(&["java C"], &[]), [None]);
    }

    #[test]
    fn samplers_are_given_their_file() {
        let text = |sampler: &Sampler, is_folder| {
            let options = sampler.options(Path::new("/a b/c"), is_folder).unwrap();
            options.last().unwrap().to_string_lossy().into_owned()
        };
        assert!(text(&Sampler::FlightRecorder, true).ends_with("throttle=5ms,filename=/a b/c"));
        let other = Sampler::AsyncProfiler("/l/libasyncProfiler.so".into());
        assert_eq!(
            text(&other, true),
            "-agentpath:/l/libasyncProfiler.so=start,event=cpu,interval=5ms,jfr,file=/a b/c/%p.jfr"
        );
        assert!(text(&other, false).ends_with("file=/a b/c"));
        assert!(Sampler::FlightRecorder.options(Path::new("/a,b"), false).is_err());
    }
}
