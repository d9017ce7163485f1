//! Evidence of a recording of results: methods that are tried one time after the other, and
//! mostly in vain, such as all the patterns that a lexer has for the next token.

use base::number::{grouped, percent};
use profile::results::ONLY_NULL;

use super::LEAST_SHARE;
use super::evidence::{Evidence, Recording, Sure};
use super::kind::Kind;
use super::program::Program;
use crate::dataflow::results::{Followed, Results};

/// Fewer calls say nothing.
const FEWEST: u64 = 1_000;
/// At least this part of the calls returns nothing: of ten patterns that are tried, one may apply.
const MOSTLY: f64 = 0.85;
/// And each costs so much: what is answered in a few steps needs no question before it.
const DEAR: u64 = 100;
/// Each call of a caller makes so many: one is a question, many are a search.
const TRIES: u64 = 4;
/// Callers that try so often have this part of the cost.
const MOST: f64 = 0.5;

/// What a recording of results says of methods that mostly return false, 0 or null.
pub fn evidence(program: &Program<'_>, results: &Results) -> Vec<Evidence> {
    results.followed.iter().filter_map(|one| of_method(program, results, one)).collect()
}

fn of_method(program: &Program<'_>, results: &Results, one: &Followed) -> Option<Evidence> {
    let name = results.method(one);
    let nothing = nothing(&name.descriptor)?;
    let method = program.number(name)?;
    if program.is_platform[method as usize] || name.name.starts_with('<') {
        return None;
    }
    if one.exact.always(ONLY_NULL) {
        return None;
    }
    // What calls with an input that gave two results returned is not known.
    let known = one.exact.returned.saturating_sub(one.exact.conflicts);
    let in_vain = one.exact.empty?.min(known);
    let part = in_vain as f64 / known.max(1) as f64;
    if known < FEWEST || part < MOSTLY {
        return None;
    }
    let region = program.region(method);
    let cost = program.cost(&region);
    let saving = (cost as f64 * part) as u64;
    if (saving as f64) < LEAST_SHARE * program.tree.total() as f64 {
        return None;
    }
    let calls = program.tree.calls()?;
    let all: u64 = program.contexts(method).iter().map(|&node| calls[node as usize]).sum();
    if cost < DEAR.saturating_mul(all) {
        return None;
    }
    let each = |&node: &u32| {
        let caller = program.tree.parent[node as usize];
        calls.get(caller as usize).map_or(0, |&of| calls[node as usize] / of.max(1))
    };
    let tried: Vec<u32> =
        program.contexts(method).iter().copied().filter(|node| each(node) >= TRIES).collect();
    let cost_tried: u64 = tried.iter().map(|&node| program.inclusive(node)).sum();
    if (cost_tried as f64) < MOST * cost as f64 {
        return None;
    }
    let node = program.costliest(&tried)?;
    Some(Evidence {
        kind: Kind::RarelyFinds,
        recording: Recording::Results,
        method,
        line: 0,
        node: Some(node),
        sentence: format!(
            "{} of {} calls{} returned {nothing}, {} of them for each call of the caller ({} of \
             the bytecodes)",
            grouped(in_vain),
            grouped(known),
            if one.exact.stopped { " that were followed" } else { "" },
            grouped(each(&node)),
            percent(saving, program.tree.total())
        ),
        hint: Some(
            "find out with one question what applies, or that nothing does, before all are tried",
        ),
        region,
        saving,
        likely: saving / 2,
        moved: 0,
        sure: Sure::Bound,
        command: vec!["repeats".to_owned()],
    })
}

/// The value that stands for "nothing" in a method's result type; `None` if the type has none.
fn nothing(descriptor: &str) -> Option<&'static str> {
    match descriptor.rsplit(')').next()? {
        "Z" => Some("false"),
        "B" | "S" | "I" | "J" => Some("0"),
        result if result.ends_with(';') || result.starts_with('[') => Some("null"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_by_result() {
        let said = ["(I)Z", "()I", "()Ljava/lang/String;", "(Z)[I", "()D", "(II)V", "()C"];
        let expected = [Some("false"), Some("0"), Some("null"), Some("null"), None, None, None];
        assert_eq!(said.map(nothing), expected);
    }
}
