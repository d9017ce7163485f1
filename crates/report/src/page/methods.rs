//! The table of methods on a page, in columns.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::page::by_metric::{Columns, of_methods};
use crate::page::count::{Count, column};
use crate::page::digest::Digest;
use crate::page::grid_code::{Code, code};
use crate::page::listing::Listing;
use crate::page::results::{ResultOf, of_listed, superclasses};
use analysis::subsuming::threshold_grid::{PAIRS, SIDE};
use tree::names::method::Method;
use tree::owners::Owner;
use tree::readable_names::printable;

/// Sums of the metrics that are not analysed, by method: a column for each
/// metric, in the order of its name.
#[derive(Debug, Default)]
pub struct OtherMetrics {
    /// Names of the metrics.
    pub names: Vec<String>,
    /// Exclusive costs of each method, in the order of the names.
    pub sums: FxHashMap<Method, Vec<u64>>,
}

/// The columns. A position in them is the number by which the page knows a
/// method.
#[derive(Debug, Serialize)]
pub struct Methods {
    classes: Vec<String>,
    descriptors: Vec<String>,
    /// Whose each class is, a letter for each: own, a library's, the platform's.
    owners: String,
    /// Of each class the one above it, -1 if none is listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    supers: Option<Vec<i64>>,
    /// What methods return, where that was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    results: Option<BTreeMap<u32, ResultOf>>,
    class: Vec<u32>,
    name: Vec<String>,
    descriptor: Vec<u32>,
    /// What to add to names that several methods have.
    parameters: BTreeMap<u32, String>,
    exclusive: Vec<Count>,
    inclusive: Vec<Count>,
    calls: Option<Vec<Count>>,
    contexts: Vec<Count>,
    height: Vec<u32>,
    distance: Vec<Option<u32>>,
    /// -1 is the virtual root, -2 a method that is not listed.
    dominator: Vec<Option<i64>>,
    other: BTreeMap<String, Vec<Count>>,
    /// Inclusive and exclusive cost by other metrics.
    metrics: Columns,
    callers: Vec<u32>,
    callees: Vec<u32>,
    /// Cost of the outermost contexts themselves, where it is not the exclusive
    /// cost.
    own: BTreeMap<u32, Count>,
    grid: Vec<Code>,
    root: Vec<Count>,
    rest: Rest,
}

/// The methods that are not listed, taken together.
#[derive(Debug, Serialize)]
struct Rest {
    methods: usize,
    contexts: Count,
    exclusive: Count,
    calls: Option<Count>,
    largest_inclusive: Count,
    /// By pair of thresholds.
    induced: Vec<Count>,
    subsuming: Vec<u32>,
}

/// As the page knows it.
fn letter(owner: Owner) -> char {
    match owner {
        Owner::Own => 'o',
        Owner::Library => 'l',
        Owner::Platform => 'p',
    }
}

/// Numbers texts in the order in which they are first asked for.
#[derive(Default)]
struct Texts {
    numbers: FxHashMap<String, u32>,
    texts: Vec<String>,
}

