//! Where nulls come from (Xu et al. 2014, section 2.1).
//!
//! The domain has two elements: a value is null, or it is not. A node is an
//! instruction that makes, loads, stores or passes references, and the shadow of
//! a value is the node that handled it last. Shadows are kept for all references
//! and mean something for nulls only, so probes note a dependence when they see
//! a null, and cost a comparison otherwise.
//!
//! [`nodes`] numbers the instructions. Around them [`code`] and [`passing`] write
//! the probes; heap locations know who stored null in them last, in the fields
//! beside them, or in [`tables`]. An instruction that is about to meet a null
//! leaves word for the [`exceptions`] that the JVM raises for it.

mod code;
pub mod exceptions;
pub mod nodes;
pub mod passing;
pub mod probes;
pub mod tables;

use arena::Arena;
use classfile::ssa::Definition;
use classfile::ssa::kinds::{Role, role};
use classfile::{
    ClassEditor, ClassFile, Code, CodeEdit, Instruction, Member, PoolExtension, Refusal,
    descriptor, opcode,
};
use profile::layout::dataflow::null;
use profile::metadata::Record;
use profile::null_records::NullInstructionKind;

use super::capability::Capability;
use super::domain::{Domain, Shadow, Source, Step, Use};
use super::emit::Target;
use super::emit::invalidation;
use super::methods::follow::{Followed, Following, Obstacle, number_of_field};
use super::mode::{DataflowMode, DataflowOptions};
use super::objects::tags;
use super::shadows::Shadows;
use super::subject::Subject;
use super::tables::{Graph, Tables};
use super::tracking::calls::Call;
use super::tracking::stack::{self, TRACKED_ARGUMENTS};
use crate::probe::members::Family;
use crate::probe::{Access, RuntimeClass};
use code::NullCode;
use nodes::NullNodes;
use tables::NullTables;

/// `mode=nulls`.
#[derive(Debug)]
pub struct NullsMode;

impl DataflowMode for NullsMode {
    fn name(&self) -> &'static str {
        "nulls"
    }

    fn has_last_writer(&self, descriptor: &[u8]) -> bool {
        is_reference(descriptor)
    }

    fn capabilities(&self) -> &'static [Capability] {
        &[Capability::FollowsValues, Capability::KeepsLastWriters]
    }

    fn families(&self) -> &'static [Family] {
        &[
            tags::probes::FAMILY,
            super::probes::FAMILY,
            stack::FAMILY,
            probes::FAMILY,
            invalidation::FAMILY,
        ]
    }

    fn runtime_classes(&self) -> &'static [&'static [RuntimeClass]] {
        &[tags::RUNTIME_CLASSES, RUNTIME_CLASSES, invalidation::RUNTIME_CLASSES]
    }

    fn thread_tables(&self) -> &'static [&'static str] {
        &["edges"]
    }

    fn tables(&self, _: &Arena, _: DataflowOptions, _: u32, _: Option<u64>) -> Option<Tables> {
        Some(Box::new(NullTables::default()))
    }

    fn add_fields(
        &self,
        (class, _): (&ClassFile<'_>, bool),
        _: Option<&Graph>,
        editor: &mut ClassEditor<'_>,
    ) -> Result<bool, Refusal> {
        exceptions::add(class, editor)
    }

    fn edit_unconditionally(
        &self,
        method: &Member<'_>,
        code: &Code<'_>,
        access: Access,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<(), Refusal> {
        exceptions::insert(method, code, access, edit, pool)
    }

    fn follow(
        &self,
        followed: Followed<'_>,
        following: &Following<'_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<(), Obstacle> {
        let Following { graph, write } = *following;
        match graph.tables::<NullTables>() {
            Some(tables) => insert(followed, graph, tables, write, edit, pool),
            None => Ok(()),
        }
    }
}

/// The runtime classes behind the probes of nulls.
const RUNTIME_CLASSES: &[RuntimeClass] = &[
    RuntimeClass::new("SubsumeTags"),
    RuntimeClass::new("SubsumeDataflow"),
    RuntimeClass::new("SubsumeStack"),
    RuntimeClass::new("SubsumeWeakEntry"),
    RuntimeClass::new("SubsumeClockCache"),
    RuntimeClass::new("SubsumeFreeLists"),
    RuntimeClass::new("SubsumeOverflowArray"),
    RuntimeClass::new("SubsumeNullElements"),
    RuntimeClass::new("SubsumeShadowFields"),
    RuntimeClass::new("SubsumeStatics"),
    RuntimeClass::initialised_by(
        "SubsumeNulls",
        "canFollow",
        "java.lang.SubsumeNulls cannot be initialised",
    ),
];

/// The domain of `mode=nulls`.
#[derive(Debug)]
pub struct Nulls<'n> {
    nodes: &'n NullNodes,
    /// For each argument, the receiver included, whether it may be null.
    arguments: Vec<bool>,
}

