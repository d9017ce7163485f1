//! Which methods a cache would spare most, and which are caches already.

use std::cmp::Reverse;

use profile::MethodId;
use profile::dataflow::{MethodResults, ResultKind};
use profile::results::ONLY_NULL;

use crate::dataflow::results::{Followed, Results};
use tree::names::descriptor;
use tree::names::method::Method;
use tree::owners::Owner;

/// What is worth telling: smaller shares of all bytecodes are not.
pub const LEAST_SHARE: f64 = 0.01;
/// Bytecodes of a look-up in a small map: a hash, a comparison, and the calls of both.
pub const LOOK_UP: f64 = 40.0;
/// A hit of a cache costs no more bytecodes: a look-up, and putting its key together.
const DEAREST_HIT: f64 = 10.0 * LOOK_UP;
/// It costs at most this part of another call.
const CHEAP: u64 = 10;
/// Of a method that writes once for each input, a hit costs at most this part.
const CHEAP_OF_WRITER: u64 = 2;
/// A cache with fewer hits is told only if it costs something.
const MANY_HITS: u64 = 1_000;
/// Methods with fewer calls are not worth a recording by structure.
const MANY_CALLS: u64 = 1_000;

/// What is found among the methods, by their places in [`Results::followed`].
#[derive(Debug, Default)]
pub struct Findings {
    /// Candidates for a cache: that first which it would spare most beside its look-ups,
    /// and last those of the JDK, which nobody can give a cache.
    pub candidates: Vec<usize>,
    /// Methods compared by structure, candidates first, then by what a cache would
    /// spare.
    pub by_structure: Vec<usize>,
    /// How many of them are candidates.
    pub candidates_by_structure: usize,
    /// Methods that are caches, those with most hits first.
    pub caches: Vec<usize>,
    /// Methods that always return null, the costliest first.
    pub always_null: Vec<usize>,
    /// Methods that a comparison by structure may tell more of, the costliest first.
    pub worth_a_deeper_look: Vec<usize>,
}

impl Findings {
    /// What is found where smaller shares of all bytecodes do not count, among methods
    /// that are `wanted`.
    pub fn new(results: &Results, least_share: f64, wanted: impl Fn(&Method) -> bool) -> Self {
        let least = (least_share * results.bytecodes as f64).ceil() as u64;
        let mut found = Self::default();
        for (at, one) in results.followed.iter().enumerate() {
            let method = results.method(one);
            if !wanted(method) || is_constructor(method) {
                continue;
            }
            let exact = &one.exact;
            let kind = ResultKind::of(exact);
            let matters = one.exact.cost >= least || one.calls >= MANY_CALLS;
            // Code that has nothing else to return looks for nothing.
            if kind == ResultKind::Null && !exact.always(ONLY_NULL) && matters {
                found.always_null.push(at);
            }
            if is_cache(one, exact) && (one.exact.hits >= MANY_HITS || one.exact.cost >= least) {
                found.caches.push(at);
            } else if is_candidate(one, &one.exact) && one.spared(&one.exact).likely >= least.max(1)
            {
                found.candidates.push(at);
            }
            if !one.deep.is_empty() {
                found.by_structure.push(at);
            } else if is_worth_a_deeper_look(one, method, results.owner(one) == Owner::Platform)
                && one.exact.cost >= least.max(1)
            {
                found.worth_a_deeper_look.push(at);
            }
        }
        let of = |at: usize| &results.followed[at];
        found.candidates.sort_by_key(|&at| {
            let (one, exact) = (of(at), &of(at).exact);
            let spared = one.spared(exact).likely;
            (results.owner(one) == Owner::Platform, Reverse([worth(exact, spared), spared]), at)
        });
        found.caches.sort_by_key(|&at| (Reverse(of(at).exact.hits), at));
        found.always_null.sort_by_key(|&at| (Reverse(of(at).exact.cost), at));
        found.worth_a_deeper_look.sort_by_key(|&at| (Reverse(of(at).exact.cost), at));
        let spared = |at: usize| {
            let one = of(at);
            // A cache may compare its keys by what they hold.
            let found = survivor(one).filter(|deep| !is_cache(one, deep));
            found.map_or(0, |deep| one.spared(deep).likely)
        };
        found.by_structure.sort_by_key(|&at| (Reverse(spared(at)), at));
        let candidates = found.by_structure.iter().filter(|&&at| spared(at) >= least.max(1));
        found.candidates_by_structure = candidates.count();
        found
    }
}

