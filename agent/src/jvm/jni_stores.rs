//! Stores by native code.
//!
//! It stores through the table of JNI's functions, in which an agent may replace
//! them. Behind each store `java.lang.SubsumeInvalidation` hears of it, so that nobody
//! takes the value for one that was seen being stored there before.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::sync::OnceLock;

use jvmti_bindings::sys::jni::{
    JNIEnv, JNINativeInterface_, jarray, jboolean, jbyte, jchar, jclass, jdouble, jfieldID, jfloat,
    jint, jlong, jmethodID, jobject, jshort, jsize, jstring, jvalue,
};

use super::field_ids::offset_of;
use super::guard;
use super::jni_table::{self, original};
use super::jvmti::Jvmti;
use super::own_work::in_any_case;

/// Who hears of stores.
static LISTENER: OnceLock<Listener> = OnceLock::new();

struct Listener {
    class: jclass,
    invalidate: jmethodID,
    invalidate_elements: jmethodID,
}

// SAFETY: a global reference to a class, and methods of it, which it keeps alive.
unsafe impl Send for Listener {}
// SAFETY: as above.
unsafe impl Sync for Listener {}

/// Puts functions of ours in the places of those that store. `class` is a global
/// reference to `SubsumeInvalidation`, with its methods `invalidate` and
/// `invalidateElements`.
pub fn listen(
    jvmti: Jvmti,
    class: jclass,
    [invalidate, invalidate_elements]: [jmethodID; 2],
) -> bool {
    // Set once, when the runtime classes are defined.
    let _ = LISTENER.set(Listener { class, invalidate, invalidate_elements });
    jni_table::change(jvmti, replace_functions)
}

thread_local! {
    /// The listener runs, which does not have to hear of itself.
    static IS_TELLING: Cell<bool> = const { Cell::new(false) };
    static CRITICAL: RefCell<Critical> = const { RefCell::new(Critical::NONE) };
}

/// Arrays and strings that native code holds in a way that forbids to call Java.
struct Critical {
    held: u32,
    /// Arrays that were written, of which nobody was told yet. Their references stay
    /// what they are until nothing is held.
    written: Vec<jarray>,
}

impl Critical {
    const NONE: Self = Self { held: 0, written: Vec::new() };

    fn hold(&mut self) {
        self.held += 1;
    }

    /// Elements are written back, in one of the ways of JNI; the arrays of which Java
    /// can be told now. With [`JNI_COMMIT`] the array is held on, and given back once
    /// more later.
    fn give_back(&mut self, array: jarray, mode: jint) -> Vec<jarray> {
        if mode != JNI_ABORT && !self.written.contains(&array) {
            self.written.push(array);
        }
        if mode == JNI_COMMIT { Vec::new() } else { self.release() }
    }

    /// Something is not held any longer; the arrays of which Java can be told now.
    fn release(&mut self) -> Vec<jarray> {
        self.held = self.held.saturating_sub(1);
        if self.held == 0 { std::mem::take(&mut self.written) } else { Vec::new() }
    }
}

/// What this thread holds; nothing while the thread ends.
fn critical<R: Default>(change: impl FnOnce(&mut Critical) -> R) -> R {
    CRITICAL.try_with(|critical| change(&mut critical.borrow_mut())).unwrap_or_default()
}

/// Calls a method of the listener, unless an exception is pending: then nothing
/// was stored, or nothing will be used.
fn tell(env: *mut JNIEnv, method: fn(&Listener) -> jmethodID, arguments: [jvalue; 3]) {
    let (Some(jni), Some(listener)) = (original(), LISTENER.get()) else { return };
    if IS_TELLING.replace(true) {
        return;
    }
    in_any_case(
        || IS_TELLING.set(false),
        // SAFETY: the environment is that of this thread; the method is a static one of the
        // class, without a result, and the arguments are of the types that it has.
        || unsafe {
            if (jni.ExceptionCheck)(env) == 0 {
                let method = method(listener);
                (jni.CallStaticVoidMethodA)(env, listener.class, method, arguments.as_ptr());
                if (jni.ExceptionCheck)(env) != 0 {
                    (jni.ExceptionClear)(env);
                }
            }
        },
    );
}

