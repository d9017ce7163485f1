//! `subsume fleet gate`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use base::number::{counted, grouped, percent_of, signed, signed_percent_of};
use fleet::condition::Condition;
use fleet::dataset::Dataset;
use fleet::gate::{Changed, LEAST_SHARE, Rules, Verdict, judge};
use fleet::owners::owners;
use fleet::run::Run;
use fleet::spread::{Spread, Spreads, spreads};
use report::table::{Kind, Table};
use serde::Serialize;
use tree::error::{Error, Result};
use tree::owners::Owners;

use super::selection::{are_sampled, counted_flaws, one_program, sides, take_flawed};
use super::shown_names::ShownNames;
use crate::cli::json::{self, Name};
use crate::cli::own::Own;
use crate::cli::source::Output;
use crate::cli::terminal;

/// Exit code where something costs more.
const WORSE: u8 = 1;
/// Methods of each kind shown unless the user says otherwise.
const TOP: usize = 20;

/// Check whether the runs after cost more than the runs before, beyond chance.
///
/// First come the methods with one cost in all runs before and another one in all runs after;
/// these need no statistical test. For methods that vary from run to run, enough runs are
/// needed: listed are those that cost more in each run after than in any run before, and at
/// least 2 % more by the mean. The answer says how many of these chance alone would list. Costs
/// are the methods' own. Incomplete runs (cut short, attached to, snapshots, contexts lost) are
/// left out; each side needs at least two, and all must be of one program. For sampled runs,
/// all methods are treated as varying ones. The exit code is 1 if any method costs more,
/// whether --class shows it or not.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume fleet gate fleet --from version=1 --to version=2
  subsume fleet gate fleet --from commit=4f2a --to commit=9b1c --metric allocations
  subsume fleet gate fleet --from version=1 --to version=2 --floor 0 --markdown")]
pub struct Args {
    /// Folder of the fleet.
    #[arg(value_name = "DIR")]
    fleet: PathBuf,

    /// The runs before, by a label; may be repeated.
    #[arg(long, value_name = "KEY=VALUE", required = true)]
    from: Vec<Condition>,

    /// The runs after, by a label; may be repeated.
    #[arg(long, value_name = "KEY=VALUE", required = true)]
    to: Vec<Condition>,

    /// Only runs with this label, on both sides; may be repeated.
    #[arg(long = "where", value_name = "KEY=VALUE")]
    conditions: Vec<Condition>,

    /// Cost to compare: calls, bytecodes or allocations [default: that of the runs].
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,

    /// Only count differences below P per cent of the cost of the runs before [default: 0.01].
    #[arg(long, value_name = "P", default_value_t = 0.01)]
    floor: f64,

    /// Test methods that vary only if chance alone is expected to list no more than N of them.
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    false_alarms: f64,

    #[command(flatten)]
    own: Own,

    #[command(flatten)]
    output: Output,
}

/// Runs the command.
///
/// # Errors
/// If the fleet cannot be read, a selection has no whole runs, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode> {
    if !(0.0..=100.0).contains(&args.floor) {
        return Err(Error::new("--floor is a share in per cent, from 0 to 100"));
    }
    // Not a number is neither.
    if args.false_alarms.is_nan() || args.false_alarms < 0.0 {
        return Err(Error::new("--false-alarms is a number of methods, 0 or more"));
    }
    let dataset = Dataset::open(&args.fleet)?;
    let mut sides = sides(&dataset, &args.conditions, &args.from, &args.to)?;
    one_program(sides.iter().flatten())?;
    let mut left_out = Vec::new();
    for (side, option) in sides.iter_mut().zip(["--from", "--to"]) {
        let of_side = take_flawed(side);
        if side.len() < 2 {
            // One run does not show what is the same in all.
            let left_out = match counted_flaws(&of_side).as_str() {
                "" => String::new(),
                flaws => format!(" (left out: {flaws})"),
            };
            return Err(Error::new(format!(
                "{option} selects {} that {} whole, where a gate takes two at least{left_out}",
                counted(side.len() as u64, "run"),
                if side.len() == 1 { "is" } else { "are" },
            )));
        }
        left_out.extend(of_side);
    }
    let [before, after] = &sides;
    let sampled = are_sampled(before.iter().chain(after))?;
    let spreads = spreads(&dataset, &[before, after], args.metric.as_deref())?;
    let rules = Rules { floor: args.floor / 100.0, false_alarms: args.false_alarms, sampled };
    let mut verdict = judge(&spreads, rules);
    let is_worse = verdict.is_worse();
    if let Some(class) = args.output.class() {
        let is_shown = |changed: &Changed| class.matches(&changed.method.class);
        verdict.constant.retain(is_shown);
        verdict.above.iter_mut().for_each(|above| above.retain(is_shown));
    }
    let methods = spreads.methods.iter().map(|(method, _)| method);
    let owners = owners(&dataset, &sides.concat(), &args.own.code()?, methods)?;
    let (spreads, verdict) = (&spreads, &verdict);
    let answer = Answer { args, spreads, verdict, owners, is_worse, left_out, sampled };
    if !json::answered(args.output.json, out, |out| print_json(&answer, out))? {
        print(&answer, out)?;
    }
    Ok(if is_worse { ExitCode::from(WORSE) } else { ExitCode::SUCCESS })
}

