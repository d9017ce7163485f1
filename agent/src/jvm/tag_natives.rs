//! The native methods of `java.lang.SubsumeTags`.

use std::ffi::c_void;
use std::ops::Range;
use std::sync::OnceLock;

use instrument::dataflow::capability::Capability;
use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jlong, jobject};
use profile::metadata::Record;
use profile::object_records::ObjectRecord;

use super::global_class::GlobalClass;
use super::jni::{Jni, Native};
use super::session::{Session, session};
use super::{flags, guard, native_thread};
use instrument::dataflow::objects::sites::hash_of;
use instrument::dataflow::objects::tags::{Tags, names};
use instrument::modified_utf8;

/// `SubsumeTags.bindNatives`, which binds the others.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_SubsumeTags_bindNatives(env: *mut JNIEnv, class: jclass) {
    guard((), || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        bind(jni, class);
        let loaders = ["getBuiltinAppClassLoader", "getBuiltinPlatformClassLoader"]
            .into_iter()
            .filter_map(|name| builtin_loader(jni, name))
            .collect();
        // Set once: the class binds its natives when it is initialised.
        let _ = LOADERS.set(loaders);
    });
}

fn bind(jni: Jni, class: jclass) {
    jni.bind(class, &natives());
}

/// The other native methods: name, descriptor and code of each.
pub(super) fn natives() -> [Native; 8] {
    [
        (c"table", c"(I)J", table as *mut c_void),
        (c"headers", c"()I", headers as *mut c_void),
        (c"alignment", c"()I", alignment as *mut c_void),
        (c"untrackedTag", c"(Ljava/lang/Object;)I", untracked_tag as *mut c_void),
        (c"hashOfName", c"(Ljava/lang/Class;)I", hash_of_name as *mut c_void),
        (c"stack", c"(Ljava/lang/Thread;)J", stack as *mut c_void),
        (c"stackBytes", c"(Ljava/lang/Thread;)J", stack_bytes as *mut c_void),
        (c"nextBlock", c"(I)V", next_block as *mut c_void),
    ]
}

/// Bits of what `SubsumeTags.headers` returns.
pub mod header {
    /// The mark holds the class.
    pub const COMPACT: i32 = 1;
    /// The class behind the mark takes four bytes.
    pub const NARROW_CLASSES: i32 = 2;
    /// This mode has arrays with places in the CLOCK cache.
    pub const ARRAYS_HAVE_PLACES: i32 = 4;
}

/// Loaders that live as long as the JVM, beside the boot loader.
static LOADERS: OnceLock<Vec<GlobalClass>> = OnceLock::new();

fn builtin_loader(jni: Jni, method: &str) -> Option<GlobalClass> {
    let class = jni.find_class(c"java/lang/ClassLoader")?;
    let name = std::ffi::CString::new(method).ok()?;
    let loader = jni.call_static_object(class, &name, c"()Ljava/lang/ClassLoader;")?;
    jni.global(loader).map(GlobalClass::new)
}

/// Runs with the session and its tags; without them there is nothing to do.
pub(super) fn with_tags<R>(
    otherwise: R,
    body: impl FnOnce(&'static Session, &'static Tags) -> R,
) -> R {
    match session().and_then(|session| Some((session, session.recorder.tags.as_ref()?))) {
        Some((session, tags)) => body(session, tags),
        None => otherwise,
    }
}

extern "system" fn table(_: *mut JNIEnv, _: jclass, number: jint) -> jlong {
    guard(0, || with_tags(0, |_, tags| tags.table.address(number as u32) as jlong))
}

