//! Loops most of whose iterations have no effect: they could stop early, or have no
//! result.

use base::number::grouped;
use profile::dataflow::LoopEffects;

/// Fewer iterations without effect are not worth a note.
pub const LEAST_IDLE: u64 = 1_000;

/// What is said of such a loop. The recorder takes what it does not know for an effect,
/// so there are at least as many of these iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Idle {
    /// It leaves no trace, however often it is run.
    NoResult,
    /// Where it ends is all that it finds out.
    Search,
    /// At least half of its iterations follow the last one with an effect.
    CouldStopEarly,
}

impl Idle {
    /// What is said of a loop, if anything.
    pub fn of(effects: &LoopEffects) -> Option<Self> {
        let iterations = iterations(effects);
        if iterations < LEAST_IDLE {
            return None;
        }
        match (effects.instances_without == effects.instances, effects.has_one_exit) {
            (true, true) => Some(Self::NoResult),
            (true, false) => Some(Self::Search),
            (false, true) if 2 * iterations >= effects.iterations => Some(Self::CouldStopEarly),
            _ => None,
        }
    }

    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Self::NoResult => "no result",
            Self::Search => "search",
            Self::CouldStopEarly => "could stop early",
        }
    }

    /// What so many iterations do, and what helps.
    pub fn explanation(self) -> [&'static str; 2] {
        match self {
            Self::NoResult => {
                ["have no effect, and the loop has no result", "see whether it is needed at all"]
            }
            Self::Search => [
                "only search for the place where the loop ends",
                "look it up in a map or an index, or search from where the last one was found",
            ],
            Self::CouldStopEarly => [
                "come after the last one that has an effect",
                "stop when there is nothing left to do",
            ],
        }
    }

    /// What the iterations of a loop do, as a sentence without its beginning and its end.
    pub fn sentence(self, effects: &LoopEffects) -> String {
        let [what, _] = self.explanation();
        format!(
            "{} of {} iterations {what} ({} instances)",
            grouped(iterations(effects)),
            grouped(effects.iterations),
            grouped(effects.instances)
        )
    }
}

/// Iterations without effect: those of instances without any, and those behind the last
/// one.
pub fn iterations(effects: &LoopEffects) -> u64 {
    effects.iterations_without.saturating_add(effects.iterations_behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_that_ends_in_several_ways_may_be_a_search() {
        let all = LoopEffects { instances: 9, iterations: 9_000, ..LoopEffects::default() };
        let idle = LoopEffects { instances_without: 9, iterations_without: 9_000, ..all };
        assert_eq!(Idle::of(&idle), Some(Idle::Search));
        assert_eq!(Idle::of(&LoopEffects { has_one_exit: true, ..idle }), Some(Idle::NoResult));
        let behind = |has_one_exit, iterations_behind| {
            Idle::of(&LoopEffects { has_one_exit, iterations_behind, ..all })
        };
        assert_eq!(behind(true, 4_500), Some(Idle::CouldStopEarly));
        assert_eq!(behind(true, 4_499), None);
        assert_eq!(behind(false, 9_000), None);
        let few = LoopEffects { iterations: 900, iterations_without: 900, ..idle };
        assert_eq!(Idle::of(&few), None);
    }
}
