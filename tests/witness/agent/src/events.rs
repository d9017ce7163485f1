//! Where the JVM calls the agent.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_void};
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use jvmti_bindings::sys::jni::{
    JNI_ERR, JNI_OK, JNIEnv, JavaVM, jboolean, jclass, jint, jmethodID, jobject, jvalue,
};
use jvmti_bindings::sys::jvmti::{
    JVMTI_EVENT_BREAKPOINT, JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_EXCEPTION_CATCH,
    JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_EXIT, JVMTI_EVENT_NATIVE_METHOD_BIND,
    JVMTI_EVENT_SINGLE_STEP, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_VM_INIT,
    event_callbacks_size_for_feature, jlocation, jvmtiCapabilities, jvmtiEnv, jvmtiEventCallbacks,
};
use parking_lot::Mutex;

use crate::jvmti::{Jvmti, Outcome};
use crate::methods::Methods;
use crate::options::Options;
use crate::watch::{At, ThreadWatch};
use crate::{clock, dump, names};

/// The agent at work.
struct Witness {
    jvmti: Jvmti,
    /// Signature of the class with `main`, names of the programs' classes, and where the
    /// counts go; none if only the clock is of interest.
    watch: Option<(String, Vec<String>, PathBuf)>,
    methods: Methods,
    threads: Mutex<Vec<&'static Mutex<ThreadWatch>>>,
    /// `main`, once its class is loaded, as a number.
    main: OnceLock<usize>,
    is_watching: AtomicBool,
}

static WITNESS: OnceLock<Witness> = OnceLock::new();

/// Called by the JVM for `-agentpath`, before it is initialised.
#[unsafe(no_mangle)]
pub extern "system" fn Agent_OnLoad(
    vm: *mut JavaVM,
    options: *const c_char,
    _reserved: *mut c_void,
) -> jint {
    // SAFETY: the JVM passes a string that ends with a zero byte, or null.
    let options = (!options.is_null()).then(|| unsafe { CStr::from_ptr(options) });
    let options = match Options::parse(&options.unwrap_or_default().to_string_lossy()) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("witness: {message}");
            return JNI_ERR;
        }
    };
    // SAFETY: the JVM passed `vm`.
    let Some(jvmti) = (unsafe { Jvmti::of(vm) }) else { return JNI_ERR };
    match load(jvmti, options) {
        Ok(()) => JNI_OK,
        Err(error) => {
            eprintln!("witness: the JVM refuses: {error:?}");
            JNI_ERR
        }
    }
}

fn load(jvmti: Jvmti, options: Options) -> Outcome<()> {
    let feature = jvmti.property(c"java.vm.specification.version")?.parse().unwrap_or(0);
    let watch = match options {
        Options::ClockOnly => None,
        Options::Watch { main, programs, out } => Some((main, programs, out)),
    };
    let is_watching = watch.is_some();
    jvmti.add_capabilities(|wanted, potential| {
        wanted.set_can_generate_native_method_bind_events(true);
        wanted.set_can_generate_early_vmstart(true);
        if is_watching {
            watching_capabilities(wanted, potential);
        }
    })?;
    let mut callbacks = jvmtiEventCallbacks::default();
    callbacks.VMInit = Some(vm_init);
    callbacks.VMDeath = Some(vm_death);
    callbacks.ClassPrepare = Some(class_prepare);
    callbacks.NativeMethodBind = Some(native_method_bind);
    callbacks.MethodEntry = Some(method_entry);
    callbacks.MethodExit = Some(method_exit);
    callbacks.SingleStep = Some(single_step);
    callbacks.Breakpoint = Some(breakpoint);
    callbacks.ExceptionCatch = Some(exception_catch);
    jvmti.set_callbacks(&callbacks, event_callbacks_size_for_feature(feature))?;
    WITNESS.get_or_init(|| Witness {
        jvmti,
        watch,
        methods: Methods::default(),
        threads: Mutex::default(),
        main: OnceLock::new(),
        is_watching: AtomicBool::new(false),
    });
    for event in [JVMTI_EVENT_NATIVE_METHOD_BIND, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH] {
        jvmti.enable(event, std::ptr::null_mut())?;
    }
    Ok(())
}

fn watching_capabilities(wanted: &mut jvmtiCapabilities, potential: &jvmtiCapabilities) {
    wanted.set_can_generate_single_step_events(true);
    wanted.set_can_generate_method_entry_events(true);
    wanted.set_can_generate_method_exit_events(true);
    wanted.set_can_generate_exception_events(true);
    // With it, HotSpot also refrains from fusing frequent pairs of bytecodes.
    wanted.set_can_generate_breakpoint_events(true);
    wanted.set_can_get_bytecodes(true);
    wanted.set_can_get_constant_pool(true);
    wanted.set_can_get_line_numbers(true);
    // Absent before JDK 21.
    wanted.set_can_support_virtual_threads(potential.can_support_virtual_threads());
}

extern "system" fn vm_init(_: *mut jvmtiEnv, env: *mut JNIEnv, thread: jobject) {
    clock::run();
    names::know_class_name(env, thread);
    names::know_large_tables(env);
    let Some(witness) = WITNESS.get() else { return };
    if witness.watch.is_some() {
        report(witness.jvmti.enable(JVMTI_EVENT_CLASS_PREPARE, std::ptr::null_mut()));
    }
}

extern "system" fn native_method_bind(
    _: *mut jvmtiEnv,
    _: *mut JNIEnv,
    _thread: jobject,
    method: jmethodID,
    address: *mut c_void,
    new_address: *mut *mut c_void,
) {
    let Some(witness) = WITNESS.get() else { return };
    let Ok((name, _)) = witness.jvmti.method_name(method) else { return };
    if name != "nanoTime" {
        return;
    }
    if witness.jvmti.declaring_class(method).is_ok_and(|class| class == "java.lang.System") {
        // SAFETY: the JVM passed a place for another address.
        unsafe { *new_address = clock::replace(address) };
    }
}

