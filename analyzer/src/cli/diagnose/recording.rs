//! The runs of a program: plain and sampled first, then recorded in one mode after the other.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use analysis::diagnosis::evidence::Recording;
use base::number::counted;
use base::{shown, tell};
use profile::{Columns, read_file_with};
use tree::error::{Error, Result};
use tree::exceptions;

use super::args::Args;
use super::folder::{Folder, Notes, PLAIN, Run, UNSAMPLED};
use super::named::prints_times;
use super::printed::{Printed, same};
use crate::cli::progress::Progress;
use crate::cli::run::input::Input;
use crate::cli::run::jvms::jvms;
use crate::cli::run::launch::Launch;
use crate::cli::run::plain::{PlainRun, Sampler, Timing};
use crate::cli::run::profiles::Profiles;
use crate::cli::run::shown as word;
use crate::cli::run::{agent, child, ending};

/// The recordings that findings are made of, and how many times as long as a plain run they
/// take, roughly. Those of growth have the loops that read the same again, too.
const RUNS: [(Recording, f64); 6] = [
    (Recording::Calls, 2.5),
    (Recording::Results, 6.0),
    (Recording::Copies, 8.0),
    (Recording::Growth, 15.0),
    (Recording::Typestate, 3.0),
    (Recording::Costs, 10.0),
];
/// One more, of a program in which nulls are met where objects are expected.
const NULLS: (Recording, f64) = (Recording::Nulls, 8.0);
const NULL_POINTER: &str = "java.lang.NullPointerException";
/// With fewer such exceptions there is nothing to tell.
const FEWEST_NULLS: u64 = 10;
/// What the start of a recorded program takes beside that, and that of a sampled one.
const START: Duration = Duration::from_secs(2);
const START_SAMPLED: Duration = Duration::from_secs(1);
/// A short program is timed so often more without samples, since one run's time says little;
/// all of these runs together take no longer than that.
const TIMED: usize = 3;
const TIMED_FOR: Duration = Duration::from_secs(10);
/// Programs that end sooner are recorded with C1 only, which compiles code with probes in a
/// fraction of the time that C2 takes; longer ones gain more from C2's code.
const COMPILED_BY_C1: Duration = Duration::from_secs(4);
/// Seconds of which it is safe to say that the default of --within has room for them.
const WITHIN_USUALLY: u64 = 450;
/// The recording of a program that runs once: results have calls and bytecodes with them.
const ONLY: Recording = Recording::Results;

/// How a program is to be run.
#[derive(Debug)]
pub struct Runs {
    /// The agent's library.
    pub agent: PathBuf,
    /// Who takes the samples of the plain run.
    pub sampler: Sampler,
    /// All runs together take no longer than that, as far as can be told beforehand.
    pub within: Duration,
    /// A run is ended after so long.
    pub limit: Option<Duration>,
    /// Whether there is only one run.
    pub is_once: bool,
    /// What each run reads.
    pub input: Input,
}

impl Runs {
    /// As the user says, or as the program was run before.
    ///
    /// # Errors
    /// If there is no agent, or no such sampler.
    pub fn new(args: &Args, notes: &Notes) -> Result<Self> {
        Ok(Self {
            agent: agent::find(args.agent.as_deref().or(notes.agent.as_deref()))?,
            sampler: Sampler::new(
                args.async_profiler.as_deref().or(notes.async_profiler.as_deref()),
            )?,
            within: args.within,
            limit: args.limit.or(notes.for_seconds.map(Duration::from_secs)),
            is_once: notes.once,
            input: Input::Nothing,
        })
    }

