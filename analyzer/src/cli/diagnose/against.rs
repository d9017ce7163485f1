//! What became of the findings of an earlier diagnosis.

use analysis::diagnosis::evidence::{Evidence, Recording};
use analysis::diagnosis::kind::Kind;
use analysis::diagnosis::merge::Finding;
use analysis::diagnosis::program::Program;
use tree::names::descriptor;
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

/// A finding before, after, or both. Several that have the kind, the method and the callee in
/// common, as those of two loops or of two paths, are one.
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
    /// How many findings it is.
    pub findings: u64,
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
    fn new(program: &Program<'_>, [method, shows_in]: [&Method; 2], found: &Found<'_>) -> Self {
        let (findings, saving) = (found.findings.len() as u64, found.saving);
        let Some(region) = program.number(method).map(|number| program.region(number)) else {
            return Self { findings, saving, ..Self::default() };
        };
        Self {
            findings,
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
type Identity<'p> = (Cause<'p>, &'p Method);

fn identity<'p>(program: &'p Program<'_>, one: &Evidence) -> Identity<'p> {
    let method = &program.tree.methods[one.method as usize];
    ((one.kind, method), one.node.map_or(method, |node| program.method(node)))
}

/// What one side has found that is the same.
#[derive(Debug, Clone, Default)]
struct Found<'f> {
    /// Bytecodes that a change saves at most.
    saving: u64,
    /// The findings that it stands for.
    findings: Vec<&'f Finding>,
}

/// The findings that are told by evidence of one identity; if there are none, the evidence of
/// others that saves most.
fn found<'f>(
    program: &Program<'_>,
    findings: &'f [Finding],
    wanted: Identity<'_>,
) -> Option<Found<'f>> {
    let is_wanted = |one: &&Evidence| identity(program, one) == wanted;
    let told: Vec<&Finding> = findings.iter().filter(|one| is_wanted(&one.lead())).collect();
    if !told.is_empty() {
        let saving = told.iter().fold(0u64, |sum, one| sum.saturating_add(one.saving()));
        return Some(Found { saving, findings: told });
    }
    let others = findings.iter().flat_map(|finding| {
        finding.evidence.iter().filter(is_wanted).map(move |one| (finding, one.saving))
    });
    let (finding, saving) = others.max_by_key(|(_, saving)| *saving)?;
    // Smaller evidence of a finding is not what the finding is told by.
    let tells = saving as f64 >= AS_WELL * finding.saving() as f64;
    Some(Found { saving, findings: Some(finding).filter(|_| tells).into_iter().collect() })
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
    let change = |fate, of: Identity<'_>, sides: [&Found<'_>; 2], predicted: &Found<'_>| {
        let ((kind, method), shows_in) = of;
        let samples = predicted.findings.iter().map(|one| one.samples_saved());
        Change {
            fate,
            kind,
            before: Side::new(old, [method, shows_in], sides[0]),
            after: Side::new(new, [method, shows_in], sides[1]),
            predicted: samples.sum(),
            method: method.clone(),
            shows_in: shows_in.clone(),
        }
    };
    let mut changes = Vec::new();
    let mut told: Vec<&Finding> = Vec::new();
    let nothing = Found::default();
    for of in identities(old, before) {
        let Some(was) = found(old, before, of) else { continue };
        let Some(finding) = was.findings.first() else { continue };
        let (fate, is) = match found(new, after, of) {
            Some(is) => (Fate::of(was.saving, is.saving), is),
            None if tell(new_recordings, finding) => (Fate::Gone, nothing.clone()),
            None => (Fate::Unknown, nothing.clone()),
        };
        told.extend(&is.findings);
        changes.push(change(fate, of, [&was, &is], &was));
    }
    for of in identities(new, after) {
        let Some(is) = found(new, after, of) else { continue };
        let Some(finding) = is.findings.first() else { continue };
        if told.iter().any(|told| std::ptr::eq(*told, *finding)) {
            continue;
        }
        let (fate, was) = match found(old, before, of) {
            Some(was) => (Fate::of(was.saving, is.saving), was),
            None if tell(old_recordings, finding) => (Fate::New, nothing.clone()),
            None => (Fate::Unknown, nothing.clone()),
        };
        changes.push(change(fate, of, [&was, &is], &is));
    }
    changes
}

