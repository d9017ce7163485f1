//! Profiles brought to one table of methods, before their trees are merged.

use profile::dataflow::MethodResults;
use profile::sampling::Sampling;
use profile::{CallSite, MethodId, Metric, NO_PARENT, Profile};
use rustc_hash::FxHashMap;
use std::ops::Range;

use crate::error::{Error, Result};
use crate::keys::BYTES;
use crate::names::method::Method;
use crate::names::pattern::Pattern;
use crate::owners::{Definitions, OwnCode};
use crate::time::TIME;

/// Which costs of the profiles an analysis wants.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum MetricChoice {
    /// What [`usual_metric`] says of those that all profiles have.
    #[default]
    Usual,
    /// As [`Usual`](Self::Usual), and the metric of that name where all profiles have it.
    UsualWith(String),
    /// The metric of that name.
    Named(String),
    /// Every metric that all profiles have.
    Every,
}

/// What of the profiles goes into an analysis.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// The cost to analyse.
    pub metric: MetricChoice,
    /// Only threads whose name matches.
    pub thread: Option<Pattern>,
    /// Keep contexts apart that differ only in the call site.
    pub call_sites: bool,
    /// What the user says is their own code, whatever else is known.
    pub own: OwnCode,
    /// Say of each context how many threads may have called it.
    pub threads: bool,
    /// Keep contexts of threads of different names apart.
    pub by_thread: bool,
}

/// All selected trees of some profiles, side by side in one set of columns.
#[derive(Debug, Default)]
pub struct Forest {
    /// All methods seen in any of the profiles, executed or not, in the order
    /// of [`Method`], each once. The columns hold indices into this table.
    pub methods: Vec<Method>,
    /// Names of the source files of classes, as their class files say them.
    pub source_files: FxHashMap<String, String>,
    /// Names of the superclasses of classes, as far as they are known.
    pub superclasses: FxHashMap<String, String>,
    /// Who defined the classes, as far as it is known.
    pub definitions: Definitions,
    /// Per method: inputs and results, if these were recorded and followed. Empty if no
    /// profile has any.
    pub results: Vec<Option<MethodResults>>,
    /// Call sites of each method; empty unless call sites are kept apart.
    pub call_sites: Vec<Vec<CallSite>>,
    /// Method of each node.
    pub method: Vec<u32>,
    /// Parent of each node or [`NO_PARENT`]; preorder within each tree.
    pub parent: Vec<u32>,
    /// Number of the call site in the parent's method, counted from 1 in
    /// [`Forest::call_sites`], 0 for none; empty unless call sites are kept apart.
    pub site: Vec<u32>,
    /// The selected metrics; the one to analyse comes first.
    pub metrics: Vec<Metric>,
    /// The nodes of the selected threads.
    pub trees: Vec<Range<u32>>,
    /// Per node: how many threads wrote into its tree. Empty unless it was asked for.
    pub threads: Vec<u64>,
    /// Per node: number of its thread in [`Forest::thread_numbers`]. Empty unless threads
    /// are kept apart.
    pub thread: Vec<u32>,
    /// Numbers of the threads that are kept apart, by their names.
    pub thread_numbers: FxHashMap<String, u32>,
    /// The plain runs whose times stand beside the counts, if all profiles have one.
    pub sampling: Option<Sampling>,
    /// How many profiles these are.
    pub runs: u64,
}

impl Forest {
    /// Unites profiles; each comes with the name it has in messages.
    ///
    /// The columns of the first profile are taken over without a copy.
    ///
    /// # Errors
    /// If a metric is missing, no thread matches, or a profile contradicts itself.
    pub fn unite(profiles: Vec<(String, Profile)>, selection: &Selection) -> Result<Self> {
        let metrics = choose_metrics(&profiles, &selection.metric)?;
        let sampling = sampling(&profiles);
        let methods = unite_methods(&profiles)?;
        let definitions = Definitions::with_own(&selection.own);
        let runs = profiles.len() as u64;
        let mut forest = Self { methods, sampling, runs, definitions, ..Self::default() };
        if selection.call_sites {
            forest.call_sites = vec![Vec::new(); forest.methods.len()];
        }
        for (file, profile) in profiles {
            forest.append(&file, profile, selection, &metrics)?;
        }
        if let (true, Some(pattern)) = (forest.trees.is_empty(), &selection.thread) {
            return Err(Error::new(format!("no thread matches {pattern}")));
        }
        for metric in &forest.metrics {
            // Everything later sums parts of this total, so one check here is
            // enough for all of them.
            if metric.values.iter().try_fold(0u64, |sum, &v| sum.checked_add(v)).is_none() {
                return Err(Error::new(format!(
                    "the costs ({}) of all contexts add up to more than 64 bits hold",
                    metric.name
                )));
            }
        }
        Ok(forest)
    }

