//! What a page may show of a tree, without the tree.

use std::cmp::Reverse;

use profile::dataflow::MethodResults;
use rustc_hash::FxHashMap;

use crate::page::by_metric::{ByMetric, by_metrics};
use crate::page::first_screen::FirstScreen;
use crate::page::room::Room;
use analysis::subsuming::characteristics::{Characteristics, characteristics};
use analysis::subsuming::threshold_grid::ThresholdGrid;
use analysis::subsuming::{Subsuming, Thresholds};
use analysis::summary::Summary;
use tree::Tree;
use tree::both::both;
use tree::costs::{Costs, by_inclusive_cost, costs};
use tree::names::method::Method;
use tree::names::pattern::Pattern;
use tree::owners::Owners;
use tree::readable_names::Names;
use tree::shape::{Shape, shape};
use tree::views::every_method::outline_of_every_method;
use tree::views::inversion::{Inversion, invert};
use tree::views::neighbours::{Neighbours, neighbours};
use tree::views::outline::callers;

/// All figures of a tree that a page has, in full for methods, and for as many
/// contexts as there may be room for.
#[derive(Debug)]
pub struct Digest {
    /// Name of the cost.
    pub metric: String,
    /// Cost of the whole tree.
    pub total: u64,
    /// Its figures.
    pub shape: Shape,
    /// The methods as in [`Tree::methods`].
    pub methods: Vec<Method>,
    /// How each is shown, without its class; empty if its name is enough.
    pub suffixes: Vec<String>,
    /// Whose code classes are.
    pub owners: Owners,
    /// Names of the superclasses of classes, as far as they are known.
    pub superclasses: FxHashMap<String, String>,
    /// Per method: inputs and results, as in [`Tree::results`].
    pub results: Vec<Option<MethodResults>>,
    /// Per method: its costs.
    pub costs: Vec<Costs>,
    /// Per method: height and distance.
    pub characteristics: Vec<Characteristics>,
    /// What methods induce.
    pub grid: ThresholdGrid,
    /// Who calls whom.
    pub neighbours: Neighbours,
    /// The costliest contexts, and the costliest of each method, a caller before its
    /// callees.
    pub contexts: Vec<Context>,
    /// The costliest part of the inverted tree.
    pub inversion: Inversion,
    /// The executed methods, that of greatest inclusive cost first.
    pub order: Vec<u32>,
    /// Whether calls were counted.
    pub has_calls: bool,
    /// What matters most.
    pub first_screen: FirstScreen,
    /// Costs of the methods and of the contexts above by other metrics.
    pub by_metric: Vec<ByMetric>,
}

/// A context of the call tree.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    /// Its method.
    pub method: u32,
    /// Place of its caller; `None` for roots.
    pub caller: Option<u32>,
    /// Cost of its subtree, and its own.
    pub inclusive: u64,
    /// Its own cost.
    pub exclusive: u64,
    /// Its calls, 0 if they were not counted.
    pub calls: u64,
    /// Contexts in its subtree, itself included.
    pub contexts: u32,
}

impl Digest {
    /// Analyses a tree, which is not needed any more afterwards. Methods that
    /// match `never` do not subsume. The first screen is about those that subsume at
    /// these thresholds.
    pub fn new(tree: &Tree, thresholds: Thresholds, never: &Pattern) -> Self {
        let room = Room::LARGEST;
        // Passes that share nothing but the columns they read, two at a time.
        let (characteristics, (costs, neighbours)) =
            both(|| characteristics(tree), || (costs(tree), neighbours(tree)));
        let ((grid, first_screen, shape), ((contexts, by_metric), inversion)) = both(
            || {
                let grid = ThresholdGrid::analyse(tree, &characteristics, &costs, never);
                let (of_methods, characteristics) = (costs.clone(), characteristics.clone());
                let analysis =
                    Subsuming::with(tree, characteristics, of_methods, thresholds, never);
                let summary = Summary::new(tree, &analysis, &neighbours.edges);
                (grid, FirstScreen::new(tree, &analysis, &summary), shape(tree))
            },
            || (contexts(tree, room.contexts), invert(tree, room.inverted)),
        );
        let order = by_inclusive_cost(&costs);
        Self {
            metric: tree.metric().to_owned(),
            total: tree.total(),
            shape,
            methods: tree.methods.clone(),
            suffixes: suffixes(tree),
            owners: tree.owners(),
            superclasses: tree.superclasses.clone(),
            results: tree.results.clone(),
            costs,
            characteristics,
            grid,
            neighbours,
            contexts,
            inversion,
            order,
            has_calls: tree.calls().is_some(),
            first_screen,
            by_metric,
        }
    }
}

/// The contexts, and what they and the methods cost by other metrics.
fn contexts(tree: &Tree, count: usize) -> (Vec<Context>, Vec<ByMetric>) {
    let outlined = outline_of_every_method(tree, count);
    let callers = callers(tree, &outlined);
    let context = |(found, caller): (tree::views::outline::Outlined, Option<u32>)| {
        let Reverse(node) = found.node;
        let node = node as usize;
        Context {
            method: tree.method[node],
            caller,
            inclusive: found.inclusive,
            exclusive: tree.cost()[node],
            calls: tree.calls().map_or(0, |calls| calls[node]),
            contexts: found.contexts,
        }
    };
    let nodes: Vec<u32> = outlined.iter().map(|found| found.node.0).collect();
    let contexts = outlined.into_iter().zip(callers).map(context).collect();
    (contexts, by_metrics(tree, &nodes))
}

/// What [`Names`] shows behind the plain name of each method.
fn suffixes(tree: &Tree) -> Vec<String> {
    let names = Names::new(tree);
    let suffix = |(number, method): (u32, &Method)| {
        let plain = tree::readable_names::printable(&method.qualified()).into_owned();
        names.of(Some(number)).strip_prefix(&plain).unwrap_or_default().to_owned()
    };
    (0..).zip(&tree.methods).map(suffix).collect()
}
