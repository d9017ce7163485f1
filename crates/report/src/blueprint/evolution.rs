//! The call graphs of two profiles in one, to see what the second costs more, and which
//! code did it.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use crate::blueprint::methods::Methods;
use crate::blueprint::reached::{Call, CallGraph};
use analysis::diff::changes::CodeChange;
use analysis::diff::explanation::{FLOOR_OF_ALL, FLOOR_OF_METHOD, explain};
use tree::Tree;

/// Both graphs. Methods have the places of the profile after, and those that are in the
/// one before alone the places behind them.
#[derive(Debug)]
pub struct Evolution {
    /// The methods before.
    pub before: Methods,
    /// The methods after.
    pub after: Methods,
    /// Places before and after, by place here.
    sides: Vec<[Option<usize>; 2]>,
    /// Places here, by place before.
    of_base: Vec<usize>,
    codes: FxHashMap<usize, CodeChange>,
    /// True if `subsume diff` would find no difference: what runs of one program differ by.
    pub is_same: bool,
}

/// What became of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// As before, or with a difference below the floors.
    Same,
    /// It costs more, or is called for the first time.
    More,
    /// It costs less.
    Less,
    /// It is not called any more.
    Gone,
}

impl Evolution {
    /// Compares two trees that share one table of methods, of which these have other code.
    pub fn new(base: &Tree, new: &Tree, changes: &[Option<CodeChange>]) -> Self {
        let explanation = explain(std::slice::from_ref(base), std::slice::from_ref(new), changes);
        let (before, after) = (Methods::new(base), Methods::new(new));
        let mut sides: Vec<[Option<usize>; 2]> =
            (0..after.names.len()).map(|place| [None, Some(place)]).collect();
        let numbers = |methods: &Methods| -> FxHashMap<u32, usize> {
            methods.numbers.iter().enumerate().map(|(place, &number)| (number, place)).collect()
        };
        let mut places = numbers(&after);
        let mut of_base = Vec::with_capacity(before.numbers.len());
        for (place, &number) in before.numbers.iter().enumerate() {
            let of = *places.entry(number).or_insert_with(|| {
                sides.push([None, None]);
                sides.len() - 1
            });
            sides[of][0] = Some(place);
            of_base.push(of);
        }
        let changed = (0..).zip(changes).filter_map(|(number, change)| Some((number, (*change)?)));
        let codes = changed.filter_map(|(number, change)| Some((*places.get(&number)?, change)));
        let codes = codes.collect();
        Self { before, after, sides, of_base, codes, is_same: explanation.rows.is_empty() }
    }

    /// The place of the method with this number in the trees' table.
    pub fn place(&self, number: u32) -> Option<usize> {
        let of_base = || self.before.place(number).map(|place| self.of_base[place]);
        self.after.place(number).or_else(of_base)
    }

    fn both(&self, of: usize, value: impl Fn(&Methods, usize) -> u64) -> [u64; 2] {
        let [base, new] = self.sides[of];
        [
            base.map_or(0, |place| value(&self.before, place)),
            new.map_or(0, |place| value(&self.after, place)),
        ]
    }

    /// Cost before and after.
    pub fn costs(&self, of: usize) -> [u64; 2] {
        self.both(of, |methods, place| methods.inclusive[place])
    }

    /// Executions before and after.
    pub fn runs(&self, of: usize) -> [u64; 2] {
        self.both(of, |methods, place| methods.executions[place])
    }

    /// True if the run before did not execute the method.
    pub fn is_new(&self, of: usize) -> bool {
        self.sides[of][0].is_none()
    }

    /// The size of a difference that is above the floors, otherwise 0.
    fn above(&self, [before, after]: [u64; 2]) -> u64 {
        let size = before.abs_diff(after);
        let all = self.before.total.max(self.after.total) as f64;
        let floor = (FLOOR_OF_ALL * all).max(FLOOR_OF_METHOD * before.max(after) as f64);
        if self.is_same || (size as f64) < floor { 0 } else { size }
    }

    /// What became of the method.
    pub fn way(&self, of: usize) -> Way {
        let costs = self.costs(of);
        if self.above(costs) == 0 {
            return Way::Same;
        }
        match (costs[0].cmp(&costs[1]), costs[1]) {
            (Ordering::Less, _) => Way::More,
            (_, 0) => Way::Gone,
            _ => Way::Less,
        }
    }

