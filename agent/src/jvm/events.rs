//! The JVM TI events that the agent listens to.

use std::ffi::{CStr, c_char};

use base::tell;
use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jobject};
use jvmti_bindings::sys::jvmti::{
    JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_DATA_DUMP_REQUEST, JVMTI_EVENT_THREAD_END,
    JVMTI_EVENT_THREAD_START, JVMTI_EVENT_VIRTUAL_THREAD_END, JVMTI_EVENT_VM_DEATH,
    JVMTI_EVENT_VM_INIT, event_callbacks_size_for_feature, jvmtiEnv, jvmtiError,
    jvmtiEventCallbacks,
};
use profile::Definition;

use super::jni::Jni;
use super::jvmti::Jvmti;
use super::retransformation::skip_named;
use super::session::{Session, session};
use super::{
    advance, class_versions, control, definitions, ending, flags, guard, linking, loaders,
    method_parameters, native_thread, recording, redefinition, runtime_class, unlinked, unshown,
};
use instrument::modified_utf8;
use instrument::options::Start;
use instrument::rewrite::class_load::{LoadRequest, Transformed};
use recorder::recording::Ending;

/// Installs the callbacks and switches their events on.
///
/// # Errors
/// If the JVM refuses one of them.
pub fn enable(jvmti: Jvmti, feature: u16) -> Result<(), jvmtiError> {
    let mut callbacks = jvmtiEventCallbacks::default();
    callbacks.VMInit = Some(vm_init);
    callbacks.VMDeath = Some(vm_death);
    callbacks.ThreadStart = Some(thread_start);
    callbacks.ThreadEnd = Some(thread_end);
    callbacks.ClassFileLoadHook = Some(class_file_load_hook);
    callbacks.ClassPrepare = Some(class_prepare);
    callbacks.DataDumpRequest = Some(data_dump_request);
    callbacks.VirtualThreadEnd = Some(thread_end);
    jvmti.set_callbacks(&callbacks, event_callbacks_size_for_feature(feature))?;
    for event in [
        JVMTI_EVENT_VM_INIT,
        JVMTI_EVENT_VM_DEATH,
        JVMTI_EVENT_THREAD_START,
        JVMTI_EVENT_THREAD_END,
        JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
    ] {
        jvmti.enable(event)?;
    }
    // Refused where there are no virtual threads, which is fine.
    let _ = jvmti.enable(JVMTI_EVENT_VIRTUAL_THREAD_END);
    Ok(())
}

/// Begins to work in a JVM that is running: nothing is done before a command comes.
pub fn begin_late(session: &'static Session) {
    session.recorder.writer.note("jvm", &describe_jvm(session.jvmti));
    let recorder = &session.recorder;
    native_thread::spawn(|| recorder.arena.grow_ahead());
    if !flags::checks_jni() {
        recorder.arena.watch_for_lost_pages();
    }
    // Without it commands are carried out by a thread that attaches itself.
    let _ = session.jvmti.enable(JVMTI_EVENT_DATA_DUMP_REQUEST);
    control::open(session);
    control::keep_timetable(session);
}

extern "system" fn vm_init(_: *mut jvmtiEnv, env: *mut JNIEnv, _thread: jobject) {
    guard((), || {
        let Some(session) = session() else { return };
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        jni.reserve_references();
        initialise(session, jni);
        session.pretransformation.close();
        session.recorder.name_probes_in_advance(false);
    });
}

fn initialise(session: &'static Session, jni: Jni) {
    flags::restore_symbol_table_size();
    session.recorder.writer.note("jvm", &describe_jvm(session.jvmti));
    if let Err(reason) = runtime_class::install(session, jni) {
        tell!("nothing is recorded: {reason}");
        return;
    }
    let recorder = &session.recorder;
    recording::hide_added_fields(session, jni);
    unshown::load_in_time(session, jni);
    native_thread::spawn(|| recorder.arena.grow_ahead());
    if !flags::checks_jni() {
        recorder.arena.watch_for_lost_pages();
    }
    if let Ok(threads) = session.jvmti.threads() {
        for &thread in threads.as_slice() {
            session.thread_started(jni, thread);
        }
    }
    if recorder.options.start == Start::Startup
        && recorder.idle_reason().is_none()
        && !recording::start_with_jvm(session, jni)
    {
        tell!("nothing is recorded: the JVM does not list its classes");
    }
    if recorder.options.control || recorder.options.stop_after.is_some() {
        // Without it commands are carried out by a thread that attaches itself.
        let _ = session.jvmti.enable(JVMTI_EVENT_DATA_DUMP_REQUEST);
    }
    if recorder.options.control {
        control::open(session);
    }
    control::keep_timetable(session);
}

fn describe_jvm(jvmti: Jvmti) -> String {
    let property = |name| jvmti.property(name).unwrap_or_default();
    format!(
        "{} {} ({})",
        property(c"java.vm.name"),
        property(c"java.vm.version"),
        property(c"java.vm.vendor")
    )
}

extern "system" fn vm_death(_: *mut jvmtiEnv, env: *mut JNIEnv) {
    guard((), || {
        let Some(session) = session() else { return };
        let halted = ending::is_halt(&session.jvmti.current_stack(8).unwrap_or_default());
        control::close();
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        jni.reserve_references();
        unlinked::list_unnoticed(session);
        loaders::list_open(session);
        if session.recorder.is_recording() {
            unshown::list(session);
        }
        let active = session.active_slots(jni);
        session.recorder.finish(if halted { Ending::Halted } else { Ending::Orderly }, &active);
    });
}

