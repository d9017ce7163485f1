//! Costs (paper 002, section 4): what was spent on values, and what became of
//! them.
//!
//! A node is an instruction in a context slot, and a value's shadow is the node
//! that made it. Which slot that is, is known when the method is entered
//! ([`activation`]), so the shadows of what a method makes itself are constants
//! but for the slot, and dependences among them follow from the code. Probes
//! ([`code`]) note what comes from elsewhere: arguments, results, values that
//! meet, and the last writers of heap locations ([`last_writers`](super::last_writers)).
//! [`nodes`] numbers the instructions, [`tables`] holds what probes write.

mod accesses;
pub mod activation;
mod code;
mod dependences;
pub mod nodes;
pub mod probes;
mod receiver;
pub mod tables;

use classfile::opcode::IINC;
use classfile::ssa::kinds::{Kind, Role, kind, role};
use classfile::{Code, CodeEdit, Instruction, PoolExtension, Refusal};
use profile::dataflow::InstructionKind;
use profile::metadata::Record;

use super::calls::Call;
use super::domain::{Domain, Shadow, Source, Step, Use};
use super::emit::Target;
use super::follow::{Followed, Obstacle, number_of_field};
use super::graph::Graph;
use super::shadows::Shadows;
use super::stack::TRACKED_ARGUMENTS;
use super::subject::Subject;

use activation::Activation;
use code::CostCode;
use nodes::MethodNodes;
use tables::CostTables;

/// The domain of `mode=costs`.
#[derive(Debug)]
pub struct Costs<'n> {
    nodes: &'n MethodNodes,
}

impl Costs<'_> {
    fn node(&self, step: &Step<'_>, kind: InstructionKind) -> Shadow {
        self.nodes.node(step.instruction.bci, kind).map_or(Shadow::NONE, Shadow::Own)
    }
}

impl Domain for Costs<'_> {
    fn argument(&self, number: usize, _: bool) -> Shadow {
        match number {
            0..TRACKED_ARGUMENTS => Shadow::Dynamic(Source::Argument(number)),
            _ => Shadow::NONE,
        }
    }

    fn result(&self, step: &Step<'_>) -> Shadow {
        match (kind(step.instruction.opcode), step.call) {
            (Kind::Load, _) => self.node(step, InstructionKind::Load),
            (Kind::Allocation, _) => self.node(step, InstructionKind::Allocate),
            (Kind::Alu | Kind::Comparison | Kind::Length, _) => {
                self.node(step, InstructionKind::Compute)
            }
            (_, Some(Call::Tracked { callee, .. })) => Shadow::Dynamic(Source::Returned { callee }),
            (_, Some(Call::Clones | Call::Concatenates | Call::Captures { .. })) => {
                self.node(step, InstructionKind::Allocate)
            }
            _ => Shadow::NONE,
        }
    }

    fn wants(&self, step: &Step<'_>, operand: usize) -> Use {
        if step.instruction.opcode == IINC {
            return Use::Consumed;
        }
        match (role(step.instruction.opcode, operand), step.call) {
            (Role::Consumed, _) => Use::Consumed,
            (Role::Stored, _) => Use::Stored,
            (Role::Returned, _) => Use::Returned,
            (_, Some(Call::Tracked { .. } | Call::Captures { .. })) => Use::Passed,
            (_, Some(Call::Consumes { .. } | Call::Accesses(_) | Call::Concatenates)) => {
                Use::Consumed
            }
            _ => Use::Nothing,
        }
    }

    fn has_one_consumer(&self) -> bool {
        false
    }
}

/// Adds to `edit` what follows the values of a method.
///
/// # Errors
/// Why that is not possible.
pub fn insert(
    followed: Followed<'_>,
    graph: &Graph,
    (tables, activation): (&CostTables, Activation),
    write: &dyn Fn(&Record),
    edit: &mut CodeEdit,
    pool: &mut PoolExtension,
) -> Result<(), Obstacle> {
    let Followed { method, code, plan, number, access, .. } = followed;
    let subject = Subject::new(method, code, plan).map_err(Obstacle::Unsupported)?;
    let fields = |code: &Code<'_>, instruction: &Instruction<'_>| {
        number_of_field(graph, code, instruction, write)
    };
    let found = MethodNodes::new(&subject, &fields, (tables, activation), number);
    let mut nodes = found.ok_or(Obstacle::Refused(Refusal::TableTooLong))?;
    let shadows = Shadows::new(&subject, &Costs { nodes: &nodes }, &fields);
    nodes.place_encounters(&shadows);
    if !tables.set_counters(number, (nodes.counters, nodes.words_of_encounters())) {
        return Err(Obstacle::Refused(Refusal::TableTooLong));
    }
    write(&Record::CostNodes(nodes.record(number, &shadows, plan)));
    let mode = CostCode { nodes: &nodes, activation };
    let (subject, shadows) = (&subject, &shadows);
    let (context_slot, last_writers) = (Some(activation.slot), graph.last_writers.as_ref());
    let target = Target { subject, shadows, access, context_slot, last_writers };
    target.emit(&mode, &fields, edit, pool).map_err(Obstacle::Refused)
}
