//! The native methods of `java.lang.SubsumeRuntime`.

use std::ffi::c_void;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use base::tell;
use jvmti_bindings::sys::jni::{
    JNIEnv, jboolean, jbyteArray, jclass, jint, jlong, jobject, jstring,
};

use super::guard;
use super::jni::{Jni, Native};
use super::loop_natives::{begin_test, end_test};
use super::measure_natives::{begin_link, begin_measuring, end_link, end_measuring};
use super::session::session;
use super::size_natives::{allocated, layout, sizes};
use super::stack_frames;
use super::thread_class::ThreadClass;
use live::trees::NodeKey;
use recorder::recording::Recorder;

/// `SubsumeRuntime.bindNatives`, which binds the others.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_SubsumeRuntime_bindNatives(env: *mut JNIEnv, class: jclass) {
    guard((), || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        bind(jni, class);
        // Here the JVM looks for classes in the boot loader, because this method's
        // class was defined there. Elsewhere it would ask the application's loader
        // and leave traces in it.
        if let Some(session) = session()
            && let Some(threads) = find_threads(jni, &session.recorder)
        {
            // Set once: the runtime class binds its natives when it is initialised.
            let _ = session.threads.set(threads);
        }
    });
}

fn find_threads(jni: Jni, recorder: &Recorder) -> Option<ThreadClass> {
    match recorder.is_attached() {
        true => ThreadClass::find_taken(jni, recorder.arena.base_address()),
        false => ThreadClass::find(jni, &recorder.options.mode),
    }
}

fn bind(jni: Jni, class: jclass) {
    jni.bind(class, &natives());
}

/// The other native methods: name, descriptor and code of each.
pub(super) fn natives() -> [Native; 19] {
    [
        (c"base", c"()J", base as *mut c_void),
        (c"scratchTable", c"()J", scratch_table as *mut c_void),
        (c"sizes", c"()J", sizes as *mut c_void),
        (c"layout", c"(I)I", layout as *mut c_void),
        (c"allocated", c"(I)Ljava/lang/Class;", allocated as *mut c_void),
        (c"attach", c"(Ljava/lang/Thread;)I", attach as *mut c_void),
        (c"create", c"(III)I", create as *mut c_void),
        (c"hiddenClass", c"([B)[B", hidden_class as *mut c_void),
        (c"originalIndex", c"(Ljava/lang/Object;I)I", original_index as *mut c_void),
        (c"start", c"()Z", start as *mut c_void),
        (c"stop", c"()Z", stop as *mut c_void),
        (c"dump", c"(Ljava/lang/String;)Z", dump as *mut c_void),
        (c"isRecording", c"()Z", recording as *mut c_void),
        (c"beginTest", c"(I)J", begin_test as *mut c_void),
        (c"endTest", c"(IJ)[Ljava/lang/String;", end_test as *mut c_void),
        (c"beginMeasuring", c"(II)J", begin_measuring as *mut c_void),
        (
            c"endMeasuring",
            c"(IJLjava/lang/reflect/Method;)Ljava/lang/String;",
            end_measuring as *mut c_void,
        ),
        (c"beginLink", c"(II)J", begin_link as *mut c_void),
        (c"endLink", c"(IJ)V", end_link as *mut c_void),
    ]
}

extern "system" fn base(_: *mut JNIEnv, _: jclass) -> jlong {
    guard(0, || session().map_or(0, |session| session.recorder.arena.base_address() as jlong))
}

extern "system" fn scratch_table(_: *mut JNIEnv, _: jclass) -> jlong {
    guard(0, || session().map_or(0, |session| session.recorder.trees.scratch_table() as jlong))
}

extern "system" fn attach(env: *mut JNIEnv, _: jclass, thread: jobject) -> jint {
    guard(0, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        session().map_or(0, |session| session.attach(jni, thread) as jint)
    })
}

extern "system" fn create(_: *mut JNIEnv, _: jclass, tree: jint, slot: jint, method: jint) -> jint {
    guard(0, || {
        session().map_or(0, |session| {
            let [tree, slot, method] = [tree, slot, method].map(|number| number as u32);
            session.recorder.trees.create_node(NodeKey { tree, slot, method }) as jint
        })
    })
}

extern "system" fn hidden_class(env: *mut JNIEnv, _: jclass, array: jbyteArray) -> jbyteArray {
    guard(array, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        let rewritten = session().and_then(|session| {
            let bytes = jni.bytes(array)?;
            session.recorder.hidden_class(&bytes)
        });
        rewritten.and_then(|bytes| jni.byte_array(&bytes)).unwrap_or(array)
    })
}

extern "system" fn original_index(
    env: *mut JNIEnv,
    _: jclass,
    frame: jobject,
    index: jint,
) -> jint {
    guard(index, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        let original =
            session().and_then(|session| stack_frames::original_index(session, jni, frame, index));
        original.unwrap_or(index)
    })
}

extern "system" fn start(env: *mut JNIEnv, _: jclass) -> jboolean {
    guard(0, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        session().is_some_and(|session| super::recording::start(session, jni)).into()
    })
}

extern "system" fn stop(env: *mut JNIEnv, _: jclass) -> jboolean {
    guard(0, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        session().is_some_and(|session| super::recording::stop(session, jni)).into()
    })
}

extern "system" fn dump(env: *mut JNIEnv, _: jclass, path: jstring) -> jboolean {
    guard(0, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        let dumped = session().zip(jni.string(path)).is_some_and(|(session, path)| {
            let dumped = session.recorder.dump(Path::new(&path));
            // That nothing is recorded has been said.
            if let (Err(error), None) = (&dumped, session.recorder.idle_reason()) {
                tell_failed_dump(&path, error);
            }
            dumped.is_ok()
        });
        dumped.into()
    })
}

/// The program gets a `false`, of which it may make nothing; what others want to know is why.
/// One line is enough.
fn tell_failed_dump(path: &str, error: &std::io::Error) {
    static TOLD: AtomicBool = AtomicBool::new(false);
    if !TOLD.swap(true, Ordering::Relaxed) {
        tell!("a profile that subsume.Profile.dump asks for is missing: {path}: {error}");
    }
}

extern "system" fn recording(_: *mut JNIEnv, _: jclass) -> jboolean {
    guard(0, || session().is_some_and(|session| session.recorder.is_recording()).into())
}
