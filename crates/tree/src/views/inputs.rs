//! With how many inputs methods were called, where results of methods were recorded: a query
//! in a loop that is the same each time needs to be made once.

use base::number::{counted, grouped};

use crate::Tree;

/// The inputs of a method. An input is the receiver with the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inputs {
    /// Calls that were followed and returned, by all callers.
    pub calls: u64,
    /// Different inputs in these.
    pub different: u64,
    /// Different receivers in these; 0 for static methods.
    pub receivers: u64,
    /// Whether all inputs were kept; otherwise the numbers are estimates.
    pub is_exact: bool,
    /// Whether all calls were followed.
    pub is_whole: bool,
    has_arguments: bool,
}

impl Inputs {
    /// Those of a method of a tree, `None` where its results were not followed.
    pub fn of(tree: &Tree, method: u32) -> Option<Self> {
        let results = tree.results.get(method as usize)?.as_ref()?;
        (results.returned > 0 && results.inputs > 0).then(|| Self {
            calls: results.returned,
            different: results.inputs,
            receivers: results.receivers,
            is_exact: results.level == 0,
            is_whole: !results.stopped && results.unfollowed == 0,
            has_arguments: !tree.methods[method as usize].descriptor.starts_with("()"),
        })
    }

    /// Them in words, which go on from "50 times each"; `None` if the method takes nothing.
    pub fn told(self) -> Option<String> {
        let Self { different, receivers, .. } = self;
        let about = if self.is_exact { "" } else { "about " };
        let number = |what: &str| format!("{about}{} different {what}", grouped(different));
        let calls = counted(self.calls, "call");
        let calls = if self.is_whole { calls } else { format!("the first {calls}") };
        let said = match (self.has_arguments, receivers, different) {
            (false, 0, _) => return None,
            (true, _, 1) => "with the same arguments".to_owned(),
            (false, _, 1) => "on the same object".to_owned(),
            (true, 0 | 1, _) => format!("with {}", number("arguments")),
            (true, ..) => format!("with {}", number("receivers and arguments")),
            (false, ..) => format!("on {}", number("objects")),
        };
        // That all calls are alike needs no number of them.
        let is_said = different == 1 && self.is_whole;
        Some(if is_said { said } else { format!("{said} in {calls}") })
    }
}

#[cfg(test)]
mod tests {
    use profile::dataflow::MethodResults;

    use super::*;
    use crate::names::method::Method;

    fn told(descriptor: &str, results: MethodResults) -> Option<String> {
        let method = Method { descriptor: descriptor.into(), ..Method::default() };
        let (methods, results) = (vec![method], vec![Some(results)]);
        let tree = Tree { methods, results, ..Tree::default() };
        Inputs::of(&tree, 0).and_then(Inputs::told)
    }

    #[test]
    fn inputs_are_told_as_far_as_they_are_known() {
        let of = |receivers, inputs| MethodResults {
            returned: 1_000,
            receivers,
            inputs,
            ..MethodResults::default()
        };
        for (descriptor, results, expected) in [
            ("(I)V", of(1, 1), Some("with the same arguments")),
            ("(I)V", of(0, 1), Some("with the same arguments")),
            ("()V", of(1, 1), Some("on the same object")),
            ("()V", of(0, 1), None),
            ("(I)V", of(1, 50), Some("with 50 different arguments in 1,000 calls")),
            ("(I)V", of(20, 50), Some("with 50 different receivers and arguments in 1,000 calls")),
            ("()V", of(20, 20), Some("on 20 different objects in 1,000 calls")),
            (
                "(I)V",
                MethodResults { level: 2, ..of(1, 800) },
                Some("with about 800 different arguments in 1,000 calls"),
            ),
            (
                "(I)V",
                MethodResults { stopped: true, ..of(1, 1) },
                Some("with the same arguments in the first 1,000 calls"),
            ),
            ("(I)V", MethodResults::default(), None),
        ] {
            assert_eq!(told(descriptor, results).as_deref(), expected);
        }
        assert_eq!(Inputs::of(&Tree::default(), 0), None);
    }
}