fn is_constructor(method: &Method) -> bool {
    matches!(&*method.name, "<init>" | "<clinit>")
}

/// Whether a cache in front of a method would spare its hits, as they are with objects
/// compared in one way.
pub fn is_candidate(one: &Followed, results: &MethodResults) -> bool {
    use ResultKind::{Exceptions, Fluent, Null, Unknown, Void};
    let kind = ResultKind::of(&one.exact);
    one.calls_something
        && !matches!(kind, Void | Fluent | Null | Exceptions | Unknown)
        && results.hits > 0
        && hits_half(results)
        && results.conflicts == 0
        && results.hits_that_wrote == 0
}

/// Hits are at least half of the calls that returned.
fn hits_half(results: &MethodResults) -> bool {
    u128::from(results.hits) * 2 >= u128::from(results.returned)
}

/// What a cache would spare beside what its look-ups cost: of all that it spares as large a
/// part as of a hit in the mean.
fn worth(results: &MethodResults, spared: u64) -> u64 {
    let [hit, _] = mean_costs(results);
    (spared as f64 * (1.0 - LOOK_UP / hit.max(LOOK_UP))).round() as u64
}

/// Whether a method keeps its results, with objects compared in one way: hits write nothing
/// and cost much less than the other calls, most of which write. That these are dear is not
/// enough: the first calls of any method load and initialise classes.
pub fn is_cache(one: &Followed, results: &MethodResults) -> bool {
    let others = results.returned.saturating_sub(results.hits);
    if !is_candidate(one, results) || others == 0 {
        return false;
    }
    let [hit, other] = mean_costs(results);
    let is_cheaper = |by: u64| hit * by as f64 <= other;
    // About once for each input.
    let writes_each = results.wrote > 0 && results.wrote.abs_diff(others) * 10 <= others;
    let writes_mostly = results.wrote.saturating_mul(2) >= others;
    hit <= DEAREST_HIT
        && (writes_mostly && is_cheaper(CHEAP) || writes_each && is_cheaper(CHEAP_OF_WRITER))
}

/// Bytecodes of a hit, and of another call, in the mean.
pub fn mean_costs(results: &MethodResults) -> [f64; 2] {
    let others = results.returned.saturating_sub(results.hits);
    let mean = |cost: u64, calls: u64| cost as f64 / calls.max(1) as f64;
    [mean(results.saving, results.hits), mean(results.cost.saturating_sub(results.saving), others)]
}

/// The comparison with the deepest objects that a method survives: at each depth up to
/// there it is a candidate, as MemoizeIt demands before it looks deeper.
pub fn survivor(one: &Followed) -> Option<&MethodResults> {
    one.deep.iter().take_while(|deep| is_candidate(one, deep)).last()
}

/// Objects that are the same by what they hold may be what it takes and returns.
fn is_worth_a_deeper_look(one: &Followed, method: &Method, is_platform: bool) -> bool {
    use ResultKind::{Exceptions, Fluent, Null, Unknown, Void};
    let exact = &one.exact;
    let kind = ResultKind::of(exact);
    let returns_object = descriptor::returns_object(&method.descriptor);
    one.calls_something
        && !is_platform
        && exact.returned >= MANY_CALLS
        && !hits_half(exact)
        && u128::from(exact.wrote) * 2 <= u128::from(exact.returned)
        && !matches!(kind, Void | Fluent | Null | Exceptions | Unknown)
        && (returns_object || descriptor::takes_object(&method.descriptor))
        // Of numbers, the same input has had other ones.
        && (exact.conflicts == 0 || returns_object)
}

