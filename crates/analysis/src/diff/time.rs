//! What a difference of counts means in time: an estimate.
//!
//! Samples of plain runs say how much time a method takes for its bytecodes. With that
//! rate the bytecodes of any context become time, also where a context has too few samples to
//! tell two programs apart.

use profile::Metric;
use rustc_hash::FxHashMap;

use crate::diff::blame::blame;
use crate::diff::changes::CodeChange;
use tree::Tree;

/// Name of the metric while it is computed.
const ESTIMATE: &str = "estimated time";
/// A method's rate is drawn towards that of all by so many samples: a method that was seen
/// once must not count as slow. Found by trial on one program.
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

/// Estimates the time of two trees that share one table of methods, from the samples of both,
/// or of the one that has some. `None` if none has, or bytecodes or calls were not counted.
/// `changes` is as in [`blame`], which contexts belong to the same methods as here.
pub fn estimate(base: &Tree, new: &Tree, changes: &[Option<CodeChange>]) -> Option<TimeEstimate> {
    let rates = Rates::of(&[base, new])?;
    let [mut base, mut new] = [base, new].map(Tree::clone);
    for tree in [&mut base, &mut new] {
        let values = rates.times(tree)?;
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
    fn of(trees: &[&Tree]) -> Option<Self> {
        let methods = trees.first()?.methods.len();
        let mut bytecodes = vec![0u64; methods];
        let mut calls = vec![0u64; methods];
        let mut samples = vec![0u64; methods];
        for tree in trees {
            let Some(time) = tree.time() else { continue };
            let (cost, of_calls) = (column(tree, "bytecodes")?, tree.calls()?);
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
        let is_by_calls: Vec<bool> = bytecodes.iter().map(|&bytecodes| bytecodes == 0).collect();
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

    /// The estimated time of each context; `None` if its work was not counted.
    fn times(&self, tree: &Tree) -> Option<Vec<u64>> {
        let (bytecodes, calls) = (column(tree, "bytecodes")?, tree.calls()?);
        let time = |(node, &method): (usize, &u32)| {
            let method = method as usize;
            let work = if self.is_by_calls[method] { calls[node] } else { bytecodes[node] };
            // Far below what 64 bits hold: all samples are.
            (UNITS * self.by_method[method] * work as f64).round() as u64
        };
        Some(tree.method.iter().enumerate().map(time).collect())
    }
}

fn column<'t>(tree: &'t Tree, name: &str) -> Option<&'t [u64]> {
    tree.metrics.iter().find(|metric| metric.name == name).map(|metric| &metric.values[..])
}
