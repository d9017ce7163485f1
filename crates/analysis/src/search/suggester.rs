//! Suggesters: where a search may start.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use super::interface::{Cost, ProfileInterface};

/// A way to choose summaries of length 1 to start from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Suggester {
    /// The greatest cum first: for a search from the top down.
    #[default]
    HighCum,
    /// The greatest base first: for a search from the bottom up.
    HighBase,
    /// Subsuming methods, the greatest induced cost first.
    HighInduced,
}

/// A summary to start from.
#[derive(Debug, Clone)]
pub struct Suggestion<S> {
    /// The summary.
    pub summary: S,
    /// What its method induces, if that is what counts.
    pub induced: Option<Cost>,
}

impl Suggester {
    /// All suggesters, in the order in which they are listed.
    pub const ALL: [Self; 3] = [Self::HighCum, Self::HighBase, Self::HighInduced];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::HighCum => "HighCum",
            Self::HighBase => "HighBase",
            Self::HighInduced => "HighInduced",
        }
    }

    /// The suggestions, the best first; ties in the order of the methods.
    pub fn suggest<P: ProfileInterface>(self, profile: &P) -> Vec<Suggestion<P::Summary>> {
        let plain = |summary| Suggestion { summary, induced: None };
        let mut all: Vec<_> = profile.initial_summaries().into_iter().map(plain).collect();
        match self {
            Self::HighCum => all.sort_by_cached_key(|s| Reverse(profile.cum_of(&s.summary))),
            Self::HighBase => all.sort_by_cached_key(|s| Reverse(profile.base_of(&s.summary))),
            Self::HighInduced => {
                let induced = profile.induced();
                all.retain_mut(|suggestion| {
                    let method = profile.path_of(&suggestion.summary)[0];
                    let found = induced.iter().find(|(subsuming, _)| *subsuming == method);
                    suggestion.induced = found.map(|(_, cost)| *cost);
                    suggestion.induced.is_some()
                });
                all.sort_by_key(|s| Reverse(s.induced));
            }
        }
        all
    }
}

impl fmt::Display for Suggester {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Suggester {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|s| s.name().eq_ignore_ascii_case(name));
        let names = Self::ALL.map(Self::name).join(", ");
        found.ok_or_else(|| format!("no suggester '{name}' (there are: {names})"))
    }
}
