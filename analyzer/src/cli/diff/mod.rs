//! `subsume diff`.

mod copies;
mod explanation;
mod json;
mod moved;
pub mod profiles;
mod table;
pub mod time;

use std::cmp::Reverse;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use analysis::dataflow::copies::difference::CopyDifference;
use analysis::diff::changes::code_changes;
use analysis::diff::contexts::{Contexts, by_context};
use analysis::diff::explanation::{Explanation, Row, explain};
use analysis::diff::limit::Limit;
use analysis::diff::methods::{Fate, MethodDifference, by_method};
use analysis::diff::time::TimeEstimate;
use base::number::signed_percent_of;
use base::tell;
use tree::Tree;
use tree::both::both;
use tree::error::{Error, Result};
use tree::names::pattern::Pattern;

use crate::cli::source::{Choice, Output};
use profile::Profile;
use profiles::{Profiles, Side, sides};

/// Exit code where the new profile breaks a limit.
const OVER_LIMIT: u8 = 1;
/// Methods and contexts shown unless the user says otherwise.
const TOP: usize = 20;

/// Explain the difference between two profiles, exactly.
///
/// First come the methods whose code changed, is new or gone, each with the whole effect of its
/// change on the calls below it. Then come methods whose code is the same but whose behaviour
/// differs: called as often as before, they do more with other data, or call others more often.
/// Every context belongs to one of these methods, so the rows add up to the difference. Rows
/// below 0.01 % of all, or 0.1 % of the cost that the method accounts for, are summed up in one
/// line. With several runs of each program, separated by --, differences within run-to-run
/// noise are ignored. Elements moved by arraycopy, clone and the like are explained in the same
/// way, if they differ by 0.01 % of all bytecodes.
///
/// For profiles with mode=copies, it also says which copy chains, clones and temporaries
/// appeared, disappeared, grew or shrank. Objects are identified by their class and the method
/// that makes them, so several sites of a method count as one, and so do their chains.
///
/// 'new class' and 'gone class' mark classes that only one of the runs loaded. 'signature
/// changed' marks a method whose parameters or result have other types than before; it is
/// listed with the new ones. Classes that are generated at run time and numbered, such as
/// $Proxy14, are compared without the number. --fail-if makes the exit code 1 if the new
/// profile breaks a limit.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume diff old.subsume new.subsume
  subsume diff --exclusive --metric allocations old.subsume new.subsume
  subsume diff old-1.subsume old-2.subsume old-3.subsume -- new-1.subsume new-2.subsume
  subsume diff --fail-if 'bytecodes>+2%' --fail-if 'org.example.Parser.*>1%' old.subsume new.subsume
  subsume diff --markdown old.subsume new.subsume > comment.md")]
pub struct Args {
    /// The profile before and the profile after; or, separated by --, several of
    /// each.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Profiles after, where there are several before.
    #[arg(value_name = "NEW", last = true)]
    after: Vec<PathBuf>,

    #[command(flatten)]
    question: Question,
}

/// What is asked about two programs.
#[derive(Debug, clap::Args)]
pub struct Question {
    #[command(flatten)]
    choice: Choice,

    /// List all methods by the difference of their exclusive costs.
    #[arg(long)]
    exclusive: bool,

    /// List all methods by the difference of their inclusive costs.
    #[arg(long, conflicts_with = "exclusive")]
    inclusive: bool,

    /// List contexts. A context that is new or gone is listed once, with all that it calls.
    #[arg(long)]
    contexts: bool,

    /// Exit with code 1 if this holds, such as 'bytecodes>+2%', 'calls>1000' or
    /// 'contexts>=10%'. 'org.example.Parser.*>1%' is for what these methods explain, as a
    /// percentage of the whole cost before. May be repeated.
    #[arg(long, value_name = "CONDITION")]
    fail_if: Vec<Limit>,

    #[command(flatten)]
    output: Output,
}

/// A difference in per cent of what it was; `-` if that was nothing.
pub fn relative(base: u64, difference: i128) -> String {
    if base == 0 {
        return "-".to_owned();
    }
    signed_percent_of(difference as f64 / base as f64)
}

