//! The search for bottlenecks: Ammons et al. 2004's numbers, its laws, and a literal
//! implementation of its definitions on random trees.

use crate::common::tree;
use crate::literal_search;
use crate::literal_search::Literal;
use made_profiles::random_trees::{Random, random_profile};
use subsume_analysis::search::auto::{self, End};
use subsume_analysis::search::call_tree::{Bounds, CallTree};
use subsume_analysis::search::comparison::Comparison;
use subsume_analysis::search::culprits::culprits;
use subsume_analysis::search::interface::{Cost, Costs, ProfileInterface};
use subsume_analysis::search::session::{List, Selection as Selected, Session};
use subsume_analysis::search::suggester::Suggester;
use subsume_analysis::search::zoom::zoom;
use subsume_analysis::subsuming::{Subsuming, Thresholds};
use tree::Tree;
use tree::alignment::align;
use tree::forest::Selection;
use tree::names::pattern::Pattern;

/// Both trees that fit the text's numbers of Figure 2.
const FIGURE_2: [&str; 2] = [
    "a 1\na;b 2\na;b;c 5\na;b;c;d 30\na;c 10\na;c;e 52\n",
    "a 1\na;b 2\na;b;c 10\na;b;c;d 30\na;c 5\na;c;e 52\n",
];

fn bounds(height: u32) -> Bounds {
    Bounds { thresholds: Thresholds { height, distance: height }, never: Pattern::new("") }
}

/// The summary of a sequence of names, by extension at the bottom.
fn summary<P: ProfileInterface>(profile: &P, names: &[&str]) -> P::Summary {
    let number = |name: &str| {
        profile.methods().iter().position(|method| method.name == name).unwrap() as u32
    };
    let first = number(names[0]);
    let initial = profile.initial_summaries();
    let initial = initial.into_iter().find(|s| profile.path_of(s) == [first]).unwrap();
    names[1..].iter().fold(initial, |summary, name| profile.extend_bottom(&summary, number(name)))
}

fn names<P: ProfileInterface>(profile: &P, methods: &[u32]) -> Vec<String> {
    methods.iter().map(|&method| profile.methods()[method as usize].name.clone()).collect()
}

#[test]
fn figure_2() {
    for stacks in FIGURE_2 {
        let tree = tree(stacks);
        let profile = &CallTree::new(&tree, bounds(0));
        let initial = profile.initial_summaries();
        let paths: Vec<Vec<String>> =
            initial.iter().map(|s| names(&profile, profile.path_of(s))).collect();
        assert_eq!(paths, [["a"], ["b"], ["c"], ["d"], ["e"]]);

        let a = summary(&profile, &["a"]);
        let c = summary(&profile, &["c"]);
        assert_eq!((c.len(), summary(&profile, &["c", "d"]).len()), (2, 1));
        assert_eq!(profile.costs_of(&c), Costs { base: 15, cum: 97 });
        assert_eq!(names(&profile, &profile.top_extensions(&c)), ["a", "b"]);
        assert_eq!(names(&profile, &profile.bottom_extensions(&c)), ["d", "e"]);
        let both = [a, c];
        assert_eq!(profile.total_base_of(&both), 16);
        assert_eq!(profile.total_cum_of(&both), 100);
    }
}

/// Section 2.3: with zooming, [c d] goes on to [a b c d], not to [b c d].
#[test]
fn figure_2_zooms_to_the_whole_path() {
    for stacks in FIGURE_2 {
        let tree = tree(stacks);
        let profile = &CallTree::new(&tree, bounds(0));
        let from = summary(&profile, &["c", "d"]);
        let top = zoom(&profile, &from, 0.95, |s| profile.extended_top(s));
        let found: Vec<_> =
            top.summaries.iter().map(|s| names(&profile, profile.path_of(s))).collect();
        assert_eq!(found, [["a", "b", "c", "d"]]);
        assert_eq!(top.below_cutoff, 0);
        // Nothing is called, so there is nothing to list.
        let bottom = zoom(&profile, &from, 0.95, |s| profile.extended_bottom(s));
        assert_eq!((bottom.summaries.len(), bottom.below_cutoff), (0, 0));
    }
}