impl<'n> Nulls<'n> {
    /// For one method.
    pub fn new(subject: &Subject<'_>, nodes: &'n NullNodes) -> Self {
        let receiver = (!subject.method.is_static()).then_some(false);
        let parameters = descriptor::parameters(subject.method.descriptor());
        let arguments = receiver.into_iter().chain(parameters.map(is_reference)).collect();
        Self { nodes, arguments }
    }

    fn node(&self, step: &Step<'_>, kind: NullInstructionKind) -> Shadow {
        let node = self.nodes.node(step.instruction.bci, kind);
        node.map_or(Shadow::NONE, |node| Shadow::Static(node.into()))
    }
}

/// True for the descriptor of a type that has null.
pub fn is_reference(descriptor: &[u8]) -> bool {
    matches!(descriptor.first(), Some(b'L' | b'['))
}

/// True if an instruction needs an object in an operand: it throws for null.
pub fn dereferences(subject: &Subject<'_>, step: &Step<'_>, operand: usize) -> bool {
    let is_this = |at: usize| {
        step.operands.get(at).is_some_and(|&value| {
            subject.values.definition(value) == Definition::Parameter(0)
                && !subject.method.is_static()
        })
    };
    match role(step.instruction.opcode, operand) {
        Role::Base if step.instruction.opcode != opcode::GETSTATIC => !is_this(operand),
        Role::Receiver => !is_this(operand) && !initialises(subject, step),
        Role::Length => step.instruction.opcode == opcode::ARRAYLENGTH,
        // What is unlocked has been locked before. The handler that unlocks it covers
        // itself, and HotSpot's C1 compiles none in which anything more may throw.
        Role::Locked => step.instruction.opcode == opcode::MONITORENTER && !is_this(operand),
        Role::Thrown => !is_this(operand),
        _ => false,
    }
}

/// True for a call of a constructor.
fn initialises(subject: &Subject<'_>, step: &Step<'_>) -> bool {
    let pool = subject.code.constant_pool();
    step.instruction.opcode == opcode::INVOKESPECIAL
        && step
            .instruction
            .pool_index()
            .and_then(|index| pool.member_ref(index).ok())
            .is_some_and(|named| named.name == b"<init>")
}

impl Domain for Nulls<'_> {
    fn argument(&self, number: usize, _: bool) -> Shadow {
        match self.arguments.get(number) {
            Some(true) if number < TRACKED_ARGUMENTS => Shadow::Dynamic(Source::Argument(number)),
            Some(true) => Shadow::Static(null::UNKNOWN.into()),
            _ => Shadow::NONE,
        }
    }

    fn result(&self, step: &Step<'_>) -> Shadow {
        use NullInstructionKind::{Constant, Load, Native};
        if let (Some(Call::Tracked { callee }), Some(_)) =
            (step.call, self.nodes.node(step.instruction.bci, Native))
        {
            return Shadow::Dynamic(Source::Returned { callee });
        }
        // An instruction makes one value.
        let made = [Constant, Load, Native].map(|kind| self.node(step, kind));
        made.into_iter().find(|&shadow| shadow != Shadow::NONE).unwrap_or(Shadow::NONE)
    }

    fn wants(&self, step: &Step<'_>, operand: usize) -> Use {
        if self.nodes.dereferences(step.instruction.bci, operand) {
            return Use::Consumed;
        }
        if let Some(Call::Accesses(access)) = step.call {
            let is_stored = Some(operand) == access.stored();
            return if is_stored { Use::Stored } else { Use::Nothing };
        }
        match (role(step.instruction.opcode, operand), step.call) {
            (Role::Stored, _) => Use::Stored,
            (Role::Returned, _) => Use::Returned,
            (Role::Argument, Some(Call::Tracked { .. } | Call::Captures { .. })) => Use::Passed,
            _ => Use::Nothing,
        }
    }

    fn has_one_consumer(&self) -> bool {
        false
    }
}

/// Adds to `edit` what follows the nulls of a method.
fn insert(
    followed: Followed<'_>,
    graph: &Graph,
    tables: &NullTables,
    write: &dyn Fn(&Record),
    edit: &mut CodeEdit,
    pool: &mut PoolExtension,
) -> Result<(), Obstacle> {
    let Followed { method, code, plan, number, access, .. } = followed;
    let subject = Subject::new(method, code, plan).map_err(Obstacle::Unsupported)?;
    let fields = |code: &Code<'_>, instruction: &Instruction<'_>| {
        number_of_field(graph, code, instruction, write)
    };
    let found = NullNodes::new(&subject, &fields, |count| tables.instructions(number, count));
    let nodes = found.ok_or(Obstacle::Refused(Refusal::TableTooLong))?;
    let shadows = Shadows::new(&subject, &Nulls::new(&subject, &nodes), &fields);
    write(&Record::NullNodes(nodes.record(number)));
    let mode = NullCode::new(&subject, &shadows, &nodes);
    let (subject, shadows) = (&subject, &shadows);
    let last_writers = graph.last_writers.as_ref();
    let owners = followed.owners;
    let target = Target { subject, shadows, access, own_nodes: None, last_writers, owners };
    target.emit(&mode, &fields, edit, pool).map_err(Obstacle::Refused)
}
