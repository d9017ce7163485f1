//! `subsume report`.

mod compared;
mod subject;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use analysis::diff::splits::split_mismatches;
use analysis::source::files::SourceFiles;
use analysis::subsuming::threshold_grid::GREATEST;
use base::number::grouped;
use base::{printable, shown, tell};
use report::page::difference::Difference;
use report::page::explanation::Explained;
use report::page::room::Room;
use report::page::sources::Found;
use report::page::{Contents, Page};
use tree::Tree;
use tree::error::{Error, Result};

use self::compared::is_compared;
use crate::cli::output_file::{Content, check, not_taken, write_file};
use crate::cli::progress::Progress;
use crate::cli::source::{Bounds, Choice};
use crate::cli::start::Start;

/// The page's name where the user gives none.
const USUAL: &str = "report.html";

/// Write a page to look at profiles in a browser.
///
/// The page is one file of at most 5 MB that needs no network. It shows subsuming methods for
/// all thresholds up to 10, the calling context ring chart, flame graphs, callers and callees,
/// and the answers about data flow. The smallest parts of large profiles are left out; the page
/// says how much that is. Several profiles have a section each. Two are compared, and the page
/// opens on the explanation of their difference, unless their JVMs ran at the same time, as
/// those of one build do. What happens once is left out, as in 'subsume summary', but not when
/// two profiles are compared. Methods are shown with their source lines where sources are
/// found: those of --sources, and those of the JDK and libraries if they lie beside their
/// classes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume report fop.subsume -o fop.html
  subsume report --sources src/main/java fop.subsume
  subsume report old.subsume new.subsume -o difference.html
  subsume report --metric allocations --thread main fop.subsume")]
pub struct Args {
    #[command(flatten)]
    what: What,

    /// File to write, which is replaced if it exists; - for standard output [default:
    /// report.html; if that exists, report-2.html and so on].
    #[arg(short, long = "output", value_name = "OUT")]
    out: Option<PathBuf>,

    /// Print the page's data as JSON instead.
    #[arg(long, conflicts_with = "out")]
    json: bool,
}

/// What the page is about.
#[derive(Debug, clap::Args)]
pub struct What {
    /// Profiles; each has a section of its own.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    choice: Choice,

    #[command(flatten)]
    start: Start,

    #[command(flatten)]
    bounds: Bounds,

    /// Leave out the values of properties and arguments in command lines, labels from the
    /// environment, and texts that split contexts.
    #[arg(long)]
    redact: bool,

    /// Show only source files of --sources. Without this option, those of the JDK that was
    /// recorded are shown, too, and of libraries whose sources lie beside their classes, in
    /// Maven's repository or in Gradle's cache.
    #[arg(long)]
    given_sources: bool,

    /// Compare two profiles though their JVMs ran at the same time.
    #[arg(long)]
    compare: bool,
}

/// Runs the command.
///
/// # Errors
/// If a profile cannot be read, or the page cannot be written.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let file = match &args.out {
        None => Some(not_taken(Path::new(USUAL))),
        Some(out) => Some(out.clone()).filter(|out| out != Path::new("-")),
    };
    if let Some(file) = file.as_ref().filter(|_| !args.json) {
        check(file, Content::Other, &args.what.files)?;
    }
    let contents = args.what.contents()?;
    if args.json {
        out.write_all(&contents.json(contents.room())?)?;
        writeln!(out)?;
        return Ok(());
    }
    let page = contents.page()?;
    let Some(file) = file else {
        out.write_all(&page.html)?;
        return Ok(());
    };
    let replaced = if file.is_file() { ", in place of what was there" } else { "" };
    write_file(&file, |file| Ok(file.write_all(&page.html)?))?;
    let size = page.html.len() as f64 / 1e6;
    writeln!(out, "{}, {size:.1} MB{replaced}: open it in a browser", shown(&file))?;
    say_what_is_left_out(&contents, &page, out)
}

fn say_what_is_left_out(contents: &Contents, page: &Page, out: &mut impl Write) -> Result<()> {
    for subject in &contents.subjects {
        let digest = &subject.digest;
        let name = printable(&subject.facts.name);
        if subject.sources.as_ref().is_some_and(Found::is_empty) {
            writeln!(out, "  {name}: {}", SourceFiles::NONE_FOUND)?;
        }
        let (methods, contexts) = (digest.order.len() as u64, digest.shape.contexts);
        if contexts == 0 {
            writeln!(out, "  {name}: data flow; calls were not recorded")?;
            continue;
        }
        let shown = [page.room.methods as u64, page.room.contexts as u64];
        writeln!(
            out,
            "  {}: {} of {} methods, {} of {} contexts; what is left out is in the sums",
            name,
            grouped(shown[0].min(methods)),
            grouped(methods),
            grouped(shown[1].min(digest.contexts.len() as u64)),
            grouped(contexts),
        )?;
        // Start-up's contexts are not among those.
        for remark in &subject.facts.remarks {
            writeln!(out, "  {name}: {}", printable(remark))?;
        }
    }
    Ok(())
}

impl What {
    /// Reads and analyses the profiles, one after the other.
    ///
    /// # Errors
    /// If a profile cannot be read or merged.
    pub fn contents(&self) -> Result<Contents> {
        let thresholds = self.bounds.thresholds();
        if thresholds.height > GREATEST || thresholds.distance > GREATEST {
            return Err(Error::new(format!(
                "a report has thresholds up to {GREATEST}; 'subsume methods' takes greater ones"
            )));
        }
        self.choice.own().look_for_sources()?;
        let progress = Progress::of_files(&self.files);
        let mut subjects = Vec::with_capacity(self.files.len());
        let mut codes = Vec::with_capacity(self.files.len());
        let mut splits = Vec::with_capacity(self.files.len());
        let mut trees = Vec::new();
        let is_compared = is_compared(&self.files, self.compare)?;
        if self.files.len() == 2 && !is_compared {
            tell!("note: these JVMs ran at the same time, so they are not compared (--compare)");
        }
        for file in &self.files {
            let read = subject::subject(file, self, is_compared, &progress)?;
            subjects.push(read.subject);
            codes.push(read.code);
            splits.push(read.splits);
            trees.extend(read.tree);
        }
        let difference = match (subjects.as_slice(), codes.as_slice()) {
            ([base, new], [old_code, new_code]) if is_compared => {
                Difference::new((&base.digest, old_code), (&new.digest, new_code))
            }
            _ => None,
        };
        let explanation = match (<[Tree; 2]>::try_from(trees), codes.as_slice()) {
            (Ok(trees), [old_code, new_code]) => {
                progress.say("comparing");
                Explained::new(trees, [old_code, new_code], Room::LARGEST.differing_contexts)
            }
            _ => None,
        };
        let names = subjects.iter().map(|subject| subject.facts.name.as_str());
        let split_mismatches = match is_compared {
            true => split_mismatches(&names.zip(&splits).collect::<Vec<_>>()),
            false => Vec::new(),
        };
        progress.say("writing");
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let created = since.as_millis() as u64;
        Ok(Contents { subjects, thresholds, created, split_mismatches, difference, explanation })
    }
}
