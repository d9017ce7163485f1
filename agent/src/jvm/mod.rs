//! Everything that touches the JVM: JVM TI, JNI, its flags.
//!
//! This is one of the agent's marked modules with `unsafe` (the other is
//! [`arena`]). Its invariants:
//!
//! - Raw environments come from the JVM as arguments of callbacks and are not
//!   kept beyond them; the JVM TI environment itself lives as long as the
//!   process and may be used from any thread.
//! - No panic crosses into the JVM: every entry point runs its body under
//!   [`guard`], and none is printed but in the agent's own form ([`defects`]).
//! - Memory that JVM TI allocates is freed by [`jvmti::Allocated`].

#![allow(unsafe_code)]

mod advance;
mod allocation_natives;
mod another_agent;
mod attachment;
#[cfg(test)]
mod bound_natives;
mod class_versions;
mod clock_cache_natives;
mod control;
pub(super) mod cost_natives;
mod dataflow_natives;
mod defects;
mod definitions;
mod ending;
mod entry;
mod events;
mod field_ids;
mod flags;
mod global_class;
mod identity_natives;
mod input_natives;
mod intrinsic_natives;
mod invalidation_natives;
mod jni;
mod jni_calls;
mod jni_stores;
mod jni_table;
mod jni_unsafe;
mod jvmti;
mod known_field_ids;
mod linking;
mod loaders;
mod loop_natives;
mod measure_natives;
mod method_ids;
mod method_parameters;
mod native_thread;
mod natives;
mod null_natives;
mod object_layout;
mod own_work;
mod recording;
mod redefinition;
mod result_natives;
mod retransformation;
mod runtime_class;
mod second_thread;
mod session;
mod size_natives;
mod slot_natives;
mod stack_frames;
mod stages;
mod static_natives;
mod structure_natives;
pub(super) mod tag_natives;
mod text_natives;
mod thread_class;
mod typestate_natives;
mod unlinked;
mod unshown;
mod vm_output;
mod vm_structs;
mod vm_tables;

use defects::guard;
