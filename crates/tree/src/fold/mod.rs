//! Any number of profiles as one, folded one after the other.
//!
//! Where [`Tree::merge`](super::Tree::merge) has the contexts of all profiles in memory,
//! this has the result and one input. Threads of one name become one, and call sites
//! stay apart, so that the result answers all questions about calling contexts as the
//! profiles do together.

mod contexts;
mod methods;
mod run;
pub mod table;

use std::collections::BTreeSet;
use std::io::Write;

use profile::dataflow::DataFlow;
use profile::{CompactWriter, Profile, RunInfo, Skipped, Tables, ThreadTree};
use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::keys::BYTES;
use contexts::Contexts;
use methods::Methods;

/// Profiles folded so far.
#[derive(Debug, Default)]
pub struct Fold {
    contexts: Contexts,
    methods: Methods,
    /// Names of the metrics that all profiles have.
    metrics: Vec<String>,
    threads: Vec<ThreadTree>,
    thread_numbers: FxHashMap<String, u32>,
    skipped: BTreeSet<(String, String, String)>,
    run: RunInfo,
    profiles: u64,
    rows: u64,
}

/// What was folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folded {
    /// How many profiles.
    pub profiles: u64,
    /// Contexts of all of them.
    pub rows: u64,
    /// Contexts of the result.
    pub contexts: u64,
    /// Methods of the result.
    pub methods: u64,
    /// Metrics and their sums.
    pub totals: Vec<(String, u64)>,
}

impl Fold {
    /// Adds a valid profile; `file` is its name in messages. Its data flow is left out.
    ///
    /// # Errors
    /// If it has no metric in common with the others, or sums do not fit in 64 bits.
    pub fn add(&mut self, file: &str, profile: Profile) -> Result<()> {
        self.choose_metrics(file, &profile)?;
        let numbers = self.methods.add(&profile);
        let Profile { run, threads, nodes, skipped, .. } = profile;
        for thread in threads {
            let number = match self.thread_numbers.get(&thread.name) {
                Some(&number) => number,
                None => {
                    let number = self.contexts.new_thread()?;
                    self.thread_numbers.insert(thread.name.clone(), number);
                    self.threads.push(ThreadTree { name: thread.name, ..ThreadTree::default() });
                    number
                }
            };
            let all = &mut self.threads[number as usize].threads;
            *all = all.saturating_add(thread.threads);
            let (methods, sites) = (&numbers.methods, &numbers.sites);
            self.contexts.add(number, &nodes, thread.nodes, methods, sites)?;
        }
        let values: Vec<&[u64]> = self
            .metrics
            .iter()
            .map(|name| nodes.metric(name).map_or(&[][..], |metric| &metric.values))
            .collect();
        self.contexts.add_costs(&values).map_err(|e| Error::new(format!("{file}: {e}")))?;
        let skipped = skipped.into_iter();
        self.skipped
            .extend(skipped.map(|Skipped { class, method, reason }| (class, method, reason)));
        if self.profiles == 0 {
            self.run = run;
        } else {
            run::add(&mut self.run, run);
        }
        self.profiles += 1;
        self.rows += nodes.len() as u64;
        Ok(())
    }

    /// Multiplies all costs, so that sums of other numbers of runs can be compared.
    ///
    /// # Errors
    /// If costs do not fit in 64 bits.
    pub fn multiply(&mut self, factor: u64) -> Result<()> {
        let multiplied = self.contexts.multiply(factor);
        multiplied.ok_or_else(|| Error::new("the costs of a context do not fit in 64 bits"))
    }

    /// Keeps the metrics that this profile has, too.
    fn choose_metrics(&mut self, file: &str, profile: &Profile) -> Result<()> {
        let nodes = &profile.nodes;
        if nodes.metrics.is_empty() {
            return Err(Error::new(format!(
                "{file}: no calls were recorded; there is nothing to merge"
            )));
        }
        if self.profiles == 0 {
            self.metrics = nodes.metrics.iter().map(|metric| metric.name.clone()).collect();
            self.contexts.set_metrics(self.metrics.len());
        }
        for at in (0..self.metrics.len()).rev() {
            if nodes.metric(&self.metrics[at]).is_none() {
                self.metrics.remove(at);
                self.contexts.remove_metric(at);
            }
        }
        if self.metrics.is_empty() {
            return Err(Error::new(format!("{file} has no metric in common with the others")));
        }
        Ok(())
    }

    /// Writes the result in the compact form; `writer` is the name of what writes it.
    ///
    /// # Errors
    /// If nothing was added, or `out` fails.
    pub fn write(mut self, writer: &str, out: impl Write) -> Result<Folded> {
        if self.profiles == 0 {
            return Err(Error::new("no profile given"));
        }
        let mut totals = Vec::with_capacity(self.metrics.len());
        for (name, total) in self.metrics.iter().zip(self.contexts.totals()) {
            // No analysis takes a tree with such costs.
            let total = total.ok_or_else(|| {
                Error::new(format!(
                    "the costs ({name}) of all contexts add up to more than 64 bits hold"
                ))
            })?;
            totals.push((name.clone(), total));
        }
        let folded = Folded {
            profiles: self.profiles,
            rows: self.rows,
            contexts: self.contexts.len() as u64,
            methods: self.methods.methods.len() as u64,
            totals,
        };
        writer.clone_into(&mut self.run.writer);
        self.write_to(out).map_err(|error| Error::new(error.to_string()))?;
        Ok(folded)
    }

    fn write_to(self, out: impl Write) -> std::result::Result<(), profile::Error> {
        let Self { contexts, mut methods, metrics, mut threads, skipped, run, .. } = self;
        let names: Vec<&str> = metrics.iter().map(String::as_str).collect();
        let mut file = CompactWriter::new(out, &names)?;
        let ends = contexts.write(&mut file)?;
        let mut start = 0;
        for (thread, end) in threads.iter_mut().zip(ends) {
            thread.nodes = start..end;
            start = end;
        }
        let skipped: Vec<Skipped> = skipped
            .into_iter()
            .map(|(class, method, reason)| Skipped { class, method, reason })
            .collect();
        let blocks = methods.take_blocks();
        let mut allocated = methods.take_allocated();
        if !names.contains(&BYTES) {
            // Some files lack it.
            allocated.clear();
        }
        let no_code = methods.code_hashes.iter().all(|&hash| hash == 0);
        file.finish(Tables {
            run: &run,
            classes: &methods.classes,
            methods: &methods.methods,
            threads: &threads,
            skipped: &skipped,
            dataflow: &DataFlow::default(),
            code_hashes: if no_code { &[] } else { &methods.code_hashes },
            blocks: &blocks,
            allocated: &allocated,
        })?;
        Ok(())
    }
}
