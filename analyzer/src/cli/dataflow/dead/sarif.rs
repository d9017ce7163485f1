//! Dead values as SARIF: a finding for each method, at the line with most of them.

use analysis::diagnosis::kind::Kind;
use base::number::{counted, percent};

use super::{Answer, Entry, json_dead};
use crate::cli::dataflow::for_whom::first_user;
use crate::cli::json::share;
use crate::cli::sarif::{Finding, Level, Rule, Step, figures};

/// Lines of a method that are named.
const LINES: usize = 5;

pub fn findings<'a>(answer: &Answer<'a>) -> Vec<Finding<'a>> {
    answer.methods.iter().filter_map(|entry| finding(answer, entry)).collect()
}

fn finding<'a>(answer: &Answer<'a>, entry: &Entry) -> Option<Finding<'a>> {
    let (at, user) = entry;
    let method = answer.naming.method(at.place)?;
    let lines = answer.lines.iter().filter(|(line, _)| line.place.method == at.place.method);
    let lines: Vec<u16> = lines.map(|(line, _)| line.place.line).filter(|&n| n > 0).collect();
    let place = Step::new(method, lines.first().copied().unwrap_or(0));
    let share = share(at.dead, answer.instances);
    let user = answer.recorded.zip(user.as_ref());
    let user = user.and_then(|(known, user)| first_user(&known.tree, user));
    let named: Vec<String> = lines.iter().take(LINES).map(u16::to_string).collect();
    let most = match named.len() {
        0 => String::new(),
        1 => format!(" They are in line {}.", named[0]),
        _ => format!(" Most of them are in lines {}.", named.join(", ")),
    };
    Some(Finding {
        rule: Rule::Waste(Kind::Unused),
        level: Level::of_share(share),
        share: Some(share),
        message: format!(
            "{} of {} make values that nobody needs: {} of those in the method, {} of all.{most}",
            counted(at.dead, "instruction instance"),
            method.qualified(),
            percent(at.dead, at.instances),
            percent(at.dead, answer.instances),
        ),
        ways: user.map(|user| vec![Step::new(user, 0), place.clone()]).into_iter().collect(),
        place,
        detail: String::new(),
        figures: figures(&json_dead(answer, entry)),
    })
}
