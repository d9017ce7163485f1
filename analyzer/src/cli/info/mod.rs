//! `subsume info`.

mod dataflow;
mod json;
mod splits;
mod text;

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;

use base::number::{counted, date};
use base::shown;
use profile::{Completeness, Origin, Overview, Profile, RunInfo, Skipped, read_overview};
use tree::Tree;
use tree::error::{Error, Result};
use tree::forest::{MetricChoice, lacks_metric};
use tree::names::pattern::Pattern;
use tree::owners::{OwnCode, Owners};
use tree::shape::{Shape, shape};

use self::dataflow::DataflowFacts;
use self::splits::Split;
use crate::cli::lost;
use crate::cli::progress::Progress;
use crate::cli::reading::being_recorded;
use crate::cli::source::{Output, Source};

/// Describe profiles: their contents, how complete they are, and what was not recorded.
///
/// --thread restricts the figures of the tree, --class the counts of classes and methods and
/// the list of those that were not instrumented, --metric the totals, --top the lists. The tree
/// of a profile with millions of contexts is measured only with --shape, because that takes as
/// long as other commands.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume info fop.subsume
  subsume info --shape fop.subsume
  subsume info --skipped --class 'java.lang.*' fop.subsume
  subsume info --json run1.subsume run2.subsume")]
pub struct Args {
    #[command(flatten)]
    source: Source,

    /// List all classes and methods that were not instrumented, rather than only reasons and
    /// numbers.
    #[arg(long)]
    skipped: bool,

    /// Measure the tree, however large it is.
    #[arg(long)]
    shape: bool,

    #[command(flatten)]
    output: Output,
}

/// Trees of so many contexts are measured unasked.
const SOON_MEASURED: u64 = 2_000_000;

/// Runs the command.
///
/// # Errors
/// If a profile cannot be read, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let class = args.output.class();
    let own = args.source.choice().own().code()?;
    let progress = Progress::of_files(args.source.files());
    let mut overviews = Vec::new();
    for path in args.source.files() {
        progress.say(&format!("reading {}", shown(path)));
        overviews.push(read_overview(path).map_err(|e| Error::profile(path, &e))?);
    }
    let files = args.source.files().iter().zip(&overviews);
    let files = files.map(|(path, overview)| {
        let has_calls = !overview.totals.is_empty();
        FileFacts::new(path.clone(), &overview.tables, has_calls, class.as_ref(), &own)
    });
    let files: Vec<FileFacts> = files.collect();
    let contexts: u64 = overviews.iter().map(|overview| u64::from(overview.contexts)).sum();
    let choice = args.source.choice();
    let facts = if files.iter().any(|file| !file.has_calls) {
        Facts { files, totals: Vec::new(), tree: None }
    } else if args.shape
        || choice.thread.is_some()
        || !choice.filter().is_open()
        || contexts <= SOON_MEASURED
    {
        progress.say("measuring");
        let (totals, tree) = measure(args)?;
        Facts { files, totals, tree: Some(tree) }
    } else {
        let totals = totals(args.source.files(), &overviews, choice.metric.as_deref())?;
        Facts { files, totals, tree: None }
    };
    progress.wipe();
    if crate::cli::json::answered(args.output.json, out, |out| json::print(&facts, out))? {
        return Ok(());
    }
    text::print(&facts, args, out)
}

/// What is known about all files together.
struct Facts {
    files: Vec<FileFacts>,
    /// Name and sum of each metric.
    totals: Totals,
    /// If it was measured.
    tree: Option<Shapes>,
}

type Totals = Vec<(String, u64)>;

/// The shape of the tree with threads merged.
struct Shapes {
    /// The tree that analyses work on.
    by_method: Shape,
    /// The tree with call sites kept apart.
    by_call_site: Shape,
}

