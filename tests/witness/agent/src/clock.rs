//! Holds the clock still while the JVM starts.
//!
//! `java.util.ImmutableCollections` takes the order of all immutable sets and
//! maps from `System.nanoTime()`. With it, the class library does other things
//! in every run. Until the JVM is initialised, `nanoTime` is therefore answered
//! by a constant, in runs of the witness and of the profiler alike.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jlong};

/// What `nanoTime` answers until then; any number would do.
const STILL: jlong = 0x5eed_0000_5eed;

static RUNS: AtomicBool = AtomicBool::new(false);
static REAL: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

type NanoTime = unsafe extern "system" fn(*mut JNIEnv, jclass) -> jlong;

/// Takes the place of the implementation of `nanoTime` that the JVM is about to
/// bind, and gives its own.
pub fn replace(real: *mut c_void) -> *mut c_void {
    REAL.store(real, Ordering::Release);
    nano_time as *mut c_void
}

/// Lets the clock run.
pub fn run() {
    RUNS.store(true, Ordering::Release);
}

extern "system" fn nano_time(env: *mut JNIEnv, class: jclass) -> jlong {
    let real = REAL.load(Ordering::Acquire);
    if real.is_null() || !RUNS.load(Ordering::Acquire) {
        return STILL;
    }
    // SAFETY: the JVM bound this function to `System.nanoTime`, which is static,
    // takes nothing and returns a long.
    let real: NanoTime = unsafe { std::mem::transmute(real) };
    // SAFETY: the arguments are those of the JVM.
    unsafe { real(env, class) }
}
