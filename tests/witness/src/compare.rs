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
    /// What the witness says, likewise.
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