#[test]
fn zooming_lists_the_shortest_prefix_and_counts_the_rest() {
    // x is called from three places with 60, 36 and 4 of its 100.
    let tree = tree("m;a;x 60\nm;b;x 36\nm;c;x 4\n");
    let profile = &CallTree::new(&tree, bounds(0));
    let x = summary(&profile, &["x"]);
    let at = |cutoff| {
        let found = zoom(&profile, &x, cutoff, |s| profile.extended_top(s));
        let paths = found.summaries.iter().map(|s| names(&profile, profile.path_of(s)).concat());
        (paths.collect::<Vec<_>>(), found.below_cutoff)
    };
    assert_eq!(at(0.95), (vec!["ax".into(), "bx".into()], 1));
    assert_eq!(at(0.97), (vec!["ax".into(), "bx".into(), "cx".into()], 0));
    // One keeps 60 %: it is gone through, up to the root.
    assert_eq!(at(0.6), (vec!["max".into()], 0));
    // None can reach more than everything.
    assert_eq!(at(1.5), (vec![], 3));
}

/// Costs that cancel each other out are what base and cum are signed for.
#[test]
fn differences_may_be_negative_and_cum_below_base() {
    let (mut file, mut base) = (tree("m 5\nm;a 7\nm;a;x 1\n"), tree("m 5\nm;a 1\nm;a;x 9\n"));
    align([&mut file, &mut base]);
    let (file, base) = (CallTree::new(&file, bounds(0)), CallTree::new(&base, bounds(0)));
    let profile = Comparison::new(&file, &base);
    assert_eq!(profile.total(), -2);
    assert_eq!(profile.costs_of(&summary(&profile, &["a"])), Costs { base: 6, cum: -2 });
    assert_eq!(profile.costs_of(&summary(&profile, &["x"])), Costs { base: -8, cum: -8 });
}

fn random_tree(random: &mut Random) -> Tree {
    let profile = random_profile(random);
    Tree::merge(vec![("random".into(), profile)], &Selection::default()).unwrap()
}

/// A walk through summaries by all constructors, in step with the literal ones.
fn walk<P: ProfileInterface>(
    profile: &P,
    literal: &Literal<'_>,
    random: &mut Random,
) -> Vec<(P::Summary, literal_search::Summary)> {
    let literal = &literal;
    let (fast, slow) = (profile.initial_summaries(), literal.initial_summaries());
    assert_eq!(fast.len(), slow.len());
    let Some(start) = (0..fast.len()).nth(random.below(fast.len().max(1) as u64) as usize) else {
        return Vec::new();
    };
    let mut at = (fast[start].clone(), slow[start].clone());
    let mut all = vec![at.clone()];
    for _ in 0..8 {
        assert_eq!(profile.path_of(&at.0), literal.path_of(&at.1));
        let top = profile.top_extensions(&at.0);
        let bottom = profile.bottom_extensions(&at.0);
        assert_eq!(top, literal.top_extensions(&at.1));
        assert_eq!(bottom, literal.bottom_extensions(&at.1));
        let last = |paths: Vec<P::Summary>| {
            paths.iter().map(|s| profile.path_of(s).to_vec()).collect::<Vec<_>>()
        };
        let longer = |m: u32| [&[m], profile.path_of(&at.0)].concat();
        assert_eq!(
            last(profile.extended_top(&at.0)),
            top.iter().map(|&m| longer(m)).collect::<Vec<_>>()
        );
        let longer = |m: u32| [profile.path_of(&at.0), &[m]].concat();
        let expected: Vec<_> = bottom.iter().map(|&m| longer(m)).collect();
        assert_eq!(last(profile.extended_bottom(&at.0)), expected);

        let pick = |random: &mut Random, from: &[u32]| {
            from.get(random.below(from.len().max(1) as u64) as usize).copied()
        };
        let next = match random.below(5) {
            0 | 1 => pick(random, &top)
                .map(|m| (profile.extend_top(&at.0, m), literal.extend_top(&at.1, m))),
            2 | 3 => pick(random, &bottom).map(|m| {
                let all = profile.extended_bottom(&at.0);
                let at_once = all.into_iter().find(|s| profile.path_of(s).last() == Some(&m));
                let one = profile.extend_bottom(&at.0, m);
                assert_eq!(profile.costs_of(&one), profile.costs_of(&at_once.unwrap()));
                (one, literal.extend_bottom(&at.1, m))
            }),
            _ => {
                let fast = [profile.trim_top(&at.0), profile.trim_bottom(&at.0)];
                let slow = [literal.trim_top(&at.1), literal.trim_bottom(&at.1)];
                let side = random.below(2) as usize;
                assert_eq!(fast.iter().flatten().count(), slow.iter().flatten().count());
                fast[side].clone().zip(slow[side].clone())
            }
        };
        if let Some(next) = next {
            at = next;
            all.push(at.clone());
        }
    }
    all
}

