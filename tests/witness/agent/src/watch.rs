//! Follows one thread: its frames, and every instruction that it executes.
//!
//! HotSpot hides single steps while it looks up a class that an instruction or
//! a handler names, because a user of a debugger does not want to see class
//! loaders. Whatever it calls meanwhile would go uncounted. It hides them only
//! from threads that are stepping when the lookup begins. So stepping pauses
//! for such an instruction, and goes on where a method is entered (only to pause
//! again when it is left, as one instruction may look up several classes), where
//! an exception is caught, or at a breakpoint on the next instruction.
//!
//! When stepping goes on at an instruction, the JVM gives no step for that very
//! instruction, and none either where a method that calls itself with its first
//! instruction is entered again, or returns to itself where it has just
//! returned. Such an instruction is counted with the event before it, and a step
//! for it is passed over if it comes.

use std::collections::BTreeMap;

use jvmti_bindings::sys::jni::{jmethodID, jobject};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::contexts::{Contexts, NodeId};
use crate::jvmti::Jvmti;
use crate::methods::{Method, Methods};

/// A frame of the thread.
#[derive(Debug)]
struct Frame {
    method: &'static Method,
    node: NodeId,
    /// The instruction executed last; none in a native method, or in one that was
    /// entered before the thread was watched.
    at: Option<u32>,
    /// True if the instruction may be looking up what it names.
    is_resolving: bool,
    /// Which silent method the instruction calls, until something is seen of it.
    silent_call: Option<usize>,
}

/// What was seen of one thread.
#[derive(Debug, Default)]
pub struct ThreadWatch {
    /// Its name.
    pub name: String,
    /// Its calling contexts.
    pub contexts: Contexts,
    /// How often its stack had to be read again, because an event did not fit.
    pub resyncs: u64,
    /// Methods that returned without having been seen at a return instruction.
    pub missed: BTreeMap<usize, (&'static Method, u64)>,
    /// How often each instruction was executed, by method and bytecode index.
    pub steps: FxHashMap<(usize, u32), (&'static Method, u64)>,
    frames: Vec<Frame>,
    is_stepping: bool,
    /// The current instruction was counted already.
    is_counted: bool,
    /// Instructions that have looked up what they name. Another thread may execute
    /// one while it does.
    resolved: FxHashSet<(usize, u32)>,
    /// Where stepping may have to go on.
    breakpoints: Vec<(usize, u32)>,
}

/// Where an event happened.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    /// The agent's JVM TI environment.
    pub jvmti: Jvmti,
    /// All methods.
    pub methods: &'a Methods,
    /// The thread.
    pub thread: jobject,
    /// The method.
    pub method: jmethodID,
}

impl ThreadWatch {
    /// A thread that has not been seen yet.
    pub fn new(name: String) -> Self {
        Self { name, ..Self::default() }
    }

    /// A method was entered.
    pub fn entered(&mut self, at: At<'_>) {
        let Ok(method) = at.methods.get(at.jvmti, at.method) else { return };
        if self.frames.is_empty() {
            self.read_stack(at, 1);
        }
        if let Some(caller) = self.frames.last_mut()
            && method.may_be_silent()
        {
            caller.silent_call = None;
        }
        let caller = self.frames.last().map(|frame| frame.node);
        let node = self.contexts.callee(caller, method);
        self.contexts.node_mut(node).calls += 1;
        self.frames.push(Frame { method, node, at: None, is_resolving: false, silent_call: None });
        if !method.is_native {
            self.arrive(at, 0);
        }
    }

    /// The innermost frame goes on: its call, if no event came for it, is over.
    fn count_silent_call(&mut self, at: At<'_>) {
        if let Some(frame) = self.frames.last_mut()
            && let Some(number) = frame.silent_call.take()
        {
            let method = at.methods.silent[number];
            let node = self.contexts.callee(Some(frame.node), method);
            self.contexts.node_mut(node).calls += 1;
        }
    }

    /// An instruction is about to be executed.
    pub fn stepped(&mut self, at: At<'_>, bci: u32) {
        self.find_frame(at);
        let is_counted = std::mem::take(&mut self.is_counted);
        if is_counted && self.frames.last().is_some_and(|frame| frame.at == Some(bci)) {
            return;
        }
        self.count(at, bci);
        self.resolve(at, bci);
    }

