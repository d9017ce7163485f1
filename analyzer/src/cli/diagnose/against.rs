//! What became of the findings of an earlier diagnosis.

use analysis::diagnosis::evidence::{Evidence, Recording};
use analysis::diagnosis::kind::Kind;
use analysis::diagnosis::merge::Finding;
use analysis::diagnosis::program::Program;
use tree::names::method::Method;

/// A saving that differs by less than this part of the earlier one is the same.
const SAME: f64 = 0.1;

/// What became of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is there no more.
    Gone,
    /// Less would be saved.
    Smaller,
    /// About as much would be saved.
    Same,
    /// More would be saved.
    Larger,
    /// It was not there before.
    New,
    /// What would tell was not recorded on the other side.
    Unknown,
}

impl Fate {
    /// For people and JSON.
    pub fn text(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Smaller => "smaller",
            Self::Same => "same",
            Self::Larger => "larger",
            Self::New => "new",
            Self::Unknown => "unknown",
        }
    }

    fn of(before: u64, after: u64) -> Self {
        let [before, after] = [before as f64, after as f64];
        match after - before {
            difference if difference.abs() <= SAME * before => Self::Same,
            difference if difference < 0.0 => Self::Smaller,
            _ => Self::Larger,
        }
    }
}

/// A finding before, after, or both.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What became of it.
    pub fate: Fate,
    /// What it was, or is.
    pub kind: Kind,
    /// Its method.
    pub method: Method,
    /// Bytecodes that a change would have saved, and those that one would save now.
    pub before: u64,
    pub after: u64,
}

/// Evidence that says this part of what its finding says stands for it as well.
const AS_WELL: f64 = 0.5;

/// The kinds of waste and methods that a finding speaks of.
fn causes<'f>(
    program: &'f Program<'_>,
    finding: &'f Finding,
) -> impl Iterator<Item = (Kind, &'f Method)> {
    let counts = |one: &&Evidence| one.saving as f64 >= AS_WELL * finding.saving() as f64;
    let causes = finding.evidence.iter().filter(counts);
    causes.map(|one| (one.kind, &program.tree.methods[one.method as usize]))
}

/// Whether recordings would tell of a finding, if there was anything to tell.
fn tell(recordings: &[Recording], finding: &Finding) -> bool {
    let has = |one| recordings.contains(&one);
    match (finding.lead().kind, finding.lead().recording) {
        (Kind::Reread, _) => has(Recording::Loops) || has(Recording::Growth),
        // The tree of any recording has what calls tell.
        (_, Recording::Calls) => true,
        (_, one) => has(one),
    }
}

/// What became of each finding, in the order of those before, new ones behind.
pub fn changes(
    (old, before, old_recordings): (&Program<'_>, &[Finding], &[Recording]),
    (new, after, new_recordings): (&Program<'_>, &[Finding], &[Recording]),
) -> Vec<Change> {
    let mut is_known = vec![false; after.len()];
    let change = |program: &Program<'_>, finding: &Finding, fate, [before, after]: [u64; 2]| {
        let lead = finding.lead();
        let method = program.tree.methods[lead.method as usize].clone();
        Change { fate, kind: lead.kind, method, before, after }
    };
    let mut changes = Vec::new();
    for finding in before {
        let has = |one: &Finding| {
            causes(new, one).any(|cause| causes(old, finding).any(|known| known == cause))
        };
        let found = after.iter().enumerate().find(|(at, one)| !is_known[*at] && has(one));
        let saving = finding.saving();
        changes.push(match found {
            Some((at, one)) => {
                is_known[at] = true;
                let fate = Fate::of(saving, one.saving());
                change(old, finding, fate, [saving, one.saving()])
            }
            None if tell(new_recordings, finding) => change(old, finding, Fate::Gone, [saving, 0]),
            None => change(old, finding, Fate::Unknown, [saving, 0]),
        });
    }
    for (finding, _) in after.iter().zip(is_known).filter(|(_, is_known)| !is_known) {
        let fate = if tell(old_recordings, finding) { Fate::New } else { Fate::Unknown };
        changes.push(change(new, finding, fate, [0, finding.saving()]));
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_more_or_less_is_the_same() {
        assert_eq!(Fate::of(100, 91), Fate::Same);
        assert_eq!(Fate::of(100, 89), Fate::Smaller);
        assert_eq!(Fate::of(100, 111), Fate::Larger);
        assert_eq!(Fate::of(0, 0), Fate::Same);
    }
}