extern "system" fn data_dump_request(_: *mut jvmtiEnv) {
    guard((), || {
        if let Some(session) = session()
            && let Some(jni) = session.vm.current()
        {
            jni.reserve_references();
            control::data_dump_requested(session, jni);
        }
    });
}

extern "system" fn thread_start(_: *mut jvmtiEnv, env: *mut JNIEnv, thread: jobject) {
    guard((), || {
        if let Some(session) = session() {
            // SAFETY: the JVM passed the environment of this thread.
            session.thread_started(unsafe { Jni::new(env) }, thread);
        }
    });
}

extern "system" fn thread_end(_: *mut jvmtiEnv, env: *mut JNIEnv, thread: jobject) {
    guard((), || {
        if let Some(session) = session() {
            // SAFETY: the JVM passed the environment of this thread.
            session.thread_ended(unsafe { Jni::new(env) }, thread);
        }
    });
}

extern "system" fn class_prepare(
    _: *mut jvmtiEnv,
    env: *mut JNIEnv,
    _thread: jobject,
    class: jclass,
) {
    guard((), || {
        if let Some(session) = session() {
            // SAFETY: the JVM passed the environment of this thread.
            let jni = unsafe { Jni::new(env) };
            // The agent itself may have the class linked, while it has references to many.
            jni.reserve_references();
            loaders::linked(session, jni, class);
            unlinked::linked(session, jni, class);
        }
    });
}

extern "system" fn class_file_load_hook(
    _: *mut jvmtiEnv,
    env: *mut JNIEnv,
    class_being_redefined: jclass,
    loader: jobject,
    name: *const c_char,
    protection_domain: jobject,
    length: jint,
    bytes: *const u8,
    new_length: *mut jint,
    new_bytes: *mut *mut u8,
) {
    let Ok(length) = usize::try_from(length) else { return };
    // SAFETY: the JVM passes that many bytes, valid during the callback.
    let bytes = unsafe { std::slice::from_raw_parts(bytes, length) };
    // SAFETY: the name, if there is one, ends with a zero byte.
    let name = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_bytes());
    let Some(session) = session() else { return };
    let instead = guard(Err(()), || {
        let is_redefined = !class_being_redefined.is_null();
        let boot = loader.is_null();
        // While recording is off, only classes of the JDK get numbers.
        let definition = match boot || session.recorder.is_instrumenting() {
            true => definitions::definition(session, loader, protection_domain),
            false => Definition::UNKNOWN,
        };
        let definition = &definition;
        let request = LoadRequest { name, bytes, boot, is_redefined, definition };
        if !is_redefined {
            return Ok(rewritten(session, env, None, loader, &request));
        }
        redefinition::begins(session.jvmti, bytes);
        if let Some(instead) = linking::instead_of(session, &request) {
            return Ok(Some(instead));
        }
        let class = Some(class_being_redefined);
        match method_parameters::restored(session.jvmti, class_being_redefined, bytes) {
            None => Ok(rewritten(session, env, class, loader, &request)),
            Some(restored) => {
                let request = LoadRequest { bytes: &restored, ..request };
                Ok(rewritten(session, env, class, loader, &request).or(Some(restored)))
            }
        }
    });
    guard((), || match instead {
        // SAFETY: the JVM passed places for the results.
        Ok(Some(instead)) => unsafe { give(session.jvmti, &instead, new_length, new_bytes) },
        Ok(None) => {}
        Err(()) => {
            let name = modified_utf8::decode(name.unwrap_or_default()).replace('/', ".");
            session.recorder.writer.skip(&name, "", "a defect of the agent");
        }
    });
}

/// What the JVM is to parse instead of a class file; `None` to take it as it is. `class` is
/// the class if it is loaded already.
fn rewritten(
    session: &Session,
    env: *mut JNIEnv,
    class: Option<jclass>,
    loader: jobject,
    request: &LoadRequest<'_>,
) -> Option<Vec<u8>> {
    let (transformed, in_advance) = transformed(session, env, class, loader, request);
    class_versions::noted(session, class, request, transformed, in_advance)
}

/// The transformed class, and whether it was made before the JVM asked.
fn transformed(
    session: &Session,
    env: *mut JNIEnv,
    class: Option<jclass>,
    loader: jobject,
    request: &LoadRequest<'_>,
) -> (Option<Transformed>, bool) {
    let name = request.name.unwrap_or_default();
    if session.recorder.is_attached() && !request.boot {
        if !session.recorder.is_instrumenting() {
            return (None, false);
        }
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        match loaders::ask_for(session, jni, loader, name, class) {
            loaders::Answer::Knows => {}
            loaders::Answer::DoesNot => {
                skip_named(session, name, loaders::UNKNOWN_RUNTIME);
                return (None, false);
            }
            loaders::Answer::Open => return (None, false),
        }
    } else if !env.is_null() && session.threads.get().is_some() {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        runtime_class::define_callback(jni, name, loader);
    }
    let in_advance = if request.is_redefined {
        advance::class();
        session.pretransformation.take(request)
    } else {
        session.pretransformation.keep(request);
        None
    };
    match in_advance {
        Some(transformed) => (transformed, true),
        None => (session.recorder.transform(request), false),
    }
}

/// Returns a class file to the JVM.
///
/// # Safety
/// `new_length` and `new_bytes` are places for the results.
unsafe fn give(jvmti: Jvmti, class: &[u8], new_length: *mut jint, new_bytes: *mut *mut u8) {
    if let (Ok(memory), Ok(length)) = (jvmti.allocate(class), jint::try_from(class.len())) {
        // SAFETY: places for the results by contract.
        unsafe {
            *new_bytes = memory;
            *new_length = length;
        }
    }
}
