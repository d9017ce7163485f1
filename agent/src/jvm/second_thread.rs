//! A second thread of the JVM that works for the agent, while one of the JVM's own waits
//! for it.
//!
//! A native thread that attaches itself has a moment without a name, which programs that
//! list their threads can meet. This one has a thread object from the start.

use std::ffi::c_void;
use std::sync::mpsc::{Receiver, sync_channel};

use jvmti_bindings::sys::jni::JNIEnv;
use jvmti_bindings::sys::jvmti::jvmtiEnv;

use super::guard;
use super::jni::Jni;
use super::own_work::set_own_thread;
use super::session::Session;

/// What the thread is to do.
type Task = Box<dyn FnOnce(Jni) + Send>;

/// Has the thread do something; what it executes for that is not recorded. The result says
/// when it has been done, or that it will not be. `None` if there is no such thread.
pub fn run(
    session: &'static Session,
    jni: Jni,
    task: impl FnOnce(Jni) + Send + 'static,
) -> Option<Receiver<()>> {
    let class = session.runtime.get()?.reference();
    let thread = jni.call_static_object(class, c"worker", c"()Ljava/lang/Thread;")?;
    // It is not a thread of the program. These words say so before it runs, since it could
    // only mark itself later.
    let threads = session.threads.get()?;
    threads.set_tree(jni, thread, session.recorder.arena.overflow());
    threads.set_slot(jni, thread, session.recorder.arena.base_address());
    let (sender, done) = sync_channel(1);
    let task: Task = Box::new(move |jni| {
        session.unrecorded(jni, || task(jni));
        // The receiver may be gone; then nobody needs the answer.
        let _ = sender.send(());
    });
    let task = Box::into_raw(Box::new(task)).cast::<c_void>();
    match session.jvmti.run_thread(thread, begin, task) {
        Ok(()) => Some(done),
        Err(_) => {
            // SAFETY: made above, and no thread has it.
            drop(unsafe { Box::from_raw(task.cast::<Task>()) });
            None
        }
    }
}

extern "system" fn begin(_: *mut jvmtiEnv, env: *mut JNIEnv, task: *mut c_void) {
    set_own_thread(true);
    guard((), || {
        // SAFETY: the JVM passes what `run` has given it, once.
        let task = unsafe { Box::from_raw(task.cast::<Task>()) };
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        jni.reserve_references();
        task(jni);
    });
}
