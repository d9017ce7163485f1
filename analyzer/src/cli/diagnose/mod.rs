//! `subsume diagnose`: what a program wastes, where, and what a change would save.

mod against;
mod folder;
mod json;
mod recording;
mod text;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use analysis::diagnosis::diagnose;
use analysis::diagnosis::evidence::Recording;
use analysis::diagnosis::merge::Finding;
use analysis::diagnosis::program::Program;
use base::{DURATION, parse_duration};
use tree::error::{Error, Result};
use tree::owners::OwnCode;
use tree::start_up::StartUp;
use tree::views::landings::Landing;

use against::{Change, Fate, changes};
use folder::{Folder, Notes, Recorded};
use recording::Runs;

use super::own::Own;
use super::run::plain::Sampler;
use super::run::{agent, default_path};
use super::source::Output;

/// Findings shown unless the user says otherwise.
const TOP: usize = 10;
/// Places that cost much and that no finding explains, likewise.
const TOP_PLACES: usize = 5;
/// What is likely to save less is told in a line each.
const SMALL: f64 = 0.005;
/// A place is explained by a finding that has this part of its cost.
const EXPLAINED: f64 = 0.5;
/// Exit code where something saves more than the user allows.
const TOO_MUCH: u8 = 1;

/// What a program wastes, where, and what a change would save.
///
/// The program is run several times: without the agent and sampled first, then recorded in
/// one mode after the other. Each finding is one cause: what is wasted, the method to look
/// at with the way in, the proof with its figures, and the share of the bytecodes that a
/// change saves at most. The greatest comes first; an upper bound counts half. Findings
/// are about what the program does again and again: what happens once is left out.
///
/// The recordings stay in a folder, of which this command answers again at once. For a
/// program that must not run twice there is --once, for one that does not end --for, which
/// ends each run after a while; drive the same load against all of them. With --against,
/// it tells what became of the findings of another folder.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume diagnose -- java -jar app.jar in.txt
  subsume diagnose -o before -- mvn -o -q test -Dtest=ParserTest
  subsume diagnose before
  subsume diagnose --against before -o after -- mvn -o -q test -Dtest=ParserTest
  subsume diagnose --within 2m -- java -cp classes Main
  subsume diagnose --continue before
  subsume diagnose --for 30s -- ./server.sh
  subsume diagnose --markdown before > comment.md")]
pub struct Args {
    /// A folder of recordings.
    #[arg(value_name = "DIR", conflicts_with = "out")]
    folder: Option<PathBuf>,

    /// Where the recordings go, a folder [default: NAME-TIME.diagnosis, after the program].
    #[arg(short, long = "output", value_name = "DIR", requires = "command")]
    out: Option<PathBuf>,

    /// Record what the folder lacks.
    #[arg(long = "continue", requires = "folder")]
    goes_on: bool,

    /// Tell what became of the findings of this folder.
    #[arg(long, value_name = "DIR")]
    against: Option<PathBuf>,

    /// Leave recordings out if all runs would take longer than that.
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = time)]
    within: Duration,

    /// End each run after so long, for programs that do not end.
    #[arg(long = "for", value_name = "TIME", value_parser = time)]
    limit: Option<Duration>,

    /// Run the program once only, recording calls and results.
    #[arg(long, requires = "command")]
    once: bool,

    /// More options of the agent, such as include=NAMES.
    #[arg(long, value_name = "OPTIONS", requires = "command")]
    agent_options: Option<String>,

    /// The agent [default: libsubsume.so beside this command, or $SUBSUME_AGENT].
    #[arg(long, value_name = "PATH")]
    agent: Option<PathBuf>,

    /// The library of async-profiler, which takes the samples [default: the JVM's Flight
    /// Recorder takes them].
    #[arg(long, value_name = "LIBRARY")]
    async_profiler: Option<PathBuf>,

    /// Exit with code 1 if a finding saves more than this share of the bytecodes; with
    /// --against, only new and larger ones count.
    #[arg(long, value_name = "PERCENT")]
    fail_above: Option<f64>,

    #[command(flatten)]
    own: Own,

    #[command(flatten)]
    output: Output,

    /// The command and its arguments.
    #[arg(last = true, value_name = "COMMAND", conflicts_with = "folder")]
    command: Vec<OsString>,
}

