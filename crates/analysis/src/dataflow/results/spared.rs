//! What a cache in front of a method would spare, and by how much that may be wrong.

use profile::dataflow::MethodResults;

use crate::dataflow::results::Followed;
use base::number::grouped;

/// Bytecodes that a cache would have spared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spared {
    /// Those in the hits that were seen. If only the first calls were followed, or not all
    /// inputs were kept, the others are taken to be like them: as large a share of their
    /// bytecodes.
    pub likely: u64,
    /// If none of the others is a hit; with inputs left out, two standard errors less.
    pub least: u64,
    /// If all of them are; with inputs left out, if all calls are.
    pub most: u64,
    /// The standard error where inputs were left out; 0 if there are none.
    pub error: u64,
}

impl Spared {
    /// By what is known of a method's results, with objects compared in one way.
    pub fn new(one: &Followed, results: &MethodResults) -> Self {
        let MethodResults { cost, saving, saving_error: error, .. } = *results;
        if !results.stopped && results.level == 0 {
            return Self { likely: saving, least: saving, most: saving, error };
        }
        // What all its calls executed is known from the tree; of a cost that is estimated
        // from some of the inputs it may be more or less.
        let all = one.inclusive;
        let share = saving as f64 / cost.max(1) as f64;
        let likely = ((all as f64 * share).round() as u64).min(all);
        let within = 2 * error;
        let most = match results.level {
            0 => saving.saturating_add(all.saturating_sub(cost)).min(all),
            // How much of it were other calls is an estimate, too.
            _ => all,
        };
        let least = saving.saturating_sub(within).min(likely);
        Self { likely, least, most: most.max(likely), error }
    }

    /// Whether calls that were not followed may be otherwise.
    pub fn is_guess(&self) -> bool {
        self.least != self.most
    }

    /// As text: a guess, which has bounds, behind `~`.
    pub fn text(&self) -> String {
        let likely = grouped(self.likely);
        if self.is_guess() { format!("~{likely}") } else { likely }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Least, likely and most, where the tree knows of so many bytecodes.
    fn spared(inclusive: u64, stopped: bool, level: u8, saving_error: u64) -> ([u64; 3], String) {
        let results = MethodResults {
            stopped,
            level,
            cost: 1_000,
            saving: 900,
            saving_error,
            ..MethodResults::default()
        };
        let spared = Spared::new(&Followed { inclusive, ..Followed::default() }, &results);
        ([spared.least, spared.likely, spared.most], spared.text())
    }

    #[test]
    fn calls_that_were_not_followed_are_taken_to_be_like_the_others() {
        let guess = spared(50_000, true, 0, 0);
        assert_eq!(guess, ([900, 45_000, 49_900], "~45,000".to_owned()));
    }

    #[test]
    fn of_calls_that_all_were_followed_nothing_is_guessed() {
        assert_eq!(spared(50_000, false, 0, 0), ([900; 3], "900".to_owned()));
    }

    /// Inputs that come often may be among those that were left out, and those that were
    /// kept may stand for more calls than there were.
    #[test]
    fn with_inputs_left_out_the_tree_says_how_much_there_is() {
        assert_eq!(spared(2_000, false, 3, 50).0, [800, 1_800, 2_000]);
        assert_eq!(spared(800, false, 3, 50).0, [720, 720, 800]);
    }
}
