//! Evidence of a recording of copies: objects that live for a few calls only.
//!
//! Which sites make objects that are never stored, or only in such objects, the recording
//! tells; in which contexts that is, the allocations of the calls' tree tell, shared out by
//! method. Waste is what a method, and the JDK and constructors for it, execute, times the
//! share of such objects among those that it has made: what they cost at most.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use base::number::{counted, grouped, percent};
use profile::Profile;
use profile::dataflow::{SiteKind, TagId};
use rustc_hash::FxHashMap;
use tree::error::Result;

use super::evidence::{Evidence, Recording, Sure};
use super::kind::Kind;
use super::program::Program;
use super::region::{Region, Sums};
use super::spread::{Landed, above_usual, land};
use crate::dataflow::copies::graph::CopyGraph;
use crate::dataflow::copies::lifetimes::dying;
use crate::dataflow::copies::unite::{Sensitivity, unite};
use crate::dataflow::name::{Contexts, Naming};

/// Bytecodes that are executed for the sake of one object, at most, and of each of its bytes:
/// large ones are mostly filled.
const MOST_FOR_AN_OBJECT: f64 = 60.0;
const MOST_FOR_A_BYTE: f64 = 2.0;
/// No greater share of short-lived objects is usual: a program may make nothing else.
const MOST_USUAL: f64 = 0.5;
/// The part of the saving that is likely. Objects that die soon are often what the work takes.
const LIKELY: f64 = 1.0 / 3.0;
/// Classes that a sentence names.
const NAMED: usize = 3;

/// What a recording of copies says of short-lived objects.
///
/// # Errors
/// If the profile has no copies.
pub fn evidence(program: &Program<'_>, profiles: &[(String, Profile)]) -> Result<Vec<Evidence>> {
    let copies = unite(profiles, Sensitivity::Sites)?;
    let graph = CopyGraph::new(&copies.profile);
    let naming = Naming::new(&copies.methods, &copies.profile.objects, Contexts::Receiver);
    // By method of the tree: objects, and those that are never stored, with their classes.
    let mut made: FxHashMap<u32, Made> = FxHashMap::default();
    let number = |place| naming.method(place).and_then(|method| program.number(method));
    let objects = &copies.profile.objects;
    for (tag, allocated) in objects.tags.iter().zip(&objects.allocations) {
        let site = &objects.sites[tag.site.0 as usize];
        if let Some(method) = number(site.place) {
            let made = made.entry(method).or_default();
            made.objects += allocated.objects;
            made.bytes += allocated.bytes;
        }
    }
    for (tag, share) in (0..).zip(dying(&copies.profile, &graph)) {
        let of = objects.site(TagId(tag));
        if of.kind == SiteKind::Untracked {
            continue;
        }
        let made_of = objects.allocations.get(tag as usize).map_or(0, |made| made.objects);
        let soon_dead = (made_of as f64 * share).round() as u64;
        let made = number(of.place).and_then(|method| made.get_mut(&method));
        if let Some(made) = made.filter(|_| soon_dead > 0) {
            made.temporaries += soon_dead;
            *made.classes.entry(of.class.clone()).or_default() += soon_dead;
        }
    }
    let tree = program.tree;
    let Some(allocations) = tree.metrics.iter().find(|metric| metric.name == "allocations") else {
        return Ok(Vec::new());
    };
    let short_lived: Vec<u64> = tree
        .method
        .iter()
        .zip(allocations.values.iter())
        .map(|(method, &allocated)| made.get(method).map_or(0, |made| made.of(allocated)))
        .collect();
    let waste = waste(program, &allocations.values, &short_lived, &made);
    let (all, short) = (Sums::new(&allocations.values), Sums::new(&short_lived));
    let whole = Region::of(0..tree.len() as u32);
    let usual = (whole.sum(&short) as f64 / whole.sum(&all).max(1) as f64).min(MOST_USUAL);
    let landed = land(program, waste);
    let evidence = landed.into_iter().map(|one| {
        let [all, short] = [&all, &short].map(|sums| one.region.sum(sums));
        let classes = classes(program, &one, &short_lived, &made);
        tell(program, one, all, short, usual, &classes)
    });
    Ok(evidence.collect())
}

