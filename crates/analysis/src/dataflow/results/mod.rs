//! Methods that compute the same results again, which a cache could keep.
//!
//! After "Blueprints" (section 5: which methods always give the same) and "MemoizeIt"
//! (OOPSLA 2015: inputs compared by structure, deeper and deeper). [`finding`] says which
//! methods are candidates for a cache, and [`explanation`] puts that in words. What results
//! are like, [`ResultKind`](profile::dataflow::ResultKind) says.

pub mod explanation;
pub mod finding;
pub mod spared;

use std::collections::BTreeMap;

use profile::dataflow::{MethodResults, ResultsTotals};
use profile::{MethodId, Profile};

use crate::dataflow::method_table::MethodTable;
use spared::Spared;
use tree::costs::{Costs, Labelled};
use tree::error::{Error, Result};
use tree::names::method::Method;
use tree::owners::{Definitions, OwnCode, Owner, Owners};
use tree::readable_names::Names;

/// Inputs and results of the methods of one or several runs.
#[derive(Debug, Default)]
pub struct Results {
    /// The methods that the others refer to.
    pub methods: Vec<Method>,
    /// Those that were followed, in the order of their numbers.
    pub followed: Vec<Followed>,
    /// What it is based on.
    pub totals: ResultsTotals,
    /// Bytecodes that the runs executed.
    pub bytecodes: u64,
    /// Methods that were executed and not followed: leaf methods, and constructors
    /// without probes.
    pub unfollowed: usize,
    /// Whose the methods' classes are.
    pub owners: Owners,
}

/// A method, its calls, inputs and results.
#[derive(Debug, Clone, Default)]
pub struct Followed {
    /// Its number in [`Results::methods`].
    pub method: MethodId,
    /// Its calls, those that ended by exceptions included.
    pub calls: u64,
    /// Bytecodes in its calls, with all that they called; of recursive calls in the
    /// outermost.
    pub inclusive: u64,
    /// Whether there are calls in its code.
    pub calls_something: bool,
    /// With objects compared by identity.
    pub exact: MethodResults,
    /// With objects compared by what they hold, in ascending depth.
    pub deep: Vec<MethodResults>,
}

/// What is wanted of the contexts.
pub const METRICS: [&str; 2] = ["calls", "bytecodes"];

/// Adds up the results of some profiles, which have the columns [`METRICS`]; each comes
/// with the name it has in messages. `said` is what the user says is their own code.
///
/// # Errors
/// If a profile has none.
pub fn unite(profiles: &[(String, Profile)], said: &OwnCode) -> Result<Results> {
    let mut table = MethodTable::default();
    let mut found: BTreeMap<MethodId, BTreeMap<u8, MethodResults>> = BTreeMap::new();
    let mut called: BTreeMap<MethodId, Called> = BTreeMap::new();
    let mut totals = ResultsTotals::default();
    let mut bytecodes = 0u64;
    let mut definitions = Definitions::with_own(said);
    for (file, profile) in profiles {
        let Some(results) = &profile.dataflow.results else {
            return Err(Error::new(format!(
                "{file}: no results of methods were recorded; record with mode=results"
            )));
        };
        let numbers = table.add(profile);
        definitions.add(&profile.run, &profile.classes);
        for one in &results.methods {
            let method = numbers.method(one.method);
            let known = found.entry(method).or_default();
            let renumbered = MethodResults { method, ..*one };
            known.entry(one.depth).and_modify(|sum| sum.add(&renumbered)).or_insert(renumbered);
        }
        totals.add(&results.totals);
        let executed = profile.by_method("bytecodes");
        bytecodes = executed.into_iter().fold(bytecodes, u64::saturating_add);
        for ((at, method), costs) in (0..).zip(&profile.methods).zip(costs(profile)) {
            let known = called.entry(numbers.method(MethodId(at))).or_default();
            known.calls = known.calls.saturating_add(costs.calls.unwrap_or_default());
            known.inclusive = known.inclusive.saturating_add(costs.inclusive);
            known.calls_something |= !method.sites.is_empty();
        }
    }
    let unfollowed =
        called.iter().filter(|(method, one)| one.calls > 0 && !found.contains_key(method));
    let unfollowed = unfollowed.count();
    let followed = found.into_iter().map(|(method, mut by_depth)| {
        let Called { calls, inclusive, calls_something } =
            called.get(&method).copied().unwrap_or_default();
        let mut exact = by_depth.remove(&0).unwrap_or(MethodResults {
            method,
            returned: by_depth.values().next().map_or(0, |deep| deep.returned),
            ..MethodResults::default()
        });
        // With inputs left out, it is an estimate, which may be too high.
        exact.cost = exact.cost.min(bytecodes.max(exact.saving));
        let mut deep: Vec<MethodResults> = by_depth.into_values().collect();
        let calls = match exact.level {
            0 => calls.max(exact.returned.saturating_add(exact.unfollowed)),
            _ => calls,
        };
        scale_to_calls(&mut exact, calls);
        deep.iter_mut().chain([&mut exact]).for_each(MethodResults::keep_below_calls);
        Followed { method, calls, inclusive, calls_something, exact, deep }
    });
    let followed = followed.collect();
    let methods = table.finish();
    let owners = Owners::new(definitions, [], &methods);
    Ok(Results { methods, followed, totals, bytecodes, unfollowed, owners })
}