/// Compares all costs, alone and together, with the literal ones.
fn agree<P: ProfileInterface>(profile: &P, literal: &Literal<'_>, random: &mut Random) -> Found {
    let slow_profile = &literal;
    assert_eq!(profile.total(), slow_profile.total());
    let walked = walk(profile, literal, random);
    let (fast, slow): (Vec<_>, Vec<_>) = walked.into_iter().unzip();
    let mut found = Found::default();
    for (fast, slow) in fast.iter().zip(&slow) {
        let costs = profile.costs_of(fast);
        assert_eq!(costs, slow_profile.costs_of(slow), "{slow:?}");
        assert_eq!(costs.base, profile.total_base_of(std::slice::from_ref(fast)));
        assert_eq!(costs.cum, profile.total_cum_of(std::slice::from_ref(fast)));
        let mut calls = slow.calls.clone();
        calls.sort_unstable();
        found.repeats += usize::from(calls.windows(2).any(|pair| pair[0] == pair[1]));
        found.negative += usize::from(costs.cum < 0);
        found.cum_below_base += usize::from(costs.cum < costs.base);
    }
    assert_eq!(profile.total_costs_of(&fast), slow_profile.total_costs_of(&slow));
    assert_eq!(profile.running_cums(&fast), slow_profile.running_cums(&slow));
    let half = fast.len() / 2;
    let added = profile.added(&fast[..half], &fast[half..]);
    assert_eq!(added, slow_profile.added(&slow[..half], &slow[half..]));
    found
}

/// How often something was seen that makes the test worth running.
#[derive(Default)]
struct Found {
    repeats: usize,
    negative: usize,
    cum_below_base: usize,
}

impl Found {
    fn add(&mut self, other: &Self) {
        self.repeats += other.repeats;
        self.negative += other.negative;
        self.cum_below_base += other.cum_below_base;
    }
}

#[test]
fn one_tree_agrees_with_the_literal_implementation() {
    let mut random = Random(11);
    let mut found = Found::default();
    for _ in 0..1_500 {
        let tree = random_tree(&mut random);
        let fast = CallTree::new(&tree, bounds(0));
        let literal = Literal { file: &tree, base: None };
        found.add(&agree(&&fast, &literal, &mut random));
    }
    assert!(found.repeats > 1_000, "{} sequences with a method twice", found.repeats);
}

#[test]
fn two_trees_agree_with_the_literal_implementation() {
    let mut random = Random(12);
    let mut found = Found::default();
    for _ in 0..1_000 {
        let (mut file, mut base) = (random_tree(&mut random), random_tree(&mut random));
        align([&mut file, &mut base]);
        let fast = (CallTree::new(&file, bounds(0)), CallTree::new(&base, bounds(0)));
        let literal = Literal { file: &file, base: Some(&base) };
        found.add(&agree(&Comparison::new(&fast.0, &fast.1), &literal, &mut random));
    }
    assert!(found.repeats > 500, "{} sequences with a method twice", found.repeats);
    assert!(found.negative > 500, "{} negative differences", found.negative);
    assert!(found.cum_below_base > 500, "{} cums below their base", found.cum_below_base);
}

