//! Copies (Xu et al. 2014, section 3): loads and stores of values that nothing has
//! changed in between.
//!
//! A [`shadow`] is the heap location that a value was loaded from, or the new
//! object that it refers to. Computed values and constants come from nowhere. A store adds
//! an edge from the shadow of the value to the location; a computation, a test
//! or native code is the consumer, which all such edges lead to.

mod accesses;
pub mod assignments;
mod code;
mod intrinsics;

use classfile::opcode::{GETSTATIC, IINC};
use classfile::ssa::kinds::{Kind, Role, kind, role};
use classfile::{Code, CodeEdit, Instruction, PoolExtension, opcode};
use profile::layout::dataflow::shadow;
use profile::layout::metrics;
use profile::metadata::{Record, StoreRecord};

use super::capability::Capability;
use super::domain::{Domain, Shadow, Source, Step, Use};
use super::emit::Target;
use super::last_writers::unsafe_access::descriptor_of;
use super::methods::follow::{Followed, Following, Obstacle, number_of_field};
use super::mode::DataflowMode;
use super::objects::contexts::{ContextKind, Contexts};
use super::objects::tags;
use super::shadows::{Shadows, for_each_step};
use super::subject::Subject;
use super::tables::Graph;
use super::tracking::calls::Call;
use super::tracking::stack::{self, TRACKED_ARGUMENTS};
use super::{intrinsic_probes, kinds, probes};
use crate::plan::MethodPlan;
use crate::probe::RuntimeClass;
use crate::probe::members::Family;
use code::CopyCode;

/// The runtime class behind the probes of assignments.
const ASSIGNMENTS: RuntimeClass = RuntimeClass::new("SubsumeAssignments");

/// `mode=copies`.
#[derive(Debug)]
pub struct CopiesMode;

impl DataflowMode for CopiesMode {
    fn name(&self) -> &'static str {
        "copies"
    }

    fn default_contexts(&self) -> Option<Contexts> {
        Some(Contexts { kind: ContextKind::Receiver, slots: 4 })
    }

    /// Copies are counted in calling contexts.
    fn metrics(&self) -> u32 {
        metrics::COPIES
    }

    fn capabilities(&self) -> &'static [Capability] {
        &[Capability::FollowsValues, Capability::RecordsCalls, Capability::NotesConsumedValues]
    }

    fn families(&self) -> &'static [Family] {
        &[
            tags::probes::FAMILY,
            probes::FAMILY,
            stack::FAMILY,
            intrinsic_probes::FAMILY,
            assignments::FAMILY,
        ]
    }

    fn runtime_classes(&self) -> &'static [&'static [RuntimeClass]] {
        &[tags::RUNTIME_CLASSES, &[tags::TAGS_FIT], probes::RUNTIME_CLASSES, &[ASSIGNMENTS]]
    }

    fn thread_tables(&self) -> &'static [&'static str] {
        &["births", "edges"]
    }

    fn plan(&self, plan: &mut MethodPlan, code: &Code<'_>) -> bool {
        kinds::plan(plan, code)
    }

    fn follow(
        &self,
        followed: Followed<'_>,
        following: &Following<'_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<(), Obstacle> {
        insert(followed, following.graph, following.write, edit, pool)
    }
}

/// The domain of `mode=copies`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Copies;

impl Domain for Copies {
    fn argument(&self, number: usize, is_constructed: bool) -> Shadow {
        match number {
            0 if is_constructed => Shadow::Dynamic(Source::Constructed),
            0..TRACKED_ARGUMENTS => Shadow::Dynamic(Source::Argument(number)),
            _ => Shadow::NONE,
        }
    }

    fn result(&self, step: &Step<'_>) -> Shadow {
        let base = step.operands.first().copied();
        match (kind(step.instruction.opcode), step.call) {
            (Kind::Load, _) => match (step.field, base) {
                (Some(field), _) if step.instruction.opcode == GETSTATIC => {
                    Shadow::Static(shadow::of(0, field))
                }
                (Some(0), Some(base)) => Shadow::Dynamic(Source::Element { base }),
                (Some(field), Some(base)) => Shadow::Dynamic(Source::Field { base, field }),
                _ => Shadow::NONE,
            },
            (Kind::Allocation, _) => Shadow::Dynamic(Source::Made),
            (_, Some(Call::Tracked { callee, .. })) => Shadow::Dynamic(Source::Returned { callee }),
            (_, Some(Call::Accesses(access))) if access.loads() => Shadow::Dynamic(Source::Located),
            (_, Some(Call::Clones | Call::Concatenates | Call::Captures { .. })) => {
                Shadow::Dynamic(Source::Made)
            }
            _ => Shadow::NONE,
        }
    }

