//! A method whose values are to be followed, and why that may not be possible.

use classfile::{Code, Instruction, Local, Member, Refusal, opcode};
use profile::metadata::Record;

use super::activation::Activation;
use super::leaving::Leaving;
use crate::dataflow::graph::numbers::FieldName;
use crate::dataflow::objects::tags::owners::Owners;
use crate::dataflow::tables::Graph;
use crate::plan::MethodPlan;
use crate::probe::Access;

/// A method that is to be followed.
#[derive(Debug, Clone, Copy)]
pub struct Followed<'a> {
    /// The method.
    pub method: Member<'a>,
    /// Its code.
    pub code: &'a Code<'a>,
    /// How it is recorded beside.
    pub plan: &'a MethodPlan,
    /// Its number.
    pub number: u32,
    /// How its class reaches the probes.
    pub access: Access,
    /// On whose behalf it acts, if what it makes gets tags.
    pub owners: Option<&'a Owners>,
    /// The local that counts copies, if there is one.
    pub copies: Option<Local>,
    /// The local that counts bytecodes, if there is one.
    pub bytecodes: Option<Local>,
    /// The local with the node, if there is one.
    pub node: Option<Local>,
    /// What it does last, if the mode wants something.
    pub leaving: Option<Leaving>,
    /// Whether the options include and exclude choose its class.
    pub is_chosen: bool,
    /// Whether include names it.
    pub is_included: bool,
    /// What an activation keeps of its context, if contexts are followed.
    pub activation: Option<Activation>,
}

/// What is known of the recording when a method is followed.
pub struct Following<'g> {
    /// What is kept of data flow.
    pub graph: &'g Graph,
    /// Writes a record to the profile.
    pub write: &'g dyn Fn(&Record),
}

/// Why a method cannot be followed.
#[derive(Debug)]
pub enum Obstacle {
    /// Its values are not known.
    Unsupported(classfile::ssa::Unsupported),
    /// The edit is not possible.
    Refused(Refusal),
}

impl From<Refusal> for Obstacle {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unsupported(reason) => reason.fmt(f),
            Self::Refused(reason) => reason.fmt(f),
        }
    }
}

/// The number of the field that an instruction accesses.
pub fn number_of_field(
    graph: &Graph,
    code: &Code<'_>,
    instruction: &Instruction<'_>,
    write: &dyn Fn(&Record),
) -> Option<u32> {
    let is_static = match instruction.opcode {
        opcode::GETSTATIC | opcode::PUTSTATIC => true,
        opcode::GETFIELD | opcode::PUTFIELD => false,
        opcode::IALOAD..=opcode::SALOAD | opcode::IASTORE..=opcode::SASTORE => return Some(0),
        _ => return None,
    };
    let named = code.constant_pool().member_ref(instruction.pool_index()?).ok()?;
    let field =
        FieldName { class: named.owner, name: named.name, descriptor: named.descriptor, is_static };
    let number = |field: FieldName<'_>| graph.numbers.field(field, write);
    match &graph.last_writers {
        Some(known) if is_static => Some(known.statics.number(field, number)),
        _ => Some(number(field)),
    }
}
