//! What the methods and contexts of a page cost by metrics beside the one that is
//! analysed.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::page::count::{Count, column};
use crate::page::listing::Listing;
use crate::page::threads;
use tree::Tree;
use tree::costs::Labelled;

/// Metrics that a page has beside the one that is analysed, at most; those of
/// [`threads`] come on top.
pub const MOST: usize = 6;

/// The costs by one metric.
#[derive(Debug)]
pub struct ByMetric {
    /// Its name.
    pub name: String,
    /// Cost of the whole tree.
    pub total: u64,
    /// Per method: inclusive and exclusive cost.
    pub methods: Vec<[u64; 2]>,
    /// The same of some contexts.
    pub contexts: Vec<[u64; 2]>,
}

/// The costs of a tree by its metrics but the first, of all methods and of the
/// contexts `nodes`.
pub fn by_metrics(tree: &Tree, nodes: &[u32]) -> Vec<ByMetric> {
    let others = tree.metrics.iter().skip(1).take(MOST + threads::MOST);
    let by_metric = others.map(|metric| {
        let cost = metric.values.as_slice();
        let columns = Labelled { label: &tree.method, parent: &tree.parent, cost, calls: None };
        let methods = columns.costs(tree.methods.len());
        let below = tree.sums_below(cost);
        ByMetric {
            name: metric.name.clone(),
            total: cost.iter().sum(),
            methods: methods.iter().map(|costs| [costs.inclusive, costs.exclusive]).collect(),
            contexts: nodes
                .iter()
                .map(|&node| [below[node as usize], cost[node as usize]])
                .collect(),
        }
    });
    by_metric.collect()
}

/// Columns of a page: inclusive and exclusive costs by metric.
pub type Columns = BTreeMap<String, [Vec<Count>; 2]>;

/// Those of the methods listed.
pub fn of_methods(metrics: &[ByMetric], listing: &Listing<'_>) -> Columns {
    columns(metrics, |metric| {
        listing.listed.iter().map(|&method| metric.methods[method as usize]).collect()
    })
}

/// Those of contexts, by their places.
pub fn of_contexts(metrics: &[ByMetric], places: &[u32]) -> Columns {
    columns(metrics, |metric| places.iter().map(|&at| metric.contexts[at as usize]).collect())
}

fn columns(metrics: &[ByMetric], costs: impl Fn(&ByMetric) -> Vec<[u64; 2]>) -> Columns {
    let both = |metric: &ByMetric| {
        let costs = costs(metric);
        let side = |at: usize| column(costs.iter().map(|cost| cost[at]));
        (metric.name.clone(), [side(0), side(1)])
    };
    metrics.iter().map(both).collect()
}

/// Totals by metric, to be written.
#[derive(Debug, Serialize)]
pub struct Total {
    name: String,
    total: Count,
}

/// Those of some metrics.
pub fn totals(metrics: &[ByMetric]) -> Vec<Total> {
    metrics.iter().map(|m| Total { name: m.name.clone(), total: Count(m.total) }).collect()
}
