//! The plain run before the recorded one, sampled.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use base::{shown, tell};
use tree::error::{Error, Result};

use super::jvms::Jvm;
use super::launch::Launch;
use super::profiles::Profiles;
use crate::cli::samples::Samples;
use crate::cli::time;

/// Milliseconds between two samples of a thread.
const PERIOD: u32 = 5;
/// Frames of a stack, which Flight Recorder otherwise cuts after 64.
pub const FRAMES: u32 = 1_024;

/// What Flight Recorder shall record, with something between the settings. What a JVM does not
/// know is no error behind a plus sign.
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

/// Samples of a plain run: of one JVM a file, of several a folder with a file each.
#[derive(Debug)]
pub struct PlainRun {
    target: PathBuf,
    is_folder: bool,
    wall_millis: u64,
    cpu_millis: u64,
}

impl PlainRun {
    /// Runs the program to its end without the agent, sampled. `out` is where the profile
    /// will be; samples go beside it. Returns the program's exit code, too.
    ///
    /// # Errors
    /// If the program cannot be started, or the options cannot hold the path.
    pub fn of(
        launch: &Launch<'_>,
        sampler: &Sampler,
        out: &Path,
        profiles: &Profiles,
    ) -> Result<(Self, std::process::ExitStatus)> {
        let is_folder = !launch.is_java();
        let target = out.with_extension(if is_folder { "samples" } else { "jfr" });
        let options = sampler.options(&target, is_folder)?;
        if is_folder {
            fs::create_dir_all(&target).map_err(|e| Error::io(&target, &e))?;
        }
        let (since, before) = (Instant::now(), children_millis());
        let status = launch.run_with(&options, profiles)?;
        let wall_millis = since.elapsed().as_millis() as u64;
        let cpu_millis = children_millis().saturating_sub(before);
        Ok((Self { target, is_folder, wall_millis, cpu_millis }, status))
    }

    /// Puts the samples in the profiles of the same JVMs, and says where there are none.
    pub fn lay_on(&self, jvms: &[Jvm]) {
        let missing = match self.is_folder {
            true => self.lay_on_several(jvms),
            false => jvms.first().map_or(0, |jvm| usize::from(!self.lay_on_one(jvm))),
        };
        if self.is_folder && missing == 0 {
            // They are in the profiles.
            let _ = fs::remove_dir_all(&self.target);
        }
    }

    fn lay_on_one(&self, jvm: &Jvm) -> bool {
        let samples = Samples::read(&self.target).map(|mut samples| {
            samples.took(self.wall_millis, self.cpu_millis);
            samples
        });
        put(samples, jvm)
    }

    /// Returns how many have none.
    fn lay_on_several(&self, jvms: &[Jvm]) -> usize {
        let entries = fs::read_dir(&self.target).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.sort();
        let read = files.iter().filter_map(|file| Samples::read(file).ok());
        let mut sampled: Vec<Option<Samples>> = read.map(Some).collect();
        sampled.sort_by_key(|samples| samples.as_ref().map(Samples::start_millis));
        let mut in_order: Vec<&Jvm> = jvms.iter().collect();
        in_order.sort_by_key(|jvm| jvm.start_millis);
        let mut missing = 0;
        for jvm in in_order {
            let same = sampled.iter_mut().find(|samples| {
                samples
                    .as_ref()
                    .is_some_and(|samples| is_same(&jvm.command_line, samples.program()))
            });
            let found = same.and_then(Option::take);
            let is_put = found.is_some_and(|samples| put(Ok(samples), jvm));
            missing += usize::from(!is_put);
        }
        if missing > 0 {
            let of = shown(&self.target);
            tell!("note: {missing} of {} JVMs have no samples in {of}", jvms.len());
        }
        missing
    }
}

/// Puts samples in the profile of a JVM; says why not, where that is.
fn put(samples: Result<Samples>, jvm: &Jvm) -> bool {
    match samples.and_then(|samples| time::lay(&samples, &jvm.file, &jvm.file)) {
        Ok(_) => true,
        Err(error) => {
            tell!("note: {error}");
            false
        }
    }
}

/// True if a JVM's command line, which ends with the program and its arguments, is
/// about the same program. Numbers do not count: build tools put process ids and times in names
/// of files.
fn is_same(command_line: &str, program: &str) -> bool {
    !program.is_empty() && without_numbers(command_line).ends_with(&without_numbers(program))
}

fn without_numbers(text: &str) -> String {
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
        assert!(is_same(line, "/x/surefirebooter-20261130_17.jar /x 2026-11-30 surefire_1"));
        assert!(!is_same(line, "/y/surefirebooter-20261130_17.jar /x 2026-11-30 surefire_1"));
        assert!(!is_same(line, ""));
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
