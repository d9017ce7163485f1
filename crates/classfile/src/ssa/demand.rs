//! Demand: which values somebody asks for, and what flows into them.

use super::Values;
use super::definition::{Definition, ValueId};

/// Some of the values of a method.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ValueSet {
    words: Vec<u64>,
}

impl ValueSet {
    fn for_values(count: usize) -> ValueSet {
        ValueSet { words: vec![0; count.div_ceil(64)] }
    }

    /// Whether the value is among them.
    #[inline]
    pub fn contains(&self, value: ValueId) -> bool {
        let word = self.words.get(value.index() / 64).copied().unwrap_or(0);
        word >> (value.0 % 64) & 1 != 0
    }

    /// Adds a value; gives whether it is new.
    fn insert(&mut self, value: ValueId) -> bool {
        let is_new = !self.contains(value);
        if let Some(word) = self.words.get_mut(value.index() / 64) {
            *word |= 1 << (value.0 % 64);
        }
        is_new
    }

    /// The values, ascending.
    pub fn iter(&self) -> impl Iterator<Item = ValueId> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 != 0)
                .map(move |bit| ValueId(index as u32 * 64 + bit))
        })
    }
}

impl Values {
    /// Some values, and through phis all that flows into them: to know
    /// something about the first, all must be followed.
    pub fn demanded_by(&self, relevant: impl IntoIterator<Item = ValueId>) -> ValueSet {
        let mut demanded = ValueSet::for_values(self.len());
        let mut work: Vec<ValueId> = Vec::new();
        for value in relevant {
            if value.index() < self.len() && demanded.insert(value) {
                work.push(value);
            }
        }
        while let Some(value) = work.pop() {
            for input in self.inputs(value) {
                if demanded.insert(input.value) {
                    work.push(input.value);
                }
            }
        }
        demanded
    }

    /// The values other than phis that a value may be, ascending.
    pub fn sources(&self, value: ValueId) -> Vec<ValueId> {
        let is_source =
            |&value: &ValueId| !matches!(self.definition(value), Definition::Phi { .. });
        self.demanded_by([value]).iter().filter(is_source).collect()
    }
}
