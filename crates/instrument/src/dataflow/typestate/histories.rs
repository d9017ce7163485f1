//! Histories: the calls that change the states of objects, by instruction, allocation site
//! and state before, and which follows which (Xu et al. 2014, section 2.1).

use rustc_hash::FxHashMap;

use crate::dataflow::protocols::Protocols;
use crate::dataflow::protocols::protocol::{ERROR, Outcome};

/// What an instruction tells.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum What {
    /// It calls a method of this name on an object. `is_reference` says whether the method
    /// returns references.
    Calls {
        /// The method.
        name: Box<[u8]>,
        /// Whether it returns references.
        is_reference: bool,
    },
    /// It makes an object of this class.
    Makes(Box<[u8]>),
    /// It calls a method that returns an object of this type, which somebody else may have
    /// made.
    Obtains(Box<[u8]>),
}

/// An instruction that tells what it does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// Number of its method.
    pub method: u32,
    /// Where it is in the method's code.
    pub bci: u16,
    /// Its source line, 0 if unknown.
    pub line: u16,
    /// What it tells.
    pub what: What,
}

/// Instructions of one site or call, in one state before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Node {
    /// Index of the protocol.
    pub protocol: u32,
    /// Number of the instruction.
    pub instruction: u32,
    /// What the call has returned.
    pub outcome: Outcome,
    /// The instruction that made or obtained the objects; 0 if it is not known.
    pub site: u32,
    /// State before.
    pub before: u32,
    /// State after.
    pub after: u32,
}

/// A node that follows another one, and how often it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Number of the node before, or that of a protocol of which the object is new.
    pub from: u32,
    /// Number of the node.
    pub to: u32,
    /// How often.
    pub count: u64,
}

/// Where an event leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Number of the node, the same as before if the event says nothing.
    pub to: u32,
    /// Number of the edge, from 1 on; 0 if the event says nothing.
    pub edge: u32,
}

/// Edges are kept up to this number.
const MOST_EDGES: usize = 1 << 22;

/// Everything that was told.
#[derive(Debug)]
pub struct Histories {
    protocols: Protocols,
    instructions: Vec<Instruction>,
    numbers: FxHashMap<Instruction, u32>,
    nodes: Vec<Node>,
    node_numbers: FxHashMap<Node, u32>,
    edges: Vec<Edge>,
    steps: FxHashMap<(u32, u32), Step>,
    /// Events that found no room.
    pub lost: u64,
}

impl Histories {
    /// Nothing yet.
    pub fn new(protocols: Protocols) -> Self {
        Self {
            protocols,
            instructions: Vec::new(),
            numbers: FxHashMap::default(),
            nodes: Vec::new(),
            node_numbers: FxHashMap::default(),
            edges: Vec::new(),
            steps: FxHashMap::default(),
            lost: 0,
        }
    }

    /// The event of an instruction that begins; with what it returns come the next
    /// numbers, see [`Outcome::of`]. `None` if there are too many.
    pub fn event(&mut self, instruction: Instruction) -> Option<u32> {
        let next = self.instructions.len() as u32 + 1;
        let number = *self.numbers.entry(instruction).or_insert_with_key(|new| {
            self.instructions.push(new.clone());
            next
        });
        number.checked_mul(4).filter(|&event| event < i32::MAX as u32 - 4)
    }

    /// Where an event leads after a node, or after none of an object that follows the
    /// protocol of this number.
    pub fn step(&mut self, from: u32, event: u32) -> Step {
        if let Some(&known) = self.steps.get(&(from, event)) {
            return known;
        }
        let step = self.find(from, event).unwrap_or(Step { to: from, edge: 0 });
        self.steps.insert((from, event), step);
        step
    }