/// Some summaries, near each other or not.
fn some<P: ProfileInterface>(profile: &P, random: &mut Random) -> Vec<P::Summary> {
    let mut all = Vec::new();
    for _ in 0..3 {
        let initial = profile.initial_summaries();
        let Some(at) = initial.get(random.below(initial.len().max(1) as u64) as usize) else {
            return all;
        };
        let mut at = at.clone();
        all.push(at.clone());
        for _ in 0..random.below(4) {
            let mut near = profile.extended_top(&at);
            near.extend(profile.extended_bottom(&at));
            if !near.is_empty() {
                at = near.swap_remove(random.below(near.len() as u64) as usize);
                all.push(at.clone());
            }
        }
    }
    all
}

/// The laws that hold for every profile.
fn general_laws<P: ProfileInterface>(profile: &P, random: &mut Random) {
    let some = some(profile, random);
    let all = profile.initial_summaries();
    assert_eq!(profile.total_cum_of(&all), profile.total());
    assert_eq!(profile.total_base_of(&all), profile.total());
    assert_eq!(profile.total_costs_of(&[]), Costs::default());
    for one in &some {
        assert_eq!(profile.total_costs_of(std::slice::from_ref(one)), profile.costs_of(one));
    }
    let together = profile.total_costs_of(&some);
    let mut other_order = some.clone();
    other_order.reverse();
    other_order.extend(some.iter().take(2).cloned());
    assert_eq!(profile.total_costs_of(&other_order), together);
    for one in &some {
        for other in &some {
            let overlap = profile.overlap(one, std::slice::from_ref(other));
            assert_eq!(overlap, profile.overlap(other, std::slice::from_ref(one)));
        }
        assert_eq!(profile.overlap(one, std::slice::from_ref(one)), profile.costs_of(one));
        assert_eq!(profile.overlap(one, &some), profile.costs_of(one));
    }
}

#[test]
fn laws_of_one_tree() {
    let mut random = Random(13);
    for _ in 0..1_000 {
        let tree = random_tree(&mut random);
        let profile = &CallTree::new(&tree, bounds(0));
        general_laws(&profile, &mut random);
        let some = some(&profile, &mut random);
        let costs: Vec<Costs> = some.iter().map(|s| profile.costs_of(s)).collect();
        let together = profile.total_costs_of(&some);
        for costs in &costs {
            assert!(0 <= costs.base && costs.base <= costs.cum);
            assert!(costs.base <= together.base && costs.cum <= together.cum);
        }
        assert!(together.base <= costs.iter().map(|c| c.base).sum::<Cost>());
        assert!(together.cum <= costs.iter().map(|c| c.cum).sum::<Cost>());
    }
}

#[test]
fn laws_of_two_trees() {
    let mut random = Random(14);
    for _ in 0..700 {
        let (mut file, mut base) = (random_tree(&mut random), random_tree(&mut random));
        align([&mut file, &mut base]);
        let (file, base) = (CallTree::new(&file, bounds(1)), CallTree::new(&base, bounds(1)));
        let profile = Comparison::new(&file, &base);
        general_laws(&profile, &mut random);

        // The other way round everything is negated, with itself it is nothing.
        let (swapped, itself) = (Comparison::new(&base, &file), Comparison::new(&file, &file));
        assert_eq!((swapped.total(), itself.total()), (-profile.total(), 0));
        let negative = |c: Costs| Costs { base: -c.base, cum: -c.cum };
        for (one, other) in profile.initial_summaries().iter().zip(swapped.initial_summaries()) {
            assert_eq!(negative(profile.costs_of(one)), swapped.costs_of(&other));
            let (longer, others) = (profile.extended_top(one), swapped.extended_top(&other));
            let costs = longer.iter().map(|s| negative(profile.costs_of(s)));
            assert_eq!(
                costs.collect::<Vec<_>>(),
                others.iter().map(|s| swapped.costs_of(s)).collect::<Vec<_>>()
            );
            assert_eq!(negative(profile.total_costs_of(&longer)), swapped.total_costs_of(&others));
        }
        for summary in some(&itself, &mut random) {
            assert_eq!(itself.costs_of(&summary), Costs::default());
        }
        let negated: Vec<_> = swapped.induced().into_iter().map(|(m, cost)| (m, -cost)).collect();
        assert_eq!(profile.induced(), negated);
    }
}

