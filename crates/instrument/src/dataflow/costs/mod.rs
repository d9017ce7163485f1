//! Costs (Xu et al. 2014, section 4): what was spent on values, and what became of
//! them.
//!
//! A node is an instruction in a context slot, and a value's shadow is the node
//! that made it. Which slot that is, is known when the method is entered
//! ([`super::methods::activation`]), so the shadows of what a method makes itself are constants
//! but for the slot, and dependences among them follow from the code. Probes
//! ([`code`]) note what comes from elsewhere: arguments, results, values that
//! meet, and the last writers of heap locations ([`last_writers`](super::last_writers::fields)).
//! [`nodes`] numbers the instructions, [`tables`] holds what probes write.

mod accesses;
pub mod cache;
mod code;
mod dependences;
pub mod nodes;
pub mod probes;
mod receiver;
pub mod tables;
mod thread_rows;

use arena::Arena;
use classfile::opcode::IINC;
use classfile::ssa::kinds::{Kind, Role, kind, role};
use classfile::{Code, CodeEdit, Instruction, PoolExtension, Refusal};
use profile::dataflow::InstructionKind;
use profile::layout::dataflow as layout;
use profile::metadata::Record;

use super::capability::Capability;
use super::domain::{Domain, Shadow, Source, Step, Use};
use super::emit::Target;
use super::emit::invalidation;
use super::emit::own_nodes::OwnNodes;
use super::intrinsic_probes;
use super::methods::activation::{self, Activation};
use super::methods::follow::{Followed, Following, Obstacle, number_of_field};
use super::mode::{DataflowMode, DataflowOptions};
use super::objects::contexts::{ContextKind, Contexts};
use super::objects::tags;
use super::shadows::Shadows;
use super::subject::Subject;
use super::tables::{Graph, Tables};
use super::tracking::calls::Call;
use super::tracking::stack::{self, TRACKED_ARGUMENTS};
use crate::plan::MethodPlan;
use crate::probe::RuntimeClass;
use crate::probe::members::Family;
use live::thread_trees::ThreadTrees;

use code::CostCode;
use nodes::MethodNodes;
use tables::{CostTables, CountersKey, CountersSize};

/// `mode=costs`.
#[derive(Debug)]
pub struct CostsMode;

impl DataflowMode for CostsMode {
    fn name(&self) -> &'static str {
        "costs"
    }

    fn default_contexts(&self) -> Option<Contexts> {
        Some(Contexts { kind: ContextKind::Chain, slots: 16 })
    }

    fn capabilities(&self) -> &'static [Capability] {
        &[
            Capability::FollowsValues,
            Capability::FollowsChains,
            Capability::KeepsLastWriters,
            Capability::CountsLastNodes,
        ]
    }

    fn families(&self) -> &'static [Family] {
        &[
            tags::probes::FAMILY,
            super::probes::FAMILY,
            stack::FAMILY,
            intrinsic_probes::FAMILY,
            activation::FAMILY,
            probes::FAMILY,
            invalidation::FAMILY,
        ]
    }

    fn runtime_classes(&self) -> &'static [&'static [RuntimeClass]] {
        &[
            tags::RUNTIME_CLASSES,
            &[tags::TAGS_FIT],
            super::probes::RUNTIME_CLASSES,
            RUNTIME_CLASSES,
            invalidation::RUNTIME_CLASSES,
        ]
    }

    fn thread_tables(&self) -> &'static [&'static str] {
        &["births", "edges", "frequencies"]
    }

    fn tables(
        &self,
        arena: &Arena,
        options: DataflowOptions,
        record: u32,
        _: Option<u64>,
    ) -> Option<Tables> {
        let tables = CostTables::new(arena, options.contexts, record + layout::FIRST_FREQUENCIES)?;
        Some(Box::new(tables))
    }

    fn thread_ended(&self, graph: &Graph, _: &ThreadTrees, tree: u32) {
        if let Some(tables) = graph.tables::<CostTables>() {
            tables.thread_ended(graph.arena(), tree);
        }
    }

    /// Each cut has a counter.
    fn plan(&self, plan: &mut MethodPlan, _code: &Code<'_>) -> bool {
        for (counter, cut) in (0..).zip(&mut plan.cuts) {
            cut.residue.counter = Some(counter);
        }
        true
    }

    fn follow(
        &self,
        followed: Followed<'_>,
        following: &Following<'_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<(), Obstacle> {
        let Following { graph, write } = *following;
        match (graph.tables::<CostTables>(), followed.activation) {
            (Some(tables), Some(activation)) => {
                insert(followed, graph, tables, activation, write, edit, pool)
            }
            // The rewriter enters every method where chains are followed.
            _ => Ok(()),
        }
    }
}