/// What findings are told by, each once, in their order.
fn identities<'p>(program: &'p Program<'_>, findings: &[Finding]) -> Vec<Identity<'p>> {
    let mut all = Vec::new();
    for finding in findings {
        let one = identity(program, finding.lead());
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

/// What tells apart changes of one kind and of methods with one name: the callee in which it
/// shows, or the method's parameters. Nothing for others.
pub fn distinctions(changes: &[Change]) -> Vec<String> {
    let like = |one: &Change| (one.kind, one.method.qualified());
    let of = |change: &Change| {
        let others = || changes.iter().filter(|other| like(other) == like(change));
        let mut text = String::new();
        if others().any(|other| other.method != change.method) {
            text += descriptor::parameters(&change.method.descriptor)
                .as_deref()
                .unwrap_or(&change.method.descriptor);
        }
        let mut of_method = others().filter(|other| other.method == change.method);
        if of_method.any(|other| other.shows_in != change.shows_in) {
            text += &match change.shows_in == change.method {
                true => ", in itself".to_owned(),
                false => format!(", in {}", change.shows_in.qualified()),
            };
        }
        text
    };
    changes.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use analysis::diagnosis::evidence::Sure;
    use analysis::diagnosis::merge::merge;
    use analysis::diagnosis::region::Region;
    use profile::{ClassId, ClassInfo, MethodInfo, Metric, NO_PARENT, Nodes, Profile, ThreadTree};
    use tree::Tree;
    use tree::forest::Selection;

    use super::*;

    #[test]
    fn a_tenth_more_or_less_is_the_same() {
        assert_eq!(Fate::of(100, 91), Fate::Same);
        assert_eq!(Fate::of(100, 89), Fate::Smaller);
        assert_eq!(Fate::of(100, 111), Fate::Larger);
        assert_eq!(Fate::of(0, 0), Fate::Same);
    }

    #[test]
    fn changes_that_would_look_the_same_are_told_apart() {
        let method = |name: &str, descriptor: &str| Method {
            class: "a.B".into(),
            name: name.into(),
            descriptor: descriptor.into(),
        };
        let change = |method: &Method, shows_in: &Method| Change {
            fate: Fate::Same,
            kind: Kind::Reread,
            method: method.clone(),
            shows_in: shows_in.clone(),
            before: Side::default(),
            after: Side::default(),
            predicted: 0,
        };
        let (get, other) = (method("get", "(I)V"), method("get", "(Ljava/lang/String;)V"));
        let (find, alone) = (method("find", "()V"), method("alone", "()V"));
        let all = [
            change(&get, &get),
            change(&get, &find),
            change(&other, &other),
            change(&alone, &find),
        ];
        let expected = ["(int), in itself", "(int), in a.B.find", "(String)", ""];
        assert_eq!(distinctions(&all), expected);
    }

    /// `main` calls `work` and `other`, and each of these `find`, all of them so often.
    fn tree(work: u64, other: u64) -> Tree {
        let method = |name: &str| MethodInfo::new(ClassId(0), name, "()V");
        let values = vec![10, 10, work, 10, other];
        let profile = Profile {
            classes: vec![ClassInfo { name: "a.B".into(), ..ClassInfo::default() }],
            methods: ["main", "work", "other", "find"].map(method).into(),
            nodes: Nodes {
                method: vec![0, 1, 3, 2, 3],
                parent: vec![NO_PARENT, 0, 1, 0, 3],
                site: vec![0; 5],
                metrics: vec![Metric { name: "bytecodes".into(), values }],
            },
            threads: vec![ThreadTree { name: "main".into(), threads: 1, nodes: 0..5 }],
            ..Profile::default()
        };
        Tree::merge(vec![("a".to_owned(), profile)], &Selection::default()).expect("it is whole")
    }

    /// A finding for each context of `find`, which have nothing in common.
    fn findings(program: &Program<'_>) -> Vec<Finding> {
        let find = program.tree.methods.iter().position(|method| method.name == "find");
        let find = find.expect("it is there") as u32;
        let evidence = program.contexts(find).iter().map(|&node| Evidence {
            kind: Kind::Exceptions,
            recording: Recording::Calls,
            method: find,
            line: 0,
            node: Some(node),
            sentence: String::new(),
            hint: None,
            region: Region::of(program.subtree(node)),
            saving: program.inclusive(node),
            likely: program.inclusive(node),
            moved: 0,
            sure: Sure::Bound,
            command: Vec::new(),
        });
        merge(program, evidence.collect())
    }

    #[test]
    fn findings_that_look_the_same_are_one_change() {
        let trees = [tree(100, 50), tree(100, 2)];
        let [old, new] = [Program::new(&trees[0]), Program::new(&trees[1])];
        let [before, mut after] = [findings(&old), findings(&new)];
        assert_eq!((before.len(), after.len()), (2, 2));
        let recordings = [Recording::Calls];
        let told = |after: &[Finding]| {
            let old = (&old, &before[..], &recordings[..]);
            let changes = changes(old, (&new, after, &recordings[..]));
            let [one] = &changes[..] else { panic!("{changes:?}") };
            let sides = [one.before, one.after].map(|side| (side.findings, side.saving));
            (one.fate, sides)
        };
        assert_eq!(told(&after), (Fate::Smaller, [(2, 150), (2, 102)]));
        after.truncate(1);
        assert_eq!(told(&after), (Fate::Smaller, [(2, 150), (1, 100)]));
        assert_eq!(told(&[]), (Fate::Gone, [(2, 150), (0, 0)]));
    }
}
