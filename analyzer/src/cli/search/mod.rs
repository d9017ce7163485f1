//! `subsume search`.

mod answer;
mod auto;
mod json;
mod prompt;
mod text;

use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal, Write, stdin, stdout};
use std::path::{Path, PathBuf};

use analysis::search::call_tree::{self, CallTree};
use analysis::search::command::Command;
use analysis::search::comparison::Comparison;
use analysis::search::interface::{Cost, ProfileInterface};
use analysis::search::session::Session;
use analysis::search::suggester::Suggester;
use base::{shown, tell};
use tree::Tree;
use tree::alignment::align;
use tree::error::{Error, Result};
use tree::readable_names::Names;

use crate::cli::output_file::{Content, check};
use crate::cli::progress::Progress;
use crate::cli::source::{Bounds, Source};
use crate::cli::start::{Start, WITH_START, start_up};
use answer::Answer;
use auto::Subject;
use text::Style;

/// Search for bottlenecks: sequences of calls that cost much, wherever they occur.
///
/// A summary stands for a sequence of calls. Its base is the cost along the sequence; its cum
/// includes everything below. Costs that several summaries share count once. Start from a
/// suggestion, go to longer or shorter sequences, and label those that explain a good part of
/// the cost; overlaps with labels are shown with every selection. What happens once is left
/// out, as in 'subsume summary', but not with --against. Commands come from a prompt, from
/// --script or from a pipe; 'help' lists them. Without any of these, as in a build, it searches
/// by itself, as with --auto, and shows each bottleneck with the calls that lead to it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume search fop.subsume
  subsume search new.subsume --against old.subsume
  subsume search --auto fop.subsume
  printf 'set suggester HighBase\\nsuggest\\nselect 0\\n' | subsume search --json fop.subsume")]
pub struct Args {
    #[command(flatten)]
    source: Source,

    #[command(flatten)]
    start: Start,

    /// Search the cost that the profiles have beyond this one; may be repeated.
    #[arg(long, value_name = "BASE")]
    against: Vec<PathBuf>,

    /// Read commands from this file.
    #[arg(long, value_name = "FILE", conflicts_with = "auto")]
    script: Option<PathBuf>,

    /// Search without commands, and print the bottlenecks found.
    #[arg(long)]
    auto: bool,

    /// Show this many summaries in a list, or bottlenecks with --auto; 0 for all.
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,

    /// Print each answer as one JSON object on a line.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    bounds: Bounds,
}

/// The metric that says how often a loop calls.
const CALLS: &str = "calls";

/// Runs the command.
///
/// # Errors
/// If a profile or the script cannot be read, a command of the script is wrong, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    if args.against.is_empty() {
        let (mut file, start) = args.source.tree_and_start(args.start)?;
        keep_cost(&mut file);
        let names = Names::new(&file);
        let profile = CallTree::new(&file, bounds(args));
        let subject = Subject { tree: &file, owners: file.owners(), start: start.as_ref() };
        let style =
            Style::new(&names, file.metric(), Cost::from(file.total()), file.total(), false)
                .painted(&file, &subject.owners);
        return search(args, &profile, &style, &subject, out);
    }
    let comparable = |files: &[PathBuf]| {
        let mut tree = args.source.choice().comparable_tree(files)?;
        keep_cost(&mut tree);
        Ok::<_, Error>(tree)
    };
    let mut file = comparable(args.source.files())?;
    let mut base = comparable(&args.against)?;
    if file.metric() != base.metric() {
        return Err(Error::new(format!(
            "{} cannot be compared with {}: say with --metric which cost both have",
            file.metric(),
            base.metric()
        )));
    }
    align([&mut file, &mut base]);
    let names = Names::of_trees(&[&file, &base]);
    let whole = base.total();
    let costlier = if file.total() >= whole { &file } else { &base };
    let subject = Subject { tree: costlier, owners: costlier.owners(), start: None };
    let (file, base) = (CallTree::new(&file, bounds(args)), CallTree::new(&base, bounds(args)));
    let comparison = Comparison::new(&file, &base);
    let style = Style::new(&names, comparison.metric(), comparison.total(), whole, true)
        .painted(subject.tree, &subject.owners);
    search(args, comparison, &style, &subject, out)
}

/// Keeps the cost to analyse, and the calls that the ways to it have.
fn keep_cost(tree: &mut Tree) {
    let names: Vec<String> = [tree.metric(), CALLS].map(str::to_owned).into();
    tree.choose_metrics(&names);
}

fn bounds(args: &Args) -> call_tree::Bounds {
    call_tree::Bounds { thresholds: args.bounds.thresholds(), never: args.bounds.never() }
}

