//! Landings against their definition, taken literally: everything is added up again after
//! each of them, on random trees.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use made_profiles::random_trees::{Random, random_profile};
use profile::NO_PARENT;
use subsume_tree::Tree;
use subsume_tree::forest::Selection;
use subsume_tree::views::landings::landings;

/// A tree, what of its costs no landing has explained, and whose the methods are.
struct Literal<'t> {
    tree: &'t Tree,
    left: Vec<u64>,
    is_platform: Vec<bool>,
}

/// Sums of a method's cost: all, its own work, and what it passes on by callee, from its
/// outermost contexts and to outermost ones.
#[derive(Default)]
struct Sums {
    all: u64,
    own: u64,
    passed: BTreeMap<u32, [u64; 2]>,
}

impl Literal<'_> {
    fn above(&self, node: u32) -> impl Iterator<Item = u32> {
        let parent =
            |&node: &u32| Some(self.tree.parent[node as usize]).filter(|&up| up != NO_PARENT);
        std::iter::successors(Some(node), parent).skip(1)
    }

    fn method(&self, node: u32) -> u32 {
        self.tree.method[node as usize]
    }

    fn is_jdk(&self, node: u32) -> bool {
        self.is_platform[self.method(node) as usize]
    }

    fn is_outermost(&self, node: u32) -> bool {
        self.above(node).all(|above| self.method(above) != self.method(node))
    }

    fn caller(&self, node: u32) -> Option<u32> {
        self.above(node).find(|&above| !self.is_jdk(above))
    }

    fn worker(&self, node: u32) -> Option<u32> {
        if self.is_jdk(node) { self.caller(node) } else { Some(node) }
    }

    fn inclusive(&self, node: u32) -> u64 {
        let below = (0..self.tree.len() as u32)
            .filter(|&other| other == node || self.above(other).any(|above| above == node));
        below.map(|node| self.left[node as usize]).sum()
    }

    fn contexts(&self, method: u32) -> impl Iterator<Item = u32> {
        (0..self.tree.len() as u32).filter(move |&node| self.method(node) == method)
    }

    /// The contexts of a method with what they do themselves, and all nodes of that.
    fn own_work(&self, method: u32) -> (Vec<(u64, Reverse<u32>)>, Vec<u32>) {
        let of_it = |&node: &u32| self.worker(node).is_some_and(|w| self.method(w) == method);
        let nodes: Vec<u32> = (0..self.tree.len() as u32).filter(of_it).collect();
        let cost = |context: u32| -> u64 {
            let work = nodes.iter().filter(|&&node| self.worker(node) == Some(context));
            work.map(|&node| self.left[node as usize]).sum()
        };
        let costs = self.contexts(method).map(|node| (cost(node), Reverse(node)));
        (costs.filter(|(cost, _)| *cost > 0).collect(), nodes)
    }

    /// The outermost contexts of a method with all that they cost, and all nodes of that.
    fn whole(&self, method: u32) -> (Vec<(u64, Reverse<u32>)>, Vec<u32>) {
        let outermost = self.contexts(method).filter(|&node| self.is_outermost(node));
        let costs = outermost.map(|node| (self.inclusive(node), Reverse(node)));
        let costs: Vec<(u64, Reverse<u32>)> = costs.filter(|(cost, _)| *cost > 0).collect();
        let is_one = |node: u32| costs.iter().any(|&(_, Reverse(context))| context == node);
        let is_below = |&node: &u32| is_one(node) || self.above(node).any(is_one);
        let nodes = (0..self.tree.len() as u32).filter(is_below).collect();
        (costs, nodes)
    }

    fn sums(&self) -> BTreeMap<u32, Sums> {
        let mut sums: BTreeMap<u32, Sums> = BTreeMap::new();
        for node in 0..self.tree.len() as u32 {
            if let Some(worker) = self.worker(node) {
                sums.entry(self.method(worker)).or_default().own += self.left[node as usize];
            }
            if self.is_jdk(node) {
                continue;
            }
            let inclusive = self.inclusive(node);
            if self.is_outermost(node) {
                sums.entry(self.method(node)).or_default().all += inclusive;
            }
            if let Some(caller) = self.caller(node) {
                let passed = sums.entry(self.method(caller)).or_default();
                let passed = passed.passed.entry(self.method(node)).or_default();
                passed[0] += if self.is_outermost(caller) { inclusive } else { 0 };
                passed[1] += if self.is_outermost(node) { inclusive } else { 0 };
            }
        }
        sums
    }
}

