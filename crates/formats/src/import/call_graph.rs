//! Contexts estimated from a call graph.

use rustc_hash::FxHashMap;

use crate::import::builder::{Builder, Paths};
use tree::error::Result;

/// What functions cost by themselves, and what their calls cost.
#[derive(Debug, Default)]
pub struct CallGraph {
    events: usize,
    names: Vec<String>,
    numbers: FxHashMap<String, u32>,
    own: Vec<Vec<u64>>,
    /// Callees of each function with what all calls of them cost.
    calls: Vec<Vec<(u32, Vec<u64>)>>,
    /// Where in its callees a caller has a callee.
    places: FxHashMap<(u32, u32), u32>,
}

/// Contexts with a smaller share of the cost are not told apart.
const SMALLEST_SHARE: f64 = 1e-5;
/// No context is deeper than this.
const DEEPEST: usize = 200;

impl CallGraph {
    /// Without functions, for so many kinds of events.
    pub fn new(events: usize) -> Self {
        Self { events, ..Self::default() }
    }

    /// Number of the function of that name.
    pub fn function(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        self.own.push(vec![0; self.events]);
        self.calls.push(Vec::new());
        number
    }

    /// Adds to what a function costs by itself; `None` if 64 bits are too few.
    pub fn own(&mut self, function: u32, costs: &[u64]) -> Option<()> {
        add(&mut self.own[function as usize], costs)
    }

    /// Adds a call with all that it costs; `None` if 64 bits are too few.
    pub fn call(&mut self, caller: u32, callee: u32, costs: &[u64]) -> Option<()> {
        let calls = &mut self.calls[caller as usize];
        // Functions are numbered with 32 bits, and no caller has more callees.
        let at = *self.places.entry((caller, callee)).or_insert(calls.len() as u32) as usize;
        if at == calls.len() {
            calls.push((callee, vec![0; self.events]));
        }
        add(&mut calls[at].1, costs)
    }

    /// Writes a tree in which each function costs by itself what it does in all.
    /// Only in which contexts it does so is estimated.
    ///
    /// # Errors
    /// If there are more paths than 32-bit numbers can name.
    pub fn unfold(&self, builder: &mut Builder, paths: &mut Paths) -> Result<()> {
        let methods: Vec<u32> = self.names.iter().map(|name| builder.frame(name)).collect();
        let totals: Vec<u64> = (0..self.events)
            .map(|event| self.own.iter().fold(0, |sum, own| own[event].saturating_add(sum)))
            .collect();
        let inclusive = self.inclusive();
        let mut contexts = vec![Vec::new(); self.names.len()];
        // What no call explains begins a path of its own.
        for (function, budget) in self.roots(&totals, &inclusive).into_iter().enumerate() {
            if budget.iter().any(|&cost| cost > 0) {
                let at = paths.child(Paths::ROOT, methods[function])?;
                let root = Part { function, at, budget, path: vec![function] };
                let all = Totals { of_run: &totals, inclusive: &inclusive };
                self.share_out(root, &methods, all, paths, &mut contexts)?;
            }
        }
        self.place_the_rest(&methods, paths, &mut contexts)?;
        for (own, contexts) in self.own.iter().zip(&contexts) {
            for (event, &own) in own.iter().enumerate() {
                divide(own, event, contexts, paths)?;
            }
        }
        Ok(())
    }

    /// Gives each function that costs something but has been in contexts too
    /// small to be told apart one below its most expensive caller that has one.
    /// Each function is looked at once, after the first of its callers.
    fn place_the_rest(
        &self,
        methods: &[u32],
        paths: &mut Paths,
        contexts: &mut [Vec<Context>],
    ) -> Result<()> {
        let mut callers = vec![Vec::new(); self.names.len()];
        for (caller, calls) in self.calls.iter().enumerate() {
            for (callee, costs) in calls {
                callers[*callee as usize].push((costs, caller));
            }
        }
        let missing: Vec<bool> = (0..self.names.len())
            .map(|f| contexts[f].is_empty() && self.own[f].iter().any(|&cost| cost > 0))
            .collect();
        // The greatest context of each function that has any.
        let mut greatest: Vec<Option<u32>> = contexts
            .iter()
            .map(|of| of.iter().max_by(|a, b| a.budget.cmp(&b.budget)).map(|context| context.at))
            .collect();
        let mut placed: Vec<usize> =
            (0..self.names.len()).filter(|&f| greatest[f].is_some()).collect();
        let mut waiting = (0..self.names.len()).filter(|&f| missing[f]);
        loop {
            let mut next: Vec<usize> = placed
                .iter()
                .flat_map(|&caller| self.calls[caller].iter())
                .map(|(callee, _)| *callee as usize)
                .filter(|&callee| missing[callee] && greatest[callee].is_none())
                .collect();
            next.sort_unstable();
            next.dedup();
            if next.is_empty() {
                // Where only such functions call each other, one of them begins.
                let Some(first) = waiting.find(|&f| greatest[f].is_none()) else { return Ok(()) };
                next.push(first);
            }
            for &function in &next {
                let known = callers[function].iter().filter(|(_, f)| greatest[*f].is_some());
                let caller = known.max_by_key(|(costs, _)| *costs);
                let above = caller.and_then(|&(_, caller)| greatest[caller]);
                let at = paths.child(above.unwrap_or(Paths::ROOT), methods[function])?;
                contexts[function].push(Context { at, budget: vec![0; self.events] });
                greatest[function] = Some(at);
            }
            placed = next;
        }
    }

