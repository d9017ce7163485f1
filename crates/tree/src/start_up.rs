//! What a program does once: its start-up, and what happens at the first call of something.
//!
//! Half of the bytecodes of a program that runs for seconds are of this kind, and no
//! repair of a method makes them fewer. They are put aside, so that what the program does
//! again and again is seen.

use std::cmp::Reverse;

use profile::NO_PARENT;
use profile::class_loading::loads_classes;
use rustc_hash::FxHashMap;

use crate::Tree;
use crate::names::method::Method;
use crate::names::pattern::Pattern;
use crate::names::superclasses::superclasses;

/// What the launcher and the JVM itself call, beside the program.
pub const JVM_START: &str = "sun.launcher.LauncherHelper.*;java.lang.System.initPhase*;java.lang.Shutdown.*;\
     java.util.logging.LogManager$Cleaner.*;java.lang.ref.Reference$*;\
     java.lang.ref.Finalizer*;jdk.internal.misc.InnocuousThread.run";

/// A caller that is called so many times in a thread goes on after the first call.
const GOES_ON: u64 = 3;

/// A caller hands on what it is given, tests, tasks, commands, if each of its calls may make
/// another call, and at least one in so many of these is a single one.
const HANDS_ON: u64 = 10;

/// A first call of at least this share of the cost is not start-up: it may be what matters.
const SMALL: f64 = 0.01;

/// If no more than this part of the cost would be left, nothing is put aside: the program
/// is all start-up.
const LEAST_LEFT: f64 = 0.1;

/// A part is named if it has this share of all.
const LARGE: f64 = 0.05;
/// The largest number of parts that are named.
const NAMED: usize = 3;

/// Why something counts as done once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The launcher, and the JVM's own threads.
    Jvm,
    /// Classes, lambdas and concatenations are found, defined and linked.
    ClassLoading,
    /// A static initialiser.
    Initialiser,
    /// The one call in a run, of little cost, by a caller that is called again and again.
    FirstCall,
}

impl Reason {
    /// All of them, in the order of [`StartUp::by_reason`].
    pub const ALL: [Self; 4] = [Self::Jvm, Self::ClassLoading, Self::Initialiser, Self::FirstCall];

    /// For people.
    pub fn text(self) -> &'static str {
        match self {
            Self::Jvm => "JVM",
            Self::ClassLoading => "class loading",
            Self::Initialiser => "static initialisers",
            Self::FirstCall => "first calls",
        }
    }
}

/// What was found that happens once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartUp {
    /// What it costs.
    pub cost: u64,
    /// What the whole program costs.
    pub all: u64,
    /// How many contexts it has.
    pub contexts: u64,
    /// What it costs for each reason.
    pub by_reason: [(Reason, u64); 4],
    /// Methods that begin large parts of it, except of the JVM's, with what they cost.
    pub largest: Vec<(u32, u64)>,
    /// Whether it is out of the tree; otherwise it is nearly all of it, or nothing.
    pub is_put_aside: bool,
}

impl Tree {
    /// Takes what happens once out of the tree, unless it is nearly all.
    ///
    /// A context, with all below it, happens once if it is of the JVM's start, of class
    /// loading or of a static initialiser; or if it was called once in a run, costs less than
    /// a hundredth of all, and its caller was called three times or more for each thread that
    /// may have called it. Of the latter these are not: methods with as many calls in all as
    /// this caller has; calls that come back to their caller, which is recursion; and those of
    /// a caller that hands on what it is given, a test or a task, each once.
    ///
    /// Calls are compared only if the tree has them and
    /// [`Selection::threads`](crate::forest::Selection::threads).
    pub fn put_start_aside(&mut self) -> StartUp {
        let (start, stays) = self.find_start();
        if start.is_put_aside {
            self.keep(&stays);
        }
        start
    }

