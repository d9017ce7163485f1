//! The document: a run of the command, its rules and its results.
//!
//! Of SARIF 2.1.0 it has what GitHub's code scanning asks for, and what else is known of a
//! finding. These few types are written out: `serde-sarif` generates all of the standard's.

use std::collections::BTreeMap;

use base::number::counted;
use serde::Serialize;
use serde_json::{Map, Value};
use tree::readable_names::printable;

use super::finding::{Finding, Level, Step};
use super::places::{Places, Position};
use super::rules::{JsonRule, Rule};
use super::text::Text;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// Stands for the root of the repository.
const ROOT: &str = "%SRCROOT%";
/// GitHub takes no more results of a run.
const MOST: usize = 25_000;
/// Nor more places of a way.
const MOST_STEPS: usize = 1_000;
/// Ways to a finding that are told.
const MOST_WAYS: usize = 3;
/// Notes of what is less than this part of all that was counted are left out: tables of
/// thousands of rows end with them.
const LEAST: f64 = 0.001;

#[derive(Debug, Serialize)]
pub struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool,
    /// Results of one command do not take the place of another one's.
    automation_details: Automation,
    invocations: [Invocation; 1],
    original_uri_base_ids: BTreeMap<&'static str, Base>,
    column_kind: &'static str,
    results: Vec<JsonResult<'a>>,
}

#[derive(Debug, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<JsonRule>,
}

#[derive(Debug, Serialize)]
struct Automation {
    id: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Debug, Serialize)]
struct Notification {
    level: Level,
    message: Text,
}

#[derive(Debug, Serialize)]
struct Base {
    description: Text,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonResult<'a> {
    rule_id: &'static str,
    rule_index: usize,
    level: Level,
    message: Text,
    locations: [Location; 1],
    partial_fingerprints: Fingerprints,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<CodeFlow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    /// The share in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<f64>,
    properties: &'a Map<String, Value>,
}

#[derive(Debug, Serialize)]
struct Fingerprints {
    #[serde(rename = "subsume/v1")]
    subsume: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    logical_locations: [LogicalLocation; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    uri_base_id: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
    kind: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeFlow {
    thread_flows: [ThreadFlow; 1],
}

#[derive(Debug, Serialize)]
struct ThreadFlow {
    locations: Vec<ThreadFlowLocation>,
}

#[derive(Debug, Serialize)]
struct ThreadFlowLocation {
    location: Location,
}

impl<'a> Log<'a> {
    /// What a command has found.
    pub fn new(command: &str, findings: &'a [Finding<'a>], places: &Places) -> Self {
        let fingerprints = fingerprints(findings);
        let is_worth_it = |finding: &Finding<'_>| {
            finding.level < Level::Note || finding.share.is_none_or(|share| share >= LEAST)
        };
        let mut told: Vec<(&Finding<'_>, String)> = findings.iter().zip(fingerprints).collect();
        told.retain(|(finding, _)| is_worth_it(finding));
        told.sort_by_key(|(finding, _)| finding.level);
        let worth_it = told.len();
        told.truncate(MOST);
        let left_out = |count: usize, why: &str| {
            let count = counted(count as u64, "finding");
            Notification {
                level: Level::Note,
                message: Text::new(format!("Left out: {count} {why}.")),
            }
        };
        let (little, more) = (findings.len() - worth_it, worth_it - told.len());
        let mut notifications = Vec::new();
        if little > 0 {
            notifications.push(left_out(little, "of less than 0.1 %"));
        }
        if more > 0 {
            notifications.push(left_out(more, "behind the first 25,000"));
        }
        let base = Base { description: Text::new("The root of the repository.") };
        let driver = Driver {
            name: "subsume",
            semantic_version: env!("CARGO_PKG_VERSION"),
            rules: Rule::ALL.map(JsonRule::new).into(),
        };
        let run = Run {
            tool: Tool { driver },
            automation_details: Automation { id: format!("subsume/{command}/") },
            invocations: [Invocation {
                execution_successful: true,
                tool_execution_notifications: notifications,
            }],
            original_uri_base_ids: BTreeMap::from([(ROOT, base)]),
            column_kind: "utf16CodeUnits",
            results: told.into_iter().map(|one| result(one, places)).collect(),
        };
        Self { schema: SCHEMA, version: "2.1.0", runs: [run] }
    }
}

fn result<'a>((finding, subsume): (&'a Finding<'a>, String), places: &Places) -> JsonResult<'a> {
    let shown = shown(finding, places);
    let is_elsewhere = !std::ptr::eq(shown, &raw const finding.place);
    let way = |way: &Vec<Step<'_>>| {
        let kept = &way[way.len().saturating_sub(MOST_STEPS)..];
        let steps = kept.iter().map(|step| ThreadFlowLocation { location: named(step, places) });
        CodeFlow { thread_flows: [ThreadFlow { locations: steps.collect() }] }
    };
    let ways = finding.ways.iter().filter(|way| !way.is_empty());
    JsonResult {
        rule_id: finding.rule.id(),
        rule_index: finding.rule.index(),
        level: finding.level,
        message: Text::new(printable(&finding.message)),
        locations: [location(shown, places)],
        partial_fingerprints: Fingerprints { subsume },
        code_flows: ways.take(MOST_WAYS).map(way).collect(),
        related_locations: is_elsewhere
            .then(|| named(&finding.place, places))
            .into_iter()
            .collect(),
        rank: finding.share.map(|share| (share * 1e4).round().clamp(0.0, 1e4) / 100.0),
        properties: &finding.figures,
    }
}

