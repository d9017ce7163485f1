//! Where threads have their slots and trees.
//!
//! `Thread` gets fields for both when it is loaded. A JVM that was running when the agent
//! came has loaded it already; there the slot takes the place of the secondary seed, see
//! [`secondary_seeds`], and the agent keeps the tree by the thread's number.
//!
//! [`secondary_seeds`]: instrument::rewrite::secondary_seeds

use std::cell::Cell;
use std::ffi::CString;

use jvmti_bindings::sys::jni::jobject;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use super::global_class::GlobalClass;
use super::jni::{Field, Jni};
use instrument::dataflow::mode::Mode;
use instrument::probe::members;

/// What the agent needs of `java.lang.Thread`.
#[derive(Debug)]
pub struct ThreadClass {
    words: Words,
    /// Fields that lead to tables of the thread's tree, where data flow is
    /// recorded.
    pub tables: Vec<Field>,
    /// `java.lang.BaseVirtualThread`, where there are virtual threads.
    virtual_thread: Option<GlobalClass>,
}

/// Where slot and tree are.
#[derive(Debug)]
enum Words {
    /// In fields that the agent has added.
    Added {
        /// Address of the slot for the next callee.
        slot: Field,
        /// The thread's tree.
        tree: Field,
    },
    /// In a JVM that was running when the agent came.
    Taken {
        /// The secondary seed, with the index of the slot's word.
        seed: Field,
        /// The thread's number.
        number: Field,
        /// Trees by these numbers.
        trees: Mutex<FxHashMap<u64, u32>>,
        /// Address of word 0.
        base: u64,
    },
}

thread_local! {
    /// The tree of the current thread, while its object is being made and has no number.
    static TREE_BEFORE_NUMBER: Cell<u32> = const { Cell::new(0) };
}

impl ThreadClass {
    /// Looks the added fields up; from a method of a class of the boot loader.
    pub fn find(jni: Jni, mode: &Mode) -> Option<Self> {
        let thread = jni.find_class(c"java/lang/Thread")?;
        let tables = mode.dataflow.map_or(&[][..], |flow| flow.mode.thread_tables());
        let words = Words::Added {
            slot: jni.field(thread, c"$subsume$slot", c"J")?,
            tree: jni.field(thread, c"$subsume$tree", c"I")?,
        };
        let tables = tables
            .iter()
            .map(|name| {
                let name = CString::new(format!("{}{name}", members::PREFIX)).ok()?;
                jni.field(thread, &name, c"J")
            })
            .collect::<Option<_>>()?;
        Some(Self { words, tables, virtual_thread: virtual_thread(jni) })
    }

    /// Looks up what a JVM's threads have where the agent came late; `base` is the address
    /// of word 0.
    pub fn find_taken(jni: Jni, base: u64) -> Option<Self> {
        let thread = jni.find_class(c"java/lang/Thread")?;
        let words = Words::Taken {
            seed: jni.field(thread, c"threadLocalRandomSecondarySeed", c"I")?,
            number: jni.field(thread, c"tid", c"J")?,
            trees: Mutex::default(),
            base,
        };
        Some(Self { words, tables: Vec::new(), virtual_thread: virtual_thread(jni) })
    }

    /// True for a virtual thread.
    pub fn is_virtual(&self, jni: Jni, thread: jobject) -> bool {
        self.virtual_thread.as_ref().is_some_and(|class| jni.is_instance(thread, class.reference()))
    }

    /// Address of the thread's slot.
    pub fn slot(&self, jni: Jni, thread: jobject) -> u64 {
        match &self.words {
            Words::Added { slot, .. } => jni.get_long(thread, *slot),
            Words::Taken { seed, base, .. } => base + u64::from(jni.get_int(thread, *seed)) * 4,
        }
    }

    /// Sets it.
    pub fn set_slot(&self, jni: Jni, thread: jobject, address: u64) {
        match &self.words {
            Words::Added { slot, .. } => jni.set_long(thread, *slot, address),
            // Words have numbers of 32 bits.
            Words::Taken { seed, base, .. } => {
                jni.set_int(thread, *seed, ((address - base) / 4) as u32);
            }
        }
    }

    /// Word index of the thread's tree, 0 if it has none.
    pub fn tree(&self, jni: Jni, thread: jobject) -> u32 {
        match &self.words {
            Words::Added { tree, .. } => jni.get_int(thread, *tree),
            Words::Taken { number, trees, .. } => match jni.get_long(thread, *number) {
                0 => TREE_BEFORE_NUMBER.get(),
                number => *trees.lock().entry(number).or_insert_with(|| TREE_BEFORE_NUMBER.take()),
            },
        }
    }

    /// Sets it.
    pub fn set_tree(&self, jni: Jni, thread: jobject, index: u32) {
        match &self.words {
            Words::Added { tree, .. } => jni.set_int(thread, *tree, index),
            Words::Taken { number, trees, .. } => match (jni.get_long(thread, *number), index) {
                (0, _) => TREE_BEFORE_NUMBER.set(index),
                (number, 0) => drop(trees.lock().remove(&number)),
                (number, _) => drop(trees.lock().insert(number, index)),
            },
        }
    }
}

fn virtual_thread(jni: Jni) -> Option<GlobalClass> {
    let class = jni.find_class(c"java/lang/BaseVirtualThread")?;
    jni.global(class).map(GlobalClass::new)
}