/// Whether callee by callee more than half of a method's cost goes on to one that keeps it.
fn passes_on(sums: &BTreeMap<u32, Sums>, method: u32, way: usize) -> bool {
    let next = |method: u32| -> Option<(f64, u32)> {
        let of = sums.get(&method)?;
        let callees = of.passed.iter().filter(|(callee, _)| **callee != method);
        let (cost, callee) = callees.map(|(&callee, passed)| (passed[way], callee)).max()?;
        let share = cost as f64 / of.all.max(1) as f64;
        (share >= 0.5).then_some((share, callee))
    };
    let (mut at, mut left, mut steps) = (method, 1.0, 0);
    while let Some((share, callee)) = next(at).filter(|_| steps < 100) {
        (at, left, steps) = (callee, left * share, steps + 1);
    }
    steps > 0 && left >= 0.5
}

/// Method, cost, contexts, the costliest of these, and its cost.
type Found = (u32, u64, u32, u32, u64);

fn literal(tree: &Tree, is_platform: &[bool], least: u64) -> Vec<Found> {
    let mut literal =
        Literal { tree, left: tree.cost().to_vec(), is_platform: is_platform.to_vec() };
    let of_program: u64 = literal.sums().values().map(|sums| sums.own).sum();
    if (of_program as f64) < 0.1 * tree.total() as f64 {
        literal.is_platform.fill(false);
    }
    let most = 0.1 * tree.total() as f64;
    let first = literal.sums();
    let mut found = Vec::new();
    for way in [0, 1] {
        loop {
            let sums = literal.sums();
            let is_taken_apart = |method: u32| first[&method].all as f64 > most;
            let part = |method: u32, sum: &Sums| match is_taken_apart(method) {
                true => sum.own,
                false => sum.all,
            };
            let lands = |&(&method, sum): &(&u32, &Sums)| {
                let does_it = sum.own as f64 >= 0.5 * sum.all as f64;
                let may = is_taken_apart(method) || does_it || !passes_on(&sums, method, way);
                may && part(method, sum) >= least.max(1)
            };
            let rank = |&(&method, sum): &(&u32, &Sums)| (part(method, sum), Reverse(method));
            let Some((&method, sum)) = sums.iter().filter(lands).max_by_key(rank) else { break };
            let (contexts, explained) = match is_taken_apart(method) {
                true => literal.own_work(method),
                false => literal.whole(method),
            };
            let &(cost, Reverse(node)) = contexts.iter().max().expect("it costs something");
            found.push((method, part(method, sum), contexts.len() as u32, node, cost));
            for node in explained {
                literal.left[node as usize] = 0;
            }
        }
    }
    found.sort_by_key(|&(method, cost, ..)| (Reverse(cost), method));
    found
}

#[test]
fn landings_are_what_their_definition_says() {
    let mut random = Random(71);
    let (mut count, mut recursive, mut of_several) = (0, 0, 0);
    for _ in 0..1_500 {
        let profile = random_profile(&mut random);
        let tree = Tree::merge(vec![("random".into(), profile)], &Selection::default()).unwrap();
        let least = random.below(1 + tree.total() / 8);
        let is_platform: Vec<bool> = tree.methods.iter().map(|_| random.below(3) == 0).collect();
        let all = landings(&tree, &is_platform, least);
        let plain: Vec<Found> = all
            .iter()
            .map(|one| (one.method, one.cost, one.contexts, one.node, one.node_cost))
            .collect();
        assert_eq!(plain, literal(&tree, &is_platform, least));
        assert!(all.iter().map(|landing| landing.cost).sum::<u64>() <= tree.total());
        for landing in &all {
            let steps = landing.goes_on.iter().chain(&landing.ways);
            assert!(steps.clone().all(|step| step.cost <= landing.cost));
            assert!(landing.goes_on.len() <= 3 && landing.ways.len() <= 3);
            assert!(landing.goes_on.is_sorted_by(|one, next| one.cost >= next.cost));
            assert!(landing.all_over.is_none_or(|spread| {
                spread.cost <= landing.cost && 3 * spread.cost + 3 >= landing.cost
            }));
            of_several += u32::from(landing.contexts > 1);
        }
        count += all.len();
        let is_nested = |node: u32| {
            let mut up = tree.parent[node as usize];
            while up != NO_PARENT && tree.method[up as usize] != tree.method[node as usize] {
                up = tree.parent[up as usize];
            }
            up != NO_PARENT
        };
        recursive += u32::from((0..tree.len() as u32).any(is_nested));
    }
    assert!(
        count > 1_500 && recursive > 500 && of_several > 300,
        "{count} {recursive} {of_several}"
    );
}
