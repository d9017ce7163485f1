//! Inputs and results of methods: which calls could have taken the result of one before,
//! after "Blueprints" (Bergel et al.) and "MemoizeIt" (OOPSLA 2015).

use std::collections::HashSet;

use crate::Error;
use crate::MethodId;
use crate::dataflow::check::within;
use crate::results;

/// Inputs and results of the methods of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResultsProfile {
    /// The methods that were called and followed, one entry for each depth at which
    /// inputs were compared.
    pub methods: Vec<MethodResults>,
    /// What all that is based on.
    pub totals: ResultsTotals,
}

/// Inputs and results of one method. An *input* is the receiver with the arguments. A
/// *hit* is a call with an input that the same method was given before,
/// with the same result as the last time; a *conflict* one with another result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MethodResults {
    /// The method.
    pub method: MethodId,
    /// How objects are compared: 0 by identity; 1, 2 or 4 by what they hold, so many
    /// references deep.
    pub depth: u8,
    /// What holds for all results: a set of the bits in [`results`].
    pub kinds: u8,
    /// Of the inputs, only those were kept whose hash falls in one of 2^level parts; 0
    /// if all were, and numbers about them are exact.
    pub level: u8,
    /// The level of the receivers, in the same way.
    pub receivers_level: u8,
    /// Calls that returned.
    pub returned: u64,
    /// Calls so deep in recursion that they were not followed.
    pub unfollowed: u64,
    /// Whether calls were followed no longer when those before had shown that no cache would
    /// help, or were as many as the options ask for.
    pub stopped: bool,
    /// Distinct receivers, by identity.
    pub receivers: u64,
    /// Distinct inputs.
    pub inputs: u64,
    /// Calls with an input seen before and the same result.
    pub hits: u64,
    /// The standard error of that, 0 if it is exact.
    pub hits_error: u64,
    /// Hits with the input of the call before.
    pub last_hits: u64,
    /// Calls with an input seen before and another result.
    pub conflicts: u64,
    /// Calls that wrote to objects which they had not made themselves, or called natives
    /// with effects.
    pub wrote: u64,
    /// Those of them that are hits.
    pub hits_that_wrote: u64,
    /// Bytecodes executed in the calls that returned, what they call included; of
    /// recursive calls in the outermost only.
    pub cost: u64,
    /// Bytecodes executed in hits, with what they call; of recursive calls in the outermost
    /// only.
    pub saving: u64,
    /// The standard error of that, 0 if it is exact.
    pub saving_error: u64,
    /// Calls that returned false, 0 or null, by the last result of each input: of conflicts it
    /// is not told. `None` where the recording does not say.
    pub empty: Option<u64>,
}

/// What the results of all methods together are based on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ResultsTotals {
    /// Threads whose tables were added up, as if one had run behind the other. Those of
    /// several runs count apart.
    pub threads: u64,
    /// Objects that got a number to know them by. From 2^30 on numbers repeat.
    pub identities: u64,
    /// Calls that were not followed because they were too deep in recursion.
    pub too_deep: u64,
}

impl MethodResults {
    /// Whether all of these bits of [`results`] hold for its results.
    pub fn always(&self, kinds: u8) -> bool {
        self.kinds & kinds == kinds
    }

    /// The standard error of the number of inputs, 0 if it is exact.
    pub fn inputs_error(&self) -> u64 {
        sampling_error(self.inputs, self.level)
    }

    /// The standard error of the number of receivers, 0 if it is exact.
    pub fn receivers_error(&self) -> u64 {
        sampling_error(self.receivers, self.receivers_level)
    }

    /// The numbers as far as they agree with each other: those of a program that was
    /// stopped in the midst of counting need not.
    #[must_use]
    pub fn agreed(self) -> Self {
        let level = |level: u8| level.min(results::MOST_LEVEL);
        let mut agreed = Self {
            kinds: self.kinds & results::ALL_KINDS,
            level: level(self.level),
            receivers_level: level(self.receivers_level),
            saving: self.saving.min(self.cost),
            ..self
        };
        if agreed.level == 0 {
            agreed.keep_below_calls();
        }
        agreed
    }

    /// Takes off what is more than the calls that returned: numbers that do not agree, and
    /// estimates that are known to be too high.
    pub fn keep_below_calls(&mut self) {
        self.hits = self.hits.min(self.returned);
        self.conflicts = self.conflicts.min(self.returned - self.hits);
        self.last_hits = self.last_hits.min(self.hits);
        self.hits_that_wrote = self.hits_that_wrote.min(self.hits);
        self.empty = self.empty.map(|empty| empty.min(self.returned));
    }

