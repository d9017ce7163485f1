//! The rules: kinds of waste, and what their findings mean.

use analysis::diagnosis::kind::Kind;
use serde::Serialize;

use super::text::{Text, capital};

/// What a finding is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// What a diagnosis finds.
    Waste(Kind),
    /// A data structure costs more than it brings.
    CostlyStructure,
}

impl Rule {
    /// All of them.
    pub const ALL: [Self; Kind::ALL.len() + 1] = {
        let mut all = [Self::CostlyStructure; Kind::ALL.len() + 1];
        let mut at = 0;
        while at < Kind::ALL.len() {
            all[at] = Self::Waste(Kind::ALL[at]);
            at += 1;
        }
        all
    };

    /// Its name for programs; of what a diagnosis finds that of the JSON answer.
    pub fn id(self) -> &'static str {
        match self {
            Self::Waste(kind) => kind.key(),
            Self::CostlyStructure => "costly_structure",
        }
    }

    /// Its place among all.
    pub fn index(self) -> usize {
        Self::ALL.iter().position(|&one| one == self).unwrap_or_default()
    }

    fn short(self) -> &'static str {
        match self {
            Self::Waste(kind) => kind.text(),
            Self::CostlyStructure => "a structure costs more than it brings",
        }
    }

    /// What it is, and what to do about it.
    fn texts(self) -> [&'static str; 2] {
        let kind = match self {
            Self::Waste(kind) => kind,
            Self::CostlyStructure => {
                return [
                    "Making the values in a data structure takes more than is made of them.",
                    "See which of its fields are never read, or written more than read, and do \
                     without them, or fill them later. 'subsume costs' has all of them, \
                     'subsume cost-of' what went into a value.",
                ];
            }
        };
        match kind {
            Kind::RepeatedResult => [
                "A method computes results that it has computed for the same inputs before.",
                "Keep the results by input, or have the caller ask once. What is right in one \
                 run may be wrong in another: see what else the method reads. A cache needs \
                 memory, and must be told when to forget. 'subsume repeats' has inputs and hits.",
            ],
            Kind::NeverFinds => [
                "A method that looks for something always returns null.",
                "See whether there can be anything to find; otherwise leave the call out, or test \
                 once before the loop. 'subsume repeats' has its calls and inputs.",
            ],
            Kind::RarelyFinds => [
                "A method is tried many times, and nearly always returns false, 0 or null.",
                "Test something cheap first, such as the first character or the type, and call \
                 the method only where it can succeed.",
            ],
            Kind::Reread => [
                "Iterations of a loop read what the iteration before has read.",
                "Compute what does not change before the loop; look elements up in a set or map \
                 instead of searching a list. This may be inherent where all pairs are compared. \
                 'subsume loops' and 'subsume growth' have the figures.",
            ],
            Kind::Growth => [
                "The cost of a loop or a recursive method grows nearly quadratically, or faster, \
                 with its input.",
                "It is slow for large inputs, even where it is not yet. Look for a search or a \
                 copy in the loop that a map, a set or a buffer spares. 'subsume growth' has the \
                 cost by size.",
            ],
            Kind::GrowingCopy => [
                "A text or an array grows by copying itself: each step makes a longer copy.",
                "Append to one StringBuilder, or collect the elements in a list, and make the text \
                 or the array once, behind the loop. What steps copy grows with the square of their \
                 number. 'subsume summary --metric moved' has the elements that are moved.",
            ],
            Kind::IdleLoop => [
                "Most iterations of a loop write nothing that anybody reads later.",
                "Stop when there is nothing left to do, or look up what the loop searches. \
                 'subsume growth' has the iterations.",
            ],
            Kind::QueryInLoop => [
                "A loop asks for one thing after the other, each by a query.",
                "Ask for all of them at once, before the loop.",
            ],
            Kind::ShortLived => [
                "Objects are made that live for a few calls only.",
                "Pass the values themselves, reuse one object, or do without the step that makes \
                 them. C2 removes some of these objects. 'subsume temporaries' has them by site.",
            ],
            Kind::Unused => [
                "Values are computed, and neither they nor what is made of them is ever used.",
                "Compute them only where they are needed. 'subsume dead' has them by method and \
                 line, 'subsume cost-of' what went into one.",
            ],
            Kind::Overwritten => [
                "Values are stored, and replaced before they are loaded.",
                "Store what is final only, or keep it in a local variable until then.",
            ],
            Kind::Exceptions => [
                "Exceptions are made again and again, as ordinary control flow.",
                "Test for the case before, or return a value that says so. Where the exception \
                 stays, leave out its stack trace.",
            ],
            Kind::NeverClosed => [
                "Objects that have to be closed are never closed.",
                "Close them, best by try-with-resources. 'subsume typestate' has what happened \
                 to them last.",
            ],
            Kind::Misused => [
                "Objects are used in a way that their protocol forbids, such as after their end.",
                "See the calls that led there: 'subsume typestate' has all of them.",
            ],
            Kind::NullMet => [
                "A null is met where an object is expected, again and again or without a handler.",
                "Test for null where it comes from, or give another value there: an exception \
                 costs its stack trace. 'subsume nulls' has the way of each null.",
            ],
        }
    }

    /// What GitHub filters by.
    fn tag(self) -> &'static str {
        match self {
            Self::Waste(kind) if kind.is_defect() => "correctness",
            _ => "performance",
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JsonRule {
    id: &'static str,
    /// The short description as one word.
    name: String,
    short_description: Text,
    full_description: Text,
    help: Text,
    default_configuration: Configuration,
    properties: Properties,
}

#[derive(Debug, Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Debug, Serialize)]
struct Properties {
    tags: [&'static str; 1],
    precision: &'static str,
}

impl JsonRule {
    pub fn new(rule: Rule) -> Self {
        let [full, help] = rule.texts();
        Self {
            id: rule.id(),
            name: name(rule.short()),
            short_description: Text::new(capital(rule.short()) + "."),
            full_description: Text::new(full),
            help: Text::new(help),
            default_configuration: Configuration { level: "warning" },
            properties: Properties { tags: [rule.tag()], precision: "high" },
        }
    }
}

/// A text as one word, such as `SameResultAgain`.
fn name(text: &str) -> String {
    text.split(|c: char| !c.is_alphanumeric()).map(capital).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_place_and_a_name() {
        for (at, rule) in Rule::ALL.into_iter().enumerate() {
            assert_eq!(rule.index(), at);
        }
        assert_eq!(JsonRule::new(Rule::Waste(Kind::ShortLived)).name, "ShortLivedObjects");
    }
}
