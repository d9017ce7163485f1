//! Copies that grow: calls at one line of a method each of which copies a text or an array and
//! adds something to the copy.
//!
//! A recording of calls has sums of the elements that contexts move, by call site, and no
//! lengths. The sums tell growth apart all the same. A value that grows from nothing by steps of
//! one size is on average half as long as at its end: `n` steps that add `a` elements each copy
//! `a n / 2` elements of the old value on average. Copies of a value whose length stays the same
//! have no such relation to the number of steps.

use std::collections::BTreeMap;

use profile::{MethodId, NO_PARENT, NodeId, Profile};
use tree::names::method::Method;
use tree::owners::{Definitions, OwnCode};
use tree::views::movers::MOVED;

/// Fewer steps in each execution of a method do not make a value grow much.
const FEWEST_STEPS: f64 = 64.0;
/// Shorter values cost little to copy.
const SHORTEST: f64 = 100.0;
/// A callee is called in each step if it has this part of the steps.
const NEARLY_EACH: f64 = 0.9;
/// What the names of methods begin with that a concatenation calls once; it calls others for each
/// operand, or when it is linked.
const ONCE_EACH: [&str; 5] = ["newArray", "newString", "simpleConcat", "doConcat", "concat"];
/// How much the elements that steps add may differ from the number that the elements moved speak
/// for: additions that become longer, or shorter, ...
const LEAST_RATIO: f64 = 0.6;
const MOST_RATIO: f64 = 1.6;
/// ... and executions of which some make many more steps than others.
const MOST_RATIO_OF_SEVERAL: f64 = 4.0;
/// Where it is not known how many elements a step adds, it adds one to a text at least, and so
/// many at most; an array grows by one element.
const LEAST_STEP: f64 = 0.9;
const LONGEST_STEP: f64 = 64.0;
const STEP_OF_ARRAY: f64 = 1.2;
const STEP_OF_ARRAY_OF_SEVERAL: f64 = 3.0;

/// What is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Copied {
    /// A text, in bytes.
    Text,
    /// An array, in elements.
    Array,
}

/// Calls at one line of a method that copy a value that grows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrowingCopy {
    /// The method.
    pub method: Method,
    /// The line in it; 0 if it is not known.
    pub line: u16,
    /// What is copied.
    pub copied: Copied,
    /// The methods that it calls for that; none if it calls `arraycopy` itself.
    pub callees: Vec<Method>,
    /// How often a copy is made.
    pub steps: u64,
    /// Elements of the old value that all of them move.
    pub moved: u64,
    /// Elements that all of them add, if they are known.
    pub added: Option<u64>,
}

/// How a copy is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Maker {
    /// By a concatenation, or `String.concat`.
    Concatenation,
    /// By a builder that is made from the old text.
    Builder,
    /// By `Arrays.copyOf`, or a list that copies its array in each change.
    Array,
    /// By a call of `arraycopy`.
    Itself,
}

impl Maker {
    /// What a method of the JDK makes, if it copies.
    fn of(class: &str, name: &str) -> Option<Self> {
        match (class, name) {
            ("java.lang.String", "concat") => Some(Self::Concatenation),
            ("java.lang.StringBuilder" | "java.lang.StringBuffer", _) => Some(Self::Builder),
            ("java.util.Arrays", "copyOf") => Some(Self::Array),
            ("java.lang.System", "arraycopy") => Some(Self::Itself),
            _ if class.starts_with("java.lang.StringConcatHelper")
                || class.starts_with("java.lang.String$$StringConcat") =>
            {
                Some(Self::Concatenation)
            }
            _ if class.starts_with("java.util.concurrent.CopyOnWriteArray")
                && name.starts_with("add") =>
            {
                Some(Self::Array)
            }
            _ => None,
        }
    }

    fn copied(self) -> Copied {
        match self {
            Self::Concatenation | Self::Builder => Copied::Text,
            Self::Array | Self::Itself => Copied::Array,
        }
    }
}

/// Where a method calls what copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    /// The method's context.
    worker: u32,
    line: u16,
    /// Position of the call; 0 of builders, which take several.
    bci: u16,
    maker: Maker,
}

