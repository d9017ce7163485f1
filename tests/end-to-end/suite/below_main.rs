//! The part of a program's tree below its main method, to be compared with that
//! of another run.

use std::collections::HashMap;
use std::path::Path;

use tree::Tree;
use tree::forest::{MetricChoice, Selection};
use tree::names::method::Method;

use crate::repeatable::is_randomised;

/// Reads a profile, all threads merged.
pub fn read(profile: &Path) -> Tree {
    let read = profile::read_file(profile).expect("the profile can be read");
    let selection = Selection { metric: MetricChoice::Every, ..Selection::default() };
    Tree::merge(vec![("program.subsume".to_owned(), read)], &selection)
        .expect("the profile is consistent")
}

/// The part of a tree below main, to be looked up by caller and callee.
#[derive(Debug)]
pub struct BelowMain<'a> {
    tree: &'a Tree,
    main: u32,
    callees: HashMap<u32, Vec<u32>>,
    left_out: Option<&'a str>,
}

impl<'a> BelowMain<'a> {
    /// Looks for the main method of this class.
    pub fn of(tree: &'a Tree, main_class: &str) -> Self {
        let is_main = |&node: &u32| {
            let method = &tree.methods[tree.method[node as usize] as usize];
            (method.class.as_str(), method.name.as_str()) == (main_class, "main")
        };
        let nodes = 0..u32::try_from(tree.len()).expect("nodes are numbered in 32 bits");
        let main = nodes.clone().find(is_main).expect("main was recorded");
        let mut callees = HashMap::<u32, Vec<u32>>::new();
        for node in nodes {
            callees.entry(tree.parent[node as usize]).or_default().push(node);
        }
        Self { tree, main, callees, left_out: None }
    }

    /// The same without a metric.
    pub fn without(self, metric: &'a str) -> Self {
        Self { left_out: Some(metric), ..self }
    }

    fn method(&self, node: u32) -> &'a Method {
        &self.tree.methods[self.tree.method[node as usize] as usize]
    }

    fn is_randomised(&self, node: u32) -> bool {
        let method = self.method(node);
        is_randomised(&method.class, &method.name)
    }

    fn callees(&self, node: u32) -> HashMap<&'a Method, u32> {
        let nodes = self.callees.get(&node).map_or(&[][..], Vec::as_slice);
        nodes.iter().map(|&callee| (self.method(callee), callee)).collect()
    }

    /// The metrics of a context by name.
    fn counts(&self, node: u32) -> Vec<(&'a str, u64)> {
        let metrics = self.tree.metrics.iter();
        let metrics = metrics.filter(|metric| Some(&*metric.name) != self.left_out);
        metrics.map(|metric| (metric.name.as_str(), metric.values[node as usize])).collect()
    }

    /// The last callers on the way to a context.
    fn path(&self, mut node: u32) -> String {
        let mut frames = vec![self.method(node).to_string()];
        while node != self.main && frames.len() < 6 {
            node = self.tree.parent[node as usize];
            frames.push(self.method(node).to_string());
        }
        frames.join(" from ")
    }
}

/// Describes every context that one tree has and the other has not, or that
/// has other counts there. Below a context that is missing and from randomised
/// methods on nothing is compared.
pub fn differences(left: &BelowMain<'_>, right: &BelowMain<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let mut pairs = vec![(left.main, right.main)];
    while let Some((a, b)) = pairs.pop() {
        if left.is_randomised(a) {
            continue;
        }
        if left.counts(a) != right.counts(b) {
            found.push(format!("{}: {:?} and {:?}", left.path(a), left.counts(a), right.counts(b)));
        }
        let mut others = right.callees(b);
        for (method, callee) in left.callees(a) {
            match others.remove(method) {
                Some(other) => pairs.push((callee, other)),
                None => found.push(format!("only left: {}", left.path(callee))),
            }
        }
        found.extend(others.values().map(|&other| format!("only right: {}", right.path(other))));
    }
    found
}
