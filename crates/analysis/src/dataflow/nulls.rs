//! Where the nulls behind exceptions came from, section 2.1 of the paper.

use std::collections::VecDeque;

use profile::Profile;
use profile::dataflow::{
    ElementWriters, LostOrigins, NullGraph, NullKind, NullNode, NullNodeId, NullPointer, Place,
};
use rustc_hash::FxHashMap;

use crate::dataflow::adjacency::Adjacency;
use crate::dataflow::copies::unite::add_lost;
use crate::dataflow::method_table::MethodTable;
use tree::error::{Error, Result};
use tree::names::method::Method;

/// Ways of nulls in one or several runs.
#[derive(Debug, Default)]
pub struct Nulls {
    /// The methods that places refer to.
    pub methods: Vec<Method>,
    /// The ways.
    pub graph: NullGraph,
}

/// The null pointer exceptions raised at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raised {
    /// The instruction that met the nulls.
    pub place: Place,
    /// How many of the exceptions were not caught.
    pub uncaught: u64,
    /// How many were caught.
    pub caught: u64,
    /// Those of which it is not known where the null came from.
    pub unknown: u64,
    /// The ways that the nulls came, a shortest one from each origin.
    pub ways: Vec<Way>,
}

/// How a null came from where it was born to where it was met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// The instructions on it, the origin first.
    pub nodes: Vec<NullNodeId>,
    /// Exceptions that met nulls which may have come this way.
    pub exceptions: u64,
}

/// Unites the nulls of some profiles; each comes with the name it has in messages.
///
/// # Errors
/// If a profile has none.
pub fn unite(profiles: &[(String, Profile)]) -> Result<Nulls> {
    let mut table = MethodTable::default();
    let mut nodes: Vec<NullNode> = Vec::new();
    let mut numbers: FxHashMap<NullNode, u32> = FxHashMap::default();
    let mut edges: Vec<(NullNodeId, NullNodeId)> = Vec::new();
    let mut exceptions: Vec<NullPointer> = Vec::new();
    let mut lost: Vec<LostOrigins> = Vec::new();
    let mut element_writers = ElementWriters::default();
    for (file, profile) in profiles {
        let Some(nulls) = &profile.dataflow.nulls else {
            return Err(Error::new(format!(
                "{file}: no nulls were recorded; record with mode=nulls"
            )));
        };
        let methods = table.add(profile);
        let mut renumbered = Vec::with_capacity(nulls.nodes.len());
        for node in &nulls.nodes {
            let node = NullNode { place: methods.place(node.place), ..node.clone() };
            let number = *numbers.entry(node).or_insert_with_key(|node| {
                nodes.push(node.clone());
                nodes.len() as u32 - 1
            });
            renumbered.push(NullNodeId(number));
        }
        let node = |old: NullNodeId| renumbered[old.0 as usize];
        edges.extend(nulls.edges.iter().map(|&(from, to)| (node(from), node(to))));
        exceptions.extend(nulls.exceptions.iter().map(|exception| NullPointer {
            place: methods.place(exception.place),
            last: exception.last.map(node),
            ..*exception
        }));
        add_lost(&mut lost, &nulls.lost);
        element_writers.add(nulls.element_writers);
    }
    edges.sort_unstable();
    edges.dedup();
    let graph = NullGraph { nodes, edges, exceptions, lost, element_writers };
    Ok(Nulls { methods: table.finish(), graph })
}

/// The exceptions by place, those that nobody caught first, then the most
/// frequent ones.
pub fn raised(graph: &NullGraph) -> Vec<Raised> {
    let edges = graph.edges.iter().map(|(from, to)| (to.0, from.0));
    let sources = Adjacency::new(graph.nodes.len(), edges);
    let mut places: FxHashMap<Place, Raised> = FxHashMap::default();
    for exception in &graph.exceptions {
        let empty =
            Raised { place: exception.place, uncaught: 0, caught: 0, unknown: 0, ways: Vec::new() };
        let raised = places.entry(exception.place).or_insert(empty);
        raised.uncaught = raised.uncaught.saturating_add(exception.uncaught);
        raised.caught = raised.caught.saturating_add(exception.caught);
        let count = exception.uncaught.saturating_add(exception.caught);
        match exception.last {
            None => raised.unknown = raised.unknown.saturating_add(count),
            Some(last) => {
                for nodes in ways(graph, &sources, last) {
                    add_way(&mut raised.ways, nodes, count);
                }
            }
        }
    }
    let mut raised: Vec<Raised> = places.into_values().collect();
    for entry in &mut raised {
        entry.ways.sort_by(|a, b| {
            let by_length = || a.nodes.len().cmp(&b.nodes.len());
            b.exceptions.cmp(&a.exceptions).then_with(by_length).then_with(|| a.nodes.cmp(&b.nodes))
        });
    }
    raised.sort_by(|a, b| {
        let by_count = (b.uncaught, b.caught).cmp(&(a.uncaught, a.caught));
        by_count.then(a.place.cmp(&b.place))
    });
    raised
}

fn add_way(ways: &mut Vec<Way>, nodes: Vec<NullNodeId>, exceptions: u64) {
    match ways.iter_mut().find(|way| way.nodes == nodes) {
        Some(known) => known.exceptions = known.exceptions.saturating_add(exceptions),
        None => ways.push(Way { nodes, exceptions }),
    }
}

/// A shortest way from each origin to `last`. Origins are where nulls are born,
/// and where the record of them begins.
fn ways(graph: &NullGraph, sources: &Adjacency, last: NullNodeId) -> Vec<Vec<NullNodeId>> {
    let mut next: FxHashMap<u32, Option<u32>> = FxHashMap::from_iter([(last.0, None)]);
    let mut pending = VecDeque::from([last.0]);
    let mut origins = Vec::new();
    while let Some(node) = pending.pop_front() {
        if graph.nodes[node as usize].kind.is_birth() || sources.of(node).is_empty() {
            origins.push(node);
            continue;
        }
        for &source in sources.of(node) {
            next.entry(source).or_insert_with(|| {
                pending.push_back(source);
                Some(node)
            });
        }
    }
    if origins.is_empty() {
        // Nulls that only went in circles; the way is where they were last.
        origins.push(last.0);
    }
    let way = |&origin: &u32| {
        let follow = |node: &u32| next.get(node).copied().flatten();
        let mut nodes: Vec<NullNodeId> =
            std::iter::successors(Some(origin), follow).map(NullNodeId).collect();
        // To load what nobody was seen to store is one step.
        let place = |at: usize| nodes.get(at).map(|node| graph.nodes[node.0 as usize].place);
        if graph.nodes[origin as usize].kind == NullKind::Initial && place(0) == place(1) {
            nodes.remove(1);
        }
        nodes
    };
    origins.iter().map(way).collect()
}

/// What an instruction does with a null, in words.
pub fn verb(kind: NullKind) -> &'static str {
    match kind {
        NullKind::Constant => "is null",
        NullKind::Initial => "reads null, and nobody was seen to set it",
        NullKind::Native => "calls code that is not followed, and gets null",
        NullKind::Store => "stores it",
        NullKind::Load => "loads it",
        NullKind::Argument => "passes it on",
        NullKind::Return => "returns it",
    }
}
