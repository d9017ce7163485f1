//! What a report is made of agrees with literal computations on random profiles.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use made_profiles::random_trees::{Random, random_profile};
use profile::NO_PARENT;
use subsume_analysis::source::line_costs::line_costs;
use subsume_analysis::subsuming::characteristics::characteristics;
use subsume_analysis::subsuming::threshold_grid::{GREATEST, SIDE, ThresholdGrid};
use subsume_analysis::subsuming::{REFLECTION, Subsuming, Thresholds};
use support::rounds;
use tree::Tree;
use tree::costs::costs;
use tree::forest::Selection;
use tree::names::pattern::Pattern;
use tree::views::every_method::outline_of_every_method;
use tree::views::inversion::invert;
use tree::views::neighbours::{Part, neighbours};
use tree::views::outline::{callers, outline};

fn tree(random: &mut Random) -> Tree {
    let profile = random_profile(random);
    Tree::merge(vec![("random".into(), profile)], &Selection::default()).unwrap()
}

/// The nodes above a node, the nearest first, itself included.
fn path(tree: &Tree, node: usize) -> Vec<usize> {
    let parent = |&node: &usize| Some(tree.parent[node]).filter(|&p| p != NO_PARENT);
    std::iter::successors(Some(node), |node| parent(node).map(|parent| parent as usize)).collect()
}

/// True if no node above has the same method.
fn is_outermost(tree: &Tree, node: usize) -> bool {
    path(tree, node)[1..].iter().all(|&above| tree.method[above] != tree.method[node])
}

#[test]
fn the_grid_is_what_each_pair_of_thresholds_gives() {
    let mut random = Random(11);
    let never = Pattern::new(REFLECTION);
    let (mut covered, mut by_root) = (0, 0);
    let trees = rounds(1_500);
    for _ in 0..trees {
        let tree = tree(&mut random);
        let grid = ThresholdGrid::analyse(&tree, &characteristics(&tree), &costs(&tree), &never);
        for height in 0..=GREATEST {
            for distance in 0..=GREATEST {
                let pair = height as usize * SIDE + distance as usize;
                let one = Subsuming::analyse(&tree, Thresholds { height, distance }, &never);
                for method in 0..tree.methods.len() {
                    let covers = grid.reach[method].covers(height as usize, distance as usize);
                    assert_eq!(covers, one.subsumes[method]);
                    if covers {
                        let induced = grid.induced[method].as_ref().unwrap()[pair];
                        assert_eq!(induced, one.induced[method], "{height}, {distance}");
                        covered += 1_u64;
                    }
                }
                assert_eq!(grid.virtual_root[pair], one.induced_by_virtual_root);
                by_root += u64::from(one.induced_by_virtual_root > 0);
            }
        }
    }
    assert!(covered > 33 * trees && by_root > 6 * trees, "{covered} and {by_root}");
}

#[test]
fn the_outline_has_the_costliest_contexts_and_their_callers() {
    let mut random = Random(12);
    for _ in 0..3_000 {
        let tree = tree(&mut random);
        let (inclusive, ends) = (tree.inclusive(), tree.subtree_ends());
        let mut nodes: Vec<usize> = (0..tree.len()).filter(|&node| inclusive[node] > 0).collect();
        nodes.sort_by_key(|&node| (std::cmp::Reverse(inclusive[node]), node));
        nodes.truncate(random.below(30) as usize);
        let found = outline(&tree, nodes.len());
        assert_eq!(found.iter().map(|o| o.node.0 as usize).collect::<Vec<_>>(), nodes);
        for ((outlined, caller), &node) in found.iter().zip(callers(&tree, &found)).zip(&nodes) {
            assert_eq!(outlined.inclusive, inclusive[node]);
            assert_eq!(outlined.contexts, ends[node] - node as u32);
            let parent = path(&tree, node).get(1).copied();
            assert_eq!(caller.map(|place| nodes[place as usize]), parent);
        }
    }
}

