//! Calls by native code.
//!
//! What native code was called with lies on the tracking stack, since nobody has
//! taken it. If it calls, or returns from, a method that has its own name and
//! descriptor, what lies there would pass for what it hands on; and so would what a
//! constructor has left there that native code calls. A constructor that throws leaves
//! the context of the object that is given up, too, and native code may go on. It calls
//! through the table of JNI's functions, in which those that call clear the tracking
//! stack before and afterwards, and put the context back.

use std::sync::OnceLock;

use jvmti_bindings::sys::jni::{
    JNIEnv, JNINativeInterface_, jboolean, jbyte, jchar, jclass, jdouble, jfloat, jint, jlong,
    jmethodID, jobject, jshort, jvalue, va_list,
};

use super::guard;
use super::jni_table::{self, original};
use super::jvmti::Jvmti;

/// What clears the tracking stack.
static STACK: OnceLock<Stack> = OnceLock::new();

struct Stack {
    class: jclass,
    calls: jmethodID,
    returns: jmethodID,
}

// SAFETY: a global reference to a class, and methods of it, which it keeps alive.
unsafe impl Send for Stack {}
// SAFETY: as above.
unsafe impl Sync for Stack {}

/// Puts functions of ours in the places of those that call. `class` is a global
/// reference to `SubsumeStack`; `methods` are its `nativeCalls` and `nativeReturns`.
pub fn clear_around(jvmti: Jvmti, class: jclass, methods: [jmethodID; 2]) -> bool {
    let [calls, returns] = methods;
    // Set once, when the runtime classes are defined.
    let _ = STACK.set(Stack { class, calls, returns });
    jni_table::change(jvmti, replace_functions)
}

/// Clears the tracking stack of this thread before a call: the context that the call is
/// made in.
fn before(env: *mut JNIEnv) -> jint {
    let mut context = 0;
    tell(env, |jni, stack| {
        // SAFETY: the environment is that of this thread; the method is a static one of
        // the class, without arguments.
        context =
            unsafe { (jni.CallStaticIntMethodA)(env, stack.class, stack.calls, std::ptr::null()) };
    });
    context
}

/// Clears it afterwards, and puts the context back.
fn after(env: *mut JNIEnv, context: jint) {
    tell(env, |jni, stack| {
        let argument = jvalue { i: context };
        // SAFETY: as before; the method has one argument, an `int`, and no result.
        unsafe { (jni.CallStaticVoidMethodA)(env, stack.class, stack.returns, &argument) };
    });
}

/// Calls a method of the tracking stack. An exception that is pending still is
/// afterwards.
fn tell(env: *mut JNIEnv, what: impl FnOnce(&JNINativeInterface_, &Stack)) {
    guard((), || {
        let (Some(jni), Some(stack)) = (original(), STACK.get()) else { return };
        // SAFETY: the environment is that of this thread.
        unsafe {
            let thrown = (jni.ExceptionOccurred)(env);
            if !thrown.is_null() {
                (jni.ExceptionClear)(env);
            }
            what(jni, stack);
            if (jni.ExceptionCheck)(env) != 0 {
                (jni.ExceptionClear)(env);
            }
            if !thrown.is_null() {
                (jni.Throw)(env, thrown);
                (jni.DeleteLocalRef)(env, thrown);
            }
        }
    });
}

/// Functions with these names, which do what the JVM's do between clearing the
/// tracking stack twice, and what puts them in their places.
///
/// Each kind of call has three functions, by how they take the arguments. Rust
/// defines none that take them behind `...`, so [`variadic`] goes by the one that
/// takes them as a `va_list`.
macro_rules! functions {
    (
        virtual { $($virtual:ident $virtual_v:ident $virtual_a:ident $of_virtual:ty;)* }
        nonvirtual { $($special:ident $special_v:ident $special_a:ident $of_special:ty;)* }
        static { $($static:ident $static_v:ident $static_a:ident $of_static:ty;)* }
    ) => {
        $(functions!(@calls $virtual_v (object: jobject) va_list, $of_virtual);)*
        $(functions!(@calls $virtual_a (object: jobject) *const jvalue, $of_virtual);)*
        $(functions!(@calls $special_v (object: jobject, class: jclass) va_list, $of_special);)*
        $(functions!(@calls $special_a (object: jobject, class: jclass) *const jvalue, $of_special);)*
        $(functions!(@calls $static_v (class: jclass) va_list, $of_static);)*
        $(functions!(@calls $static_a (class: jclass) *const jvalue, $of_static);)*
        #[cfg(target_arch = "x86_64")]
        mod behind_dots {
            $(variadic!($virtual of 3 by $virtual_v);)*
            $(variadic!($special of 4 by $special_v);)*
            $(variadic!($static of 3 by $static_v);)*
        }

        // The places in the table say what type they have.
        #[allow(clippy::missing_transmute_annotations)]
        pub(super) fn replace_functions(table: &mut JNINativeInterface_) {
            $(table.$virtual_v = $virtual_v; table.$virtual_a = $virtual_a;)*
            $(table.$special_v = $special_v; table.$special_a = $special_a;)*
            $(table.$static_v = $static_v; table.$static_a = $static_a;)*
            #[cfg(target_arch = "x86_64")]
            {
                $(functions!(@place table $virtual);)*
                $(functions!(@place table $special);)*
                $(functions!(@place table $static);)*
            }
        }
    };
    (@calls $name:ident ($($whom:ident: $type:ty),*) $arguments:ty, $result:ty) => {
        unsafe extern "system" fn $name(
            env: *mut JNIEnv,
            $($whom: $type,)*
            method: jmethodID,
            arguments: $arguments,
        ) -> $result {
            // They are replaced when that is known, and the JVM never takes it back.
            let jni = original().expect("the functions in the table have been replaced");
            let context = before(env);
            // SAFETY: the caller's arguments.
            let result = unsafe { (jni.$name)(env, $($whom,)* method, arguments) };
            after(env, context);
            result
        }
    };
    (@place $table:ident $name:ident) => {
        // SAFETY: a function that takes what that in its place takes.
        $table.$name = unsafe { std::mem::transmute(behind_dots::$name as *const ()) };
    };
}

