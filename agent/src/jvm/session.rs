//! What the entry points share: one agent in one JVM.

use std::cell::Cell;
use std::ffi::{CString, c_void};
use std::sync::OnceLock;

use jvmti_bindings::sys::jni::{jclass, jobject};

use super::jni::{Field, Jni, Vm};
use super::jvmti::Jvmti;
use super::own_work::is_own_thread;
use recorder::dataflow::graph::Graph;
use recorder::dataflow::mode::Mode;
use recorder::pretransformation::Pretransformation;
use recorder::probe::members;
use recorder::recording::Recorder;

/// The agent at work.
#[derive(Debug)]
pub struct Session {
    /// What is being recorded.
    pub recorder: Recorder,
    /// Classes that are rewritten before the JVM asks for it.
    pub pretransformation: Pretransformation,
    /// The JVM.
    pub vm: Vm,
    /// The agent's JVM TI environment.
    pub jvmti: Jvmti,
    /// Known once the JVM is initialised.
    pub threads: OnceLock<ThreadClass>,
    /// `java.lang.SubsumeRuntime`, likewise.
    pub runtime: OnceLock<GlobalClass>,
}

/// What the agent needs of `java.lang.Thread`.
#[derive(Debug)]
pub struct ThreadClass {
    /// The field that holds the slot for the next callee.
    pub slot: Field,
    /// The field that holds the thread's tree.
    pub tree: Field,
    /// Fields that lead to tables of the thread's tree, where data flow is
    /// recorded.
    pub tables: Vec<Field>,
    /// `java.lang.BaseVirtualThread`, where there are virtual threads.
    pub virtual_thread: Option<GlobalClass>,
}

/// A class reference that is never given back.
#[derive(Debug)]
pub struct GlobalClass(*mut c_void);

// SAFETY: global references may be used by any thread (JNI specification).
unsafe impl Send for GlobalClass {}
// SAFETY: as above.
unsafe impl Sync for GlobalClass {}

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

/// Likewise, if anything is kept of this tree.
pub fn tables_of_tree<T: 'static>(tree: u32) -> Option<Kept<T>> {
    tables().filter(|kept: &Kept<T>| kept.graph.keeps(tree))
}

/// Opens the session; `Agent_OnLoad` does it once.
pub fn open(recorder: Recorder, vm: Vm, jvmti: Jvmti) -> &'static Session {
    SESSION.get_or_init(|| Session {
        recorder,
        pretransformation: Pretransformation::default(),
        vm,
        jvmti,
        threads: OnceLock::new(),
        runtime: OnceLock::new(),
    })
}

impl ThreadClass {
    /// Looks the added fields up; from a method of a class of the boot loader.
    pub fn find(jni: Jni, mode: &Mode) -> Option<Self> {
        let thread = jni.find_class(c"java/lang/Thread")?;
        let tables = mode.dataflow.map_or(&[][..], |flow| flow.mode.thread_tables());
        Some(Self {
            slot: jni.field(thread, c"$subsume$slot", c"J")?,
            tree: jni.field(thread, c"$subsume$tree", c"I")?,
            tables: tables
                .iter()
                .map(|name| {
                    let name = CString::new(format!("{}{name}", members::PREFIX)).ok()?;
                    jni.field(thread, &name, c"J")
                })
                .collect::<Option<_>>()?,
            virtual_thread: jni
                .find_class(c"java/lang/BaseVirtualThread")
                .and_then(|class| jni.global(class))
                .map(GlobalClass::new),
        })
    }

    fn is_virtual(&self, jni: Jni, thread: jobject) -> bool {
        self.virtual_thread.as_ref().is_some_and(|class| jni.is_instance(thread, class.reference()))
    }
}

impl GlobalClass {
    /// Keeps a global reference.
    pub fn new(class: jclass) -> Self {
        Self(class)
    }

    /// The class, for a call to JNI.
    pub fn reference(&self) -> jclass {
        self.0
    }
}

impl Session {
    /// Gives a thread its tree, or names the one it took before it had a name.
    pub fn thread_started(&self, jni: Jni, thread: jobject) {
        let Some(class) = self.threads.get() else { return };
        if is_own_thread() {
            jni.set_int(thread, class.tree, self.recorder.arena.overflow());
            return;
        }
        let Ok(name) = self.jvmti.thread_name(thread) else { return };
        match jni.get_int(thread, class.tree) {
            0 => {
                if let Some(tree) = self.recorder.trees.take(&name) {
                    jni.set_int(thread, class.tree, tree);
                    jni.set_long(thread, class.slot, self.recorder.trees.root_slot(tree));
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
        let tree = jni.get_int(thread, class.tree);
        let longs = || std::iter::once(&class.slot).chain(&class.tables);
        let before: Vec<_> = longs().map(|&field| jni.get_long(thread, field)).collect();
        jni.set_int(thread, class.tree, self.recorder.arena.overflow());
        jni.set_long(thread, class.slot, self.recorder.arena.base_address());
        for &table in &class.tables {
            jni.set_long(thread, table, 0);
        }
        let result = body();
        jni.set_int(thread, class.tree, tree);
        for (&field, value) in longs().zip(before) {
            jni.set_long(thread, field, value);
        }
        result
    }

    /// The slots in which the platform threads stand.
    pub fn active_slots(&self, jni: Jni) -> Vec<u64> {
        let (Some(class), Ok(threads)) = (self.threads.get(), self.jvmti.threads()) else {
            return Vec::new();
        };
        threads.as_slice().iter().map(|&thread| jni.get_long(thread, class.slot)).collect()
    }

    /// The thread's tree may go to another one.
    pub fn thread_ended(&self, jni: Jni, thread: jobject) {
        let Some(class) = self.threads.get() else { return };
        self.release_ended();
        let tree = jni.get_int(thread, class.tree);
        if tree == 0 || is_own_thread() {
            return;
        }
        if class.is_virtual(jni, thread) {
            // The JVM says so before the thread has run its last code.
            ENDED.set(tree);
            return;
        }
        jni.set_long(thread, class.slot, self.recorder.arena.base_address());
        jni.set_int(thread, class.tree, 0);
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
