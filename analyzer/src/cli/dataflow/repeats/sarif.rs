//! Repeated results as SARIF. Methods that are caches already are not findings.

use analysis::dataflow::results::Followed;
use analysis::dataflow::results::explanation::{estimate, sentences};
use analysis::dataflow::results::finding::{is_cache, survivor};
use analysis::diagnosis::kind::Kind;
use base::number::{counted, percent};
use profile::dataflow::MethodResults;

use super::Answer;
use super::json::entry;
use crate::cli::dataflow::for_whom::first_user;
use crate::cli::json::share;
use crate::cli::sarif::{Finding, Level, Rule, Step, figures};

pub fn findings<'a>(answer: &Answer<'a>) -> Vec<Finding<'a>> {
    let followed = |&at: &usize| (at, &answer.results.followed[at]);
    let candidates = answer.found.candidates.iter().map(followed).zip(&answer.users);
    let candidates = candidates.map(|((at, one), user)| {
        let user = answer.called.zip(user.as_ref());
        let user = user.and_then(|(called, user)| first_user(&called.recorded.tree, user));
        let found = repeated(answer, (at, one), &one.exact);
        let way = user.map(|user| vec![Step::new(user, 0), found.place.clone()]);
        Finding { ways: way.into_iter().collect(), ..found }
    });
    let by_structure = answer.found.by_structure.iter().map(followed);
    let by_structure = by_structure.filter_map(|(at, one)| {
        let deep = survivor(one).filter(|deep| !is_cache(one, deep))?;
        // What needs a comparison of all that objects hold is for somebody to judge.
        Some(Finding { level: Level::Note, ..repeated(answer, (at, one), deep) })
    });
    let always_null = answer.found.always_null.iter().map(followed);
    let always_null = always_null.map(|(at, one)| never_finds(answer, at, one));
    candidates.chain(by_structure).chain(always_null).collect()
}

fn repeated<'a>(
    answer: &Answer<'a>,
    (at, one): (usize, &'a Followed),
    told: &MethodResults,
) -> Finding<'a> {
    let results = answer.results;
    let share = share(one.spared(told).likely, results.bytecodes);
    let method = results.method(one);
    let told = sentences(one, told, results.bytecodes).join(" ");
    Finding {
        rule: Rule::Waste(Kind::RepeatedResult),
        level: Level::of_share(share),
        share: Some(share),
        message: format!("{} computes the same results again. {told}", method.qualified()),
        place: Step::new(method, 0),
        ways: Vec::new(),
        detail: String::new(),
        figures: figures(&entry(answer, at)),
    }
}

/// There may be nothing to find in this run only.
fn never_finds<'a>(answer: &Answer<'a>, at: usize, one: &'a Followed) -> Finding<'a> {
    let (results, exact) = (answer.results, &one.exact);
    let method = results.method(one);
    Finding {
        rule: Rule::Waste(Kind::NeverFinds),
        level: Level::Note,
        share: Some(share(exact.cost, results.bytecodes)),
        message: format!(
            "{} always returned null, in {} with {} different inputs, and took {} of the bytecodes.",
            method.qualified(),
            counted(exact.returned, "call"),
            estimate(exact.inputs, exact.inputs_error()),
            percent(exact.cost, results.bytecodes)
        ),
        place: Step::new(method, 0),
        ways: Vec::new(),
        detail: String::new(),
        figures: figures(&entry(answer, at)),
    }
}
