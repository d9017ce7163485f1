//! A folder of recordings of one program, and what is read of it.

use std::fs::{self, DirBuilder};
use std::io::Write;
use std::path::{Path, PathBuf};

use analysis::diagnosis::copying::{GrowingCopy, growing_copies};
use analysis::diagnosis::evidence::Recording;
use analysis::diagnosis::program::Program;
use profile::{Profile, read_overview};
use serde::{Deserialize, Serialize};
use tree::Tree;
use tree::error::{Error, Result};
use tree::forest::{MetricChoice, Selection};
use tree::names::generated::make_comparable;
use tree::owners::OwnCode;
use tree::start_up::StartUp;

use super::printed::Printed;
use crate::cli::output_file::write_file;
use crate::cli::reading::read;
use crate::cli::run::input::Form;
use crate::cli::run::plain::Timing;
use crate::cli::run::shown;

/// What is known of the runs, beside the recordings.
const NOTES: &str = "diagnosis.json";
/// What the notes begin with.
const VERSION: u32 = 1;

/// What a program was recorded with, in one folder.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

/// How a program was run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Notes {
    /// Of what is written here.
    pub version: u32,
    /// The command and its arguments, for further runs.
    pub command: Vec<String>,
    /// The folder it is run in.
    pub folder: PathBuf,
    /// More options of the agent.
    pub agent_options: String,
    /// Whether it may run only once.
    #[serde(default)]
    pub once: bool,
    /// The exit code that it is to have.
    #[serde(default)]
    pub exit_code: i32,
    /// The agent's library, and that of async-profiler, if the user named them.
    #[serde(default)]
    pub agent: Option<PathBuf>,
    #[serde(default)]
    pub async_profiler: Option<PathBuf>,
    /// How its standard input was made, which is kept in the folder; null if it reads nothing.
    #[serde(default)]
    pub input: Option<Form>,
    /// The process that was attached to, if the program ran already.
    #[serde(default)]
    pub attached: Option<u32>,
    /// After how many seconds each run is ended; null for none.
    #[serde(default)]
    pub for_seconds: Option<u64>,
    /// The runs, the plain one first.
    pub runs: Vec<Run>,
}

/// A run of the program.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Run {
    /// The agent's mode; `plain` without the agent.
    pub mode: String,
    /// How long it took.
    pub millis: u64,
    /// Processor time; 0 if it is not known.
    pub cpu_millis: u64,
    /// Its exit code; null if a signal has ended it.
    pub exit_code: Option<i32>,
    /// Whether it printed what the plain run did, or one without samples if the sampled one
    /// alone printed something else; null of the plain one itself. Numbers do not count in what
    /// build tools and JMH print, which has times in it.
    pub same_output: Option<bool>,
    /// Of the plain run: what others without the agent printed; null if nobody asked.
    #[serde(default)]
    pub printed: Option<Printed>,
    /// Of the plain run: what further runs without samples took.
    #[serde(default)]
    pub timed: Vec<Timing>,
}

impl Run {
    /// What it took: its middle in processor time, or by the clock where that is not known, and
    /// the least and the most of several runs.
    pub fn took(&self) -> Took {
        let usual = [Timing { millis: self.millis, cpu_millis: self.cpu_millis }];
        // A sampled run takes longer than those that are not.
        let runs = if self.timed.is_empty() { &usual[..] } else { &self.timed[..] };
        let is_cpu = runs.iter().all(|run| run.cpu_millis > 0);
        let mut all: Vec<u64> =
            runs.iter().map(|run| if is_cpu { run.cpu_millis } else { run.millis }).collect();
        all.sort_unstable();
        let (least, most) = (all[0], all[all.len() - 1]);
        Took { is_cpu, runs: all.len(), middle: all[all.len() / 2], least, most }
    }
}

/// What a program took in one or more runs, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Took {
    /// Whether it is processor time.
    pub is_cpu: bool,
    /// How many runs there were.
    pub runs: usize,
    pub middle: u64,
    pub least: u64,
    pub most: u64,
}

/// The name of the run without the agent.
pub const PLAIN: &str = "plain";
/// The name of one more that takes no samples, for its output.
pub const UNSAMPLED: &str = "unsampled";

impl Notes {
    /// The run without the agent, if there was one.
    pub fn plain(&self) -> Option<&Run> {
        self.runs.iter().find(|run| run.mode == PLAIN)
    }

    /// Notes what plain runs printed.
    pub fn note_printed(&mut self, printed: Option<Printed>) {
        if let Some(plain) = self.runs.iter_mut().find(|run| run.mode == PLAIN) {
            plain.printed = printed;
        }
    }
}

/// What the folder holds, read.
#[derive(Debug)]
pub struct Recorded {
    /// The tree of calls, without what happens once.
    pub tree: Tree,
    /// What happens once.
    pub start: StartUp,
    /// Texts and arrays that grow by copying themselves.
    pub growing: Vec<GrowingCopy>,
    /// All recordings that there are, with what they hold beside the tree.
    pub recordings: Vec<(Recording, Vec<(String, Profile)>)>,
}

impl Recorded {
    /// What evidence is brought to.
    pub fn program(&self) -> Program<'_> {
        Program::new(&self.tree).with_growing(&self.growing)
    }

    /// The recordings that there are.
    pub fn modes(&self) -> Vec<Recording> {
        self.recordings.iter().map(|(recording, _)| *recording).collect()
    }
}

