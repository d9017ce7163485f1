//! What explains the difference of two profiles on a page: the methods that are to
//! blame, and the contexts of both profiles in one tree.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::page::call_tree::Preorder;
use crate::page::count::{Count, column};
use crate::page::digest::Digest;
use crate::page::listing::Listing;
use crate::page::room::Room;
use analysis::diff::blame::Part;
use analysis::diff::changes::{CodeChange, code_changes};
use analysis::diff::code::Code;
use analysis::diff::explanation::{Explanation, Row, explain};
use analysis::diff::signatures::Signatures;
use analysis::diff::union::{Paired, union};
use tree::Tree;
use tree::alignment::align;
use tree::names::method::Method;
use tree::readable_names::printable;

/// Rows of a page at most.
const ROWS: usize = 40;

/// The explanation, without the trees.
#[derive(Debug)]
pub struct Explained {
    /// The methods of both profiles.
    methods: Vec<Method>,
    /// Those that have other signatures in the base.
    signatures: Signatures,
    explanation: Explanation,
    is_code_known: bool,
    contexts: Vec<Paired>,
    totals: [u64; 2],
    has_calls: bool,
    /// Methods of other code.
    codes: Vec<(u32, CodeChange)>,
}

impl Explained {
    /// Compares two trees, and keeps so many contexts; `None` if the trees have
    /// different metrics.
    pub fn new(mut trees: [Tree; 2], codes: [&Code; 2], contexts: usize) -> Option<Self> {
        if trees[0].metric() != trees[1].metric() || trees.iter().any(Tree::is_empty) {
            return None;
        }
        align(&mut trees);
        let signatures = Signatures::between(codes[0], codes[1]);
        signatures.rename(&mut trees[0]);
        let [base, new] = &trees;
        let changes = code_changes(codes, &signatures, &base.methods);
        let explanation = explain(std::slice::from_ref(base), std::slice::from_ref(new), &changes);
        let contexts = union(base, new, contexts);
        Some(Self {
            explanation,
            is_code_known: codes.iter().all(|code| !code.is_empty()),
            contexts,
            totals: [base.total(), new.total()],
            has_calls: base.calls().is_some() && new.calls().is_some(),
            codes: (0..)
                .zip(changes)
                .filter_map(|(method, change)| Some((method, change?)))
                .collect(),
            methods: std::mem::take(&mut trees[0].methods),
            signatures,
        })
    }

    /// The section of a page with the profiles of these digests.
    pub fn section(&self, digests: [&Digest; 2], room: Room) -> Section {
        let listings =
            digests.map(|digest| Listing::new(&digest.order, room.methods, digest.methods.len()));
        let mut numbers = digests.map(|digest| -> FxHashMap<&Method, u32> {
            (0..).zip(&digest.methods).map(|(number, method)| (method, number)).collect()
        });
        let renamed = |(method, number)| (self.signatures.after(method).unwrap_or(method), number);
        numbers[0] = std::mem::take(&mut numbers[0]).into_iter().map(renamed).collect();
        let mut names = Names {
            methods: &self.methods,
            listings,
            numbers,
            places: FxHashMap::default(),
            found: Methods::default(),
        };
        let changed = Kind::new(self, true, &mut names);
        let unchanged = Kind::new(self, false, &mut names);
        let tree = DifferenceTree::new(self, &mut names, room.differing_contexts);
        let codes = self.codes.iter().filter(|(method, _)| names.is_listed(*method));
        let codes: Vec<_> = codes.copied().collect();
        let codes = codes.into_iter().map(|(method, change)| (names.place(method), change.name()));
        let codes = codes.collect();
        let below = &self.explanation;
        Section {
            totals: self.totals.map(Count),
            is_code_known: self.is_code_known,
            changed,
            unchanged,
            below: (below.below, below.below_difference.to_string()),
            tree,
            codes,
            methods: names.found,
        }
    }
}

