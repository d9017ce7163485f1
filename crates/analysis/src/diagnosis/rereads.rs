//! Evidence of a recording of loops: iterations that read what the one before has read.

use std::cmp::Reverse;

use base::number::counted;
use profile::dataflow::{Objects, Place, SimilarRead};
use profile::{MethodId, Profile};
use tree::error::Result;
use tree::names::method::Method;
use tree::owners::Owner;

use super::evidence::{Evidence, Recording, Sure};
use super::kind::Kind;
use super::program::Program;
use super::region::Region;
use crate::dataflow::loops::clusters::{Cluster, cluster, mean_ratio};
use crate::dataflow::loops::explanation::{Hint, hint_of, sentence};
use crate::dataflow::loops::unite;
use crate::dataflow::name::{Contexts, Naming};

/// A call is for the sake of what reads if that has this part of its cost.
const GOOD_PART: f64 = 0.1;
/// A callee has nearly all of a cost with this part of it.
const NEARLY_ALL: f64 = 0.9;
/// Classes of the JDK that read their own tables: compiled patterns, properties of characters.
const TABLES: [&str; 4] =
    ["java.util.regex.", "java.lang.CharacterData", "java.math.", "java.util.Formatter"];

/// What a recording of loops says.
///
/// # Errors
/// If the profile has no loops.
pub fn evidence(program: &Program<'_>, profiles: &[(String, Profile)]) -> Result<Vec<Evidence>> {
    let found = unite(profiles)?;
    let objects = Objects::default();
    let naming = Naming::new(&found.methods, &objects, Contexts::Receiver);
    let mut clusters = cluster(&found.loops);
    clusters.retain(|one| !one.is_rare());
    let evidence = clusters.iter().filter_map(|one| of_loop(program, one, &found.methods, &naming));
    Ok(together(evidence.collect()))
}

/// A loop with what its iterations call for the sake of what is read again.
struct OfLoop {
    evidence: Evidence,
    /// The callee with most of that, and what reads.
    callee: (u32, Place),
}

/// Loops that call one method, which reads the same again for all of them, are one cause; the
/// one with most of it tells of it.
fn together(mut loops: Vec<OfLoop>) -> Vec<Evidence> {
    loops.sort_by_key(|one| Reverse(one.evidence.saving));
    let mut found: Vec<(OfLoop, usize)> = Vec::new();
    for one in loops {
        match found.iter_mut().find(|(known, _)| known.callee == one.callee) {
            Some((known, others)) => {
                let evidence = &mut known.evidence;
                evidence.region = evidence.region.union(&one.evidence.region);
                evidence.saving = evidence.saving.saturating_add(one.evidence.saving);
                evidence.likely = evidence.saving;
                *others += 1;
            }
            None => found.push((one, 0)),
        }
    }
    let told = found.into_iter().map(|(one, others)| {
        let mut evidence = one.evidence;
        if others > 0 {
            evidence.sentence += &format!("; so in {}", counted(others as u64, "more loop"));
        }
        evidence
    });
    told.collect()
}

/// What one loop reads again, with what that costs.
fn of_loop(
    program: &Program<'_>,
    cluster: &Cluster,
    methods: &[Method],
    naming: &Naming<'_>,
) -> Option<OfLoop> {
    let method_of = |place: &Place| {
        let MethodId(number) = place.method?;
        program.number(methods.get(number as usize)?)
    };
    let method = method_of(&cluster.place)?;
    let first = cluster.similar.iter().find(|read| is_data(read, methods))?;
    let hint = hint_of(cluster, first, methods);
    if hint == Hint::Unknown {
        return None;
    }
    let mut region = Region::default();
    let mut saving = 0.0f64;
    for at in all_contexts(program, method) {
        let mut of_context = Region::default();
        let mut part = 0.0f64;
        for read in cluster.similar.iter().filter(|read| is_data(read, methods)) {
            // The calls from the loop to what reads; the first place of the path is in the loop.
            let way = read.path.iter().skip(1).chain([&read.place]).map(method_of);
            let Some(way) = way.collect::<Option<Vec<u32>>>() else { continue };
            let found = match read.path.is_empty() {
                true => Region::new(vec![at..at + 1]),
                false => readers(program, at, &way),
            };
            if !found.ranges().is_empty() {
                part = part.max(part_read_again(cluster, read));
                of_context = of_context.union(&found);
            }
        }
        let explained = explained(program, at, &of_context);
        let known = program.cost(&region.intersection(&explained));
        saving += part * program.cost(&explained).saturating_sub(known) as f64;
        region = region.union(&explained);
    }
    let starts: Vec<u32> = region.ranges().iter().map(|range| range.start).collect();
    let first_callee = program.costliest(&starts)?;
    let node = deepest(program, first_callee);
    let evidence = Evidence {
        kind: Kind::Reread,
        recording: Recording::Loops,
        method,
        line: cluster.place.line,
        node: Some(node),
        sentence: sentence(cluster, first, &naming.place(first.place)),
        hint: Some(hint.text()),
        region,
        saving: saving as u64,
        likely: saving as u64,
        sure: Sure::Estimate,
        command: vec!["loops".to_owned()],
    };
    // What a loop's own method reads has no callee in common with others.
    let callee = (program.tree.method[first_callee as usize], first.place);
    Some(OfLoop { evidence, callee })
}