    /// A breakpoint is reached, where stepping may have paused.
    pub fn reached_breakpoint(&mut self, at: At<'_>, bci: u32) {
        let place = (at.method as usize, bci);
        // Those of other threads are none of ours.
        let Some(index) = self.breakpoints.iter().position(|&b| b == place) else { return };
        self.find_frame(at);
        // Outer frames of the same method may wait for it, too.
        let callers = self.frames.split_last().map_or(&[][..], |(_, callers)| callers);
        let is_awaited = |frame: &Frame| {
            frame.is_resolving
                && frame.method.id == place.0
                && frame.at.and_then(|call| frame.method.after(call)) == Some(bci)
        };
        if !callers.iter().any(is_awaited) {
            self.breakpoints.swap_remove(index);
            at.methods.clear_breakpoint(at.jvmti, at.method, bci);
        }
        // If stepping went on before, there was a step for this instruction, and
        // stepping may have paused again for it.
        if !self.is_stepping && self.frames.last().is_some_and(|frame| frame.at != Some(bci)) {
            self.arrive(at, bci);
        }
    }

    /// An exception goes on in a handler.
    pub fn caught(&mut self, at: At<'_>, bci: u32) {
        self.find_frame(at);
        if let Some(frame) = self.frames.last()
            && let Some(thrower) = frame.at
        {
            // It may have to look up again.
            self.resolved.remove(&(frame.method.id, thrower));
        }
        if !self.is_stepping {
            self.arrive(at, bci);
        }
    }

    /// A method is being left.
    pub fn left(&mut self, at: At<'_>, by_exception: bool) {
        self.find_frame(at);
        self.is_counted = false;
        let left = self.frames.pop();
        // The JVM may look for a handler now, or for the next class.
        if by_exception || self.frames.last().is_some_and(|caller| caller.is_resolving) {
            self.pause(at);
        } else {
            self.step_on(at);
        }
        let Some(Frame { method, at: Some(bci), .. }) = left else { return };
        if by_exception {
            self.resolved.remove(&(method.id, bci));
            return;
        }
        if !method.returns_at(bci) {
            self.missed.entry(method.id).or_insert((method, 0)).1 += 1;
        }
        let returns_to_itself = self.frames.last().is_some_and(|caller| {
            caller.method.id == method.id
                && !caller.is_resolving
                && caller.at.and_then(|call| method.after_call(call)) == Some(bci)
        });
        if returns_to_itself {
            self.count(at, bci);
            self.is_counted = true;
        }
    }

    /// Counts an instruction for which no step will come, or perhaps one.
    fn arrive(&mut self, at: At<'_>, bci: u32) {
        self.count(at, bci);
        self.is_counted = true;
        self.step_on(at);
        self.resolve(at, bci);
    }

    fn count(&mut self, at: At<'_>, bci: u32) {
        self.count_silent_call(at);
        if let Some(frame) = self.frames.last_mut() {
            frame.at = Some(bci);
            frame.is_resolving = false;
            frame.silent_call = frame.method.silent_call(bci);
            self.contexts.node_mut(frame.node).bytecodes += 1;
            self.steps.entry((frame.method.id, bci)).or_insert((frame.method, 0)).1 += 1;
        }
    }

    /// Pauses for an instruction that has to resolve what it names.
    fn resolve(&mut self, at: At<'_>, bci: u32) {
        let Some(frame) = self.frames.last_mut() else { return };
        let place = (frame.method.id, bci);
        if !frame.method.resolves(bci) || !self.resolved.insert(place) {
            return;
        }
        frame.is_resolving = true;
        if let Some(next) = frame.method.after(bci)
            && !self.breakpoints.contains(&(at.method as usize, next))
            && at.methods.set_breakpoint(at.jvmti, at.method, next)
        {
            self.breakpoints.push((at.method as usize, next));
        }
        self.pause(at);
    }

    fn pause(&mut self, at: At<'_>) {
        if self.is_stepping && at.jvmti.step(at.thread, false) {
            self.is_stepping = false;
        }
    }

    fn step_on(&mut self, at: At<'_>) {
        if !self.is_stepping && at.jvmti.step(at.thread, true) {
            self.is_stepping = true;
        }
    }

    /// Makes the innermost frame that of the event's method.
    fn find_frame(&mut self, at: At<'_>) {
        if self.frames.last().is_none_or(|frame| frame.method.id != at.method as usize) {
            self.read_stack(at, 0);
        }
    }

    /// Takes over the thread's stack, without its `innermost` first frames.
    fn read_stack(&mut self, at: At<'_>, innermost: u32) {
        if !self.frames.is_empty() {
            self.resyncs += 1;
        }
        let Ok(stack) = at.jvmti.stack(innermost) else { return };
        self.frames.clear();
        let mut caller = None;
        for &id in stack.iter().rev() {
            let Ok(method) = at.methods.get(at.jvmti, id) else { return };
            let node = self.contexts.callee(caller, method);
            self.frames.push(Frame {
                method,
                node,
                at: None,
                is_resolving: false,
                silent_call: None,
            });
            caller = Some(node);
        }
    }
}