#[test]
fn high_induced_suggests_what_subsumes_in_either_profile() {
    let (mut file, mut base) =
        (tree("m 1\nm;a;b;x 5\nm;c;b;x 7\n"), tree("m 1\nm;a;b;x 2\nm;d;a;x 4\n"));
    align([&mut file, &mut base]);
    let of = |tree: &Tree| {
        let thresholds = Thresholds { height: 0, distance: 1 };
        Subsuming::analyse(tree, thresholds, &Pattern::new(""))
    };
    let (of_file, of_base) = (of(&file), of(&base));
    let bounds =
        Bounds { thresholds: Thresholds { height: 0, distance: 1 }, never: Pattern::new("") };
    let (in_file, in_base) = (CallTree::new(&file, bounds.clone()), CallTree::new(&base, bounds));
    let profile = Comparison::new(&in_file, &in_base);
    let suggested = Suggester::HighInduced.suggest(&profile);
    let found: Vec<(u32, Cost)> =
        suggested.iter().map(|s| (profile.path_of(&s.summary)[0], s.induced.unwrap())).collect();
    let mut expected: Vec<(u32, Cost)> = (0..file.methods.len())
        .filter(|&m| of_file.subsumes[m] || of_base.subsumes[m])
        .map(|m| (m as u32, Cost::from(of_file.induced[m]) - Cost::from(of_base.induced[m])))
        .collect();
    expected.sort_by_key(|&(method, cost)| (std::cmp::Reverse(cost), method));
    assert_eq!(found, expected);
    let b = file.methods.iter().position(|m| m.name == "b").unwrap();
    assert!(of_file.subsumes[b] && !of_base.subsumes[b], "subsumes in one of them only");
}

/// What the whole session says is the same with the literal implementation.
#[test]
fn sessions_agree_with_the_literal_implementation() {
    let mut random = Random(15);
    for _ in 0..150 {
        let (mut file, mut base) = (random_tree(&mut random), random_tree(&mut random));
        align([&mut file, &mut base]);
        let fast = (CallTree::new(&file, bounds(0)), CallTree::new(&base, bounds(0)));
        let seed = random.next();
        let literal = Literal { file: &file, base: None };
        assert_eq!(play(&fast.0, &mut Random(seed)), play(&literal, &mut Random(seed)));
        let literal = Literal { file: &file, base: Some(&base) };
        let comparison = Comparison::new(&fast.0, &fast.1);
        assert_eq!(play(comparison, &mut Random(seed)), play(&literal, &mut Random(seed)));
    }
}

/// Gives some commands, which depend on the seed and on the answers.
fn play<P: ProfileInterface>(profile: P, random: &mut Random) -> Vec<String> {
    let mut session = Session::new(profile, 3);
    let mut answers = Vec::new();
    for _ in 0..12 {
        let answer = match random.below(8) {
            0 => format!("{:?}", session.suggest()),
            1 => {
                session.set_zoom(random.below(2) == 0);
                session.set_cutoff(1.0 / (1 + random.below(4)) as f64);
                session.set_suggester(Suggester::ALL[random.below(2) as usize]);
                continue;
            }
            2 => format!("{:?}", session.label(["one", "two"][random.below(2) as usize])),
            3 => format!("{:?} {:?}", session.labels(), session.coverage()),
            4 => format!("{:?}", session.back()),
            _ => format!("{:?}", session.select(random.below(6) as usize)),
        };
        answers.push(answer);
    }
    answers
}

#[test]
fn numbers_stay_valid_until_the_next_listing() {
    let tree = tree(FIGURE_2[0]);
    let profile = &CallTree::new(&tree, bounds(0));
    let mut session = Session::new(profile, 2);
    assert!(session.select(0).unwrap_err().contains("nothing is listed"));
    let List { shown, more, .. } = session.suggest();
    assert_eq!((shown.len(), more), (2, 3));
    session.coverage();
    session.set_zoom(false);
    // Not shown, but numbered.
    let selected = session.select(4).unwrap();
    assert_eq!(names(&profile, &selected.item.path), ["d"]);
    assert!(session.select(4).unwrap_err().contains("goes from 0 to 0"));
    assert!(session.back().unwrap_err().contains("before"));
    let Selected { item, trimmings, .. } = session.select(0).unwrap();
    assert_eq!(names(&profile, &item.path), ["c", "d"]);
    assert_eq!(trimmings.shown.len(), 2);
    session.label("x").unwrap();
    session.label("x").unwrap();
    assert_eq!(session.coverage().summaries, 1);
    assert_eq!(session.coverage().mean_length, 2.0);
    assert_eq!(session.coverage().costs, Costs { base: 35, cum: 35 });
    assert_eq!(session.back().unwrap().item.path.len(), 1);
}

