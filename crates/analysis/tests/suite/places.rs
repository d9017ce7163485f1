//! Opened costs, their largest places, and suspicious calls, against their
//! definitions taken literally, on random trees.

use std::collections::BTreeMap;

use made_profiles::random_trees::{Random, random_profile};
use profile::NO_PARENT;
use subsume_analysis::subsuming::{Subsuming, Thresholds};
use subsume_analysis::summary::{Entry, entries};
use tree::Tree;
use tree::forest::{MetricChoice, Selection};
use tree::names::pattern::Pattern;
use tree::owners::{Definitions, OwnCode, Owner, Owners};
use tree::views::folding::{Extent, Frame};
use tree::views::landings::{Spread, Step, landings};
use tree::views::movers::{Mover, movers};
use tree::views::own_loops::{OwnLoop, own_loops};
use tree::views::places::{path_to, places};
use tree::views::region::Region;
use tree::views::suspicious_calls::suspicious_calls;
use tree::views::users::{User, users};
use tree::views::way_in::way_in;

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
        let letters = tree.methods.iter().map(|_| ['o', 'p', 'a', 'b'][random.below(4) as usize]);
        let letters: String = letters.collect();
        let (tree, owners) = owned(tree, &letters);
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
            let path =
                |extent| path_to((&tree, &region), &owners, &inclusive, place.node, None, extent);
            let shown = path(Extent::Telling);
            let methods = region.path(place.node).into_iter();
            let methods: Vec<u32> = methods.map(|node| region.method[node as usize]).collect();
            let whole = path(Extent::Whole).into_iter().map(Frame::method);
            assert_eq!(whole.collect::<Option<Vec<u32>>>().as_ref(), Some(&methods));
            // Of one's own the last method is shown, and no fold stands for one or two.
            let is_own =
                |method: &&u32| owners.owner(&tree.methods[**method as usize].class) == Owner::Own;
            if let Some(&own) = methods.iter().rev().find(is_own) {
                assert!(shown.contains(&Frame::Method(own)), "{own} in {shown:?}");
            }
            assert!(!shown.iter().any(|frame| matches!(frame, Frame::Folded(0..=2))), "{shown:?}");
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
fn a_landing_holds_what_the_jdk_does_for_it() {
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
    let ends = |platform: u32| -> Vec<(u32, u64)> {
        let is_platform: Vec<bool> = (0..13).map(|method| method >= platform).collect();
        landings(&tree, &is_platform, 20).iter().map(|one| (one.method, one.cost)).collect()
    };
    assert_eq!(ends(10), [(3, 440), (1, 410), (2, 100), (0, 50)]);
    // All is the program's.
    assert_eq!(ends(20), [(3, 440), (12, 200), (11, 190), (2, 100), (0, 50)]);
    // All is the JDK's: then it is the program.
    assert_eq!(ends(0), ends(20));
}