    /// Finds what [`Tree::put_start_aside`] takes out, and says of each context whether it
    /// stays; all do if the program is nearly all start-up. The tree stays as it is.
    pub fn find_start(&self) -> (StartUp, Vec<bool>) {
        let inclusive = self.inclusive();
        let reasons = reasons(self, &inclusive);
        let mut start = StartUp {
            cost: 0,
            all: self.total(),
            contexts: 0,
            by_reason: Reason::ALL.map(|reason| (reason, 0)),
            largest: Vec::new(),
            is_put_aside: false,
        };
        let mut largest: FxHashMap<u32, u64> = FxHashMap::default();
        let mut stays = vec![true; self.len()];
        for node in 0..self.len() {
            let parent = self.parent[node];
            if parent != NO_PARENT && !stays[parent as usize] {
                stays[node] = false;
            } else if let Some(reason) = reasons[node] {
                stays[node] = false;
                start.cost += inclusive[node];
                start.by_reason[reason as usize].1 += inclusive[node];
                if reason != Reason::Jvm {
                    *largest.entry(self.method[node]).or_default() += inclusive[node];
                }
            }
        }
        start.contexts = stays.iter().filter(|stays| !**stays).count() as u64;
        start.largest = largest.into_iter().collect();
        start.largest.retain(|&(_, cost)| cost as f64 >= LARGE * start.all as f64 && cost > 0);
        start.largest.sort_by_key(|&(method, cost)| (Reverse(cost), method));
        start.largest.truncate(NAMED);
        let left = start.all - start.cost;
        start.is_put_aside = start.cost > 0 && left as f64 >= LEAST_LEFT * start.all as f64;
        if !start.is_put_aside {
            stays.fill(true);
        }
        (start, stays)
    }
}

/// Why each context happens once, if it does. What lies below one that does need not say so.
fn reasons(tree: &Tree, inclusive: &[u64]) -> Vec<Option<Reason>> {
    let jvm = Pattern::new(JVM_START);
    let by_name = |method: &Method| {
        let above = superclasses(&method.class, &tree.superclasses);
        if jvm.matches(&method.qualified()) {
            Some(Reason::Jvm)
        } else if loads_classes(&method.class, &method.name, above) {
            Some(Reason::ClassLoading)
        } else {
            (method.name == "<clinit>").then_some(Reason::Initialiser)
        }
    };
    let by_method: Vec<Option<Reason>> = tree.methods.iter().map(by_name).collect();
    let mut reasons: Vec<Option<Reason>> =
        tree.method.iter().map(|&method| by_method[method as usize]).collect();
    let small = SMALL * tree.total() as f64;
    for node in first_calls(tree) {
        if inclusive[node as usize] as f64 >= small {
            continue;
        }
        reasons[node as usize].get_or_insert(Reason::FirstCall);
    }
    reasons
}

/// The contexts that are called once by a caller that is called again and again.
fn first_calls(tree: &Tree) -> Vec<u32> {
    let (Some(calls), threads) = (tree.calls(), &tree.threads) else { return Vec::new() };
    if threads.len() != tree.len() {
        return Vec::new();
    }
    let mut of_method = vec![0u64; tree.methods.len()];
    for (&method, &calls) in tree.method.iter().zip(calls) {
        of_method[method as usize] = of_method[method as usize].saturating_add(calls);
    }
    let is_once = |node: usize| {
        let parent = tree.parent[node];
        (1..=tree.runs).contains(&calls[node])
            && parent != NO_PARENT
            && calls[parent as usize] >= GOES_ON * u64::from(threads[parent as usize])
            && of_method[tree.method[node] as usize] < calls[parent as usize]
    };
    // By caller: calls of those that are called once, and of all that are not called each time.
    let mut once: FxHashMap<u32, u64> = FxHashMap::default();
    let mut found: Vec<u32> =
        (0..tree.len()).filter(|&node| is_once(node)).map(|n| n as u32).collect();
    for &node in &found {
        *once.entry(tree.parent[node as usize]).or_default() += calls[node as usize];
    }
    let mut some: FxHashMap<u32, u64> = once.keys().map(|&caller| (caller, 0)).collect();
    for (&parent, &of_node) in tree.parent.iter().zip(calls) {
        if parent != NO_PARENT
            && of_node < calls[parent as usize]
            && let Some(sum) = some.get_mut(&parent)
        {
            *sum += of_node;
        }
    }
    let hands_on = |caller: u32| {
        some[&caller] >= calls[caller as usize] && HANDS_ON * once[&caller] > some[&caller]
    };
    found.retain(|&node| !hands_on(tree.parent[node as usize]));
    without_recursion(tree, found)
}

