//! Evidence of a recording of loops: iterations that read what the one before has read.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use base::number::counted;
use profile::dataflow::{Objects, Place, SimilarRead};
use profile::{MethodId, Profile};
use tree::error::Result;
use tree::names::method::Method;
use tree::owners::{OwnCode, Owner};
use tree::views::for_whom::{Whom, nearest};

use super::evidence::{Evidence, Recording, Sure};
use super::kind::Kind;
use super::program::Program;
use super::region::Region;
use crate::dataflow::loops::clusters::{Cluster, cluster, mean_ratio};
use crate::dataflow::loops::explanation::{Hint, compares_pairs, hint_of, sentence};
use crate::dataflow::loops::unite;
use crate::dataflow::name::{Contexts, Naming};

/// A call is for the sake of what reads if that has this part of its cost.
const GOOD_PART: f64 = 0.1;
/// Methods of maps and sets of the JDK that go to an entry by its key.
const LOOK_UPS: [&str; 5] = ["getNode", "getEntry", "getTreeNode", "probe", "find"];
/// Loops that have this part of both costs in common are around the same calls.
const SAME_CALLS: f64 = 0.9;
/// A callee has nearly all of a cost with this part of it.
const NEARLY_ALL: f64 = 0.9;
/// What is read again counts, beside much else that a loop reads, from this part of it on.
const NEARLY_WHOLE: f64 = 0.98;
/// And so many values for each iteration.
const LONG: u64 = 100;
/// A loop reads mostly the same again from this part of its reads on.
const MOSTLY: f64 = 0.7;
/// Classes of the JDK that read their own tables: compiled patterns, properties of characters.
const TABLES: [&str; 4] =
    ["java.util.regex.", "java.lang.CharacterData", "java.math.", "java.util.Formatter"];

/// What a recording of loops, or of growth, says.
///
/// # Errors
/// If the profile has no loops.
pub fn evidence(
    program: &Program<'_>,
    recording: Recording,
    profiles: &[(String, Profile)],
) -> Result<Vec<Evidence>> {
    // Whose code methods are, the tree knows.
    let found = unite(profiles, &OwnCode::default())?;
    let objects = Objects::default();
    let naming = Naming::new(&found.methods, &objects, Contexts::Receiver);
    let mut clusters = cluster(&found.loops);
    clusters.retain(|one| !one.is_rare());
    let whom = nearest(program.tree, &program.is_platform);
    let evidence = clusters
        .iter()
        .flat_map(|one| of_loop(program, &whom, recording, one, &found.methods, &naming));
    Ok(together(program, evidence.collect()))
}

/// A loop with what its iterations call for the sake of what is read again.
struct OfLoop {
    evidence: Evidence,
    /// What it calls for that.
    callee: Callee,
    /// Iterations that were judged.
    iterations: u64,
}

/// What a loop calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Callee {
    /// A method of the program, or the loop's own method where nothing is called.
    Program(u32),
    /// The JDK, which many call for many reasons: for this one.
    Platform(Whom),
}

