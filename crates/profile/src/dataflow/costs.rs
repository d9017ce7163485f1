//! The cost graph, section 4 of the paper.

use crate::Error;
use crate::dataflow::check::within;
use crate::dataflow::{ElementWriters, FieldId, Location, Objects, Place, TagId};

/// Index of an instruction in [`CostGraph::instructions`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstructionId(pub u32);

/// Index of a node in [`CostGraph::nodes`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CostNodeId(pub u32);

/// The thin abstract dependence graph of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CostGraph {
    /// Objects and fields.
    pub objects: Objects,
    /// The instructions that are nodes.
    pub instructions: Vec<Instruction>,
    /// Instructions in context slots.
    pub nodes: Vec<CostNode>,
    /// Dependences: the second node uses a value that the first one made.
    pub edges: Vec<(CostNodeId, CostNodeId)>,
    /// What the nodes do to the heap.
    pub effects: Vec<HeapEffect>,
    /// Which objects refer to which.
    pub references: Vec<Reference>,
    /// How often locations were used.
    pub locations: Vec<LocationUse>,
    /// What is known of groups of locations only.
    pub shared: SharedWriters,
    /// How well the last writers of elements are known.
    pub element_writers: ElementWriters,
}

/// Arrays that are too large for a last writer of each element.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SharedWriters {
    /// How many.
    pub arrays: u64,
    /// Their elements, which share last writers with their neighbours.
    pub elements: u64,
}

/// An instruction that is a node of the graph.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instruction {
    /// Where it stands.
    pub place: Place,
    /// What it does.
    pub kind: InstructionKind,
    /// The field that it loads or stores, [`FieldId::ELEMENTS`] also where it
    /// has none.
    pub field: FieldId,
}

/// What an instruction does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InstructionKind {
    /// Makes a value out of others, or out of nothing.
    #[default]
    Compute,
    /// Makes an object.
    Allocate,
    /// Loads from the heap.
    Load,
    /// Stores into the heap.
    Store,
    /// Decides what is executed next: a predicate consumer.
    Predicate,
    /// Calls native code or code that is not followed: a native consumer.
    Native,
}

impl InstructionKind {
    /// True for predicates and natives, with which values end.
    pub fn consumes(self) -> bool {
        matches!(self, Self::Predicate | Self::Native)
    }
}

/// An instruction in a context slot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CostNode {
    /// The instruction.
    pub instruction: InstructionId,
    /// Slot of the context, `None` for consumers, which have no context.
    pub slot: Option<u32>,
    /// How often it was executed there.
    pub frequency: u64,
}

/// Something that a node did to the heap; a node may have several effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HeapEffect {
    /// The node.
    pub node: CostNodeId,
    /// What it did.
    pub effect: Effect,
    /// How many values it loaded from the location or stored there; 0 for
    /// allocations, which [`Objects::allocations`] counts.
    pub times: u64,
}

/// An effect on the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// It made objects with this tag (`U`, underlined).
    Allocates(TagId),
    /// It stored to the location (`B`, boxed).
    Stores(Location),
    /// It loaded from the location (`C`, circled).
    Loads(Location),
}

/// Objects of one tag were stored in a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    /// The location, a field of the referring objects.
    pub from: Location,
    /// The objects referred to.
    pub to: TagId,
}

/// How often a location was used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationUse {
    /// The location.
    pub location: Location,
    /// Loads from it.
    pub reads: u64,
    /// Stores to it.
    pub writes: u64,
    /// Stores whose value the next store replaced before any load.
    pub overwritten: u64,
}

impl CostGraph {
    /// Checks that every number lies within its table.
    ///
    /// `methods` is how many methods the profile has.
    ///
    /// # Errors
    ///
    /// Names the first number that does not.
    pub fn validate(&self, methods: usize) -> Result<(), Error> {
        self.objects.validate(methods)?;
        for (at, instruction) in self.instructions.iter().enumerate() {
            instruction.place.validate("instruction", at, methods)?;
            let fields = self.objects.fields.len();
            within("instruction", at, "field", instruction.field.0, fields)?;
        }
        for (at, node) in self.nodes.iter().enumerate() {
            within("node", at, "instruction", node.instruction.0, self.instructions.len())?;
            let slots = self.objects.slots as usize + 1;
            node.slot.map_or(Ok(()), |slot| within("node", at, "slot", slot, slots))?;
        }
        let check_node =
            |what, at, node: CostNodeId| within(what, at, "node", node.0, self.nodes.len());
        for (at, &(from, to)) in self.edges.iter().enumerate() {
            check_node("dependence", at, from)?;
            check_node("dependence", at, to)?;
        }
        for (at, effect) in self.effects.iter().enumerate() {
            check_node("heap effect", at, effect.node)?;
            match effect.effect {
                Effect::Allocates(tag) => self.objects.check_tag("heap effect", at, tag)?,
                Effect::Stores(to) => self.objects.check("heap effect", at, to)?,
                Effect::Loads(from) => self.objects.check("heap effect", at, from)?,
            }
        }
        for (at, reference) in self.references.iter().enumerate() {
            self.objects.check("reference", at, reference.from)?;
            self.objects.check_tag("reference", at, reference.to)?;
        }
        for (at, used) in self.locations.iter().enumerate() {
            self.objects.check("location", at, used.location)?;
        }
        Ok(())
    }

    /// The instruction of a node.
    ///
    /// # Panics
    ///
    /// When the node is of another graph.
    pub fn instruction(&self, node: CostNodeId) -> &Instruction {
        &self.instructions[self.nodes[node.0 as usize].instruction.0 as usize]
    }
}
