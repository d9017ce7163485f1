//! Contexts of a live file as columns in memory.

use super::METRICS;
use super::walk::{Costs, Sink};
use crate::{Columns, Error, Metric, NO_PARENT, Nodes};

/// Appends contexts to columns.
#[derive(Debug)]
pub(super) struct ColumnSink {
    pub(super) nodes: Nodes,
    /// Which of the costs each metric in `nodes` is.
    wanted: Vec<usize>,
    /// Contexts from the root to the last one.
    path: Vec<u32>,
}

impl ColumnSink {
    /// For these metrics, as far as they are wanted.
    pub(super) fn new(columns: &Columns, metrics: &[usize]) -> Self {
        let found = metrics.iter().map(|&at| (at, METRICS[at]));
        let found = found.filter(|(_, name)| columns.contains(name));
        let (wanted, metrics) = found
            .map(|(at, name)| (at, Metric { name: name.to_owned(), values: Vec::new() }))
            .unzip();
        Self { nodes: Nodes { metrics, ..Nodes::default() }, wanted, path: Vec::new() }
    }
}

impl Sink for ColumnSink {
    fn push(&mut self, depth: u32, method: u32, site: u32, costs: Costs) -> Result<(), Error> {
        let node = self.nodes.len();
        if node >= NO_PARENT as usize - 1 {
            return Err(Error::invalid("more contexts than a profile can number"));
        }
        self.path.truncate(depth as usize);
        self.nodes.method.push(method);
        self.nodes.parent.push(self.path.last().copied().unwrap_or(NO_PARENT));
        self.nodes.site.push(site);
        for (metric, &cost) in self.nodes.metrics.iter_mut().zip(&self.wanted) {
            metric.values.push(costs[cost]);
        }
        self.path.push(node as u32);
        Ok(())
    }

    fn end_thread(&mut self) -> u32 {
        self.path.clear();
        self.nodes.len() as u32
    }
}
