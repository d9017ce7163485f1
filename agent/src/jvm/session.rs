//! What the entry points share: one agent in one JVM.

use std::cell::Cell;
use std::sync::OnceLock;

use jvmti_bindings::sys::jni::{jclass, jobject};

use super::global_class::GlobalClass;
use super::jni::{Jni, Vm};
use super::jvmti::Jvmti;
use super::own_work::{in_any_case, is_own_thread};
use super::thread_class::ThreadClass;
use instrument::dataflow::tables::Graph;
use recorder::pretransformation::Pretransformation;
use recorder::recording::Recorder;

/// The agent at work.
#[derive(Debug)]
pub struct Session {
    /// What is being recorded.
    pub recorder: Recorder,
    /// The options as they were given; without the file, where the agent was attached.
    pub options: String,
    /// Classes that are rewritten before the JVM asks for it.
    pub pretransformation: Pretransformation,
    /// The JVM.
    pub vm: Vm,
    /// The agent's JVM TI environment.
    pub jvmti: Jvmti,
    /// `java.lang.Thread`; known once the JVM is initialised.
    pub threads: OnceLock<ThreadClass>,
    /// `java.lang.SubsumeRuntime`; known once the JVM is initialised.
    pub runtime: OnceLock<GlobalClass>,
}

static SESSION: OnceLock<Session> = OnceLock::new();

/// The session, once `Agent_OnLoad` has opened it.
pub fn session() -> Option<&'static Session> {
    SESSION.get()
}

/// What is kept of data flow, if that is recorded.
pub fn graph() -> Option<&'static Graph> {
    session().and_then(|session| session.recorder.graph.as_ref())
}

/// The session with what its mode of data flow keeps.
#[derive(Debug, Clone, Copy)]
pub struct Kept<T: 'static> {
    /// The session.
    pub session: &'static Session,
    /// Its graph.
    pub graph: &'static Graph,
    /// What the mode keeps beside it.
    pub tables: &'static T,
}

/// What is kept, if the mode keeps tables of this type.
pub fn tables<T: 'static>() -> Option<Kept<T>> {
    let session = session()?;
    let graph = session.recorder.graph.as_ref()?;
    Some(Kept { session, graph, tables: graph.tables()? })
}

/// What is kept, if the mode keeps tables of this type, and anything of this tree.
pub fn tables_of_tree<T: 'static>(tree: u32) -> Option<Kept<T>> {
    tables().filter(|kept: &Kept<T>| kept.graph.keeps(tree))
}

/// Opens the session; `Agent_OnLoad` does it once.
pub fn open(recorder: Recorder, options: &str, vm: Vm, jvmti: Jvmti) -> &'static Session {
    SESSION.get_or_init(|| Session {
        recorder,
        options: options.to_owned(),
        pretransformation: Pretransformation::default(),
        vm,
        jvmti,
        threads: OnceLock::new(),
        runtime: OnceLock::new(),
    })
}

impl Session {
    /// Runs `body`, which makes many local references, a few for each class; they are gone
    /// afterwards. It must not return one.
    ///
    /// The JVM keeps them until the callback or the task ends, and under `-Xcheck:jni` it
    /// prints a warning, into the program's output, where they are more than were announced.
    pub fn in_frame<R>(&self, body: impl FnOnce() -> R) -> R {
        match self.vm.current() {
            Some(jni) => jni.in_frame(usize::MAX, body),
            None => body(),
        }
    }

    /// What `body` says of the loader of a class; null is the boot loader. It must not return
    /// the reference, which is gone afterwards.
    pub fn with_loader<R>(&self, class: jclass, body: impl FnOnce(jobject) -> R) -> Option<R> {
        let loader = self.jvmti.class_loader(class).ok()?;
        let result = body(loader);
        if let Some(jni) = self.vm.current() {
            jni.forget_local(loader);
        }
        Some(result)
    }

