//! `subsume diff`.

mod json;
mod table;

use std::cmp::Reverse;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use analyzer::diff::code::Code;
use analyzer::diff::contexts::{Contexts, by_context};
use analyzer::diff::limit::Limit;
use analyzer::diff::methods::{Fate, MethodDifference, by_method};
use analyzer::error::{Error, Result};
use analyzer::names::generated::make_comparable;
use analyzer::tree::Tree;
use analyzer::tree::alignment::align;
use analyzer::tree::forest::MetricChoice;

use crate::cli::progress::Progress;
use crate::cli::source::{Choice, Output, flaw, read};

/// Exit code where the new profile breaks a limit.
const OVER_LIMIT: u8 = 1;
/// Methods and contexts shown unless the user says otherwise.
const TOP: usize = 20;

/// Compare two profiles exactly, by method and by context.
///
/// Methods are told apart by what has become of them: 'changed' has other code
/// than before, 'same' has the same code and costs something else because others
/// call it more or less often, or in another way. Methods that differ only in what
/// those cost that they call are listed with --inclusive. Classes that are
/// generated at run time and numbered, such as $Proxy14, are compared without the
/// number. --fail-if makes the exit code 1 if the new profile breaks a limit.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume diff old.subsume new.subsume
  subsume diff --contexts --metric allocations old.subsume new.subsume
  subsume diff --fail-if 'bytecodes>+2%' --fail-if 'allocations>+0.5%' old.subsume new.subsume
  subsume diff --markdown --top 10 old.subsume new.subsume > comment.md")]
pub struct Args {
    /// The profile before.
    #[arg(value_name = "BASE")]
    base: PathBuf,

    /// The profile after.
    #[arg(value_name = "NEW")]
    new: PathBuf,

    #[command(flatten)]
    choice: Choice,

    /// Sort and compare methods by their inclusive costs.
    #[arg(long)]
    inclusive: bool,

    /// List contexts instead of methods. One that is new or gone is listed once,
    /// with all that it calls.
    #[arg(long)]
    contexts: bool,

    /// Exit with code 1 if this holds, such as 'bytecodes>+2%', 'calls>1000' or
    /// 'contexts>=10%'; may be repeated.
    #[arg(long, value_name = "CONDITION")]
    fail_if: Vec<Limit>,

    /// Print Markdown for a pull request.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,

    #[command(flatten)]
    output: Output,
}

/// The two trees, one table of methods, the same metrics; the one to compare
/// by comes first.
struct Trees {
    base: Tree,
    new: Tree,
}

/// All that is shown.
struct Answer<'a> {
    args: &'a Args,
    trees: &'a Trees,
    /// What the whole profiles cost and hold.
    totals: Vec<Total>,
    /// Methods whose costs or code differ, the greatest difference first.
    methods: Vec<MethodDifference>,
    /// How many of each kind differ.
    fates: Vec<Differing>,
    /// How many methods are to be listed, before `--top`.
    found: usize,
    contexts: Option<Contexts>,
    /// Limits that are broken.
    broken: Vec<&'a Limit>,
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
/// If a profile cannot be read or merged, a limit is no limit, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode> {
    let (trees, codes) = load(args)?;
    let mut methods = by_method((&trees.base, &codes[0]), (&trees.new, &codes[1]));
    let totals = totals(&trees, &methods);
    let mut broken = Vec::new();
    for limit in &args.fail_if {
        let total = totals.iter().find(|total| total.name == limit.quantity).ok_or_else(|| {
            let names: Vec<&str> = totals.iter().map(|total| total.name.as_str()).collect();
            Error::new(format!(
                "no '{}' to limit (there are: {})",
                limit.quantity,
                names.join(", ")
            ))
        })?;
        if limit.is_broken(total.base, total.new) {
            broken.push(limit);
        }
    }
    methods.retain(|m| m.costs_differ() || m.fate == Fate::CodeChanged);
    let kinds = [Fate::New, Fate::Gone, Fate::CodeChanged, Fate::SameCode, Fate::CodeUnknown];
    let fates = kinds.map(|fate| {
        let of_kind = methods.iter().filter(|m| m.fate == fate);
        let by_callees = of_kind.clone().filter(|m| {
            matches!(fate, Fate::SameCode | Fate::CodeUnknown) && !m.own_costs_differ()
        });
        let by_callees = by_callees.count() as u64;
        Differing { fate, methods: of_kind.count() as u64, by_callees }
    });
    let fates = fates.into();
    if let Some(class) = args.output.class() {
        methods.retain(|m| class.matches(&trees.new.methods[m.method as usize].class));
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
    let top = args.output.entries(TOP);
    methods.truncate(top);
    let contexts = args.contexts.then(|| by_context(&trees.base, &trees.new, args.output.top(TOP)));
    let answer = Answer { args, trees: &trees, totals, methods, fates, found, contexts, broken };
    if args.output.json {
        json::print(&answer, out)?
    } else {
        table::print(&answer, out)?
    }
    Ok(if answer.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(OVER_LIMIT) })
}