/// Loops that call one method, which reads the same again for all of them, are one cause; the
/// one that has most tells of it. Of loops around the same calls the innermost one does, unless
/// it has little of it.
fn together(program: &Program<'_>, mut loops: Vec<OfLoop>) -> Vec<Evidence> {
    loops.sort_by_key(|one| Reverse(one.evidence.saving));
    let mut found: Vec<(OfLoop, usize)> = Vec::new();
    for one in loops {
        let cost = |region: &Region| program.cost(region) as f64;
        let of_one = cost(&one.evidence.region).max(1.0);
        let common =
            |known: &OfLoop| cost(&known.evidence.region.intersection(&one.evidence.region));
        let around_same =
            |known: &OfLoop| common(known) >= SAME_CALLS * cost(&known.evidence.region).max(of_one);
        if let Some((known, _)) = found.iter_mut().find(|(known, _)| around_same(known)) {
            if one.iterations > known.iterations && one.evidence.saving >= known.evidence.saving / 2
            {
                *known = one;
            }
            continue;
        }
        let of_same = found.iter_mut().find(|(known, _)| known.callee == one.callee);
        let Some((known, others)) = of_same else {
            found.push((one, 0));
            continue;
        };
        let new = 1.0 - (common(known) / of_one).min(1.0);
        let evidence = &mut known.evidence;
        evidence.saving += (one.evidence.saving as f64 * new) as u64;
        evidence.likely = evidence.saving;
        evidence.region = evidence.region.union(&one.evidence.region);
        *others += 1;
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

/// What one loop reads again, with what that costs: of each method that its iterations call for
/// the sake of that by itself.
fn of_loop(
    program: &Program<'_>,
    whom: &[Whom],
    recording: Recording,
    cluster: &Cluster,
    methods: &[Method],
    naming: &Naming<'_>,
) -> Vec<OfLoop> {
    let method_of = |place: &Place| {
        let MethodId(number) = place.method?;
        program.number(methods.get(number as usize)?)
    };
    let Some(method) = method_of(&cluster.place) else { return Vec::new() };
    let is_mostly_again = share_in_same_places(cluster) >= MOSTLY;
    let reads: Vec<(&SimilarRead, Vec<u32>)> = cluster
        .similar
        .iter()
        .filter(|read| {
            let is_told = hint_of(cluster, read, methods) != Hint::Unknown;
            let is_waste = is_told || is_long_way(read) || is_mostly_again && is_called(read);
            is_data(read, methods) && is_waste && !compares_pairs(cluster, read, methods)
        })
        .filter_map(|read| {
            // The calls from the loop to what reads; the first place of the path is in the loop.
            let way = read.path.iter().skip(1).chain([&read.place]).map(method_of);
            Some((read, way.collect::<Option<Vec<u32>>>()?))
        })
        .collect();
    let mut by_callee: BTreeMap<Callee, ByCallee<'_>> = BTreeMap::new();
    for at in program.all_contexts(method) {
        let found: Vec<(&SimilarRead, Region)> = reads
            .iter()
            .map(|(read, way)| match read.path.is_empty() {
                true => (*read, Region::of(at..at + 1)),
                false => (*read, readers(program, at, way)),
            })
            .collect();
        let all = found.iter().fold(Region::default(), |all, (_, region)| all.union(region));
        for range in explained(program, at, &all).ranges() {
            let here = Region::of(range.clone());
            let is_here =
                |one: &&(&SimilarRead, Region)| !one.1.intersection(&here).ranges().is_empty();
            // Those that waste most come first.
            let mut reads = found.iter().filter(is_here).map(|(read, _)| *read).peekable();
            let Some(&first) = reads.peek() else { continue };
            let part = reads.map(|read| part_read_again(cluster, read)).fold(0.0, f64::max);
            let callee = program.tree.method[range.start as usize];
            let callee = match program.is_platform[callee as usize] {
                true => Callee::Platform(whom[range.start as usize]),
                false => Callee::Program(callee),
            };
            let of = by_callee.entry(callee).or_insert_with(|| ByCallee {
                read: first,
                region: Region::default(),
                saving: 0.0,
            });
            if first.wasted > of.read.wasted {
                of.read = first;
            }
            // Contexts within one another count once.
            let known = program.cost(&of.region.intersection(&here));
            of.saving += part * program.cost(&here).saturating_sub(known) as f64;
            of.region = of.region.union(&here);
        }
    }
    let told = by_callee.into_iter().filter_map(|(callee, of)| {
        let starts: Vec<u32> = of.region.ranges().iter().map(|range| range.start).collect();
        let node = deepest(program, program.costliest(&starts)?);
        let evidence = Evidence {
            kind: Kind::Reread,
            recording,
            method,
            line: cluster.place.line,
            node: Some(node),
            sentence: sentence(cluster, of.read, &naming.place(of.read.place)),
            hint: match hint_of(cluster, of.read, methods) {
                // The loop reads other things, too, but this is read again as a whole.
                Hint::Unknown => Some(Hint::Keep.text()),
                hint => Some(hint.text()),
            },
            region: of.region,
            saving: of.saving as u64,
            likely: of.saving as u64,
            moved: 0,
            sure: Sure::Estimate,
            command: vec!["loops".to_owned()],
        };
        Some(OfLoop { evidence, callee, iterations: cluster.iterations })
    });
    told.collect()
}

/// What a loop calls one method for.
struct ByCallee<'c> {
    /// What reads most of that again.
    read: &'c SimilarRead,
    region: Region,
    saving: f64,
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

/// Whether nearly all iterations have a callee go through many values, and nearly all of them
/// again: more than a small table.
fn is_long_way(read: &SimilarRead) -> bool {
    !read.path.is_empty()
        && read.reads >= LONG.saturating_mul(read.sequences)
        && mean_ratio(read) >= NEARLY_WHOLE
        && read.similar as f64 >= NEARLY_WHOLE * read.sequences as f64
}

/// Whether callees read it, and all the time in the same places. Iterations may give the loops
/// within something new, as a page does that shows another customer in each: that changes
/// little of what callees do, unlike a loop that compares all pairs itself.
fn is_called(read: &SimilarRead) -> bool {
    !read.path.is_empty() && read.same_places == read.reported
}

/// How much of what a loop reads it has read before in the same places, be it for something new.
fn share_in_same_places(cluster: &Cluster) -> f64 {
    let again = cluster
        .similar
        .iter()
        .map(|read| read.reads as f64 * read.same_places as f64 / read.reported.max(1) as f64);
    again.sum::<f64>() / cluster.reads.max(1) as f64
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
        let subtree = Region::of(program.subtree(node));
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

/// Whether what is read is data of the program. A pattern that is matched, tables of
/// characters, and those of maps, in which other keys meet the same entries, are read again
/// whatever the program does.
fn is_data(read: &SimilarRead, methods: &[Method]) -> bool {
    let method = read.place.method.and_then(|MethodId(at)| methods.get(at as usize));
    let is_table = |method: &Method| {
        TABLES.iter().any(|class| method.class.starts_with(class))
            || method.class.starts_with("java.util.") && LOOK_UPS.contains(&&*method.name)
    };
    !method.is_some_and(is_table)
}