    /// Makes the recordings that the folder lacks.
    ///
    /// # Errors
    /// If the program cannot be started, or fails without the agent, or leaves no profile.
    pub fn record(&self, folder: &Folder, notes: &mut Notes) -> Result<()> {
        let since = Instant::now();
        let command: Vec<OsString> = notes.command.iter().map(OsString::from).collect();
        let runs_in = notes.folder.clone();
        let one = Program {
            folder,
            command: &command,
            limit: self.limit,
            runs_in: &runs_in,
            input: &self.input,
        };
        if self.is_once {
            one.recorded(ONLY, self, notes, None)?;
            return Ok(());
        }
        let lacks = |(one, _): &(Recording, f64)| !folder.file(*one).is_file();
        let mut missing: Vec<(Recording, f64)> = RUNS.into_iter().filter(lacks).collect();
        // Samples go into the profile of calls.
        let has_calls = folder.file(Recording::Calls).is_file();
        let mut plain = None;
        if has_calls {
            missing.extend(Some(NULLS).filter(|nulls| lacks(nulls) && meets_nulls(folder)));
        } else {
            plain = Some(one.plain(self, notes)?);
        }
        if missing.is_empty() {
            tell!("nothing is missing in {}", shown(folder.path()));
            return Ok(());
        }
        let mut forecast = Forecast::of(notes.plain());
        let all = forecast.of_all(&missing);
        tell!(
            "{} follow, about {}{}",
            counted(missing.len() as u64, "recorded run"),
            in_words(all),
            if all > self.within { ", as far as --within allows" } else { "" }
        );
        let mut left_out = Vec::new();
        let mut at = 0;
        while let Some(&(recording, factor)) = missing.get(at) {
            at += 1;
            let takes = forecast.of_one(factor);
            if since.elapsed() + takes > self.within && recording != Recording::Calls {
                left_out.push((recording, factor));
                continue;
            }
            let progress = Progress::of_long_work();
            progress.say(&format!(
                "recording {}, {} of {}, about {} left",
                recording.mode(),
                at,
                missing.len(),
                in_words(forecast.of_all(&missing[at - 1..]))
            ));
            let begun = Instant::now();
            one.recorded(recording, self, notes, plain.as_ref())?;
            forecast.learn(takes, begun.elapsed());
            if recording == Recording::Calls && lacks(&NULLS) && meets_nulls(folder) {
                tell!("one more recorded run follows: nulls, as there are {NULL_POINTER}s");
                missing.push(NULLS);
            }
        }
        if !left_out.is_empty() {
            let modes: Vec<&str> = left_out.iter().map(|(one, _)| one.mode()).collect();
            let needed = forecast.of_all(&left_out);
            // The default would leave them out again.
            let within = match needed.as_secs() {
                0..WITHIN_USUALLY => String::new(),
                seconds => format!(" --within {}m", (seconds + seconds / 4).div_ceil(60)),
            };
            tell!(
                "left out, as --within {} is not enough: {}; to record them: {}{within}",
                in_words(self.within),
                modes.join(", "),
                goes_on(folder)
            );
        }
        Ok(())
    }
}

/// How long recorded runs take.
struct Forecast {
    /// A plain run.
    plain: Duration,
    /// How many times as long as usual recorded runs of this program take, at least 1.
    slower: f64,
}

impl Forecast {
    /// By a plain run.
    fn of(plain: Option<&Run>) -> Self {
        Self { plain: plain.map(takes).unwrap_or_default(), slower: 1.0 }
    }

    fn of_one(&self, factor: f64) -> Duration {
        self.plain.mul_f64(factor * self.slower) + START
    }

    fn of_all(&self, runs: &[(Recording, f64)]) -> Duration {
        runs.iter().map(|&(_, factor)| self.of_one(factor)).sum()
    }

    /// What one took is what the others are judged by, half of it at least.
    fn learn(&mut self, expected: Duration, took: Duration) {
        let slower = self.slower * took.as_secs_f64() / expected.as_secs_f64().max(1e-3);
        self.slower = (0.5 * (self.slower + slower)).max(1.0);
    }
}

/// A program to run.
struct Program<'a> {
    folder: &'a Folder,
    /// The folder that it runs in.
    runs_in: &'a Path,
    command: &'a [OsString],
    limit: Option<Duration>,
    /// What it reads.
    input: &'a Input,
}

