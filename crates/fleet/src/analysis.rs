//! Subsuming methods of many runs, from their summaries.
//!
//! Heights, dominators and distances depend on the ancestors of contexts only, so those
//! of the merged tree follow from those of each run's tree: the greatest height, and the
//! dominators that a method has in all runs, each at its greatest distance. Costs are
//! sums. Induced costs depend on which methods subsume, and so take a second look at each
//! run's tree ([`induced`]). What comes out is what [`Subsuming::analyse`] says of the
//! merged tree, but for the number of contexts, which summaries do not tell.

use profile::NO_PARENT;

use crate::archive;
use crate::dataset::{Dataset, Kind};
use crate::numbering::Numbering;
use crate::run::Run;
use crate::summary::{Dominators, MethodRuns};
use analysis::subsuming::characteristics::{Characteristics, Dominated};
use analysis::subsuming::{self, Subsuming, Thresholds, choose};
use tree::Tree;
use tree::costs::Costs;
use tree::error::{Error, Result};
use tree::forest::{MetricChoice, Selection};
use tree::names::generated::make_comparable;
use tree::names::method::Method;
use tree::names::pattern::Pattern;

/// What the summaries of runs say together. Methods have numbers in the order in which
/// they were met.
#[derive(Debug, Default)]
struct Summaries {
    numbering: Numbering,
    methods: Vec<OfMethod>,
    /// The dominators of the method at hand: for each method the last that it dominates,
    /// and the distance.
    marks: Vec<(u32, u32)>,
    mark: u32,
}

/// What the summaries say of a method.
#[derive(Debug, Default, Clone)]
struct OfMethod {
    height: u32,
    depth: u32,
    is_root: bool,
    exclusive: u64,
    inclusive: u64,
    calls: Option<u64>,
    contexts: u64,
    runs: u64,
    /// Those that it has in all runs so far, at the greatest distance.
    dominators: Vec<(u32, u32)>,
}

/// The analysis of several runs.
#[derive(Debug)]
pub struct Analysis {
    /// The methods that were executed, in the order in which ties are broken.
    pub methods: Vec<Method>,
    /// The analysis, method by method. Contexts are those of all runs, not the distinct
    /// ones. Without the second look, nothing is induced.
    pub subsuming: Subsuming,
    /// In how many runs each method was executed.
    pub runs: Vec<u64>,
    /// The cost.
    pub metric: String,
    /// The sum of the costs.
    pub total: u64,
    /// Whether the methods of roots differ.
    pub has_virtual_root: bool,
}

#[cold]
fn too_large() -> Error {
    Error::new("the costs of all runs add up to more than 64 bits hold")
}

impl Summaries {
    /// Adds a run.
    fn add(&mut self, dataset: &Dataset, run: &Run) -> Result<()> {
        let rows = MethodRuns::read(dataset, run)?;
        let numbers = self.numbering.of_run(dataset, run, rows.has_own())?;
        self.methods.resize(self.numbering.len(), OfMethod::default());
        self.marks.resize(self.numbering.len(), (0, 0));
        let number = |method| numbers.get(method);
        let unknown = || Error::new(format!("run {}: a method that is in no table", run.id));
        let dominators = Dominators::read(dataset, run)?;
        let mut at = 0;
        for row in 0..rows.method.len() {
            let method = rows.method[row];
            let start = at;
            while dominators.method.get(at) == Some(&method) {
                at += 1;
            }
            let of_method = number(method).ok_or_else(unknown)?;
            let known = &mut self.methods[of_method as usize];
            if known.runs == 0 {
                known.dominators.reserve_exact(at - start);
                for row in start..at {
                    let by = number(dominators.dominator[row]).ok_or_else(unknown)?;
                    known.dominators.push((by, dominators.distance[row].unsigned_abs()));
                }
            } else if !known.dominators.is_empty() {
                self.mark += 1;
                for row in start..at {
                    let by = number(dominators.dominator[row]).ok_or_else(unknown)?;
                    let distance = dominators.distance[row].unsigned_abs();
                    self.marks[by as usize] = (self.mark, distance);
                }
                let (marks, mark) = (&self.marks, self.mark);
                known.dominators.retain_mut(|(by, distance)| {
                    let (last, here) = marks[*by as usize];
                    *distance = (*distance).max(here);
                    last == mark
                });
            }
            let sum = |sum: u64, more: i64| {
                let more = u64::try_from(more).ok();
                more.and_then(|more| sum.checked_add(more)).ok_or_else(too_large)
            };
            known.height = known.height.max(rows.height[row].unsigned_abs());
            known.depth = known.depth.max(rows.depth[row].unsigned_abs());
            known.is_root |= rows.is_root[row] != 0;
            known.exclusive = sum(known.exclusive, rows.exclusive[row])?;
            known.inclusive = sum(known.inclusive, rows.inclusive[row])?;
            known.contexts = sum(known.contexts, rows.contexts[row])?;
            if let Some(calls) = &rows.metrics[0]
                && (known.runs == 0 || known.calls.is_some())
            {
                known.calls = Some(sum(known.calls.unwrap_or(0), calls[row])?);
            } else {
                known.calls = None;
            }
            known.runs += 1;
        }
        if at < dominators.method.len() {
            return Err(Error::new(format!("run {}: dominators of a method not executed", run.id)));
        }
        Ok(())
    }
}

