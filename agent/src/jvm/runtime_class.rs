//! The Java classes that the agent brings along, and how they get in.

use std::ffi::CStr;

use jvmti_bindings::sys::jni::{jclass, jobject};

use super::jni::Jni;
use super::session::{GlobalClass, Session};
use crate::shim;
use recorder::dataflow;
use recorder::probe::members;

/// Defines the runtime classes in `java.lang`, binds them, and hides what was
/// added to the JDK's classes from reflection.
pub fn install(session: &Session, jni: Jni) -> Result<(), &'static str> {
    let class = jni
        .define_class(c"java/lang/SubsumeRuntime", std::ptr::null_mut(), shim::RUNTIME)
        .ok_or("the JVM does not accept java.lang.SubsumeRuntime")?;
    let families = dataflow::families(&session.recorder.options.mode);
    if !jni.call_with_strings(class, c"install", &members::names(families)) {
        return Err("the members added to JDK classes cannot be hidden");
    }
    if session.threads.get().is_none() {
        return Err("java.lang.Thread was loaded before the agent could act");
    }
    if session.recorder.tags.is_some() {
        install_flow(jni)?;
    }
    if session.recorder.options.mode.flow.is_some_and(|flow| flow.follows_chains()) {
        install_costs(session, jni)?;
    }
    if session.recorder.graph.as_ref().is_some_and(|graph| graph.nulls.is_some()) {
        install_nulls(session, jni)?;
    }
    let class = jni.global(class).ok_or("the JVM gives no reference to its classes")?;
    // Nobody else sets it.
    let _ = session.runtime.set(GlobalClass::new(class));
    session.recorder.set_runtime();
    Ok(())
}

/// Defines the classes behind tags of objects. The one that is returned
/// initialises all of them.
fn define_tags(jni: Jni) -> Result<jclass, &'static str> {
    let define = |name, bytes| {
        jni.define_class(name, std::ptr::null_mut(), bytes)
            .ok_or("the JVM does not accept the classes behind java.lang.SubsumeTags")
    };
    for (name, bytes) in [
        (c"java/lang/SubsumeMark", shim::MARK),
        (c"java/lang/SubsumeHashes", shim::HASHES),
        (c"java/lang/SubsumeArrays", shim::ARRAYS),
        (c"java/lang/SubsumeUntracked", shim::UNTRACKED),
        (c"java/lang/SubsumeBirths", shim::BIRTHS),
    ] {
        define(name, bytes)?;
    }
    define(c"java/lang/SubsumeTags", shim::TAGS)
}

/// Defines and initialises the classes behind the probes of data flow.
fn install_flow(jni: Jni) -> Result<(), &'static str> {
    let tags = define_tags(jni)?;
    if jni.call_static_boolean(tags, c"canTag") != Some(true) {
        return Err("objects of this JVM have no room for tags; use mode=calls");
    }
    let flow = jni
        .define_class(c"java/lang/SubsumeFlow", std::ptr::null_mut(), shim::FLOW)
        .ok_or("the JVM does not accept java.lang.SubsumeFlow")?;
    if jni.call_static_boolean(flow, c"canFollow") != Some(true) {
        return Err("java.lang.SubsumeFlow cannot be initialised");
    }
    jni.define_class(c"java/lang/SubsumeStack", std::ptr::null_mut(), shim::STACK)
        .ok_or("the JVM does not accept java.lang.SubsumeStack")?;
    let unseen = jni
        .define_class(c"java/lang/SubsumeUnseen", std::ptr::null_mut(), shim::UNSEEN)
        .ok_or("the JVM does not accept java.lang.SubsumeUnseen")?;
    match jni.call_static_boolean(unseen, c"canFollow") {
        Some(true) => Ok(()),
        _ => Err("java.lang.SubsumeUnseen cannot be initialised"),
    }
}

