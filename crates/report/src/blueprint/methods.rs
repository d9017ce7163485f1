//! The methods of a tree and their calls, as pictures show them.

use profile::dataflow::ResultKind;

use crate::blueprint::labels::method_name;
use crate::blueprint::reached::{Call, CallGraph};
use tree::Tree;
use tree::costs::{by_inclusive_cost, costs};
use tree::names::method::Method;
use tree::owners::Owners;
use tree::views::neighbours::neighbours;

/// The executed methods, that of greatest inclusive cost first.
#[derive(Debug, Default)]
pub struct Methods {
    /// Name of the cost.
    pub metric: String,
    /// Cost of the whole tree.
    pub total: u64,
    /// Whether executions are calls; otherwise they are contexts.
    pub has_calls: bool,
    /// Their numbers in the tree's table.
    pub numbers: Vec<u32>,
    /// Their names.
    pub names: Vec<Method>,
    /// Whose code they are.
    pub owners: Owners,
    /// Cost with all that they call; recursion counts once.
    pub inclusive: Vec<u64>,
    /// Cost of their own code.
    pub exclusive: Vec<u64>,
    /// How often each was executed.
    pub executions: Vec<u64>,
    /// What their results are like; empty if that was not recorded.
    pub results: Vec<Option<ResultKind>>,
    /// Distinct receivers of each, where they are known; empty if that was not recorded.
    pub receivers: Vec<Option<u64>>,
    /// What each calls: the callee's place, and what the caller spends there.
    pub callees: Vec<Vec<(usize, u64)>>,
    /// Who calls each.
    pub callers: Vec<Vec<usize>>,
}

impl Methods {
    /// Those of a tree.
    pub fn new(tree: &Tree) -> Self {
        let costs = costs(tree);
        let order = by_inclusive_cost(&costs);
        let mut places = vec![None; tree.methods.len()];
        for (place, &method) in order.iter().enumerate() {
            places[method as usize] = Some(place);
        }
        let listed = || order.iter().map(|&method| &costs[method as usize]);
        // None of any method, if none were recorded.
        let results = || {
            let recorded = order.iter().filter(|_| !tree.results.is_empty());
            recorded.map(|&method| tree.results[method as usize])
        };
        let mut methods = Self {
            metric: tree.metric().to_owned(),
            total: tree.total(),
            has_calls: tree.calls().is_some(),
            names: order.iter().map(|&method| tree.methods[method as usize].clone()).collect(),
            owners: tree.owners(),
            inclusive: listed().map(|costs| costs.inclusive).collect(),
            exclusive: listed().map(|costs| costs.exclusive).collect(),
            executions: listed().map(|costs| costs.calls.unwrap_or(costs.contexts)).collect(),
            results: results().map(|known| known.map(|known| ResultKind::of(&known))).collect(),
            receivers: results()
                .map(|known| known.map(|known| known.receivers).filter(|&number| number > 0))
                .collect(),
            callees: vec![Vec::new(); order.len()],
            callers: vec![Vec::new(); order.len()],
            numbers: order,
        };
        for edge in neighbours(tree).edges {
            let caller = edge.caller.and_then(|caller| places[caller as usize]);
            let (Some(caller), Some(callee)) = (caller, places[edge.callee as usize]) else {
                continue;
            };
            if caller != callee && edge.of_caller.cost > 0 {
                methods.callees[caller].push((callee, edge.of_caller.cost));
                methods.callers[callee].push(caller);
            }
        }
        methods
    }

    /// The place of the method with this number in the tree's table.
    pub fn place(&self, number: u32) -> Option<usize> {
        self.numbers.iter().position(|&listed| listed == number)
    }
}

impl CallGraph for Methods {
    fn cost(&self, method: usize) -> u64 {
        self.inclusive[method]
    }

    fn executions(&self, method: usize) -> u64 {
        self.executions[method]
    }

    fn keeps(&self, _method: usize) -> bool {
        false
    }

    fn name(&self, method: usize) -> String {
        method_name(&self.names[method])
    }

    fn calls(&self, method: usize) -> Vec<Call> {
        let callees = self.callees[method].iter();
        callees.map(|&(of, cost)| Call { of, cost, change: 0, rank: cost }).collect()
    }
}