    fn append(
        &mut self,
        file: &str,
        profile: Profile,
        selection: &Selection,
        metrics: &[String],
    ) -> Result<()> {
        let Profile { run, classes, methods, threads, mut nodes, dataflow, .. } = profile;
        let count = nodes.method.len();
        let site_count = if selection.call_sites { nodes.site.len() } else { count };
        if nodes.parent.len() != count || site_count != count {
            return Err(contradiction(file, "columns of different lengths"));
        }
        let offset = u32::try_from(self.method.len()).unwrap_or(u32::MAX);
        if u32::try_from(count)
            .ok()
            .and_then(|c| c.checked_add(offset))
            .is_none_or(|n| n == NO_PARENT)
        {
            return Err(Error::new("more calling contexts than 32-bit numbers can name"));
        }

        let mut united = Vec::with_capacity(methods.len());
        for method in &methods {
            let class = classes
                .get(method.class.0 as usize)
                .ok_or_else(|| contradiction(file, "a method of an unknown class"))?;
            let key = (class.name.as_str(), method.name.as_str(), method.descriptor.as_str());
            let index = self
                .methods
                .binary_search_by(|m| {
                    (m.class.as_str(), m.name.as_str(), m.descriptor.as_str()).cmp(&key)
                })
                .map_err(|_| contradiction(file, "a method that is in no table"))?;
            // The table has no more entries than all profiles have methods,
            // and those are numbered with 32 bits.
            united.push(index as u32);
        }
        if selection.call_sites {
            let sites = self.unite_sites(&methods, &united);
            renumber_sites(&mut nodes, &sites)
                .ok_or_else(|| contradiction(file, "an unknown call site"))?;
        }
        for method in &mut nodes.method {
            *method = *united
                .get(*method as usize)
                .ok_or_else(|| contradiction(file, "a context of an unknown method"))?;
        }
        self.definitions.add(&run, &classes);
        for class in classes {
            if !class.superclass.is_empty() {
                self.superclasses.entry(class.name.clone()).or_insert(class.superclass);
            }
            if !class.source_file.is_empty() {
                self.source_files.entry(class.name).or_insert(class.source_file);
            }
        }
        if let Some(results) = dataflow.results {
            self.results.resize(self.methods.len(), None);
            for one in results.methods.iter().filter(|one| one.depth == 0) {
                let number = united
                    .get(one.method.0 as usize)
                    .ok_or_else(|| contradiction(file, "results of an unknown method"))?;
                let renumbered = MethodResults { method: MethodId(*number), ..*one };
                match &mut self.results[*number as usize] {
                    Some(known) => known.add(&renumbered),
                    known => *known = Some(renumbered),
                }
            }
        }
        if selection.threads {
            self.threads.resize(offset as usize + count, 1);
        }
        if selection.by_thread {
            self.thread.resize(offset as usize + count, 0);
        }
        for thread in threads {
            let selected = selection.thread.as_ref().is_none_or(|p| p.matches(&thread.name));
            if thread.nodes.start > thread.nodes.end || thread.nodes.end as usize > count {
                return Err(contradiction(file, "a thread without its contexts"));
            }
            if selection.threads {
                let [start, end] = [thread.nodes.start, thread.nodes.end].map(|at| at + offset);
                let of_tree = &mut self.threads[start as usize..end as usize];
                of_tree.fill(u64::from(thread.threads.max(1)));
            }
            if selected && selection.by_thread {
                let [start, end] = [thread.nodes.start, thread.nodes.end].map(|at| at + offset);
                let number = self.thread_number(thread.name);
                self.thread[start as usize..end as usize].fill(number);
            }
            if selected {
                self.trees.push(thread.nodes.start + offset..thread.nodes.end + offset);
            }
        }

        if offset > 0 {
            for parent in nodes.parent.iter_mut().filter(|p| **p != NO_PARENT) {
                *parent = parent
                    .checked_add(offset)
                    .ok_or_else(|| contradiction(file, "a context of an unknown caller"))?;
            }
        }
        append_column(&mut self.method, nodes.method);
        append_column(&mut self.parent, nodes.parent);
        if selection.call_sites {
            append_column(&mut self.site, nodes.site);
        }
        for (at, name) in metrics.iter().enumerate() {
            let found = nodes.metrics.iter_mut().find(|m| m.name == *name);
            let values = found.map(|m| std::mem::take(&mut m.values)).unwrap_or_default();
            if values.len() != count {
                return Err(contradiction(file, "columns of different lengths"));
            }
            match self.metrics.get_mut(at) {
                Some(metric) => append_column(&mut metric.values, values),
                None => self.metrics.push(Metric { name: name.clone(), values }),
            }
        }
        Ok(())
    }

    /// Number of the thread of this name.
    fn thread_number(&mut self, name: String) -> u32 {
        // They are not more than threads that have contexts, or fit in memory.
        let next = self.thread_numbers.len() as u32;
        *self.thread_numbers.entry(name).or_insert(next)
    }

    /// Adds the call sites of one profile to the table and returns, for each
    /// of its methods, the new number of each of its sites.
    fn unite_sites(&mut self, methods: &[profile::MethodInfo], united: &[u32]) -> Vec<Vec<u32>> {
        let mut numbers = Vec::with_capacity(methods.len());
        for (method, &index) in methods.iter().zip(united) {
            let known = &mut self.call_sites[index as usize];
            let mut by_site: FxHashMap<CallSite, u32> =
                known.iter().zip(1..).map(|(&site, number)| (site, number)).collect();
            let of_method = method.sites.iter().map(|&site| {
                *by_site.entry(site).or_insert_with(|| {
                    known.push(site);
                    known.len() as u32
                })
            });
            numbers.push(of_method.collect());
        }
        numbers
    }
}

