//! Which values of a method need a shadow that the code keeps, and for whom.

pub mod redundant;

use classfile::ssa::{Definition, ValueId, ValueSet};
use classfile::{Code, Instruction, opcode};

use self::redundant::drop_repeated;
use crate::dataflow::domain::{Demand, Domain, Shadow, Source, Step, Use};
use crate::dataflow::subject::Subject;

/// Gives fields their numbers; 0 for elements of arrays.
pub type FieldNumbers<'n> = dyn Fn(&Code<'_>, &Instruction<'_>) -> Option<u32> + 'n;

/// The shadows of a method's values.
#[derive(Debug)]
pub struct Shadows {
    /// One for each value.
    shadows: Vec<Shadow>,
    /// Values that are consumed where they are loaded, since nothing stands
    /// between.
    consumed_at_load: Vec<bool>,
    /// Everybody who wants a shadow, in the order of the code. Shadows of
    /// which nothing is known are left out.
    pub demands: Vec<Demand>,
    /// Values whose shadows must be kept: those with a demand, and what flows
    /// into them.
    needed: ValueSet,
}

impl Shadows {
    /// Finds out for all values.
    pub fn new(subject: &Subject<'_>, domain: &dyn Domain, fields: &FieldNumbers<'_>) -> Self {
        let values = &subject.values;
        let mut shadows = vec![Shadow::NONE; values.len()];
        let mut demands = Vec::new();
        for value in values.ids() {
            shadows[value.index()] = match values.definition(value) {
                Definition::Parameter(local) => subject
                    .argument(local)
                    .map_or(Shadow::NONE, |n| domain.argument(n, subject.is_constructed(local))),
                _ => Shadow::NONE,
            };
        }
        for_each_step(subject, fields, |step, result| {
            if let Some(result) = result {
                shadows[result.index()] = domain.result(step);
                if step.instruction.opcode == opcode::NEW
                    && shadows[result.index()] == Shadow::Dynamic(Source::Made)
                    && !is_duplicated(subject, step)
                {
                    // Nobody can say where it is once it is initialised.
                    shadows[result.index()] = Shadow::NONE;
                }
            }
            for (operand, &value) in step.operands.iter().enumerate() {
                let wants = domain.wants(step, operand);
                if wants != Use::Nothing {
                    demands.push(Demand { bci: step.instruction.bci, value, wants });
                }
            }
        });
        resolve_merges(subject, &mut shadows);
        demands.retain(|demand| shadows[demand.value.index()] != Shadow::NONE);
        let mut consumed_at_load = vec![false; values.len()];
        if domain.has_one_consumer() {
            drop_repeated(subject, &shadows, &mut demands, &mut consumed_at_load);
        }
        let dynamic =
            |demand: &&Demand| matches!(shadows[demand.value.index()], Shadow::Dynamic(_));
        let needed = values.demanded_by(demands.iter().filter(dynamic).map(|demand| demand.value));
        Self { shadows, consumed_at_load, demands, needed }
    }

    /// The shadow of a value.
    pub fn of(&self, value: ValueId) -> Shadow {
        self.shadows[value.index()]
    }

    /// What the code has to find out about a value, to keep it; `None` if
    /// nobody asks or the answer is always the same.
    pub fn kept(&self, value: ValueId) -> Option<Source> {
        match self.of(value) {
            Shadow::Dynamic(source) if self.needed.contains(value) => Some(source),
            _ => None,
        }
    }

    /// True if the value is consumed as soon as it is loaded.
    pub fn is_consumed_at_load(&self, value: ValueId) -> bool {
        self.consumed_at_load[value.index()]
    }

    /// The demands of one instruction, in the order of its operands.
    pub fn demands_at(&self, bci: u32) -> &[Demand] {
        let start = self.demands.partition_point(|demand| demand.bci < bci);
        let count = self.demands[start..].iter().take_while(|demand| demand.bci == bci).count();
        &self.demands[start..start + count]
    }
}

/// Passes through the instructions that can be reached.
pub fn for_each_step<'a>(
    subject: &'a Subject<'_>,
    fields: &FieldNumbers<'_>,
    mut each: impl FnMut(&Step<'a>, Option<ValueId>),
) {
    let mut operations = subject.values.operations().peekable();
    for instruction in subject.code.instructions() {
        let Some(operation) = operations.next_if(|next| next.bci == instruction.bci) else {
            continue;
        };
        each(&subject.step(instruction, operation.operands, fields), operation.result);
    }
}

/// True for `new` whose constructor leaves the object on top of the stack.
fn is_duplicated(subject: &Subject<'_>, step: &Step<'_>) -> bool {
    let next = |bci| subject.code.instruction_at(bci);
    let Some(first) = next(step.instruction.end()) else { return false };
    match first.opcode {
        opcode::DUP => true,
        opcode::DUP_X1 => next(first.end()).is_some_and(|then| then.opcode == opcode::SWAP),
        _ => false,
    }
}

/// A merge of values with one and the same shadow has it, too.
fn resolve_merges(subject: &Subject<'_>, shadows: &mut [Shadow]) {
    let values = &subject.values;
    let mut known = vec![false; values.phis().len()];
    let Some(first) = values.phis().next() else { return };
    let mut changes = true;
    while changes {
        changes = false;
        for (at, merge) in values.phis().enumerate() {
            let mut met: Option<Shadow> = None;
            for input in values.inputs(merge) {
                // Of merges of which nothing is known yet the best is assumed.
                if input.value.index().checked_sub(first.index()).is_some_and(|at| !known[at]) {
                    continue;
                }
                let shadow = shadows[input.value.index()];
                met = Some(match (met, shadow) {
                    (_, Shadow::Dynamic(_)) => Shadow::Dynamic(Source::Merged),
                    (None, _) => shadow,
                    (Some(before), _) if before == shadow => shadow,
                    _ => Shadow::Dynamic(Source::Merged),
                });
            }
            let Some(met) = met else { continue };
            if !known[at] || shadows[merge.index()] != met {
                // Once dynamic, it stays so.
                if known[at] && matches!(shadows[merge.index()], Shadow::Dynamic(_)) {
                    continue;
                }
                shadows[merge.index()] = met;
                known[at] = true;
                changes = true;
            }
        }
    }
}
