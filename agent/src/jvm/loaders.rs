//! Which class loaders know the runtime class, in a JVM that the agent came into late.
//!
//! There classes call the runtime class by its name, and the JVM asks the loader of the
//! calling class for it. A loader that does not find it, because it passes on only what it
//! knows, would end the program's method by an error; so each loader is asked once before
//! any of its classes gets a probe. The JVM remembers its answer and does not ask again.

use jvmti_bindings::sys::jni::jobject;

use super::jni::Jni;
use super::session::Session;

/// Tags of loaders.
const KNOWS: i64 = 1;
const DOES_NOT: i64 = 2;
/// It is being asked, by a thread further out or by another one.
const IS_ASKED: i64 = 3;

/// Whether the classes of a loader can call the runtime class. The loader runs code of
/// the program to answer that, the first time.
pub fn know_runtime(session: &Session, jni: Jni, loader: jobject) -> bool {
    if loader.is_null() {
        return true;
    }
    match session.jvmti.tag(loader) {
        KNOWS => return true,
        0 => {}
        _ => return false,
    }
    session.jvmti.set_tag(loader, IS_ASKED);
    let knows = session.unrecorded(jni, || {
        let Some(runtime) = session.runtime.get() else { return false };
        let runtime = runtime.reference();
        jni.class_in_loader(runtime, "java.lang.SubsumeRuntime", loader)
            .is_some_and(|found| jni.is_same(found, runtime))
    });
    session.jvmti.set_tag(loader, if knows { KNOWS } else { DOES_NOT });
    knows
}
