//! A calling context tree, by the agent or the witness.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use profile::{MethodId, NO_PARENT, Profile};

use crate::dump::Dump;
use crate::name::Method;
use crate::rules::{Skipped, is_of_agents};

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
    /// True if it is that of a native method.
    pub is_native: bool,
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
    /// True if the frame, and all that it calls, is left out.
    is_left_out: bool,
}

impl Default for Tree {
    fn default() -> Self {
        Self { contexts: vec![Context::default()] }
    }
}

impl Tree {
    /// What the witness saw of the threads whose names begin like this, as a
    /// profile shows it that was recorded with these methods left alone.
    pub fn of_dump(dump: &Dump, threads: &str, skipped: &Skipped) -> Self {
        let of_threads = dump.threads.iter().filter(|thread| thread.name.starts_with(threads));
        let nodes = of_threads
            .flat_map(|thread| &thread.nodes)
            .map(|node| (node.depth, node.method.clone(), node.is_native, node.counts));
        Self::build(nodes, skipped)
    }

    /// What a profile says of these threads.
    pub fn of_profile(profile: &Profile, threads: &str, skipped: &Skipped) -> Self {
        let nodes = &profile.nodes;
        let metric = |name| nodes.metric(name).map_or(&[][..], |metric| metric.values.as_slice());
        let (calls, bytecodes) = (metric("calls"), metric("bytecodes"));
        let mut depths = vec![0; nodes.len()];
        for node in 0..nodes.len() {
            let parent = nodes.parent[node];
            depths[node] = if parent == NO_PARENT { 0 } else { depths[parent as usize] + 1 };
        }
        let of_threads = profile.threads.iter().filter(|tree| tree.name.starts_with(threads));
        let nodes = of_threads.flat_map(|tree| tree.nodes.clone()).map(|node| {
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
            if caller.is_some_and(|frame| frame.is_left_out) || is_of_agents(&method) {
                stack.push(Frame { depth, context, is_mute: true, is_left_out: true });
                continue;
            }
            let is_unseen = skipped.contains(&method)
                || (caller.is_none_or(|frame| frame.is_mute)
                    && skipped.needs_counting_caller(&method, is_native));
            let context = if is_unseen {
                context
            } else {
                let callee = tree.callee(context, method);
                let counted = Context { counts, is_native, ..Context::default() };
                tree.add(callee, &counted);
                callee
            };
            stack.push(Frame {
                depth,
                context,
                is_mute: is_unseen || is_native,
                is_left_out: false,
            });
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

    /// The part that begins with the outermost calls of a method.
    pub fn below(&self, is_wanted: impl Fn(&Method) -> bool) -> Self {
        let mut part = Self::default();
        let mut pending = vec![(0, 0)];
        while let Some((from, to)) = pending.pop() {
            for (method, &callee) in &self.contexts[from].callees {
                let mut target = 0;
                if to != 0 || is_wanted(method) {
                    target = part.callee(to, method.clone());
                    part.add(target, &self.contexts[callee]);
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
                    part.add(target, &self.contexts[callee]);
                }
                pending.push((callee, target));
            }
        }
        part
    }

    /// The contexts that are at most so many calls away from the thread.
    pub fn down_to(&self, depth: usize) -> Self {
        let mut part = Self::default();
        let mut pending = vec![(0, 0, 0)];
        while let Some((from, to, at)) = pending.pop() {
            for (method, &callee) in &self.contexts[from].callees {
                if at < depth {
                    let target = part.callee(to, method.clone());
                    part.add(target, &self.contexts[callee]);
                    pending.push((callee, target, at + 1));
                }
            }
        }
        part
    }

    fn add(&mut self, context: ContextId, other: &Context) {
        self.contexts[context].counts += other.counts;
        self.contexts[context].is_native = other.is_native;
    }

    /// Gives what a native method called to the method that called the native
    /// one, wherever `recorded` knows the native method and nothing below it.
    ///
    /// Natives that are taken never to call back have a counter but no context;
    /// what they do call, the constructor of an exception most often, belongs to
    /// their callers (`docs/explanation/exactness.md`).
    pub fn with_mute_natives_of(mut self, recorded: &Tree) -> Self {
        let mut pending = vec![(0, 0)];
        while let Some((ours, other)) = pending.pop() {
            let callees: Vec<(Method, ContextId)> =
                self.contexts[ours].callees.iter().map(|(m, &c)| (m.clone(), c)).collect();
            for (method, callee) in callees {
                let Some(&other) = recorded.contexts[other].callees.get(&method) else { continue };
                if self.contexts[callee].is_native && recorded.contexts[other].callees.is_empty() {
                    let below = std::mem::take(&mut self.contexts[callee].callees);
                    for (method, context) in below {
                        self.move_below(ours, method, context);
                    }
                }
            }
            // What was moved is looked at, too.
            for (method, &callee) in &self.contexts[ours].callees {
                if let Some(&other) = recorded.contexts[other].callees.get(method) {
                    pending.push((callee, other));
                }
            }
        }
        self
    }

    fn move_below(&mut self, caller: ContextId, method: Method, context: ContextId) {
        let target = self.callee(caller, method);
        let moved = std::mem::take(&mut self.contexts[context]);
        self.add(target, &moved);
        for (method, below) in moved.callees {
            self.move_below(target, method, below);
        }
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