/// Sums of the metrics that all files have, or of the one that is wanted.
fn totals(files: &[PathBuf], overviews: &[Overview], wanted: Option<&str>) -> Result<Totals> {
    let find = |overview: &Overview, name: &str| {
        overview.totals.iter().find(|(known, _)| known == name).map(|(_, total)| *total)
    };
    let first = overviews.first().map_or(&[][..], |overview| &overview.totals);
    let mut names: Vec<&str> = first.iter().map(|(name, _)| name.as_str()).collect();
    names.retain(|name| overviews.iter().all(|overview| find(overview, name).is_some()));
    if let Some(wanted) = wanted {
        let lacks = |&(_, overview): &(_, &Overview)| find(overview, wanted).is_none();
        if let Some((file, overview)) = files.iter().zip(overviews).find(lacks) {
            let known: Vec<&str> = overview.totals.iter().map(|(name, _)| name.as_str()).collect();
            return Err(lacks_metric(&shown(file), wanted, &known.join(", ")));
        }
        names = vec![wanted];
    }
    let total = |name: &str| {
        let sum: u128 = overviews.iter().filter_map(|overview| find(overview, name)).sum();
        let total = u64::try_from(sum).map_err(|_| {
            Error::new(format!(
                "the costs ({name}) of all contexts add up to {sum}, more than 64 bits hold"
            ))
        });
        Ok((name.to_owned(), total?))
    };
    names.into_iter().map(total).collect()
}

/// Totals and shape of the selected threads.
fn measure(args: &Args) -> Result<(Totals, Shapes)> {
    let choice = args.source.choice();
    let metric = choice.metric.clone().map_or(MetricChoice::Every, MetricChoice::Named);
    let merged = |call_sites: bool| {
        let files = args.source.files().iter();
        let selection = choice.selection(metric.clone(), call_sites)?;
        let profiles = files
            .map(|path| Ok((path.to_string_lossy().into_owned(), choice.read(path, &metric)?)));
        Tree::merge(profiles.collect::<Result<_>>()?, &selection)
    };
    // The profiles are read twice rather than kept in memory twice.
    let tree = merged(false)?;
    // The first metric is the one asked for; calls come along with it.
    let shown = if metric == MetricChoice::Every { usize::MAX } else { 1 };
    let metrics = tree.metrics.iter().take(shown);
    let totals = metrics.map(|m| (m.name.clone(), m.values.iter().sum())).collect();
    let by_method = shape(&tree);
    drop(tree);
    Ok((totals, Shapes { by_method, by_call_site: shape(&merged(true)?) }))
}

/// What is known about one file.
pub struct FileFacts {
    path: PathBuf,
    run: RunInfo,
    /// Length of the file in bytes.
    bytes: u64,
    /// Whether calls were recorded, or data flow alone.
    has_calls: bool,
    /// Contexts in the file, apart by thread and call site.
    contexts: usize,
    classes: usize,
    methods: usize,
    /// Its threads, the name with most contexts first.
    pub threads: Vec<ThreadFacts>,
    /// What was not instrumented.
    pub skipped: Vec<Skipped>,
    /// What was taken for one's own code, and why; empty without methods.
    own: String,
    /// Allocated classes and types of arrays with the bytes of each, the most first; empty
    /// unless bytes were counted.
    allocated: Vec<(String, u64)>,
    /// Methods with contexts by texts, by the entry of the option.
    splits: Vec<Split>,
    /// How well its data flow is known, if it has any.
    dataflow: Option<DataflowFacts>,
}

/// All threads of one name.
pub struct ThreadFacts {
    /// The name.
    pub name: String,
    /// Trees that they have in the profile; one serves many, one after another.
    pub trees: usize,
    /// How many threads there were.
    pub threads: u32,
    /// Their contexts.
    pub contexts: usize,
}

impl FileFacts {
    /// Takes note of a profile, and of its classes that match; `own` is what the user says is
    /// their own code.
    pub fn new(
        path: PathBuf,
        profile: &Profile,
        has_calls: bool,
        class: Option<&Pattern>,
        own: &OwnCode,
    ) -> Self {
        let matches = |name: &str| class.is_none_or(|pattern| pattern.matches(name));
        let class_of = |method: &profile::MethodInfo| &profile.classes[method.class.0 as usize];
        let mut by_name: HashMap<&str, ThreadFacts> = HashMap::new();
        for thread in &profile.threads {
            let facts = by_name.entry(&thread.name).or_insert_with(|| ThreadFacts {
                name: thread.name.clone(),
                trees: 0,
                threads: 0,
                contexts: 0,
            });
            facts.trees += 1;
            facts.threads = facts.threads.saturating_add(thread.threads);
            facts.contexts += thread.nodes.len();
        }
        let mut allocated: HashMap<&str, u64> = HashMap::new();
        for one in profile.allocated.iter().filter(|one| matches(&one.class)) {
            let bytes = allocated.entry(&one.class).or_default();
            *bytes = bytes.saturating_add(one.bytes);
        }
        let mut allocated: Vec<(String, u64)> =
            allocated.into_iter().map(|(class, bytes)| (class.to_owned(), bytes)).collect();
        allocated.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let mut threads: Vec<ThreadFacts> = by_name.into_values().collect();
        threads.sort_by(|a, b| b.contexts.cmp(&a.contexts).then_with(|| a.name.cmp(&b.name)));
        Self {
            bytes: path.metadata().map_or(0, |metadata| metadata.len()),
            path,
            run: profile.run.clone(),
            has_calls,
            contexts: profile.threads.iter().map(|thread| thread.nodes.len()).sum(),
            classes: profile.classes.iter().filter(|class| matches(&class.name)).count(),
            methods: profile.methods.iter().filter(|m| matches(&class_of(m).name)).count(),
            threads,
            skipped: profile.skipped.iter().filter(|s| matches(&s.class)).cloned().collect(),
            own: match profile.methods.is_empty() {
                true => String::new(),
                false => Owners::of_tables(profile, own).explanation(),
            },
            allocated,
            splits: Split::all(profile),
            dataflow: DataflowFacts::new(&profile.dataflow),
        }
    }

