//! Where the JVM loads the agent.

use std::ffi::{CStr, c_char, c_void};

use base::tell;
use jvmti_bindings::sys::jni::{JNI_ERR, JNI_OK, JavaVM, jint};

use super::another_agent::is_second;
use super::jni::Vm;
use super::jvmti::Jvmti;
use super::session;
use super::{control, defects, events, flags, guard, size_natives, vm_structs};
use crate::shim;
use instrument::options::{Compilers, HELP, Options, Parsed, Start};
use profile::key;
use recorder::recording::Recorder;

/// The first release that verifies what agents return when a class of the JDK is loaded
/// (JDK-8351654). That takes longer than the comparisons that it spares in `mode=calls`.
const VERIFIES_WHAT_AGENTS_LOAD: u16 = 25;

/// Called by the JVM for `-agentpath`, before it is initialised.
#[unsafe(no_mangle)]
pub extern "system" fn Agent_OnLoad(
    vm: *mut JavaVM,
    options: *const c_char,
    _reserved: *mut c_void,
) -> jint {
    defects::tell_in_one_line();
    guard(JNI_ERR, || {
        // SAFETY: the JVM passes a string that ends with a zero byte, or null.
        let options = (!options.is_null()).then(|| unsafe { CStr::from_ptr(options) });
        let text = options.unwrap_or_default().to_string_lossy();
        let parsed = match Options::parse(&text) {
            Ok(Parsed::Run(options)) => *options,
            Ok(Parsed::Help) => help(),
            Err(message) => refuse(&format!("{message}; help lists all options")),
        };
        // SAFETY: the JVM passed `vm`.
        let Some(jvmti) = (unsafe { Jvmti::of(vm) }) else {
            refuse("this JVM has no JVM TI 11; use HotSpot 17 or later");
        };
        match load(Vm::new(vm), jvmti, &text, &parsed) {
            Ok(()) => JNI_OK,
            Err(message) => refuse(&message),
        }
    })
}

/// Called by the JVM when somebody has it load the agent while it is running: by `subsume
/// attach`, which asks for the recording by a command afterwards.
#[unsafe(no_mangle)]
pub extern "system" fn Agent_OnAttach(
    vm: *mut JavaVM,
    options: *const c_char,
    _reserved: *mut c_void,
) -> jint {
    if session::session().is_some() {
        // The library was loaded before, and `subsume attach` goes on with commands.
        return JNI_OK;
    }
    defects::tell_in_one_line();
    guard(JNI_ERR, || {
        // SAFETY: the JVM passes a string that ends with a zero byte, or null.
        let options = (!options.is_null()).then(|| unsafe { CStr::from_ptr(options) });
        let text = options.unwrap_or_default().to_string_lossy();
        // SAFETY: the JVM passed `vm`.
        let jvmti = unsafe { Jvmti::of(vm) };
        match attach(Vm::new(vm), jvmti, &text) {
            Ok(()) => JNI_OK,
            Err(message) => {
                if let Some(jvmti) = jvmti
                    && session::session().is_none()
                {
                    // The next attempt asks for another one.
                    jvmti.dispose();
                }
                control::tell_refusal(&message);
                JNI_ERR
            }
        }
    })
}

fn attach(vm: Vm, jvmti: Option<Jvmti>, text: &str) -> Result<(), String> {
    let mut options = match Options::parse(text)? {
        Parsed::Run(options) => *options,
        Parsed::Help => return Err("help is not an option of an attachment".to_owned()),
    };
    if options.mode.dataflow.is_some() {
        return Err("only mode=calls can be recorded in a JVM that is running: what follows \
                    data adds fields to classes as they are loaded"
            .to_owned());
    }
    if options.compilers == Compilers::C1 {
        return Err("compilers=c1 is for JVMs that start with the agent: this one has compiled \
                    with C2 already"
            .to_owned());
    }
    options.start = Start::Attached;
    forgo_bytes(&mut options);
    let jvmti = jvmti.ok_or("this JVM has no JVM TI 11; use HotSpot 17 or later")?;
    let feature = check_jvm(jvmti)?;
    if let Some(obstacle) = arena::page_obstacle() {
        return Err(obstacle);
    }
    if let Some(lacks) = lacks(jvmti, false) {
        return Err(lacks);
    }
    jvmti
        .add_late_capabilities()
        .map_err(|error| format!("the JVM refuses to have classes rewritten ({error:?})"))?;
    let recorder = Recorder::create(&options, shim::SHIM)?;
    // Without the file of the first recording, which `subsume attach` puts in front.
    let given =
        text.strip_prefix("out=").map_or(text, |out| out.split_once(',').unwrap_or_default().1);
    recorder.writer.note(key::OPTIONS, given);
    recorder.writer.note(key::ATTACHED, "true");
    let session = session::open(recorder, given, vm, jvmti);
    events::enable(jvmti, feature)
        .map_err(|error| format!("the JVM refuses events ({error:?})"))?;
    events::begin_late(session);
    Ok(())
}

