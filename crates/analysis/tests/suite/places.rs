//! Opened costs, their largest places, and suspicious calls, against their
//! definitions taken literally, on random trees.

use std::collections::BTreeMap;

use made_profiles::random_trees::{Random, random_profile};
use profile::NO_PARENT;
use subsume_analysis::subsuming::{Subsuming, Thresholds};
use tree::Tree;
use tree::forest::{MetricChoice, Selection};
use tree::names::pattern::Pattern;
use tree::views::movers::{Mover, movers};
use tree::views::parts::{Part, Spread, parts};
use tree::views::places::{Frame, folded_path, places};
use tree::views::region::Region;
use tree::views::suspicious_calls::suspicious_calls;

fn random_tree(random: &mut Random) -> Tree {
    let mut tree = {
        let selection = Selection { metric: MetricChoice::Every, ..Selection::default() };
        Tree::merge(vec![("random".into(), random_profile(random))], &selection).unwrap()
    };
    let mut names = tree.metric_names();
    names.sort_by_key(|name| name == "calls");
    tree.choose_metrics(&names);
    tree
}

fn methods_on_path(tree: &Tree, node: u32) -> Vec<u32> {
    let parent = |&node: &u32| Some(tree.parent[node as usize]).filter(|&p| p != NO_PARENT);
    let nodes: Vec<u32> = std::iter::successors(Some(node), parent).collect();
    nodes.into_iter().rev().map(|node| tree.method[node as usize]).collect()
}

/// Cost by path, from the method that is opened on.
fn by_path(region: &Region) -> BTreeMap<Vec<u32>, u64> {
    let path = |node| -> Vec<u32> {
        region.path(node).iter().map(|&node| region.method[node as usize]).collect()
    };
    (0..region.method.len() as u32).map(|node| (path(node), region.cost[node as usize])).collect()
}

#[test]
fn opened_costs_are_the_costs_of_the_method() {
    let mut random = Random(51);
    let mut opened = [0, 0];
    for _ in 0..1_000 {
        let tree = random_tree(&mut random);
        let thresholds = Thresholds { height: 0, distance: 1 };
        let analysis = Subsuming::analyse(&tree, thresholds, &Pattern::new(""));
        for method in analysis.executed() {
            let region = Region::inclusive(&tree, method as u32).unwrap();
            assert_eq!(region.cost.iter().sum::<u64>(), analysis.costs[method].inclusive);
            opened[0] += 1;
        }
        for method in analysis.subsuming() {
            let opens = |opened: u32| opened as usize == method;
            let region = Region::induced(&tree, &analysis.subsumes, opens, false).unwrap();
            assert_eq!(region.cost.iter().sum::<u64>(), analysis.induced[method]);
            // By path: what lies behind the last subsuming method on the path, if
            // that is the one.
            let mut expected: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
            for node in 0..tree.len() as u32 {
                let path = methods_on_path(&tree, node);
                let last = path.iter().rposition(|&m| analysis.subsumes[m as usize]);
                if let Some(last) = last.filter(|&last| path[last] as usize == method) {
                    *expected.entry(path[last..].to_vec()).or_default() +=
                        tree.cost()[node as usize];
                }
            }
            assert_eq!(by_path(&region), expected);
            opened[1] += 1;
        }
    }
    assert!(opened[0] > 1_000 && opened[1] > 500, "{opened:?}");
}

#[test]
fn places_hold_each_context_once() {
    let mut random = Random(52);
    let mut found = 0;
    for _ in 0..1_000 {
        let tree = random_tree(&mut random);
        let region = Region::induced(&tree, &vec![false; tree.methods.len()], |_| false, true);
        let region = region.unwrap();
        let total = region.cost.iter().sum::<u64>();
        assert_eq!(total, tree.total());
        let inclusive = region.inclusive_costs();
        let least = random.below(1 + total / 4);
        let platform: Vec<bool> = tree.methods.iter().map(|_| random.below(3) == 0).collect();
        let all = places(&region, &platform, least);
        assert!(all.is_sorted_by_key(|place| std::cmp::Reverse(place.cost)));
        assert!(all.iter().all(|place| place.cost >= least.max(1)));
        assert!(all.iter().map(|place| place.cost).sum::<u64>() <= total);
        for place in &all {
            assert_eq!(place.inclusive, inclusive[place.node as usize]);
            // What lies in it is all below it but what lies in places further down.
            let below = all.iter().filter(|other| {
                other.node != place.node && region.path(other.node).contains(&place.node)
            });
            let below: u64 = below.map(|other| other.cost).sum();
            assert!(place.cost <= place.inclusive - below);
            let shown = folded_path(&region, &platform, &inclusive, place.node);
            let frames: usize = shown
                .iter()
                .map(|frame| match frame {
                    Frame::Method(_) => 1,
                    Frame::Folded(count) => *count,
                })
                .sum();
            assert_eq!(frames, region.path(place.node).len());
            let last = region.method[place.node as usize];
            assert_eq!(shown.last(), Some(&Frame::Method(last)));
        }
        found += all.len();
    }
    assert!(found > 1_000, "{found}");
}

