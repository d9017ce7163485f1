//! What the user wants recorded.

use profile::layout::metrics;

/// What is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mode {
    /// Whether calls, bytecodes and allocations of calling contexts are.
    pub calls: bool,
    /// The data flow that is recorded, if any.
    pub flow: Option<Flow>,
}

impl Default for Mode {
    fn default() -> Self {
        Self { calls: true, flow: None }
    }
}

/// How data flow is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flow {
    /// What is followed.
    pub domain: DomainKind,
    /// What tells objects of one site apart.
    pub context: ContextKind,
    /// In how many groups a site's contexts are kept; 0 without contexts. One
    /// more, slot 0, is for objects that are made without a receiver.
    pub slots: u32,
}

impl Flow {
    /// Whether a method's context depends on its callers'.
    pub fn follows_chains(&self) -> bool {
        self.domain == DomainKind::Costs || self.context == ContextKind::Chain
    }

    /// Whether objects carry tags.
    pub fn tags_objects(&self) -> bool {
        self.domain != DomainKind::Nulls
    }

    /// Whether fields have others beside them for their last writers.
    pub fn has_last_writers(&self) -> bool {
        self.domain != DomainKind::Copies
    }
}

/// What is followed (paper 002, section 2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DomainKind {
    /// Copies: loads and stores of unmodified values.
    Copies,
    /// Costs and benefits of what is computed.
    Costs,
    /// Where nulls come from.
    Nulls,
}

/// What tells objects of one site apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextKind {
    /// Nothing.
    None,
    /// The site of the receiver of the allocating method.
    Receiver,
    /// The sites of all receivers on the stack, hashed.
    Chain,
}

/// With more slots, tags would run out.
const MOST_SLOTS: u32 = 256;

impl Mode {
    /// How many metrics each calling context has in the profile; 0 without contexts.
    pub fn metrics(&self) -> u32 {
        match self.flow {
            _ if !self.calls => 0,
            Some(Flow { domain: DomainKind::Copies, .. }) => metrics::COPIES,
            _ => metrics::CALLS,
        }
    }

    /// Reads the values of the options `mode`, `context` and `slots`.
    ///
    /// # Errors
    /// One line that names the wrong value and what would be right.
    pub fn parse(mode: &str, context: Option<&str>, slots: Option<&str>) -> Result<Self, String> {
        let mut domain = None;
        let mut calls = false;
        for part in mode.split('+') {
            let kind = match part {
                "calls" => {
                    calls = true;
                    continue;
                }
                "copies" => DomainKind::Copies,
                "costs" => DomainKind::Costs,
                "nulls" => DomainKind::Nulls,
                _ => {
                    return Err(format!(
                        "unknown mode '{part}' (known: calls, copies, costs, nulls)"
                    ));
                }
            };
            if domain.is_some_and(|earlier| earlier != kind) {
                return Err(format!("mode={mode}: only one of copies, costs and nulls in a run"));
            }
            domain = Some(kind);
        }
        let Some(domain) = domain else {
            return match (context, slots) {
                (None, None) => Ok(Self::default()),
                (Some(_), _) => Err("option 'context' needs mode=copies or mode=costs".into()),
                (_, Some(_)) => Err("option 'slots' needs mode=copies or mode=costs".into()),
            };
        };
        if domain == DomainKind::Nulls && (context.is_some() || slots.is_some()) {
            let option = if context.is_some() { "context" } else { "slots" };
            return Err(format!("option '{option}' needs mode=copies or mode=costs"));
        }
        let context = match context {
            Some("none") => ContextKind::None,
            Some("receiver") => ContextKind::Receiver,
            Some("chain") if domain == DomainKind::Costs => ContextKind::Chain,
            Some("chain") => return Err("context=chain needs mode=costs".into()),
            Some(other) => {
                return Err(format!(
                    "unknown value '{other}' for context (known: none, receiver, chain)"
                ));
            }
            None => match domain {
                DomainKind::Copies => ContextKind::Receiver,
                DomainKind::Costs => ContextKind::Chain,
                DomainKind::Nulls => ContextKind::None,
            },
        };
        let slots = match slots {
            Some(number) => {
                number.parse().ok().filter(|&slots| slots <= MOST_SLOTS).ok_or_else(|| {
                    format!("slots={number}: a number from 0 to {MOST_SLOTS} is needed")
                })?
            }
            None if domain == DomainKind::Costs => 16,
            None => 4,
        };
        let flow = if context == ContextKind::None || slots == 0 {
            Flow { domain, context: ContextKind::None, slots: 0 }
        } else {
            Flow { domain, context, slots }
        };
        // Copies are counted in calling contexts.
        Ok(Self { calls: calls || domain == DomainKind::Copies, flow: Some(flow) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(mode: &str, context: Option<&str>, slots: Option<&str>) -> Option<Flow> {
        Mode::parse(mode, context, slots).expect("is right").flow
    }

    #[test]
    fn defaults_are_those_of_the_papers_configurations() {
        assert_eq!(flow("calls", None, None), None);
        let copies = Flow { domain: DomainKind::Copies, context: ContextKind::Receiver, slots: 4 };
        assert_eq!(flow("copies", None, None), Some(copies));
        assert_eq!(flow("calls+copies", None, None), Some(copies));
        let costs = Flow { domain: DomainKind::Costs, context: ContextKind::Chain, slots: 16 };
        assert_eq!(flow("costs", None, None), Some(costs));
        let nulls = Flow { domain: DomainKind::Nulls, context: ContextKind::None, slots: 0 };
        assert_eq!(flow("nulls", None, None), Some(nulls));
    }

    #[test]
    fn calls_are_recorded_where_they_are_named_and_where_copies_are() {
        let calls = |mode| Mode::parse(mode, None, None).expect("is right").calls;
        assert!(calls("calls") && calls("calls+costs") && calls("nulls+calls"));
        assert!(calls("copies") && calls("calls+copies"));
        assert!(!calls("costs") && !calls("nulls"));
    }

    #[test]
    fn no_context_means_no_slots_and_the_other_way_round() {
        let none = Flow { domain: DomainKind::Copies, context: ContextKind::None, slots: 0 };
        assert_eq!(flow("copies", Some("none"), None), Some(none));
        assert_eq!(flow("copies", Some("none"), Some("8")), Some(none));
        assert_eq!(flow("copies", None, Some("0")), Some(none));
    }

    #[test]
    fn wrong_values_are_named() {
        for (mode, context, slots, words) in [
            ("copy", None, None, "unknown mode 'copy'"),
            ("copies+costs", None, None, "only one of"),
            ("nulls", None, Some("4"), "option 'slots' needs"),
            ("nulls", Some("none"), None, "option 'context' needs"),
            ("copies", Some("this"), None, "unknown value 'this' for context"),
            ("copies", Some("chain"), None, "context=chain needs mode=costs"),
            ("copies", None, Some("257"), "a number from 0 to 256"),
            ("copies", None, Some("many"), "slots=many"),
            ("calls", Some("none"), None, "option 'context' needs"),
            ("calls", None, Some("4"), "option 'slots' needs"),
        ] {
            let message = Mode::parse(mode, context, slots).expect_err("must be refused");
            assert!(message.contains(words), "{message}");
        }
    }
}
