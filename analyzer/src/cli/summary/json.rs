//! The summary for programs.

use std::io::Write;

use analysis::summary::Entry;
use serde::Serialize;
use tree::Tree;
use tree::error::Result;
use tree::start_up::{Reason, StartUp};
use tree::views::folding::Extent;
use tree::views::inputs::Inputs;
use tree::views::landings::{Landing, Step};
use tree::views::own_loops::OwnLoop;
use tree::views::way_in::{Stop, way_in};

use super::Answer;
use crate::cli::json::{self, Name};
use crate::cli::time::{TimeOfPart, TimeOfRun};

#[derive(Serialize)]
struct Document<'a> {
    metric: &'a str,
    total: u64,
    contexts: u64,
    methods: u64,
    /// What happens once; null if it was to count.
    start_up: Option<StartUpDocument<'a>>,
    /// The plain run; only where there are samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<TimeOfRun<'a>>,
    patterns: Vec<Pattern<'a>>,
    places: Vec<Place<'a>>,
    suspicious_calls: Vec<Calls<'a>>,
    moved: Vec<Moved<'a>>,
    /// Candidates for a cache, where results were recorded.
    repeated: Vec<Repeated<'a>>,
}

#[derive(Serialize)]
struct StartUpDocument<'a> {
    /// Whether it is left out of everything else here.
    is_left_out: bool,
    cost: u64,
    /// Cost of the whole program, with it.
    of: u64,
    by_reason: Vec<Because>,
    largest: Vec<Costing<'a>>,
}

#[derive(Serialize)]
struct Because {
    reason: &'static str,
    cost: u64,
}

#[derive(Serialize)]
struct Costing<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    cost: u64,
}

#[derive(Serialize)]
struct Place<'a> {
    /// The method in which the cost lands.
    #[serde(flatten)]
    name: Name<'a>,
    cost: u64,
    /// Only where there are samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<TimeOfPart>,
    contexts: u32,
    /// The costliest context: what it costs, its calls (null if they were not counted), and
    /// the way there from the first frame.
    inclusive: u64,
    calls: Option<u64>,
    path: Vec<Name<'a>>,
    /// Callees with much of the cost, each called by the one before, maybe by way of others.
    goes_on: Vec<Costing<'a>>,
    /// A method that is called all over these contexts, if it has much of the cost.
    shared: Option<Spread<'a>>,
    /// Where ways to the contexts part: who calls them.
    ways: Vec<Costing<'a>>,
    /// Those on the way that each call of their caller makes often.
    often: Vec<Often<'a>>,
    /// The loop of one's own that has several places, among them this one; null without.
    #[serde(rename = "loop")]
    own_loop: Option<Loop<'a>>,
}

/// A method of one's own that calls another one often.
#[derive(Serialize)]
struct Loop<'a> {
    caller: Name<'a>,
    callee: Name<'a>,
    /// Calls of the callee for each call of the caller, on average.
    calls_each: u64,
    /// Null where results of the callee were not followed.
    inputs: Option<InputsDocument>,
    /// What these calls cost.
    cost: u64,
}

/// A call on the way to a place that is made often.
#[derive(Serialize)]
struct Often<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    /// For each call of the caller, on average.
    calls_each: u64,
    /// Null where results of the method were not followed.
    inputs: Option<InputsDocument>,
}

/// Inputs of a method in all its calls, by all its callers.
#[derive(Serialize)]
struct InputsDocument {
    /// Calls that were followed and returned.
    calls: u64,
    /// Different receivers with arguments.
    different: u64,
    receivers: u64,
    /// Whether no input was left out; otherwise the numbers are estimates.
    is_exact: bool,
    /// Whether all calls were followed.
    is_whole: bool,
}

impl InputsDocument {
    fn new(inputs: Inputs) -> Self {
        let Inputs { calls, different, receivers, is_exact, is_whole, .. } = inputs;
        Self { calls, different, receivers, is_exact, is_whole }
    }
}

#[derive(Serialize)]
struct Spread<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    cost: u64,
    contexts: u32,
}

#[derive(Serialize)]
struct User<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    cost: u64,
    of: u64,
}

#[derive(Serialize)]
struct Repeated<'a> {
    method: Name<'a>,
    returned: u64,
    hits: u64,
    saving: u64,
    saving_error: u64,
    spared: u64,
}

#[derive(Serialize)]
struct Moved<'a> {
    method: Name<'a>,
    /// The method of the JDK by which; null if the method moves elements itself.
    through: Option<Name<'a>>,
    elements: u64,
}

#[derive(Serialize)]
struct Pattern<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    induced: u64,
    inclusive: u64,
    /// Null if the profiles have not counted calls.
    calls: Option<u64>,
    contexts: u64,
    /// The method of the program for which the JDK does most of it; null if it is not the JDK's.
    user: Option<User<'a>>,
}

#[derive(Serialize)]
struct Calls<'a> {
    caller: Name<'a>,
    callee: Name<'a>,
    calls: u64,
    cost: u64,
    /// Of all callers together.
    all_calls: u64,
    all_cost: u64,
    /// By how much the calls cost more than as many calls by others.
    excess: u64,
}

