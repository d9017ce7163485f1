//! Where the agent and the witness differ about inputs and results.

use std::collections::{BTreeMap, BTreeSet};

use profile::Profile;
use profile::dataflow::{MethodResults, ResultKind};
use profile::results::{MOST_INPUTS, ONLY_NULL, PER_RECEIVER};

use crate::counts::{Method, without_probes};
use crate::results::{Witnessed, WitnessedResults};

/// An estimate may be off by so many standard errors.
const ERRORS: u64 = 5;

/// What came of comparing a recording with a run of the witness.
#[derive(Debug, Default)]
pub struct ResultsComparison {
    /// Methods of which everything is equal.
    pub equal: u64,
    /// Their calls that returned.
    pub returned: u64,
    /// How many of them have which kind of result.
    pub kinds: BTreeMap<String, u64>,
    /// Methods with more inputs or receivers than the agent promises to keep: what it says
    /// of them lies within its errors, and what is exact for all that is equal.
    pub estimated: Vec<Method>,
    /// Methods with calls that the agent says it has not followed.
    pub unfollowed: Vec<Method>,
    /// Methods that the profile says have no probes.
    pub without_probes: Vec<Method>,
    /// Methods that the witness could not rewrite.
    pub left_out: Vec<Method>,
    /// Methods of which the two say different things, with both.
    pub different: Vec<(Method, String)>,
}

impl ResultsComparison {
    /// Compares every method that either side has seen, in the classes that the witness
    /// has rewritten.
    ///
    /// # Panics
    /// If the profile has no results.
    pub fn new(run: &WitnessedResults, profile: &Profile) -> Self {
        let recorded = recorded(profile);
        let listed = without_probes(profile);
        let is_rewritten = |method: &&Method| run.classes.contains(&method.class);
        let methods: BTreeSet<&Method> =
            run.methods.keys().chain(recorded.keys().filter(is_rewritten)).collect();
        let mut result = Self::default();
        for method in methods {
            let signature = format!("{}{}", method.name, method.descriptor);
            let plain = ["", &signature].iter().any(|&m| listed.contains(&(&*method.class, m)));
            match (run.methods.get(method), recorded.get(method)) {
                _ if run.left_out.contains(method) => result.left_out.push(method.clone()),
                (Some(_), None) if plain => result.without_probes.push(method.clone()),
                (Some(one), Some(other)) => result.compare(method, one, other),
                (one, other) => result.differ(method, format!("{one:?}\n       {other:?}")),
            }
        }
        result
    }

    fn compare(&mut self, method: &Method, witnessed: &Witnessed, recorded: &MethodResults) {
        // That is for the witness to say: an agent that estimates what it need not is wrong.
        let is_exact = witnessed.inputs.max(witnessed.receivers) <= u64::from(MOST_INPUTS);
        if recorded.unfollowed > 0 || recorded.stopped {
            self.unfollowed.push(method.clone());
        } else if is_exact && is_equal(witnessed, recorded) {
            self.equal += 1;
            self.returned += recorded.returned;
            *self.kinds.entry(witnessed.kind.clone()).or_default() += 1;
        } else if !is_exact && is_estimated(witnessed, recorded) {
            self.estimated.push(method.clone());
        } else {
            self.differ(method, format!("{witnessed:?}\n       {recorded:?}"));
        }
    }

    fn differ(&mut self, method: &Method, both: String) {
        self.different.push((method.clone(), both));
    }
}

/// Results by method in a profile, with objects compared by identity. Classes of one name
/// are one.
fn recorded(profile: &Profile) -> BTreeMap<Method, MethodResults> {
    let results = profile.dataflow.results.as_ref().expect("the recording has results");
    let mut all: BTreeMap<Method, MethodResults> = BTreeMap::new();
    for one in results.methods.iter().filter(|one| one.depth == 0) {
        let info = &profile.methods[one.method.0 as usize];
        let class = &profile.classes[info.class.0 as usize].name;
        let method = Method::new(class, &info.name, &info.descriptor);
        all.entry(method).and_modify(|sum| sum.add(one)).or_insert(*one);
    }
    all
}

/// Whether everything is the same.
fn is_equal(witnessed: &Witnessed, recorded: &MethodResults) -> bool {
    let one = [
        witnessed.returned,
        witnessed.receivers,
        witnessed.inputs,
        witnessed.hits,
        witnessed.last_hits,
        witnessed.conflicts,
    ];
    let other = [
        recorded.returned,
        recorded.receivers,
        recorded.inputs,
        recorded.hits,
        recorded.last_hits,
        recorded.conflicts,
    ];
    let levels = [recorded.level, recorded.receivers_level];
    // Results of methods that never returned are of no kind.
    let kinds_agree = recorded.returned == 0 || witnessed.kinds == seen(recorded.kinds);
    let kind = ResultKind::of(recorded).name();
    (one, [0, 0]) == (other, levels) && kinds_agree && witnessed.kind == kind
}