fn time(text: &str) -> std::result::Result<Duration, String> {
    parse_duration(text).ok_or_else(|| DURATION.to_owned())
}

/// All that is shown.
struct Answer<'a> {
    folder: &'a Folder,
    notes: &'a Notes,
    program: &'a Program<'a>,
    start: &'a StartUp,
    recordings: Vec<Recording>,
    /// What is worth a change, the most first.
    findings: Vec<&'a Finding>,
    /// What saves little, and findings that `--top` has left out.
    small: Vec<&'a Finding>,
    more: usize,
    /// Places that cost much and that no finding explains.
    unexplained: Vec<&'a Landing>,
    against: Option<Against<'a>>,
}

/// What is told of an earlier diagnosis.
struct Against<'a> {
    folder: &'a Folder,
    notes: &'a Notes,
    program: &'a Program<'a>,
    start: &'a StartUp,
    changes: Vec<Change>,
}

/// A folder, read and diagnosed.
struct Diagnosed {
    folder: Folder,
    notes: Notes,
    recorded: Recorded,
}

impl Diagnosed {
    fn new(folder: Folder, own: &OwnCode) -> Result<Self> {
        let (notes, recorded) = (folder.notes()?, folder.read(own)?);
        Ok(Self { folder, notes, recorded })
    }
}

/// Runs the command.
///
/// # Errors
/// If nothing can be recorded, a recording cannot be read, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode> {
    if args.fail_above.is_some_and(|percent| !(0.0..=100.0).contains(&percent)) {
        return Err(Error::new("--fail-above takes a number from 0 to 100"));
    }
    let own = args.own.code()?;
    // What is wrong with it is said before the program is run.
    let old = args.against.as_ref().map(|path| Diagnosed::new(Folder::new(path), &own));
    let old = old.transpose()?;
    let folder = recorded(args)?;
    let new = Diagnosed::new(folder, &own)?;
    let program = Program::new(&new.recorded.tree);
    let found = diagnose(&program, &new.recorded.recordings)?;
    let old_program = old.as_ref().map(|old| Program::new(&old.recorded.tree));
    let mut against = None;
    if let (Some(old), Some(old_program)) = (&old, &old_program) {
        let before = diagnose(old_program, &old.recorded.recordings)?;
        against = Some(Against {
            folder: &old.folder,
            notes: &old.notes,
            program: old_program,
            start: &old.recorded.start,
            changes: changes(
                (old_program, &before, &old.recorded.modes()),
                (&program, &found, &new.recorded.modes()),
            ),
        });
    }
    let answer = Answer::new(&new, &program, &found, against, args);
    if args.output.json {
        json::print(&answer, out)?
    } else {
        text::print(&answer, out)?
    }
    Ok(match args.fail_above.is_some_and(|percent| answer.saves_more(&found, percent)) {
        true => ExitCode::from(TOO_MUCH),
        false => ExitCode::SUCCESS,
    })
}

