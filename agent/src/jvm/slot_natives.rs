//! The native methods of `java.lang.SubsumeSlots`.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jlong, jobject};

use super::guard;
use super::jni::{Jni, Native};
use super::session::session;

/// `SubsumeSlots.bindNatives`, which binds the others.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_SubsumeSlots_bindNatives(env: *mut JNIEnv, class: jclass) {
    guard((), || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        jni.bind(class, &natives());
    });
}

/// The other native methods: name, descriptor and code of each.
pub(super) fn natives() -> [Native; 3] {
    [
        (c"base", c"()J", base as *mut c_void),
        (c"tree", c"(Ljava/lang/Thread;)I", tree as *mut c_void),
        (c"setTree", c"(Ljava/lang/Thread;I)V", set_tree as *mut c_void),
    ]
}

extern "system" fn base(_: *mut JNIEnv, _: jclass) -> jlong {
    guard(0, || session().map_or(0, |session| session.recorder.arena.base_address() as jlong))
}

extern "system" fn tree(env: *mut JNIEnv, _: jclass, thread: jobject) -> jint {
    guard(0, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        let threads = session().and_then(|session| session.threads.get());
        threads.map_or(0, |threads| threads.tree(jni, thread) as jint)
    })
}

extern "system" fn set_tree(env: *mut JNIEnv, _: jclass, thread: jobject, tree: jint) {
    guard((), || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        if let Some(threads) = session().and_then(|session| session.threads.get()) {
            threads.set_tree(jni, thread, tree as u32);
        }
    });
}
