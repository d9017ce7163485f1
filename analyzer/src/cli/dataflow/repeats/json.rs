//! Repeated results as JSON.

use analysis::dataflow::results::explanation::{one_entry_would_do, sentences};
use analysis::dataflow::results::finding::{is_candidate, mean_costs, survivor};
use profile::dataflow::{MethodResults, ResultKind, ResultsTotals};
use serde::Serialize;

use super::Answer;
use crate::cli::dataflow::for_whom::{JsonPart, parts};
use crate::cli::json::{Name, share};
use crate::cli::start::JsonStart;

#[derive(Serialize)]
pub struct Document<'a> {
    /// Candidates for a cache: that first which it would spare most beside its look-ups,
    /// those of the JDK last.
    candidates: Vec<Candidate<'a>>,
    /// Entries that `--top` has left out.
    more: usize,
    /// Methods whose objects were compared by what they hold.
    by_structure: Vec<Entry<'a>>,
    more_by_structure: usize,
    /// Methods that are caches already.
    caches: Vec<Entry<'a>>,
    more_caches: usize,
    /// Methods that always return null.
    always_null: Vec<Entry<'a>>,
    more_always_null: usize,
    /// The agent's option that may tell more; null if there is nothing to try.
    deeper: Option<&'a str>,
    /// Bytecodes of all runs.
    bytecodes: u64,
    /// Methods with results.
    methods: usize,
    /// Threads whose inputs were added up.
    threads: u64,
    left_out: LeftOut,
    /// What happens once; null if it was to count.
    start_up: Option<StartUp>,
}

/// What happens once, by bytecodes, and the candidates that are left out for it.
#[derive(Serialize)]
struct StartUp {
    #[serde(flatten)]
    start: JsonStart,
    candidates: usize,
}

/// A candidate, and for whom it is called, if it is a method of the JDK.
#[derive(Serialize)]
struct Candidate<'a> {
    #[serde(flatten)]
    entry: Entry<'a>,
    #[serde(rename = "for")]
    users: Vec<JsonPart<'a>>,
}

/// What was not followed.
#[derive(Serialize)]
struct LeftOut {
    /// Methods that were executed without being followed.
    methods: usize,
    /// Calls behind the first ones that are followed.
    without_use: u64,
    /// Calls too deep in recursion.
    too_deep: u64,
    /// Whether so many objects were numbered that two may have the same number.
    numbers_repeat: bool,
}

#[derive(Serialize)]
pub struct Entry<'a> {
    method: Name<'a>,
    /// Whose it is.
    owner: &'static str,
    kind: &'static str,
    calls: u64,
    explanation: Vec<String>,
    exact: Compared,
    /// By what objects hold.
    deep: Vec<Compared>,
    /// The depth down to which it is a candidate; null if it is none at depth 1.
    holds_to: Option<u8>,
}

/// Inputs and results, with objects compared in one way.
#[derive(Serialize)]
struct Compared {
    /// 0: by identity.
    depth: u8,
    is_candidate: bool,
    returned: u64,
    receivers: u64,
    receivers_error: u64,
    inputs: u64,
    inputs_error: u64,
    hits: u64,
    hits_error: u64,
    hit_rate: f64,
    last_hits: u64,
    one_entry_would_do: bool,
    conflicts: u64,
    wrote: u64,
    hits_that_wrote: u64,
    cost: u64,
    saving: u64,
    saving_error: u64,
    /// Of all bytecodes.
    saving_share: f64,
    spared: Spared,
    /// Bytecodes of a hit, and of another call, in the mean.
    hit_cost: f64,
    other_cost: f64,
}

/// Bytecodes that a cache would spare.
#[derive(Serialize)]
struct Spared {
    likely: u64,
    least: u64,
    most: u64,
    /// Of all bytecodes, the likely number.
    share: f64,
}

/// What is computed by a division, of which the last digits mean nothing.
fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

pub fn document<'a>(answer: &'a Answer<'_>) -> Document<'a> {
    let results = answer.results;
    let entries = |list: &[usize]| list.iter().map(|&at| entry(answer, at)).collect();
    let candidate = |(&at, user): (&usize, &Option<_>)| {
        let told = answer.called.zip(user.as_ref());
        let users = told.map_or_else(Vec::new, |(called, user)| parts(&called.recorded.tree, user));
        Candidate { entry: entry(answer, at), users }
    };
    let start_up = answer.called.zip(answer.of_start);
    let ResultsTotals { threads, too_deep, .. } = results.totals;
    Document {
        candidates: answer.found.candidates.iter().zip(&answer.users).map(candidate).collect(),
        more: answer.more.candidates,
        by_structure: entries(&answer.found.by_structure),
        more_by_structure: answer.more.by_structure,
        caches: entries(&answer.found.caches),
        more_caches: answer.more.caches,
        always_null: entries(&answer.found.always_null),
        more_always_null: answer.more.always_null,
        deeper: answer.deeper.as_deref(),
        bytecodes: results.bytecodes,
        methods: results.followed.len(),
        threads,
        left_out: LeftOut {
            methods: results.unfollowed,
            without_use: results.calls_after_the_first(),
            too_deep,
            numbers_repeat: results.totals.numbers_repeat(),
        },
        start_up: start_up.map(|(called, candidates)| StartUp {
            start: JsonStart::new(&called.recorded.start),
            candidates,
        }),
    }
}

pub fn entry<'a>(answer: &'a Answer<'_>, at: usize) -> Entry<'a> {
    let results = answer.results;
    let one = &results.followed[at];
    let survivor = survivor(one);
    let compared = |found: &MethodResults| {
        let [hit_cost, other_cost] = mean_costs(found);
        let spared = one.spared(found);
        Compared {
            depth: found.depth,
            is_candidate: is_candidate(one, found),
            returned: found.returned,
            receivers: found.receivers,
            receivers_error: found.receivers_error(),
            inputs: found.inputs,
            inputs_error: found.inputs_error(),
            hits: found.hits,
            hits_error: found.hits_error,
            hit_rate: rounded(share(found.hits, found.returned)),
            last_hits: found.last_hits,
            one_entry_would_do: one_entry_would_do(found),
            conflicts: found.conflicts,
            wrote: found.wrote,
            hits_that_wrote: found.hits_that_wrote,
            cost: found.cost,
            saving: found.saving,
            saving_error: found.saving_error,
            saving_share: rounded(share(found.saving, results.bytecodes)),
            spared: Spared {
                likely: spared.likely,
                least: spared.least,
                most: spared.most,
                share: rounded(share(spared.likely, results.bytecodes)),
            },
            hit_cost: rounded(hit_cost),
            other_cost: rounded(other_cost),
        }
    };
    let told = if is_candidate(one, &one.exact) { Some(&one.exact) } else { survivor };
    Entry {
        method: Name::new(results.method(one)),
        owner: results.owner(one).word(),
        kind: ResultKind::of(&one.exact).name(),
        calls: one.calls,
        explanation: told.map_or_else(Vec::new, |told| sentences(one, told, results.bytecodes)),
        exact: compared(&one.exact),
        deep: one.deep.iter().map(compared).collect(),
        holds_to: survivor.map(|deep| deep.depth),
    }
}