/// A tree of given paths: methods by number, calls and own cost.
fn tree_of(paths: &[(&[u32], u64, u64)]) -> Tree {
    let mut tree = Tree::default();
    let mut nodes: BTreeMap<&[u32], u32> = BTreeMap::new();
    let (mut calls, mut cost) = (Vec::new(), Vec::new());
    for &(path, of_path, own) in paths {
        let parent = path.split_last().and_then(|(_, above)| nodes.get(above)).copied();
        nodes.insert(path, tree.method.len() as u32);
        tree.method.push(path[path.len() - 1]);
        tree.parent.push(parent.unwrap_or(NO_PARENT));
        calls.push(of_path);
        cost.push(own);
    }
    let methods = 1 + tree.method.iter().max().copied().unwrap_or(0) as usize;
    tree.methods = vec![Default::default(); methods];
    tree.roots = 1;
    let metric = |name: &str, values| profile::Metric { name: name.into(), values };
    tree.metrics = vec![metric("cost", cost), metric("calls", calls)];
    let names = tree.metric_names();
    tree.choose_metrics(&names);
    tree
}

#[test]
fn parts_hold_each_context_once_and_are_not_too_large() {
    let mut random = Random(53);
    let (mut found, mut shared) = ([0, 0], 0);
    for _ in 0..1_000 {
        let tree = random_tree(&mut random);
        let (least, most) = (random.below(1 + tree.total() / 8), tree.total() / 3);
        let region = Region::of_at_least(&tree, (least / 2).max(1));
        assert!(region.cost.iter().sum::<u64>() <= tree.total());
        let inclusive = region.inclusive_costs();
        let all = parts(&region, &vec![false; tree.methods.len()], least, most);
        assert!(all.is_sorted_by_key(|part| std::cmp::Reverse(part.place.cost)));
        assert!(all.iter().map(|part| part.place.cost).sum::<u64>() <= tree.total());
        shared += all.iter().filter(|part| part.spread.is_some()).count();
        for part in &all {
            if let Some(spread) = part.spread {
                assert!(3 * spread.cost >= part.place.cost && spread.cost <= part.place.cost);
                assert!(spread.contexts > 1);
                let path = region.path(part.place.node);
                assert!(path.iter().all(|&n| region.method[n as usize] != spread.method));
            }
            let part = &part.place;
            assert!(part.cost >= least.max(1));
            assert_eq!(part.inclusive, inclusive[part.node as usize]);
            if part.cost <= most {
                // A context that is taken apart, or half of a part that is whole.
                assert!(part.inclusive > most || 2 * part.inclusive >= part.cost);
                found[0] += 1;
            } else {
                assert_eq!(part.cost, region.cost[part.node as usize]);
                found[1] += 1;
            }
        }
    }
    assert!(found.iter().all(|&count| count > 100) && shared > 10, "{found:?} {shared}");
}

#[test]
fn the_pieces_of_a_defect_are_one_part() {
    // main 0 looks at a text 1, which becomes a string 10 (by 11) and is compared 12; the
    // rest of its work is 2, of which most is 3.
    let tree = tree_of(&[
        (&[0], 1, 50),
        (&[0, 1], 100, 10),
        (&[0, 1, 10], 100, 10),
        (&[0, 1, 10, 11], 100, 190),
        (&[0, 1, 12], 100, 200),
        (&[0, 2], 1, 100),
        (&[0, 2, 3], 1, 440),
    ]);
    let region = Region::of_at_least(&tree, 1);
    let ends = |platform: u32, most: u64| -> Vec<(u32, u64)> {
        let is_platform: Vec<bool> = (0..13).map(|method| method >= platform).collect();
        let parts = parts(&region, &is_platform, 20, most);
        let end = |part: &Part| region.method[part.place.node as usize];
        parts.iter().map(|part| (end(part), part.place.cost)).collect()
    };
    assert_eq!(ends(10, 600), [(3, 540), (1, 410), (0, 50)]);
    // What the JDK does by itself is never taken apart.
    assert_eq!(ends(10, 100).iter().find(|(end, _)| *end == 10), Some(&(10, 200)));
    assert_eq!(ends(20, 100).iter().find(|(end, _)| *end == 10), None);
}

