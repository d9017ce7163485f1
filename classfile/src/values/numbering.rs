//! Gives the values their numbers.

use super::Values;
use super::definition::{Definition, MergeInput, ValueId};
use super::draft::{Draft, NONE, Record, Term, TermId};
use super::resolution::{Input, Merges};

/// Turns terms into values.
pub(super) fn number(mut draft: Draft, found: &Merges) -> Values {
    let mut definitions = Vec::with_capacity(draft.terms().len());
    let mut numbers = vec![NONE; draft.terms().len()];
    for (term, number) in draft.terms().iter().zip(&mut numbers) {
        match term {
            Term::Defined(Definition::Merge { .. }) | Term::AtEntry { .. } => {}
            Term::Defined(definition) => {
                *number = definitions.len() as u32;
                definitions.push(*definition);
            }
        }
    }
    let first_merge = definitions.len() as u32;
    let mut merges: Vec<_> =
        found.merges.iter().filter(|merge| draft.is_final(merge.term)).collect();
    merges.sort_unstable_by_key(|merge| (merge.block, merge.slot));
    for merge in &merges {
        numbers[merge.term as usize] = definitions.len() as u32;
        let position = draft.position(merge.slot);
        definitions.push(Definition::Merge { block: merge.block, position });
    }

    let mut inputs = Vec::new();
    let mut input_ends = Vec::with_capacity(merges.len());
    for merge in &merges {
        for input in &found.inputs[merge.inputs.start as usize..merge.inputs.end as usize] {
            if !is_known_before(&draft, input) {
                let value = ValueId(numbers[draft.meaning(input.term) as usize]);
                inputs.push(MergeInput { origin: input.origin, value });
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
    Values { definitions, first_merge, inputs, input_ends, records, operands }
}

/// Whether an input of a handler's merge says nothing new: all predecessors
/// of the block leave what the block finds, so it merges nothing, and what
/// they leave was named by an earlier input.
fn is_known_before(draft: &Draft, input: &Input) -> bool {
    input.is_covered_before && !draft.is_final(input.term)
}