    fn wants(&self, step: &Step<'_>, operand: usize) -> Use {
        if step.instruction.opcode == IINC {
            return Use::Consumed;
        }
        if let Some(access) = step.call.and_then(Call::unsafe_access) {
            return match Some(operand) {
                stored if stored == access.stored() => Use::Stored,
                consumed if consumed == access.consumed() => Use::Consumed,
                _ => Use::Nothing,
            };
        }
        match (role(step.instruction.opcode, operand), step.call) {
            (Role::Consumed, _) => Use::Consumed,
            (Role::Stored, _) => Use::Stored,
            (Role::Returned, _) => Use::Returned,
            (_, Some(Call::Tracked { .. } | Call::Captures { .. })) => Use::Passed,
            (_, Some(Call::Consumes { .. } | Call::Concatenates)) => Use::Consumed,
            _ => Use::Nothing,
        }
    }

    fn has_one_consumer(&self) -> bool {
        true
    }
}

/// The widths for which a call that copies arrays has a number each.
const WIDTHS: [u8; 4] = [1, 2, 4, 8];

/// Adds to `edit` what follows the values of a method.
fn insert(
    followed: Followed<'_>,
    graph: &Graph,
    write: &dyn Fn(&Record),
    edit: &mut CodeEdit,
    pool: &mut PoolExtension,
) -> Result<(), Obstacle> {
    let Followed { method, code, plan, number, access, owners, copies, .. } = followed;
    let subject = Subject::new(method, code, plan).map_err(Obstacle::Unsupported)?;
    let fields = |code: &Code<'_>, instruction: &Instruction<'_>| {
        number_of_field(graph, code, instruction, write)
    };
    let shadows = Shadows::new(&subject, &Copies, &fields);
    let mut stores = Vec::new();
    let mut records = Vec::new();
    let lines = code.line_table();
    for_each_step(&subject, &fields, |step, _| {
        let bci = step.instruction.bci;
        let mut add = |field, bytes| {
            // Code is shorter than 65,536 bytes.
            let line = lines.line_of(bci).unwrap_or(0);
            records.push(StoreRecord { bci: bci as u16, line, field, bytes });
        };
        let first = match (kind(step.instruction.opcode), step.call) {
            (Kind::Store, _) if !shadows.demands_at(bci).is_empty() => {
                add(step.field.unwrap_or(0), bytes_of_store(graph, code, &step.instruction));
                1
            }
            (_, Some(Call::Accesses(access))) if access.stores() => {
                add(0, bytes_of_access(graph, code, &step.instruction));
                1
            }
            (_, Some(Call::CopiesArray | Call::Clones)) => {
                WIDTHS.into_iter().for_each(|bytes| add(0, bytes));
                WIDTHS.len()
            }
            _ => return,
        };
        stores.push((bci, (records.len() - first) as u32));
    });
    let first = graph.numbers.stores(number, records, write);
    for (_, store) in &mut stores {
        *store += first;
    }
    let mode = CopyCode { copies, stores: &stores };
    let (subject, shadows) = (&subject, &shadows);
    let (own_nodes, last_writers) = (None, None);
    let target = Target { subject, shadows, access, own_nodes, last_writers, owners };
    target.emit(&mode, &fields, edit, pool).map_err(Obstacle::Refused)
}

fn bytes_of_access(graph: &Graph, code: &Code<'_>, instruction: &Instruction<'_>) -> u8 {
    let index = instruction.pool_index();
    let named = index.and_then(|index| code.constant_pool().member_ref(index).ok());
    graph.bytes_of(descriptor_of(named.map_or(b"", |named| named.name)))
}

fn bytes_of_store(graph: &Graph, code: &Code<'_>, instruction: &Instruction<'_>) -> u8 {
    let descriptor: &[u8] = match instruction.opcode {
        opcode::BASTORE => b"B",
        opcode::CASTORE | opcode::SASTORE => b"S",
        opcode::IASTORE | opcode::FASTORE => b"I",
        opcode::LASTORE | opcode::DASTORE => b"J",
        opcode::AASTORE => b"L",
        _ => {
            let index = instruction.pool_index();
            let named = index.and_then(|index| code.constant_pool().member_ref(index).ok());
            named.map_or(b"L", |named| named.descriptor)
        }
    };
    graph.bytes_of(descriptor)
}
