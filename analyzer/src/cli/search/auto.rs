//! `subsume search --auto`.

use std::io::Write;

use analysis::diff::explanation::FLOOR_OF_ALL;
use analysis::search::auto::{End, Found, search};
use analysis::search::culprits::culprits;
use analysis::search::interface::ProfileInterface;
use analysis::search::session::Item;
use analysis::search::ways::{Entry, Ways, entries};
use base::number::{counted, percent_of};
use report::painted::Painted;
use serde_json::json;
use tree::Tree;
use tree::error::Result;
use tree::owners::Owners;
use tree::start_up::StartUp;

use super::json::{item, of_costs, with};
use super::text::Style;
use crate::cli::progress::Progress;
use crate::cli::start::{JsonStart, WITH_START, start_up};
use crate::cli::{json, paths, terminal};

/// What a search says of the tree beside its costs.
pub struct Subject<'a> {
    /// Where the ways to bottlenecks are; of two that are compared, the costlier one.
    pub tree: &'a Tree,
    /// Whose its classes are.
    pub owners: Owners,
    /// What happens once, unless it counts.
    pub start: Option<&'a StartUp>,
}

/// Searches and prints what was found.
///
/// # Errors
/// If `out` fails.
pub fn run<P: ProfileInterface>(
    profile: &P,
    style: &Style<'_>,
    subject: &Subject<'_>,
    top: usize,
    as_json: bool,
    out: &mut impl Write,
) -> Result<()> {
    if style.is_below_floor() && !as_json {
        let found = |out: &mut Vec<u8>| {
            print_json(profile, &search(profile, &mut |_| ()), style, subject, out)
        };
        json::beside(found)?;
        writeln!(out, "{} {}", style.cost(style.total()), style.metric())?;
        writeln!(out, "No difference above {} of all", percent_of(FLOOR_OF_ALL))?;
        return Ok(());
    }
    let progress = Progress::of_long_work();
    let found = search(profile, &mut |number| progress.say(&format!("{number} bottlenecks")));
    progress.wipe();
    if json::answered(as_json, out, |out| print_json(profile, &found, style, subject, out))? {
        return Ok(());
    }
    print(profile, &found, style, subject, top, out)
}

fn item_of<P: ProfileInterface>(profile: &P, summary: &P::Summary) -> Item {
    Item { path: profile.path_of(summary).to_vec(), costs: profile.costs_of(summary) }
}

fn mean_length<P: ProfileInterface>(profile: &P, found: &Found<P::Summary>) -> f64 {
    let lengths = found.bottlenecks.iter().map(|b| profile.path_of(&b.summary).len());
    lengths.sum::<usize>() as f64 / found.bottlenecks.len().max(1) as f64
}

fn reason(end: End) -> &'static str {
    match end {
        End::Covered => "they cover 80% of the cost",
        End::SmallGain => "the next one would cover less than 1% more",
        End::Number => "that is enough of them",
        End::NoCost => "there is no cost to explain",
    }
}