    /// What became of its code, if it is another one.
    pub fn code(&self, of: usize) -> Option<CodeChange> {
        self.codes.get(&of).copied().filter(|_| !self.is_same)
    }

    /// The profile that has the method, the one after first, and its place there.
    pub fn known(&self, of: usize) -> (&Methods, usize) {
        match self.sides[of] {
            [_, Some(place)] => (&self.after, place),
            [Some(place), None] => (&self.before, place),
            [None, None] => unreachable!("each method is of one of the profiles"),
        }
    }
}

impl CallGraph for Evolution {
    fn cost(&self, of: usize) -> u64 {
        let [before, after] = self.costs(of);
        before.max(after)
    }

    fn executions(&self, of: usize) -> u64 {
        let [before, after] = self.runs(of);
        before.max(after)
    }

    fn keeps(&self, of: usize) -> bool {
        self.codes.contains_key(&of)
    }

    fn name(&self, of: usize) -> String {
        let (methods, place) = self.known(of);
        let sign = match self.way(of) {
            Way::More => "+ ",
            Way::Less | Way::Gone => "− ",
            Way::Same => "",
        };
        format!("{sign}{}", methods.name(place))
    }

    fn calls(&self, of: usize) -> Vec<Call> {
        let mut found: FxHashMap<usize, [u64; 2]> = FxHashMap::default();
        let [base, new] = self.sides[of];
        let before = base.map_or(&[][..], |place| self.before.callees[place].as_slice());
        for &(callee, cost) in before {
            found.entry(self.of_base[callee]).or_default()[0] += cost;
        }
        for &(callee, cost) in new.map_or(&[][..], |place| self.after.callees[place].as_slice()) {
            found.entry(callee).or_default()[1] += cost;
        }
        found.remove(&of);
        let call = |(of, costs): (usize, [u64; 2])| Call {
            of,
            cost: costs[0].max(costs[1]),
            change: self.above(costs),
            // Places are those of the run before, as far as it has the method.
            rank: if costs[0] > 0 { costs[0] } else { costs[1] },
        };
        found.into_iter().map(call).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::blueprint::blocks::{Scale, layout};
    use crate::blueprint::reached::shown;
    use formats::import::folded::Importer;
    use tree::alignment::align;
    use tree::forest::Selection;

    fn tree(stacks: &str) -> Tree {
        let mut importer = Importer::default();
        importer.read(Path::new("stacks"), &mut stacks.as_bytes()).unwrap();
        let profiles = vec![("stacks".to_owned(), importer.finish())];
        Tree::merge(profiles, &Selection::default()).unwrap()
    }

    /// Names of the nodes from top to bottom, with what became of them.
    fn drawn(before: &str, after: &str) -> Vec<(String, Way)> {
        let mut trees = [tree(before), tree(after)];
        align(&mut trees);
        let changes = vec![None; trees[0].methods.len()];
        let evolution = Evolution::new(&trees[0], &trees[1], &changes);
        let shown = shown(&evolution, 0);
        let layout = layout(&evolution, &shown.root, Scale::of(&evolution, &shown.methods), 900.0);
        layout.nodes.into_iter().map(|node| (node.name, evolution.way(node.of))).collect()
    }

    const BEFORE: &str = "main;a 50\nmain;b 30\nmain;c 20\n";

    #[test]
    fn places_are_those_of_the_run_before() {
        let found = drawn(BEFORE, "main;a 10\nmain;b 30\nmain;d 90\nmain;e 5\n");
        let expected = [
            ("+ main", Way::More),
            ("+ d", Way::More),
            ("− a", Way::Less),
            ("b", Way::Same),
            ("− c", Way::Gone),
            ("+ e", Way::More),
        ];
        assert_eq!(found, expected.map(|(name, way)| (name.to_owned(), way)));
    }

    #[test]
    fn two_runs_of_one_program_are_as_before() {
        let large = |a: u32, b: u32| {
            format!("main;a {}\nmain;b {}\nmain;c {a}\n", 50_000_000 + a, 900_000 - b)
        };
        let found = drawn(&large(1, 1), &large(9, 300));
        assert!(found.iter().all(|(_, way)| *way == Way::Same), "{found:?}");
        assert_eq!(found.len(), 3, "c is too cheap");
        let changed = drawn(&large(1, 1), &large(900_000, 1));
        assert_eq!(changed[0], ("+ main".to_owned(), Way::More));
    }
}