/// A function that takes its arguments behind `...` and hands them, as a `va_list`,
/// to another one, which has so many others before (System V ABI for AMD64, 3.5.7).
#[cfg(target_arch = "x86_64")]
macro_rules! variadic {
    ($name:ident of 3 by $list:ident) => {
        variadic!($name, $list, "24", "mov rcx, rsp");
    };
    ($name:ident of 4 by $list:ident) => {
        variadic!($name, $list, "32", "mov r8, rsp");
    };
    ($name:ident, $list:ident, $bytes:literal, $pass:literal) => {
        #[unsafe(naked)]
        pub(super) unsafe extern "C" fn $name() {
            std::arch::naked_asm!(
                "push rbp",
                "mov rbp, rsp",
                // The list takes 24 bytes; from 32 on are registers with arguments.
                "sub rsp, 208",
                "mov [rsp + 32], rdi",
                "mov [rsp + 40], rsi",
                "mov [rsp + 48], rdx",
                "mov [rsp + 56], rcx",
                "mov [rsp + 64], r8",
                "mov [rsp + 72], r9",
                "movaps [rsp + 80], xmm0",
                "movaps [rsp + 96], xmm1",
                "movaps [rsp + 112], xmm2",
                "movaps [rsp + 128], xmm3",
                "movaps [rsp + 144], xmm4",
                "movaps [rsp + 160], xmm5",
                "movaps [rsp + 176], xmm6",
                "movaps [rsp + 192], xmm7",
                // Those before the dots are not of the list.
                concat!("mov dword ptr [rsp], ", $bytes),
                "mov dword ptr [rsp + 4], 48",
                "lea rax, [rbp + 16]",
                "mov [rsp + 8], rax",
                "lea rax, [rsp + 32]",
                "mov [rsp + 16], rax",
                $pass,
                "call {list}",
                "leave",
                "ret",
                list = sym super::$list,
            )
        }
    };
}
/// Named as in JNI.
#[allow(non_snake_case)]
mod named {
    use super::*;

    functions! {
        virtual {
            CallObjectMethod CallObjectMethodV CallObjectMethodA jobject;
            CallBooleanMethod CallBooleanMethodV CallBooleanMethodA jboolean;
            CallByteMethod CallByteMethodV CallByteMethodA jbyte;
            CallCharMethod CallCharMethodV CallCharMethodA jchar;
            CallShortMethod CallShortMethodV CallShortMethodA jshort;
            CallIntMethod CallIntMethodV CallIntMethodA jint;
            CallLongMethod CallLongMethodV CallLongMethodA jlong;
            CallFloatMethod CallFloatMethodV CallFloatMethodA jfloat;
            CallDoubleMethod CallDoubleMethodV CallDoubleMethodA jdouble;
            CallVoidMethod CallVoidMethodV CallVoidMethodA ();
        }
        nonvirtual {
            CallNonvirtualObjectMethod CallNonvirtualObjectMethodV CallNonvirtualObjectMethodA jobject;
            CallNonvirtualBooleanMethod CallNonvirtualBooleanMethodV CallNonvirtualBooleanMethodA jboolean;
            CallNonvirtualByteMethod CallNonvirtualByteMethodV CallNonvirtualByteMethodA jbyte;
            CallNonvirtualCharMethod CallNonvirtualCharMethodV CallNonvirtualCharMethodA jchar;
            CallNonvirtualShortMethod CallNonvirtualShortMethodV CallNonvirtualShortMethodA jshort;
            CallNonvirtualIntMethod CallNonvirtualIntMethodV CallNonvirtualIntMethodA jint;
            CallNonvirtualLongMethod CallNonvirtualLongMethodV CallNonvirtualLongMethodA jlong;
            CallNonvirtualFloatMethod CallNonvirtualFloatMethodV CallNonvirtualFloatMethodA jfloat;
            CallNonvirtualDoubleMethod CallNonvirtualDoubleMethodV CallNonvirtualDoubleMethodA jdouble;
            CallNonvirtualVoidMethod CallNonvirtualVoidMethodV CallNonvirtualVoidMethodA ();
        }
        static {
            NewObject NewObjectV NewObjectA jobject;
            CallStaticObjectMethod CallStaticObjectMethodV CallStaticObjectMethodA jobject;
            CallStaticBooleanMethod CallStaticBooleanMethodV CallStaticBooleanMethodA jboolean;
            CallStaticByteMethod CallStaticByteMethodV CallStaticByteMethodA jbyte;
            CallStaticCharMethod CallStaticCharMethodV CallStaticCharMethodA jchar;
            CallStaticShortMethod CallStaticShortMethodV CallStaticShortMethodA jshort;
            CallStaticIntMethod CallStaticIntMethodV CallStaticIntMethodA jint;
            CallStaticLongMethod CallStaticLongMethodV CallStaticLongMethodA jlong;
            CallStaticFloatMethod CallStaticFloatMethodV CallStaticFloatMethodA jfloat;
            CallStaticDoubleMethod CallStaticDoubleMethodV CallStaticDoubleMethodA jdouble;
            CallStaticVoidMethod CallStaticVoidMethodV CallStaticVoidMethodA ();
        }
    }
}
use named::replace_functions;
