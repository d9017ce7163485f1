//! Two trees, side by side.

use std::fmt;

use crate::name::Method;
use crate::rules::is_opaque;
use crate::tree::{Counts, Tree};

/// A context in which two trees do not agree.
#[derive(Debug)]
pub struct Difference {
    /// The way from the thread to the context.
    pub path: Vec<Method>,
    /// What the profile says; none if it does not have the context.
    pub recorded: Option<Counts>,
    /// What the witness says; none if it does not have the context.
    pub witnessed: Option<Counts>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut counts = |who: &str, counts: Option<Counts>| match counts {
            Some(Counts { calls, bytecodes }) => {
                writeln!(f, "  {who} {calls} calls, {bytecodes} bytecodes")
            }
            None => writeln!(f, "  {who} nothing"),
        };
        counts("profile:", self.recorded)?;
        counts("witness:", self.witnessed)?;
        // The way to it can be long; the end tells most.
        let hidden = self.path.len().saturating_sub(SHOWN);
        if hidden > 0 {
            writeln!(f, "    {}\n    ... {} more", self.path[0], hidden)?;
        }
        for method in self.path.iter().skip(hidden) {
            writeln!(f, "    {method}")?;
        }
        Ok(())
    }
}

/// How many frames of a path are printed.
const SHOWN: usize = 8;

/// All contexts in which the trees differ, outermost first. Below one that a
/// tree lacks nothing is compared.
pub fn differences(recorded: &Tree, witnessed: &Tree) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(recorded, 0, witnessed, 0, &mut Vec::new(), &mut found);
    found
}

fn compare(
    recorded: &Tree,
    left: usize,
    witnessed: &Tree,
    right: usize,
    path: &mut Vec<Method>,
    found: &mut Vec<Difference>,
) {
    let (ours, theirs) = (&recorded.contexts[left], &witnessed.contexts[right]);
    if path.last().is_some_and(is_opaque) && ours.counts.calls == theirs.counts.calls {
        return;
    }
    if ours.counts != theirs.counts {
        found.push(Difference {
            path: path.clone(),
            recorded: Some(ours.counts),
            witnessed: Some(theirs.counts),
        });
    }
    for (method, &callee) in &ours.callees {
        path.push(method.clone());
        match theirs.callees.get(method) {
            Some(&other) => compare(recorded, callee, witnessed, other, path, found),
            None => found.push(Difference {
                path: path.clone(),
                recorded: Some(recorded.contexts[callee].counts),
                witnessed: None,
            }),
        }
        path.pop();
    }
    for (method, &callee) in &theirs.callees {
        if !ours.callees.contains_key(method) {
            path.push(method.clone());
            found.push(Difference {
                path: path.clone(),
                recorded: None,
                witnessed: Some(witnessed.contexts[callee].counts),
            });
            path.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dump::Dump;
    use crate::rules::Skipped;

    /// A tree from the lines of a dump, all for the thread `t`.
    fn tree(nodes: &[&str]) -> Tree {
        let lines: String =
            nodes.iter().map(|node| format!("node\t{}\n", node.replace(' ', "\t"))).collect();
        let dump = Dump::parse(&format!("thread\tt\t0\n{lines}end\n")).expect("a whole dump");
        Tree::of_dump(&dump, "t", &Skipped::default())
    }

    fn described(recorded: &[&str], witnessed: &[&str]) -> Vec<String> {
        let found = differences(&tree(recorded), &tree(witnessed));
        found
            .iter()
            .map(|d| {
                let last = d.path.last().map_or("", |method| method.name.as_str());
                let bytecodes = |counts: Option<Counts>| counts.map(|counts| counts.bytecodes);
                format!("{last} {:?} {:?}", bytecodes(d.recorded), bytecodes(d.witnessed))
            })
            .collect()
    }

    #[test]
    fn every_context_is_compared() {
        let main = "0 1 9 java A main ()V";
        let callee = "1 2 6 java A f ()V";
        assert!(described(&[main, callee], &[main, callee]).is_empty());
        assert_eq!(
            described(&[main, callee], &[main, "1 2 7 java A f ()V"]),
            ["f Some(6) Some(7)"]
        );
        assert_eq!(described(&[main, callee], &[main, "1 3 6 java A f ()V"]).len(), 1);
        assert_eq!(described(&[main], &[main, callee]), ["f None Some(6)"]);
        assert_eq!(described(&[main, callee], &[main]), ["f Some(6) None"]);
        // The same method in another context is another context.
        let deeper = "2 2 6 java A f ()V";
        let between = "1 0 0 java A g ()V";
        assert_eq!(described(&[main, callee], &[main, between, deeper]).len(), 2);
    }

    #[test]
    fn of_the_tables_of_hidden_members_only_calls_are_compared() {
        let main = "0 1 9 java A main ()V";
        let here = "1 2 6 java jdk.internal.reflect.Reflection filterFields ()V";
        let there = "1 2 7 java jdk.internal.reflect.Reflection filterFields ()V";
        let below = "2 2 7 java java.util.HashMap get ()V";
        assert!(described(&[main, here], &[main, there, below]).is_empty());
        let more = "1 3 7 java jdk.internal.reflect.Reflection filterFields ()V";
        assert_eq!(described(&[main, here], &[main, more]), ["filterFields Some(6) Some(7)"]);
    }

    #[test]
    fn natives_are_counted_by_what_names_them() {
        let main = "0 1 9 java A main ()V";
        let native = "1 1 0 native A n ()V";
        // Called back by a native, a native is not counted, but a method is.
        let again = "2 1 0 native A m ()V";
        let back = "2 1 3 java A back ()V";
        assert!(described(&[main, native, back], &[main, native, again, back]).is_empty());
        assert_eq!(described(&[main], &[main, native]), ["n None Some(0)"]);
    }

    #[test]
    fn a_mute_native_leaves_what_it_calls_to_its_caller() {
        let main = "0 1 9 java A main ()V";
        let native = "1 1 0 native A n ()V";
        let inside = "2 1 3 java A made ()V";
        let beside = "1 1 3 java A made ()V";
        let recorded = tree(&[main, native, beside]);
        let witnessed = tree(&[main, native, inside]).with_mute_natives_of(&recorded);
        assert!(differences(&recorded, &witnessed).is_empty());
        // A native that is known to call back keeps it.
        let recorded = tree(&[main, native, inside]);
        let witnessed = tree(&[main, native, inside]).with_mute_natives_of(&recorded);
        assert!(differences(&recorded, &witnessed).is_empty());
    }
}