/// The runtime classes behind the probes of costs.
const RUNTIME_CLASSES: &[RuntimeClass] = &[
    RuntimeClass::new("SubsumeClockCache"),
    RuntimeClass::new("SubsumeFreeLists"),
    RuntimeClass::new("SubsumeOverflowArray"),
    RuntimeClass::new("SubsumeElements"),
    RuntimeClass::new("SubsumeFields"),
    RuntimeClass::new("SubsumeActivation"),
    RuntimeClass::new("SubsumeInlineCache"),
    RuntimeClass::new("SubsumeReceiverFields"),
    RuntimeClass::new("SubsumeStatics"),
    RuntimeClass::new("SubsumeShadowFields"),
    RuntimeClass::initialised_by(
        "SubsumeCosts",
        "canFollow",
        "java.lang.SubsumeCosts cannot be initialised",
    ),
];

/// Word index of counters in a tree.
pub fn block_counters(graph: &Graph, tree: u32, key: CountersKey) -> u32 {
    let is_kept = graph.keeps(tree);
    let _view = graph.arena().hold_view();
    let tables = graph.tables::<CostTables>();
    tables.map_or(0, |tables| tables.counters(graph.arena(), tree, key, is_kept))
}

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
fn insert(
    followed: Followed<'_>,
    graph: &Graph,
    tables: &CostTables,
    activation: Activation,
    write: &dyn Fn(&Record),
    edit: &mut CodeEdit,
    pool: &mut PoolExtension,
) -> Result<(), Obstacle> {
    let Followed { method, code, plan, number, access, .. } = followed;
    let subject = Subject::new(method, code, plan).map_err(Obstacle::Unsupported)?;
    let fields = |code: &Code<'_>, instruction: &Instruction<'_>| {
        number_of_field(graph, code, instruction, write)
    };
    let found = MethodNodes::new(&subject, &fields, activation, tables, number);
    let mut nodes = found.ok_or(Obstacle::Refused(Refusal::TableTooLong))?;
    let shadows = Shadows::new(&subject, &Costs { nodes: &nodes }, &fields);
    nodes.place_inline_caches(&shadows);
    let size = CountersSize {
        counters: nodes.counters,
        cache_words: nodes.inline_cache_words(),
        is_by_receiver: activation.is_by_receiver,
    };
    if !tables.set_counters(number, size) {
        return Err(Obstacle::Refused(Refusal::TableTooLong));
    }
    write(&Record::CostNodes(nodes.record(number, &shadows, plan)));
    let (first, counts) = nodes.numbers();
    let own_nodes = OwnNodes::enter(activation.slot, first, counts, edit, pool);
    let own_nodes = own_nodes.map_err(Obstacle::Refused)?;
    let mode = CostCode { nodes: &nodes, activation, own_nodes };
    let (subject, shadows) = (&subject, &shadows);
    let (own_nodes, last_writers) = (Some(own_nodes), graph.last_writers.as_ref());
    let owners = followed.owners;
    let target = Target { subject, shadows, access, own_nodes, last_writers, owners };
    target.emit(&mode, &fields, edit, pool).map_err(Obstacle::Refused)
}
