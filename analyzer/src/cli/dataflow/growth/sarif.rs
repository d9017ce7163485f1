//! Growth as SARIF. Loops that are not steep are not findings, even with `--all`.

use analysis::diagnosis::kind::Kind;

use super::json::{json_idle, json_loop};
use super::{Answer, Fitted, IdleLoop};
use crate::cli::sarif::{Finding, Level, Rule, Step, capital, figures};

pub fn findings<'a>(answer: &Answer<'a>) -> Vec<Finding<'a>> {
    let steep = answer.loops.iter().filter(|one| one.fit.is_steep());
    let steep = steep.filter_map(|one| of_steep(answer, one));
    steep.chain(answer.idle.iter().filter_map(|one| of_idle(answer, one))).collect()
}

fn of_steep<'a>(answer: &Answer<'a>, one: &Fitted) -> Option<Finding<'a>> {
    let place = Step::at(answer.naming, one.growth.place)?;
    let what = if one.growth.is_method { "The recursive method" } else { "A loop of" };
    let name = place.method.qualified();
    Some(Finding {
        rule: Rule::Waste(Kind::Growth),
        level: Level::Warning,
        share: None,
        message: format!("{what} {name} grows faster than its input: {}.", one.fit.sentence()),
        place,
        ways: Vec::new(),
        detail: if one.growth.is_method { "method" } else { "loop" }.to_owned(),
        figures: figures(&json_loop(answer, one)),
    })
}

/// A search may be all that there is to do.
fn of_idle<'a>(answer: &Answer<'a>, one: &IdleLoop) -> Option<Finding<'a>> {
    let place = Step::at(answer.naming, one.growth.place)?;
    let [_, hint] = one.verdict.explanation();
    Some(Finding {
        rule: Rule::Waste(Kind::IdleLoop),
        level: Level::Note,
        share: None,
        message: format!(
            "A loop of {} goes on without effect: {}. {}.",
            place.method.qualified(),
            one.verdict.sentence(&one.growth.effects),
            capital(hint)
        ),
        place,
        ways: Vec::new(),
        detail: "loop".to_owned(),
        figures: figures(&json_idle(answer, one)),
    })
}