/// Those of some contexts below which their caller is not called again. The JDK's methods may
/// be: a map computes a value by the help of another map.
fn without_recursion(tree: &Tree, mut found: Vec<u32>) -> Vec<u32> {
    let is_platform = tree.are_platform();
    let caller = |node: u32| tree.method[tree.parent[node as usize] as usize];
    let mut contexts: FxHashMap<u32, Vec<u32>> = found
        .iter()
        .map(|&node| caller(node))
        .filter(|&method| !is_platform[method as usize])
        .map(|method| (method, Vec::new()))
        .collect();
    for (node, method) in (0..).zip(&tree.method) {
        if let Some(nodes) = contexts.get_mut(method) {
            nodes.push(node);
        }
    }
    let ends = tree.subtree_ends();
    found.retain(|&node| {
        let Some(nodes) = contexts.get(&caller(node)) else { return true };
        let next = nodes.partition_point(|&other| other <= node);
        nodes.get(next).is_none_or(|&other| other >= ends[node as usize])
    });
    found
}

#[cfg(test)]
mod tests {
    use profile::Metric;

    use super::*;

    /// A tree of contexts: depth, method, calls, threads. Each costs ten, but main more.
    fn tree(contexts: &[(usize, &str, u64, u32)]) -> Tree {
        let mut names: Vec<&str> = contexts.iter().map(|context| context.1).collect();
        names.sort_unstable();
        names.dedup();
        let method = |name: &str| {
            let (class, name) = name.rsplit_once('.').unwrap_or(("demo.A", name));
            Method { class: class.into(), name: name.into(), descriptor: "()V".into() }
        };
        let mut path: Vec<u32> = Vec::new();
        let methods = names.iter().map(|name| method(name)).collect();
        let mut tree = Tree { methods, runs: 1, ..Tree::default() };
        let mut calls = Vec::new();
        for (number, &(depth, name, made, threads)) in (0u32..).zip(contexts) {
            path.truncate(depth);
            tree.parent.push(path.last().copied().unwrap_or(NO_PARENT));
            path.push(number);
            tree.method.push(names.binary_search(&name).expect("it is one of them") as u32);
            tree.threads.push(threads);
            calls.push(made);
        }
        let cost = |name: &str| if name == "main" { 10_000 } else { 10 };
        let costs: Vec<u64> = contexts.iter().map(|context| cost(context.1)).collect();
        let costs = Metric { name: "bytecodes".into(), values: costs };
        tree.metrics = vec![costs, Metric { name: "calls".into(), values: calls }];
        tree.choose_metrics(&["bytecodes".to_owned(), "calls".to_owned()]);
        tree
    }

    /// The names that stay, and what of the rest was found why.
    fn left(contexts: &[(usize, &str, u64, u32)]) -> (String, [u64; 4]) {
        let mut tree = tree(contexts);
        let start = tree.put_start_aside();
        assert_eq!(tree.total() + if start.is_put_aside { start.cost } else { 0 }, start.all);
        let names: Vec<&str> =
            tree.method.iter().map(|&method| &*tree.methods[method as usize].name).collect();
        (names.join(" "), start.by_reason.map(|(_, cost)| cost))
    }

    #[test]
    fn loading_and_initialisers_go_with_all_below() {
        let found = left(&[
            (0, "main", 1, 1),
            (1, "java.lang.ClassLoader.loadClass", 9, 1),
            (2, "read", 9, 1),
            (1, "demo.Other.<clinit>", 1, 1),
            (2, "fill", 1, 1),
            (3, "java.lang.Class.forName", 1, 1),
            (1, "run", 1, 1),
            (0, "java.lang.ref.Finalizer.run", 1, 1),
        ]);
        assert_eq!(found, ("main run".into(), [10, 20, 30, 0]));
    }

    #[test]
    fn a_first_call_is_one_of_many() {
        let found = left(&[
            (0, "main", 1, 1),
            (1, "setUp", 1, 1),
            (1, "day", 8, 1),
            (2, "list", 8, 1),
            (2, "open", 1, 1),
            (3, "read", 100, 1),
            (2, "sometimes", 2, 1),
        ]);
        assert_eq!(found, ("main setUp day list sometimes".into(), [0, 0, 0, 20]));
    }

