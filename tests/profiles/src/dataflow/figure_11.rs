//! The paper's example of costs and benefits (Figure 11), as far as its text
//! gives numbers.

use profile::dataflow::{CostGraph, CostNodeId, Effect, InstructionKind, Reference, TagId};

use super::build::{at, effect, node, site, tag};

/// The graph, and what tests ask for by name.
pub struct Example {
    /// The graph.
    pub graph: CostGraph,
    /// The statements of lines 4, 19, 28 and 35.
    pub read: CostNodeId,
    pub write: CostNodeId,
    pub add: CostNodeId,
    pub call: CostNodeId,
    pub list: TagId,
    pub array: TagId,
    pub holder: TagId,
}

/// A value is computed in a loop, kept in field `t` of the object of line 33,
/// read once, and stored in the array (line 24) of a list (line 32) from which
/// it is never taken.
pub fn figure_11() -> Example {
    use InstructionKind::{Compute, Load, Predicate, Store};
    let mut graph = CostGraph::default();
    let [list, array, holder] = [("IntList", 32), ("int[]", 24), ("A", 33)].map(|(class, line)| {
        let site = site(&mut graph.objects, class, line);
        tag(&mut graph.objects, site, None, 1)
    });
    let g = &mut graph;
    let start = [10, 11, 12, 13].map(|line| node(g, line, Compute, 1));
    let body = [15, 16, 17, 18].map(|line| node(g, line, Compute, 1_000));
    let test = node(g, 14, Predicate, 1_001);
    let write = node(g, 19, Store, 1);
    let read = node(g, 4, Load, 1);
    let call = node(g, 35, Compute, 1);
    let add = node(g, 28, Store, 1);
    let keep = node(g, 25, Store, 1);
    for (from, to) in start.iter().zip(&body) {
        g.edges.push((*from, *to));
    }
    for pair in body.windows(2) {
        g.edges.push((pair[0], pair[1]));
    }
    // The loop: the last value is an operand of the first again.
    g.edges.push((body[3], body[0]));
    g.edges.push((start[0], test));
    g.edges.extend([(body[3], write), (write, read), (read, call), (call, add)]);

    let o = &mut g.objects;
    let (t, elements, arr) = (at(o, holder, "t"), at(o, array, "ELM"), at(o, list, "arr"));
    effect(g, write, Effect::Stores(t));
    effect(g, read, Effect::Loads(t));
    effect(g, add, Effect::Stores(elements));
    effect(g, keep, Effect::Stores(arr));
    g.references.push(Reference { from: arr, to: array });
    Example { graph, read, write, add, call, list, array, holder }
}
