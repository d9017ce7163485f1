//! Typestate histories (Xu et al. 2014, section 2.1): calls on objects that follow a protocol,
//! and which call follows which.

use crate::dataflow::Place;
use crate::dataflow::check::within;
use crate::{Error, MethodId};

/// Index of the state of objects that broke their protocol.
pub const ERROR_STATE: u32 = 0;

/// Histories of all objects that follow protocols.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypestateProfile {
    /// What objects follow.
    pub protocols: Vec<TypestateProtocol>,
    /// Where objects were made or obtained.
    pub sites: Vec<TypestateSite>,
    /// What happened to them.
    pub nodes: Vec<TypestateNode>,
    /// What followed what.
    pub edges: Vec<TypestateEdge>,
    /// Different events that found no room.
    pub lost: u64,
    /// Classes of which objects had no room for their state.
    pub unfollowed: u64,
}

/// A protocol.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypestateProtocol {
    /// Its name.
    pub name: String,
    /// Index of the state before the first call.
    pub start: u32,
    /// Its states; the first one is that of objects that broke it.
    pub states: Vec<TypestateState>,
}

/// A state of a protocol.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypestateState {
    /// Its name.
    pub name: String,
    /// Whether objects leak that end in it.
    pub is_leak: bool,
}

/// Where objects were made or obtained.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypestateSite {
    /// The instruction.
    pub place: Place,
    /// The class that it names.
    pub class: String,
    /// Whether it calls a method that returns the objects, rather than making them.
    pub is_obtained: bool,
}

/// An instruction that did something to objects of one site in one state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypestateNode {
    /// Index of the protocol.
    pub protocol: u32,
    /// Index of the site, if it is known.
    pub site: Option<u32>,
    /// The instruction.
    pub place: Place,
    /// The method that it calls, with what that has returned where it counts; `None` if it
    /// makes or obtains the objects.
    pub event: Option<String>,
    /// Index of the state before.
    pub before: u32,
    /// Index of the state after.
    pub after: u32,
}

/// A node that followed another one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TypestateEdge {
    /// Index of the node before; `None` if nothing had happened to the object.
    pub from: Option<u32>,
    /// Index of the node.
    pub to: u32,
    /// How often.
    pub count: u64,
}

impl TypestateProfile {
    /// Checks that every number lies within its table.
    ///
    /// `methods` is how many methods the profile has.
    ///
    /// # Errors
    ///
    /// Names the first one that does not.
    pub fn validate(&self, methods: usize) -> Result<(), Error> {
        for (at, protocol) in self.protocols.iter().enumerate() {
            within("protocol", at, "state", protocol.start, protocol.states.len())?;
        }
        let method = |place: Place| place.method.unwrap_or(MethodId(u32::MAX)).0;
        for (at, site) in self.sites.iter().enumerate() {
            within("typestate site", at, "method", method(site.place), methods)?;
        }
        for (at, node) in self.nodes.iter().enumerate() {
            const WHAT: &str = "typestate node";
            within(WHAT, at, "protocol", node.protocol, self.protocols.len())?;
            let states = self.protocols[node.protocol as usize].states.len();
            within(WHAT, at, "state", node.before, states)?;
            within(WHAT, at, "state", node.after, states)?;
            within(WHAT, at, "method", method(node.place), methods)?;
            if let Some(site) = node.site {
                within(WHAT, at, "site", site, self.sites.len())?;
            }
        }
        for (at, edge) in self.edges.iter().enumerate() {
            within("typestate edge", at, "node", edge.to, self.nodes.len())?;
            if let Some(from) = edge.from {
                within("typestate edge", at, "node", from, self.nodes.len())?;
            }
        }
        Ok(())
    }
}
