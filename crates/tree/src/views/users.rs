//! Who uses methods of the JDK.

use std::cmp::Reverse;

use profile::NO_PARENT;
use rustc_hash::FxHashMap;

use crate::Tree;

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
    let mut sums: FxHashMap<u32, FxHashMap<u32, u64>> = FxHashMap::default();
    for &method in methods.iter().filter(|&&method| is_platform[method as usize]) {
        sums.insert(method, FxHashMap::default());
    }
    if sums.is_empty() {
        return vec![None; methods.len()];
    }
    let inclusive = tree.inclusive();
    for node in 0..tree.len() as u32 {
        let method = tree.method[node as usize];
        let Some(of_method) = sums.get_mut(&method) else { continue };
        let mut above = tree.parent[node as usize];
        // The outermost context holds the cost of those below it.
        let mut user = None;
        let mut is_outermost = true;
        while above != NO_PARENT {
            let caller = tree.method[above as usize];
            is_outermost &= caller != method;
            if user.is_none() && !is_platform[caller as usize] {
                user = Some(caller);
            }
            above = tree.parent[above as usize];
        }
        if is_outermost {
            *of_method.entry(user.unwrap_or(NO_PARENT)).or_default() += inclusive[node as usize];
        }
    }
    let user = |method: &u32| {
        let of_method = sums.get(method)?;
        let all = of_method.values().sum();
        let users = of_method.iter().filter(|(user, _)| **user != NO_PARENT);
        let (&method, &cost) = users.max_by_key(|&(&user, &cost)| (cost, Reverse(user)))?;
        Some(User { method, cost, all })
    };
    methods.iter().map(user).collect()
}