extern "system" fn class_prepare(_: *mut jvmtiEnv, _: *mut JNIEnv, thread: jobject, class: jclass) {
    let Some(witness) = WITNESS.get() else { return };
    let Some((wanted, ..)) = &witness.watch else { return };
    if witness.main.get().is_some() || witness.jvmti.class_signature(class).as_ref() != Ok(wanted) {
        return;
    }
    let is_main = |&method: &jmethodID| {
        witness.jvmti.method_name(method).is_ok_and(|(name, _)| name == "main")
    };
    let methods = witness.jvmti.class_methods(class).unwrap_or_default();
    if let Some(main) = methods.into_iter().find(is_main) {
        // Only the first class of that name counts.
        let _ = witness.main.set(main as usize);
        report(witness.jvmti.enable(JVMTI_EVENT_METHOD_ENTRY, thread));
    }
}

/// From the entry of `main` on everything is watched, on all threads.
fn begin(witness: &Witness) -> Outcome<()> {
    let all = std::ptr::null_mut();
    for event in [
        JVMTI_EVENT_METHOD_ENTRY,
        JVMTI_EVENT_METHOD_EXIT,
        JVMTI_EVENT_BREAKPOINT,
        JVMTI_EVENT_EXCEPTION_CATCH,
    ] {
        witness.jvmti.enable(event, all)?;
    }
    // As long as one thread steps, the JVM need not stop all threads whenever
    // another one pauses or goes on. This one never runs Java code.
    for thread in witness.jvmti.threads()? {
        if witness.jvmti.thread_name(thread)? == "Signal Dispatcher" {
            witness.jvmti.enable(JVMTI_EVENT_SINGLE_STEP, thread)?;
        }
    }
    witness.is_watching.store(true, Ordering::Release);
    Ok(())
}

extern "system" fn method_entry(
    _: *mut jvmtiEnv,
    _: *mut JNIEnv,
    thread: jobject,
    method: jmethodID,
) {
    let Some(witness) = WITNESS.get() else { return };
    if witness.main.get() == Some(&(method as usize))
        && !witness.is_watching.load(Ordering::Acquire)
        && witness.threads.lock().is_empty()
    {
        report(begin(witness));
    }
    on_thread(thread, method, |watch, at| watch.entered(at));
}

extern "system" fn method_exit(
    _: *mut jvmtiEnv,
    _: *mut JNIEnv,
    thread: jobject,
    method: jmethodID,
    by_exception: jboolean,
    _value: jvalue,
) {
    on_thread(thread, method, |watch, at| watch.left(at, by_exception != 0));
}

extern "system" fn single_step(
    _: *mut jvmtiEnv,
    _: *mut JNIEnv,
    thread: jobject,
    method: jmethodID,
    location: jlocation,
) {
    on_thread(thread, method, |watch, at| watch.stepped(at, location as u32));
}

extern "system" fn breakpoint(
    _: *mut jvmtiEnv,
    _: *mut JNIEnv,
    thread: jobject,
    method: jmethodID,
    location: jlocation,
) {
    on_thread(thread, method, |watch, at| watch.reached_breakpoint(at, location as u32));
}

extern "system" fn exception_catch(
    _: *mut jvmtiEnv,
    _: *mut JNIEnv,
    thread: jobject,
    method: jmethodID,
    location: jlocation,
    _exception: jobject,
) {
    on_thread(thread, method, |watch, at| watch.caught(at, location as u32));
}

/// Hands an event to the thread that it happened on.
fn on_thread(thread: jobject, method: jmethodID, event: impl FnOnce(&mut ThreadWatch, At<'_>)) {
    let Some(witness) = WITNESS.get() else { return };
    if !witness.is_watching.load(Ordering::Acquire) {
        return;
    }
    let Some(watch) = watch_of(witness, thread) else { return };
    let at = At { jvmti: witness.jvmti, methods: &witness.methods, thread, method };
    event(&mut watch.lock(), at);
}

fn watch_of(witness: &Witness, thread: jobject) -> Option<&'static Mutex<ThreadWatch>> {
    let kept = witness.jvmti.kept().cast::<Mutex<ThreadWatch>>();
    // SAFETY: what is kept for a thread is null or was leaked below.
    if let Some(watch) = unsafe { kept.as_ref() } {
        return Some(watch);
    }
    let name = witness.jvmti.thread_name(thread).unwrap_or_default();
    let watch: &'static _ = Box::leak(Box::new(Mutex::new(ThreadWatch::new(name))));
    witness.jvmti.keep(std::ptr::from_ref(watch).cast()).ok()?;
    witness.threads.lock().push(watch);
    Some(watch)
}

extern "system" fn vm_death(_: *mut jvmtiEnv, _: *mut JNIEnv) {
    let Some(witness) = WITNESS.get() else { return };
    witness.is_watching.store(false, Ordering::Release);
    let Some((_, programs, out)) = &witness.watch else { return };
    let mut text = String::new();
    for watch in witness.threads.lock().iter() {
        dump::thread(&watch.lock(), programs, &mut text);
    }
    dump::end(&mut text);
    if let Err(error) = fs::write(out, text) {
        eprintln!("witness: cannot write {}: {error}", out.display());
    }
}

/// Without an event the counts would be wrong, so the test had better fail.
fn report(outcome: Outcome<()>) {
    if let Err(error) = outcome {
        eprintln!("witness: the JVM refuses an event: {error:?}");
    }
}