/// The last one of a chain of calls of the program that each have nearly all of the cost.
fn deepest(program: &Program<'_>, node: u32) -> u32 {
    let mut last = node;
    let mut at = node;
    loop {
        let callees: Vec<u32> = program.callees(at).collect();
        let Some(callee) = program.costliest(&callees) else { return last };
        if (program.inclusive(callee) as f64) < NEARLY_ALL * program.inclusive(node) as f64 {
            return last;
        }
        at = callee;
        if program.owner(callee) != Owner::Platform {
            last = callee;
        }
    }
}

/// All contexts of a method, also those within its own.
fn all_contexts(program: &Program<'_>, method: u32) -> Vec<u32> {
    let nodes = (0..).zip(&program.tree.method);
    nodes.filter(|&(_, &of)| of == method).map(|(node, _)| node).collect()
}

/// The part of the iterations' reads that repeats the iteration before.
fn part_read_again(cluster: &Cluster, read: &SimilarRead) -> f64 {
    let of = |part: u64, all: u64| part as f64 / all.max(1) as f64;
    let iterations = of(read.similar, cluster.iterations).min(1.0);
    iterations * mean_ratio(read).min(1.0) * of(cluster.reported, cluster.judged).min(1.0)
}

/// What reads below a context, by way of these calls.
fn readers(program: &Program<'_>, from: u32, way: &[u32]) -> Region {
    let (Some(&first), Some(&last)) = (way.first(), way.last()) else { return Region::default() };
    let of = |node: u32| program.tree.method[node as usize];
    let callees = program.callees(from).filter(|&node| of(node) == first);
    let mut found = Vec::new();
    for callee in callees {
        let range = program.subtree(callee);
        found.extend(range.filter(|&node| of(node) == last).map(|node| program.subtree(node)));
    }
    Region::new(found)
}

/// The highest calls below a context of whose cost what reads has a good part: they do what
/// they do for the sake of it.
fn explained(program: &Program<'_>, at: u32, readers: &Region) -> Region {
    let mut ranges = Vec::new();
    let mut open: Vec<u32> = program.callees(at).collect();
    // What the loop's own method reads is its own work.
    ranges.extend(readers.ranges().iter().filter(|range| range.start == at).map(|_| at..at + 1));
    while let Some(node) = open.pop() {
        let subtree = Region::new(vec![program.subtree(node)]);
        let read = program.cost(&readers.intersection(&subtree));
        if read == 0 {
            continue;
        }
        if read as f64 >= GOOD_PART * program.cost(&subtree) as f64 {
            ranges.push(program.subtree(node));
        } else {
            open.extend(program.callees(node));
        }
    }
    Region::new(ranges)
}

/// Whether what is read is data of the program. A pattern that is matched, and tables of
/// characters, are read again whatever the program does.
fn is_data(read: &SimilarRead, methods: &[Method]) -> bool {
    let method = read.place.method.and_then(|MethodId(at)| methods.get(at as usize));
    let is_table = |method: &Method| TABLES.iter().any(|class| method.class.starts_with(class));
    !method.is_some_and(is_table)
}