/// Defines and initialises the classes behind the probes of contexts and costs.
fn install_costs(session: &Session, jni: Jni) -> Result<(), &'static str> {
    for (name, bytes) in [
        (c"java/lang/SubsumeWeak", shim::WEAK),
        (c"java/lang/SubsumeRing", shim::RING),
        (c"java/lang/SubsumeBlocks", shim::BLOCKS),
        (c"java/lang/SubsumeStray", shim::STRAY),
        (c"java/lang/SubsumeElements", shim::ELEMENTS),
        (c"java/lang/SubsumeFields", shim::FIELDS),
        (c"java/lang/SubsumeActivation", shim::ACTIVATION),
        (c"java/lang/SubsumeEncounters", shim::ENCOUNTERS),
        (c"java/lang/SubsumeOwnFields", shim::OWN_FIELDS),
        (c"java/lang/SubsumeStatics", shim::STATICS),
        (c"java/lang/SubsumeCompanions", shim::COMPANIONS),
    ] {
        jni.define_class(name, std::ptr::null_mut(), bytes)
            .ok_or("the JVM does not accept the classes behind java.lang.SubsumeCosts")?;
    }
    let costs = jni
        .define_class(c"java/lang/SubsumeCosts", std::ptr::null_mut(), shim::COSTS)
        .ok_or("the JVM does not accept java.lang.SubsumeCosts")?;
    match jni.call_static_boolean(costs, c"canFollow") {
        Some(true) => install_replaced(session, jni),
        _ => Err("java.lang.SubsumeCosts cannot be initialised"),
    }
}

/// Defines and initialises what hears of stores that nobody sees.
fn install_replaced(session: &Session, jni: Jni) -> Result<(), &'static str> {
    let replaced = jni
        .define_class(c"java/lang/SubsumeReplaced", std::ptr::null_mut(), shim::REPLACED)
        .ok_or("the JVM does not accept java.lang.SubsumeReplaced")?;
    if jni.call_static_boolean(replaced, c"canFollow") != Some(true)
        || !jni.tell_of_stores(session.jvmti, replaced)
    {
        return Err("java.lang.SubsumeReplaced cannot be initialised");
    }
    Ok(())
}

/// Defines and initialises the classes behind the probes of nulls.
fn install_nulls(session: &Session, jni: Jni) -> Result<(), &'static str> {
    define_tags(jni)?;
    let null = std::ptr::null_mut;
    jni.define_class(c"java/lang/SubsumeFlow", null(), shim::FLOW)
        .and_then(|_| jni.define_class(c"java/lang/SubsumeStack", null(), shim::STACK))
        .and_then(|_| jni.define_class(c"java/lang/SubsumeWeak", null(), shim::WEAK))
        .and_then(|_| jni.define_class(c"java/lang/SubsumeRing", null(), shim::RING))
        .and_then(|_| jni.define_class(c"java/lang/SubsumeBlocks", null(), shim::BLOCKS))
        .and_then(|_| jni.define_class(c"java/lang/SubsumeStray", null(), shim::STRAY))
        .and_then(|_| {
            jni.define_class(c"java/lang/SubsumeNullElements", null(), shim::NULL_ELEMENTS)
        })
        .and_then(|_| jni.define_class(c"java/lang/SubsumeCompanions", null(), shim::COMPANIONS))
        .and_then(|_| jni.define_class(c"java/lang/SubsumeStatics", null(), shim::STATICS))
        .ok_or("the JVM does not accept java.lang.SubsumeFlow")?;
    let nulls = jni
        .define_class(c"java/lang/SubsumeNulls", null(), shim::NULLS)
        .ok_or("the JVM does not accept java.lang.SubsumeNulls")?;
    match jni.call_static_boolean(nulls, c"canFollow") {
        Some(true) => install_replaced(session, jni),
        _ => Err("java.lang.SubsumeNulls cannot be initialised"),
    }
}

/// Defines the DaCapo callback beside the harness, in the harness's own loader:
/// it extends a class of the harness, and the harness looks it up there.
pub fn define_callback(jni: Jni, harness_class: &[u8], loader: jobject) {
    let bytes = match harness_class {
        b"dacapo/TestHarness" => shim::CALLBACK_2006,
        b"org/dacapo/harness/TestHarness" => shim::CALLBACK_9_12,
        _ => return,
    };
    const NAME: &CStr = c"subsume/Callback";
    // Fails where somebody brought a class of this name; then that one serves.
    let _ = jni.define_class(NAME, loader, bytes);
}
