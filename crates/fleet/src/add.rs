//! Adding runs to a dataset.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use crate::archive::{self, Archived};
use crate::contexts;
use crate::dataset::{Dataset, Kind};
use crate::labels::{Label, Labels};
use crate::method_table::SharedTables;
use crate::run::{METRICS, Run};
use crate::summary::{executed, named, summarise};
use analysis::diff::code::Code;
use tree::Tree;
use tree::both::both;
use tree::error::{Error, Result};
use tree::forest::{MetricChoice, Selection, usual_metric};
use tree::names::generated::make_comparable;
use tree::redaction::redact;

/// Adds runs, one after the other.
#[derive(Debug)]
pub struct Adder {
    dataset: Dataset,
    /// Numbers of the runs that are there, with the files of their rows.
    known: BTreeMap<String, PathBuf>,
    tables: SharedTables,
    keep: Keep,
}

/// What is kept beside the summaries of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// Its whole profile.
    pub tree: bool,
    /// Its contexts as a table.
    pub contexts: bool,
    /// What may be secret in its command line.
    pub secrets: bool,
}

/// What became of a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Added {
    /// It is there now.
    New {
        /// Its run.
        run: Box<Run>,
        /// Labels of the profile in whose place others came.
        replaced: Vec<Label>,
        /// What is to be said of an import, a sentence each.
        notes: Vec<String>,
    },
    /// It was there.
    Known {
        /// The number of its run.
        id: String,
        /// Labels that it was to get and does not have.
        ignored: Vec<Label>,
    },
}

impl Adder {
    /// For a dataset, which is made if there is none.
    ///
    /// # Errors
    /// If it cannot be made or read.
    pub fn new(root: &Path, keep: Keep) -> Result<Self> {
        let dataset = Dataset::create(root)?;
        let known = dataset.run_files()?;
        Ok(Self { dataset, known, tables: SharedTables::default(), keep })
    }

    /// Adds a profile, or what another tool has recorded. `labels` come before those that
    /// the profile has.
    ///
    /// # Errors
    /// If it cannot be read, or has no calling contexts, or a file cannot be written.
    pub fn add(&mut self, path: &Path, labels: &Labels) -> Result<Added> {
        let Archived { mut profile, mut bytes, id, notes } = archive::read(path)?;
        if let Some(row) = self.known.get(&id) {
            let ignored = lacking(row, labels)?;
            return Ok(Added::Known { id, ignored });
        }
        if !self.keep.secrets {
            // Its number stays, so that it is known with them and without.
            redact(&mut profile);
            bytes.clear();
            profile::write(&profile, &mut bytes).map_err(|error| Error::profile(path, &error))?;
        }
        let replaced = replaced(&profile.run.labels, labels);
        let mut all_labels = std::mem::take(&mut profile.run.labels);
        all_labels.extend(labels.clone());
        let mut run = Run::of(id.clone(), &profile.run, all_labels);
        run.has_tree = self.keep.tree;
        let archive = self.dataset.path(Kind::Trees, &run);
        let file = path.display().to_string();
        let (prepared, archived) = both(
            || {
                make_comparable(&mut profile);
                let code = Code::of(&profile);
                let kept = self.keep.contexts.then(|| profile.clone());
                let selection = Selection { metric: MetricChoice::Every, ..Selection::default() };
                let tree = Tree::merge(vec![(file.clone(), profile)], &selection)?;
                Ok::<_, Error>((tree, code, kept))
            },
            || {
                if self.keep.tree {
                    self.dataset.add(&archive, |file| archive::write(&bytes, file))?;
                }
                Ok::<_, Error>(())
            },
        );
        let (mut tree, code, kept) = prepared?;
        let named_file = |error: Error| Error::new(format!("{file}: {error}"));
        let mut metrics = tree.metric_names();
        let usual = usual_metric(metrics.iter().map(String::as_str));
        let usual = usual.map(str::to_owned).unwrap_or_default();
        metrics.sort_by_key(|name| *name != usual);
        tree.choose_metrics(&metrics);

        let executed = executed(&tree);
        let methods = named(&tree, &executed);
        // What the archive has to say comes first: a run without it would have none.
        archived?;
        let numbers = self.tables.number(&self.dataset, &mut run, &methods, &tree)?;
        let (method_runs, dominators) =
            summarise(&tree, &code, &executed, &numbers).map_err(named_file)?;
        run.contexts = tree.len() as i64;
        run.methods = executed.len() as i64;
        run.metric = usual;
        // In range, as the sums by method are.
        run.total = tree.total() as i64;
        run.totals = METRICS.map(|name| {
            let metric = tree.metrics.iter().find(|metric| metric.name == name)?;
            Some(metric.values.iter().sum::<u64>() as i64)
        });
        if let Some(profile) = kept {
            let numbers: FxHashMap<_, _> =
                methods.iter().copied().zip(numbers.iter().copied()).collect();
            contexts::add(&self.dataset, &run, profile, &numbers).map_err(named_file)?;
        }
        method_runs.write(&self.dataset, &run)?;
        dominators.write(&self.dataset, &run)?;
        // With this the run is there.
        let row = self.dataset.path(Kind::Runs, &run);
        let is_first = self.dataset.claim(&row, |file| run.write(file))?;
        if !is_first {
            let ignored = lacking(&row, labels)?;
            self.known.insert(id.clone(), row);
            return Ok(Added::Known { id, ignored });
        }
        self.known.insert(id, row);
        Ok(Added::New { run: Box::new(run), replaced, notes })
    }
}

/// Those of the labels that a run does not have.
fn lacking(row: &Path, labels: &Labels) -> Result<Vec<Label>> {
    if labels.is_empty() {
        return Ok(Vec::new());
    }
    let run = Run::read(row)?;
    let lacks = labels.iter().filter(|(key, value)| run.label(key) != Some(value));
    Ok(lacks.map(|(key, value)| Label { key: key.clone(), value: value.clone() }).collect())
}

/// The labels of a profile in whose place others come, with the value of each there.
fn replaced(own: &Labels, labels: &Labels) -> Vec<Label> {
    let differs = |key: &String, value: &String| labels.get(key).is_some_and(|new| new != value);
    let replaced = own.iter().filter(|(key, value)| differs(key, value));
    replaced.map(|(key, value)| Label { key: key.clone(), value: value.clone() }).collect()
}