#[test]
fn a_landing_names_what_all_its_contexts_call_and_who_calls_it() {
    // main 0 does much, and writes reports 1: the head 2, rows 3 and the foot 4, each by way
    // of write 5, which encodes 6 and calls the JDK 10. Rows call another row.
    let tree = tree_of(&[
        (&[0], 1, 900),
        (&[0, 1], 20, 5),
        (&[0, 1, 2], 20, 20),
        (&[0, 1, 2, 5], 20, 2),
        (&[0, 1, 2, 5, 6], 20, 10),
        (&[0, 1, 2, 5, 6, 10], 20, 8),
        (&[0, 1, 3], 400, 10),
        (&[0, 1, 3, 5], 400, 2),
        (&[0, 1, 3, 5, 6], 400, 10),
        (&[0, 1, 3, 5, 6, 6], 400, 4),
        (&[0, 1, 4], 20, 15),
        (&[0, 1, 4, 5], 20, 2),
        (&[0, 1, 4, 5, 6], 20, 2),
        (&[0, 1, 4, 5, 6, 10], 20, 10),
    ]);
    let is_platform: Vec<bool> = (0..11).map(|method| method == 10).collect();
    let found = landings(&tree, &is_platform, 20);
    let [first, second] = &found[..] else { panic!("{found:?}") };
    assert_eq!((first.method, first.cost, first.all_over), (0, 900, None));
    assert_eq!((second.method, second.cost, second.contexts), (1, 100, 1));
    // As many contexts as those of write, and what it calls. The JDK has only two.
    let cost = 10 + 8 + 10 + 4 + 2 + 10;
    assert_eq!(second.all_over, Some(Spread { method: 6, cost, contexts: 3 }));
    assert_eq!(second.goes_on, [Step { method: 2, cost: 40 }]);
    assert_eq!(second.ways, []);

    let more: Vec<bool> = (0..11).map(|method| method != 0 && method != 6).collect();
    let found = landings(&tree, &more, 20);
    let encode = found.iter().find(|one| one.method == 6).expect("what it does is its own");
    assert_eq!((encode.cost, encode.contexts, encode.node_cost), (44, 3, 18));
    assert_eq!(encode.goes_on, [Step { method: 10, cost: 18 }]);

    // 2, 3 and 4 are the program's, too: there the ways to encode part.
    let fewer: Vec<bool> = (0..11).map(|method| method == 10 || method == 1).collect();
    let mut costlier = tree.clone();
    for node in [4, 8, 12] {
        costlier.metrics[0].values[node] += 1_000;
    }
    costlier.choose_metrics(&tree.metric_names());
    let found = landings(&costlier, &fewer, 20);
    let encode = &found[0];
    assert_eq!((encode.method, encode.cost), (6, 3_044));
    let ways = [(2, 1_018), (4, 1_012), (3, 1_010)].map(|(method, cost)| Step { method, cost });
    assert_eq!(encode.ways, ways);
}

/// Whose a method is says the first letter of its class.
fn owned(mut tree: Tree, letters: &str) -> (Tree, Owners) {
    for (method, letter) in tree.methods.iter_mut().zip(letters.chars()) {
        method.class = match letter {
            'o' => "mine.A".into(),
            'p' => "java.util.List".into(),
            library => format!("lib.{library}.B"),
        };
    }
    tree.definitions = Definitions::with_own(&OwnCode::new(Some("mine.*"), None));
    let owners = tree.owners();
    (tree, owners)
}

#[test]
fn the_way_in_begins_at_the_last_own_method() {
    // Of one's own are 0 and 1; 2 to 7 are one library, with the JDK 4, and 8 to 10 another.
    let path = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    let calls = [1, 1, 50, 50, 50, 50, 50, 50, 50, 50, 50, 4_000];
    let paths: Vec<(&[u32], u64, u64)> =
        (1..=path.len()).map(|end| (&path[..end], calls[end - 1], 10)).collect();
    let (tree, owners) = owned(tree_of(&paths), "ooaapaaabbbb");
    let shown = |node: u32| -> Vec<String> {
        let stops = way_in(&tree, &owners, node, Extent::Telling).into_iter().map(|stop| {
            let frame = match stop.frame {
                Frame::Method(method) => method.to_string(),
                Frame::Folded(count) => format!("..{count}"),
            };
            stop.calls_each.map_or(frame.clone(), |calls| format!("{frame}x{calls}"))
        });
        stops.collect()
    };
    // Where libraries are entered, and the nearest ones.
    assert_eq!(shown(11), ["1", "2x50", "..4", "7", "8", "9", "10", "11x80"]);
    assert_eq!(shown(3), ["1", "2x50", "3"]);
    assert_eq!(shown(1), ["0", "1"]);
    assert_eq!(shown(0), ["0"]);
    let nobodys = Owners::default();
    assert_eq!(
        way_in(&tree, &nobodys, 2, Extent::Telling).len(),
        3,
        "from the program's first method on"
    );
}