fn search<P: ProfileInterface>(
    args: &Args,
    profile: P,
    style: &Style<'_>,
    subject: &Subject<'_>,
    out: &mut impl Write,
) -> Result<()> {
    let shown = if args.top == 0 { usize::MAX } else { args.top };
    if args.auto || args.script.is_none() && !commands_come(args.json) {
        let top = if args.json { usize::MAX } else { shown };
        return auto::run(&profile, style, subject, top, args.json, out);
    }
    // Answers come one by one, so the note stands beside them.
    if let Some(line) = subject.start.and_then(|s| start_up(s, style.metric(), WITH_START)) {
        tell!("note: {line}");
    }
    let mut talk =
        Talk { session: Session::new(profile, shown), style, json: args.json, out, work: args };
    match &args.script {
        Some(path) => {
            let file = File::open(path).map_err(|e| Error::io(path, &e))?;
            talk.read_lines(path, BufReader::new(file))
        }
        None if stdin().is_terminal() => prompt::run(&mut talk),
        None => talk.read_lines(Path::new("standard input"), stdin().lock()),
    }
}

/// Whether there is somebody who gives commands: at a terminal that also shows the
/// answers, or by what standard input holds.
fn commands_come(json: bool) -> bool {
    let input = stdin();
    if input.is_terminal() {
        return !json && stdout().is_terminal();
    }
    // Closed, it is as empty as it is at its end.
    input.lock().fill_buf().is_ok_and(|commands| !commands.is_empty())
}

/// Commands going in, answers coming out.
struct Talk<'a, P: ProfileInterface, W: Write> {
    session: Session<P>,
    style: &'a Style<'a>,
    json: bool,
    out: &'a mut W,
    work: &'a Args,
}

impl<P: ProfileInterface, W: Write> Talk<'_, P, W> {
    /// Runs the commands of a script; the first one that fails ends it.
    fn read_lines(&mut self, path: &Path, lines: impl BufRead) -> Result<()> {
        for (number, line) in (1..).zip(lines.lines()) {
            let line = line.map_err(|e| Error::io(path, &e))?;
            let wrong = |what| Error::new(format!("{}: line {number}: {what}", shown(path)));
            let Some(command) = Command::parse(&line).map_err(wrong)? else { continue };
            match self.execute(command)? {
                Ok(Answer::Quit) => return Ok(()),
                Ok(answer) => self.print(&answer)?,
                Err(what) => {
                    // What was answered until here comes before the message.
                    self.out.flush()?;
                    return Err(wrong(what));
                }
            }
        }
        Ok(())
    }

    /// Carries a command out. The inner error is the user's, in words.
    fn execute(&mut self, command: Command) -> Result<std::result::Result<Answer, String>> {
        let progress = Progress::of_files(self.work.source.files());
        let session = &mut self.session;
        Ok(match command {
            Command::SetSuggester(suggester) => {
                session.set_suggester(suggester);
                Ok(Answer::Setting("suggester", suggester.to_string()))
            }
            Command::Suggest => {
                if session.suggester() == Suggester::HighInduced {
                    progress.say("looking for subsuming methods");
                }
                let suggester = session.suggester();
                Ok(Answer::Suggestions(suggester, session.suggest()))
            }
            Command::Select(number) => session.select(number).map(Answer::Selection),
            Command::Back => session.back().map(Answer::Selection),
            Command::Zoom(on) => {
                session.set_zoom(on);
                Ok(Answer::Setting("zoom", if on { "on" } else { "off" }.to_owned()))
            }
            Command::Cutoff(ratio) => {
                session.set_cutoff(ratio);
                Ok(Answer::Setting("cutoff", ratio.to_string()))
            }
            Command::Label(name) => {
                session.label(&name).map(|item| Answer::NewLabel(name.clone(), item))
            }
            Command::Labels => Ok(Answer::Labels(session.labels())),
            Command::Coverage => Ok(Answer::Coverage(session.coverage())),
            Command::Save(path) => {
                let read = self.work.source.files().iter().chain(&self.work.against);
                let saved = check(&path, Content::Other, read)
                    .and_then(|()| json::save(session, self.style, &path));
                match saved {
                    Ok(()) => Ok(Answer::Saved(path)),
                    Err(error) => Err(error.to_string()),
                }
            }
            Command::Help => Ok(Answer::Help),
            Command::Quit => Ok(Answer::Quit),
        })
    }

    fn print(&mut self, answer: &Answer) -> Result<()> {
        if self.json {
            json::print(answer, self.style, self.out)?;
        } else {
            text::print(answer, self.style, self.out)?;
        }
        // A program that sends commands through a pipe waits for the answer.
        Ok(self.out.flush()?)
    }
}
