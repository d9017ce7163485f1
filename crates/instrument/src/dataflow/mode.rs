//! What the user wants recorded, and what a mode of data flow has to say.
//!
//! A mode is one implementation of [`DataflowMode`], in a folder of its own, and an
//! entry in the list of [`modes`](super::modes).

use arena::Arena;
use classfile::{ClassEditor, ClassFile, Code, CodeEdit, Member, PoolExtension, Refusal};
use profile::layout::metrics;
use profile::metadata::Record;

use super::capability::Capability;
use super::methods::follow::{Followed, Following, Obstacle};
use super::methods::leaving::Leaving;
use super::objects::contexts::{ContextKind, Contexts};
use super::protocols::Protocols;
use super::tables::{Graph, Tables};
use crate::plan::{Body, MethodPlan};
use crate::probe::members::Family;
use crate::probe::{Access, RuntimeClass};
use live::thread_trees::ThreadTrees;
use online::loops::budget::ACCESSES;
use online::results::MOST_CALLS;

/// A way to follow data (Xu et al. 2014, section 2.1): what it records, and how.
pub trait DataflowMode: std::fmt::Debug + Sync {
    /// Its name among the values of the option `mode`.
    fn name(&self) -> &'static str;

    /// What it needs of the rest.
    fn capabilities(&self) -> &'static [Capability];

    /// Whether it needs that.
    fn has(&self, capability: Capability) -> bool {
        self.capabilities().contains(&capability)
    }

    /// Whether classes get other fields beside their own: all must have them from the
    /// beginning.
    fn adds_fields(&self) -> bool {
        self.has(Capability::AddsFields) || self.has(Capability::KeepsLastWriters)
    }

    /// What tells objects of one site apart where the options do not say; `None` if no
    /// objects are told apart, and the options `context` and `slots` make no sense.
    fn default_contexts(&self) -> Option<Contexts> {
        None
    }

    /// How many metrics each calling context has where calls are recorded beside.
    fn metrics(&self) -> u32 {
        metrics::CALLS
    }

    /// Whether objects carry tags: they are told apart by these.
    fn tags_objects(&self) -> bool {
        self.default_contexts().is_some()
    }

    /// Whether fields of this type have last writers beside them, where fields have any.
    fn has_last_writer(&self, _descriptor: &[u8]) -> bool {
        true
    }

    /// The probes that its code calls.
    fn families(&self) -> &'static [Family];