fn costing<'a>(&(method, cost): &(u32, u64), tree: &'a Tree) -> Costing<'a> {
    Costing { name: Name::of(tree, Some(method)), cost }
}

fn start_up<'a>(start: &StartUp, tree: &'a Tree) -> StartUpDocument<'a> {
    let because = |&(reason, cost): &(Reason, u64)| Because { reason: reason.text(), cost };
    StartUpDocument {
        is_left_out: start.is_put_aside,
        cost: start.cost,
        of: start.all,
        by_reason: start.by_reason.iter().map(because).collect(),
        largest: start.largest.iter().map(|part| costing(part, tree)).collect(),
    }
}

/// Prints the answer as one JSON object.
///
/// # Errors
/// If `out` fails.
pub fn print(answer: &Answer<'_>, out: &mut (impl Write + ?Sized)) -> Result<()> {
    let tree = answer.tree;
    let samples = answer.samples;
    let user = |user: tree::views::users::User| User {
        name: Name::of(tree, Some(user.method)),
        cost: user.cost,
        of: user.all,
    };
    let pattern = |&(method, of_pattern): &(u32, Option<tree::views::users::User>)| {
        let costs = &answer.analysis.costs[method as usize];
        Pattern {
            name: Name::of(tree, Some(method)),
            induced: answer.analysis.induced[method as usize],
            inclusive: costs.inclusive,
            calls: costs.calls,
            contexts: costs.contexts,
            user: of_pattern.map(user),
        }
    };
    let step = |step: &Step| costing(&(step.method, step.cost), tree);
    let often = |stop: &Stop| {
        let (method, calls_each) = stop.frame.method().zip(stop.calls_each)?;
        let inputs = stop.inputs.map(InputsDocument::new);
        Some(Often { name: Name::of(tree, Some(method)), calls_each, inputs })
    };
    let place = |(landing, below): (&Landing, Option<&OwnLoop>)| {
        let way = way_in(tree, &answer.owners, landing.node, Extent::Whole);
        let name = |&node: &u32| Name::of(tree, Some(tree.method[node as usize]));
        Place {
            name: Name::of(tree, Some(landing.method)),
            cost: landing.cost,
            time: (samples > 0).then(|| TimeOfPart::of(landing.time, samples)),
            contexts: landing.contexts,
            inclusive: landing.node_cost,
            calls: tree.calls().map(|calls| calls[landing.node as usize]),
            path: tree.path(landing.node).iter().map(name).collect(),
            goes_on: landing.goes_on.iter().map(step).collect(),
            shared: landing.all_over.map(|spread| Spread {
                name: Name::of(tree, Some(spread.method)),
                cost: spread.cost,
                contexts: spread.contexts,
            }),
            ways: landing.ways.iter().map(step).collect(),
            often: way.iter().filter_map(often).collect(),
            own_loop: below.map(|one| Loop {
                caller: Name::of(tree, Some(one.caller)),
                callee: Name::of(tree, Some(one.callee)),
                calls_each: one.calls_each,
                inputs: one.inputs.map(InputsDocument::new),
                cost: one.cost,
            }),
        }
    };
    let places = answer.entries().into_iter().flat_map(|entry| match entry {
        Entry::Place(landing) => vec![(landing, None)],
        Entry::Loop(one) => one.places.iter().map(|&at| (&answer.places[at], Some(one))).collect(),
    });
    let places: Vec<(&Landing, Option<&OwnLoop>)> = places.collect();
    let document = Document {
        metric: tree.metric(),
        total: tree.total(),
        contexts: answer.contexts,
        methods: answer.methods,
        start_up: answer.start.as_ref().map(|start| start_up(start, tree)),
        time: tree.sampling.as_ref().filter(|_| samples > 0).map(TimeOfRun::of),
        patterns: answer.patterns.iter().map(pattern).collect(),
        places: places.into_iter().map(place).collect(),
        suspicious_calls: answer
            .calls
            .iter()
            .map(|found| Calls {
                caller: Name::of(tree, Some(found.caller)),
                callee: Name::of(tree, Some(found.callee)),
                calls: found.calls,
                cost: found.cost,
                all_calls: found.all_calls,
                all_cost: found.all_cost,
                excess: found.excess,
            })
            .collect(),
        moved: answer
            .movers
            .iter()
            .map(|mover| Moved {
                method: Name::of(tree, Some(mover.method)),
                through: mover.through.map(|method| Name::of(tree, Some(method))),
                elements: mover.moved,
            })
            .collect(),
        repeated: answer.repeated.as_ref().map_or_else(Vec::new, repeated),
    };
    json::print(&document, out)
}

fn repeated(found: &super::Repeated) -> Vec<Repeated<'_>> {
    let entry = |&at: &usize| {
        let one = &found.results.followed[at];
        Repeated {
            method: Name::new(found.results.method(one)),
            returned: one.exact.returned,
            hits: one.exact.hits,
            saving: one.exact.saving,
            saving_error: one.exact.saving_error,
            spared: one.spared(&one.exact).likely,
        }
    };
    found.candidates.iter().map(entry).collect()
}
