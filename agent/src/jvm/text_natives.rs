//! The native methods of `java.lang.SubsumeTexts`.

use std::ffi::c_void;

use instrument::modified_utf8;
use instrument::splits::presets::{Getter, Reading};
use instrument::splits::table::Text;
use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jobject};

use super::guard;
use super::jni::{Jni, Native};
use super::session::{Session, session};

/// `SubsumeTexts.bindNatives`, which binds the others.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_SubsumeTexts_bindNatives(env: *mut JNIEnv, class: jclass) {
    guard((), || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        jni.bind(class, &natives());
    });
}

/// The other native methods: name, descriptor and code of each.
pub(super) fn natives() -> [Native; 2] {
    [
        (c"ask", c"(ILjava/lang/Object;)I", ask as *mut c_void),
        (c"keep", c"(Ljava/lang/Object;I)V", keep as *mut c_void),
    ]
}

/// In the tag of an object that keeps a text; below it is the number of the call that returned
/// the object. Tags of loaders and threads are smaller. A tag does not keep its object alive.
const KEEPS_TEXT: i64 = 1 << 62;

/// The number of characters of a string that are looked at.
const MOST_CHARACTERS: usize = 1 << 16;

extern "system" fn ask(env: *mut JNIEnv, _: jclass, method: jint, argument: jobject) -> jint {
    guard(method, || {
        // SAFETY: the JVM passed the environment of this thread.
        let jni = unsafe { Jni::new(env) };
        let Some(session) = session() else { return method };
        let number = method as u32;
        let split = session.recorder.splits.as_ref().and_then(|splits| splits.method(number));
        let Some(split) = split else { return method };
        let text = match split.reading {
            _ if argument.is_null() => Text::Null,
            Reading::Itself | Reading::KeptByResult => {
                string(jni, argument).map_or(Text::Unknown, Text::Known)
            }
            Reading::Kept => match session.jvmti.tag(argument) {
                tag if tag & KEEPS_TEXT != 0 => Text::Kept(tag as u32),
                _ => Text::Unknown,
            },
            Reading::Getters(getters) => answers(session, jni, argument, getters),
            Reading::GettersOf(start, part, getters) => {
                match is_of(session, jni, argument, start, part) {
                    true => answers(session, jni, argument, getters),
                    false => Text::Unknown,
                }
            }
        };
        session.recorder.number_of_text(number, text) as jint
    })
}

extern "system" fn keep(_: *mut JNIEnv, _: jclass, object: jobject, number: jint) {
    guard((), || {
        let Some(session) = session() else { return };
        if object.is_null() {
            return;
        }
        let number = number as u32;
        let splits = session.recorder.splits.as_ref();
        let is_kept = splits.is_some_and(|splits| splits.is_kept(number));
        let tag = if is_kept { KEEPS_TEXT | i64::from(number) } else { 0 };
        session.jvmti.set_tag(object, tag);
    });
}

/// The text of an object that is a string.
fn string(jni: Jni, object: jobject) -> Option<String> {
    let class = jni.find_class(c"java/lang/String")?;
    let is_string = jni.is_instance(object, class);
    jni.forget_local(class);
    is_string.then(|| jni.start_of_string(object, MOST_CHARACTERS)).flatten()
}

/// Whether the name of an object's class begins so, and has this part.
fn is_of(session: &Session, jni: Jni, object: jobject, start: &str, part: &str) -> bool {
    let Some(class) = jni.class_of(object) else { return false };
    let name = session.jvmti.class_name(class).unwrap_or_default();
    jni.forget_local(class);
    let name = modified_utf8::decode(&name);
    name.strip_prefix(start).is_some_and(|rest| rest.contains(part))
}

/// What an object answers. The program's methods are called, so what they execute is not
/// recorded, and what they throw is not thrown.
fn answers(session: &Session, jni: Jni, object: jobject, getters: &[Getter]) -> Text {
    let answers = || -> Option<Vec<String>> {
        let ask = |getter: &Getter| {
            let first = Some(object);
            let answer = getter.iter().fold(first, |object, (name, signature)| {
                let object = object?;
                let class = jni.class_of(object)?;
                jni.call_object(object, jni.method(class, name, signature)?)
            });
            string(jni, answer?)
        };
        getters.iter().map(ask).collect()
    };
    let answers = session.unrecorded(jni, || session.in_frame(answers));
    answers.map_or(Text::Unknown, |answers| Text::Known(answers.join(" ")))
}