#[test]
fn a_part_names_the_method_that_its_contexts_have_in_common() {
    // main 0 writes a report 1: its head 2, rows 3 and foot 4, each by way of write 5, which
    // encodes 6 and calls the JDK 10. Rows call another row.
    let tree = tree_of(&[
        (&[0], 1, 900),
        (&[0, 1], 1, 5),
        (&[0, 1, 2], 1, 20),
        (&[0, 1, 2, 5], 1, 2),
        (&[0, 1, 2, 5, 6], 1, 10),
        (&[0, 1, 2, 5, 6, 10], 1, 8),
        (&[0, 1, 3], 1, 10),
        (&[0, 1, 3, 5], 1, 2),
        (&[0, 1, 3, 5, 6], 1, 10),
        (&[0, 1, 3, 5, 6, 6], 1, 4),
        (&[0, 1, 4], 1, 15),
        (&[0, 1, 4, 5], 1, 2),
        (&[0, 1, 4, 5, 6], 1, 2),
        (&[0, 1, 4, 5, 6, 10], 1, 10),
    ]);
    let region = Region::of_at_least(&tree, 1);
    let is_platform: Vec<bool> = (0..11).map(|method| method == 10).collect();
    let found = parts(&region, &is_platform, 20, 500);
    assert_eq!(region.method[found[1].place.node as usize], 1);
    assert_eq!(found[1].place.cost, 100);
    // As many contexts as those of write, and what it calls. The JDK has only two.
    let cost = 10 + 8 + 10 + 4 + 2 + 10;
    assert_eq!(found[1].spread, Some(Spread { method: 6, cost, contexts: 3 }));
    assert_eq!(found[0].spread, None);
}

#[test]
fn a_loop_in_a_loop_is_suspicious_and_a_dispatcher_is_not() {
    // main 0 has the callers 1 to 3 of contains 4, which calls indexOf 7: one of them with long lists.
    // It also runs tasks by way of run 5, one of which, 6, costs much.
    let tree = tree_of(&[
        (&[0], 1, 10),
        (&[0, 1], 10, 100),
        (&[0, 1, 4], 100, 200),
        (&[0, 1, 4, 7], 100, 300),
        (&[0, 2], 10, 100),
        (&[0, 2, 4], 100, 200),
        (&[0, 2, 4, 7], 100, 500),
        (&[0, 3], 10, 100),
        (&[0, 3, 4], 50, 100),
        (&[0, 3, 4, 7], 50, 49_900),
        (&[0, 1, 5], 40, 40),
        (&[0, 2, 5], 10, 10),
        (&[0, 2, 5, 6], 10, 90_000),
    ]);
    let found = suspicious_calls(&tree, 100);
    let [calls] = &found[..] else { panic!("{found:?}") };
    assert_eq!((calls.caller, calls.callee), (3, 4));
    assert_eq!((calls.calls, calls.cost), (50, 50_000));
    assert_eq!((calls.all_calls, calls.all_cost), (250, 51_200));
    assert_eq!(calls.excess, 50_000 - 1_200 / 200 * 50);
    assert!(suspicious_calls(&tree, 50_000).is_empty());
}

#[test]
fn elements_count_for_the_last_method_of_the_program() {
    // main 0 calls 1, which calls remove 2 and by it fastRemove 3; both are the JDK's. 2 also
    // calls back 1. A thread of the JDK, 4, has none of the program's methods above.
    let mut tree = tree_of(&[
        (&[0], 1, 1),
        (&[0, 1], 1, 1),
        (&[0, 1, 2], 1, 1),
        (&[0, 1, 2, 3], 1, 1),
        (&[0, 1, 2, 1], 1, 1),
        (&[0, 2], 1, 1),
        (&[4], 1, 1),
        (&[4, 3], 1, 1),
    ]);
    let is_platform = [false, false, true, true, true];
    assert_eq!(movers(&tree, &is_platform, 0), []);
    let values = vec![5, 0, 20, 300, 40, 9, 0, 7];
    tree.metrics.push(profile::Metric { name: "moved".into(), values });
    let mover = |method, through, moved| Mover { method, through, moved };
    let found = [
        mover(1, Some(2), 320),
        mover(1, None, 40),
        mover(0, Some(2), 9),
        mover(4, Some(3), 7),
        mover(0, None, 5),
    ];
    assert_eq!(movers(&tree, &is_platform, 0), found);
    assert_eq!(movers(&tree, &is_platform, 40), found[..2]);
}
