//! Loops as SARIF.

use analysis::dataflow::loops::clusters::{Cluster, Verdict};
use analysis::dataflow::loops::explanation::{hint, known_line, sentence, summary};
use analysis::diagnosis::kind::Kind;
use profile::dataflow::Place;

use super::Answer;
use super::json::json_loop;
use crate::cli::json::share;
use crate::cli::sarif::{Finding, Level, Rule, Step, capital, figures};

pub fn findings<'a>(answer: &'a Answer<'a>) -> Vec<Finding<'a>> {
    answer.clusters.iter().filter_map(|cluster| finding(answer, cluster)).collect()
}

fn finding<'a>(answer: &'a Answer<'a>, cluster: &'a Cluster) -> Option<Finding<'a>> {
    let (naming, first) = (answer.naming, cluster.similar.first()?);
    let place = Step::at(naming, cluster.place)?;
    let share = share(cluster.wasted, answer.found.totals.reads);
    let level = match cluster.verdict() {
        // What the baseline does not list makes the exit code 1.
        _ if answer.args.baseline.is_some() => Level::Error,
        Verdict::Redundant => Level::of_share(share),
        Verdict::Similar => Level::Note,
    };
    let step = |&at: &Place| Step::at(naming, at);
    let way = |path: &[Place]| path.iter().chain([&cluster.place]).filter_map(step).collect();
    Some(Finding {
        rule: Rule::Waste(Kind::Reread),
        level,
        share: Some(share),
        message: format!(
            "A loop of {} reads the same data again ({}): {}. {}.",
            place.method.qualified(),
            summary(cluster),
            sentence(cluster, first, &naming.place(first.place)),
            capital(hint(cluster, naming.methods()).text())
        ),
        place,
        ways: cluster.paths.iter().map(|(path, _)| way(path)).collect(),
        detail: known_line(&cluster.place, first, naming.methods()),
        figures: figures(&json_loop(answer, cluster)),
    })
}
