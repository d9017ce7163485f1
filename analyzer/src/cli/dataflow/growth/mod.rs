//! `subsume growth`.

mod json;
mod text;

use std::cmp::Ordering;
use std::io::Write;
use std::path::PathBuf;

use analyzer::dataflow::growth::fit::Fit;
use analyzer::dataflow::growth::unite;
use analyzer::dataflow::name::{Contexts, Naming};
use analyzer::error::Result;
use profile::dataflow::{GrowthTotals, LoopGrowth, Objects};

use super::command::DataflowCommand;
use super::source::{Files, Profiles};
use crate::cli::json as any_json;
use crate::cli::source::Output;

/// Loops shown unless the user says otherwise.
const TOP: usize = 20;

/// Show loops and recursive methods whose cost grows quadratically with their input.
///
/// The input of a loop instance is what it reads before it has written it: the size
/// is the number of these places, fields and elements of arrays. The cost is the
/// number of all its reads. Methods that call themselves have both, too. Where instances of a loop have at least five sizes, the
/// greatest eight times the least, the exponent is the slope of a line through the
/// logarithms of sizes and mean costs: 1 is linear, 2 quadratic. Loops from 1.7 on are
/// shown if the line fits, the upper half of the range alone has that exponent, too,
/// and the greatest size is 100 at least.
///
/// Sizes of several runs are joined, such as of one program with different input.
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

    /// Show all loops that have an exponent, the steepest of the others behind those
    /// that are shown anyway.
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    output: Output,
}

/// A loop with an exponent.
struct Fitted {
    growth: LoopGrowth,
    fit: Fit,
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
    totals: GrowthTotals,
}

impl DataflowCommand for Args {
    fn files(&self) -> Result<Vec<PathBuf>> {
        Ok(self.files.files.clone())
    }

    fn answer(&self, profiles: Profiles, out: &mut dyn Write) -> Result<()> {
        let growth = unite(&profiles)?;
        drop(profiles);
        let objects = Objects::default();
        let naming = Naming::new(&growth.methods, &objects, Contexts::Receiver);
        let class = self.output.class();
        let mut loops = Vec::new();
        let mut unfitted = 0;
        for one in growth.loops {
            if class.as_ref().is_some_and(|class| !class.matches(naming.class(one.place))) {
                continue;
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
        let totals = growth.totals;
        let answer = Answer { naming: &naming, loops, more, steep, fitted, unfitted, totals };
        if self.output.json {
            any_json::print(&json::document(&answer), out)
        } else {
            text::print(&answer, &self.output, out)
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