impl Program<'_> {
    /// The program, with its output in a file.
    fn launch<'a>(&'a self, output: &'a Path) -> Launch<'a> {
        Launch::new(self.command).quiet(self.runs_in, output, self.limit).reading(self.input)
    }

    /// Runs it without the agent, sampled.
    fn plain(&self, runs: &Runs, notes: &mut Notes) -> Result<PlainRun> {
        let output = self.folder.output(PLAIN);
        let launch = self.launch(&output);
        let progress = Progress::of_long_work();
        progress.say("running it without the agent, sampled");
        let profiles = Profiles::expected(&self.folder.file(Recording::Calls), launch.is_java());
        let (run, status) = PlainRun::of(&launch, &runs.sampler, &profiles)?;
        drop(progress);
        // A program that was asked to end need not end well.
        interrupted(status, self.folder)?;
        if self.limit.is_none() {
            let where_it_is = format!("; its output is in {}", shown(&output));
            ending::check(status, notes.exit_code, &where_it_is, |code| {
                format!("{} --exit-code {code}", goes_on(self.folder))
            })?;
        }
        notes.runs.retain(|run| run.mode != PLAIN);
        notes.runs.insert(
            0,
            Run {
                mode: PLAIN.to_owned(),
                millis: run.timing().millis,
                cpu_millis: run.timing().cpu_millis,
                exit_code: status.code(),
                same_output: None,
                printed: None,
                timed: Vec::new(),
            },
        );
        let is_lenient = prints_times(&notes.command);
        let (timed, printed) = self.timed(&run, &profiles, status, is_lenient)?;
        notes.note_printed(printed);
        if let Some(plain) = notes.runs.first_mut() {
            plain.timed = timed;
        }
        self.folder.note(notes)?;
        Ok(run)
    }

    /// Times of further plain runs, without samples; none if one of them ends otherwise. What
    /// they printed says whether the samples or chance have changed it.
    fn timed(
        &self,
        first: &PlainRun,
        profiles: &Profiles,
        status: ExitStatus,
        is_lenient: bool,
    ) -> Result<(Vec<Timing>, Option<Printed>)> {
        let takes = Duration::from_millis(first.timing().millis.max(1));
        let fit = (TIMED_FOR.as_secs_f64() / takes.as_secs_f64()) as usize;
        if self.limit.is_some() {
            return Ok((Vec::new(), None));
        }
        let progress = Progress::of_long_work();
        let [sampled, unsampled, again] =
            [PLAIN, UNSAMPLED, "timed"].map(|run| self.folder.output(run));
        let _ = fs::remove_file(&unsampled);
        let mut times = Vec::new();
        let mut printed = None;
        for number in 0..fit.min(TIMED) {
            progress.say("running it without the agent, timed");
            let output = if number == 0 { &unsampled } else { &again };
            let launch = self.launch(output);
            let (timing, ended) = Timing::of(|| launch.run_with(&[], profiles))?;
            interrupted(ended, self.folder)?;
            if ended.code() != status.code() {
                times.clear();
                printed = None;
                break;
            }
            times.push(timing);
            if number > 0 && printed != Some(Printed::Varies) {
                printed = match same(&unsampled, &again, is_lenient) {
                    Some(false) => Some(Printed::Varies),
                    _ => Printed::of(&sampled, &unsampled, &again, is_lenient),
                };
            }
        }
        let _ = fs::remove_file(again);
        if times.len() == 1 && same(&sampled, &unsampled, is_lenient) == Some(true) {
            printed = Some(Printed::Same);
        }
        // Otherwise recorded runs are compared with it.
        if times.is_empty() || printed == Some(Printed::Same) {
            let _ = fs::remove_file(unsampled);
        }
        Ok((times, printed))
    }

    /// Whether a recorded run printed what a plain one did. Where it did not, and nobody has
    /// asked before, the program is run once more, without agent and samples.
    fn same_output(&self, output: &Path, notes: &mut Notes) -> Result<Option<bool>> {
        let is_lenient = prints_times(&notes.command);
        let [sampled, unsampled] = [PLAIN, UNSAMPLED].map(|run| self.folder.output(run));
        let first = same(&sampled, output, is_lenient);
        let Some(plain) = notes.plain().filter(|_| first == Some(false)) else { return Ok(first) };
        if plain.printed.is_none() {
            if !unsampled.is_file() && !self.unsampled(&unsampled, plain.exit_code)? {
                return Ok(first);
            }
            notes.note_printed(Printed::of(&sampled, &unsampled, output, is_lenient));
        }
        Ok(match notes.plain().and_then(|plain| plain.printed) {
            Some(Printed::OtherIfSampled) => same(&unsampled, output, is_lenient),
            _ => first,
        })
    }

    /// Runs it once more, without agent and samples. False if it ends otherwise.
    fn unsampled(&self, output: &Path, exit_code: Option<i32>) -> Result<bool> {
        let progress = Progress::of_long_work();
        progress.say("running it without agent and samples, since it printed something else");
        let launch = self.launch(output);
        let profiles = Profiles::expected(output, launch.is_java());
        let ended = launch.run_with(&[], &profiles)?;
        interrupted(ended, self.folder)?;
        let is_same_end = self.limit.is_some() || ended.code() == exit_code;
        if !is_same_end {
            let _ = fs::remove_file(output);
        }
        Ok(is_same_end)
    }

    /// Runs it under the agent. Of several JVMs the one that did most counts.
    fn recorded(
        &self,
        recording: Recording,
        runs: &Runs,
        notes: &mut Notes,
        plain: Option<&PlainRun>,
    ) -> Result<()> {
        let file = self.folder.file(recording);
        // The agent knows no place relative to another working folder.
        let file = std::path::absolute(&file).map_err(|e| Error::io(&file, &e))?;
        let output = self.folder.output(recording.mode());
        let launch = self.launch(&output);
        let profiles = Profiles::expected(&file, launch.is_java());
        let mut options = format!("out={},mode={}", profiles.template()?, recording.mode());
        if recording == Recording::Calls {
            options.push_str(",lines=on");
        }
        if leaves_out_c2(notes) {
            options.push_str(",compilers=c1");
        }
        if !notes.agent_options.is_empty() {
            options.push(',');
            options.push_str(&notes.agent_options);
        }
        let since = Instant::now();
        let status = launch.record(&runs.agent, &options, &profiles)?;
        let millis = since.elapsed().as_millis() as u64;
        let files = profiles.collect()?;
        if let Err(stopped) = interrupted(status, self.folder) {
            // The files are not complete recordings.
            files.iter().for_each(|file| drop(fs::remove_file(file)));
            return Err(stopped);
        }
        let plain_code = notes.plain().map(|run| run.exit_code);
        if self.limit.is_none() && plain_code.is_some_and(|code| code != status.code()) {
            files.iter().for_each(|file| drop(fs::remove_file(file)));
            let what = format!(
                "in mode {} the program ended otherwise than without the agent ({status}), so that \
                 recording is left out; its output is in {}",
                recording.mode(),
                shown(&output)
            );
            if recording == Recording::Calls {
                return Err(Error::new(what));
            }
            tell!("note: {what}");
            return Ok(());
        }
        let jvms = jvms(&files);
        if let Some(plain) = plain.filter(|_| recording == Recording::Calls) {
            plain.lay_on(&jvms);
        }
        let Some(first) = jvms.first() else {
            let what = format!(
                "no profile of mode {} was written; the program's output is in {}",
                recording.mode(),
                shown(&output)
            );
            if recording == Recording::Calls || runs.is_once {
                return Err(Error::new(what));
            }
            tell!("note: {what}");
            return Ok(());
        };
        if jvms.len() > 1 && recording == Recording::Calls {
            tell!(
                "{} ran; the answer is of {}: {}",
                counted(jvms.len() as u64, "JVM"),
                first.purpose.name(),
                first.command_line
            );
        }
        if first.file != file {
            fs::rename(&first.file, &file).map_err(|e| Error::io(&file, &e))?;
        }
        let same_output = self.same_output(&output, notes)?;
        notes.runs.retain(|run| run.mode != recording.mode());
        notes.runs.push(Run {
            mode: recording.mode().to_owned(),
            millis,
            cpu_millis: 0,
            exit_code: status.code(),
            same_output,
            printed: None,
            timed: Vec::new(),
        });
        self.folder.note(notes)
    }
}

