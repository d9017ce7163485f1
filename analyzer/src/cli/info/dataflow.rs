//! What is approximate about the data flow in a file.

use analysis::dataflow::copies::graph::CopyGraph;
use base::number::{counted, grouped};
use profile::dataflow::{DataFlow, ElementWriters, LostOrigins};
use serde::Serialize;

use crate::cli::dataflow::element_writers::ElementFacts;

/// How well the data flow of a file is known.
#[derive(Debug, Serialize)]
pub struct DataflowFacts {
    /// What was followed: `copies`, `costs` or `nulls`; or `loops` or `results`.
    mode: &'static str,
    /// Loops that have sizes, where the growth of loops was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    growing: Option<usize>,
    /// Nodes of the graph: heap locations for copies, otherwise instructions, each
    /// in its contexts; or loops that read similar values, each in its contexts; or methods
    /// with results.
    nodes: usize,
    /// Its edges: copies with their places, otherwise dependences; or what reads these
    /// values; or methods that met an input again.
    edges: usize,
    /// Values whose origins were lost, by reason.
    lost: Vec<Lost>,
    /// Where elements have last writers.
    #[serde(flatten)]
    elements: Option<ElementFacts>,
    /// Arrays in which neighbours share a last writer.
    arrays_with_shared_last_writers: u64,
}

#[derive(Debug, Serialize)]
struct Lost {
    reason: String,
    values: u64,
}

impl DataflowFacts {
    /// Those of a file; `None` if it has no data flow.
    pub fn new(flow: &DataFlow) -> Option<Self> {
        let lost: &[LostOrigins];
        let (mode, nodes, edges);
        let mut elements: Option<ElementWriters> = None;
        let mut shared = 0;
        if let Some(costs) = &flow.costs {
            (mode, nodes, edges) = ("costs", costs.nodes.len(), costs.edges.len());
            (lost, elements) = (&costs.objects.lost, Some(costs.element_writers));
            shared = costs.shared.arrays;
        } else if let Some(nulls) = &flow.nulls {
            (mode, nodes, edges) = ("nulls", nulls.nodes.len(), nulls.edges.len());
            (lost, elements) = (&nulls.lost, Some(nulls.element_writers));
        } else if let Some(loops) = &flow.loops {
            let reads = loops.loops.iter().map(|found| found.similar.len()).sum();
            (mode, nodes, edges) = ("loops", loops.loops.len(), reads);
            lost = &[];
        } else if let Some(histories) = &flow.typestates {
            (mode, nodes, edges) = ("typestate", histories.nodes.len(), histories.edges.len());
            lost = &[];
        } else if let Some(results) = &flow.results {
            let methods = results.methods.iter().filter(|one| one.depth == 0);
            let again = methods.clone().filter(|one| one.hits + one.conflicts > 0);
            (mode, nodes, edges) = ("results", methods.count(), again.count());
            lost = &[];
        } else {
            let copies = flow.copies.as_ref()?;
            let graph = CopyGraph::new(copies);
            (mode, nodes, edges) = ("copies", graph.locations.len(), graph.edges.len());
            lost = &copies.objects.lost;
        }
        let lost = lost.iter();
        Some(Self {
            mode,
            growing: flow.growth.as_ref().map(|growth| growth.loops.len()),
            nodes,
            edges,
            lost: lost.map(|l| Lost { reason: l.reason.clone(), values: l.values }).collect(),
            elements: elements.map(ElementFacts::new),
            arrays_with_shared_last_writers: shared,
        })
    }

    /// What there is to say, as titles and texts.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let nodes = counted(self.nodes as u64, "node");
        let edges = counted(self.edges as u64, "edge");
        let mut lines = match self.mode {
            "loops" => {
                let loops = counted(self.nodes as u64, "context");
                vec![("Loops", format!("read similar values in {loops} (subsume loops)"))]
            }
            "typestate" => {
                vec![("Histories", format!("of objects, {nodes} (subsume typestate)"))]
            }
            "results" => {
                let methods = counted(self.nodes as u64, "method");
                let again = grouped(self.edges as u64);
                let text = format!("of {methods}, {again} with an input again (subsume repeats)");
                vec![("Results", text)]
            }
            mode => vec![("Data flow", format!("{mode}: {nodes} with {edges}"))],
        };
        if let Some(growing) = self.growing {
            let loops = counted(growing as u64, "loop");
            lines.push(("Growth", format!("sizes and costs of {loops} (subsume growth)")));
        }
        for lost in &self.lost {
            lines.push(("Origins lost", format!("{} {}", grouped(lost.values), lost.reason)));
        }
        if self.arrays_with_shared_last_writers > 0 {
            let arrays = counted(self.arrays_with_shared_last_writers, "large array");
            lines.push(("Last writers shared", format!("by neighbours in {arrays}")));
        }
        if let Some(elements) = self.elements {
            lines.extend(elements.lines());
        }
        lines
    }
}
