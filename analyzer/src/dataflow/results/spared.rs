//! What a cache in front of a method would spare, and by how much that may be wrong.

use profile::dataflow::MethodResults;

use crate::dataflow::results::Followed;
use crate::report::number::grouped;

/// Bytecodes that a cache would have spared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spared {
    /// Those in the hits that were seen. If only the first calls were followed, the others
    /// are taken to be like them: as large a share of their bytecodes.
    pub likely: u64,
    /// If none of the others is a hit.
    pub least: u64,
    /// If all of them are.
    pub most: u64,
    /// The standard error where inputs were left out; 0 if there are none.
    pub error: u64,
}

impl Spared {
    /// By what is known of a method's results, with objects compared in one way.
    pub fn new(one: &Followed, results: &MethodResults) -> Self {
        let seen = results.saving;
        // What all its calls executed is known from the tree.
        let others = match results.stopped {
            true => one.inclusive.saturating_sub(results.cost),
            false => 0,
        };
        let share = seen as f64 / results.cost.max(1) as f64;
        let of_others = ((others as f64 * share).round() as u64).min(others);
        Self {
            likely: seen.saturating_add(of_others),
            least: seen,
            most: seen.saturating_add(others),
            error: results.saving_error,
        }
    }

    /// Whether calls that were not followed may be otherwise.
    pub fn is_guess(&self) -> bool {
        self.least != self.most
    }

    /// As text: a guess behind `~`, a standard error behind `±`.
    pub fn text(&self) -> String {
        let likely = grouped(self.likely);
        match (self.is_guess(), self.error) {
            (true, _) => format!("~{likely}"),
            (false, 0) => likely,
            (false, error) => format!("{likely} ±{}", grouped(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spared(stopped: bool) -> Spared {
        let results = MethodResults {
            stopped,
            cost: 1_000,
            saving: 900,
            saving_error: 3,
            ..MethodResults::default()
        };
        Spared::new(&Followed { inclusive: 50_000, ..Followed::default() }, &results)
    }

    #[test]
    fn calls_that_were_not_followed_are_taken_to_be_like_the_others() {
        let guess = spared(true);
        assert_eq!([guess.least, guess.likely, guess.most], [900, 45_000, 49_900]);
        assert_eq!(guess.text(), "~45,000");
    }

    #[test]
    fn of_calls_that_all_were_followed_nothing_is_guessed() {
        let all = spared(false);
        assert_eq!([all.least, all.likely, all.most], [900; 3]);
        assert_eq!(all.text(), "900 ±3");
    }
}