fn tell_of_field(env: *mut JNIEnv, owner: jobject, field: jfieldID, is_static: bool) {
    guard((), || {
        let offset = offset_of(field, is_static) as jlong;
        let arguments = [jvalue { l: owner }, jvalue { j: offset }, jvalue { j: 1 }];
        tell(env, |listener| listener.invalidate, arguments);
    });
}

fn tell_of_elements(env: *mut JNIEnv, array: jarray, start: jsize, count: jsize) {
    guard((), || {
        let arguments = [jvalue { l: array }, jvalue { i: start }, jvalue { i: count }];
        tell(env, |listener| listener.invalidate_elements, arguments);
    });
}

fn tell_of_array(env: *mut JNIEnv, array: jarray) {
    let Some(jni) = original() else { return };
    // SAFETY: the array is one that the caller has just written.
    let length = unsafe { (jni.GetArrayLength)(env, array) };
    tell_of_elements(env, array, 0, length);
}

/// Elements are written back, and not freed.
const JNI_COMMIT: jint = 1;
/// In place of giving elements back: they are thrown away.
const JNI_ABORT: jint = 2;

/// Functions with these names, which do what the JVM's do and then tell of it, and
/// what puts them in their places.
macro_rules! functions {
    (
        fields { $($field:ident $of_field:ty;)* }
        statics { $($static:ident $of_static:ty;)* }
        regions { $($region:ident $of_region:ty;)* }
        releases { $($release:ident $of_release:ty;)* }
    ) => {
        $(unsafe extern "system" fn $field(
            env: *mut JNIEnv,
            object: jobject,
            field: jfieldID,
            value: $of_field,
        ) {
            let Some(jni) = original() else { return };
            // SAFETY: the caller's arguments.
            unsafe { (jni.$field)(env, object, field, value) };
            tell_of_field(env, object, field, false);
        })*
        $(unsafe extern "system" fn $static(
            env: *mut JNIEnv,
            class: jclass,
            field: jfieldID,
            value: $of_static,
        ) {
            let Some(jni) = original() else { return };
            // SAFETY: the caller's arguments.
            unsafe { (jni.$static)(env, class, field, value) };
            tell_of_field(env, class, field, true);
        })*
        $(unsafe extern "system" fn $region(
            env: *mut JNIEnv,
            array: jarray,
            start: jsize,
            count: jsize,
            values: *const $of_region,
        ) {
            let Some(jni) = original() else { return };
            // SAFETY: the caller's arguments.
            unsafe { (jni.$region)(env, array, start, count, values) };
            tell_of_elements(env, array, start, count);
        })*
        $(unsafe extern "system" fn $release(
            env: *mut JNIEnv,
            array: jarray,
            values: *mut $of_release,
            mode: jint,
        ) {
            let Some(jni) = original() else { return };
            // SAFETY: the caller's arguments.
            unsafe { (jni.$release)(env, array, values, mode) };
            if mode != JNI_ABORT {
                tell_of_array(env, array);
            }
        })*

        pub(super) fn replace_functions(table: &mut JNINativeInterface_) {
            $(table.$field = $field;)*
            $(table.$static = $static;)*
            $(table.$region = $region;)*
            $(table.$release = $release;)*
            table.SetObjectArrayElement = set_object_array_element;
            table.GetPrimitiveArrayCritical = get_primitive_array_critical;
            table.ReleasePrimitiveArrayCritical = release_primitive_array_critical;
            table.GetStringCritical = get_string_critical;
            table.ReleaseStringCritical = release_string_critical;
        }
    };
}

/// Named as in JNI.
#[allow(non_snake_case)]
mod named {
    use super::*;