impl Folder {
    /// At this path.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_path_buf() }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the folder, for its owner alone: recordings hold command lines.
    ///
    /// # Errors
    /// If it cannot be made, or there are recordings in it already.
    pub fn create(&self) -> Result<()> {
        if self.path.is_dir() {
            let is_empty = fs::read_dir(&self.path).is_ok_and(|mut all| all.next().is_none());
            let has_notes = self.path.join(NOTES).is_file();
            // A first run that failed leaves notes and its output.
            if is_empty || has_notes && self.present().is_empty() {
                return Ok(());
            }
            let goes_on = match has_notes {
                true => format!(
                    ", or go on with its recordings: subsume diagnose --continue {}",
                    shown(&self.path)
                ),
                false => String::new(),
            };
            return Err(Error::new(format!(
                "{}: the folder is not empty; name another one{goes_on}",
                base::shown(&self.path),
            )));
        }
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.recursive(true).create(&self.path).map_err(|e| Error::io(&self.path, &e))
    }

    /// Where a recording is, or will be.
    pub fn file(&self, recording: Recording) -> PathBuf {
        self.path.join(recording.file())
    }

    /// Where the program's standard input is kept.
    pub fn input(&self) -> PathBuf {
        self.path.join("input")
    }

    /// Where the output of a run is.
    pub fn output(&self, run: &str) -> PathBuf {
        self.path.join(format!("{}.out", run.replace('+', "-")))
    }

    /// The recordings that there are.
    pub fn present(&self) -> Vec<Recording> {
        Recording::ALL.into_iter().filter(|&one| self.file(one).is_file()).collect()
    }

    /// The recording whose tree the findings are brought to.
    ///
    /// # Errors
    /// If there is none that has bytecodes, or a file cannot be read.
    pub fn of_calls(&self) -> Result<PathBuf> {
        let has_none = |file: &PathBuf| {
            // What is wrong with a file is said when it is read.
            read_overview(file)
                .is_ok_and(|one| one.totals.iter().all(|(name, _)| name != BYTECODES))
        };
        let mut files = self.present().into_iter().map(|one| self.file(one));
        files.find(|file| !has_none(file)).ok_or_else(|| {
            let reason = match fs::metadata(&self.path) {
                Err(_) => "the folder does not exist, so ",
                Ok(known) if !known.is_dir() => "this is a file and no folder, so ",
                Ok(_) => "",
            };
            Error::new(format!(
                "{}: {reason}there is no recording with calls; 'subsume diagnose -o DIR -- \
                 COMMAND' makes the recordings",
                base::shown(&self.path)
            ))
        })
    }

    /// What is known of the runs; nothing, if the recordings were made by hand.
    ///
    /// # Errors
    /// If that cannot be read.
    pub fn notes(&self) -> Result<Notes> {
        let path = self.path.join(NOTES);
        if !path.is_file() {
            return Ok(Notes::default());
        }
        let bytes = fs::read(&path).map_err(|e| Error::io(&path, &e))?;
        let wrong = |what: String| Error::new(format!("{}: {what}", base::shown(&path)));
        let notes: Notes = serde_json::from_slice(&bytes)
            .map_err(|e| wrong(format!("these are no notes of 'subsume diagnose': {e}")))?;
        if notes.version != VERSION {
            return Err(wrong(format!("version {}, this command knows {VERSION}", notes.version)));
        }
        Ok(notes)
    }

    /// Writes down what is known of the runs.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn note(&self, notes: &Notes) -> Result<()> {
        let notes = Notes { version: VERSION, ..notes.clone() };
        let text = serde_json::to_vec_pretty(&notes).map_err(|e| Error::new(e.to_string()))?;
        let path = self.path.join(NOTES);
        write_file(&path, |file| file.write_all(&text).map_err(|e| Error::io(&path, &e)))
    }

    /// Reads all that there is.
    ///
    /// # Errors
    /// If there is no recording with calls, or a file cannot be read.
    pub fn read(&self, own: &OwnCode) -> Result<Recorded> {
        let (mut tree, growing) = self.tree(own)?;
        let start = tree.put_start_aside();
        let mut recordings = Vec::new();
        for recording in self.present() {
            // Of calls all is in the tree.
            let profiles = match recording {
                Recording::Calls => Vec::new(),
                _ => vec![comparable(&self.file(recording))?],
            };
            recordings.push((recording, profiles));
        }
        Ok(Recorded { tree, start, growing, recordings })
    }

    /// The tree of the first recording that has bytecodes, and what only its call sites tell.
    fn tree(&self, own: &OwnCode) -> Result<(Tree, Vec<GrowingCopy>)> {
        let selection = Selection {
            metric: MetricChoice::Every,
            threads: true,
            own: own.clone(),
            ..Selection::default()
        };
        let profile = comparable(&self.of_calls()?)?;
        let growing = growing_copies(&profile.1, own);
        let mut tree = Tree::merge(vec![profile], &selection)?;
        let mut names = tree.metric_names();
        names.sort_by_key(|name| *name != BYTECODES);
        tree.choose_metrics(&names);
        Ok((tree, growing))
    }
}

const BYTECODES: &str = "bytecodes";

/// A profile with names of generated classes that can be found again in another run.
fn comparable(path: &Path) -> Result<(String, Profile)> {
    let mut profile = read(path, &MetricChoice::Every)?;
    make_comparable(&mut profile);
    Ok((path.to_string_lossy().into_owned(), profile))
}