fn load(args: &Args) -> Result<(Trees, [Code; 2])> {
    let files = [args.base.clone(), args.new.clone()];
    let progress = Progress::of_files(&files);
    let load = |path: &PathBuf| -> Result<(Tree, Code)> {
        let name = path.display().to_string();
        progress.say(&format!("reading {name}"));
        let mut profile = read(path, &MetricChoice::Every)?;
        make_comparable(&mut profile);
        if let Some(flaw) = flaw(&profile) {
            progress.wipe();
            eprintln!("subsume: note: {name}: {flaw}");
        }
        let code = Code::of(&profile);
        progress.say("merging");
        let selection = args.choice.selection(MetricChoice::Every, false);
        Ok((Tree::merge(vec![(name, profile)], &selection)?, code))
    };
    let (mut base, base_code) = load(&args.base)?;
    let (mut new, new_code) = load(&args.new)?;
    let has = |tree: &Tree, name: &str| tree.metrics.iter().any(|metric| metric.name == name);
    let (of_base, of_new) = (base.metric_names(), new.metric_names());
    base.metrics.retain(|metric| of_new.contains(&metric.name));
    let usual = ["bytecodes".to_owned()];
    let wanted = args.choice.metric.as_ref().or_else(|| usual.iter().find(|name| has(&base, name)));
    let first = match (wanted, base.metrics.first()) {
        (Some(wanted), _) if has(&base, wanted) => wanted.clone(),
        (None, Some(first)) => first.name.clone(),
        _ => {
            return Err(Error::new(format!(
                "the profiles have no such metric in common (before: {}; after: {})",
                of_base.join(", "),
                of_new.join(", ")
            )));
        }
    };
    let mut names = base.metric_names();
    names.sort_by_key(|name| *name != first);
    base.choose_metrics(&names);
    new.choose_metrics(&names);
    progress.say("comparing");
    align(&mut base, &mut new);
    Ok((Trees { base, new }, [base_code, new_code]))
}

fn totals(trees: &Trees, methods: &[MethodDifference]) -> Vec<Total> {
    let sum = |tree: &Tree, at: usize| tree.metrics[at].values.iter().sum();
    let metrics = trees.base.metric_names().into_iter().enumerate().map(|(at, name)| Total {
        name,
        base: sum(&trees.base, at),
        new: sum(&trees.new, at),
    });
    let executed =
        |of: fn(&MethodDifference) -> u64| methods.iter().filter(|m| of(m) > 0).count() as u64;
    let shape = [
        Total {
            name: "contexts".into(),
            base: trees.base.len() as u64,
            new: trees.new.len() as u64,
        },
        Total {
            name: "methods".into(),
            base: executed(|m| m.base.contexts),
            new: executed(|m| m.new.contexts),
        },
    ];
    metrics.chain(shape).collect()
}
