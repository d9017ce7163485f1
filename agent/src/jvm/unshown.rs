//! Classes that the JVM loads without showing them to the agent.
//!
//! JDK 21 to 23 post no event from a thread that is changing between a virtual thread and
//! its carrier. In that state the JDK's own code schedules what wakes a virtual thread up
//! later, and loads the classes that it needs for it. So these are loaded when the JVM
//! starts; should there be others, they are listed as not instrumented.

use super::jni::Jni;
use super::retransformation::{may_have_probes, modifiable_classes, skip};
use super::session::Session;

/// The classes that virtual threads are scheduled with; their superclasses come with them.
const NEEDED_IN_TRANSITIONS: &[&str] = &[
    "java.lang.invoke.VarHandleBooleans$FieldInstanceReadOnly",
    "java.lang.invoke.VarHandleBooleans$FieldInstanceReadWrite",
    "java.lang.invoke.VarHandleInts$FieldInstanceReadOnly",
    "java.lang.invoke.VarHandleInts$FieldInstanceReadWrite",
    "java.lang.invoke.VarHandleLongs$FieldInstanceReadOnly",
    "java.lang.invoke.VarHandleLongs$FieldInstanceReadWrite",
    "java.lang.invoke.VarHandleReferences$Array",
    "java.lang.invoke.VarHandleReferences$FieldInstanceReadOnly",
    "java.lang.invoke.VarHandleReferences$FieldInstanceReadWrite",
    "java.util.concurrent.CancellationException",
    "java.util.concurrent.Executors$DefaultThreadFactory",
    "java.util.concurrent.Executors$RunnableAdapter",
    "java.util.concurrent.ForkJoinPool$DefaultForkJoinWorkerThreadFactory",
    "java.util.concurrent.ForkJoinPool$ManagedBlocker",
    "java.util.concurrent.ForkJoinPool$WorkQueue",
    "java.util.concurrent.ForkJoinTask$Aux",
    "java.util.concurrent.ForkJoinTask$InterruptibleTask",
    "java.util.concurrent.ForkJoinTask$RunnableExecuteAction",
    "java.util.concurrent.FutureTask",
    "java.util.concurrent.FutureTask$WaitNode",
    "java.util.concurrent.RejectedExecutionException",
    "java.util.concurrent.ScheduledThreadPoolExecutor",
    "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue",
    "java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask",
    "java.util.concurrent.ThreadPoolExecutor$AbortPolicy",
    "java.util.concurrent.ThreadPoolExecutor$Worker",
    "java.util.concurrent.TimeUnit",
    "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionNode",
    "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject",
    "java.util.concurrent.locks.AbstractQueuedSynchronizer$ExclusiveNode",
    "java.util.concurrent.locks.AbstractQueuedSynchronizer$SharedNode",
    "java.util.concurrent.locks.LockSupport",
    "java.util.concurrent.locks.ReentrantLock$FairSync",
    "java.util.concurrent.locks.ReentrantLock$NonfairSync",
    "jdk.internal.misc.CarrierThread",
    "jdk.internal.misc.InnocuousThread",
    "jdk.internal.vm.ThreadContainers",
];

/// The releases that post no event from such a thread.
const QUIET_RELEASES: std::ops::Range<u16> = 21..25;

/// Why a class has no probes.
const REASON: &str = "the JVM loaded it without showing it to the agent";

/// Has the JVM load the classes that it would load later without showing them. They are not
/// initialised, and nothing else is: the program comes upon the same classes first. Events of
/// the flight recorder are not among them; it wants to see those that are loaded itself.
pub fn load_in_time(session: &Session, jni: Jni) {
    let Some(class) = session.runtime.get() else { return };
    if QUIET_RELEASES.contains(&session.jvmti.release()) {
        // A release that has no such class needs another.
        jni.load_if_there(class.reference(), NEEDED_IN_TRANSITIONS);
    }
}

/// Lists the classes that are linked and were not shown until now: what they do is missing.
/// Those that have another reason for that are listed before.
pub fn list(session: &Session) {
    session.in_frame(|| list_in_frame(session));
}

fn list_in_frame(session: &Session) {
    for class in modifiable_classes(session).unwrap_or_default() {
        let Ok(name) = session.jvmti.class_name(class) else { continue };
        if !session.recorder.noticed.was_shown(&name)
            && session.jvmti.is_linked(class)
            && may_have_probes(session, class)
        {
            skip(session, class, REASON);
        }
    }
}