    /// Adds what was recorded of the same method elsewhere, at the same depth. Inputs and
    /// receivers of the two are taken for different ones; what held for the results of
    /// each need not hold for both together, so `ONE_VALUE` goes.
    pub fn add(&mut self, other: &Self) {
        // Two that are each always the same value need not be the same one.
        self.kinds = match (self.returned, other.returned) {
            (0, _) => other.kinds,
            (_, 0) => self.kinds,
            _ => self.kinds & other.kinds & !results::ONE_VALUE,
        };
        // A value that is always null or NaN is one value after all.
        if self.kinds & (results::NULL | results::NAN) != 0 {
            self.kinds |= results::ONE_VALUE;
        }
        // What one of them does not say, both do not.
        self.empty = match (self.returned, other.returned) {
            (0, _) => other.empty,
            (_, 0) => self.empty,
            _ => self.empty.zip(other.empty).map(|(one, more)| one.saturating_add(more)),
        };
        self.stopped |= other.stopped;
        self.level = self.level.max(other.level);
        self.receivers_level = self.receivers_level.max(other.receivers_level);
        // Errors of sums: the roots of the sums of squares.
        for (sum, error) in
            [(&mut self.hits_error, other.hits_error), (&mut self.saving_error, other.saving_error)]
        {
            *sum = (*sum as f64).hypot(error as f64).round() as u64;
        }
        for (sum, number) in [
            (&mut self.returned, other.returned),
            (&mut self.unfollowed, other.unfollowed),
            (&mut self.receivers, other.receivers),
            (&mut self.inputs, other.inputs),
            (&mut self.hits, other.hits),
            (&mut self.last_hits, other.last_hits),
            (&mut self.conflicts, other.conflicts),
            (&mut self.wrote, other.wrote),
            (&mut self.hits_that_wrote, other.hits_that_wrote),
            (&mut self.cost, other.cost),
            (&mut self.saving, other.saving),
        ] {
            *sum = sum.saturating_add(number);
        }
    }

    fn validate(&self, at: usize, methods: usize) -> Result<(), Error> {
        within("result", at, "method", self.method.0, methods)?;
        let says = |what: String| Err(Error::invalid(format!("result {at} {what}")));
        if !results::is_depth(self.depth) {
            return says(format!("is about objects compared at depth {}", self.depth));
        }
        if self.kinds & !results::ALL_KINDS != 0 {
            return says(format!("has the unknown kinds {:#x}", self.kinds));
        }
        if self.level.max(self.receivers_level) > results::MOST_LEVEL {
            return says("keeps less than one of 2^63 inputs".to_owned());
        }
        if *self != self.agreed() {
            return says("has numbers that contradict each other".to_owned());
        }
        Ok(())
    }
}

/// The standard error of a number that was counted in one of 2^level parts.
fn sampling_error(number: u64, level: u8) -> u64 {
    if level == 0 {
        return 0;
    }
    let part = f64::from(level).exp2();
    // The number kept varies by its square root.
    ((number as f64 / part).sqrt() * part).round() as u64
}

impl ResultsTotals {
    /// Adds those of another run.
    pub fn add(&mut self, other: &Self) {
        self.threads = self.threads.saturating_add(other.threads);
        self.identities = self.identities.max(other.identities);
        self.too_deep = self.too_deep.saturating_add(other.too_deep);
    }

    /// Whether two objects may have got the same number.
    pub fn numbers_repeat(&self) -> bool {
        self.identities >= results::IDENTITIES
    }
}

impl ResultsProfile {
    /// Checks that every number lies within its table, that no method has two entries at
    /// one depth, and that the numbers of each agree.
    ///
    /// `methods` is how many methods the profile has.
    ///
    /// # Errors
    ///
    /// Names the first one that does not.
    pub fn validate(&self, methods: usize) -> Result<(), Error> {
        let mut seen = HashSet::with_capacity(self.methods.len());
        for (at, one) in self.methods.iter().enumerate() {
            one.validate(at, methods)?;
            if !seen.insert((one.method, one.depth)) {
                let (method, depth) = (one.method.0, one.depth);
                let what = format!("result {at} is the second of method {method} at depth {depth}");
                return Err(Error::invalid(what));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_have_errors() {
        let results = MethodResults {
            inputs: 1600,
            level: 2,
            receivers: 900,
            receivers_level: 0,
            ..MethodResults::default()
        };
        // 400 were kept, which vary by 20.
        assert_eq!((results.inputs_error(), results.receivers_error()), (80, 0));
    }

    #[test]
    fn contradictions_are_settled_for_the_smaller_number() {
        let results = MethodResults {
            returned: 10,
            hits: 8,
            conflicts: 5,
            last_hits: 9,
            hits_that_wrote: 20,
            cost: 7,
            saving: 9,
            kinds: 0xff,
            ..MethodResults::default()
        };
        let agreed = results.agreed();
        let numbers = [agreed.hits, agreed.conflicts, agreed.last_hits, agreed.hits_that_wrote];
        assert_eq!((numbers, agreed.saving), ([8, 2, 8, 8], 7));
        assert_eq!(agreed.kinds, results::ALL_KINDS);
        assert_eq!(agreed.agreed(), agreed);
    }

    #[test]
    fn what_held_for_each_of_two_need_not_hold_for_both() {
        let of = |kinds, returned| MethodResults { kinds, returned, ..MethodResults::default() };
        let sum = |mut one: MethodResults, other| {
            one.add(&other);
            (one.kinds, one.returned)
        };
        let null = results::NULL | results::ONE_VALUE | results::PER_RECEIVER;
        let one = results::ONE_VALUE | results::PER_RECEIVER;
        assert_eq!(sum(of(null, 3), of(null, 4)), (null, 7));
        assert_eq!(sum(of(one, 3), of(one, 4)), (results::PER_RECEIVER, 7));
        assert_eq!(sum(of(null, 3), of(one, 4)), (results::PER_RECEIVER, 7));
        assert_eq!(sum(of(0, 0), of(null, 4)), (null, 4));
        assert_eq!(sum(of(null, 3), of(0, 0)), (null, 3));
    }
}