/// Analyses the runs, at least one, without induced costs. Methods whose `class.name`
/// matches `never` do not subsume, unless one is the method of the only root.
///
/// # Errors
/// If a run cannot be read, their costs are different ones, or sums do not fit in 64 bits.
pub fn analyse(
    dataset: &Dataset,
    runs: &[Run],
    thresholds: Thresholds,
    never: &Pattern,
) -> Result<Analysis> {
    let metric = runs.first().map(|run| run.metric.clone()).unwrap_or_default();
    if let Some(other) = runs.iter().find(|run| run.metric != metric) {
        return Err(Error::new(format!(
            "costs are {metric} in run {} and {} in run {}: select runs of one cost",
            runs[0].id, other.metric, other.id
        )));
    }
    let mut summaries = Summaries::default();
    let mut total = 0u64;
    for run in runs {
        summaries.add(dataset, run)?;
        let of_run = u64::try_from(run.total).map_err(|_| too_large())?;
        total = total.checked_add(of_run).ok_or_else(too_large)?;
    }
    Ok(finish(summaries, metric, total, thresholds, never))
}

fn finish(
    summaries: Summaries,
    metric: String,
    total: u64,
    thresholds: Thresholds,
    never: &Pattern,
) -> Analysis {
    let Summaries { numbering, methods: of_methods, .. } = summaries;
    // Tables may name methods that none of these runs executed.
    let mut named = numbering.into_methods();
    named.retain(|&(_, number)| of_methods[number as usize].runs > 0);
    named.sort_unstable();
    let mut place = vec![0; of_methods.len()];
    for (at, (_, number)) in named.iter().enumerate() {
        place[*number as usize] = at as u32;
    }
    let virtual_root = named.len() as u32;
    let roots = of_methods.iter().filter(|of_method| of_method.is_root).count();
    let has_virtual_root = roots > 1;
    let mut characteristics = Vec::with_capacity(named.len());
    let mut costs = Vec::with_capacity(named.len());
    let mut in_runs = Vec::with_capacity(named.len());
    for (_, number) in &named {
        let of_method = &of_methods[*number as usize];
        // What dominates a method was executed, so that it has a place.
        let dominators = of_method.dominators.iter();
        let dominators = dominators.map(|&(by, distance)| (distance, place[by as usize]));
        let above_all = has_virtual_root.then_some((of_method.depth, virtual_root));
        let nearest = dominators.chain(above_all).min();
        let all_roots = nearest == Some((1, virtual_root));
        characteristics.push(Characteristics {
            height: of_method.height,
            dominated: nearest.filter(|_| !all_roots).map(|(distance, by)| Dominated {
                by: (by != virtual_root).then_some(by),
                distance,
            }),
            is_root: all_roots || roots == 1 && of_method.is_root,
        });
        costs.push(Costs {
            exclusive: of_method.exclusive,
            inclusive: of_method.inclusive,
            calls: of_method.calls,
            contexts: of_method.contexts,
        });
        in_runs.push(of_method.runs);
    }
    let methods: Vec<Method> = named.into_iter().map(|(method, _)| method).collect();
    let subsumes = choose(&methods, has_virtual_root, &characteristics, &costs, thresholds, never);
    Analysis {
        subsuming: Subsuming {
            characteristics,
            costs,
            subsumes,
            induced: vec![0; methods.len()],
            induced_by_virtual_root: 0,
        },
        methods,
        runs: in_runs,
        metric,
        total,
        has_virtual_root,
    }
}

/// Adds the costs that methods induce in these runs, which are those of the analysis. Of
/// each run the profile is read, one at a time.
///
/// # Errors
/// If the profile of a run is not kept, or cannot be read.
pub fn induced(dataset: &Dataset, runs: &[Run], analysis: &mut Analysis) -> Result<()> {
    let subsuming = &mut analysis.subsuming;
    for run in runs {
        if !run.has_tree {
            return Err(Error::new(format!(
                "run {} was added without its profile, which induced costs take: \
                 --summaries leaves them out",
                run.id
            )));
        }
        let path = dataset.path(Kind::Trees, run);
        let mut profile = archive::profile(&path)?;
        make_comparable(&mut profile);
        let metric = MetricChoice::Named(analysis.metric.clone());
        let selection = Selection { metric, ..Selection::default() };
        let tree = Tree::merge(vec![(path.display().to_string(), profile)], &selection)?;
        let numbers: Vec<Option<usize>> =
            tree.methods.iter().map(|method| analysis.methods.binary_search(method).ok()).collect();
        let subsumes: Vec<bool> = numbers
            .iter()
            .map(|number| number.is_some_and(|number| subsuming.subsumes[number]))
            .collect();
        for (node, induced) in subsuming::induced(&tree, &subsumes).into_iter().enumerate() {
            let method = tree.method[node] as usize;
            let number = numbers[method].ok_or_else(|| {
                Error::new(format!("run {}: its profile has other methods", run.id))
            })?;
            let sum = &mut subsuming.induced[number];
            *sum = sum.saturating_add(induced);
            if tree.parent[node] == NO_PARENT && !subsumes[method] {
                let rest = &mut subsuming.induced_by_virtual_root;
                *rest = rest.saturating_add(induced);
            }
        }
    }
    Ok(())
}