/// The folder to answer of, with the recordings that were asked for.
fn recorded(args: &Args) -> Result<Folder> {
    let (folder, mut notes) = match (&args.folder, &*args.command) {
        (Some(path), _) if !args.goes_on => return Ok(Folder::new(path)),
        (Some(path), _) => {
            let folder = Folder::new(path);
            let notes = folder.notes()?;
            if notes.command.is_empty() {
                return Err(Error::new(format!(
                    "{}: it is not known how the program was run; make another folder with \
                     'subsume diagnose -o DIR -- COMMAND'",
                    base::shown(path)
                )));
            }
            (folder, notes)
        }
        (None, []) => {
            return Err(Error::new(
                "name a folder of recordings, or a command behind '--': subsume diagnose -- java \
                 -jar app.jar",
            ));
        }
        (None, command) => {
            let out = args.out.clone().unwrap_or_else(|| default_path(command, "diagnosis"));
            if out.to_string_lossy().contains(',') {
                let out = base::shown(&out);
                return Err(Error::new(format!("{out}: the agent takes no name with a comma")));
            }
            let folder = Folder::new(&out);
            folder.create()?;
            let words = command.iter().map(|word| word.to_string_lossy().into_owned());
            let notes = Notes {
                command: words.collect(),
                folder: std::env::current_dir().unwrap_or_default(),
                agent_options: args.agent_options.clone().unwrap_or_default(),
                once: args.once,
                for_seconds: args.limit.map(|limit| limit.as_secs()),
                ..Notes::default()
            };
            (folder, notes)
        }
    };
    let runs = Runs {
        agent: agent::find(args.agent.as_deref())?,
        sampler: Sampler::new(args.async_profiler.as_deref())?,
        within: args.within,
        limit: args.limit.or(notes.for_seconds.map(Duration::from_secs)),
        is_once: notes.once,
    };
    runs.record(&folder, &mut notes)?;
    Ok(folder)
}

impl<'a> Answer<'a> {
    fn new(
        new: &'a Diagnosed,
        program: &'a Program<'a>,
        found: &'a [Finding],
        against: Option<Against<'a>>,
        args: &Args,
    ) -> Self {
        let class = args.output.class();
        let is_wanted = |finding: &&Finding| {
            class.as_ref().is_none_or(|class| {
                let of = |method: u32| &program.tree.methods[method as usize].class;
                finding.evidence.iter().any(|one| class.matches(of(one.method)))
            })
        };
        let (small, mut findings): (Vec<_>, Vec<_>) =
            found.iter().filter(is_wanted).partition(|finding| is_small(program, finding));
        let all = findings.len();
        findings.truncate(args.output.entries(TOP));
        let more = all - findings.len();
        let told: Vec<&Finding> =
            found.iter().filter(|finding| !is_small(program, finding)).collect();
        let unexplained =
            program.places.iter().filter(|place| !is_explained(program, &told, place));
        let unexplained = unexplained.take(args.output.entries(TOP_PLACES)).collect();
        Self {
            folder: &new.folder,
            notes: &new.notes,
            program,
            start: &new.recorded.start,
            recordings: new.recorded.modes(),
            findings,
            small,
            more,
            unexplained,
            against,
        }
    }

    /// Whether a finding that counts saves more than this share.
    fn saves_more(&self, found: &[Finding], percent: f64) -> bool {
        let most = percent / 100.0 * self.program.tree.total() as f64;
        match &self.against {
            Some(against) => {
                let counts = |change: &&Change| matches!(change.fate, Fate::New | Fate::Larger);
                let mut changes = against.changes.iter().filter(counts);
                changes.any(|change| change.after as f64 > most)
            }
            // What is likely to save little is no reason to fail.
            None => {
                found.iter().any(|one| !is_small(self.program, one) && one.saving() as f64 > most)
            }
        }
    }
}

/// Whether a finding is likely to save little. A defect is none for what it saves.
fn is_small(program: &Program<'_>, finding: &Finding) -> bool {
    let lead = finding.lead();
    !lead.kind.is_defect() && (lead.likely as f64) < SMALL * program.tree.total() as f64
}

/// Whether a finding has most of a place's cost.
fn is_explained(program: &Program<'_>, found: &[&Finding], place: &Landing) -> bool {
    let region = program.region(place.method);
    let cost = program.cost(&region) as f64;
    found.iter().any(|finding| {
        finding.evidence.iter().any(|one| one.method == place.method)
            || program.cost(&finding.region.intersection(&region)) as f64 >= EXPLAINED * cost
    })
}