/// A context that moves elements.
#[derive(Debug, Clone, Copy)]
struct Moves {
    elements: u64,
    calls: u64,
}

/// What is called in one place.
#[derive(Debug, Default)]
struct Calls {
    /// Methods that are called there, with how often.
    callees: Vec<(u32, u64)>,
    /// Contexts in and below them that move elements.
    moves: Vec<Moves>,
}

/// What the steps in one place do.
#[derive(Debug, Clone, Copy)]
struct Steps {
    number: u64,
    moved: u64,
    added: Option<u64>,
}

/// The growing copies of a recording; none if it does not count moved elements.
pub fn growing_copies(profile: &Profile, own: &OwnCode) -> Vec<GrowingCopy> {
    let nodes = &profile.nodes;
    let metrics = [nodes.metric("calls"), nodes.metric(MOVED)];
    let [Some(calls), Some(moved)] = metrics.map(|metric| metric.map(|one| &*one.values)) else {
        return Vec::new();
    };
    let mut found: BTreeMap<(u32, u16, Copied), (Steps, Vec<u32>)> = BTreeMap::new();
    for (place, one) in places(profile, own, calls, moved) {
        let Some(steps) = one.steps(profile, place.maker) else { continue };
        if !grows(profile, calls, place, steps) {
            continue;
        }
        let method = nodes.method[place.worker as usize];
        let none = (Steps { number: 0, moved: 0, added: Some(0) }, Vec::new());
        let (sum, callees) =
            found.entry((method, place.line, place.maker.copied())).or_insert(none);
        sum.number = sum.number.saturating_add(steps.number);
        sum.moved = sum.moved.saturating_add(steps.moved);
        sum.added = sum.added.zip(steps.added).map(|(sum, more)| sum.saturating_add(more));
        let of_place = one.callees.iter().map(|&(callee, _)| callee);
        callees.extend(of_place.filter(|_| place.maker != Maker::Itself));
    }
    let named = |method: u32| Method::from(profile.name(MethodId(method)));
    let copies = found.into_iter().map(|((method, line, copied), (steps, mut callees))| {
        callees.sort_unstable();
        callees.dedup();
        GrowingCopy {
            method: named(method),
            line,
            copied,
            callees: callees.into_iter().map(named).collect(),
            steps: steps.number,
            moved: steps.moved,
            added: steps.added,
        }
    });
    copies.collect()
}

/// Where methods of the program call what copies, with all that moves elements below.
fn places(
    profile: &Profile,
    own: &OwnCode,
    calls: &[u64],
    moved: &[u64],
) -> BTreeMap<Place, Calls> {
    let nodes = &profile.nodes;
    let mut definitions = Definitions::with_own(own);
    definitions.add(&profile.run, &profile.classes);
    let names = profile.names();
    let (is_platform, makers): (Vec<bool>, Vec<Option<Maker>>) = names
        .map(|one| (definitions.is_platform(one.class), Maker::of(one.class, one.name)))
        .unzip();
    // By context: the nearest one of the program, and what that calls on the way to it.
    let mut workers: Vec<u32> = Vec::with_capacity(nodes.len());
    let mut firsts: Vec<u32> = Vec::with_capacity(nodes.len());
    let mut places: BTreeMap<Place, Calls> = BTreeMap::new();
    for (node, (&method, &parent)) in (0..).zip(nodes.method.iter().zip(&nodes.parent)) {
        if parent == NO_PARENT || !is_platform[method as usize] {
            workers.push(node);
            firsts.push(NO_PARENT);
            continue;
        }
        let (worker, above) = (workers[parent as usize], firsts[parent as usize]);
        let first = if above == NO_PARENT { node } else { above };
        workers.push(worker);
        firsts.push(first);
        let Some(maker) = makers[nodes.method[first as usize] as usize] else { continue };
        let [calls, elements] = [calls, moved].map(|column| column[node as usize]);
        let is_of_program = !is_platform[nodes.method[worker as usize] as usize];
        if !is_of_program || first != node && elements == 0 {
            continue;
        }
        let site = profile.call_site(NodeId(first));
        let (line, bci) = site.map_or((0, 0), |site| (site.line, site.bci));
        let bci = if maker == Maker::Builder { 0 } else { bci };
        let one = places.entry(Place { worker, line, bci, maker }).or_default();
        if first == node {
            one.callees.push((method, calls));
        }
        if elements > 0 {
            one.moves.push(Moves { elements, calls });
        }
    }
    // What a method itself moves is not counted by call.
    let mut copiers: BTreeMap<u32, u32> = BTreeMap::new();
    for place in places.keys().filter(|place| place.maker == Maker::Itself) {
        *copiers.entry(place.worker).or_default() += 1;
    }
    for (place, one) in places.iter_mut().filter(|(place, _)| place.maker == Maker::Itself) {
        let calls = one.callees.iter().map(|&(_, calls)| calls).sum();
        let elements = moved[place.worker as usize];
        if copiers.get(&place.worker) == Some(&1) && elements > 0 {
            one.moves.push(Moves { elements, calls });
        }
    }
    places
}