#[test]
fn a_search_by_itself_covers_figure_2() {
    for stacks in FIGURE_2 {
        let tree = tree(stacks);
        let profile = &CallTree::new(&tree, bounds(0));
        let found = auto::search(&profile, &mut |_| ());
        let paths: Vec<String> = found
            .bottlenecks
            .iter()
            .map(|b| names(&profile, profile.path_of(&b.summary)).concat())
            .collect();
        // e has the highest base; [a c e] keeps all of it. Then d.
        assert_eq!(paths, ["ace", "abcd"]);
        assert_eq!(found.end, End::Covered);
        assert_eq!(found.bottlenecks[1].covered, 100);
    }
}

#[test]
fn the_pieces_of_a_culprit_are_one_entry() {
    // What s does costs a tenth, by way of x, y and z; the rest is many other things.
    let others: String = (0..45).map(|number| format!("m;t{number} 2\n")).collect();
    let tree = tree(&("m;s;x 4\nm;s;y 3\nm;s;z 3\n".to_owned() + &others));
    let profile = &CallTree::new(&tree, bounds(0));
    let found = auto::search(&profile, &mut |_| ());
    let all = culprits(&profile, tree.total(), &found.bottlenecks);
    assert_eq!(names(&profile, profile.path_of(&all[0].summary)), ["m", "s", "x"]);
    let pieces = all[0].others.iter().map(|path| names(&profile, path));
    assert_eq!(pieces.collect::<Vec<_>>(), [["y"], ["z"]]);
    assert_eq!((all[0].costs.cum, all[0].added.cum), (10, 10));
    assert!(all[1..].iter().all(|culprit| culprit.others.is_empty()));
    assert_eq!(all.last().map(|c| c.covered), found.bottlenecks.last().map(|b| b.covered));
    // Nothing is put together that would be more than a tenth of the program.
    let apart = culprits(&profile, 99, &found.bottlenecks);
    assert_eq!(apart.len(), found.bottlenecks.len());
}

/// What each bottleneck adds, and what all cover, follows from the totals.
#[test]
fn a_search_by_itself_keeps_its_rules() {
    let mut random = Random(16);
    let mut ends = [0; 2];
    for _ in 0..300 {
        let (mut file, mut base) = (random_tree(&mut random), random_tree(&mut random));
        align([&mut file, &mut base]);
        let fast = (CallTree::new(&file, bounds(0)), CallTree::new(&base, bounds(0)));
        for profile in [Comparison::new(&fast.0, &fast.1), Comparison::new(&fast.1, &fast.0)] {
            let found = auto::search(&profile, &mut |_| ());
            let mut labelled = Vec::new();
            for bottleneck in &found.bottlenecks {
                let before = profile.total_costs_of(&labelled);
                labelled.push(bottleneck.summary.clone());
                let after = profile.total_costs_of(&labelled);
                assert_eq!(bottleneck.added.cum, after.cum - before.cum);
                assert_eq!(bottleneck.added.base, after.base - before.base);
                assert_eq!(bottleneck.covered, after.cum);
                let gain = bottleneck.added.cum as f64 / profile.total() as f64;
                assert!(gain >= 0.01, "{gain}");
            }
            let covered = found.bottlenecks.last().map_or(0, |b| b.covered);
            match found.end {
                End::NoCost => assert_eq!(profile.total(), 0),
                End::Covered => assert!(covered as f64 / profile.total() as f64 >= 0.8),
                End::SmallGain => assert!((covered as f64) / (profile.total() as f64) < 0.8),
                End::Number => assert_eq!(found.bottlenecks.len(), 50),
            }
            ends[0] += usize::from(found.end == End::Covered);
            ends[1] += usize::from(found.end == End::SmallGain);
        }
    }
    assert!(ends[0] > 100 && ends[1] > 0, "{ends:?}");
}