/// The step beside which a finding is shown: where it is, or where that is in none of the source
/// files, the nearest call that leads there from one of them.
fn shown<'f>(finding: &'f Finding<'f>, places: &Places) -> &'f Step<'f> {
    let is_found = |step: &&Step<'_>| places.position(step).is_found;
    if !places.has_sources() || is_found(&&finding.place) {
        return &finding.place;
    }
    let way = finding.ways.first().into_iter().flatten();
    way.rev().find(is_found).unwrap_or(&finding.place)
}

fn location(step: &Step<'_>, places: &Places) -> Location {
    let Position { uri, line, .. } = places.position(step);
    Location {
        physical_location: PhysicalLocation {
            artifact_location: ArtifactLocation { uri, uri_base_id: ROOT },
            region: Region { start_line: line },
        },
        logical_locations: [LogicalLocation {
            fully_qualified_name: printable(&step.method.qualified()).into_owned(),
            kind: "function",
        }],
        message: None,
    }
}

/// A location with the name of its method, as viewers show places of a way.
fn named(step: &Step<'_>, places: &Places) -> Location {
    let text = format!("{}{}", step.method.qualified(), step.text);
    Location { message: Some(Text::new(printable(&text))), ..location(step, places) }
}

/// What findings are known by in other versions of the program: their rules, their methods and
/// what they are in them, and of several the same in one method, which of them in the order of
/// the lines.
fn fingerprints(findings: &[Finding<'_>]) -> Vec<String> {
    let name = |finding: &Finding<'_>| {
        let Finding { rule, place, detail, .. } = finding;
        format!("{}|{}|{detail}", rule.id(), place.method.qualified())
    };
    let mut named: Vec<(String, u16, usize)> = findings
        .iter()
        .enumerate()
        .map(|(at, finding)| (name(finding), finding.place.line, at))
        .collect();
    named.sort();
    let mut fingerprints = vec![String::new(); findings.len()];
    for same in named.chunk_by(|(one, ..), (other, ..)| one == other) {
        for (number, (name, _, at)) in (1..).zip(same) {
            fingerprints[*at] = format!("{:016x}:{number}", hash(name));
        }
    }
    fingerprints
}

/// FNV-1a with 64 bits, which is the same in every version.
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use analysis::diagnosis::kind::Kind;
    use tree::names::method::Method;

    use super::*;

    fn finding(method: &Method, line: u16, level: Level, share: f64) -> Finding<'_> {
        Finding {
            rule: Rule::Waste(Kind::Reread),
            level,
            share: Some(share),
            message: "It reads again.".into(),
            place: Step::new(method, line),
            ways: Vec::new(),
            detail: "list".into(),
            figures: Map::new(),
        }
    }

    #[test]
    fn fingerprints_outlive_lines_and_tell_findings_apart() {
        let open = Method { class: "Till".into(), name: "open".into(), ..Method::default() };
        let of = |lines: [u16; 2]| {
            fingerprints(&lines.map(|line| finding(&open, line, Level::Warning, 1.0)))
        };
        let first = of([3, 9]);
        assert_ne!(first[0], first[1]);
        assert_eq!(first, of([103, 109]));
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c, "as the algorithm's authors have it");
    }

    #[test]
    fn the_most_important_comes_first_and_the_least_is_left_out() {
        let open = Method { class: "Till".into(), name: "open".into(), ..Method::default() };
        let findings = [
            finding(&open, 1, Level::Note, 0.0001),
            finding(&open, 2, Level::Note, 0.004),
            finding(&open, 3, Level::Error, 0.0001),
            finding(&open, 4, Level::Warning, 0.3),
        ];
        let places = Places::new([], None);
        let log = Log::new("loops", &findings, &places);
        let [run] = &log.runs;
        let told = run.results.iter();
        let told: Vec<(Level, usize)> = told
            .map(|one| (one.level, one.locations[0].physical_location.region.start_line))
            .collect();
        assert_eq!(told, [(Level::Error, 3), (Level::Warning, 4), (Level::Note, 2)]);
        let [Invocation { tool_execution_notifications: notes, .. }] = &run.invocations;
        assert_eq!(notes[0].message.text, "Left out: 1 finding of less than 0.1 %.");
        assert_eq!(run.results[1].rank, Some(30.0));
    }
}