#[test]
fn the_way_in_shows_the_loop_around_the_last_own_method() {
    let shown = |letters: &str, calls: &[u64]| -> Vec<String> {
        let path: Vec<u32> = (0..calls.len() as u32).collect();
        let paths: Vec<(&[u32], u64, u64)> =
            (1..=path.len()).map(|end| (&path[..end], calls[end - 1], 10)).collect();
        let (tree, owners) = owned(tree_of(&paths), letters);
        let stops = way_in(&tree, &owners, path.len() as u32 - 1, Extent::Telling).into_iter().map(
            |stop| {
                let frame = match stop.frame {
                    Frame::Method(method) => method.to_string(),
                    Frame::Folded(count) => format!("..{count}"),
                };
                stop.calls_each.map_or(frame.clone(), |calls| format!("{frame}x{calls}"))
            },
        );
        stops.collect()
    };
    // Own 1 calls own 2 in a loop, and that a library.
    assert_eq!(shown("oooaa", &[1, 4, 199, 199, 199]), ["1", "2x50", "3", "4"]);
    // By way of the JDK, such as a forEach.
    assert_eq!(shown("oopoaa", &[1, 4, 4, 200, 200, 200]), ["1", "2", "3x50", "4", "5"]);
    // A library is called in the loop itself, behind many more.
    let calls = [1, 4, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200];
    let letters = "ooabcdefghij";
    assert_eq!(shown(letters, &calls)[..2], ["1", "2x50"]);
    // Its caller is not one's own: the way in begins where it did.
    assert_eq!(shown("aoaa", &[1, 50, 50, 50]), ["1", "2", "3"]);
}

#[test]
fn places_of_one_loop_are_one_entry() {
    // Own 0 calls own 1 twice; that calls 2 fifty times each, whose cost is in 3, 4 and 5.
    let of_loop: [(&[u32], u64, u64); 6] = [
        (&[0], 1, 5),
        (&[0, 1], 2, 5),
        (&[0, 1, 2], 100, 1),
        (&[0, 1, 2, 3], 100, 300),
        (&[0, 1, 2, 4], 100, 250),
        (&[0, 1, 2, 5], 100, 200),
    ];
    let others: [(&[u32], u64, u64); 2] = [(&[0, 6], 1, 400), (&[0, 7], 1, 260)];
    let found = |of_loop: &[(&[u32], u64, u64)]| {
        let (tree, owners) = owned(tree_of(&[of_loop, &others].concat()), "oooabcoo");
        let places = landings(&tree, &tree.are_platform(), 100);
        (own_loops(&tree, &owners, &places), places)
    };
    let (loops, places) = found(&of_loop);
    let methods =
        |one: &OwnLoop| -> Vec<u32> { one.places.iter().map(|&at| places[at].method).collect() };
    assert_eq!(loops.len(), 1, "{loops:?}");
    assert_eq!((loops[0].caller, loops[0].callee, loops[0].calls_each), (1, 2, 50));
    assert_eq!(loops[0].cost, 1 + 300 + 250 + 200);
    assert_eq!(methods(&loops[0]), [3, 4, 5]);
    let listed: Vec<u64> = entries(&places, &loops)
        .iter()
        .map(|entry| match entry {
            Entry::Place(place) => place.cost,
            Entry::Loop(one) => one.cost,
        })
        .collect();
    assert_eq!(listed, [751, 400, 260]);

    // A place with half of the cost says enough, a method that is called once is not a loop
    // of the program, and nine calls are not many.
    let mut one_place = of_loop;
    one_place[3].2 = 900;
    assert_eq!(found(&one_place).0, []);
    let mut called_once = of_loop;
    called_once[1].1 = 1;
    assert_eq!(found(&called_once).0, []);
    let mut few = of_loop;
    few[2].1 = 18;
    assert_eq!(found(&few).0, []);
}

#[test]
fn the_jdk_is_used_by_the_nearest_method_of_the_program() {
    // 0 and 1 use 2, by way of 3 or not; 2 calls itself; 4 is a thread of the JDK's own.
    let tree = tree_of(&[
        (&[0], 1, 5),
        (&[0, 2], 1, 10),
        (&[0, 2, 2], 1, 20),
        (&[0, 1], 1, 5),
        (&[0, 1, 3], 1, 5),
        (&[0, 1, 3, 2], 1, 40),
        (&[0, 1, 3, 2, 0], 1, 7),
        (&[4], 1, 5),
        (&[4, 2], 1, 50),
    ]);
    let is_platform = [false, false, true, true, true];
    let found = users(&tree, &is_platform, &[2, 3, 0, 4]);
    let user = |method, cost, all| Some(User { method, cost, all });
    assert_eq!(found, [user(1, 47, 127), user(1, 52, 52), None, None]);
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
