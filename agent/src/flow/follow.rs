//! Follows the values of one method.

use classfile::ssa::kinds::{Kind, kind};
use classfile::{Code, CodeEdit, Instruction, Local, Member, PoolExtension, Refusal, opcode};
use profile::metadata::{Record, StoreRecord};

use super::calls::Call;
use super::copies::Copies;
use super::emit::Emitter;
use super::emit::spills::Spills;
use super::graph::Graph;
use super::numbers::FieldName;
use super::shadows::{Shadows, for_each_step};
use super::subject::Subject;
use super::unsafe_access::descriptor_of;
use crate::instrument::plan::MethodPlan;
use crate::instrument::probes::Access;

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
    /// The local that keeps the tag of `this` in a constructor, if there is one.
    pub tag_of_this: Option<Local>,
}

/// The widths for which a call that copies arrays has a number each.
const WIDTHS: [u8; 4] = [1, 2, 4, 8];

/// Adds to `edit` what follows the values of a method. `copies` is the local
/// that counts copies.
///
/// # Errors
/// Why that is not possible; for other reasons than those of an edit, in words.
pub fn insert(
    followed: Followed<'_>,
    graph: &Graph,
    write: &dyn Fn(&Record),
    copies: Option<Local>,
    edit: &mut CodeEdit,
    pool: &mut PoolExtension,
) -> Result<(), Obstacle> {
    let Followed { method, code, plan, number, access, tag_of_this } = followed;
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
            (Kind::Store, _) if !shadows.wishes_at(bci).is_empty() => {
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
    let emitter = Emitter {
        subject: &subject,
        shadows: &shadows,
        access,
        copies,
        stores: &stores,
        tag_of_this,
        nodes: None,
        nulls: None,
        last_writers: None,
        spills: Spills::default(),
        edit,
        pool,
    };
    emitter.emit(&fields).map_err(Obstacle::Refused)
}

/// Why a method cannot be followed.
#[derive(Debug)]
pub enum Obstacle {
    /// Its values are not known.
    Unsupported(classfile::ssa::Unsupported),
    /// The edit is not possible.
    Refused(Refusal),
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
