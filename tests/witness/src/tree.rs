//! A calling context tree, whoever counted it.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use profile::{MethodId, NO_PARENT, Profile};

use crate::dump::WatchedThread;
use crate::name::Method;
use crate::rules::Skipped;

/// Index of a context in its tree.
pub type ContextId = usize;

/// What was counted in a context.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// How often it was entered.
    pub calls: u64,
    /// How many of its bytecodes were executed.
    pub bytecodes: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        self.bytecodes += other.bytecodes;
    }
}

/// One context.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// What was counted in it.
    pub counts: Counts,
    /// The contexts of what it called.
    pub callees: BTreeMap<Method, ContextId>,
}

/// The contexts of a thread. The first one stands for the thread itself and
/// has no counts.
#[derive(Debug, Clone)]
pub struct Tree {
    /// All of them, callers before what they call.
    pub contexts: Vec<Context>,
}

/// One frame on the way from the thread to a context, while a tree is built.
struct Frame {
    depth: usize,
    /// The context of the frame, or of the next one outwards that has one.
    context: ContextId,
    /// True if the frame has no context of its own, or no bytecodes.
    is_mute: bool,
}

impl Default for Tree {
    fn default() -> Self {
        Self { contexts: vec![Context::default()] }
    }
}

impl Tree {
    /// What the witness saw of a thread, as a profile shows it that was recorded
    /// with these methods left alone.
    pub fn of_dump(thread: &WatchedThread, skipped: &Skipped) -> Self {
        let nodes = thread
            .nodes
            .iter()
            .map(|node| (node.depth, node.method.clone(), node.is_native, node.counts));
        Self::build(nodes, skipped)
    }

    /// What a profile says of all threads of a name.
    pub fn of_profile(profile: &Profile, thread: &str, skipped: &Skipped) -> Self {
        let nodes = &profile.nodes;
        let metric = |name| nodes.metric(name).map_or(&[][..], |metric| metric.values.as_slice());
        let (calls, bytecodes) = (metric("calls"), metric("bytecodes"));
        let mut depths = vec![0; nodes.len()];
        for node in 0..nodes.len() {
            let parent = nodes.parent[node];
            depths[node] = if parent == NO_PARENT { 0 } else { depths[parent as usize] + 1 };
        }
        let of_thread = profile.threads.iter().filter(|tree| tree.name == thread);
        let nodes = of_thread.flat_map(|tree| tree.nodes.clone()).map(|node| {
            let node = node as usize;
            let info = &profile.methods[nodes.method[node] as usize];
            let class = &profile.classes[info.class.0 as usize].name;
            let method = Method::new(class, &info.name, &info.descriptor);
            let counts = Counts { calls: calls[node], bytecodes: bytecodes[node] };
            (depths[node], method, is_native(profile, MethodId(nodes.method[node])), counts)
        });
        Self::build(nodes, skipped)
    }

    /// Puts contexts, given in preorder with their depths, into a tree, and
    /// leaves out the frames that the profile does not show.
    fn build(
        nodes: impl Iterator<Item = (usize, Method, bool, Counts)>,
        skipped: &Skipped,
    ) -> Self {
        let mut tree = Self::default();
        let mut stack: Vec<Frame> = Vec::new();
        for (depth, method, is_native, counts) in nodes {
            while stack.last().is_some_and(|frame| frame.depth >= depth) {
                stack.pop();
            }
            let caller = stack.last();
            let context = caller.map_or(0, |frame| frame.context);
            let is_unseen = skipped.contains(&method)
                || (caller.is_none_or(|frame| frame.is_mute)
                    && skipped.needs_counting_caller(&method, is_native));
            let context = if is_unseen {
                context
            } else {
                let callee = tree.callee(context, method);
                tree.contexts[callee].counts += counts;
                callee
            };
            stack.push(Frame { depth, context, is_mute: is_unseen || is_native });
        }
        tree
    }

    fn callee(&mut self, caller: ContextId, method: Method) -> ContextId {
        if let Some(&callee) = self.contexts[caller].callees.get(&method) {
            return callee;
        }
        let callee = self.contexts.len();
        self.contexts.push(Context::default());
        self.contexts[caller].callees.insert(method, callee);
        callee
    }

    /// The part that begins with a method that was called by nobody that is in
    /// the tree, as a tree.
    pub fn below(&self, is_wanted: impl Fn(&Method) -> bool) -> Self {
        let mut part = Self::default();
        let mut pending = vec![(0, 0)];
        while let Some((from, to)) = pending.pop() {
            for (method, &callee) in &self.contexts[from].callees {
                let is_part = to != 0 || is_wanted(method);
                let target = if is_part { part.callee(to, method.clone()) } else { 0 };
                if is_part {
                    part.contexts[target].counts += self.contexts[callee].counts;
                }
                pending.push((callee, target));
            }
        }
        part
    }

    /// The tree of the wanted methods only: what the others call hangs below the
    /// next wanted one outwards.
    pub fn only(&self, is_wanted: impl Fn(&Method) -> bool) -> Self {
        let mut part = Self::default();
        let mut pending = vec![(0, 0)];
        while let Some((from, to)) = pending.pop() {
            for (method, &callee) in &self.contexts[from].callees {
                let mut target = to;
                if is_wanted(method) {
                    target = part.callee(to, method.clone());
                    part.contexts[target].counts += self.contexts[callee].counts;
                }
                pending.push((callee, target));
            }
        }
        part
    }

    /// All that was counted.
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        for context in &self.contexts {
            total += context.counts;
        }
        total
    }
}

fn is_native(profile: &Profile, method: MethodId) -> bool {
    const NATIVE: u16 = 0x0100;
    profile.methods[method.0 as usize].access & NATIVE != 0
}
