//! Ways of two nulls.

use profile::dataflow::{NullGraph, NullKind, NullNode, NullNodeId, NullPointer};

use super::build::line;

/// A null is born at line 1, stored at 2, loaded at 3 and met at 4; another one
/// comes out of native code at line 5 and is loaded at 3, too.
pub fn nulls() -> NullGraph {
    let node = |at, kind| NullNode { place: line(at), kind, what: String::new() };
    let id = NullNodeId;
    NullGraph {
        nodes: vec![
            node(1, NullKind::Constant),
            node(2, NullKind::Store),
            node(3, NullKind::Load),
            node(5, NullKind::Native),
            node(6, NullKind::Return),
        ],
        edges: vec![(id(0), id(1)), (id(1), id(2)), (id(3), id(2)), (id(2), id(2))],
        exceptions: vec![
            NullPointer { place: line(4), last: Some(id(2)), caught: 2, uncaught: 0 },
            NullPointer { place: line(4), last: None, caught: 1, uncaught: 0 },
            NullPointer { place: line(7), last: Some(id(4)), caught: 0, uncaught: 1 },
        ],
        ..NullGraph::default()
    }
}