impl Texts {
    fn number(&mut self, text: &str) -> u32 {
        let text = printable(text);
        if let Some(&number) = self.numbers.get(text.as_ref()) {
            return number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(text.clone().into_owned());
        self.numbers.insert(text.into_owned(), number);
        number
    }
}

impl Methods {
    /// The columns of the methods listed.
    pub fn new(digest: &Digest, other: &OtherMetrics, listing: &Listing<'_>) -> Self {
        let listed = || listing.listed.iter().map(|&method| method as usize);
        let costs = || listed().map(|method| &digest.costs[method]);
        let characteristics = || listed().map(|method| &digest.characteristics[method]);
        let (mut classes, mut descriptors) = (Texts::default(), Texts::default());
        let class: Vec<u32> = listed().map(|m| classes.number(&digest.methods[m].class)).collect();
        // By their own names: those on the page are made printable.
        let mut named = vec![""; classes.texts.len()];
        for (&class, method) in class.iter().zip(listed()) {
            named[class as usize] = &digest.methods[method].class;
        }
        let descriptor =
            listed().map(|m| descriptors.number(&digest.methods[m].descriptor)).collect();
        let suffixes = (0..).zip(listed()).filter(|&(_, m)| !digest.suffixes[m].is_empty());
        let own = (0..).zip(listed()).filter_map(|(number, method)| {
            let own = digest.neighbours.own[method];
            (own != digest.costs[method].exclusive).then_some((number, Count(own)))
        });
        let (callers, callees) = degrees(digest);
        Self {
            owners: named.iter().map(|class| letter(digest.owners.owner(class))).collect(),
            supers: superclasses(&named, &digest.superclasses),
            results: of_listed(&digest.results, listing),
            class,
            descriptor,
            name: listed().map(|m| printable(&digest.methods[m].name).into_owned()).collect(),
            parameters: suffixes.map(|(at, m)| (at, digest.suffixes[m].clone())).collect(),
            exclusive: column(costs().map(|costs| costs.exclusive)),
            inclusive: column(costs().map(|costs| costs.inclusive)),
            calls: costs()
                .map(|costs| costs.calls.map(Count))
                .collect::<Option<_>>()
                .filter(|_| digest.has_calls),
            contexts: column(costs().map(|costs| costs.contexts)),
            height: characteristics().map(|c| c.height).collect(),
            distance: characteristics().map(|c| c.dominated.map(|d| d.distance)).collect(),
            dominator: characteristics()
                .map(|c| {
                    c.dominated.map(|d| match d.by {
                        None => -1,
                        Some(method) => listing.number(method).map_or(-2, i64::from),
                    })
                })
                .collect(),
            other: other_columns(digest, other, listing),
            metrics: of_methods(&digest.by_metric, listing),
            callers: listed().map(|m| callers[m]).collect(),
            callees: listed().map(|m| callees[m]).collect(),
            own: own.collect(),
            grid: listed()
                .map(|m| code(digest.grid.reach[m], digest.grid.induced[m].as_deref()))
                .collect(),
            root: column(digest.grid.virtual_root),
            rest: Rest::new(digest, listing),
            classes: classes.texts,
            descriptors: descriptors.texts,
        }
    }
}

fn other_columns(
    digest: &Digest,
    other: &OtherMetrics,
    listing: &Listing<'_>,
) -> BTreeMap<String, Vec<Count>> {
    let columns = other.names.iter().enumerate().map(|(at, name)| {
        let of_method = |&method: &u32| {
            let sums = other.sums.get(&digest.methods[method as usize]);
            Count(sums.map_or(0, |sums| sums[at]))
        };
        (name.clone(), listing.listed.iter().map(of_method).collect())
    });
    columns.collect()
}

/// How many callers and callees each method has.
fn degrees(digest: &Digest) -> (Vec<u32>, Vec<u32>) {
    let mut callers = vec![0; digest.methods.len()];
    let mut callees = callers.clone();
    for edge in &digest.neighbours.edges {
        let Some(caller) = edge.caller else { continue };
        callers[edge.callee as usize] += u32::from(edge.of_callee.contexts > 0);
        callees[caller as usize] += u32::from(edge.of_caller.contexts > 0);
    }
    (callers, callees)
}

impl Rest {
    fn new(digest: &Digest, listing: &Listing<'_>) -> Self {
        let methods = || listing.left_out.iter().map(|&method| method as usize);
        let costs = || methods().map(|method| &digest.costs[method]);
        let mut induced = [0u64; PAIRS];
        let mut subsuming = [0u32; PAIRS];
        for method in methods() {
            let Some(of_method) = &digest.grid.induced[method] else { continue };
            let reach = digest.grid.reach[method];
            for pair in (0..PAIRS).filter(|pair| reach.covers(pair / SIDE, pair % SIDE)) {
                induced[pair] += of_method[pair];
                subsuming[pair] += 1;
            }
        }
        let calls = digest.has_calls.then(|| Count(costs().filter_map(|c| c.calls).sum()));
        Self {
            methods: listing.left_out.len(),
            contexts: Count(costs().map(|c| c.contexts).sum()),
            exclusive: Count(costs().map(|c| c.exclusive).sum()),
            calls,
            largest_inclusive: Count(costs().map(|c| c.inclusive).max().unwrap_or(0)),
            induced: column(induced),
            subsuming: subsuming.to_vec(),
        }
    }
}