    fn find(&mut self, from: u32, event: u32) -> Option<Step> {
        let (number, outcome) = (event / 4, Outcome::of(event % 4));
        let (protocol, site, before) = match self.node(from) {
            Some(node) => (node.protocol, node.site, node.after),
            None => (from.checked_sub(1)?, 0, self.protocols.get(from as usize - 1)?.start),
        };
        let instruction = self.instructions.get(number as usize - 1)?;
        let (site, after) = match &instruction.what {
            _ if before == ERROR => return None,
            What::Calls { name, .. } => {
                (site, self.protocols.get(protocol as usize)?.after(before, name, outcome)?)
            }
            What::Makes(_) | What::Obtains(_) if site == 0 => (number, before),
            What::Makes(_) | What::Obtains(_) => return None,
        };
        if self.edges.len() >= MOST_EDGES {
            self.lost += 1;
            return None;
        }
        let node = Node { protocol, instruction: number, outcome, site, before, after };
        let next = (self.protocols.len() + self.nodes.len()) as u32 + 1;
        let to = *self.node_numbers.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            next
        });
        self.edges.push(Edge { from, to, count: 0 });
        Some(Step { to, edge: self.edges.len() as u32 })
    }

    /// The node of this number.
    pub fn node(&self, number: u32) -> Option<Node> {
        let at = (number as usize).checked_sub(self.protocols.len() + 1)?;
        self.nodes.get(at).copied()
    }

    /// All nodes with their numbers.
    pub fn nodes(&self) -> impl Iterator<Item = (u32, Node)> {
        (self.protocols.len() as u32 + 1..).zip(self.nodes.iter().copied())
    }

    /// Counts an edge; nothing for number 0.
    pub fn count(&mut self, edge: u32, times: u64) {
        let edge = (edge as usize).checked_sub(1).and_then(|at| self.edges.get_mut(at));
        if let Some(edge) = edge {
            edge.count += times;
        }
    }

    /// All edges, the one of number 1 first.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The instruction of this number.
    pub fn instruction(&self, number: u32) -> Option<&Instruction> {
        self.instructions.get((number as usize).checked_sub(1)?)
    }

    /// The protocols.
    pub fn protocols(&self) -> Protocols {
        self.protocols
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataflow::protocols::protocol::parse;

    const FILE: &str = "protocol file of File\nstart u\nu create -> oe\noe put -> on\n\
                        on put -> on\non close -> c\nc * -> error";

    fn call(bci: u16, name: &[u8]) -> Instruction {
        let what = What::Calls { name: name.into(), is_reference: false };
        Instruction { method: 1, bci, line: bci, what }
    }

    #[test]
    fn states_go_with_sites_and_calls() {
        let mut histories = Histories::new(parse(FILE).expect("is right").leak());
        let made = Instruction { what: What::Makes(b"File"[..].into()), ..call(1, b"") };
        let made = histories.event(made).expect("there is room");
        let [create, put, close] = [(2, &b"create"[..]), (5, b"put"), (9, b"close")]
            .map(|(bci, name)| histories.event(call(bci, name)).expect("there is room"));
        assert_eq!(histories.event(call(5, b"put")), Some(put));
        // The protocol has number 1.
        let site = histories.step(1, made).to;
        let created = histories.step(site, create).to;
        let first = histories.step(created, put);
        let second = histories.step(first.to, put);
        assert_ne!(first.to, second.to, "the state before is another one");
        let third = histories.step(second.to, put);
        assert_eq!((third.to, third.edge), (second.to, second.edge + 1));
        assert_eq!(histories.step(created, close), Step { to: created, edge: 0 });
        let closed = histories.step(third.to, close).to;
        let broken = histories.step(closed, put).to;
        let node = histories.node(broken).expect("was made");
        assert_eq!((node.after, node.site), (ERROR, made / 4));
        assert_eq!(histories.step(broken, put), Step { to: broken, edge: 0 });
        assert_eq!(histories.step(closed, made).edge, 0, "the site is known");
        histories.count(first.edge, 3);
        histories.count(0, 3);
        assert_eq!(histories.edges()[first.edge as usize - 1].count, 3);
    }

    #[test]
    fn what_is_obtained_keeps_its_state() {
        let mut histories = Histories::new(parse(FILE).expect("is right").leak());
        let create = histories.event(call(2, b"create")).expect("there is room");
        let obtained = Instruction { what: What::Obtains(b"File"[..].into()), ..call(4, b"") };
        let obtained = histories.event(obtained).expect("there is room");
        let inside = histories.step(1, create).to;
        assert_eq!(histories.node(inside).expect("was made").site, 0);
        let outside = histories.step(inside, obtained).to;
        let (inside, outside) = (histories.node(inside), histories.node(outside));
        let (inside, outside) = (inside.expect("was made"), outside.expect("was made"));
        assert_eq!((outside.before, outside.after), (inside.after, inside.after));
        assert_eq!(outside.site, obtained / 4);
    }
}