/// With inputs left out, all that is known of calls is estimated. How many there were at
/// most, the tree says: where there would be more, each number is as much too large.
fn scale_to_calls(results: &mut MethodResults, calls: u64) {
    if results.level == 0 || results.returned <= calls {
        return;
    }
    let factor = calls as f64 / results.returned as f64;
    for number in [
        &mut results.hits,
        &mut results.hits_error,
        &mut results.last_hits,
        &mut results.conflicts,
        &mut results.wrote,
        &mut results.hits_that_wrote,
        &mut results.cost,
        &mut results.saving,
        &mut results.saving_error,
    ] {
        // A number above 0 must not be rounded to 0: that there are some is certain.
        let least = u64::from(*number > 0);
        *number = ((*number as f64 * factor).round() as u64).max(least);
    }
    results.empty = results.empty.map(|empty| (empty as f64 * factor).round() as u64);
    results.returned = calls;
}

/// What the tree says of a method.
#[derive(Debug, Clone, Copy, Default)]
struct Called {
    calls: u64,
    inclusive: u64,
    calls_something: bool,
}

/// Of each method of a profile.
fn costs(profile: &Profile) -> Vec<Costs> {
    let column = |name| profile.nodes.metric(name).map(|metric| &metric.values[..]);
    let columns = Labelled {
        label: &profile.nodes.method,
        parent: &profile.nodes.parent,
        cost: column("bytecodes").unwrap_or_default(),
        calls: column("calls"),
    };
    columns.costs(profile.methods.len())
}

impl Followed {
    /// Whether the numbers are those of some of its calls: the first ones, or those with
    /// inputs that were kept.
    pub fn is_partly_known(&self, results: &MethodResults) -> bool {
        results.stopped || results.level > 0
    }

    /// What a cache would spare, with objects compared in one way.
    pub fn spared(&self, results: &MethodResults) -> Spared {
        Spared::new(self, results)
    }

    /// Calls that ended by exceptions, and those that were followed no longer.
    pub fn neither_returned_nor_too_deep(&self) -> u64 {
        self.calls.saturating_sub(self.exact.returned.saturating_add(self.exact.unfollowed))
    }
}

impl Results {
    /// Whose a method is.
    pub fn owner(&self, one: &Followed) -> Owner {
        self.owners.owner(&self.method(one).class)
    }

    /// A method that was followed.
    pub fn method(&self, one: &Followed) -> &Method {
        &self.methods[one.method.0 as usize]
    }

    /// How those that were followed are shown.
    pub fn names(&self) -> Names {
        Names::of_methods(&self.methods, self.followed.iter().map(|one| one.method.0))
    }