    functions! {
        fields {
            SetObjectField jobject;
            SetBooleanField jboolean;
            SetByteField jbyte;
            SetCharField jchar;
            SetShortField jshort;
            SetIntField jint;
            SetLongField jlong;
            SetFloatField jfloat;
            SetDoubleField jdouble;
        }
        statics {
            SetStaticObjectField jobject;
            SetStaticBooleanField jboolean;
            SetStaticByteField jbyte;
            SetStaticCharField jchar;
            SetStaticShortField jshort;
            SetStaticIntField jint;
            SetStaticLongField jlong;
            SetStaticFloatField jfloat;
            SetStaticDoubleField jdouble;
        }
        regions {
            SetBooleanArrayRegion jboolean;
            SetByteArrayRegion jbyte;
            SetCharArrayRegion jchar;
            SetShortArrayRegion jshort;
            SetIntArrayRegion jint;
            SetLongArrayRegion jlong;
            SetFloatArrayRegion jfloat;
            SetDoubleArrayRegion jdouble;
        }
        releases {
            ReleaseBooleanArrayElements jboolean;
            ReleaseByteArrayElements jbyte;
            ReleaseCharArrayElements jchar;
            ReleaseShortArrayElements jshort;
            ReleaseIntArrayElements jint;
            ReleaseLongArrayElements jlong;
            ReleaseFloatArrayElements jfloat;
            ReleaseDoubleArrayElements jdouble;
        }
    }
}
use named::replace_functions;

unsafe extern "system" fn set_object_array_element(
    env: *mut JNIEnv,
    array: jarray,
    index: jsize,
    value: jobject,
) {
    let Some(jni) = original() else { return };
    // SAFETY: the caller's arguments.
    unsafe { (jni.SetObjectArrayElement)(env, array, index, value) };
    tell_of_elements(env, array, index, 1);
}

unsafe extern "system" fn get_primitive_array_critical(
    env: *mut JNIEnv,
    array: jarray,
    is_copy: *mut jboolean,
) -> *mut c_void {
    let Some(jni) = original() else { return std::ptr::null_mut() };
    // SAFETY: the caller's arguments.
    let elements = unsafe { (jni.GetPrimitiveArrayCritical)(env, array, is_copy) };
    if !elements.is_null() {
        critical(Critical::hold);
    }
    elements
}

unsafe extern "system" fn release_primitive_array_critical(
    env: *mut JNIEnv,
    array: jarray,
    elements: *mut c_void,
    mode: jint,
) {
    let Some(jni) = original() else { return };
    // SAFETY: the caller's arguments.
    unsafe { (jni.ReleasePrimitiveArrayCritical)(env, array, elements, mode) };
    for array in critical(|critical| critical.give_back(array, mode)) {
        tell_of_array(env, array);
    }
}

unsafe extern "system" fn get_string_critical(
    env: *mut JNIEnv,
    string: jstring,
    is_copy: *mut jboolean,
) -> *const jchar {
    let Some(jni) = original() else { return std::ptr::null() };
    // SAFETY: the caller's arguments.
    let characters = unsafe { (jni.GetStringCritical)(env, string, is_copy) };
    if !characters.is_null() {
        critical(Critical::hold);
    }
    characters
}

unsafe extern "system" fn release_string_critical(
    env: *mut JNIEnv,
    string: jstring,
    characters: *const jchar,
) {
    let Some(jni) = original() else { return };
    // SAFETY: the caller's arguments.
    unsafe { (jni.ReleaseStringCritical)(env, string, characters) };
    for array in critical(Critical::release) {
        tell_of_array(env, array);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(number: usize) -> jarray {
        std::ptr::without_provenance_mut(number * 8)
    }

    #[test]
    fn java_is_told_when_nothing_is_held_any_more() {
        let mut critical = Critical::NONE;
        critical.hold();
        critical.hold();
        critical.hold();
        assert_eq!(critical.give_back(array(1), 0), []);
        assert_eq!(critical.give_back(array(2), JNI_ABORT), []);
        assert_eq!(critical.release(), [array(1)]);
        critical.hold();
        assert_eq!(critical.give_back(array(3), JNI_ABORT), []);
    }

    #[test]
    fn an_array_that_is_committed_is_still_held() {
        let mut critical = Critical::NONE;
        critical.hold();
        critical.hold();
        assert_eq!(critical.give_back(array(1), JNI_COMMIT), []);
        assert_eq!(critical.give_back(array(2), 0), []);
        // The first one is, and native code may go on to write to it.
        assert_eq!(critical.give_back(array(1), JNI_COMMIT), []);
        assert_eq!(critical.give_back(array(1), 0), [array(1), array(2)]);
    }
}