/// Objects that a method makes.
#[derive(Debug, Default)]
struct Made {
    objects: u64,
    bytes: u64,
    temporaries: u64,
    classes: BTreeMap<String, u64>,
}

impl Made {
    fn mean_bytes(&self) -> f64 {
        self.bytes as f64 / self.objects.max(1) as f64
    }

    /// Of so many objects those that are never stored.
    fn of(&self, allocated: u64) -> u64 {
        let part = self.temporaries as f64 / self.objects.max(1) as f64;
        (allocated as f64 * part.min(1.0)) as u64
    }
}

/// Per context: what is executed for a method that has objects made, by itself, the JDK and
/// constructors, as far as these objects are never stored.
fn waste(
    program: &Program<'_>,
    allocations: &[u64],
    short_lived: &[u64],
    made: &FxHashMap<u32, Made>,
) -> Vec<u64> {
    let workers = program.workers();
    let tree = program.tree;
    let mut sums = vec![[0u64; 2]; tree.len()];
    let mut costs = vec![0u64; tree.len()];
    let mut most = vec![0f64; tree.len()];
    for (node, &worker) in workers.iter().enumerate() {
        let sum = &mut sums[worker as usize];
        sum[0] += allocations[node];
        sum[1] += short_lived[node];
        costs[worker as usize] += tree.cost()[node];
        let bytes = made.get(&tree.method[node]).map_or(0.0, Made::mean_bytes);
        most[worker as usize] +=
            allocations[node] as f64 * (MOST_FOR_AN_OBJECT + MOST_FOR_A_BYTE * bytes);
    }
    let part = |node: usize| {
        let worker = workers[node];
        let [all, short] = sums[worker as usize];
        // What is executed for other reasons is not for the sake of a few objects.
        let most = most[worker as usize] / costs[worker as usize].max(1) as f64;
        if all == 0 { 0.0 } else { short as f64 / all as f64 * most.min(1.0) }
    };
    let cost = tree.cost().iter().enumerate();
    cost.map(|(node, &cost)| (cost as f64 * part(node)) as u64).collect()
}

/// The classes of the short-lived objects in a region, those of most first.
fn classes(
    program: &Program<'_>,
    landed: &Landed,
    short_lived: &[u64],
    made: &FxHashMap<u32, Made>,
) -> Vec<(String, u64)> {
    let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
    for node in landed.region.ranges().iter().cloned().flatten() {
        let objects = short_lived[node as usize];
        let Some(made) = made.get(&program.tree.method[node as usize]).filter(|_| objects > 0)
        else {
            continue;
        };
        for (class, &of_class) in &made.classes {
            *sums.entry(class).or_default() +=
                objects as f64 * of_class as f64 / made.temporaries.max(1) as f64;
        }
    }
    let mut classes: Vec<(String, u64)> =
        sums.into_iter().map(|(class, sum)| (class.to_owned(), sum.round() as u64)).collect();
    classes.sort_by_key(|one| Reverse(one.1));
    classes
}

fn tell(
    program: &Program<'_>,
    landed: Landed,
    all: u64,
    short: u64,
    usual: f64,
    classes: &[(String, u64)],
) -> Evidence {
    let named: Vec<String> = classes
        .iter()
        .take(NAMED)
        .map(|(class, objects)| {
            let name = class.rsplit('.').next().unwrap_or(class);
            format!("{} {name}", grouped(*objects))
        })
        .collect();
    let sentence = format!(
        "about {} of {} made here and below ({}) are never stored in a field or array, or \
         only in such objects: {}",
        grouped(short),
        counted(all, "object"),
        percent(short, all),
        named.join(", ")
    );
    let Landed { landing, region } = landed;
    let saving = landing.cost.min(program.cost(&region));
    let share = short as f64 / all.max(1) as f64;
    Evidence {
        kind: Kind::ShortLived,
        recording: Recording::Copies,
        method: landing.method,
        line: 0,
        node: Some(landing.node),
        sentence,
        hint: None,
        saving,
        likely: (saving as f64 * LIKELY * above_usual(share, usual)) as u64,
        region,
        moved: 0,
        sure: Sure::Bound,
        command: vec!["temporaries".to_owned()],
    }
}