    /// Calls that were not followed because those before had shown that no cache would
    /// help their method, or were enough. Those that ended by exceptions are among them.
    pub fn calls_after_the_first(&self) -> u64 {
        let stopped = self.followed.iter().filter(|one| one.exact.stopped);
        stopped.map(Followed::neither_returned_nor_too_deep).fold(0, u64::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use profile::dataflow::ResultsProfile;
    use profile::{CallSite, ClassId, ClassInfo, MethodInfo, Metric, NO_PARENT, Nodes};

    use super::*;

    fn run(hits: u64, depths: &[u8]) -> (String, Profile) {
        let method = |name: &str, sites| MethodInfo {
            class: ClassId(0),
            name: name.into(),
            descriptor: "()I".into(),
            access: 0,
            sites,
        };
        let of = |depth| MethodResults {
            method: MethodId(1),
            depth,
            hits,
            returned: 20,
            ..MethodResults::default()
        };
        let methods = depths.iter().map(|&depth| of(depth)).collect();
        let metric =
            |name: &str, values: [u64; 3]| Metric { name: name.into(), values: values.into() };
        let mut profile = Profile {
            classes: vec![ClassInfo::default()],
            methods: vec![
                method("leaf", Vec::new()),
                method("asked", vec![CallSite { bci: 1, line: 2 }]),
            ],
            nodes: Nodes {
                method: vec![1, 0, 1],
                parent: vec![NO_PARENT, 0, 0],
                site: vec![0; 3],
                metrics: vec![metric("calls", [10, 40, 11]), metric("bytecodes", [100, 200, 300])],
            },
            ..Profile::default()
        };
        let totals = ResultsTotals { threads: 2, identities: hits, too_deep: 1 };
        profile.dataflow.results = Some(ResultsProfile { methods, totals });
        ("run".into(), profile)
    }

    #[test]
    fn results_of_several_runs_are_added_up() {
        let results = unite(&[run(5, &[0]), run(7, &[0, 4, 1])], &OwnCode::default())
            .expect("they have some");
        let [one] = &results.followed[..] else { panic!("{:?}", results.followed) };
        assert_eq!((one.calls, one.calls_something, one.exact.hits), (42, true, 12));
        // All is called by its outermost call: 600 in each run.
        assert_eq!(one.inclusive, 1200);
        assert_eq!(one.deep.iter().map(|deep| deep.depth).collect::<Vec<_>>(), [1, 4]);
        assert_eq!((results.bytecodes, results.unfollowed), (1200, 1));
        assert_eq!(results.totals, ResultsTotals { threads: 4, identities: 7, too_deep: 2 });
        assert_eq!(results.method(one).name, "asked");
    }

    #[test]
    fn names_have_parameters_where_overloads_were_followed() {
        let shown = |number| {
            let (file, mut profile) = run(5, &[0]);
            profile.methods[0] =
                MethodInfo { descriptor: "(J)I".into(), ..profile.methods[1].clone() };
            let results = profile.dataflow.results.as_mut().expect("it has some");
            results.methods.extend((0..number).map(|_| MethodResults::default()));
            let results = unite(&[(file, profile)], &OwnCode::default()).expect("they have some");
            let names = results.names();
            let shown = results.followed.iter().map(|one| names.of(Some(one.method.0)).to_owned());
            shown.collect::<Vec<_>>()
        };
        assert_eq!(shown(0), ["asked"]);
        assert_eq!(shown(1), ["asked(long)", "asked()"]);
    }

    #[test]
    fn no_more_calls_hit_than_returned() {
        let (file, mut profile) = run(5, &[0]);
        let recorded = profile.dataflow.results.as_mut().expect("it has some");
        let one = &mut recorded.methods[0];
        (one.level, one.hits, one.last_hits, one.conflicts) = (3, 24, 22, 8);
        one.hits_that_wrote = 21;
        let results = unite(&[(file, profile)], &OwnCode::default()).expect("they have some");
        let exact = results.followed[0].exact;
        let found = (exact.returned, exact.hits, exact.last_hits, exact.conflicts);
        assert_eq!((found, exact.hits_that_wrote), ((20, 20, 20, 0), 20));
    }

    #[test]
    fn estimates_are_scaled_to_the_calls_there_were() {
        let estimate = MethodResults {
            level: 1,
            returned: 2_000,
            hits: 1_980,
            conflicts: 1,
            saving: 4_000,
            ..MethodResults::default()
        };
        let mut scaled = estimate;
        scale_to_calls(&mut scaled, 1_000);
        let MethodResults { returned, hits, conflicts, saving, .. } = scaled;
        assert_eq!([returned, hits, conflicts, saving], [1_000, 990, 1, 2_000]);
        let mut fewer = estimate;
        scale_to_calls(&mut fewer, 3_000);
        assert_eq!(fewer, estimate);
    }

    #[test]
    fn a_run_without_results_is_refused() {
        let error =
            unite(&[("a".into(), Profile::default())], &OwnCode::default()).expect_err("has none");
        assert!(error.to_string().contains("record with mode=results"), "{error}");
    }
}
