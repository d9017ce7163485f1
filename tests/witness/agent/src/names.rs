//! Does in all runs what otherwise only runs under the profiler do.
#![allow(unsafe_code)]

use jvmti_bindings::sys::jni::{JNIEnv, jobject};

/// Asks for the name of `java.lang.Class`, given any object.
///
/// The class library keeps tables of members that are hidden from reflection,
/// with classes as keys. The profiler adds to them. With all identity hashes
/// equal (`-XX:hashCode=2`, which the tests need), the larger tables order their
/// keys by the name of the keys' class, so that this name is known before
/// `main`, while it is made later in a run without the profiler.
pub fn know_class_name(env: *mut JNIEnv, object: jobject) {
    // SAFETY: the JVM passed the environment of this thread and a live reference;
    // `getName` of `Class` takes nothing and returns a reference, which is freed
    // when the callback returns.
    unsafe {
        let table = &**env;
        let class = (table.GetObjectClass)(env, object);
        let class_of_classes = (table.GetObjectClass)(env, class);
        let name = c"getName".as_ptr();
        let descriptor = c"()Ljava/lang/String;".as_ptr();
        let method = (table.GetMethodID)(env, class_of_classes, name, descriptor);
        if !method.is_null() {
            (table.CallObjectMethodA)(env, class_of_classes, method, std::ptr::null());
        }
    }
}

/// Initialises the class of such a table's keys once they are many.
///
/// A JVM with few modules gets so many only by those that the profiler adds, and
/// elsewhere initialises the class in the midst of the program.
pub fn know_large_tables(env: *mut JNIEnv) {
    // SAFETY: the JVM passed the environment of this thread; the reference is freed
    // when the callback returns. The class is one of the boot loader, and finding it
    // initialises it.
    unsafe {
        let table = &**env;
        let found = (table.FindClass)(env, c"java/util/HashMap$TreeNode".as_ptr());
        if found.is_null() {
            (table.ExceptionClear)(env);
        }
    }
}