/// All that is shown.
struct Answer<'a> {
    args: &'a Args,
    spreads: &'a Spreads,
    verdict: &'a Verdict,
    /// Whose the methods are.
    owners: Owners,
    /// By all methods, shown or not.
    is_worse: bool,
    /// Runs that are not whole.
    left_out: Vec<Run>,
    /// The costs are samples.
    sampled: bool,
}

fn print(answer: &Answer<'_>, out: &mut impl Write) -> Result<()> {
    let Answer { args, spreads, verdict, left_out, sampled, .. } = answer;
    let (before, after) = (spreads.totals[0], spreads.totals[1]);
    let names = ShownNames::new(spreads);
    writeln!(out, "{}", explanation(answer, &names))?;
    let difference = after.mean() - before.mean();
    writeln!(
        out,
        "{} by {} before and {} after: {} on average before, {} after ({})",
        spreads.metric,
        counted(before.runs, "run"),
        counted(after.runs, "run"),
        grouped(before.mean().round() as u64),
        grouped(after.mean().round() as u64),
        if before.sum == 0 { "-".into() } else { signed_percent_of(difference / before.mean()) },
    )?;
    if !left_out.is_empty() {
        let runs = counted(left_out.len() as u64, "run");
        writeln!(out, "Left out, as not whole: {runs} ({})", counted_flaws(left_out))?;
    }
    writeln!(out)?;
    match verdict.constant.len() as u64 {
        _ if *sampled => writeln!(
            out,
            "Costs are samples, which differ from run to run: methods are tested by ranks only"
        )?,
        0 => {
            writeln!(out, "No method has one cost in all runs before and another one in all after")?
        }
        count => {
            let methods = counted(count, "method");
            writeln!(out, "One cost in all runs before, another one in all runs after: {methods}")?;
            writeln!(out)?;
            list(&verdict.constant, answer, &names, before, out)?;
            tell_renamed(&verdict.constant, &names, out)?;
        }
    }
    if verdict.below_floor > 0 {
        let methods = counted(verdict.below_floor, "method");
        writeln!(out, "... and {methods} with differences below {}% of all", args.floor)?;
    }
    writeln!(out)?;
    let varying = counted(verdict.varying, "method");
    let expected = match verdict.expected {
        // In the table's two places it would be none.
        few if few > 0.0 && few < 0.01 => format!("{few:.1e}"),
        some => format!("{some:.2}"),
    };
    let expected = format!("at most {expected} false alarms are to be expected");
    let Some(above) = &verdict.above else {
        writeln!(
            out,
            "Varying from run to run: {varying}, not tested: with so few runs {expected}, more \
             than {}",
            args.false_alarms,
        )?;
        return Ok(());
    };
    writeln!(
        out,
        "Varying from run to run: {varying}; {} cost more in each run after than in any run \
         before, and at least {} by the mean ({expected})",
        above.len(),
        percent_of(LEAST_SHARE),
    )?;
    if !above.is_empty() {
        writeln!(out)?;
        list(above, answer, &names, before, out)?;
    }
    if verdict.above_below_floor > 0 {
        let methods = counted(verdict.above_below_floor, "method");
        writeln!(out)?;
        writeln!(out, "... and {methods} by less than {}% of all", args.floor)?;
    }
    Ok(())
}

/// What explains the difference, in a sentence: the methods that cost more, the costliest first.
fn explanation(answer: &Answer<'_>, names: &ShownNames<'_>) -> String {
    let verdict = answer.verdict;
    let listed = verdict.constant.iter().chain(verdict.above.iter().flatten());
    let mut costlier: Vec<&Changed> = listed.filter(|one| one.difference() > 0.0).collect();
    costlier.sort_by(|one, other| other.difference().total_cmp(&one.difference()));
    let Some(first) = costlier.first() else {
        return match answer.is_worse {
            true => "Costs more: methods of other classes than these".to_owned(),
            false => "No method costs more, beyond chance".to_owned(),
        };
    };
    let all = answer.spreads.totals[0].mean().max(1.0);
    let share = |difference: f64| signed_percent_of(difference / all);
    let name = names.of(&first.method);
    let others = match costlier.len() - 1 {
        0 => String::new(),
        more => {
            let sum: f64 = costlier[1..].iter().map(|one| one.difference()).sum();
            let methods = counted(more as u64, "other method");
            format!(", and {methods} ({} of all together)", share(sum))
        }
    };
    format!("Costs more: {name} ({} of all){others}", share(first.difference()))
}

