//! Evidence of a recording of results: methods that compute the same again, and searches that
//! never find anything.

use base::number::{grouped, percent};
use profile::dataflow::MethodResults;
use tree::names::descriptor::types;
use tree::names::method::Method;

use super::LEAST_SHARE;
use super::evidence::{Evidence, Recording, Sure};
use super::kind::Kind;
use super::program::Program;
use crate::dataflow::results::explanation::one_entry_would_do;
use crate::dataflow::results::finding::{Findings, LOOK_UP, mean_costs, survivor};
use crate::dataflow::results::{Followed, Results};

/// What a recording of results says.
pub fn evidence(program: &Program<'_>, results: &Results) -> Vec<Evidence> {
    let found = Findings::new(results, LEAST_SHARE, |method| {
        // What is the JDK's or was executed at the start alone is nothing to change.
        program.number(method).is_some_and(|number| {
            !program.is_platform[number as usize] && !program.contexts(number).is_empty()
        })
    });
    let mut all: Vec<Evidence> = Vec::new();
    for &at in &found.candidates {
        let one = &results.followed[at];
        all.extend(repeated(program, results, one, &one.exact));
    }
    for &at in &found.by_structure {
        let one = &results.followed[at];
        if !found.candidates.contains(&at)
            && let Some(deep) = survivor(one)
        {
            all.extend(repeated(program, results, one, deep));
        }
    }
    for &at in &found.always_null {
        all.extend(always_null(program, results, &results.followed[at]));
    }
    all
}

/// Bytecodes of looking up the result of a method: of each of its inputs a hash and a comparison,
/// of a text more.
fn look_up(method: &Method, has_receiver: bool) -> f64 {
    let parameters = types(&method.descriptor).map_or_else(Vec::new, |(parameters, _)| parameters);
    let of = |parameter: &&str| if TEXTS.contains(parameter) { 2 } else { 1 };
    let inputs = usize::from(has_receiver) + parameters.iter().map(of).sum::<usize>();
    LOOK_UP * inputs.max(1) as f64
}

/// A method has this part of its cost in look-ups in maps: it is a cache, or asks one.
const LOOKS_UP: f64 = 0.5;

/// Whether most of what a method executes is looking something up in a map of the JDK.
fn looks_up(program: &Program<'_>, method: u32, cost: u64) -> bool {
    let is_look_up = |node: u32| {
        let method = program.method(node);
        method.class.starts_with("java.util.")
            && method.class.contains("Map")
            && ["get", "getOrDefault", "containsKey"].contains(&&*method.name)
    };
    let mut in_maps = 0;
    for &context in program.contexts(method) {
        let mut node = context + 1;
        while node < program.ends[context as usize] {
            if is_look_up(node) {
                in_maps += program.inclusive(node);
                node = program.ends[node as usize];
            } else {
                node += 1;
            }
        }
    }
    in_maps as f64 >= LOOKS_UP * cost as f64
}

/// A method whose calls mostly give a result that an earlier one has given.
fn repeated(
    program: &Program<'_>,
    results: &Results,
    one: &Followed,
    told: &MethodResults,
) -> Option<Evidence> {
    let method = program.number(results.method(one))?;
    let spared = one.spared(told);
    let region = program.region(method);
    if looks_up(program, method, program.cost(&region)) {
        return None;
    }
    let part = spared.likely as f64 / one.inclusive.max(1) as f64;
    let saving = (program.cost(&region) as f64 * part.min(1.0)) as u64;
    // A cache has to be looked up.
    let [hit, _] = mean_costs(told);
    let look_up = look_up(results.method(one), told.receivers > 0);
    let beside_look_ups = 1.0 - look_up / hit.max(look_up);
    if beside_look_ups * (saving as f64) < LEAST_SHARE * program.tree.total() as f64 {
        return None;
    }
    let inputs = match told.inputs {
        1 => "the same input".to_owned(),
        inputs => format!("one of {} inputs", grouped(inputs)),
    };
    let about = if spared.is_guess() { "about " } else { "" };
    let same = match told.depth {
        0 => String::new(),
        depth => format!(" (objects compared by what they hold, {depth} deep)"),
    };
    let followed = match told.stopped {
        true => format!(" that were followed (of {})", grouped(one.calls)),
        false => String::new(),
    };
    let sentence = format!(
        "{about}{} of {} calls{followed} returned what an earlier call with {inputs} had \
         returned{same}",
        grouped(told.hits),
        grouped(told.returned),
    );
    let hint = if one_entry_would_do(told) {
        "keep the last result: nearly all of these calls repeat the call before"
    } else if told.inputs <= 1 {
        "compute it once and keep it"
    } else {
        "keep the results by input, or have the caller ask once"
    };
    Some(Evidence {
        kind: Kind::RepeatedResult,
        recording: Recording::Results,
        method,
        line: 0,
        node: program.costliest(program.contexts(method)),
        sentence,
        hint: Some(hint),
        saving,
        likely: (saving as f64 * beside_look_ups) as u64,
        region,
        moved: 0,
        sure: if spared.is_guess() { Sure::Estimate } else { Sure::Exact },
        command: vec!["repeats".to_owned()],
    })
}

/// What is compared character by character.
const TEXTS: [&str; 2] = ["Ljava/lang/String;", "Ljava/lang/CharSequence;"];
/// Fewer calls that return null say nothing.
const FEWEST: u64 = 20;
/// How the names of methods begin that look for something. Others that return null may well do
/// so because they return nothing, such as a visitor of `Void`.
const LOOKS: [&str; 16] = [
    "find", "get", "look", "try", "resolve", "search", "match", "locate", "select", "query",
    "fetch", "load", "parse", "read", "poll", "peek",
];

/// A method that always returns null: whatever it looks for, it does not find it.
fn always_null(program: &Program<'_>, results: &Results, one: &Followed) -> Option<Evidence> {
    let method = program.number(results.method(one))?;
    let name = &results.method(one).name;
    if one.exact.returned < FEWEST {
        return None;
    }
    if !LOOKS.iter().any(|look| name.starts_with(look)) {
        return None;
    }
    let region = program.region(method);
    let saving = program.cost(&region);
    (saving as f64 >= LEAST_SHARE * program.tree.total() as f64).then(|| Evidence {
        kind: Kind::NeverFinds,
        recording: Recording::Results,
        method,
        line: 0,
        node: program.costliest(program.contexts(method)),
        sentence: format!(
            "all {} calls{} returned null ({} of the bytecodes)",
            grouped(one.exact.returned),
            if one.exact.stopped { " that were followed" } else { "" },
            percent(saving, program.tree.total())
        ),
        hint: Some("find out earlier, or more cheaply, that there is nothing to find"),
        region,
        saving,
        likely: saving / 2,
        moved: 0,
        sure: Sure::Bound,
        command: vec!["repeats".to_owned()],
    })
}
