//! Where nulls come from (Xu et al. 2014, section 2.1): the domain has two elements, null
//! and everything else, so the dependences are those between instructions that handled
//! a null.

use std::collections::{BTreeMap, BTreeSet};

use profile::MethodId;
use profile::dataflow::{
    FieldId, Location, NullGraph, NullKind, NullNode, NullNodeId, NullPointer, Place, TagId,
};

use super::{Context, Hashed, Here, Registry, Rules, Stored};

/// An instruction that handled a null; the number is that of an argument, else 0.
type Node = (MethodId, u32, NullKind, u8);

/// The tracking stack has room for so many arguments, the receiver included.
const TRACKED_ARGUMENTS: usize = 8;

/// What happened so far. A null's shadow is the node that handled it last; that of
/// other values means nothing.
#[derive(Debug, Default)]
pub struct Nulls {
    edges: BTreeSet<(Node, Node)>,
    /// The null that was returned last goes to this node, if somebody takes it.
    returned: Option<(Node, Node)>,
    /// How many exceptions an instruction raised for nulls that this node handled last.
    raised: BTreeMap<(MethodId, u32, Option<Node>), u64>,
}

fn node(here: Here, kind: NullKind) -> Node {
    (here.method, here.bci, kind, 0)
}

impl Nulls {
    /// The null with this shadow goes to a node.
    fn flow(&mut self, from: Option<Node>, to: Node) -> Option<Node> {
        self.edges.extend(from.map(|from| (from, to)));
        Some(to)
    }

    /// The graph.
    pub fn graph(&self, line: impl Fn(MethodId, u32) -> u16) -> NullGraph {
        let last = self.raised.keys().filter_map(|&(.., last)| last);
        let known = self.edges.iter().flat_map(|&(from, to)| [from, to]).chain(last);
        let known: BTreeSet<Node> = known.collect();
        let number = |node: &Node| NullNodeId(known.range(..node).count() as u32);
        let place =
            |method, bci| Place { method: Some(method), bci: bci as u16, line: line(method, bci) };
        let named = known.iter().map(|&(method, bci, kind, argument)| {
            let argument = (argument > 0).then(|| format!("argument {argument}"));
            NullNode { place: place(method, bci), kind, what: argument.unwrap_or_default() }
        });
        let exceptions = self.raised.iter().map(|((method, bci, last), &caught)| NullPointer {
            place: place(*method, *bci),
            last: last.as_ref().map(number),
            caught,
            uncaught: 0,
        });
        NullGraph {
            nodes: named.collect(),
            edges: self.edges.iter().map(|(from, to)| (number(from), number(to))).collect(),
            exceptions: exceptions.collect(),
            ..NullGraph::default()
        }
    }
}

impl Rules for Nulls {
    const KNOWS_WHO_CONSUMES: bool = true;

    type Shadow = Option<Node>;
    /// Who stored null there last.
    type Writer = Option<Node>;

    fn context(_: Context, _: &Registry) -> Option<Hashed> {
        None
    }

    fn null(&mut self, here: Here) -> Self::Shadow {
        Some(node(here, NullKind::Constant))
    }

    fn argument(
        &mut self,
        here: Here,
        number: usize,
        receivers: usize,
        given: Self::Shadow,
    ) -> Self::Shadow {
        if number + receivers > TRACKED_ARGUMENTS {
            return None;
        }
        self.flow(given, (here.method, here.bci, NullKind::Argument, number as u8))
    }

    fn result(&mut self, here: Here, returned: Self::Shadow) -> Self::Shadow {
        let to = node(here, NullKind::Return);
        self.returned = returned.map(|from| (from, to));
        Some(to)
    }

    fn take_result(&mut self) {
        self.edges.extend(self.returned.take());
    }

    fn answer(&mut self, here: Here, _: Self::Shadow) -> Self::Shadow {
        Some(node(here, NullKind::Native))
    }

    fn meet_null(&mut self, here: Here, met: Self::Shadow) {
        *self.raised.entry((here.method, here.bci, met)).or_default() += 1;
    }

    fn allocate(&mut self, _: Here, _: u32, _: TagId) -> Self::Shadow {
        None
    }

    fn made(&mut self, _: Self::Shadow, _: TagId) {}

    fn this(&mut self, given: Self::Shadow, _: TagId) -> Self::Shadow {
        given
    }

    fn compute(&mut self, _: Here, _: u32, _: &[Self::Shadow]) -> Self::Shadow {
        None
    }

    fn test(&mut self, _: Here, _: &[Self::Shadow]) {}

    fn load(
        &mut self,
        here: Here,
        _: u32,
        _: Location,
        is_null: bool,
        writer: &mut Self::Writer,
    ) -> Self::Shadow {
        if !is_null {
            return None;
        }
        let from = writer.unwrap_or(node(here, NullKind::Initial));
        self.flow(Some(from), node(here, NullKind::Load))
    }

    fn store(
        &mut self,
        here: Here,
        _: u32,
        stored: Stored<Self::Shadow>,
        writer: &mut Self::Writer,
    ) {
        *writer = None;
        if stored.is_null {
            *writer = self.flow(stored.value, node(here, NullKind::Store));
        }
    }

    fn begin_copies(&mut self, _: Here, _: u32, _: FieldId) {}

    /// Elements are copied by the call. The fields of a clone count as stored by the code that
    /// stored to the original, and so do elements that nobody was seen to set to null.
    fn copy(
        &mut self,
        here: Here,
        _: u32,
        (_, source): (Location, &mut Self::Writer),
        stored: Stored<Self::Shadow>,
        _: Option<Self::Writer>,
    ) -> Self::Writer {
        match *source {
            Some(from) if stored.is_null && stored.to.field == FieldId::ELEMENTS => {
                self.flow(Some(from), node(here, NullKind::Store))
            }
            from => from.filter(|_| stored.is_null),
        }
    }

    fn native(&mut self, _: Here, _: &[Self::Shadow]) {}
}