/// All that is shown.
struct Answer<'a> {
    args: &'a Question,
    profiles: &'a Profiles,
    /// What the whole profiles cost and hold.
    totals: Vec<Total>,
    explanation: Explanation,
    /// What explains the difference of elements moved, if costs are bytecodes.
    moved: Option<Explanation>,
    /// The comparison of all methods, if there are two profiles.
    methods: Option<Methods>,
    contexts: Option<Contexts>,
    /// What the difference means in time, if a side has samples.
    time: Option<TimeEstimate>,
    /// What is copied otherwise, if copies of two profiles were recorded.
    copies: Option<CopyDifference>,
    /// Limits that are broken.
    broken: Vec<&'a Limit>,
}

/// All methods of two profiles.
struct Methods {
    /// Those whose costs or code differ, the greatest difference first.
    listed: Vec<MethodDifference>,
    /// How many of each kind differ.
    fates: Vec<Differing>,
    /// How many methods are to be listed, before `--top`.
    found: usize,
}

/// The methods of one fate.
struct Differing {
    fate: Fate,
    methods: u64,
    /// How many of them differ only in what their callees cost, where their code
    /// is the same or unknown.
    by_callees: u64,
}

/// A figure of both profiles.
struct Total {
    name: String,
    base: u64,
    new: u64,
}

/// Runs the command.
///
/// # Errors
/// If a profile cannot be read or merged, a limit cannot be parsed, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode> {
    let (before, after) = sides(args)?;
    let profiles = Profiles::load(before, after, &args.question.choice)?;
    answer(&args.question, profiles, out)
}

/// Runs the command on two profiles that were read before, each with its name in
/// messages.
///
/// # Errors
/// If a profile cannot be merged, a limit cannot be parsed, or `out` fails.
pub fn run_on(
    question: &Question,
    [base, new]: [(String, Profile); 2],
    out: &mut impl Write,
) -> Result<ExitCode> {
    let choice = &question.choice;
    let profiles = Profiles::of(Side::one(base, choice)?, Side::one(new, choice)?, choice)?;
    answer(question, profiles, out)
}

fn answer(args: &Question, mut profiles: Profiles, out: &mut impl Write) -> Result<ExitCode> {
    let methods = &profiles.base.tree().methods;
    let changes = code_changes(profiles.codes(), &profiles.signatures, methods);
    let (mut explanation, methods) = both(
        || explain(&profiles.base.trees, &profiles.new.trees, &changes),
        || {
            profiles.pair().map(|[base, new]| {
                by_method((base.tree(), &base.code), (new.tree(), &new.code), &profiles.signatures)
            })
        },
    );
    let time = time::estimate(&profiles, &changes);
    let mut moved = moved::explanation(&mut profiles, &changes);
    let totals = totals(&profiles, methods.as_deref());
    let broken = broken(&args.fail_if, &totals, &explanation, &profiles)?;
    if let Some(class) = args.output.class() {
        let methods = &profiles.base.tree().methods;
        let matches = |method: u32| class.matches(&methods[method as usize].class);
        for explanation in std::iter::once(&mut explanation).chain(&mut moved) {
            explanation.rows.retain(|row| row.blamed.method.is_some_and(matches));
        }
    }
    let contexts = match profiles.pair() {
        Some([base, new]) if args.contexts => {
            Some(by_context(base.tree(), new.tree(), args.output.top(TOP)))
        }
        _ => None,
    };
    let methods = methods.map(|methods| differing(args, &profiles, methods));
    let copies = copies::compared(&profiles);
    let profiles = &profiles;
    let answer = Answer {
        args,
        profiles,
        totals,
        explanation,
        moved,
        methods,
        contexts,
        time,
        copies,
        broken,
    };
    if !crate::cli::json::answered(args.output.json, out, |out| json::print(&answer, out))? {
        table::print(&answer, out)?;
    }
    Ok(if answer.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(OVER_LIMIT) })
}

