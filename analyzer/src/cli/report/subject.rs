//! Reading a profile for a report.

use std::collections::BTreeSet;
use std::path::Path;

use analysis::diff::code::Code;
use analysis::diff::splits::Splits;
use analysis::source::files::SourceFiles;
use analysis::source::known_places::archives;
use analysis::source::line_costs::{LineCosts, line_costs};
use analysis::source::line_counts::LineCounts;
use base::tell;
use profile::{Completeness, Metric, Origin, Profile};
use report::page::Subject;
use report::page::by_metric;
use report::page::digest::Digest;
use report::page::facts::{EXAMPLES, Facts, MOST, Reason, Thread, text};
use report::page::methods::OtherMetrics;
use report::page::room::Room;
use report::page::sources::{Found, Places};
use report::page::threads::by_thread;
use tree::Tree;
use tree::error::Result;
use tree::exceptions::EXCEPTIONS;
use tree::forest::{MetricChoice, Selection, usual_metric};
use tree::keys::BYTES;
use tree::names::generated::make_comparable;
use tree::names::method::Method;
use tree::names::pattern::Pattern;
use tree::owners::OwnCode;
use tree::redaction::redact;
use tree::time::TIME;

use super::What;
use crate::cli::dataflow::sections::sections;
use crate::cli::diagnose::folder::Folder;
use crate::cli::info::{FileFacts, by_reason};
use crate::cli::progress::Progress;
use crate::cli::reading::flaw;
use crate::cli::start::{WITH_START, start_up};

/// Wanted beside any cost.
const CALLS: &str = "calls";

/// A profile, with what is needed to compare it with another one.
pub struct Read {
    /// What the page shows.
    pub subject: Subject,
    /// What its methods' code is known by.
    pub code: Code,
    /// The agent's option `split`.
    pub splits: Splits,
    /// Its tree, if it is to be compared.
    pub tree: Option<Tree>,
}

