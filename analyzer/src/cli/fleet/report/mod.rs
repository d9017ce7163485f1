//! `subsume fleet report`.

mod document;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use base::number::counted;
use base::shown;
use clap::ValueEnum;
use fleet::dataset::Dataset;
use fleet::history::{Order, Version, versions};
use fleet::outliers::{Outlier, find};
use fleet::owners::owners;
use fleet::run::Run;
use fleet::spread::{Spread, Spreads, spreads};
use report::page::html;
use tree::error::{Error, Result};
use tree::names::method::Method;
use tree::owners::Owners;

use super::folded::{fold, multiple};
use super::selection::{Selection, flaws_of, one_program};
use crate::cli::diff::profiles::Side;
use crate::cli::history::steps::{Row, Step, Steps};
use crate::cli::json;
use crate::cli::output_file::{Content, check, write_file};
use crate::cli::progress::Progress;
use crate::cli::source::{Choice, Output};
use document::{Document, Page};

/// Methods of each list on a page at most, unless the user says otherwise.
const TOP: usize = 1000;
/// Runs with a label are reported as outliers if their mean differs by this share from that
/// of the others, and if there are at least `LEAST_OTHERS` others.
const LEAST_SHARE: f64 = 0.001;
const LEAST_OTHERS: u64 = 2;

/// Write a page with the history of a program: what its versions cost, and why.
///
/// Each version has the mean of its runs. It is compared with the version before it, as
/// 'subsume diff' does: the difference is explained by the methods whose code changed, and by
/// those where other data made a difference. The page also shows the methods' own costs in all
/// versions, and labels that distinguish runs of a version. Runs that were cut short, lost
/// contexts or lack the label are left out and named, as are sampled runs if others are
/// counted.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume fleet report fleet -o fleet.html
  subsume fleet report fleet --where program=fop --by commit -o fop.html
  subsume fleet report fleet --where host=a --metric allocations --json")]
pub struct Args {
    #[command(flatten)]
    selection: Selection,

    /// The label that distinguishes versions; can also be date.
    #[arg(long, value_name = "LABEL", default_value = "version")]
    by: String,

    /// The order of versions [default: name if all names begin with numbers].
    #[arg(long, value_enum)]
    order: Option<OrderName>,

    /// The page to write; - for standard output.
    #[arg(short, long = "output", value_name = "OUT", required_unless_present = "json")]
    out: Option<PathBuf>,

    #[command(flatten)]
    choice: Choice,

    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum OrderName {
    /// By the numbers in the names: 1.9 before 1.10.
    Name,
    /// By the start of the first run.
    Date,
}

/// All that is shown.
struct Answer {
    /// Runs that are compared.
    runs: usize,
    /// They are samples.
    sampled: bool,
    versions: Vec<Version>,
    /// What each version but the first one changed, or why that is not known.
    steps: Vec<std::result::Result<Step, String>>,
    /// What methods explain of it, the greatest change first.
    rows: Vec<Row>,
    /// Own costs by version, the greatest first.
    costs: Spreads,
    /// Whose the methods are.
    owners: Owners,
    outliers: Vec<OfVersion>,
    /// Runs that are not compared, and why.
    left_out: Vec<(Run, String)>,
}

impl Answer {
    /// Whose a method is.
    fn owner(&self, method: &Method) -> &'static str {
        self.owners.owner(&method.class).word()
    }
}

/// What sets runs of a version apart.
struct OfVersion {
    /// The place of the version.
    version: usize,
    outlier: Outlier,
    /// The method whose own cost differs most, and by how much.
    method: Option<(Method, f64)>,
}

/// Runs the command.
///
/// # Errors
/// If the fleet cannot be read, has no such runs, or the page cannot be written.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let page = args.out.as_deref().filter(|_| !args.output.json);
    if let Some(path) = page.filter(|path| *path != Path::new("-")) {
        check(path, Content::Other, [])?;
    }
    let answer = answer(args)?;
    let document = Document::of(args, &answer);
    let Some(path) = page else { return json::print(&document, out) };
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let page = Page::of(document, since.as_millis() as u64);
    let title = format!("{} by {}", answer.versions[0].runs[0].program, args.by);
    let page = serde_json::to_vec(&page)
        .map_err(|error| Error::new(format!("cannot write JSON: {error}")))?;
    let page = html::page(&title, &page)?;
    if path == Path::new("-") {
        out.write_all(&page)?;
        return Ok(());
    }
    write_file(path, |file| Ok(file.write_all(&page)?))?;
    let size = page.len() as f64 / 1e6;
    writeln!(
        out,
        "{}, {size:.1} MB: {} in {}: open it in a browser",
        shown(path),
        counted(answer.runs as u64, "run"),
        counted(answer.versions.len() as u64, "version"),
    )?;
    if !answer.left_out.is_empty() {
        writeln!(out, "  Left out: {}", counted(answer.left_out.len() as u64, "run"))?;
    }
    Ok(())
}