    /// What each function costs without being called by others. In recursion
    /// costs are counted several times, so it is scaled to add up to the totals.
    fn roots(&self, totals: &[u64], inclusive: &[Vec<u64>]) -> Vec<Vec<u64>> {
        let called = self.called();
        let mut roots = vec![vec![0; self.events]; self.names.len()];
        for (event, &total) in totals.iter().enumerate() {
            let left = |function: usize| {
                inclusive[function][event].saturating_sub(called[function][event])
            };
            let functions = 0..self.names.len();
            let sum: u128 = functions.clone().map(|f| u128::from(left(f))).sum();
            let mut rest = total;
            for function in functions.clone() {
                let share = u128::from(left(function)) * u128::from(total);
                // No share is more than the total.
                let share = share.checked_div(sum).unwrap_or(0) as u64;
                roots[function][event] = share;
                rest -= share;
            }
            let greatest = functions.max_by_key(|&f| (left(f), inclusive[f][event]));
            if let Some(greatest) = greatest {
                roots[greatest][event] += rest;
            }
        }
        roots
    }

    /// What all calls of each function by others cost.
    fn called(&self) -> Vec<Vec<u64>> {
        let mut called = vec![vec![0u64; self.events]; self.names.len()];
        for (caller, calls) in self.calls.iter().enumerate() {
            for (callee, costs) in calls.iter().filter(|(callee, _)| *callee as usize != caller) {
                for (sum, cost) in called[*callee as usize].iter_mut().zip(costs) {
                    *sum = sum.saturating_add(*cost);
                }
            }
        }
        called
    }

    /// What each function costs with all that it calls, itself left out.
    fn inclusive(&self) -> Vec<Vec<u64>> {
        let mut inclusive = self.own.clone();
        for (caller, (sums, calls)) in inclusive.iter_mut().zip(&self.calls).enumerate() {
            for (_, costs) in calls.iter().filter(|(callee, _)| *callee as usize != caller) {
                for (sum, cost) in sums.iter_mut().zip(costs) {
                    *sum = sum.saturating_add(*cost);
                }
            }
        }
        inclusive
    }

    /// Shares a context's budget out among its callees, and notes the contexts
    /// of each function.
    fn share_out(
        &self,
        root: Part,
        methods: &[u32],
        totals: Totals<'_>,
        paths: &mut Paths,
        contexts: &mut [Vec<Context>],
    ) -> Result<()> {
        let mut pending = vec![root];
        while let Some(Part { function, at, budget, path }) = pending.pop() {
            let small = (0..self.events)
                .all(|event| (budget[event] as f64) < SMALLEST_SHARE * totals.of_run[event] as f64);
            let callees = self.calls[function].iter().filter(|(callee, _)| {
                !small && path.len() < DEEPEST && !path.contains(&(*callee as usize))
            });
            let all = &totals.inclusive[function];
            let mut left = budget.clone();
            for (callee, costs) in callees {
                let share = |event: usize| {
                    let share = u128::from(budget[event]) * u128::from(costs[event]);
                    // At most the budget, as no call costs more than all.
                    share.checked_div(u128::from(all[event])).unwrap_or(0) as u64
                };
                let part: Vec<u64> =
                    (0..self.events).map(|event| share(event).min(left[event])).collect();
                if part.iter().all(|&cost| cost == 0) {
                    continue;
                }
                for (left, part) in left.iter_mut().zip(&part) {
                    *left -= part;
                }
                let below = paths.child(at, methods[*callee as usize])?;
                let mut longer = path.clone();
                longer.push(*callee as usize);
                pending.push(Part {
                    function: *callee as usize,
                    at: below,
                    budget: part,
                    path: longer,
                });
            }
            contexts[function].push(Context { at, budget });
        }
        Ok(())
    }
}

/// What shares are shares of.
#[derive(Clone, Copy)]
struct Totals<'a> {
    of_run: &'a [u64],
    /// By function, with all that it calls.
    inclusive: &'a [Vec<u64>],
}

/// A context of a function with its share of all that the function costs,
/// callees included.
#[derive(Clone)]
struct Context {
    at: u32,
    budget: Vec<u64>,
}

/// Divides what a function costs by itself among its contexts, in proportion to
/// their budgets.
fn divide(own: u64, event: usize, contexts: &[Context], paths: &mut Paths) -> Result<()> {
    let sum: u128 = contexts.iter().map(|context| u128::from(context.budget[event])).sum();
    if sum == 0 {
        return match contexts.first() {
            Some(context) => paths.add(context.at, event, own),
            None => Ok(()),
        };
    }
    let (mut reached, mut given) = (0, 0);
    for context in contexts {
        // From sums, so that what rounding cuts off is not lost. A function is on
        // no path twice: its budgets add up to no more than 64 bits.
        reached += u128::from(context.budget[event]);
        let until = (u128::from(own) * reached / sum) as u64;
        paths.add(context.at, event, until - given)?;
        given = until;
    }
    Ok(())
}

/// A context that is still to be shared out.
struct Part {
    function: usize,
    at: u32,
    budget: Vec<u64>,
    /// The functions from the root on.
    path: Vec<usize>,
}

fn add(to: &mut [u64], costs: &[u64]) -> Option<()> {
    for (sum, &cost) in to.iter_mut().zip(costs) {
        *sum = sum.checked_add(cost)?;
    }
    Some(())
}
