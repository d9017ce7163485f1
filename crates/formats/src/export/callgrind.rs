//! Callgrind's format, for KCachegrind and callgrind_annotate: what methods
//! cost, and what their calls cost, by the line of the call.
//!
//! Tools know a function by its name and its file, so each callee comes with its
//! file. What a method costs by itself has line 0, which stands for no line: it
//! is not recorded by line.

use std::collections::BTreeMap;
use std::io::Write;

use profile::NO_PARENT;
use rustc_hash::FxHashMap;

use tree::Tree;
use tree::error::Result;
use tree::readable_names::printable;
use tree::walk::{Visitor, walk};

/// Writes a tree. A recursive call has no cost in this: that of the outermost
/// one includes it, so that no method costs more than everything.
///
/// # Errors
/// If `out` fails.
pub fn write(tree: &Tree, out: &mut impl Write) -> Result<()> {
    let graph = Graph::of(tree);
    writeln!(out, "# callgrind format")?;
    writeln!(out, "version: 1")?;
    writeln!(out, "creator: subsume {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "positions: line")?;
    let names: Vec<String> = tree.metrics.iter().map(|metric| event(&metric.name)).collect();
    writeln!(out, "events: {}", names.join(" "))?;
    let totals = tree.metrics.iter().map(|metric| metric.values.iter().sum::<u64>());
    writeln!(out, "summary: {}", joined(totals))?;

    let mut functions = Names::default();
    let mut files = Names::default();
    let mut calls = graph.calls.iter().peekable();
    for (method, own) in (0..).zip(&graph.own) {
        let has_calls = calls.peek().is_some_and(|(call, _)| call.caller == method);
        if own.iter().all(|&cost| cost == 0) && !has_calls {
            continue;
        }
        writeln!(out)?;
        writeln!(out, "fl={}", files.name(file(tree, method)))?;
        writeln!(out, "fn={}", functions.name(tree.methods[method as usize].to_string()))?;
        writeln!(out, "0 {}", joined(own.iter().copied()))?;
        while let Some((call, costs)) = calls.next_if(|(call, _)| call.caller == method) {
            let callee = tree.methods[call.callee as usize].to_string();
            writeln!(out, "cfi={}", files.name(file(tree, call.callee)))?;
            writeln!(out, "cfn={}", functions.name(callee))?;
            writeln!(out, "calls={} 0", costs.count)?;
            writeln!(out, "{} {}", call.line, joined(costs.costs.iter().copied()))?;
        }
    }
    Ok(())
}

/// Names that are written once, and are numbers from then on.
#[derive(Default)]
struct Names {
    numbers: FxHashMap<String, usize>,
}

impl Names {
    fn name(&mut self, name: String) -> String {
        let next = self.numbers.len() + 1;
        if let Some(number) = self.numbers.get(&name) {
            return format!("({number})");
        }
        let text = format!("({next}) {}", printable(&name));
        self.numbers.insert(name, next);
        text
    }
}

/// The source file of a method in the folder of its package, as in
/// `java/util/HashMap.java`; its class where the file is not known.
fn file(tree: &Tree, method: u32) -> String {
    let class = &tree.methods[method as usize].class;
    match (tree.source_files.get(class), class.rsplit_once('.')) {
        (Some(file), Some((package, _))) => format!("{}/{file}", package.replace('.', "/")),
        (Some(file), None) => file.clone(),
        (None, _) if class.is_empty() => "???".to_owned(),
        (None, _) => class.clone(),
    }
}

/// The name of an event must be a word.
fn event(metric: &str) -> String {
    metric.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

fn joined(costs: impl Iterator<Item = u64>) -> String {
    costs.map(|cost| cost.to_string()).collect::<Vec<_>>().join(" ")
}

/// Methods and the calls between them.
struct Graph {
    /// Exclusive costs of each method.
    own: Vec<Vec<u64>>,
    calls: BTreeMap<Call, CallCosts>,
}

/// All calls of a method from one line.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Call {
    caller: u32,
    callee: u32,
    /// 0 if it is not known.
    line: u16,
}

struct CallCosts {
    count: u64,
    /// Costs with all that is called.
    costs: Vec<u64>,
}

impl Graph {
    fn of(tree: &Tree) -> Self {
        let none = || vec![0; tree.metrics.len()];
        let mut pass = Pass {
            tree,
            spent: none(),
            active: vec![0; tree.methods.len()],
            open: Vec::new(),
            graph: Self {
                own: tree.methods.iter().map(|_| none()).collect(),
                calls: BTreeMap::new(),
            },
        };
        walk(&tree.parent, &mut pass);
        pass.graph
    }
}

struct Pass<'t> {
    tree: &'t Tree,
    /// Costs of all nodes entered so far.
    spent: Vec<u64>,
    /// Contexts of each method on the path to the node reached.
    active: Vec<u32>,
    /// What had been spent when each context on the path was entered.
    open: Vec<Vec<u64>>,
    graph: Graph,
}

impl Visitor for Pass<'_> {
    fn enter(&mut self, node: u32) {
        let at = node as usize;
        let method = self.tree.method[at] as usize;
        self.open.push(self.spent.clone());
        self.active[method] += 1;
        let own = &mut self.graph.own[method];
        for ((spent, own), metric) in self.spent.iter_mut().zip(own).zip(&self.tree.metrics) {
            *own += metric.values[at];
            *spent += metric.values[at];
        }
    }

    fn leave(&mut self, node: u32) {
        let at = node as usize;
        let method = self.tree.method[at];
        self.active[method as usize] -= 1;
        let since = self.open.pop().unwrap_or_default();
        let parent = self.tree.parent[at];
        if parent == NO_PARENT {
            return;
        }
        let caller = self.tree.method[parent as usize];
        let call = Call { caller, callee: method, line: self.tree.call_line(node) };
        let none = || CallCosts { count: 0, costs: vec![0; since.len()] };
        let call = self.graph.calls.entry(call).or_insert_with(none);
        // A profile without counts of calls: at least one was made.
        call.count += self.tree.calls().map_or(1, |calls| calls[at]);
        if self.active[method as usize] == 0 {
            for ((cost, spent), since) in call.costs.iter_mut().zip(&self.spent).zip(&since) {
                *cost += spent - since;
            }
        }
    }
}