/// Counts and chooses the methods that differ.
fn differing(args: &Question, profiles: &Profiles, mut methods: Vec<MethodDifference>) -> Methods {
    methods.retain(|m| m.costs_differ() || m.fate.is_other_code());
    let kinds = [
        Fate::New,
        Fate::Gone,
        Fate::NewlyCalled,
        Fate::NoLongerCalled,
        Fate::CodeChanged,
        Fate::SignatureChanged,
        Fate::SameCode,
        Fate::CodeUnknown,
    ];
    let fates = kinds.map(|fate| {
        let of_kind = methods.iter().filter(|m| m.fate == fate);
        let by_callees = of_kind.clone().filter(|m| {
            matches!(fate, Fate::SameCode | Fate::CodeUnknown) && !m.own_costs_differ()
        });
        let by_callees = by_callees.count() as u64;
        Differing { fate, methods: of_kind.count() as u64, by_callees }
    });
    if let Some(class) = args.output.class() {
        let table = &profiles.base.tree().methods;
        methods.retain(|m| class.matches(&table[m.method as usize].class));
    }
    methods.sort_by_key(|m| {
        let difference = if args.inclusive { m.inclusive() } else { m.exclusive(0) };
        (Reverse(difference.unsigned_abs()), m.method)
    });
    if !args.output.json {
        methods.retain(|m| {
            m.own_costs_differ()
                || args.inclusive && m.inclusive() != 0
                || !matches!(m.fate, Fate::SameCode | Fate::CodeUnknown)
        });
    }
    let found = methods.len();
    methods.truncate(args.output.entries(TOP));
    Methods { listed: methods, fates: fates.into(), found }
}

/// The limits that do not hold: those of the whole profiles, and those of what
/// methods explain.
fn broken<'a>(
    limits: &'a [Limit],
    totals: &[Total],
    explanation: &Explanation,
    profiles: &Profiles,
) -> Result<Vec<&'a Limit>> {
    let methods = &profiles.base.tree().methods;
    let mut broken = Vec::new();
    for limit in limits {
        let is_broken = if let Some(total) = totals.iter().find(|t| t.name == limit.quantity) {
            limit.is_broken(total.base, total.new)
        } else if limit.quantity.contains(['.', '*']) {
            let pattern = Pattern::new(&limit.quantity);
            if !methods.iter().any(|method| pattern.matches(&method.qualified())) {
                let quantity = &limit.quantity;
                tell!("note: no method on either side matches '{quantity}'");
            }
            let named = |row: &&Row| {
                row.blamed.method.is_some_and(|m| pattern.matches(&methods[m as usize].qualified()))
            };
            let rows = explanation.rows.iter().filter(named);
            let difference = rows.map(Row::difference).sum();
            let base = totals.first().map_or(0, |total| total.base);
            limit.is_broken_by(base, difference)
        } else {
            let names: Vec<&str> = totals.iter().map(|total| total.name.as_str()).collect();
            return Err(Error::new(format!(
                "no '{}' to limit (there are: {}; methods are named as in 'org.example.Parser.*')",
                limit.quantity,
                names.join(", ")
            )));
        };
        if is_broken {
            broken.push(limit);
        }
    }
    Ok(broken)
}

fn totals(profiles: &Profiles, methods: Option<&[MethodDifference]>) -> Vec<Total> {
    let mean = |side: &Side, of: &dyn Fn(&Tree) -> u64| {
        let sum: u128 = side.trees.iter().map(|tree| u128::from(of(tree))).sum();
        u64::try_from(sum / side.trees.len() as u128).unwrap_or(u64::MAX)
    };
    let total = |name: String, of: &dyn Fn(&Tree) -> u64| Total {
        name,
        base: mean(&profiles.base, of),
        new: mean(&profiles.new, of),
    };
    let names = profiles.base.tree().metric_names().into_iter().enumerate();
    let mut totals: Vec<Total> =
        names.map(|(at, name)| total(name, &|tree| tree.metrics[at].values.iter().sum())).collect();
    totals.push(total("contexts".into(), &|tree| tree.len() as u64));
    if let Some(methods) = methods {
        let executed =
            |of: fn(&MethodDifference) -> u64| methods.iter().filter(|m| of(m) > 0).count() as u64;
        totals.push(Total {
            name: "methods".into(),
            base: executed(|m| m.base.contexts),
            new: executed(|m| m.new.contexts),
        });
    }
    totals
}