/// Reads a profile and analyses it.
///
/// # Errors
/// If the profile cannot be read, or does not have what is selected.
pub fn subject(given: &Path, what: &What, is_compared: bool, progress: &Progress) -> Result<Read> {
    // Of a folder of recordings, that of calls has the tree.
    let folder = given.is_dir().then(|| Folder::new(given));
    let of_calls = folder.as_ref().map(|folder| folder.of_calls()).transpose()?;
    let path = of_calls.as_deref().unwrap_or(given);
    let name = given.to_string_lossy().into_owned();
    progress.say(&format!("reading {name}"));
    let mut profile = what.choice.read(path, &MetricChoice::Every)?;
    let sources = sources(&profile, what)?;
    if what.redact {
        redact(&mut profile);
    }
    let splits = Splits::of(&profile);
    if is_compared {
        make_comparable(&mut profile);
    }
    if let Some(flaw) = flaw(&profile) {
        progress.wipe();
        tell!("note: {name}: {flaw}");
    }
    let has_calls = !profile.nodes.metrics.is_empty();
    if !has_calls {
        // Analyses of the tree want something to add up.
        let values = vec![1; profile.nodes.len()];
        profile.nodes.metrics.push(Metric { name: "contexts".to_owned(), values });
    }
    let thread = what.choice.thread.as_deref().map(Pattern::new);
    let mut facts = facts(path, &name, &profile, has_calls, &what.choice.own().code()?);
    let (totals, other) = sums(&profile, what, thread.as_ref());
    facts.totals = totals;
    let code = Code::of(&profile);
    let recorded = std::mem::take(&mut profile.dataflow);
    // Pictures have the colours of results.
    profile.dataflow.results.clone_from(&recorded.results);
    let places = sources.as_ref().map(|sources| {
        progress.say("lines");
        // They are those of all threads.
        let counts = if what.choice.thread.is_none() {
            LineCounts::new(&profile)
        } else {
            LineCounts::default()
        };
        (sources, Places::new(&profile, lines(&profile, what), counts))
    });
    let first = chosen(&profile, what).map(str::to_owned);
    // Those that everybody knows first; a page has no room for more.
    let mut metrics: Vec<String> =
        [TIME, CALLS, "bytecodes", "allocations", BYTES, EXCEPTIONS, "moved"]
            .map(str::to_owned)
            .into();
    metrics.extend(other.names.iter().cloned());
    let has_some = |name: &String| {
        let found = profile.nodes.metric(name);
        found.is_some_and(|metric| name != EXCEPTIONS || metric.values.iter().any(|&v| v > 0))
    };
    metrics.retain(|name| Some(name) != first.as_ref() && has_some(name));
    let mut seen = BTreeSet::new();
    metrics.retain(|name| seen.insert(name.clone()));
    metrics.truncate(by_metric::MOST);
    let wanted = |name: &String| Some(name) == first.as_ref() || metrics.contains(name);
    if first.as_ref().is_some_and(|name| profile.nodes.metric(name).is_some()) {
        profile.nodes.metrics.retain(|metric| wanted(&metric.name));
    }
    if let Some(first) = &first {
        let of_threads = by_thread(&profile, first, thread.as_ref());
        metrics.extend(of_threads.iter().map(|metric| metric.name.clone()));
        profile.nodes.metrics.extend(of_threads);
    }

    progress.say("merging");
    let choice = match (&first, &what.choice.metric) {
        (Some(name), _) if profile.nodes.metric(name).is_some() => MetricChoice::Every,
        (_, Some(name)) => MetricChoice::Named(name.clone()),
        _ => MetricChoice::Usual,
    };
    // What differs may well be the start.
    let leaves_start_out = !is_compared && what.start.is_left_out();
    let selection =
        Selection { threads: leaves_start_out, ..what.choice.selection(choice, false)? };
    let mut tree = Tree::merge(vec![(name, profile)], &selection)?;
    if let Some(first) = first {
        metrics.insert(0, first);
        tree.choose_metrics(&metrics);
    }
    if leaves_start_out && let Some(start) = what.start.put_aside(&mut tree) {
        facts.remarks.extend(start_up(&start, tree.metric(), WITH_START));
    }
    progress.say("analysing");
    let digest = Digest::new(&tree, what.bounds.thresholds(), &what.bounds.never());
    let tree = is_compared.then_some(tree);
    let thread = what.choice.thread.as_deref();
    let mut dataflow = sections(path, &recorded, thread, what.choice.own(), !leaves_start_out)?;
    drop(recorded);
    let mut findings = None;
    if let Some(folder) = &folder {
        progress.say("diagnosing");
        let told = folder.told(&what.choice.own().code()?, &digest)?;
        findings = Some(told.findings);
        for (file, recorded) in told.dataflows.iter().filter(|(file, _)| file != path) {
            let more = sections(file, recorded, thread, what.choice.own(), !leaves_start_out)?;
            dataflow.extend(more.into_iter().filter(|(_, section)| !section.is_null()));
        }
    }
    let found = places.map(|(sources, places)| {
        progress.say("reading sources");
        let methods = digest.order.iter().map(|&method| &digest.methods[method as usize]);
        Found::new(methods, places, sources, Room::LARGEST.sources)
    });
    // Only sources that the user has named are missed.
    let are_given = what.choice.own().has_sources();
    let sources = found.filter(|found| are_given || !found.is_empty());
    let subject = Subject { facts, digest, other, dataflow, sources, findings };
    Ok(Read { subject, code, splits, tree })
}

/// The sources that the user has named, and those that lie where the profile's classes came
/// from; nothing if there are none.
fn sources(profile: &Profile, what: &What) -> Result<Option<SourceFiles>> {
    let own = what.choice.own();
    let known = if what.given_sources { Vec::new() } else { archives(profile) };
    if !own.has_sources() && known.is_empty() {
        return Ok(None);
    }
    let given = own.source_files()?.map(|given| (*given).clone()).unwrap_or_default();
    Ok(Some(given.with_archives(&known)))
}