fn answer(args: &Args) -> Result<Answer> {
    let dataset = args.selection.dataset()?;
    let mut left_out = Vec::new();
    let mut runs = args.selection.runs(&dataset)?;
    one_program(&runs)?;
    let any_counted = runs.iter().any(|run| !run.is_sampled());
    runs.retain(|run| {
        let reason = match flaws_of(run) {
            None if any_counted && run.is_sampled() => Some(format!("sampled ({})", run.origin)),
            flaws => flaws,
        };
        left_out.extend(reason.clone().map(|reason| (run.clone(), reason)));
        reason.is_none()
    });
    let order = args.order.map(|order| match order {
        OrderName::Name => Order::Names,
        OrderName::Date => Order::Dates,
    });
    let count = runs.len();
    if runs.is_empty() {
        let reasons: BTreeSet<&str> = left_out.iter().map(|(_, reason)| reason.as_str()).collect();
        let reasons = reasons.into_iter().collect::<Vec<_>>().join("; ");
        return Err(Error::new(format!("a page needs at least one complete run: {reasons}")));
    }
    let (versions, without) = versions(runs, &args.by, order);
    if versions.is_empty() {
        return Err(Error::new(format!(
            "none of the runs that are whole has a label '{}': --by names another label",
            args.by
        )));
    }
    let runs = count - without.len();
    left_out.extend(without.into_iter().map(|run| (run, format!("no label {}", args.by))));
    let progress = Progress::of_long_work();
    progress.say("reading costs");
    let class = args.output.class();
    let groups: Vec<&[Run]> = versions.iter().map(|version| &version.runs[..]).collect();
    let metric = args.choice.metric.as_deref();
    let mut costs = spreads(&dataset, &groups, metric)?;
    if let Some(class) = &class {
        costs.methods.retain(|(method, _)| class.matches(&method.class));
    }
    let greatest =
        |spreads: &[Spread]| spreads.iter().map(|spread| spread.mean()).fold(0.0, f64::max);
    costs.methods.sort_by(|(_, one), (_, other)| greatest(other).total_cmp(&greatest(one)));
    let mut outliers = Vec::new();
    for (at, version) in versions.iter().enumerate() {
        let (spreads, found) = find(&dataset, &version.runs, metric, class.as_ref())?;
        let is_apart = |outlier: &Outlier| {
            outlier.with.is_apart(&outlier.without)
                && outlier.without.runs >= LEAST_OTHERS
                && outlier.share().abs() >= LEAST_SHARE
        };
        outliers.extend(found.into_iter().filter(is_apart).map(|outlier| {
            let method = outlier
                .method
                .map(|(method, difference)| (spreads.methods[method].0.clone(), difference));
            OfVersion { version: at, outlier, method }
        }));
    }
    let totals: Vec<u64> = costs.totals.iter().map(|total| total.mean() as u64).collect();
    let (steps, compared) = explained(args, &dataset, &versions, &progress)?;
    let rows = compared.rows(&totals, class);
    let sampled = !any_counted;
    let methods = costs.methods.iter().map(|(method, _)| method);
    let said = args.choice.own().code()?;
    let owners = owners(&dataset, &groups.concat(), &said, methods)?;
    Ok(Answer { runs, sampled, versions, steps, rows, costs, owners, outliers, left_out })
}

/// What each version but the first one changed, by method. Runs of a version are folded
/// into one profile; at most those of two versions are in memory.
fn explained(
    args: &Args,
    dataset: &Dataset,
    versions: &[Version],
    progress: &Progress,
) -> Result<(Vec<std::result::Result<Step, String>>, Steps)> {
    let mut compared = Steps::default();
    let mut steps = Vec::new();
    // The version before, with its costs as many times.
    let mut known: Option<(u64, Side)> = None;
    for (at, pair) in versions.windows(2).enumerate() {
        let without_tree = pair.iter().flat_map(|version| &version.runs).find(|run| !run.has_tree);
        if let Some(run) = without_tree {
            steps.push(Err(format!("run {} was added without its profile", run.id)));
            known = None;
            continue;
        }
        let counts = [0, 1].map(|side: usize| pair[side].runs.len() as u64);
        let runs = multiple(counts[0], counts[1]);
        let folded = |side: usize| {
            progress.say(&format!("reading version {}", pair[side].name));
            let factor = runs / counts[side];
            let profile = fold(dataset, &pair[side].runs, factor)?;
            let side = Side::one((format!("version {}", pair[side].name), profile), &args.choice)?;
            Ok::<_, Error>((factor, side))
        };
        let base = match known.take() {
            Some((factor, side)) if factor == runs / counts[0] => side,
            _ => folded(0)?.1,
        };
        let (factor, new) = folded(1)?;
        known = Some((factor, new.clone()));
        progress.say("comparing");
        let (_, step) = compared.compare(at + 1, [base, new], &args.choice, runs)?;
        steps.push(Ok(step));
    }
    Ok((steps, compared))
}