extern "system" fn headers(_: *mut JNIEnv, _: jclass) -> jint {
    guard(0, || {
        let headers = flags::headers();
        let mode = session().and_then(|session| session.recorder.options.mode.dataflow);
        let arrays_have_places =
            mode.is_some_and(|flow| flow.mode.has(Capability::KeepsLastWriters));
        let bits = [
            (headers.are_compact, header::COMPACT),
            (headers.have_narrow_classes, header::NARROW_CLASSES),
            (arrays_have_places, header::ARRAYS_HAVE_PLACES),
        ];
        bits.iter().filter(|(is_set, _)| *is_set).map(|(_, bit)| bit).sum()
    })
}

extern "system" fn alignment(_: *mut JNIEnv, _: jclass) -> jint {
    guard(8, flags::object_alignment)
}

extern "system" fn untracked_tag(env: *mut JNIEnv, _: jclass, object: jobject) -> jint {
    guard(0, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        with_tags(0, |session, tags| {
            let Some(class) = jni.class_of(object) else { return 0 };
            let signature = session.jvmti.class_signature(class).unwrap_or_default();
            let name = names::class_of_signature(&modified_utf8::decode(&signature));
            let tag = tags.untracked(&name, &note(session));
            if !name.starts_with('[') {
                set_size(session, tags, object, tag);
            }
            if is_hidden(&signature) || !lives_for_ever(session, jni, class) {
                tag as jint | jint::MIN
            } else {
                tag as jint
            }
        })
    })
}

/// True if the class cannot be unloaded, so that its address is its own.
fn lives_for_ever(session: &Session, jni: Jni, class: jclass) -> bool {
    session.jvmti.class_loader(class).is_ok_and(|loader| {
        loader.is_null()
            || LOADERS
                .get()
                .is_some_and(|all| all.iter().any(|known| jni.is_same(loader, known.reference())))
    })
}

/// Notes the size of an object for all objects with its tag.
pub(super) fn set_size(session: &Session, tags: &Tags, object: jobject, tag: u32) {
    let Ok(bytes) = session.jvmti.object_size(object) else { return };
    let bytes = u32::try_from(bytes).unwrap_or(0);
    if tags.table.set_size(tag, bytes) {
        session.recorder.writer.append(&Record::Object(ObjectRecord::Size { tag, bytes }));
    }
}

extern "system" fn hash_of_name(_: *mut JNIEnv, _: jclass, class: jclass) -> jint {
    guard(0, || {
        let signature = session().and_then(|session| session.jvmti.class_signature(class).ok());
        let named = signature.filter(|signature| !is_hidden(signature));
        named.map_or(0, |signature| hash_of([&*signature]) as jint)
    })
}

/// By what the JVM writes in front of the number of a hidden class.
fn is_hidden(signature: &[u8]) -> bool {
    signature.contains(&b'.')
}

/// In place of a stack's lowest address: all marks lie below it.
const NO_STACK: jlong = jlong::MAX;

extern "system" fn stack(env: *mut JNIEnv, _: jclass, thread: jobject) -> jlong {
    guard(NO_STACK, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        stack_of(jni, thread).map_or(NO_STACK, |stack| stack.start as jlong)
    })
}

extern "system" fn stack_bytes(env: *mut JNIEnv, _: jclass, thread: jobject) -> jlong {
    // 0 is that of a thread which was not asked for its own yet.
    guard(1, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        stack_of(jni, thread).map_or(1, |stack| (stack.end - stack.start) as jlong)
    })
}

/// The stack of this thread, unless it runs a virtual one, which goes from stack to stack.
fn stack_of(jni: Jni, thread: jobject) -> Option<Range<u64>> {
    let class = session()?.threads.get()?;
    if class.is_virtual(jni, thread) { None } else { native_thread::stack() }
}

extern "system" fn next_block(_: *mut JNIEnv, _: jclass, tag: jint) {
    guard((), || with_tags((), |_, tags| tags.table.next_block(tag as u32)));
}

/// Writes a record down.
pub(super) fn note(session: &Session) -> impl Fn(&Record) {
    |record| {
        // Without room for it the reader does not know the number; the arena
        // says so.
        session.recorder.writer.append(record);
    }
}
