//! Builds a profile from stacks, whichever tool has taken them.

use profile::{
    ClassId, ClassInfo, MethodInfo, Metric, NO_PARENT, Nodes, Origin, Profile, RunInfo, ThreadTree,
};
use rustc_hash::FxHashMap;

use crate::import::allowance::Allowance;
use crate::import::frame;
use tree::error::{Error, Result};
use tree::names::method::Method;

/// A profile under construction.
#[derive(Debug, Default)]
pub struct Builder {
    classes: Vec<ClassInfo>,
    class_numbers: FxHashMap<String, u32>,
    methods: Vec<MethodInfo>,
    method_numbers: FxHashMap<Method, u32>,
    /// Frames as they stand in the file, so that each is parsed once.
    frames: FxHashMap<String, u32>,
    threads: Vec<ThreadTree>,
    nodes: Nodes,
}

/// The contexts of one thread, in the order in which they came.
#[derive(Debug)]
pub struct Paths {
    nodes: Vec<Node>,
    children: FxHashMap<(u32, u32), u32>,
    /// One column for each metric.
    costs: Vec<Vec<u64>>,
    allowance: Allowance,
}

#[derive(Debug)]
struct Node {
    method: u32,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
}

const NONE: u32 = u32::MAX;

impl Node {
    fn of(method: u32) -> Self {
        Self { method, first_child: NONE, last_child: NONE, next_sibling: NONE }
    }
}

impl Paths {
    /// The path of no frame.
    pub const ROOT: u32 = 0;

    /// No paths but that of no frame, and as many others as are allowed.
    pub fn new(metrics: usize, allowance: &Allowance) -> Self {
        Self {
            nodes: vec![Node::of(NONE)],
            children: FxHashMap::default(),
            costs: vec![vec![0]; metrics],
            allowance: allowance.clone(),
        }
    }

    /// True if there is no path with a frame.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// The path with one more frame.
    ///
    /// # Errors
    /// If there are more paths than 32-bit numbers can name, than the input is worth, or
    /// than there is memory for.
    pub fn child(&mut self, at: u32, method: u32) -> Result<u32> {
        if let Some(&known) = self.children.get(&(at, method)) {
            return Ok(known);
        }
        self.allowance.take()?;
        let child = u32::try_from(self.nodes.len()).ok().filter(|&child| child != NONE);
        let child = child.ok_or_else(|| Error::new("more paths than 32-bit numbers can name"))?;
        self.make_room().ok_or_else(out_of_memory)?;
        self.children.insert((at, method), child);
        self.nodes.push(Node::of(method));
        for costs in &mut self.costs {
            costs.push(0);
        }
        let parent = &mut self.nodes[at as usize];
        let before = std::mem::replace(&mut parent.last_child, child);
        match self.nodes.get_mut(before as usize) {
            Some(sibling) => sibling.next_sibling = child,
            None => self.nodes[at as usize].first_child = child,
        }
        Ok(child)
    }

    /// Room for one more path; `None` if there is no memory for it.
    fn make_room(&mut self) -> Option<()> {
        self.nodes.try_reserve(1).ok()?;
        self.children.try_reserve(1).ok()?;
        self.costs.iter_mut().try_for_each(|costs| costs.try_reserve(1)).ok()
    }

    /// Adds to a cost of a path.
    ///
    /// # Errors
    /// If the sum leaves 64 bits.
    pub fn add(&mut self, at: u32, metric: usize, cost: u64) -> Result<()> {
        let sum = &mut self.costs[metric][at as usize];
        *sum =
            sum.checked_add(cost).ok_or_else(|| Error::new("the weights do not fit in 64 bits"))?;
        Ok(())
    }

    /// Of each path takes the lesser of two costs from both, so that one of them is left.
    pub fn balance(&mut self, one: usize, other: usize) {
        for at in 0..self.nodes.len() {
            let both = self.costs[one][at].min(self.costs[other][at]);
            self.costs[one][at] -= both;
            self.costs[other][at] -= both;
        }
    }

    /// What a cost comes to over all paths, as far as 64 bits go.
    pub fn total(&self, metric: usize) -> u64 {
        self.costs[metric].iter().fold(0, |sum, &cost| sum.saturating_add(cost))
    }

