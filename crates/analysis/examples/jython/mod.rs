//! A program like jython, as far as the shape of its calling context tree goes.
//!
//! Its methods form components: an entry that is called from many places, and
//! private methods that only the component itself calls, at most four calls
//! below the entry. So the entries have distant dominators and subsume, the
//! private methods do not. A context of an entry makes calls to other entries
//! and shares its budget of contexts out among them at random.

use profile::{
    CallSite, ClassId, ClassInfo, Completeness, MethodInfo, Metric, NO_PARENT, Nodes, Origin,
    Profile, RunInfo, ThreadTree,
};

use support::random::Random;

/// Contexts of jython in Maplesden et al. 2015, call sites merged.
pub const CONTEXTS: u64 = 18_982_648;

const METHODS: usize = 5_794;
const COMPONENTS: usize = 441;
/// Private methods stay this near to their entry, so that they do not subsume.
const GREATEST_DISTANCE: u32 = 4;
const CALLEES_PER_METHOD: usize = 8;
const CALL_SITES: u64 = 6;
/// Frames of the main thread that all its work stands on.
const LAUNCHERS: usize = 8;
/// Contexts below this depth call no other entry.
const DEEPEST_CALL: u32 = 115;

/// Builds the profile. The same arguments give the same profile.
pub fn profile(contexts: u64, seed: u64) -> Profile {
    let mut random = Random(seed);
    let program = Program::new(&mut random);
    let mut recorder =
        Recorder { program: &program, random, nodes: Columns::default(), left: contexts };
    let mut threads = Vec::new();
    // A small thread beside the main one, so that there is a virtual root.
    for (name, budget, launchers) in [("Finalizer", 40, 0), ("main", contexts, LAUNCHERS)] {
        let start = recorder.nodes.method.len() as u32;
        recorder.record_thread(budget, launchers);
        let nodes = start..recorder.nodes.method.len() as u32;
        threads.push(ThreadTree { name: name.into(), threads: 1, nodes });
    }
    let columns = recorder.nodes;
    // One method in fifty has code of its own with each seed.
    let hash = |method: u64| 1 + method + if method % 50 == seed % 50 { seed << 32 } else { 0 };
    let code_hashes = (0..program.methods.len() as u64).map(hash).collect();
    Profile {
        run: RunInfo {
            origin: Origin::Recorded,
            completeness: Completeness::Complete,
            jvm: "none, a synthetic profile".into(),
            writer: "synthetic".into(),
            ..RunInfo::default()
        },
        classes: (0..COMPONENTS)
            .map(|component| ClassInfo {
                name: format!("org.python.synthetic.Component{component}"),
                source_file: format!("Component{component}.java"),
                superclass: "java.lang.Object".into(),
                ..ClassInfo::default()
            })
            .collect(),
        methods: program.methods,
        threads,
        nodes: Nodes {
            method: columns.method,
            parent: columns.parent,
            site: columns.site,
            metrics: vec![
                Metric { name: "calls".into(), values: columns.calls },
                Metric { name: "bytecodes".into(), values: columns.bytecodes },
                Metric { name: "allocations".into(), values: columns.allocations },
                Metric { name: "moved".into(), values: columns.moved },
            ],
        },
        code_hashes,
        ..Profile::default()
    }
}

/// The static part: who may call whom.
struct Program {
    methods: Vec<MethodInfo>,
    components: Vec<Component>,
}

struct Component {
    /// The methods; the entry comes first, callers before callees.
    members: Vec<Member>,
}

struct Member {
    method: u32,
    /// Index in [`Component::members`] of its only caller within the component.
    caller: usize,
    /// Calls between the entry and it.
    distance: u32,
    /// Components whose entry it may call.
    callees: Vec<usize>,
}

impl Program {
    fn new(random: &mut Random) -> Self {
        let mut components: Vec<Component> =
            (0..COMPONENTS).map(|_| Component { members: Vec::new() }).collect();
        let mut methods = Vec::new();
        for method in 0..METHODS {
            // First all entries, then private methods wherever chance puts them.
            let component =
                if method < COMPONENTS { method } else { random.below(COMPONENTS as u64) as usize };
            let members = &mut components[component].members;
            let near = |members: &[Member], at: usize| members[at].distance < GREATEST_DISTANCE;
            // Mostly the newest member calls the next one: that gives chains.
            let mut caller = members.len().saturating_sub(1);
            while !members.is_empty() && (!near(members, caller) || random.below(100) < 88) {
                caller = random.below(members.len() as u64) as usize;
                if near(members, caller) {
                    break;
                }
            }
            let distance = members.get(caller).map_or(0, |caller| caller.distance + 1);
            let callees = (0..CALLEES_PER_METHOD).map(|_| random.below(COMPONENTS as u64) as usize);
            let callees = callees.collect();
            let number = members.len();
            members.push(Member { method: method as u32, caller, distance, callees });
            methods.push(MethodInfo {
                class: ClassId(component as u32),
                name: format!("method{number}"),
                descriptor: ["()V", "(I)I", "(Ljava/lang/Object;)Z"][number % 3].into(),
                access: 1,
                sites: (0..CALL_SITES as u16)
                    .map(|s| CallSite { bci: 5 * s, line: 10 + s })
                    .collect(),
            });
        }
        Self { methods, components }
    }
}