#[test]
fn the_outline_of_every_method_has_its_costliest_context() {
    let mut random = Random(15);
    for _ in 0..3_000 {
        let tree = tree(&mut random);
        let (inclusive, ends) = (tree.inclusive(), tree.subtree_ends());
        let costly = (0..tree.len()).filter(|&node| inclusive[node] > 0).count();
        let count = random.below(2 + tree.len() as u64) as usize;
        let found = outline_of_every_method(&tree, count);
        assert_eq!(found.len(), count.min(costly));
        // A tree with the figures of the whole one, and every context once.
        let mut nodes = BTreeSet::new();
        for (outlined, caller) in found.iter().zip(callers(&tree, &found)) {
            let node = outlined.node.0 as usize;
            assert_eq!(outlined.inclusive, inclusive[node]);
            assert_eq!(outlined.contexts, ends[node] - node as u32);
            let parent = path(&tree, node).get(1).copied();
            assert_eq!(caller.map(|place| found[place as usize].node.0 as usize), parent);
            assert!(nodes.insert(node));
        }
        // What leads to the costliest context of each method takes no more than
        // all but the costliest half.
        let best = |method: u32| {
            let contexts = (0..tree.len()).filter(|&node| tree.method[node] == method);
            contexts
                .filter(|&node| inclusive[node] > 0)
                .min_by_key(|&node| (Reverse(inclusive[node]), node))
        };
        let ways: BTreeSet<usize> = (0..tree.methods.len() as u32)
            .filter_map(best)
            .flat_map(|node| path(&tree, node))
            .collect();
        if count >= 2 * ways.len() {
            assert!(ways.is_subset(&nodes), "{ways:?} in {nodes:?}");
        }
    }
}

#[test]
fn the_inversion_has_what_every_way_up_costs() {
    let mut random = Random(13);
    for _ in 0..2_000 {
        let tree = tree(&mut random);
        // Cost, part that ends there, and contexts of each way up.
        let mut expected: BTreeMap<Vec<u32>, (u64, u64, u32)> = BTreeMap::new();
        for node in (0..tree.len()).filter(|&node| tree.cost()[node] > 0) {
            let way: Vec<u32> = path(&tree, node).iter().map(|&n| tree.method[n]).collect();
            for length in 1..=way.len() {
                let of_way = expected.entry(way[..length].to_vec()).or_default();
                of_way.0 += tree.cost()[node];
                of_way.1 += if length == way.len() { tree.cost()[node] } else { 0 };
                of_way.2 += 1;
            }
        }
        let whole = invert(&tree, usize::MAX);
        let mut ways: Vec<Vec<u32>> = Vec::new();
        let mut found = BTreeMap::new();
        for node in &whole.nodes {
            let mut way = node.callee.map_or(Vec::new(), |callee| ways[callee as usize].clone());
            way.push(node.method);
            found.insert(way.clone(), (node.cost, node.ends, node.contexts));
            ways.push(way);
        }
        assert_eq!(found, expected);
        assert_eq!(whole.methods, expected.keys().filter(|way| way.len() == 1).count());
        // Fewer of them are the first of them.
        let count = random.below(1 + whole.nodes.len() as u64) as usize;
        assert_eq!(invert(&tree, count).nodes, whole.nodes[..count]);
        // Every other one is of the first level, while there are any.
        let left = |at: usize| whole.nodes[at..].iter().any(|node| node.callee.is_none());
        let odd = (1..whole.nodes.len()).step_by(2);
        assert!(odd.into_iter().all(|at| whole.nodes[at].callee.is_none() || !left(at)));
    }
}

