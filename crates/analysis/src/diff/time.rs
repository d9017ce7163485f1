//! What a difference of counts means in time: an estimate.
//!
//! Samples of plain runs say how much time a context takes for its bytecodes, or, where it has
//! few, how much its method takes. With that rate the bytecodes of either program become time.

use profile::Metric;
use rustc_hash::FxHashMap;

use crate::diff::blame::blame;
use crate::diff::changes::CodeChange;
use crate::diff::pairing::{Visitor, walk};
use tree::Tree;

/// Name of the metric while it is computed.
const ESTIMATE: &str = "estimated time";
/// A context's rate is drawn towards that of its method by so many samples, and that of a method
/// towards that of all: what was seen once must not count as slow. Found by trial on one
/// program.
const PSEUDO_SAMPLES: f64 = 0.3;
/// The unit of estimates is this part of a sample.
const UNITS: f64 = 1_000.0;

/// Estimated time of two programs, in thousandths of a sample.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeEstimate {
    /// Samples that the rates are from.
    pub samples: u64,
    /// All of it, before and after.
    pub total: [u64; 2],
    /// Of what each method explains, before and after; `None` stands for the virtual root.
    pub by_method: FxHashMap<Option<u32>, [u64; 2]>,
}

impl TimeEstimate {
    /// The difference of all as a share of what it was.
    pub fn difference(&self) -> f64 {
        let [before, after] = self.total.map(|total| total as f64);
        (after - before) / before.max(1.0)
    }

    /// The difference that a method explains, as a share of all before.
    pub fn explained_by(&self, method: Option<u32>) -> f64 {
        let [before, after] = self.by_method.get(&method).copied().unwrap_or_default();
        (after as f64 - before as f64) / (self.total[0] as f64).max(1.0)
    }
}

/// A tree, and samples of each of its contexts, if it has any.
pub type Sampled<'t> = (&'t Tree, Option<&'t [u64]>);

/// Estimates the time of two trees that share one table of methods, from the samples of both,
/// or of the one that has some. `None` if none has, or bytecodes or calls were not counted.
/// `changes` is as in [`blame`], which contexts belong to the same methods as here.
pub fn estimate(both: [Sampled<'_>; 2], changes: &[Option<CodeChange>]) -> Option<TimeEstimate> {
    let rates = Rates::of(&both)?;
    let [(base, _), (new, _)] = both;
    let sides = [Side::of(both[0], &rates)?, Side::of(both[1], &rates)?];
    let mut times = partners(base, new).into_iter().enumerate().map(|(at, partners)| {
        let (own, other) = (&sides[at], &sides[1 - at]);
        let nodes = partners.iter().enumerate();
        nodes.map(|(node, &partner)| own.time(node, other, partner, &rates)).collect()
    });
    let times: [Vec<f64>; 2] = [times.next()?, times.next()?];
    // Rates that are drawn towards others do not add up by themselves.
    let sampled = sides.iter().zip(&times).filter(|(side, _)| side.samples.is_some());
    let sum: f64 = sampled.flat_map(|(_, times)| times).sum();
    let scale = UNITS * rates.samples as f64 / sum.max(f64::MIN_POSITIVE);

    let [mut base, mut new] = [base, new].map(Tree::clone);
    for (tree, times) in [&mut base, &mut new].into_iter().zip(&times) {
        // Far below what 64 bits hold: all samples are.
        let values = times.iter().map(|time| (scale * time).round() as u64).collect();
        tree.metrics.push(Metric { name: ESTIMATE.to_owned(), values });
        tree.choose_metrics(&[ESTIMATE.to_owned(), "calls".to_owned()]);
    }
    let blamed = blame(&base, &new, changes);
    Some(TimeEstimate {
        samples: rates.samples,
        total: [base.total(), new.total()],
        by_method: blamed.iter().map(|one| (one.method, [one.base, one.new])).collect(),
    })
}

/// A tree with the work of its contexts, and their samples, if it has any.
struct Side<'t> {
    tree: &'t Tree,
    work: Vec<u64>,
    samples: Option<&'t [u64]>,
}

