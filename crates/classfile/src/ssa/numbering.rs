//! Gives the values their numbers.

use super::Values;
use super::definition::{Definition, PhiInput, ValueId};
use super::draft::{Draft, NONE, Record, Term, TermId};
use super::resolution::{Input, Phis};

/// Turns terms into values.
pub(super) fn number(mut draft: Draft, found: &Phis) -> Values {
    let mut definitions = Vec::with_capacity(draft.terms().len());
    let mut numbers = vec![NONE; draft.terms().len()];
    for (term, number) in draft.terms().iter().zip(&mut numbers) {
        match term {
            Term::Defined(Definition::Phi { .. }) | Term::AtEntry { .. } => {}
            Term::Defined(definition) => {
                *number = definitions.len() as u32;
                definitions.push(*definition);
            }
        }
    }
    let first_phi = definitions.len() as u32;
    let mut phis: Vec<_> = found.phis.iter().filter(|phi| draft.is_final(phi.term)).collect();
    phis.sort_unstable_by_key(|phi| (phi.block, phi.slot));
    for phi in &phis {
        numbers[phi.term as usize] = definitions.len() as u32;
        let position = draft.position(phi.slot);
        definitions.push(Definition::Phi { block: phi.block, position });
    }

    let mut inputs = Vec::new();
    let mut input_ends = Vec::with_capacity(phis.len());
    for phi in &phis {
        for input in &found.inputs[phi.inputs.start as usize..phi.inputs.end as usize] {
            if !is_known_before(&draft, input) {
                let value = ValueId(numbers[draft.meaning(input.term) as usize]);
                inputs.push(PhiInput { origin: input.origin, value });
            }
        }
        input_ends.push(inputs.len() as u32);
    }

    let operands = std::mem::take(&mut draft.operands);
    let value_of = |term: TermId| ValueId(numbers[draft.meaning(term) as usize]);
    let operands = operands.into_iter().map(value_of).collect();
    let mut records = std::mem::take(&mut draft.records);
    records.retain(Record::is_reached);
    for record in &mut records {
        if record.result != NONE {
            record.result = numbers[record.result as usize];
        }
    }
    Values { definitions, first_phi, inputs, input_ends, records, operands }
}

/// Whether an input of a handler's phi says nothing new: all predecessors
/// of the block leave what the block finds, so it has no phi, and what
/// they leave was named by an earlier input.
fn is_known_before(draft: &Draft, input: &Input) -> bool {
    input.is_covered_before && !draft.is_final(input.term)
}