#[test]
fn neighbours_are_those_of_outermost_contexts() {
    let mut random = Random(14);
    let mut nested = 0;
    for _ in 0..3_000 {
        let tree = tree(&mut random);
        let inclusive = tree.inclusive();
        let mut expected: BTreeMap<(Option<u32>, u32), (Part, Part)> = BTreeMap::new();
        let mut own = vec![0; tree.methods.len()];
        for node in 0..tree.len() {
            let parent = path(&tree, node).get(1).copied();
            let caller = parent.map(|parent| tree.method[parent]);
            let part = Part {
                contexts: 1,
                cost: inclusive[node],
                calls: tree.calls().map_or(0, |calls| calls[node]),
            };
            let add = |to: &mut Part| {
                to.contexts += part.contexts;
                to.cost += part.cost;
                to.calls += part.calls;
            };
            let outermost = is_outermost(&tree, node);
            let of_outermost = parent.is_some_and(|parent| is_outermost(&tree, parent));
            if outermost {
                own[tree.method[node] as usize] += tree.cost()[node];
                add(&mut expected.entry((caller, tree.method[node])).or_default().0);
            }
            if of_outermost {
                add(&mut expected.entry((caller, tree.method[node])).or_default().1);
            }
            nested += usize::from(!outermost);
        }
        let found = neighbours(&tree);
        assert_eq!(found.own, own);
        let parts = found.edges.iter().map(|e| ((e.caller, e.callee), (e.of_callee, e.of_caller)));
        assert_eq!(parts.collect::<BTreeMap<_, _>>(), expected);

        let costs = costs(&tree);
        for method in 0..tree.methods.len() {
            let of = |wanted: &dyn Fn(&tree::views::neighbours::Edge) -> u64| {
                found.edges.iter().map(wanted).sum::<u64>()
            };
            let number = method as u32;
            let called = of(&|e| if e.callee == number { e.of_callee.cost } else { 0 });
            let spent = of(&|e| if e.caller == Some(number) { e.of_caller.cost } else { 0 });
            assert_eq!(called, costs[method].inclusive);
            assert_eq!(own[method] + spent, costs[method].inclusive);
        }
    }
    assert!(nested > 10_000, "{nested} recursive contexts");
}

#[test]
fn lines_have_the_calls_made_from_them() {
    let mut random = Random(15);
    let mut lines = 0;
    for _ in 0..2_000 {
        let profile = random_profile(&mut random);
        let metric = profile.nodes.metrics.last().unwrap().name.clone();
        let cost = &profile.nodes.metric(&metric).unwrap().values;
        let calls = profile.nodes.metric("calls").map(|calls| &calls.values);
        let nodes = &profile.nodes;
        // The method and the line that have called a node.
        let from = |node: usize| -> Option<(u32, u16)> {
            let parent = Some(nodes.parent[node]).filter(|&parent| parent != NO_PARENT)?;
            let caller = nodes.method[parent as usize];
            let site = (nodes.site[node] as usize).checked_sub(1)?;
            Some((caller, profile.methods[caller as usize].sites[site].line))
        };
        let mut expected: BTreeMap<(u32, u16), (u64, u64)> = BTreeMap::new();
        for node in 0..nodes.len() {
            let mut above = Some(node);
            let mut nearest = true;
            while let Some(at) = above {
                // Every line on the way up has called what is spent here, once.
                let line = from(at);
                let mut higher = Some(nodes.parent[at]).filter(|&p| p != NO_PARENT);
                let mut again = false;
                while let (Some(next), Some(_)) = (higher, line) {
                    again |= from(next as usize) == line;
                    higher = Some(nodes.parent[next as usize]).filter(|&p| p != NO_PARENT);
                }
                if let Some(line) = line {
                    let of_line = expected.entry(line).or_default();
                    of_line.0 += if nearest { calls.map_or(0, |calls| calls[node]) } else { 0 };
                    of_line.1 += if again { 0 } else { cost[node] };
                }
                nearest = false;
                above = Some(nodes.parent[at]).filter(|&p| p != NO_PARENT).map(|p| p as usize);
            }
        }
        let found = line_costs(&profile, &metric);
        for (number, method) in (0u32..).zip(&profile.methods) {
            let name = tree::names::method::Method {
                class: profile.classes[method.class.0 as usize].name.clone(),
                name: method.name.clone(),
                descriptor: method.descriptor.clone(),
            };
            let Some(of_method) = found.get(&name) else { continue };
            for line in of_method {
                let none = (0, 0);
                let &(calls, cost) = expected.get(&(number, line.line)).unwrap_or(&none);
                assert_eq!((line.calls.unwrap_or(0), line.cost), (calls, cost));
                lines += usize::from(cost > 0);
            }
        }
    }
    assert!(lines > 3_000, "{lines} lines with costs");
}