impl<'t> Side<'t> {
    fn of((tree, samples): Sampled<'t>, rates: &Rates) -> Option<Self> {
        let (bytecodes, calls) = (column(tree, "bytecodes")?, tree.calls()?);
        let work = |(node, &method): (usize, &u32)| {
            if rates.is_by_calls[method as usize] { calls[node] } else { bytecodes[node] }
        };
        let work = tree.method.iter().enumerate().map(work).collect();
        Some(Self { tree, work, samples })
    }

    /// Samples of a context and the work that they are of.
    fn seen(&self, node: usize) -> (f64, f64) {
        self.samples.map_or((0.0, 0.0), |samples| (samples[node] as f64, self.work[node] as f64))
    }

    /// The time of a context, in samples: at a rate of its own, from its samples and those of
    /// the same context on the other side, which is drawn towards that of its method.
    fn time(&self, node: usize, other: &Self, partner: Option<u32>, rates: &Rates) -> f64 {
        let usual = rates.by_method[self.tree.method[node] as usize];
        if usual == 0.0 {
            return 0.0;
        }
        let here = self.seen(node);
        let there = partner.map_or((0.0, 0.0), |partner| other.seen(partner as usize));
        let (samples, work) = (here.0 + there.0, here.1 + there.1);
        (samples + PSEUDO_SAMPLES) / (work + PSEUDO_SAMPLES / usual) * self.work[node] as f64
    }
}

/// For each context of both trees the same one of the other tree.
fn partners(base: &Tree, new: &Tree) -> [Vec<Option<u32>>; 2] {
    let mut pairs = Pairs([vec![None; base.len()], vec![None; new.len()]]);
    walk((base, &base.subtree_ends()), (new, &new.subtree_ends()), &mut pairs);
    pairs.0
}

struct Pairs([Vec<Option<u32>>; 2]);

impl Visitor for Pairs {
    fn both(&mut self, base: u32, new: u32) {
        self.0[0][base as usize] = Some(new);
        self.0[1][new as usize] = Some(base);
    }

    fn base_only(&mut self, _: u32) {}

    fn new_only(&mut self, _: u32) {}
}

/// Samples for each unit of work, by method. The work is bytecodes, and of methods without
/// bytecodes, such as natives, calls.
struct Rates {
    samples: u64,
    by_method: Vec<f64>,
    /// By method: whether its work is calls.
    is_by_calls: Vec<bool>,
}

impl Rates {
    /// From trees that share one table of methods; those without samples do not count.
    fn of(trees: &[Sampled<'_>; 2]) -> Option<Self> {
        let methods = trees[0].0.methods.len();
        let mut bytecodes = vec![0u64; methods];
        let mut calls = vec![0u64; methods];
        let mut samples = vec![0u64; methods];
        let mut is_by_calls = vec![true; methods];
        for (tree, time) in trees {
            let (cost, of_calls) = (column(tree, "bytecodes")?, tree.calls()?);
            for (&method, &cost) in tree.method.iter().zip(cost) {
                is_by_calls[method as usize] &= cost == 0;
            }
            let Some(time) = time else { continue };
            for (node, &method) in tree.method.iter().enumerate() {
                let method = method as usize;
                bytecodes[method] += cost[node];
                calls[method] += of_calls[node];
                samples[method] += time[node];
            }
        }
        let all: u64 = samples.iter().sum();
        if all == 0 {
            return None;
        }
        let rate = |by_calls: bool| {
            let of = |column: &[u64]| -> f64 {
                let chosen = column.iter().zip(&is_by_calls).filter(|(_, is)| **is == by_calls);
                chosen.map(|(&value, _)| value as f64).sum()
            };
            let work = of(if by_calls { &calls } else { &bytecodes });
            of(&samples) / work.max(1.0)
        };
        let rates_of_all = [rate(false), rate(true)];
        let by_method = (0..methods).map(|method| {
            let usual = rates_of_all[usize::from(is_by_calls[method])];
            let work = if is_by_calls[method] { calls[method] } else { bytecodes[method] };
            if usual == 0.0 {
                return 0.0;
            }
            (samples[method] as f64 + PSEUDO_SAMPLES) / (work as f64 + PSEUDO_SAMPLES / usual)
        });
        Some(Self { samples: all, by_method: by_method.collect(), is_by_calls })
    }
}

fn column<'t>(tree: &'t Tree, name: &str) -> Option<&'t [u64]> {
    tree.metrics.iter().find(|metric| metric.name == name).map(|metric| &metric.values[..])
}
