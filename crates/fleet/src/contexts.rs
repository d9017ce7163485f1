//! The table `contexts`: a row for each calling context of a run, by a key that is the same
//! in all runs, so that engines merge and compare whole trees.
//!
//! Beside it, in `heads`, stands what a profile says beyond its contexts: methods, call
//! sites, threads, and what is to be known of the run.

use profile::{NO_PARENT, Nodes, Profile};
use rustc_hash::FxHashMap;

use crate::archive;
use crate::dataset::{Dataset, Kind};
use crate::run::Run;
use crate::table::{self, Column};
use tree::error::{Error, Result};
use tree::keys::{
    self, Key, METRICS, NO_SITE, context_key, method_key, path_key, site_of, thread_key,
};
use tree::names::method::Method;

/// The columns of keys.
fn split(keys: &[Key]) -> (Column, Column) {
    let (high, low) = keys.iter().map(|&key| keys::split(key)).unzip();
    (Column::Hash(high), Column::Hash(low))
}

/// Adds the contexts of a run and what else its profile says. `numbers` has the numbers of
/// its methods in the dataset; names are normalised.
///
/// # Errors
/// If they cannot be written.
pub fn add(
    dataset: &Dataset,
    run: &Run,
    profile: Profile,
    numbers: &FxHashMap<&Method, i32>,
) -> Result<()> {
    let rows = Rows::of(&profile, numbers)?;
    rows.write(dataset, run, &profile.nodes)?;
    let mut head = Vec::new();
    profile::write(&without_contexts(profile), &mut head)
        .map_err(|error| Error::new(error.to_string()))?;
    dataset.add(&dataset.path(Kind::Heads, run), |file| archive::write(&head, file))
}

/// The rows of a run, in preorder within each thread.
#[derive(Debug, Default)]
struct Rows {
    /// Its node of each row.
    node: Vec<u32>,
    key: Vec<Key>,
    parent: Vec<Key>,
    path: Vec<Key>,
    /// The last row below each.
    last: Vec<i32>,
    method: Vec<i32>,
    bytecode_index: Vec<i32>,
    line: Vec<i32>,
}

impl Rows {
    fn of(profile: &Profile, numbers: &FxHashMap<&Method, i32>) -> Result<Self> {
        let Nodes { method, parent, site, .. } = &profile.nodes;
        let methods = profile.methods.iter().map(|method| Method {
            class: profile.classes[method.class.0 as usize].name.clone(),
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
        });
        let methods: Vec<(Key, Option<i32>)> =
            methods.map(|method| (method_key(&method), numbers.get(&method).copied())).collect();
        let mut rows = Self::default();
        let mut row_of = vec![0; method.len()];
        for thread in &profile.threads {
            let above = thread_key(&thread.name);
            for node in thread.nodes.clone() {
                let at = node as usize;
                let (label, number) = methods[method[at] as usize];
                let number = number
                    .ok_or_else(|| Error::new("a context is of a method that was not executed"))?;
                let (parent_key, parent_path, site) = match parent[at] {
                    NO_PARENT => (above, 0, NO_SITE),
                    parent => {
                        let row = row_of[parent as usize];
                        let sites = &profile.methods[method[parent as usize] as usize].sites;
                        let site = site[at].checked_sub(1).and_then(|k| sites.get(k as usize));
                        let site = site.map_or(NO_SITE, |&site| site_of(site));
                        (rows.key[row], rows.path[row], site)
                    }
                };
                row_of[at] = rows.node.len();
                // Numbers of nodes have 32 bits; tables have signed ones.
                let row = i32::try_from(rows.node.len())
                    .map_err(|_| Error::new("more contexts than a table of a run numbers"))?;
                rows.node.push(node);
                rows.key.push(context_key(parent_key, label, site));
                rows.parent.push(parent_key);
                rows.path.push(path_key(parent_path, label));
                rows.last.push(row);
                rows.method.push(number);
                rows.bytecode_index.push(site.0);
                rows.line.push(site.1);
            }
        }
        for row in (0..rows.node.len()).rev() {
            let parent = parent[rows.node[row] as usize];
            if parent != NO_PARENT {
                let above = row_of[parent as usize];
                rows.last[above] = rows.last[above].max(rows.last[row]);
            }
        }
        Ok(rows)
    }

    fn write(self, dataset: &Dataset, run: &Run, nodes: &Nodes) -> Result<()> {
        let count = self.node.len();
        let of = |name: &str| -> Option<Vec<i64>> {
            let values = &nodes.metric(name)?.values;
            // In range: the sums of all are.
            Some(self.node.iter().map(|&node| values[node as usize] as i64).collect())
        };
        let (key_hi, key_lo) = split(&self.key);
        let (parent_hi, parent_lo) = split(&self.parent);
        let (path_hi, path_lo) = split(&self.path);
        let mut columns = vec![
            ("run_id", Column::Same(run.id.clone(), count)),
            ("run_key", Column::Long(vec![run.key(); count])),
            ("key_hi", key_hi),
            ("key_lo", key_lo),
            ("parent_hi", parent_hi),
            ("parent_lo", parent_lo),
            ("path_hi", path_hi),
            ("path_lo", path_lo),
            // Rows are as many as 31 bits count.
            ("place", Column::Int((0..count as i32).collect())),
            ("last", Column::Int(self.last.clone())),
            ("method", Column::Int(self.method.clone())),
            ("bytecode_index", Column::Int(self.bytecode_index.clone())),
            ("line", Column::Int(self.line.clone())),
        ];
        for name in METRICS {
            let values = of(name).map(|values| values.into_iter().map(Some).collect());
            columns.push((name, Column::Optional(values.unwrap_or_else(|| vec![None; count]))));
        }
        columns.push(("exclusive", Column::Long(of(&run.metric).unwrap_or_default())));
        let path = dataset.path(Kind::Contexts, run);
        dataset.add(&path, |file| table::write("contexts", &columns, &["place", "last"], file))
    }
}

/// The profile without its contexts, and with all that would be counted from them.
fn without_contexts(mut profile: Profile) -> Profile {
    let calls = profile.by_method("calls");
    for of_method in &mut profile.blocks {
        for block in &mut of_method.blocks {
            block.times.get_or_insert(calls[of_method.method.0 as usize]);
        }
    }
    let nodes = &mut profile.nodes;
    (nodes.method, nodes.parent, nodes.site) = Default::default();
    for metric in &mut nodes.metrics {
        metric.values = Vec::new();
    }
    for thread in &mut profile.threads {
        thread.nodes = 0..0;
    }
    profile.dataflow = Default::default();
    profile
}
