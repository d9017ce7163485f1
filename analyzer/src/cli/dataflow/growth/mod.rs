//! `subsume growth`.

mod json;
mod sarif;
mod text;

use std::cmp::Ordering;
use std::io::Write;
use std::path::PathBuf;

use analysis::dataflow::growth::fit::Fit;
use analysis::dataflow::growth::idle::{self, Idle};
use analysis::dataflow::growth::unite;
use analysis::dataflow::name::{Contexts, Naming};
use profile::dataflow::{GrowthTotals, LoopGrowth, Objects};
use tree::error::Result;
use tree::owners::Owners;

use super::command::DataflowCommand;
use super::source::{Files, Profiles};
use crate::cli::json as any_json;
use crate::cli::own::Own;
use crate::cli::sarif::{self as any_sarif, FindingOutput};

/// Loops shown unless the user says otherwise.
const TOP: usize = 20;
/// Loops without effect shown below them, unless the user says otherwise.
const TOP_IDLE: usize = 10;

/// Show loops and recursive methods whose cost grows quadratically with their input.
///
/// The input of a loop instance is the data that it reads before it writes there: its size
/// is the number of these fields and array elements. The cost is the number of all its reads.
/// Methods that call themselves have an input and a cost, too. The exponent is the slope of a
/// line through the logarithms of sizes and mean costs: 1 is linear, 2 quadratic. It takes
/// instances of at least five sizes, the greatest at least eight times the least. Loops are
/// shown if their exponent is at least 1.7, the line fits, the upper half of the sizes alone
/// has that exponent, too, and the greatest size is at least 100.
///
/// Notes below list loops that go on without effect: in at least half of their iterations, and
/// in 1,000 or more, they write nothing that may be read later. A loop that could stop early
/// had its last effect before these iterations; a loop without a result had no effect at all; a
/// search has an effect only at its end. Advancing an iterator, or filling the own fields of a
/// new object, does not count as an effect; anything else that an iteration makes and changes
/// does.
///
/// Sizes of several runs are joined, such as runs of one program with different input.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume run --mode growth -o app.subsume -- java -jar app.jar
  subsume growth app.subsume
  subsume growth --all --class 'org.example.*' app.subsume
  subsume growth small.subsume medium.subsume large.subsume
  subsume growth --markdown app.subsume > comment.md")]
pub struct Args {
    #[command(flatten)]
    files: Files,

    /// Show all loops that have an exponent; those that are shown anyway come first, then the
    /// others, the steepest first.
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    own: Own,

    #[command(flatten)]
    output: FindingOutput,
}

/// A loop with an exponent.
struct Fitted {
    growth: LoopGrowth,
    fit: Fit,
}

/// A loop that goes on without effect.
struct IdleLoop {
    growth: LoopGrowth,
    verdict: Idle,
    /// Iterations without effect.
    iterations: u64,
}

/// All that is shown.
struct Answer<'a> {
    naming: &'a Naming<'a>,
    loops: Vec<Fitted>,
    /// Loops that `--top` has left out.
    more: usize,
    /// Steep loops.
    steep: usize,
    /// Loops with an exponent.
    fitted: usize,
    /// Loops with too few sizes for one.
    unfitted: usize,
    /// Loops that go on without effect, those with most such iterations first.
    idle: Vec<IdleLoop>,
    /// Of these, what `--top` has left out.
    more_idle: usize,
    totals: GrowthTotals,
}

impl DataflowCommand for Args {
    fn files(&self) -> Result<Vec<PathBuf>> {
        Ok(self.files.files.clone())
    }

    fn answer(&self, profiles: Profiles, out: &mut dyn Write) -> Result<()> {
        let growth = unite(&profiles)?;
        let places = self.output.places(&profiles, || self.own.source_files())?;
        let all = profiles.iter().map(|(_, profile)| profile);
        let owners = Owners::of_profiles(all, &self.own.code()?, &growth.methods);
        drop(profiles);
        let objects = Objects::default();
        let naming =
            Naming::new(&growth.methods, &objects, Contexts::Receiver).with_owners(&owners);
        let class = self.output.class();
        let mut loops = Vec::new();
        let mut unfitted = 0;
        let mut idle = Vec::new();
        for one in growth.loops {
            if class.as_ref().is_some_and(|class| !class.matches(naming.class(one.place))) {
                continue;
            }
            if let Some(verdict) = Idle::of(&one.effects) {
                let iterations = idle::iterations(&one.effects);
                idle.push(IdleLoop { growth: one.clone(), verdict, iterations });
            }
            match Fit::new(&one.points) {
                Some(fit) => loops.push(Fitted { growth: one, fit }),
                None => unfitted += 1,
            }
        }
        let fitted = loops.len();
        let steep = loops.iter().filter(|one| one.fit.is_steep()).count();
        loops.retain(|one| self.all || one.fit.is_steep());
        loops.sort_by(order);
        let all = loops.len();
        loops.truncate(self.output.entries(TOP));
        let more = all - loops.len();
        idle.sort_by_key(|one| (std::cmp::Reverse(one.iterations), one.growth.place));
        let all_idle = idle.len();
        idle.truncate(self.output.entries(TOP_IDLE));
        let more_idle = all_idle - idle.len();
        let totals = growth.totals;
        let naming = &naming;
        let answer =
            Answer { naming, loops, more, steep, fitted, unfitted, idle, more_idle, totals };
        if let Some(places) = places {
            any_sarif::print("growth", &sarif::findings(&answer), &places, out)
        } else if any_json::answered(self.output.table.json, out, |out| {
            any_json::print(&json::document(&answer), out)
        })? {
            Ok(())
        } else {
            text::print(&answer, &self.output.table, out)
        }
    }
}

/// Steep loops first, those that cost most at their greatest size before others; then
/// the rest, the greatest exponent first.
fn order(one: &Fitted, other: &Fitted) -> Ordering {
    let rank = |loop_: &Fitted| match loop_.fit.is_steep() {
        true => (1, loop_.fit.cost),
        false => (0, loop_.fit.exponent),
    };
    let ((one_steep, one_rank), (other_steep, other_rank)) = (rank(one), rank(other));
    other_steep
        .cmp(&one_steep)
        .then(other_rank.total_cmp(&one_rank))
        .then(one.growth.place.cmp(&other.growth.place))
}