    /// The runtime classes behind them, in the order in which they are defined.
    fn runtime_classes(&self) -> &'static [&'static [RuntimeClass]];

    /// Fields of `Thread` with addresses of tables, which end with the thread's tree.
    fn thread_tables(&self) -> &'static [&'static str];

    /// What it keeps beside the graph, whose record in the arena starts at this word;
    /// `None` without room. `_memory` is how many bytes the options allow.
    fn tables(
        &self,
        _arena: &Arena,
        _options: DataflowOptions,
        _record: u32,
        _memory: Option<u64>,
    ) -> Option<Tables> {
        Some(Box::new(()))
    }

    /// Adds to the plan of a method what is counted in its node or by its blocks; false
    /// if its values cannot be followed.
    fn plan(&self, _plan: &mut MethodPlan, _code: &Code<'_>) -> bool {
        true
    }

    /// Adds fields that this mode needs in certain classes; true if there are any. The
    /// flag says whether the boot loader loads the class.
    ///
    /// # Errors
    /// When the class has no room.
    fn add_fields(
        &self,
        (_class, _is_boot): (&ClassFile<'_>, bool),
        _graph: Option<&Graph>,
        _editor: &mut ClassEditor<'_>,
    ) -> Result<bool, Refusal> {
        Ok(false)
    }

    /// Adds what a method has to do for this mode whether its values are followed or
    /// not.
    ///
    /// # Errors
    /// When it cannot be edited.
    fn edit_unconditionally(
        &self,
        _method: &Member<'_>,
        _code: &Code<'_>,
        _access: Access,
        _edit: &mut CodeEdit,
        _pool: &mut PoolExtension,
    ) -> Result<(), Refusal> {
        Ok(())
    }

    /// Adds what a method has to do of the class that links calls, which has no probes;
    /// true if that is anything.
    ///
    /// # Errors
    /// When it cannot be edited.
    fn edit_linker(
        &self,
        _code: &Code<'_>,
        _edit: &mut CodeEdit,
        _pool: &mut PoolExtension,
    ) -> Result<bool, Refusal> {
        Ok(false)
    }

    /// Adds what a method does first. The result is what it does last.
    ///
    /// # Errors
    /// When it cannot be edited.
    fn enter(
        &self,
        (_code, _body): (&Code<'_>, Body),
        _access: Access,
        _edit: &mut CodeEdit,
        _pool: &mut PoolExtension,
    ) -> Result<Option<Leaving>, Refusal> {
        Ok(None)
    }

    /// The thread of this tree has ended.
    fn thread_ended(&self, _graph: &Graph, _trees: &ThreadTrees, _tree: u32) {}

    /// Writes down what has not been so far, before somebody reads the profile, or at the
    /// end.
    fn settle(
        &self,
        _graph: &Graph,
        _trees: &ThreadTrees,
        _is_end: bool,
        _write: &dyn Fn(&Record),
    ) {
    }

    /// Adds what follows the values of a method.
    ///
    /// # Errors
    /// Why that is not possible.
    fn follow(
        &self,
        followed: Followed<'_>,
        following: &Following<'_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<(), Obstacle>;
}

/// What is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mode {
    /// Whether calls, bytecodes and allocations of calling contexts are.
    pub calls: bool,
    /// The data flow that is recorded, if any.
    pub dataflow: Option<DataflowOptions>,
}

impl Default for Mode {
    fn default() -> Self {
        Self { calls: true, dataflow: None }
    }
}

/// How data flow is recorded.
#[derive(Debug, Clone, Copy)]
pub struct DataflowOptions {
    /// What is followed.
    pub mode: &'static dyn DataflowMode,
    /// What tells objects of one site apart.
    pub contexts: Contexts,
    /// What objects follow, if the mode asks for that.
    pub protocols: Protocols,
    /// For how many accesses each loop is judged, if the mode asks for that.
    pub accesses: u64,
    /// How many calls of each method are followed, rounded up, if the mode asks for that.
    pub most_calls: u64,
    /// Which methods have their objects compared by content, if the mode asks for that.
    pub deep: &'static [String],
}

impl PartialEq for DataflowOptions {
    fn eq(&self, other: &Self) -> bool {
        self.mode.name() == other.mode.name() && self.contexts == other.contexts
    }
}

impl Eq for DataflowOptions {}

/// With more slots, tags would run out.
const MOST_SLOTS: u32 = 256;

/// The names of modes, the last two of them with this word in between.
fn names(modes: &[&dyn DataflowMode], prefix: &str, word: &str) -> String {
    let names: Vec<String> = modes.iter().map(|mode| format!("{prefix}{}", mode.name())).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} {word} {last}", others.join(", ")),
        None => String::new(),
    }
}

impl Mode {
    /// How many metrics each calling context has in the profile; 0 without contexts.
    pub fn metrics(&self) -> u32 {
        match self.dataflow {
            _ if !self.calls => 0,
            Some(flow) => flow.mode.metrics(),
            None => metrics::CALLS,
        }
    }