    #[test]
    fn what_other_callers_call_often_is_no_first_call() {
        let (names, _) = left(&[
            (0, "main", 1, 1),
            (1, "day", 8, 1),
            (2, "scan", 1, 1),
            (1, "night", 1, 1),
            (2, "scan", 7, 1),
        ]);
        assert_eq!(names, "main day scan night scan");
    }

    #[test]
    fn tests_and_tasks_are_handed_on() {
        let runner = |tests: &[(usize, &'static str, u64, u32)]| {
            let start = [(0, "main", 1, 1), (1, "invoke", 4, 1), (2, "count", 4, 1)];
            left(&[&start[..], tests].concat()).0
        };
        let each = runner(&[(2, "a", 1, 1), (2, "b", 1, 1), (2, "c", 2, 1)]);
        assert_eq!(each, "main invoke count a b c");
        let first = runner(&[(2, "a", 1, 1), (2, "b", 1, 1)]);
        assert_eq!(first, "main invoke count", "two calls of four do something else");
    }

    #[test]
    fn threads_count_for_themselves() {
        let (names, _) = left(&[
            (0, "main", 1, 1),
            (0, "run", 8, 8),
            (1, "work", 1, 1),
            (1, "serve", 400, 4),
            (2, "open", 1, 1),
            (2, "begin", 4, 4),
            (2, "answer", 400, 4),
        ]);
        assert_eq!(names, "main run work serve begin answer");
    }

    #[test]
    fn recursion_is_no_first_call() {
        let (names, _) = left(&[
            (0, "main", 1, 1),
            (1, "visit", 5, 1),
            (2, "visitIf", 1, 1),
            (3, "visit", 9, 1),
            (2, "open", 1, 1),
        ]);
        assert_eq!(names, "main visit visitIf visit");
        let (names, _) = left(&[
            (0, "main", 1, 1),
            (1, "java.util.Map.get", 5, 1),
            (2, "make", 1, 1),
            (3, "java.util.Map.get", 2, 1),
        ]);
        assert_eq!(names, "main get");
    }

    /// Batches, commands and requests of a costly kind that come once are no start-up.
    #[test]
    fn what_costs_much_is_no_first_call() {
        let mut tree =
            tree(&[(0, "main", 1, 1), (1, "step", 9, 1), (2, "rebuild", 1, 1), (2, "open", 1, 1)]);
        tree.metrics[0].values[2] = 200;
        tree.choose_metrics(&tree.metric_names());
        let start = tree.put_start_aside();
        assert_eq!((start.cost, tree.len()), (10, 3));
    }

    #[test]
    fn only_class_loaders_load_classes() {
        let mut tree = tree(&[
            (0, "main", 1, 1),
            (1, "demo.Plugins.findClass", 1, 1),
            (1, "demo.Loader.findClass", 1, 1),
            (1, "java.lang.ClassLoader.getResource", 1, 1),
        ]);
        let superclass = |class: &str, of: &str| (class.to_owned(), of.to_owned());
        tree.superclasses = [
            superclass("demo.Loader", "java.net.URLClassLoader"),
            superclass("java.net.URLClassLoader", "java.lang.ClassLoader"),
            superclass("demo.Plugins", "demo.Circle"),
            superclass("demo.Circle", "demo.Plugins"),
        ]
        .into_iter()
        .collect();
        assert_eq!(tree.put_start_aside().cost, 10);
    }

    #[test]
    fn what_is_all_start_up_stays() {
        let contexts = [(0, "demo.Main.<clinit>", 1, 1), (1, "run", 1, 1), (2, "day", 9, 1)];
        let mut tree = tree(&contexts);
        let start = tree.put_start_aside();
        assert!(!start.is_put_aside);
        assert_eq!((tree.len(), start.cost, start.all), (3, 30, 30));
        assert_eq!(start.largest.len(), 1);
        let mut empty = Tree::default();
        assert!(!empty.put_start_aside().is_put_aside);
    }
}
