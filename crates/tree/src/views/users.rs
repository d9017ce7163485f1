//! Who uses methods of the JDK.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use crate::Tree;
use crate::views::for_whom::{Whom, nearest};
use crate::views::landings::outermost;

/// A smaller share of what is done for all says little.
const MUCH_OF_IT: f64 = 0.25;

/// The method of the program for which the JDK does most of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct User {
    /// The method: the nearest one above that is not the JDK's.
    pub method: u32,
    /// What is done for it, and for all.
    pub cost: u64,
    /// What is done for all.
    pub all: u64,
}

/// Of each of some methods of the JDK the one that uses it most, by what its calls cost
/// with all that they call. `None` for methods of the program, and for what no method of the
/// program uses. `is_platform` says of each method of the tree whether it is the JDK's.
pub fn users(tree: &Tree, is_platform: &[bool], methods: &[u32]) -> Vec<Option<User>> {
    let mut sums: FxHashMap<u32, FxHashMap<Whom, u64>> = FxHashMap::default();
    for &method in methods.iter().filter(|&&method| is_platform[method as usize]) {
        sums.insert(method, FxHashMap::default());
    }
    if sums.is_empty() {
        return vec![None; methods.len()];
    }
    let inclusive = tree.inclusive();
    let is_outermost = outermost(tree);
    let nearest = nearest(tree, is_platform);
    for node in 0..tree.len() as u32 {
        let method = tree.method[node as usize];
        let Some(of_method) = sums.get_mut(&method) else { continue };
        // The outermost context holds the cost of those below it.
        if !is_outermost[node as usize] {
            continue;
        }
        *of_method.entry(nearest[node as usize]).or_default() += inclusive[node as usize];
    }
    let user = |method: &u32| {
        let of_method = sums.get(method)?;
        let all = of_method.values().sum();
        let users = of_method.iter().filter_map(|(whom, &cost)| match *whom {
            Whom::Method(method) => Some((method, cost)),
            Whom::Start | Whom::Nobody => None,
        });
        let (method, cost) = users.max_by_key(|&(user, cost)| (cost, Reverse(user)))?;
        (cost as f64 >= MUCH_OF_IT * all as f64).then_some(User { method, cost, all })
    };
    methods.iter().map(user).collect()
}