    /// Reads the values of the options `mode`, `context` and `slots`. `modes` are those
    /// of data flow.
    ///
    /// # Errors
    /// One line that names the wrong value and what would be right.
    pub fn parse(
        modes: &[&'static dyn DataflowMode],
        mode: &str,
        context: Option<&str>,
        slots: Option<&str>,
    ) -> Result<Self, String> {
        let mut found: Option<&'static dyn DataflowMode> = None;
        let mut calls = false;
        for part in mode.split('+') {
            if part == "calls" {
                calls = true;
                continue;
            }
            let Some(&named) = modes.iter().find(|mode| mode.name() == part) else {
                let known: String = modes.iter().map(|mode| format!(", {}", mode.name())).collect();
                let with_calls = modes.iter().filter(|mode| !mode.has(Capability::RecordsCalls));
                let both: String =
                    with_calls.map(|mode| format!(", calls+{}", mode.name())).collect();
                return Err(format!("unknown mode '{part}' (known: calls{known}{both})"));
            };
            if found.is_some_and(|earlier| earlier.name() != part) {
                let names = names(modes, "", "and");
                return Err(format!("mode={mode}: only one of {names} in a run"));
            }
            found = Some(named);
        }
        let contexts = contexts(modes, found, context, slots)?;
        Ok(found.map_or_else(Self::default, |mode| Self {
            calls: calls || mode.has(Capability::RecordsCalls),
            dataflow: Some(DataflowOptions {
                mode,
                contexts,
                protocols: &[],
                accesses: ACCESSES,
                most_calls: MOST_CALLS,
                deep: &[],
            }),
        }))
    }
}

/// What the options `context` and `slots` say for a mode.
fn contexts(
    modes: &[&'static dyn DataflowMode],
    mode: Option<&'static dyn DataflowMode>,
    context: Option<&str>,
    slots: Option<&str>,
) -> Result<Contexts, String> {
    let those = |fits: &dyn Fn(&dyn DataflowMode) -> bool| {
        let fitting: Vec<_> = modes.iter().copied().filter(|&mode| fits(mode)).collect();
        names(&fitting, "mode=", "or")
    };
    let with_defaults = mode.and_then(|mode| Some((mode, mode.default_contexts()?)));
    let Some((mode, defaults)) = with_defaults else {
        let option = match (context, slots) {
            (Some(_), _) => "context",
            (None, Some(_)) => "slots",
            (None, None) => return Ok(Contexts::NONE),
        };
        let needed = those(&|mode| mode.default_contexts().is_some());
        return Err(format!("option '{option}' needs {needed}"));
    };
    let kind = match context {
        Some("none") => ContextKind::None,
        Some("receiver") => ContextKind::Receiver,
        Some("chain") if mode.has(Capability::FollowsChains) => ContextKind::Chain,
        Some("chain") => {
            let needed = those(&|mode| mode.has(Capability::FollowsChains));
            return Err(format!("context=chain needs {needed}"));
        }
        Some(other) => {
            return Err(format!(
                "unknown value '{other}' for context (known: none, receiver, chain)"
            ));
        }
        None => defaults.kind,
    };
    let slots = match slots {
        Some(number) => {
            number.parse().ok().filter(|&slots| slots <= MOST_SLOTS).ok_or_else(|| {
                format!("slots={number}: a number from 0 to {MOST_SLOTS} is needed")
            })?
        }
        None => defaults.slots,
    };
    Ok(match (kind, slots) {
        (ContextKind::None, _) | (_, 0) => Contexts::NONE,
        _ => Contexts { kind, slots },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataflow::modes::ALL;

    /// The name of what is followed, and the contexts.
    type Known = (&'static str, Contexts);

    fn flow(mode: &str, context: Option<&str>, slots: Option<&str>) -> Option<Known> {
        let mode = Mode::parse(&ALL, mode, context, slots).expect("is right");
        mode.dataflow.map(|flow| (flow.mode.name(), flow.contexts))
    }

    #[test]
    fn defaults_are_those_of_the_papers_configurations() {
        assert_eq!(flow("calls", None, None), None);
        let copies = ("copies", Contexts { kind: ContextKind::Receiver, slots: 4 });
        assert_eq!(flow("copies", None, None), Some(copies));
        assert_eq!(flow("calls+copies", None, None), Some(copies));
        let costs = ("costs", Contexts { kind: ContextKind::Chain, slots: 16 });
        assert_eq!(flow("costs", None, None), Some(costs));
        let nulls = ("nulls", Contexts { kind: ContextKind::None, slots: 0 });
        assert_eq!(flow("nulls", None, None), Some(nulls));
    }

    #[test]
    fn calls_are_recorded_where_they_are_named_and_where_copies_are() {
        let calls = |mode| Mode::parse(&ALL, mode, None, None).expect("is right").calls;
        assert!(calls("calls") && calls("calls+costs") && calls("nulls+calls"));
        assert!(calls("copies") && calls("calls+copies"));
        assert!(!calls("costs") && !calls("nulls"));
    }

    #[test]
    fn no_context_means_no_slots_and_the_other_way_round() {
        let none = ("copies", Contexts { kind: ContextKind::None, slots: 0 });
        assert_eq!(flow("copies", Some("none"), None), Some(none));
        assert_eq!(flow("copies", Some("none"), Some("8")), Some(none));
        assert_eq!(flow("copies", None, Some("0")), Some(none));
    }

    #[test]
    fn wrong_values_are_named() {
        for (mode, context, slots, words) in [
            (
                "copy",
                None,
                None,
                "unknown mode 'copy' (known: calls, copies, costs, nulls, loops, growth, results, \
                 typestate, calls+costs, calls+nulls)",
            ),
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
            let message = Mode::parse(&ALL, mode, context, slots).expect_err("must be refused");
            assert!(message.contains(words), "{message}");
        }
    }
}