/// Whether runs are recorded with C1 only: of a short program, if the user does not choose.
fn leaves_out_c2(notes: &Notes) -> bool {
    let is_short = |plain| takes(plain) < COMPILED_BY_C1;
    notes.plain().is_some_and(is_short) && !notes.agent_options.contains("compilers=")
}

/// Whether the recording of calls has null pointer exceptions enough to ask where nulls come
/// from.
fn meets_nulls(folder: &Folder) -> bool {
    // What is wrong with the file is said when it is read for the answer.
    let profile = read_file_with(&folder.file(Recording::Calls), &Columns::only(&["calls"]));
    profile.is_ok_and(|profile| exceptions::made(&profile, NULL_POINTER) >= FEWEST_NULLS)
}

/// How long the program takes without agent and samples.
fn takes(plain: &Run) -> Duration {
    let sampled = || Duration::from_millis(plain.millis).saturating_sub(START_SAMPLED);
    let timed = plain.timed.iter().map(|timed| timed.millis).min();
    timed.map_or_else(sampled, Duration::from_millis)
}

/// The command that makes the recordings that a folder lacks.
fn goes_on(folder: &Folder) -> String {
    format!("subsume diagnose --continue {}", word(folder.path()))
}

/// Ends all runs if the user has interrupted one, or this command was asked to end meanwhile.
fn interrupted(status: ExitStatus, folder: &Folder) -> Result<()> {
    const SIGINT: i32 = 2;
    let is_interrupted = child::is_to_end()
        || child::signal(status) == Some(SIGINT)
        || status.code() == Some(128 + SIGINT);
    match is_interrupted {
        false => Ok(()),
        true => Err(Error::new(format!("interrupted; to go on: {}", goes_on(folder)))),
    }
}

/// A time for people: seconds, or minutes.
pub fn in_words(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{} s", seconds.max(1)),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forecasts_learn_from_what_runs_take() {
        let timed = vec![Timing { millis: 1_000, cpu_millis: 0 }];
        let run = Run { millis: 5_000, timed, ..Run::default() };
        let mut forecast = Forecast::of(Some(&run));
        let seconds = |forecast: &Forecast| forecast.of_one(4.0).as_secs_f64();
        assert_eq!(seconds(&forecast), 6.0);
        forecast.learn(Duration::from_secs(6), Duration::from_secs(18));
        assert_eq!(seconds(&forecast), 10.0);
        // Fast ones are no promise for the others.
        forecast.learn(Duration::from_secs(10), Duration::ZERO);
        assert_eq!(seconds(&forecast), 6.0);
    }

    #[test]
    fn times_in_words() {
        let text = |seconds| in_words(Duration::from_secs(seconds));
        assert_eq!([text(0), text(119), text(121)], ["1 s", "119 s", "3 min"]);
    }
}
