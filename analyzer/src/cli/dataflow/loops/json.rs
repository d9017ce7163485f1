//! Loops as JSON.

use analysis::dataflow::loops::clusters::{Cluster, mean_ratio};
use analysis::dataflow::loops::explanation::{hint, sentence};
use profile::dataflow::{LoopTotals, Place, SimilarRead};
use serde::Serialize;
use tree::owners::Owner;

use super::Answer;
use crate::cli::dataflow::names::JsonPlace;

#[derive(Serialize)]
pub struct Document<'a> {
    wasted: u64,
    loops: Vec<JsonLoop<'a>>,
    /// Entries that `--top` has left out.
    more: usize,
    /// Loops that were left out because this may be chance, without `--all`.
    rare: usize,
    /// Values read in loops that are judged, but for their own data.
    reads: u64,
    left_out: LeftOut,
}

/// What was not looked at.
#[derive(Serialize)]
struct LeftOut {
    /// Reads without memory.
    lost: u64,
    /// Reads in more than 16 loops.
    deep: u64,
    /// Writes without memory.
    forgotten: u64,
    /// Elements of large copied arrays.
    uncopied: u64,
    /// Cycles that are no natural loops.
    irreducible: u64,
    /// Loops in their contexts that were not judged to the end.
    exhausted: u64,
    /// Their iterations that were not.
    unjudged: u64,
}

#[derive(Serialize)]
pub struct JsonLoop<'a> {
    #[serde(flatten)]
    place: JsonPlace<'a>,
    /// Whose it is; null if the JVM does it.
    owner: Option<&'static str>,
    verdict: &'static str,
    /// How much of what it reads it has read before in the same places, and for nothing new.
    share: f64,
    places: &'static str,
    wasted: u64,
    reads: u64,
    instances: u64,
    judged: u64,
    reported: u64,
    iterations: u64,
    /// Iterations that were not judged.
    unjudged: u64,
    sentence: String,
    hint: &'static str,
    paths: Vec<JsonPath<'a>>,
    similar: Vec<JsonRead<'a>>,
    /// Instructions that read similar values beside.
    others: u64,
}

#[derive(Serialize)]
struct JsonPath<'a> {
    wasted: u64,
    /// The nearest of the calls that is in one's own code; null without.
    own: Option<JsonPlace<'a>>,
    /// The thread's first method first.
    calls: Vec<JsonPlace<'a>>,
}

#[derive(Serialize)]
struct JsonRead<'a> {
    #[serde(flatten)]
    place: JsonPlace<'a>,
    what: &'a str,
    /// The calls from the loop to its method.
    calls: Vec<JsonPlace<'a>>,
    reported: u64,
    same_places: u64,
    sequences: u64,
    similar: u64,
    mean_ratio: f64,
    reads: u64,
    wasted: u64,
    truncated: u64,
}

pub fn document<'a>(answer: &'a Answer<'a>) -> Document<'a> {
    let LoopTotals { reads, lost, deep, forgotten, uncopied, .. } = answer.found.totals;
    let LoopTotals { irreducible, exhausted, unjudged, .. } = answer.found.totals;
    Document {
        wasted: answer.wasted,
        loops: answer.clusters.iter().map(|cluster| json_loop(answer, cluster)).collect(),
        more: answer.more,
        rare: answer.rare,
        reads,
        left_out: LeftOut { lost, deep, forgotten, uncopied, irreducible, exhausted, unjudged },
    }
}

pub fn json_loop<'a>(answer: &'a Answer<'a>, cluster: &'a Cluster) -> JsonLoop<'a> {
    let naming = answer.naming;
    let places = |path: &[Place]| path.iter().map(|&at| JsonPlace::new(naming, at)).collect();
    let read = |read: &'a SimilarRead| JsonRead {
        place: JsonPlace::new(naming, read.place),
        what: &read.what,
        calls: places(&read.path),
        reported: read.reported,
        same_places: read.same_places,
        sequences: read.sequences,
        similar: read.similar,
        mean_ratio: mean_ratio(read),
        reads: read.reads,
        wasted: read.wasted,
        truncated: read.truncated,
    };
    let own = |path: &[Place]| {
        let at = answer.found.own_caller(path)?;
        Some(JsonPlace::new(naming, path[path.len() - 1 - at]))
    };
    let first = cluster.similar.first();
    let sentence =
        first.map(|read| sentence(cluster, read, &naming.place(read.place))).unwrap_or_default();
    JsonLoop {
        place: JsonPlace::new(naming, cluster.place),
        owner: answer.found.owner(cluster.place).map(Owner::word),
        verdict: cluster.verdict().word(),
        share: cluster.share(),
        places: cluster.places().words(),
        wasted: cluster.wasted,
        reads: cluster.reads,
        instances: cluster.instances,
        judged: cluster.judged,
        reported: cluster.reported,
        iterations: cluster.iterations,
        unjudged: cluster.unjudged,
        sentence,
        hint: hint(cluster, naming.methods()).text(),
        paths: cluster
            .paths
            .iter()
            .map(|(path, wasted)| JsonPath { wasted: *wasted, own: own(path), calls: places(path) })
            .collect(),
        similar: cluster.similar.iter().map(read).collect(),
        others: cluster.others,
    }
}