fn print<P: ProfileInterface>(
    profile: &P,
    found: &Found<P::Summary>,
    style: &Style<'_>,
    subject: &Subject<'_>,
    top: usize,
    out: &mut impl Write,
) -> Result<()> {
    let difference = match style.is_comparison() {
        true => format!(" ({} of all); shares are of this", style.percent_of_whole(style.total())),
        false => String::new(),
    };
    writeln!(out, "{} {}{difference}", style.cost(style.total()), style.metric())?;
    let covered = found.bottlenecks.last().map_or(0, |last| last.covered);
    let culprits = culprits(profile, style.whole(), &found.bottlenecks);
    let ways = Ways::new(subject.tree, &subject.owners, terminal::extent());
    let entries = entries(profile, &ways, culprits);
    if let Some(line) = subject.start.and_then(|s| start_up(s, style.metric(), WITH_START)) {
        writeln!(out, "{line}")?;
    }
    writeln!(
        out,
        "Bottlenecks: {}, coverage {}, mean length {:.1}; {}",
        entries.len(),
        style.percent(covered),
        mean_length(profile, found),
        reason(found.end),
    )?;
    if found.bottlenecks.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let of_all = |text: String| if style.is_comparison() { text } else { String::new() };
    let width = if style.is_comparison() { 10 } else { 0 };
    writeln!(
        out,
        "No.   Base %    Cum %{:>width$}     Adds  Covered  Calls",
        of_all("Of all %".into())
    )?;
    for (at, entry) in entries.iter().enumerate().take(top) {
        let culprit = &entry.culprit;
        let costs = culprit.costs;
        let figures = format!(
            "{at:>3}  {:>7}  {:>7}{:>width$}  {:>7}  {:>7}",
            style.percent(costs.base),
            style.percent(costs.cum),
            of_all(style.percent_of_whole(costs.cum)),
            style.percent(culprit.added.cum),
            style.percent(culprit.covered),
        );
        paths::write(&figures, &frames(entry, style), terminal::width(), out)?;
        if let Some(user) = entry.way.user {
            let share = percent_of(user.share);
            let name = style.method(user.method);
            let contexts = counted(u64::from(entry.way.contexts), "context");
            let line = format!("in {contexts}, {share} of it for {name}");
            paths::write(&" ".repeat(figures.len()), &[line.into()], terminal::width(), out)?;
        }
    }
    terminal::count_rest(entries.len().saturating_sub(top), out)?;
    Ok(())
}

/// The way to an entry, with what it stands for besides.
fn frames<S>(entry: &Entry<S>, style: &Style<'_>) -> Vec<Painted> {
    let stops = &entry.way.stops;
    let mut frames: Vec<Painted> = stops.iter().map(|stop| style.stop(stop)).collect();
    if let Some(last) = frames.last_mut() {
        let mut callees: Vec<u32> =
            entry.culprit.others.iter().filter_map(|path| path.first().copied()).collect();
        callees.sort_unstable();
        callees.dedup();
        if !callees.is_empty() {
            last.push(&format!(" (and {})", style.names(&callees).join(", ")).into());
        }
        if entry.alike > 0 {
            let others = counted(entry.alike as u64, "other way");
            last.push(&format!(" (and {others} between these)").into());
        }
    }
    match entry.callers[..] {
        [] => {}
        [other] => frames[0].push(&format!(" (and {})", style.method(other)).into()),
        _ => frames[0].push(&format!(" (and {} other callers)", entry.callers.len()).into()),
    }
    frames
}

fn print_json<P: ProfileInterface>(
    profile: &P,
    found: &Found<P::Summary>,
    style: &Style<'_>,
    subject: &Subject<'_>,
    out: &mut (impl Write + ?Sized),
) -> Result<()> {
    let ways = Ways::new(subject.tree, &subject.owners, terminal::extent());
    let bottlenecks = found.bottlenecks.iter().map(|bottleneck| {
        let way = ways.way(profile.path_of(&bottleneck.summary));
        let context = way.context.map_or_else(Vec::new, |node| subject.tree.path(node));
        let context = context.iter().map(|&node| subject.tree.method[node as usize]);
        let context: Vec<u32> = context.collect();
        let value = item(&item_of(profile, &bottleneck.summary), style);
        let value = with(value, "contexts", json!(way.contexts));
        let value = with(value, "context", json!(style.names(&context)));
        let value = with(value, "added", of_costs(bottleneck.added, style));
        with(value, "covered_share", json!(style.share(bottleneck.covered)))
    });
    let covered = found.bottlenecks.last().map_or(0, |last| last.covered);
    let document = json!({
        "answer": "auto",
        "metric": style.metric(),
        "total": json::difference(style.total()),
        "coverage": style.share(covered),
        "mean_length": mean_length(profile, found),
        "end": reason(found.end),
        "start_up": subject.start.map(JsonStart::new),
        "bottlenecks": bottlenecks.collect::<Vec<_>>(),
    });
    json::print(&document, out)
}
