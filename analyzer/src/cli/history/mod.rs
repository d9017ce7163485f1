//! `subsume history`.

mod html;
mod json;
pub mod steps;
mod text;

use std::io::Write;
use std::path::{Path, PathBuf};

use tree::error::{Error, Result};

use crate::cli::diff::profiles::Side;
use crate::cli::output_file::{Content, check};
use crate::cli::progress::Progress;
use crate::cli::source::{Choice, Output};
use steps::{Row, Step, Steps};

/// Methods shown unless the user says otherwise.
const TOP: usize = 20;

/// Show what each of several versions of a program changed, by method.
///
/// Each version is compared with the one before it, as 'subsume diff' does. Its difference is
/// explained by the methods whose code changed, is new or gone, each with all that it calls,
/// and by those where other data made a difference. The rows of all methods add up to the
/// difference exactly. Shares are of the version before.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume history v1.subsume v2.subsume v3.subsume
  subsume history --class 'org.example.*' --top 50 nightly/*.subsume
  subsume history --metric allocations --json v*.subsume
  subsume history nightly/*.subsume --html history.html")]
pub struct Args {
    /// Profiles, one of each version, the oldest first.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    choice: Choice,

    /// Write a page for a browser instead, with a small picture for each method that changed,
    /// and the changes from version to version; - for standard output.
    #[arg(long, value_name = "OUT", conflicts_with = "json")]
    html: Option<PathBuf>,

    #[command(flatten)]
    output: Output,
}

/// One version.
struct Version {
    /// Of its file, without what all names have in common.
    name: String,
    file: PathBuf,
    total: u64,
    /// What it changed; `None` of the first version.
    step: Option<Step>,
}

/// All that is shown.
struct Answer<'a> {
    args: &'a Args,
    metric: String,
    versions: Vec<Version>,
    /// The greatest change first.
    rows: Vec<Row>,
}

/// Runs the command.
///
/// # Errors
/// If there are fewer than two profiles, one cannot be read, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    if args.files.len() < 2 {
        return Err(Error::new("a history takes at least two profiles, the oldest first"));
    }
    if let Some(path) = args.html.as_deref().filter(|path| *path != Path::new("-")) {
        check(path, Content::Other, &args.files)?;
    }
    let mut versions: Vec<Version> = Vec::with_capacity(args.files.len());
    let mut steps = Steps::default();
    let names = short_names(&args.files);
    let version = |at: usize, total: u64, step: Option<Step>| Version {
        name: names[at].clone(),
        file: args.files[at].clone(),
        total,
        step,
    };
    let progress = Progress::of_files(&args.files);
    let read = |file| Side::load(std::slice::from_ref(file), &args.choice, &progress);
    let mut before = read(&args.files[0])?;
    for (at, file) in args.files.iter().enumerate().skip(1) {
        let after = read(file)?;
        progress.say("comparing");
        // Comparing gives both the same tables.
        let base = std::mem::replace(&mut before, after.clone());
        let (totals, step) = steps.compare(at, [base, after], &args.choice, 1)?;
        if at == 1 {
            versions.push(version(0, totals[0], None));
        }
        versions.push(version(at, totals[1], Some(step)));
    }
    progress.wipe();
    let totals: Vec<u64> = versions.iter().map(|version| version.total).collect();
    let metric = steps.metric.clone();
    let rows = steps.rows(&totals, args.output.class());
    let answer = Answer { args, metric, versions, rows };
    if let Some(path) = &args.html {
        return html::write(&answer, path, out);
    }
    if crate::cli::json::answered(args.output.json, out, |out| json::print(&answer, out))? {
        return Ok(());
    }
    text::print(&answer, out)
}

/// Names of files without what they begin and end with in common.
fn short_names(files: &[PathBuf]) -> Vec<String> {
    let stem = |file: &PathBuf| {
        let stem = file.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    };
    let stems: Vec<String> = files.iter().map(stem).collect();
    let texts: Vec<Vec<char>> = stems.iter().map(|stem| stem.chars().collect()).collect();
    let same = |&at: &usize| texts.iter().all(|text| text.get(at) == Some(&texts[0][at]));
    let end = (0..texts[0].len()).take_while(same).count();
    // Words and numbers stay whole.
    let is_word = |c: &char| c.is_alphanumeric() || *c == '.';
    let front = texts[0][..end].iter().rposition(|c| !is_word(c)).map_or(0, |last| last + 1);
    let rest: Vec<Vec<char>> = texts.iter().map(|text| text[front..].to_vec()).collect();
    if rest.iter().any(Vec::is_empty) {
        return stems;
    }
    rest.iter().map(|text| text.iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_what_they_have_in_common() {
        let names =
            |files: &[&str]| short_names(&files.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(names(&["a/jsoup-1.6.3.subsume", "b/jsoup-1.8.3.subsume"]), ["1.6.3", "1.8.3"]);
        assert_eq!(names(&["old.subsume", "new.subsume"]), ["old", "new"]);
        assert_eq!(names(&["a.subsume", "a.subsume"]), ["a", "a"]);
        assert_eq!(names(&["run-.subsume", "run-2.subsume"]), ["run-", "run-2"]);
    }
}