#[derive(Default)]
struct Columns {
    method: Vec<u32>,
    parent: Vec<u32>,
    site: Vec<u32>,
    calls: Vec<u64>,
    bytecodes: Vec<u64>,
    allocations: Vec<u64>,
    moved: Vec<u64>,
}

/// Lets the program run.
struct Recorder<'a> {
    program: &'a Program,
    random: Random,
    nodes: Columns,
    /// Contexts still to make, not counting copies for a second call site.
    left: u64,
}

/// A call of an entry, to be made by a member of a component.
struct Call {
    by: usize,
    component: usize,
    budget: u64,
}

impl Recorder<'_> {
    /// Records a thread in which so many entries call each other, one the next,
    /// before the work begins.
    fn record_thread(&mut self, budget: u64, launchers: usize) {
        let until = self.left.saturating_sub(budget);
        let mut parent = NO_PARENT;
        for component in 0..launchers {
            self.left = self.left.saturating_sub(1);
            parent = self.context(self.program.components[component].members[0].method, parent);
        }
        // Budgets that end too deep are not used up, so there may be several calls.
        for component in LAUNCHERS..COMPONENTS {
            if self.left <= until {
                break;
            }
            self.run_component(component, parent, launchers as u32, self.left - until);
        }
    }

    /// Runs an entry: chooses the members that execute, shares the rest of the
    /// budget out among calls to other entries, and writes the contexts.
    fn run_component(&mut self, component: usize, parent: u32, depth: u32, budget: u64) {
        let members = &self.program.components[component].members;
        let mut runs = vec![false; members.len()];
        runs[0] = true;
        let mut running = vec![0];
        for (at, member) in members.iter().enumerate().skip(1) {
            if runs[member.caller] && self.random.below(100) < 96 && (running.len() as u64) < budget
            {
                runs[at] = true;
                running.push(at);
            }
        }
        let rest = budget.saturating_sub(running.len() as u64);
        let calls = if depth < DEEPEST_CALL {
            self.share_out(component, &running, rest)
        } else {
            Vec::new()
        };
        self.run_member(component, 0, parent, depth, &runs, &calls);
    }

    fn share_out(&mut self, component: usize, running: &[usize], rest: u64) -> Vec<Call> {
        if rest == 0 {
            return Vec::new();
        }
        let members = &self.program.components[component].members;
        let mut calls: Vec<Call> = Vec::new();
        for _ in 0..2 + self.random.below(4) {
            let by = running[self.random.below(running.len() as u64) as usize];
            let callee = members[by].callees[self.random.below(CALLEES_PER_METHOD as u64) as usize];
            // One context per method and caller, so never the same twice.
            let known = calls.iter().any(|call| call.by == by && call.component == callee);
            if !known && callee != component {
                calls.push(Call { by, component: callee, budget: 1 + self.random.below(1_000) });
            }
        }
        let weights: u64 = calls.iter().map(|call| call.budget).sum();
        for call in &mut calls {
            call.budget = rest * call.budget / weights;
        }
        calls.retain(|call| call.budget > 0);
        calls
    }

    fn run_member(
        &mut self,
        component: usize,
        at: usize,
        parent: u32,
        depth: u32,
        runs: &[bool],
        calls: &[Call],
    ) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let members = &self.program.components[component].members;
        let node = self.context(members[at].method, parent);
        for call in calls.iter().filter(|call| call.by == at) {
            self.run_component(call.component, node, depth + 1, call.budget);
        }
        let callees = (at + 1..members.len()).filter(|&m| runs[m] && members[m].caller == at);
        for callee in callees {
            self.run_member(component, callee, node, depth + 1, runs, calls);
        }
        // Now and then a method without callees is called from a second place.
        let is_leaf = self.nodes.method.len() as u32 == node + 1;
        if is_leaf && parent != NO_PARENT && self.random.below(1_000) < 115 {
            let copy = self.context(members[at].method, parent);
            let site = &mut self.nodes.site;
            site[copy as usize] = (site[node as usize] + 1) % CALL_SITES as u32;
        }
    }

    fn context(&mut self, method: u32, parent: u32) -> u32 {
        let node = self.nodes.method.len() as u32;
        let site = if parent == NO_PARENT { 0 } else { self.random.below(CALL_SITES) as u32 };
        // Most contexts are called a few times, some a million times.
        let magnitude = self.random.below(20);
        let calls = 1 + self.random.below(1 << magnitude);
        self.nodes.method.push(method);
        self.nodes.parent.push(parent);
        self.nodes.site.push(site);
        self.nodes.calls.push(calls);
        self.nodes.bytecodes.push(calls * (3 + self.random.below(60)));
        self.nodes.allocations.push(if self.random.below(4) == 0 { calls } else { 0 });
        self.nodes.moved.push(if node.is_multiple_of(8) { 7 * calls } else { 0 });
        node
    }
}