fn facts(path: &Path, name: &str, profile: &Profile, has_calls: bool, own: &OwnCode) -> Facts {
    let file = FileFacts::new(path.to_owned(), profile, has_calls, None, own);
    let reasons = by_reason(&file.skipped);
    let skipped = reasons.iter().take(MOST).map(|(reason, items)| {
        let full = items.iter().take(EXAMPLES).map(|item| {
            let dot = if item.method.is_empty() { "" } else { "." };
            text(&format!("{}{dot}{}", item.class, item.method))
        });
        Reason { reason: text(reason), count: items.len(), examples: full.collect() }
    });
    let classes = file.skipped.iter().filter(|item| item.method.is_empty()).count();
    let threads = file.threads.iter().map(|thread| Thread {
        name: text(&thread.name),
        trees: thread.trees,
        threads: thread.threads,
        contexts: thread.contexts,
    });
    // Some calls always are active when a program ends: only where the end was
    // not meant is that a loss.
    let cut_short = profile.run.completeness == Completeness::CutShort;
    let (active, usual) = if cut_short { (file.active(), None) } else { (None, file.active()) };
    Facts {
        name: name.to_owned(),
        lines: file.lines(),
        notes: flaw(profile).into_iter().chain(active).collect(),
        remarks: usual.into_iter().collect(),
        imported: matches!(profile.run.origin, Origin::Imported(_)),
        totals: Vec::new(),
        threads: threads.collect(),
        skipped: skipped.collect(),
        skipped_classes: classes,
        skipped_methods: file.skipped.len() - classes,
    }
}

/// The cost that is analysed, if it can be told.
fn chosen<'a>(profile: &'a Profile, what: &'a What) -> Option<&'a str> {
    let names = profile.nodes.metrics.iter().map(|metric| metric.name.as_str());
    what.choice.metric.as_deref().or_else(|| usual_metric(names))
}

/// What methods call from which lines; nothing if the cost to analyse is not
/// there, which merging will tell.
fn lines(profile: &Profile, what: &What) -> LineCosts {
    chosen(profile, what).map(|metric| line_costs(profile, metric)).unwrap_or_default()
}

/// Sums of all metrics over the selected threads, and by method those of the
/// metrics that are not analysed.
fn sums(
    profile: &Profile,
    what: &What,
    thread: Option<&Pattern>,
) -> (Vec<(String, u64)>, OtherMetrics) {
    let selected = || {
        let threads = profile.threads.iter();
        let threads = threads.filter(|t| thread.is_none_or(|pattern| pattern.matches(&t.name)));
        threads.map(|thread| thread.nodes.clone())
    };
    let chosen = chosen(profile, what);
    let mut totals = Vec::new();
    let mut other = OtherMetrics::default();
    for metric in &profile.nodes.metrics {
        let by_method = profile.by_method_in(metric, selected());
        let total = by_method.iter().copied().fold(0, u64::saturating_add);
        totals.push((metric.name.clone(), total));
        if Some(metric.name.as_str()) == chosen || metric.name == CALLS {
            continue;
        }
        let at = other.names.len();
        other.names.push(metric.name.clone());
        for (method, sum) in profile.methods.iter().zip(by_method).filter(|(_, sum)| *sum > 0) {
            let Some(class) = profile.classes.get(method.class.0 as usize) else { continue };
            let name = Method {
                class: class.name.clone(),
                name: method.name.clone(),
                descriptor: method.descriptor.clone(),
            };
            let sums = other.sums.entry(name).or_default();
            sums.resize(at + 1, 0);
            sums[at] = sums[at].saturating_add(sum);
        }
    }
    other.sums.values_mut().for_each(|sums| sums.resize(other.names.len(), 0));
    (totals, other)
}
