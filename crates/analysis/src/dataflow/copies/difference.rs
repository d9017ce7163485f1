//! What two versions of a program copy: chains, clones and temporaries that came, went,
//! grew or shrank (Xu et al. 2014, section 3.5.4, leaves the comparison of two graphs to
//! future work).
//!
//! Versions differ in lines and in numbers, so objects are told apart by their class and
//! by the method that makes them; what several sites of a method make is one.

use std::cmp::Reverse;
use std::hash::Hash;

use profile::dataflow::Location;
use rustc_hash::FxHashMap;

use super::chains::{Limits, chains};
use super::clones::{clones, distinct};
use super::graph::CopyGraph;
use super::temporaries::temporaries;
use super::unite::Copies;
use crate::dataflow::name::{Contexts, Naming};

/// Chains that are looked for in each version, the most wasteful ones.
const CHAINS: usize = 300;
/// Copies in a chain at most, as the paper has it.
const LENGTH: usize = 5;
/// Paths to look at in each version.
const PATHS: usize = 1_000_000;

/// What differs, in each list the greatest difference first.
#[derive(Debug, Default)]
pub struct CopyDifference {
    /// Copy chains, by their locations; the figures are waste factors.
    pub chains: Vec<Changed<Vec<String>>>,
    /// Structures that are filled with copies of others, by the tops of both; the
    /// figures are bytes copied.
    pub clones: Vec<Changed<[String; 2]>>,
    /// Objects that no reference is stored to, by class and method; the figures are
    /// numbers of objects.
    pub temporaries: Vec<Changed<String>>,
}

/// A figure of two versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed<T> {
    /// What it is of.
    pub what: T,
    /// The figure before.
    pub base: u64,
    /// The figure after.
    pub new: u64,
}

impl<T> Changed<T> {
    /// By how much it grew.
    pub fn difference(&self) -> i128 {
        i128::from(self.new) - i128::from(self.base)
    }

    /// `new`, `gone`, `more` or `less`.
    pub fn kind(&self) -> &'static str {
        match (self.base, self.new) {
            (0, _) => "new",
            (_, 0) => "gone",
            (base, new) if base < new => "more",
            _ => "less",
        }
    }
}

impl CopyDifference {
    /// True if nothing differs.
    pub fn is_empty(&self) -> bool {
        self.chains.is_empty() && self.clones.is_empty() && self.temporaries.is_empty()
    }
}

/// One version, with names that do not depend on lines.
struct Version<'a> {
    copies: &'a Copies,
    graph: CopyGraph,
    naming: Naming<'a>,
}

impl<'a> Version<'a> {
    fn new(copies: &'a Copies) -> Self {
        let objects = &copies.profile.objects;
        let naming = Naming::new(&copies.methods, objects, Contexts::Receiver).without_lines();
        Self { copies, graph: CopyGraph::new(&copies.profile), naming }
    }

    /// Objects of the site, where one of these methods makes it.
    fn temporaries(&self) -> FxHashMap<String, u64> {
        let sites = temporaries(&self.copies.profile, &self.graph).into_iter();
        summed(sites.map(|site| (self.naming.site(site.site), site.objects)))
    }

    fn clones(&self) -> FxHashMap<[String; 2], u64> {
        let found = distinct(clones(&self.graph).clones).into_iter();
        let site = |tag: profile::dataflow::TagId| {
            self.naming.site(self.copies.profile.objects.tags[tag.0 as usize].site)
        };
        summed(found.filter_map(|clone| {
            let outermost = clone.pairs.first()?;
            Some(([site(outermost.from), site(outermost.to)], clone.volume))
        }))
    }

    fn name(&self, location: u32) -> String {
        let location: Location = self.graph.location(location);
        self.naming.location(location)
    }

    /// The most wasteful chains.
    fn chains(&self) -> Vec<Vec<String>> {
        let limits = Limits { length: LENGTH, top: CHAINS, paths: PATHS };
        // One copy alone is not a chain.
        let found = chains(&self.graph, limits, |edges| edges.len() > 1).chains.into_iter();
        let names = found.map(|chain| {
            let first = chain.edges.first().map(|&edge| self.graph.edge(edge).from);
            let rest = chain.edges.iter().map(|&edge| self.graph.edge(edge).to);
            first.into_iter().chain(rest).map(|location| self.name(location)).collect()
        });
        names.collect()
    }

    /// How often values are copied from one location to another, and their bytes.
    fn copies(&self) -> FxHashMap<[String; 2], (u64, u64)> {
        let names: Vec<String> =
            (0..self.graph.locations.len() as u32).map(|location| self.name(location)).collect();
        let mut sums: FxHashMap<[String; 2], (u64, u64)> = FxHashMap::default();
        for edge in &self.graph.edges {
            let ends = [edge.from, edge.to].map(|end| names[end as usize].clone());
            let sum = sums.entry(ends).or_default();
            sum.0 = sum.0.saturating_add(edge.count);
            sum.1 = sum.1.saturating_add(edge.volume());
        }
        sums
    }
}