    /// Gives a thread its tree, or names the one it took before it had a name.
    pub fn thread_started(&self, jni: Jni, thread: jobject) {
        let Some(class) = self.threads.get() else { return };
        if !self.recorder.keeps_slots() {
            return;
        }
        if is_own_thread() {
            class.set_tree(jni, thread, self.recorder.arena.overflow());
            return;
        }
        self.give_tree(jni, thread);
    }

    /// Gives a thread of the program its tree.
    pub fn give_tree(&self, jni: Jni, thread: jobject) {
        let Some(class) = self.threads.get() else { return };
        let Ok(name) = self.jvmti.thread_name(thread) else { return };
        match class.tree(jni, thread) {
            0 => {
                if let Some(tree) = self.recorder.trees.take(&name) {
                    class.set_tree(jni, thread, tree);
                    class.set_slot(jni, thread, self.recorder.trees.root_slot(tree));
                }
            }
            tree => self.recorder.trees.name(tree, &name),
        }
    }

    /// A tree for a thread that runs without one: a virtual thread, or one
    /// whose object is still being made. The JVM cannot tell its name yet.
    pub fn attach(&self, jni: Jni, thread: jobject) -> u32 {
        if is_own_thread() {
            return self.recorder.arena.overflow();
        }
        self.release_ended();
        let is_virtual = self.threads.get().is_some_and(|class| class.is_virtual(jni, thread));
        let name = if is_virtual { "virtual threads" } else { "unnamed thread" };
        self.recorder.trees.take(name).unwrap_or(self.recorder.arena.overflow())
    }

    /// Runs `body`; what it has the current thread execute is not recorded.
    pub fn unrecorded<R>(&self, jni: Jni, body: impl FnOnce() -> R) -> R {
        let (Some(class), Ok(thread)) = (self.threads.get(), self.jvmti.current_thread()) else {
            return body();
        };
        let (tree, slot) = (class.tree(jni, thread), class.slot(jni, thread));
        let tables = class.tables.iter();
        let before: Vec<_> = tables.map(|&field| jni.get_long(thread, field)).collect();
        class.set_tree(jni, thread, self.recorder.arena.overflow());
        class.set_slot(jni, thread, self.recorder.arena.base_address());
        for &table in &class.tables {
            jni.set_long(thread, table, 0);
        }
        let put_back = || {
            class.set_tree(jni, thread, tree);
            class.set_slot(jni, thread, slot);
            for (&field, value) in class.tables.iter().zip(before) {
                jni.set_long(thread, field, value);
            }
        };
        in_any_case(put_back, body)
    }

    /// The slots in which the platform threads stand.
    pub fn active_slots(&self, jni: Jni) -> Vec<u64> {
        self.in_frame(|| {
            let (Some(class), Ok(threads)) = (self.threads.get(), self.jvmti.threads()) else {
                return Vec::new();
            };
            threads.as_slice().iter().map(|&thread| class.slot(jni, thread)).collect()
        })
    }

    /// The thread's tree may go to another one.
    pub fn thread_ended(&self, jni: Jni, thread: jobject) {
        let Some(class) = self.threads.get() else { return };
        self.release_ended();
        let tree = class.tree(jni, thread);
        if tree == 0 || is_own_thread() {
            return;
        }
        if class.is_virtual(jni, thread) {
            // The JVM says so before the thread has run its last code.
            ENDED.set(tree);
            return;
        }
        class.set_slot(jni, thread, self.recorder.arena.base_address());
        class.set_tree(jni, thread, 0);
        for &table in &class.tables {
            jni.set_long(thread, table, 0);
        }
        self.recorder.thread_ended(tree);
    }

    /// The carrier goes on with something else than the virtual thread that
    /// ended on it last, so that is over.
    fn release_ended(&self) {
        let tree = ENDED.replace(0);
        if tree != 0 {
            self.recorder.thread_ended(tree);
        }
    }
}

thread_local! {
    /// The tree of the virtual thread that ended last on this carrier.
    static ENDED: Cell<u32> = const { Cell::new(0) };
}