fn list(
    changed: &[Changed],
    answer: &Answer<'_>,
    names: &ShownNames<'_>,
    all: Spread,
    out: &mut impl Write,
) -> Result<()> {
    let mut table = Table::new(&[
        ("Before", Kind::Number(1)),
        ("After", Kind::Number(1)),
        ("Difference", Kind::Number(0)),
        ("Of all %", Kind::Number(0)),
        ("Code", Kind::Text(2)),
        ("Method", Kind::Text(0)),
    ]);
    let shown = answer.args.output.top(TOP).min(changed.len());
    for one in &changed[..shown] {
        table.row(vec![
            range(one.before),
            range(one.after),
            signed(one.difference().round() as i128),
            signed_percent_of(one.difference() / all.mean().max(1.0)),
            answer.owners.owner(&one.method.class).word().to_owned(),
            match (one.before.sum, one.after.sum) {
                (0, _) => format!("{} (new)", names.of(&one.method)),
                (_, 0) => format!("{} (gone)", names.of(&one.method)),
                _ => names.of(&one.method).to_owned(),
            },
        ]);
    }
    let left_out = terminal::write_table(&table, out)?;
    terminal::count_rest(changed.len() - shown, out)?;
    terminal::name_left_out(&left_out, out)?;
    Ok(())
}

/// Says of a method that is new and costs what one costs that is gone, of the same class and
/// descriptor, that it may be that one under another name.
fn tell_renamed(changed: &[Changed], names: &ShownNames<'_>, out: &mut impl Write) -> Result<()> {
    for new in changed.iter().filter(|one| one.before.sum == 0) {
        let is_it = |gone: &&Changed| {
            let same_place = gone.method.class == new.method.class
                && gone.method.descriptor == new.method.descriptor;
            gone.after.sum == 0 && same_place && range(gone.before) == range(new.after)
        };
        if let Some(gone) = changed.iter().find(is_it) {
            let [new, gone] = [new, gone].map(|one| names.of(&one.method));
            writeln!(out, "{new} costs what {gone} did: renamed?")?;
        }
    }
    Ok(())
}

/// The costs of a group: `5`, or `5..9`.
fn range(spread: Spread) -> String {
    match spread.is_constant() {
        true => grouped(spread.least),
        false => format!("{}..{}", grouped(spread.least), grouped(spread.greatest)),
    }
}

#[derive(Serialize)]
struct Document<'a> {
    metric: &'a str,
    before: Group,
    after: Group,
    runs_left_out: usize,
    /// Costs are samples: there is nothing constant about them.
    sampled: bool,
    worse: bool,
    constant: Vec<Row<'a>>,
    below_floor: u64,
    varying: u64,
    /// Null if there are too few runs.
    above: Option<Vec<Row<'a>>>,
    above_below_floor: u64,
    expected_false_alarms: f64,
}

/// Costs of a group of runs.
#[derive(Serialize)]
pub struct Group {
    runs: u64,
    mean: f64,
    least: u64,
    greatest: u64,
}

impl Group {
    /// Those of a spread.
    pub fn of(spread: Spread) -> Self {
        let Spread { runs, least, greatest, .. } = spread;
        Self { runs, mean: spread.mean(), least, greatest }
    }
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    /// Whose it is.
    owner: &'static str,
    before: Group,
    after: Group,
    difference: f64,
}

fn print_json<'a>(answer: &Answer<'a>, out: &mut (impl Write + ?Sized)) -> Result<()> {
    let Answer { args, spreads, verdict, owners, is_worse, left_out, sampled } = answer;
    let rows = |changed: &'a [Changed]| -> Vec<Row<'a>> {
        let shown = args.output.entries(TOP).min(changed.len());
        changed[..shown].iter().map(|one| json_row(one, owners)).collect()
    };
    let document = Document {
        metric: &spreads.metric,
        before: Group::of(spreads.totals[0]),
        after: Group::of(spreads.totals[1]),
        runs_left_out: left_out.len(),
        sampled: *sampled,
        worse: *is_worse,
        constant: rows(&verdict.constant),
        below_floor: verdict.below_floor,
        varying: verdict.varying,
        above: verdict.above.as_deref().map(rows),
        above_below_floor: verdict.above_below_floor,
        expected_false_alarms: verdict.expected,
    };
    json::print(&document, out)
}

fn json_row<'a>(changed: &'a Changed, owners: &Owners) -> Row<'a> {
    Row {
        name: Name::new(&changed.method),
        owner: owners.owner(&changed.method.class).word(),
        before: Group::of(changed.before),
        after: Group::of(changed.after),
        difference: changed.difference(),
    }
}