impl Calls {
    /// What the steps do, if it can be told.
    fn steps(&self, profile: &Profile, maker: Maker) -> Option<Steps> {
        let calls = || self.callees.iter().map(|&(_, calls)| calls);
        let of_names = |names: &[&str]| {
            let name = |method: u32| &*profile.methods[method as usize].name;
            let named = self
                .callees
                .iter()
                .filter(|(method, _)| names.iter().any(|prefix| name(*method).starts_with(prefix)));
            named.map(|&(_, calls)| calls).max()
        };
        let number = match maker {
            Maker::Concatenation => of_names(&ONCE_EACH)?,
            Maker::Builder => of_names(&["toString"])?,
            Maker::Array | Maker::Itself => calls().sum(),
        };
        let in_each = NEARLY_EACH * number as f64;
        let mut all: Vec<Moves> = self.moves.clone();
        all.retain(|one| one.calls as f64 >= in_each);
        all.sort_by_key(|one| std::cmp::Reverse(one.elements));
        let (&most, others) = all.split_first()?;
        let added = match maker {
            // Several operands in one context are not apart.
            Maker::Concatenation if most.calls as f64 > number as f64 / NEARLY_EACH => None,
            Maker::Concatenation => {
                let sum = others.iter().map(|one| one.elements).fold(0, u64::saturating_add);
                Some(sum).filter(|&sum| sum > 0)
            }
            Maker::Builder => {
                // The old text is copied into the builder, and the new one out of it.
                let (old, others) = others.split_first()?;
                let added = others.last()?.elements;
                let is_copied_in =
                    old.elements.saturating_add(added) as f64 >= NEARLY_EACH * most.elements as f64;
                if !is_copied_in {
                    return None;
                }
                Some(added)
            }
            Maker::Array | Maker::Itself => None,
        };
        Some(Steps { number, moved: most.elements, added })
    }
}

/// Whether the elements that steps move add up to those of a value that grows in each execution
/// of a method above.
fn grows(profile: &Profile, calls: &[u64], place: Place, steps: Steps) -> bool {
    let (number, moved) = (steps.number as f64, steps.moved as f64);
    if moved < SHORTEST * number {
        return false;
    }
    let parent =
        |&node: &u32| Some(profile.nodes.parent[node as usize]).filter(|&p| p != NO_PARENT);
    let above = std::iter::successors(Some(place.worker), parent);
    above.map(|node| calls[node as usize].max(1) as f64).any(|executions| {
        if number < FEWEST_STEPS * executions {
            return false;
        }
        let is_one = executions == 1.0;
        // What a step adds if the value grows from nothing.
        let step = 2.0 * executions * moved / (number * number);
        match (steps.added, place.maker.copied()) {
            (Some(added), _) => {
                let most = if is_one { MOST_RATIO } else { MOST_RATIO_OF_SEVERAL };
                (LEAST_RATIO..most).contains(&(step * number / added.max(1) as f64))
            }
            (None, Copied::Text) => (LEAST_STEP..LONGEST_STEP).contains(&step),
            (None, Copied::Array) => {
                let most = if is_one { STEP_OF_ARRAY } else { STEP_OF_ARRAY_OF_SEVERAL };
                (LEAST_STEP..most).contains(&step)
            }
        }
    })
}
