//! What became of the findings of an earlier diagnosis.

use analysis::diagnosis::evidence::{Evidence, Recording};
use analysis::diagnosis::kind::Kind;
use analysis::diagnosis::merge::Finding;
use analysis::diagnosis::program::Program;
use tree::names::method::Method;
use tree::start_up::StartUp;

use super::folder::{Folder, Notes};

/// The comparison with an earlier diagnosis.
pub struct Against<'a> {
    pub folder: &'a Folder,
    pub notes: &'a Notes,
    pub program: &'a Program<'a>,
    pub start: &'a StartUp,
    pub changes: Vec<Change>,
    /// By how much the time differs, as a share of what it was, estimated from the bytecodes
    /// that differ and from the samples of the plain runs.
    pub estimated: Option<f64>,
}

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
    /// The method in which it shows: that one, or one that it calls.
    pub shows_in: Method,
    /// The finding before and after.
    pub before: Side,
    pub after: Side,
    /// Samples of its plain run that go with what it saves at most.
    pub predicted: u64,
}

/// A finding in one of two programs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Side {
    /// Bytecodes that a change saves at most; 0 if it is not found.
    pub saving: u64,
    /// Bytecodes of its method, with all that this calls.
    pub cost: u64,
    /// Samples of the plain run there.
    pub samples: u64,
    /// Calls there of the method in which it shows.
    pub calls: u64,
}

impl Side {
    fn new(program: &Program<'_>, [method, shows_in]: [&Method; 2], saving: u64) -> Self {
        let Some(region) = program.number(method).map(|number| program.region(number)) else {
            return Self { saving, ..Self::default() };
        };
        Self {
            saving,
            cost: program.cost(&region),
            samples: program.samples(&region),
            calls: program.number(shows_in).map_or(0, |number| program.calls(&region, number)),
        }
    }
}

/// Evidence that says this part of what its finding says stands for it as well.
const AS_WELL: f64 = 0.5;

/// A kind of waste and its method.
pub type Cause<'p> = (Kind, &'p Method);

/// What a finding speaks of.
pub fn causes<'f>(
    program: &'f Program<'_>,
    finding: &'f Finding,
) -> impl Iterator<Item = Cause<'f>> {
    let counts = |one: &&Evidence| one.saving as f64 >= AS_WELL * finding.saving() as f64;
    let causes = finding.evidence.iter().filter(counts);
    causes.map(|one| (one.kind, &program.tree.methods[one.method as usize]))
}

/// What evidence is of: its cause, and the method in which it shows, since one method may have
/// several loops.
fn identity<'p>(program: &'p Program<'_>, one: &Evidence) -> (Cause<'p>, Option<&'p Method>) {
    let method = &program.tree.methods[one.method as usize];
    ((one.kind, method), one.node.map(|node| program.method(node)))
}

/// The evidence among that of some findings that is of the same as another one, that which
/// saves most, and its finding.
fn same<'f>(
    (program, findings): (&Program<'_>, &'f [Finding]),
    (other, one): (&Program<'_>, &Evidence),
) -> Option<(&'f Finding, &'f Evidence)> {
    let wanted = identity(other, one);
    let all = findings
        .iter()
        .flat_map(|finding| finding.evidence.iter().map(move |evidence| (finding, evidence)));
    let is_same = |(_, evidence): &(&Finding, &Evidence)| identity(program, evidence) == wanted;
    all.filter(is_same).max_by_key(|(_, evidence)| evidence.saving)
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
    let change = |fate, finding: &Finding, program: &Program<'_>, savings: [u64; 2]| {
        let lead = finding.lead();
        let method = program.tree.methods[lead.method as usize].clone();
        let shows_in = lead.node.map_or(&method, |node| program.method(node)).clone();
        let of = [&method, &shows_in];
        Change {
            fate,
            kind: lead.kind,
            before: Side::new(old, of, savings[0]),
            after: Side::new(new, of, savings[1]),
            predicted: finding.samples_saved(),
            method,
            shows_in,
        }
    };
    let mut changes = Vec::new();
    let mut told: Vec<&Finding> = Vec::new();
    for finding in before {
        let saving = finding.saving();
        let (fate, now) = match same((new, after), (old, finding.lead())) {
            Some((found, evidence)) => {
                // Smaller evidence of a finding is not what the finding is told by.
                if evidence.saving as f64 >= AS_WELL * found.saving() as f64 {
                    told.push(found);
                }
                (Fate::of(saving, evidence.saving), evidence.saving)
            }
            None if tell(new_recordings, finding) => (Fate::Gone, 0),
            None => (Fate::Unknown, 0),
        };
        changes.push(change(fate, finding, old, [saving, now]));
    }
    for finding in after.iter().filter(|one| !told.iter().any(|told| std::ptr::eq(*told, *one))) {
        let saving = finding.saving();
        let (fate, before) = match same((old, before), (new, finding.lead())) {
            Some((_, evidence)) => (Fate::of(evidence.saving, saving), evidence.saving),
            None if tell(old_recordings, finding) => (Fate::New, 0),
            None => (Fate::Unknown, 0),
        };
        changes.push(change(fate, finding, new, [before, saving]));
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
