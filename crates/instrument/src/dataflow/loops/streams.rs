//! Whether a stream that ends early searches: what it asks of its elements says so.

use rustc_hash::FxHashMap;

use online::loops::findings::LoopInContext;

use super::program::StreamRole;

/// Calls between a method that is asked and the loop that runs the stream, at most.
const MOST_CALLS: usize = 64;
/// Calls between that loop and the method that the program has called.
const MOST_AROUND: usize = 12;

/// What streams ask, by the node of the method whose loop runs them.
#[derive(Debug, Default)]
pub(super) struct Asked(FxHashMap<u32, bool>);

impl Asked {
    /// Takes account of a node in which data are read while a stream runs: the methods that
    /// called it, by way of which the stream has asked. `above` has the node itself and its
    /// callers, the nearest one first, with their roles.
    pub(super) fn note(&mut self, above: impl Iterator<Item = (u32, Option<StreamRole>)>) {
        // Those that call each other, the one last that the stream has called.
        let mut answers: Vec<(bool, bool)> = Vec::new();
        let mut is_interrupted = false;
        let mut is_of_match = false;
        let mut above = above.take(MOST_CALLS + MOST_AROUND);
        let runs = above.by_ref().find(|&(_, role)| {
            match role {
                Some(StreamRole::Answers { yes, no }) => {
                    if std::mem::take(&mut is_interrupted) {
                        answers.clear();
                    }
                    is_of_match = false;
                    answers.push((yes, no));
                }
                Some(StreamRole::Matches) => is_of_match = true,
                _ => {}
            }
            is_interrupted |= !matches!(role, Some(StreamRole::Answers { .. }));
            role == Some(StreamRole::Runs)
        });
        let (Some((runs, _)), Some(&asked)) = (runs, answers.last()) else { return };
        let is_all = |(_, role)| role == Some(StreamRole::AsksAll);
        let ends_at_no = is_of_match && above.take(MOST_AROUND).any(is_all);
        let (yes, no) = asked;
        // What a method asks others, it may turn round.
        let of_others = |&(yes, no): &(bool, bool)| yes || (no && ends_at_no);
        let is_equality = if ends_at_no { no } else { yes };
        let is_equality = is_equality || answers.iter().rev().skip(1).any(of_others);
        *self.0.entry(runs).or_default() |= is_equality;
    }

    /// Whether the loop in this context is left where something equals something else, or may
    /// be, as far as that is known.
    pub(super) fn may_search(&self, one: LoopInContext) -> bool {
        self.0.get(&one.node).copied().unwrap_or(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNS: Option<StreamRole> = Some(StreamRole::Runs);
    const ALL: Option<StreamRole> = Some(StreamRole::AsksAll);
    const MATCHES: Option<StreamRole> = Some(StreamRole::Matches);

    fn answers(yes: bool, no: bool) -> Option<StreamRole> {
        Some(StreamRole::Answers { yes, no })
    }

    /// What is known of the loop behind the last of these, one called by the next.
    fn asked(called: &[&[Option<StreamRole>]]) -> bool {
        let mut asked = Asked::default();
        for roles in called {
            let at = roles.iter().position(|&role| role == RUNS).unwrap_or(0) as u32;
            asked.note(roles.iter().enumerate().map(|(node, &role)| (7 + node as u32 - at, role)));
        }
        asked.may_search(LoopInContext { number: 1, node: 7 })
    }

    #[test]
    fn the_answer_says_what_a_stream_looks_for() {
        let (equal, other, unequal) =
            (answers(true, false), answers(false, false), answers(false, true));
        // Nobody is asked, or somebody of the JDK.
        assert!(asked(&[&[None, MATCHES, RUNS]]));
        assert!(asked(&[&[None, equal, MATCHES, RUNS]]));
        assert!(!asked(&[&[None, other, MATCHES, None, RUNS]]));
        assert!(!asked(&[&[None, unequal, MATCHES, None, RUNS]]));
        // By way of a method of its own; what the JDK calls on its behalf says nothing.
        assert!(asked(&[&[equal, other, MATCHES, RUNS]]));
        assert!(!asked(&[&[equal, None, other, MATCHES, RUNS]]));
        // A filter before the end.
        assert!(asked(&[&[other, MATCHES, RUNS], &[equal, None, RUNS]]));
        assert!(!asked(&[&[other, MATCHES, RUNS, ALL], &[unequal, None, RUNS, ALL]]));
        assert!(asked(&[&[unequal, MATCHES, None, RUNS, None, ALL]]));
    }
}