    /// What is known, as titles and texts.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        text::lines(self)
    }

    /// How complete the record is, in words.
    fn completeness(&self) -> String {
        match (&self.run.origin, &self.run.completeness) {
            (Origin::Imported(format), _) => format!("imported from {format}"),
            (Origin::Recorded, Completeness::Complete) if self.run.is_attached => {
                "recorded from when the agent was attached to the end of the run".to_owned()
            }
            (Origin::Recorded, Completeness::Snapshot) if self.run.is_attached => {
                "recorded while the agent was attached to the running JVM".to_owned()
            }
            (Origin::Recorded, Completeness::Complete) if self.lost().is_some() => {
                "recorded to the end of the run, but not everything: see Missing".to_owned()
            }
            (Origin::Recorded, Completeness::Complete) if self.run.stopped_millis > 0 => {
                format!(
                    "complete, recorded until it was switched off at {}; the run went on",
                    date(self.run.stopped_millis)
                )
            }
            (Origin::Recorded, Completeness::Complete) => {
                "complete, recorded to the end of the run".to_owned()
            }
            (Origin::Recorded, Completeness::Snapshot) => {
                "a snapshot, written while the program ran on".to_owned()
            }
            (Origin::Recorded, Completeness::Recording) => being_recorded(&self.run),
            (Origin::Recorded, Completeness::CutShort) => "the run was cut short".to_owned(),
        }
    }

    /// By how much the counts of active methods may be too low, in words.
    pub fn active(&self) -> Option<String> {
        if !self.has_calls {
            return None;
        }
        const MAY_LACK: &str = "may lack up to 65,536 bytecodes and one method body";
        match (&self.run.completeness, self.run.active_at_end) {
            (_, Some(0)) => None,
            (_, Some(active)) => {
                let methods = counted(active, "call");
                let were = if active == 1 { "was" } else { "were" };
                Some(format!("{methods} {were} active at the end; each {MAY_LACK}"))
            }
            (Completeness::CutShort | Completeness::Snapshot | Completeness::Recording, None) => {
                Some(format!(
                    "it is not known how many calls were active at the end; each {MAY_LACK}"
                ))
            }
            (Completeness::Complete, None) => None,
        }
    }

    /// What found no room, in words.
    fn lost(&self) -> Option<String> {
        lost::lost(&self.run)
    }

    /// Threads recorded.
    fn threads(&self) -> u64 {
        self.threads.iter().map(|thread| u64::from(thread.threads)).sum()
    }
}

/// Reasons with what they hold for, the most frequent first.
pub fn by_reason(skipped: &[Skipped]) -> Vec<(&str, Vec<&Skipped>)> {
    let mut reasons: Vec<(&str, Vec<&Skipped>)> = Vec::new();
    let mut sorted: Vec<&Skipped> = skipped.iter().collect();
    sorted.sort_by(|a, b| (&a.reason, &a.class, &a.method).cmp(&(&b.reason, &b.class, &b.method)));
    for item in sorted {
        match reasons.last_mut() {
            Some((reason, items)) if *reason == item.reason => items.push(item),
            _ => reasons.push((&item.reason, vec![item])),
        }
    }
    reasons.sort_by_key(|(_, items)| std::cmp::Reverse(items.len()));
    reasons
}
