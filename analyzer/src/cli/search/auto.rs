//! `subsume search --auto`.

use std::io::Write;

use analysis::diff::explanation::FLOOR_OF_ALL;
use analysis::search::auto::{End, Found, search};
use analysis::search::culprits::{Culprit, culprits};
use analysis::search::interface::ProfileInterface;
use analysis::search::session::Item;
use base::number::percent_of;
use report::painted::Painted;
use serde_json::json;
use tree::error::Result;
use tree::owners::Owners;
use tree::views::folding::{Call, Piece, fold};

use super::json::{item, of_costs, with};
use super::text::Style;
use crate::cli::progress::Progress;
use crate::cli::{json, paths, terminal};

/// Searches and prints what was found.
///
/// # Errors
/// If `out` fails.
pub fn run<P: ProfileInterface>(
    profile: &P,
    style: &Style<'_>,
    owners: &Owners,
    top: usize,
    as_json: bool,
    out: &mut impl Write,
) -> Result<()> {
    if style.is_below_floor() && !as_json {
        writeln!(out, "{} {}", style.cost(style.total()), style.metric())?;
        writeln!(out, "No difference above {} of all", percent_of(FLOOR_OF_ALL))?;
        return Ok(());
    }
    let progress = Progress::of_long_work();
    let found = search(profile, &mut |number| progress.say(&format!("{number} bottlenecks")));
    progress.wipe();
    if as_json {
        print_json(profile, &found, style, out)
    } else {
        print(profile, &found, style, owners, top, out)
    }
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
    owners: &Owners,
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
    writeln!(
        out,
        "Bottlenecks: {}, coverage {}, mean length {:.1}; {}",
        culprits.len(),
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
    for (at, culprit) in culprits.iter().enumerate().take(top) {
        let path = profile.path_of(&culprit.summary);
        let costs = culprit.costs;
        let figures = format!(
            "{at:>3}  {:>7}  {:>7}{:>width$}  {:>7}  {:>7}",
            style.percent(costs.base),
            style.percent(costs.cum),
            of_all(style.percent_of_whole(costs.cum)),
            style.percent(culprit.added.cum),
            style.percent(culprit.covered),
        );
        let mut frames = frames(profile, path, owners, style);
        if let (Some(last), Some(others)) = (frames.last_mut(), other_pieces(culprit, style)) {
            last.push(&others.into());
        }
        paths::write(&figures, &frames, terminal::width(), out)?;
    }
    terminal::count_rest(culprits.len().saturating_sub(top), out)?;
    Ok(())
}

/// The frames that are shown of a path.
fn frames<P: ProfileInterface>(
    profile: &P,
    path: &[u32],
    owners: &Owners,
    style: &Style<'_>,
) -> Vec<Painted> {
    let class = |&method: &u32| &*profile.methods()[method as usize].class;
    let calls: Vec<Call<'_>> = path.iter().map(|method| Call::new(owners, class(method))).collect();
    let names = style.names(path);
    let frame = |piece: Piece| match piece {
        Piece::Call(at) => names[at].into(),
        Piece::Folded(_, count) => paths::folded(count).into(),
    };
    let Some(last) = path.len().checked_sub(1) else { return Vec::new() };
    fold(&calls, 0, last, terminal::extent()).into_iter().map(frame).collect()
}

/// Where the other pieces of a culprit part from the one that is shown.
fn other_pieces<S>(culprit: &Culprit<S>, style: &Style<'_>) -> Option<String> {
    let mut callees: Vec<u32> =
        culprit.others.iter().filter_map(|path| path.first().copied()).collect();
    callees.dedup();
    (!callees.is_empty()).then(|| format!(" (and {})", style.names(&callees).join(", ")))
}

fn print_json<P: ProfileInterface>(
    profile: &P,
    found: &Found<P::Summary>,
    style: &Style<'_>,
    out: &mut impl Write,
) -> Result<()> {
    let bottlenecks = found.bottlenecks.iter().map(|bottleneck| {
        let value = item(&item_of(profile, &bottleneck.summary), style);
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
        "bottlenecks": bottlenecks.collect::<Vec<_>>(),
    });
    json::print(&document, out)
}
