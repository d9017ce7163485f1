//! `subsume repeats`.

mod contexts;
mod json;
mod sarif;
mod text;

use std::io::Write;
use std::path::PathBuf;

use analysis::dataflow::for_whom::Shares;
use analysis::dataflow::results::finding::{Findings, LEAST_SHARE, option_of_deeper_look};
use analysis::dataflow::results::{Followed, METRICS, Results, unite};
use tree::error::{Error, Result};
use tree::names::method::Method;
use tree::readable_names::Names;

use self::contexts::Called;
use super::command::DataflowCommand;
use super::source::{Files, Profiles, read_one};
use crate::cli::json as any_json;
use crate::cli::own::Own;
use crate::cli::sarif::{self as any_sarif, FindingOutput};
use crate::cli::start::Start;

/// Candidates shown unless the user says otherwise.
const TOP: usize = 20;
/// Entries of the lists below them, unless the user says otherwise.
const TOP_NOTES: usize = 10;
/// Methods named for a recording by structure.
const TOP_DEEPER: usize = 5;

/// Show methods that compute the same results again, which a cache could keep.
///
/// An input is the receiver with the arguments. A hit is a call with an input that the method
/// had before, with the same result. A candidate for a cache had no input with two results; at
/// least half of its calls are hits, and no hit writes anything but new objects; it calls
/// something, and its hits take at least 1 % of all bytecodes. The cost and the memory of the
/// cache itself are not counted. Results that are right in one run may be wrong in another, so
/// look at what else the method reads. Candidates are ranked by the work that a cache would
/// save beyond lookups; methods of the JDK come last.
///
/// Objects are compared by identity, strings by their text. Methods recorded with deep=NAMES
/// are also compared by the contents of objects, 1, 2 and 4 references deep. Notes name methods
/// that are caches already, methods that never find anything but null, and methods for which
/// deep= may help.
///
/// "For" says on whose behalf a method of the JDK is called: the nearest method above it that
/// is not the JDK's, with its share of the calls.
///
/// Methods that are called only in work that happens once are left out, and a line says how
/// many candidates these are; see 'subsume summary'. Other methods keep their calls in such
/// work.
///
/// Results of several runs are added up.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume run --mode results -o app.subsume -- java -jar app.jar
  subsume repeats app.subsume
  subsume repeats --min-percent 0.1 --class 'org.example.*' app.subsume
  subsume repeats --markdown app.subsume > comment.md")]
pub struct Args {
    #[command(flatten)]
    files: Files,

    /// Show candidates whose hits take at least this share of all bytecodes.
    #[arg(long, value_name = "PERCENT", default_value_t = 100.0 * LEAST_SHARE)]
    min_percent: f64,

    #[command(flatten)]
    start: Start,

    #[command(flatten)]
    own: Own,

    #[command(flatten)]
    output: FindingOutput,
}

/// All that is shown.
struct Answer<'a> {
    results: &'a Results,
    /// How methods are shown.
    names: Names,
    found: Findings,
    /// The contexts of the calls, if they were recorded.
    called: Option<&'a Called>,
    /// For whom each candidate is called, as far as that is known.
    users: Vec<Option<Shares>>,
    /// Candidates that are left out for the start; `None` if it counts.
    of_start: Option<usize>,
    /// What `--top` has left out.
    more: More,
    /// Candidates, by identity or by structure.
    candidates: usize,
    /// The agent's option for a recording by structure.
    deeper: Option<String>,
}

impl Answer<'_> {
    fn name(&self, one: &Followed) -> String {
        self.names.of(Some(one.method.0)).to_owned()
    }
}

/// Entries that `--top` has left out.
#[derive(Debug, Default)]
struct More {
    candidates: usize,
    by_structure: usize,
    caches: usize,
    always_null: usize,
}

/// Reads profiles with what results are told with, and warns of nothing.
///
/// # Errors
/// If a profile cannot be read.
pub fn read_results(files: &[PathBuf]) -> Result<Profiles> {
    let read =
        |file: &PathBuf| Ok((file.to_string_lossy().into_owned(), read_one(file, &METRICS)?));
    files.iter().map(read).collect()
}

impl DataflowCommand for Args {
    fn files(&self) -> Result<Vec<PathBuf>> {
        Ok(self.files.files.clone())
    }

    fn metrics(&self) -> &'static [&'static str] {
        &METRICS
    }

    fn answer(&self, profiles: Profiles, out: &mut dyn Write) -> Result<()> {
        if !(0.0..=100.0).contains(&self.min_percent) {
            return Err(Error::new("--min-percent takes a number from 0 to 100"));
        }
        let own = self.own.code()?;
        let results = unite(&profiles, &own)?;
        let places = self.output.places(&profiles, || self.own.source_files())?;
        let called = Called::new(profiles, self.start, own)?;
        let class = self.output.class();
        let wanted =
            |method: &Method| class.as_ref().is_none_or(|class| class.matches(&method.class));
        let least = self.min_percent / 100.0;
        let mut found = Findings::new(&results, least, wanted);
        let mut of_start = called.as_ref().filter(|_| self.start.is_left_out()).map(|_| 0);
        if let Some(called) = called.as_ref().filter(|called| called.leaves_out_any()) {
            let before = found.candidates.len();
            let goes_on = |method: &Method| wanted(method) && !called.is_start(method);
            found = Findings::new(&results, least, goes_on);
            of_start = Some(before - found.candidates.len());
        }
        let candidates = found.candidates.len();
        let deeper = option_of_deeper_look(&results, &found, TOP_DEEPER);
        let cut = |list: &mut Vec<usize>, top| {
            let all = list.len();
            list.truncate(self.output.entries(top));
            all - list.len()
        };
        let more = More {
            candidates: cut(&mut found.candidates, TOP),
            by_structure: cut(&mut found.by_structure, TOP),
            caches: cut(&mut found.caches, TOP_NOTES),
            always_null: cut(&mut found.always_null, TOP_NOTES),
        };
        let results = &results;
        let users = match &called {
            Some(called) => called.users(results, &found.candidates),
            None => vec![None; found.candidates.len()],
        };
        let answer = Answer {
            results,
            names: results.names(),
            found,
            called: called.as_ref(),
            users,
            of_start,
            more,
            candidates,
            deeper,
        };
        if let Some(places) = places {
            any_sarif::print("repeats", &sarif::findings(&answer), &places, out)
        } else if any_json::answered(self.output.table.json, out, |out| {
            any_json::print(&json::document(&answer), out)
        })? {
            Ok(())
        } else {
            text::print(&answer, &self.output.table, out)
        }
    }
}