/// The release of a JVM that can be recorded.
fn check_jvm(jvmti: Jvmti) -> Result<u16, String> {
    let feature = jvmti.release();
    if feature < 17 {
        let version = jvmti.property(c"java.vm.specification.version").unwrap_or_default();
        return Err(format!("this JVM is Java {version}; use HotSpot 17 or later"));
    }
    if !vm_structs::is_described() {
        return Err("this JVM is not HotSpot; use HotSpot 17 or later".to_owned());
    }
    Ok(feature)
}

/// What a HotSpot lacks of what counts need to be exact, if anything: a line for the user.
/// `tags` are those of objects.
fn lacks(jvmti: Jvmti, tags: bool) -> Option<String> {
    let missing = flags::missing_facts(tags);
    let build = || jvmti.property(c"java.vm.version").unwrap_or_default();
    (!missing.is_empty()).then(|| {
        format!("HotSpot {} lacks what exact counts need: {}", build(), missing.join(", "))
    })
}

/// Prints the options instead of starting the JVM.
fn help() -> ! {
    use std::io::Write;
    // With its output closed there is nobody left to tell.
    let _ = std::io::stdout().write_all(HELP.as_bytes());
    leave(0)
}

/// Says why the JVM does not start.
fn refuse(message: &str) -> ! {
    tell!("{message}");
    leave(2)
}

/// Ends the process before Java has started, without the JVM's own lines
/// about an agent that failed.
fn leave(code: i32) -> ! {
    // SAFETY: ends the process at once; nothing of ours needs unwinding.
    unsafe { libc::_exit(code) }
}

/// Bytes are left out where the JVM does not tell what they follow from.
fn forgo_bytes(options: &mut Options) {
    if options.bytes && !size_natives::is_described() {
        tell!("bytes are not counted: this JVM does not tell the sizes of instances");
        options.bytes = false;
    }
}

fn load(vm: Vm, jvmti: Jvmti, text: &str, options: &Options) -> Result<(), String> {
    if is_second() {
        tell!("nothing is recorded by this agent: the JVM has another one of subsume already");
        jvmti.dispose();
        return Ok(());
    }
    let feature = check_jvm(jvmti)?;
    let tags = options.mode.dataflow.is_some_and(|flow| flow.mode.tags_objects());
    if let Some(lacks) = arena::page_obstacle().or_else(|| lacks(jvmti, tags)) {
        tell!("nothing is recorded: {lacks}");
        return Ok(());
    }
    if let Some(reason) = flags::impossible_class_archive() {
        return Err(reason.to_owned());
    }
    flags::forgo_class_archive();
    flags::enlarge_symbol_table();
    if options.compilers == Compilers::C1 && !flags::leave_out_c2() {
        tell!("compilers=c1 has no effect: this JVM does not compile in tiers");
    }
    jvmti
        .add_capabilities(options.splits.is_some())
        .map_err(|error| format!("the JVM refuses to have classes rewritten ({error:?})"))?;
    let mut options = options.clone();
    forgo_bytes(&mut options);
    let options = &options;
    let recorder = match Recorder::create(options, shim::SHIM) {
        Ok(recorder) => recorder,
        Err(reason) => {
            tell!("nothing is recorded: {reason}");
            let Ok(idle) = Recorder::idle(options, shim::SHIM, reason) else {
                return Ok(());
            };
            idle
        }
    };
    recorder.writer.note("options", text);
    if recorder.graph.is_some() {
        flags::leave_room_for_tags();
    }
    let session = session::open(recorder, text, vm, jvmti);
    let starts_at_once =
        options.start == Start::Startup && session.recorder.idle_reason().is_none();
    let has_many_probes = options.mode.dataflow.is_some();
    if starts_at_once && (feature < VERIFIES_WHAT_AGENTS_LOAD || has_many_probes) {
        session.recorder.name_probes_in_advance(true);
    }
    if starts_at_once && flags::is_only_agent() {
        session.pretransformation.open();
    }
    events::enable(jvmti, feature).map_err(|error| format!("the JVM refuses events ({error:?})"))
}
