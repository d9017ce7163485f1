//! The history of a fleet as JSON, for programs and for the page.

use fleet::labels::Labels;
use fleet::spread::Spread;
use serde::Serialize;
use serde_json::Value;
use tree::names::method::{Method, VIRTUAL_ROOT};

use super::{Answer, Args, OfVersion, TOP};
use crate::cli::fleet::gate::Group;
use crate::cli::history::steps::{Explained, Row, Step};
use crate::cli::json::{Name, difference};

/// The answer.
#[derive(Serialize)]
pub struct Document<'a> {
    program: &'a str,
    by: &'a str,
    metric: &'a str,
    runs: usize,
    /// The costs are samples.
    sampled: bool,
    versions: Vec<OneVersion<'a>>,
    methods: Vec<Changed<'a>>,
    /// Methods that `--top` has left out.
    more: usize,
    costs: Vec<Costs<'a>>,
    costs_more: usize,
    outliers: Vec<Apart<'a>>,
    left_out: Vec<LeftOut<'a>>,
}

/// What `report/view/fleet_page.js` shows.
#[derive(Serialize)]
pub struct Page<'a> {
    fleet: bool,
    generator: &'static str,
    /// Milliseconds since 1970.
    created: u64,
    #[serde(flatten)]
    document: Document<'a>,
}

#[derive(Serialize)]
struct OneVersion<'a> {
    name: &'a str,
    /// Start of its first run in milliseconds since 1970, null if unknown.
    start_millis: Option<i64>,
    total: Group,
    /// What the version changed by run; null of the first one, and where it is not
    /// explained.
    change: Option<Change>,
    /// Why it is not.
    unexplained: Option<&'a str>,
}

#[derive(Serialize)]
struct Change {
    by_changed_code: Value,
    changed_methods: usize,
    by_data: Value,
    below: Value,
}

#[derive(Serialize)]
struct Changed<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    /// Whose it is; null of the virtual root.
    owner: Option<&'static str>,
    changes: Vec<Explanation<'a>>,
}

#[derive(Serialize)]
struct Explanation<'a> {
    version: &'a str,
    difference: Value,
    code: &'static str,
    /// Where most of it is; null if unknown.
    mostly: Option<Mostly<'a>>,
}

#[derive(Serialize)]
struct Mostly<'a> {
    /// Null if it is the method itself.
    callee: Option<Name<'a>>,
    calls_before: u64,
    calls_after: u64,
}

#[derive(Serialize)]
struct Costs<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    /// Whose it is.
    owner: &'static str,
    versions: Vec<Group>,
}

#[derive(Serialize)]
struct Apart<'a> {
    version: &'a str,
    key: &'a str,
    value: &'a str,
    with: Group,
    without: Group,
    share: f64,
    /// Null if none differs.
    method: Option<Differing<'a>>,
}

#[derive(Serialize)]
struct Differing<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    /// Whose it is.
    owner: &'static str,
    difference: f64,
}

#[derive(Serialize)]
struct LeftOut<'a> {
    run: &'a str,
    labels: &'a Labels,
    reason: &'a str,
}

impl<'a> Document<'a> {
    /// Of this answer, with as many methods as are asked for.
    pub fn of(args: &'a Args, answer: &'a Answer) -> Self {
        let Answer { versions, rows, costs, .. } = answer;
        let most = |rows: usize| match args.output.json {
            true => args.output.entries(TOP).min(rows),
            false => args.output.top(TOP).min(rows),
        };
        let (shown, costs_shown) = (most(rows.len()), most(costs.methods.len()));
        let name = |at: usize| versions[at].name.as_str();
        let of_versions = versions.iter().zip(&costs.totals).enumerate();
        let method = |(method, spreads): &'a (Method, Vec<Spread>)| Costs {
            name: Name::new(method),
            owner: answer.owner(method),
            versions: spreads.iter().copied().map(Group::of).collect(),
        };
        let left_out = |(run, reason): &'a (fleet::run::Run, String)| LeftOut {
            run: &run.id,
            labels: &run.labels,
            reason,
        };
        Self {
            program: &versions[0].runs[0].program,
            by: &args.by,
            metric: &costs.metric,
            runs: answer.runs,
            sampled: answer.sampled,
            versions: of_versions
                .map(|(at, (version, &total))| {
                    let step = at.checked_sub(1).map(|at| &answer.steps[at]);
                    OneVersion {
                        name: &version.name,
                        start_millis: Some(version.start_millis()).filter(|&start| start > 0),
                        total: Group::of(total),
                        change: step.and_then(|step| step.as_ref().ok()).map(change),
                        unexplained: step.and_then(|step| step.as_ref().err()).map(String::as_str),
                    }
                })
                .collect(),
            methods: rows[..shown].iter().map(|row| changed(row, answer, &name)).collect(),
            more: rows.len() - shown,
            costs: costs.methods[..costs_shown].iter().map(method).collect(),
            costs_more: costs.methods.len() - costs_shown,
            outliers: answer.outliers.iter().map(|found| apart(found, answer, &name)).collect(),
            left_out: answer.left_out.iter().map(left_out).collect(),
        }
    }
}

impl<'a> Page<'a> {
    /// The page of a document, made at this time.
    pub fn of(document: Document<'a>, created: u64) -> Self {
        let generator = concat!("subsume ", env!("CARGO_PKG_VERSION"));
        Self { fleet: true, generator, created, document }
    }
}

fn change(step: &Step) -> Change {
    Change {
        by_changed_code: difference(step.by_changed_code),
        changed_methods: step.changed,
        by_data: difference(step.by_data),
        below: difference(step.below),
    }
}

fn changed<'a>(row: &'a Row, answer: &Answer, name: &impl Fn(usize) -> &'a str) -> Changed<'a> {
    let explanation = |(&at, explained): (&usize, &'a Explained)| Explanation {
        version: name(at),
        difference: difference(explained.difference),
        code: explained.change.map_or("same", |change| change.name()),
        mostly: explained.mostly.as_ref().map(|mostly| Mostly {
            callee: mostly.callee.as_ref().map(Name::new),
            calls_before: mostly.calls[0],
            calls_after: mostly.calls[1],
        }),
    };
    let of_method = match &row.method {
        Some(method) => Name::new(method),
        None => Name { class: "", name: VIRTUAL_ROOT, descriptor: "" },
    };
    let owner = row.method.as_ref().map(|method| answer.owner(method));
    Changed { name: of_method, owner, changes: row.steps.iter().map(explanation).collect() }
}

fn apart<'a>(found: &'a OfVersion, answer: &Answer, name: &impl Fn(usize) -> &'a str) -> Apart<'a> {
    let OfVersion { version, outlier, method } = found;
    Apart {
        version: name(*version),
        key: &outlier.key,
        value: &outlier.value,
        with: Group::of(outlier.with),
        without: Group::of(outlier.without),
        share: outlier.share(),
        method: method.as_ref().map(|(method, difference)| Differing {
            name: Name::new(method),
            owner: answer.owner(method),
            difference: *difference,
        }),
    }
}