/// The section of a page. Costs and calls are before and after, methods places in
/// its table.
#[derive(Debug, Serialize)]
pub struct Section {
    totals: [Count; 2],
    is_code_known: bool,
    /// By methods with other code.
    changed: Kind,
    /// By other methods.
    unchanged: Kind,
    /// How many more methods explain differences, each below the floor, and what
    /// these are together.
    below: (u64, String),
    tree: DifferenceTree,
    /// What became of the code of methods that either profile lists, where it is
    /// another one.
    codes: Vec<(u32, &'static str)>,
    methods: Methods,
}

/// What methods of a kind explain.
#[derive(Debug, Serialize)]
struct Kind {
    /// All of them together.
    difference: String,
    methods: usize,
    rows: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Line {
    /// `None` for the virtual root.
    method: Option<u32>,
    /// What became of its code.
    change: Option<&'static str>,
    cost: [Count; 2],
    /// Where most of the difference is.
    greatest: Option<Greatest>,
}

#[derive(Debug, Serialize)]
struct Greatest {
    /// `None` for the method's own cost.
    callee: Option<u32>,
    cost: [Count; 2],
    calls: [Count; 2],
}

impl Kind {
    fn new(explained: &Explained, is_changed: bool, names: &mut Names<'_>) -> Self {
        let rows = explained.explanation.rows.iter();
        let rows: Vec<&Row> =
            rows.filter(|row| row.blamed.change.is_some() == is_changed).collect();
        Self {
            difference: rows.iter().map(|row| row.difference()).sum::<i128>().to_string(),
            methods: rows.len(),
            rows: rows.iter().take(ROWS).map(|row| Line::new(row, names)).collect(),
        }
    }
}

impl Line {
    fn new(row: &Row, names: &mut Names<'_>) -> Self {
        let greatest = |part: Part, names: &mut Names<'_>| Greatest {
            callee: part.callee.map(|callee| names.place(callee)),
            cost: [Count(part.base), Count(part.new)],
            calls: [Count(part.base_calls), Count(part.new_calls)],
        };
        Self {
            method: row.blamed.method.map(|method| names.place(method)),
            change: row.blamed.change.map(|change| change.name()),
            cost: [Count(row.blamed.base), Count(row.blamed.new)],
            greatest: row.blamed.greatest.map(|part| greatest(part, names)),
        }
    }
}

/// The contexts of both profiles, in preorder.
#[derive(Debug, Serialize)]
struct DifferenceTree {
    method: Vec<u32>,
    parent: Vec<i64>,
    /// Before and after: cost with all below, own cost, calls.
    inclusive: [Vec<Count>; 2],
    exclusive: [Vec<Count>; 2],
    calls: Option<[Vec<Count>; 2]>,
}

impl DifferenceTree {
    fn new(explained: &Explained, names: &mut Names<'_>, count: usize) -> Self {
        let contexts = &explained.contexts[..count.min(explained.contexts.len())];
        let cost = |context: &Paired| context.inclusive[0].max(context.inclusive[1]);
        let nodes = contexts.iter().map(|c| (Some(c.method), c.caller, cost(c)));
        let order = Preorder::new(nodes);
        let shown = || order.places.iter().map(|&place| &contexts[place as usize]);
        let both = |of: fn(&Paired) -> [u64; 2]| {
            [0, 1].map(|side| column(shown().map(|context| of(context)[side])))
        };
        Self {
            method: order.method.iter().map(|&method| names.place(method)).collect(),
            inclusive: both(|context| context.inclusive),
            exclusive: both(|context| context.exclusive),
            calls: explained.has_calls.then(|| both(|context| context.calls)),
            parent: order.parent,
        }
    }
}

/// The methods of the section: their numbers in the profiles, -1 where they are not
/// listed, and the names of those that neither lists.
#[derive(Debug, Default, Serialize)]
struct Methods {
    base: Vec<i64>,
    new: Vec<i64>,
    names: BTreeMap<u32, [String; 3]>,
}

/// Gives methods places in the section's table.
struct Names<'a> {
    methods: &'a [Method],
    listings: [Listing<'a>; 2],
    /// Numbers of the methods in the profiles' own tables.
    numbers: [FxHashMap<&'a Method, u32>; 2],
    places: FxHashMap<u32, u32>,
    found: Methods,
}

impl Names<'_> {
    /// Numbers of a method in the profiles.
    fn numbers(&self, method: u32) -> [Option<u32>; 2] {
        let name = &self.methods[method as usize];
        [0, 1].map(|side| self.listings[side].number(*self.numbers[side].get(name)?))
    }

    fn is_listed(&self, method: u32) -> bool {
        self.numbers(method).iter().any(Option::is_some)
    }

    fn place(&mut self, method: u32) -> u32 {
        if let Some(&place) = self.places.get(&method) {
            return place;
        }
        let place = self.found.base.len() as u32;
        self.places.insert(method, place);
        let [base, new] = self.numbers(method).map(|number| number.map_or(-1, i64::from));
        self.found.base.push(base);
        self.found.new.push(new);
        if base < 0 && new < 0 {
            let name = &self.methods[method as usize];
            let parts = [&name.class, &name.name, &name.descriptor];
            self.found.names.insert(place, parts.map(|part| printable(part).into_owned()));
        }
        place
    }
}