/// Gives the nodes the new numbers of their sites; `None` if one is unknown.
/// The method column must still hold the profile's own numbers.
fn renumber_sites(nodes: &mut profile::Nodes, sites: &[Vec<u32>]) -> Option<()> {
    for (site, &parent) in nodes.site.iter_mut().zip(&nodes.parent) {
        if parent == NO_PARENT || *site == 0 {
            *site = 0;
            continue;
        }
        let caller = *nodes.method.get(parent as usize)?;
        *site = *sites.get(caller as usize)?.get(*site as usize - 1)?;
    }
    Some(())
}

/// Appends without a copy when there is nothing to append to, which is the
/// case for the first and often only file.
fn append_column<T>(column: &mut Vec<T>, mut more: Vec<T>) {
    if column.is_empty() {
        *column = more;
    } else {
        column.append(&mut more);
    }
}

/// The plain runs of all profiles together; `None` if one has none.
fn sampling(profiles: &[(String, Profile)]) -> Option<Sampling> {
    let mut sum = Sampling::default();
    for (_, profile) in profiles {
        sum.add(profile.run.sampling.clone()?);
    }
    Some(sum)
}

fn unite_methods(profiles: &[(String, Profile)]) -> Result<Vec<Method>> {
    let mut table = Vec::new();
    for (file, profile) in profiles {
        for method in &profile.methods {
            let class = profile
                .classes
                .get(method.class.0 as usize)
                .ok_or_else(|| contradiction(file, "a method of an unknown class"))?;
            table.push(Method {
                class: class.name.clone(),
                name: method.name.clone(),
                descriptor: method.descriptor.clone(),
            });
        }
    }
    // Sorted, so that the order of ids is the order in which ties are broken.
    table.sort_unstable();
    table.dedup();
    Ok(table)
}

/// A profile does not have the metric that is wanted, but those that are known.
#[cold]
pub fn lacks_metric(file: &str, wanted: &str, known: &str) -> Error {
    let advice = if wanted == BYTES { "; mode=calls counts bytes unless bytes=off" } else { "" };
    Error::new(format!("{file} has no metric '{wanted}' (it has: {known}){advice}"))
}

/// The metric that is analysed unless the user names one: `bytecodes`, else the
/// first, `calls` only if there is no other.
pub fn usual_metric<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let bytecodes = names.clone().find(|name| *name == "bytecodes");
    bytecodes
        .or_else(|| names.clone().find(|name| *name != "calls"))
        .or_else(|| names.clone().next())
}

/// Metrics that are wanted beside any other.
pub const BESIDE: [&str; 2] = ["calls", TIME];

/// Names of the metrics to take, the one to analyse first.
fn choose_metrics(profiles: &[(String, Profile)], choice: &MetricChoice) -> Result<Vec<String>> {
    let names = |profile: &Profile| -> Vec<String> {
        profile.nodes.metrics.iter().map(|m| m.name.clone()).collect()
    };
    let Some((_, first)) = profiles.first() else {
        return Err(Error::new("no profile given"));
    };
    // Only a recording of data flow alone has no contexts to choose a cost of.
    if let Some((file, _)) = profiles.iter().find(|(_, p)| p.nodes.metrics.is_empty()) {
        return Err(Error::new(format!(
            "{file}: no calls were recorded; record with mode=calls or mode=copies, or with \
             mode=calls+costs or mode=calls+nulls to have both"
        )));
    }
    let mut common = names(first);
    common.retain(|name| profiles.iter().all(|(_, p)| p.nodes.metric(name).is_some()));
    let wanted = match choice {
        MetricChoice::Every => return Ok(common),
        MetricChoice::Named(name) => {
            if let Some((file, profile)) =
                profiles.iter().find(|(_, p)| p.nodes.metric(name).is_none())
            {
                return Err(lacks_metric(file, name, &names(profile).join(", ")));
            }
            name.clone()
        }
        MetricChoice::Usual | MetricChoice::UsualWith(_) => {
            usual_metric(common.iter().map(String::as_str))
                .ok_or_else(|| Error::new("the profiles have no metric in common"))?
                .to_owned()
        }
    };
    // Calls and times are wanted beside any cost, where they are known.
    let mut beside = BESIDE.to_vec();
    if let MetricChoice::UsualWith(name) = choice {
        beside.push(name);
    }
    beside.retain(|name| *name != wanted && common.iter().any(|known| known == name));
    beside.dedup();
    let beside: Vec<String> = beside.into_iter().map(str::to_owned).collect();
    Ok(std::iter::once(wanted).chain(beside).collect())
}

#[cold]
fn contradiction(file: &str, what: &str) -> Error {
    Error::new(format!("{file}: the profile contradicts itself: {what}"))
}