/// The waste factor of a chain: its length times the bytes of its least frequent copy; 0
/// if a copy is missing.
fn waste(copies: &FxHashMap<[String; 2], (u64, u64)>, chain: &[String]) -> u64 {
    let links = chain.windows(2).map(|ends| {
        let [from, to] = ends else { return (0, 0) };
        copies.get(&[from.clone(), to.clone()]).copied().unwrap_or_default()
    });
    let least = links.min().map_or(0, |(_, volume)| volume);
    least.saturating_mul(chain.len().saturating_sub(1) as u64)
}

fn summed<T: Hash + Eq>(figures: impl Iterator<Item = (T, u64)>) -> FxHashMap<T, u64> {
    let mut sums: FxHashMap<T, u64> = FxHashMap::default();
    for (what, figure) in figures {
        let sum = sums.entry(what).or_default();
        *sum = sum.saturating_add(figure);
    }
    sums
}

/// What has other figures in both, the greatest difference first. Differences below
/// 0.01 % of all, or 0.1 % of the figure, are none: so much do two runs of one program
/// differ.
fn changed<T: Hash + Eq + Ord + Clone>(
    base: &FxHashMap<T, u64>,
    new: &FxHashMap<T, u64>,
) -> Vec<Changed<T>> {
    let all = |of: &FxHashMap<T, u64>| of.values().fold(0u64, |sum, &one| sum.saturating_add(one));
    let floor = u128::from(all(base).max(all(new))) / 10_000;
    let of = |side: &FxHashMap<T, u64>, what: &T| side.get(what).copied().unwrap_or(0);
    let only_new = new.keys().filter(|what| !base.contains_key(what));
    let mut found: Vec<Changed<T>> = base
        .keys()
        .chain(only_new)
        .map(|what| Changed { what: what.clone(), base: of(base, what), new: of(new, what) })
        .filter(|one| {
            let difference = one.difference().unsigned_abs();
            let of_it = u128::from(one.base.max(one.new)) / 1_000;
            difference > floor.max(of_it)
        })
        .collect();
    found.sort_unstable_by(|one, other| {
        let key = |one: &Changed<T>| Reverse(one.difference().unsigned_abs());
        key(one).cmp(&key(other)).then_with(|| one.what.cmp(&other.what))
    });
    found
}

/// Compares the copies of two versions. Both tell objects apart by their sites.
pub fn difference(base: &Copies, new: &Copies) -> CopyDifference {
    let [base, new] = [base, new].map(Version::new);
    let temporaries = changed(&base.temporaries(), &new.temporaries());
    let clones = changed(&base.clones(), &new.clones());
    let copies = [base.copies(), new.copies()];
    let mut wanted: Vec<Vec<String>> = base.chains();
    wanted.extend(new.chains());
    wanted.sort_unstable();
    wanted.dedup();
    let [before, after] = copies.map(|copies| {
        let chains = wanted.iter().map(|chain| (chain.clone(), waste(&copies, chain)));
        chains.filter(|&(_, waste)| waste > 0).collect::<FxHashMap<_, _>>()
    });
    CopyDifference { chains: outermost(changed(&before, &after)), clones, temporaries }
}

/// Without chains all of whose copies are in one that differs more.
fn outermost(chains: Vec<Changed<Vec<String>>>) -> Vec<Changed<Vec<String>>> {
    let mut kept: Vec<Changed<Vec<String>>> = Vec::new();
    for one in chains {
        let is_within = |other: &Changed<Vec<String>>| {
            let links: Vec<&[String]> = other.what.windows(2).collect();
            one.what.windows(2).all(|link| links.contains(&link))
        };
        if !kept.iter().any(is_within) {
            kept.push(one);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(names: &[&str], base: u64, new: u64) -> Changed<Vec<String>> {
        Changed { what: names.iter().map(|&name| name.to_owned()).collect(), base, new }
    }

    #[test]
    fn small_differences_are_none() {
        let figures = |all: &[(&'static str, u64)]| all.iter().copied().collect();
        let base: FxHashMap<&str, u64> = figures(&[("a", 1_000_000), ("b", 500), ("c", 70_000)]);
        let new = figures(&[("a", 1_000_900), ("b", 400), ("d", 200), ("c", 70_200)]);
        let found = changed(&base, &new);
        let found: Vec<_> =
            found.iter().map(|one| (one.what, one.difference(), one.kind())).collect();
        // 0.01 % of all are 107.
        assert_eq!(found, [("c", 200, "more"), ("d", 200, "new")]);
    }

    #[test]
    fn a_chain_takes_the_bytes_of_its_least_copy() {
        let ends = |from: &str, to: &str| [from.to_owned(), to.to_owned()];
        let copies: FxHashMap<_, _> =
            [(ends("a", "b"), (10, 80)), (ends("b", "c"), (5, 20))].into_iter().collect();
        assert_eq!(waste(&copies, &chain(&["a", "b", "c"], 0, 0).what), 40);
        assert_eq!(waste(&copies, &chain(&["a", "b", "d"], 0, 0).what), 0);
    }

    #[test]
    fn parts_of_a_chain_are_not_listed_again() {
        let long = chain(&["a", "b", "c", "d"], 900, 0);
        let part = chain(&["b", "c", "d"], 600, 0);
        let other = chain(&["b", "c", "e"], 100, 0);
        assert_eq!(outermost(vec![long.clone(), part, other.clone()]), [long, other]);
    }
}