/// The agent's option for a comparison by what objects hold, of methods of which it may
/// tell more, at most so many.
pub fn option_of_deeper_look(
    results: &Results,
    findings: &Findings,
    most: usize,
) -> Option<String> {
    let names = findings.worth_a_deeper_look.iter().take(most).map(|&at| {
        let MethodId(number) = results.followed[at].method;
        results.methods[number as usize].qualified()
    });
    let mut names: Vec<String> = names.collect();
    // Overloads have one name.
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    (!names.is_empty()).then(|| format!("deep={}", names.join(";")))
}

#[cfg(test)]
mod tests {
    use profile::results::{FLUENT, NULL, VOID};

    use super::*;

    /// Name, descriptor, and what is different.
    type Case<'a> = (&'a str, &'a str, fn(&mut Followed));

    /// Methods of 1,000 calls each in a run of 100,000 bytecodes.
    fn found(methods: &[Case<'_>]) -> (Results, Findings) {
        let mut results = Results { bytecodes: 100_000, ..Results::default() };
        for (number, (name, descriptor, change)) in (0..).zip(methods) {
            results.methods.push(Method {
                class: "a.B".into(),
                name: (*name).into(),
                descriptor: (*descriptor).into(),
            });
            let method = MethodId(number);
            let exact = MethodResults {
                method,
                returned: 1_000,
                inputs: 400,
                hits: 600,
                cost: 10_000,
                saving: 6_000,
                ..MethodResults::default()
            };
            let mut one = Followed {
                method,
                calls: 1_000,
                calls_something: true,
                exact,
                ..Followed::default()
            };
            change(&mut one);
            results.followed.push(one);
        }
        let findings = Findings::new(&results, LEAST_SHARE, |_| true);
        (results, findings)
    }

    /// Whether a method with these results is a candidate.
    fn is_found(name: &str, change: fn(&mut Followed)) -> bool {
        !found(&[(name, "()I", change)]).1.candidates.is_empty()
    }

    #[test]
    fn candidates_meet_all_conditions() {
        assert!(is_found("f", |_| ()));
        assert!(is_found("f", |one| one.exact.hits = 500));
        assert!(is_found("f", |one| (one.exact.saving, one.exact.cost) = (1_000, 2_000)));
        assert!(is_found("f", |one| one.exact.wrote = 100));
        assert!(!is_found("<init>", |_| ()));
        assert!(!is_found("f", |one| one.exact.hits = 499));
        assert!(!is_found("f", |one| (one.exact.saving, one.exact.cost) = (999, 2_000)));
        assert!(!is_found("f", |one| one.exact.conflicts = 1));
        assert!(!is_found("f", |one| one.exact.hits_that_wrote = 1));
        assert!(!is_found("f", |one| one.calls_something = false));
        assert!(!is_found("f", |one| one.exact.kinds = VOID));
        assert!(!is_found("f", |one| one.exact.kinds = FLUENT));
        assert!(!is_found("f", |one| one.exact.kinds = NULL));
    }

    #[test]
    fn candidates_are_ranked_by_what_they_spare() {
        let (_, found) = found(&[
            ("less", "()I", |one| one.exact.saving = 2_000),
            ("most", "()I", |one| one.exact.saving = 9_000),
            ("null", "()I", |one| one.exact.kinds = NULL),
            ("only", "()I", |one| one.exact.kinds = NULL | ONLY_NULL),
        ]);
        assert_eq!((found.candidates, found.always_null), (vec![1, 0], vec![2]));
    }

    /// As `FontTriplet.hashCode` of fop: 19,637 writes for as many inputs.
    #[test]
    fn caches_are_no_candidates() {
        let (_, of) = found(&[
            // A hit costs 2, another call 22, and half of these write.
            ("cheap", "()I", |one| {
                (one.exact.saving, one.exact.cost, one.exact.wrote) = (1_200, 10_000, 200);
            }),
            // A hit costs 5, another call 10, and each of these writes.
            ("lazy", "()I", |one| {
                (one.exact.saving, one.exact.cost, one.exact.wrote) = (3_000, 7_000, 400);
            }),
            // A hit costs 5, another call 10.
            ("none", "()I", |one| (one.exact.saving, one.exact.cost) = (3_000, 7_000)),
        ]);
        assert_eq!((of.caches, of.candidates), (vec![0, 1], vec![2]));
    }

    /// As `MediaType.toString` of Guava 18: the first calls initialise classes.
    #[test]
    fn what_only_begins_dearly_is_no_cache() {
        let (_, of) = found(&[
            // A hit costs 2, another call 2,200, but few of these write.
            ("few", "()I", |one| {
                (one.exact.saving, one.exact.cost, one.exact.wrote) = (1_200, 900_000, 199);
            }),
            // A hit costs 401, more than looking a result up.
            ("dear", "()I", |one| {
                let saving = 401 * one.exact.hits;
                (one.exact.saving, one.exact.cost, one.exact.wrote) = (saving, 3_000_000, 399);
            }),
        ]);
        assert_eq!((of.caches, of.candidates), (vec![], vec![1, 0]));
    }

    #[test]
    fn what_look_ups_cost_and_the_jdk_come_last() {
        let (mut results, _) = found(&[
            // A hit takes 30 bytecodes, fewer than a look-up.
            ("cheap", "()I", |one| (one.exact.hits, one.exact.saving) = (900, 27_000)),
            ("dear", "()I", |one| (one.exact.hits, one.exact.saving) = (600, 26_000)),
            ("platform", "()I", |one| one.exact.saving = 90_000),
        ]);
        results.methods[2].class = "java.lang.String".into();
        let found = Findings::new(&results, LEAST_SHARE, |_| true);
        assert_eq!(found.candidates, [1, 0, 2]);
    }

    #[test]
    fn structures_are_looked_at_deeper_and_deeper() {
        let deep = |depth, hits, conflicts| MethodResults {
            depth,
            hits,
            conflicts,
            returned: 1_000,
            saving: 5_000,
            ..MethodResults::default()
        };
        let one = |deep| Followed { calls_something: true, deep, ..Followed::default() };
        let holds_to = |mut one: Followed| {
            one.exact.returned = 1_000;
            survivor(&one).map(|deep| deep.depth)
        };
        assert_eq!(holds_to(one(vec![deep(1, 900, 0), deep(2, 500, 0), deep(4, 499, 0)])), Some(2));
        assert_eq!(holds_to(one(vec![deep(1, 900, 0), deep(2, 400, 0), deep(4, 900, 0)])), Some(1));
        assert_eq!(holds_to(one(vec![deep(1, 900, 1), deep(2, 900, 0)])), None);
        assert_eq!(holds_to(one(Vec::new())), None);
    }

    /// As fop's `FontInfo.createFontKey`, which returns a fresh object each time.
    #[test]
    fn methods_are_named_for_a_deeper_look() {
        let by_identity: fn(&mut Followed) =
            |one| (one.exact.hits, one.exact.conflicts, one.exact.saving) = (7, 900, 10);
        let (results, found) = found(&[
            ("key", "(Ljava/lang/String;I)La/Key;", by_identity),
            ("key", "(La/Font;)La/Key;", by_identity),
            ("size", "(La/Font;)I", by_identity),
            ("name", "(I)Ljava/lang/String;", by_identity),
            ("writes", "()La/Key;", |one| {
                (one.exact.hits, one.exact.wrote) = (0, 501);
            }),
            ("rare", "()La/Key;", |one| (one.exact.hits, one.exact.returned) = (0, 999)),
            ("cheap", "()La/Key;", |one| (one.exact.hits, one.exact.cost) = (0, 999)),
        ]);
        assert_eq!(found.worth_a_deeper_look, [0, 1]);
        let option = option_of_deeper_look(&results, &found, 5);
        assert_eq!(option.as_deref(), Some("deep=a.B.key"));
    }
}
