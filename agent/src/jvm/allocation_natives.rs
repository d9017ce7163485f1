//! The native methods of `java.lang.SubsumeAllocations`.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jclass, jint, jlong, jobject};

use super::guard;
use super::jni::{Jni, Native};
use super::session::session;
use super::tag_natives::{note, set_size, with_tags};
use instrument::modified_utf8;

/// `SubsumeAllocations.bindNatives`, which binds the others.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_SubsumeAllocations_bindNatives(
    env: *mut JNIEnv,
    class: jclass,
) {
    guard((), || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        jni.bind(class, &natives());
    });
}

/// The other native methods: name, descriptor and code of each.
pub(super) fn natives() -> [Native; 5] {
    [
        (c"base", c"()J", base as *mut c_void),
        (c"tagInContext", c"(II)I", tag_in_context as *mut c_void),
        (c"confirm", c"(Ljava/lang/Object;I)Z", confirm as *mut c_void),
        (c"births", c"(I)J", births as *mut c_void),
        (c"birthsPage", c"(II)I", births_page as *mut c_void),
    ]
}

extern "system" fn base(_: *mut JNIEnv, _: jclass) -> jlong {
    guard(0, || session().map_or(0, |session| session.recorder.arena.base_address() as jlong))
}

extern "system" fn tag_in_context(_: *mut JNIEnv, _: jclass, owner: jint, site: jint) -> jint {
    guard(0, || {
        with_tags(0, |session, tags| {
            tags.tag_in_context(owner as u32, site as u32, &note(session)) as jint
        })
    })
}

extern "system" fn confirm(env: *mut JNIEnv, _: jclass, object: jobject, tag: jint) -> jboolean {
    guard(0, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        let fits = with_tags(false, |session, tags| {
            let Some(class) = jni.class_of(object) else { return false };
            let signature = session.jvmti.class_signature(class).unwrap_or_default();
            let fits = tags.fits(tag as u32, &modified_utf8::decode(&signature));
            if fits {
                set_size(session, tags, object, tag as u32);
            }
            fits
        });
        fits.into()
    })
}

extern "system" fn births(_: *mut JNIEnv, _: jclass, tree: jint) -> jlong {
    guard(0, || {
        with_tags(0, |session, tags| {
            let arena = session.recorder.arena;
            let _view = arena.hold_view();
            let table = tags.counters.table(arena, tree as u32, &note(session));
            (arena.base_address() + u64::from(table) * 4) as jlong
        })
    })
}

extern "system" fn births_page(_: *mut JNIEnv, _: jclass, tree: jint, page: jint) -> jint {
    guard(0, || {
        with_tags(0, |session, tags| {
            if !session.recorder.is_recording() {
                return tags.counters.scratch_page() as jint;
            }
            let arena = session.recorder.arena;
            let _view = arena.hold_view();
            tags.counters.page(arena, tree as u32, page as u32) as jint
        })
    })
}