    /// Leaves a cost out from all paths, or adds it to another one.
    ///
    /// # Errors
    /// If a sum leaves 64 bits.
    pub fn clear(&mut self, metric: usize, into: Option<usize>) -> Result<()> {
        for at in 0..self.nodes.len() {
            let cost = std::mem::take(&mut self.costs[metric][at]);
            if let Some(into) = into.filter(|_| cost > 0) {
                self.add(at as u32, into, cost)?;
            }
        }
        Ok(())
    }
}

#[cold]
fn out_of_memory() -> Error {
    Error::new("it has more contexts than there is memory for")
}

impl Builder {
    /// For costs of these names.
    pub fn new(metrics: &[String]) -> Self {
        let metric = |name: &String| Metric { name: name.clone(), values: Vec::new() };
        let nodes = Nodes { metrics: metrics.iter().map(metric).collect(), ..Nodes::default() };
        Self { nodes, ..Self::default() }
    }

    /// Number of the method that a frame names.
    pub fn frame(&mut self, text: &str) -> u32 {
        if let Some(&method) = self.frames.get(text) {
            return method;
        }
        let method = self.method(frame::parse(text));
        self.frames.insert(text.to_owned(), method);
        method
    }

    /// Number of a method.
    pub fn method(&mut self, method: Method) -> u32 {
        if let Some(&known) = self.method_numbers.get(&method) {
            return known;
        }
        let class = *self.class_numbers.entry(method.class.clone()).or_insert_with(|| {
            self.classes.push(ClassInfo { name: method.class.clone(), ..ClassInfo::default() });
            self.classes.len() as u32 - 1
        });
        self.methods.push(MethodInfo::new(
            ClassId(class),
            method.name.clone(),
            method.descriptor.clone(),
        ));
        // There are at most as many methods as paths, which are counted.
        let number = self.methods.len() as u32 - 1;
        self.method_numbers.insert(method, number);
        number
    }

    /// Adds a thread, its paths in preorder.
    ///
    /// # Errors
    /// If there are more paths than 32-bit numbers can name, or than there is memory for.
    pub fn thread(&mut self, name: String, paths: &Paths) -> Result<()> {
        let start = self.nodes.len();
        self.make_room(paths.nodes.len()).ok_or_else(out_of_memory)?;
        let end = u32::try_from(start + paths.nodes.len() - 1)
            .map_err(|_| Error::new("more paths than 32-bit numbers can name"))?;
        let mut pending = vec![(paths.nodes[0].first_child, NO_PARENT)];
        while let Some((node, parent)) = pending.pop() {
            let Some(at) = paths.nodes.get(node as usize) else { continue };
            let number = self.nodes.len() as u32;
            self.nodes.method.push(at.method);
            self.nodes.parent.push(parent);
            self.nodes.site.push(0);
            for (metric, costs) in self.nodes.metrics.iter_mut().zip(&paths.costs) {
                metric.values.push(costs[node as usize]);
            }
            pending.push((at.next_sibling, parent));
            pending.push((at.first_child, number));
        }
        self.threads.push(ThreadTree { name, threads: 1, nodes: start as u32..end });
        Ok(())
    }

    /// Room for so many contexts; `None` if there is no memory for them.
    fn make_room(&mut self, contexts: usize) -> Option<()> {
        let Nodes { method, parent, site, metrics } = &mut self.nodes;
        method.try_reserve(contexts).ok()?;
        parent.try_reserve(contexts).ok()?;
        site.try_reserve(contexts).ok()?;
        metrics.iter_mut().try_for_each(|metric| metric.values.try_reserve(contexts)).ok()
    }

    /// The profile; `format` is what it comes from, in words.
    pub fn finish(self, format: &str) -> Profile {
        Profile {
            run: RunInfo {
                origin: Origin::Imported(format.to_owned()),
                writer: concat!("subsume ", env!("CARGO_PKG_VERSION")).to_owned(),
                ..RunInfo::default()
            },
            classes: self.classes,
            methods: self.methods,
            threads: self.threads,
            nodes: self.nodes,
            ..Profile::default()
        }
    }
}