/// What one sees of results without looking at the code.
fn seen(kinds: u8) -> u8 {
    kinds & !ONLY_NULL
}

/// Whether what is estimated lies within its errors, and what is not is the same.
///
/// Hits are not compared: their error is that of the inputs that were kept, and an input that
/// comes often, but late, and is left out, is not in it.
fn is_estimated(witnessed: &Witnessed, recorded: &MethodResults) -> bool {
    let is_near = |one: u64, other: u64, error: u64| one.abs_diff(other) <= ERRORS * error;
    // Of inputs and receivers that are left out nobody sees whether they repeat results.
    let of_all = |kinds| kinds & !PER_RECEIVER;
    let misses_kinds = recorded.kinds & PER_RECEIVER < witnessed.kinds & PER_RECEIVER;
    is_near(witnessed.inputs, recorded.inputs, recorded.inputs_error())
        && is_near(witnessed.receivers, recorded.receivers, recorded.receivers_error())
        && (recorded.conflicts == 0 || witnessed.conflicts > 0)
        && of_all(witnessed.kinds) == of_all(seen(recorded.kinds))
        && !misses_kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use profile::dataflow::ResultsProfile;
    use profile::{ClassId, ClassInfo, MethodId, MethodInfo};

    const ONE: MethodResults = MethodResults {
        method: MethodId(0),
        depth: 0,
        kinds: PER_RECEIVER,
        level: 0,
        receivers_level: 0,
        returned: 9,
        unfollowed: 0,
        stopped: false,
        receivers: 2,
        inputs: 3,
        hits: 6,
        hits_error: 0,
        last_hits: 1,
        conflicts: 0,
        wrote: 0,
        hits_that_wrote: 0,
        cost: 50,
        saving: 30,
        saving_error: 0,
        empty: Some(0),
    };

    fn witnessed() -> WitnessedResults {
        let method = Method::new("a.B", "c", "()I");
        let one = Witnessed {
            calls: 9,
            returned: 9,
            receivers: 2,
            inputs: 3,
            hits: 6,
            last_hits: 1,
            conflicts: 0,
            kinds: PER_RECEIVER,
            kind: "receiver".to_owned(),
        };
        let mut run = WitnessedResults::default();
        run.methods.insert(method, one);
        run.classes.insert("a.B".to_owned());
        run
    }

    fn recorded(methods: Vec<MethodResults>) -> Profile {
        let method = |name: &str| MethodInfo::new(ClassId(0), name, "()I");
        let mut profile = Profile {
            classes: vec![ClassInfo { name: "a.B".into(), ..ClassInfo::default() }],
            methods: vec![method("c"), method("d")],
            ..Profile::default()
        };
        profile.dataflow.results = Some(ResultsProfile { methods, ..ResultsProfile::default() });
        profile
    }

    #[test]
    fn equal_results_are_counted_by_their_kind() {
        let found = ResultsComparison::new(&witnessed(), &recorded(vec![ONE]));
        assert_eq!((found.equal, found.returned, found.different.len()), (1, 9, 0));
        assert_eq!(found.kinds["receiver"], 1);
    }

    #[test]
    fn every_number_makes_a_difference() {
        let changes: [fn(&mut MethodResults); 8] = [
            |one| one.returned -= 1,
            |one| one.receivers += 1,
            |one| one.inputs += 1,
            |one| one.hits -= 1,
            |one| one.last_hits += 1,
            |one| one.conflicts += 1,
            |one| one.kinds = 0,
            |one| one.level = 1,
        ];
        for change in changes {
            let mut one = ONE;
            change(&mut one);
            let found = ResultsComparison::new(&witnessed(), &recorded(vec![one]));
            assert_eq!((found.equal, found.different.len()), (0, 1), "{one:?}");
        }
    }

    #[test]
    fn what_one_side_has_alone_is_different() {
        let found = ResultsComparison::new(&witnessed(), &recorded(Vec::new()));
        assert_eq!((found.equal, found.different.len()), (0, 1));
        let other = MethodResults { method: MethodId(1), ..ONE };
        let found = ResultsComparison::new(&witnessed(), &recorded(vec![ONE, other]));
        assert_eq!((found.equal, found.different.len()), (1, 1));
    }
}
