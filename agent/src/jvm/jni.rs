//! The part of JNI that the agent uses, with its pointers wrapped.
//!
//! Every function leaves no exception pending: the program must not see one
//! that is not its own.

use std::ffi::{CStr, c_char, c_void};

use jvmti_bindings::sys::jni::{
    JNI_OK, JNI_VERSION_1_8, JNIEnv, JNINativeInterface_, JNINativeMethod, JavaVM,
    JavaVMAttachArgs, jboolean, jbyteArray, jclass, jfieldID, jlongArray, jmethodID, jobject,
    jstring, jvalue,
};

use super::jvmti::Jvmti;
use super::{jni_calls, jni_stores, jni_table, vm_structs};

/// The JVM, as threads that it does not know reach it.
#[derive(Debug, Clone, Copy)]
pub struct Vm(*mut JavaVM);

// SAFETY: the pointer may be used by any thread (JNI specification, "Invocation
// API"), for as long as the process lives.
unsafe impl Send for Vm {}
// SAFETY: as above.
unsafe impl Sync for Vm {}

impl Vm {
    /// Wraps what the JVM passed to `Agent_OnLoad`.
    pub fn new(vm: *mut JavaVM) -> Self {
        Self(vm)
    }

    /// The environment of the current thread; `None` if it is not the JVM's.
    /// Not to be used after the callback in which it was asked for.
    pub fn current(&self) -> Option<Jni> {
        let mut env: *mut c_void = std::ptr::null_mut();
        // SAFETY: `env` is a place for a pointer.
        let code = unsafe { ((**self.0).GetEnv)(self.0, &mut env, JNI_VERSION_1_8) };
        // SAFETY: the JVM gave the environment of this thread.
        (code == JNI_OK && !env.is_null()).then(|| unsafe { Jni::new(env.cast()) })
    }

    /// Makes the current thread one of the JVM's for as long as `body` runs.
    /// `None` if the JVM refuses, as it does when it ends.
    pub fn attached<R>(&self, name: &CStr, body: impl FnOnce(Jni) -> R) -> Option<R> {
        let mut env: *mut c_void = std::ptr::null_mut();
        let mut arguments = JavaVMAttachArgs {
            version: JNI_VERSION_1_8,
            name: name.as_ptr().cast_mut(),
            group: std::ptr::null_mut(),
        };
        // SAFETY: the JVM copies the name and fills in the environment of this
        // thread, which is not used after the thread was detached.
        unsafe {
            let table = &**self.0;
            let place = (&raw mut arguments).cast();
            if (table.AttachCurrentThreadAsDaemon)(self.0, &mut env, place) != JNI_OK {
                return None;
            }
            let jni = Jni::new(env.cast());
            jni.reserve_references();
            let result = body(jni);
            (table.DetachCurrentThread)(self.0);
            Some(result)
        }
    }
}

/// A native method: its name, its signature and the function behind it.
pub type Native = (&'static CStr, &'static CStr, *mut c_void);

/// The JNI environment of the current thread, valid during one callback.
#[derive(Debug, Clone, Copy)]
pub struct Jni(*mut JNIEnv);

impl Jni {
    /// Wraps what the JVM passed to a callback or native method.
    ///
    /// # Safety
    /// `env` is the current thread's environment and not used after the callback.
    pub unsafe fn new(env: *mut JNIEnv) -> Self {
        Self(env)
    }

    /// For what calls JNI beside this module.
    pub(super) fn env(&self) -> *mut JNIEnv {
        self.0
    }

    pub(super) fn table(&self) -> &JNINativeInterface_ {
        // What the agent itself stores is nobody's value, and it calls no method that is
        // followed.
        // SAFETY: valid during the callback by the contract of `new`.
        jni_table::original().unwrap_or_else(|| unsafe { &**self.0 })
    }

    /// Clears a pending exception; true if there was one.
    pub(super) fn failed(&self) -> bool {
        // SAFETY: these two may be called with an exception pending.
        unsafe {
            let pending = (self.table().ExceptionCheck)(self.0) != 0;
            if pending {
                (self.table().ExceptionClear)(self.0);
            }
            pending
        }
    }

    fn unless_failed(&self, reference: jobject) -> Option<jobject> {
        (!self.failed() && !reference.is_null()).then_some(reference)
    }

    /// Tells the JVM that the current callback makes many local references. It
    /// makes room by itself, but complains under `-Xcheck:jni` if it was not told.
    pub fn reserve_references(&self) {
        // The most that HotSpot takes.
        const REFERENCES: i32 = 4096;
        // SAFETY: takes no pointers.
        unsafe { (self.table().EnsureLocalCapacity)(self.0, REFERENCES) };
        self.failed();
    }

    /// A static method, if the class has it.
    fn static_method(&self, class: jclass, name: &CStr, signature: &CStr) -> Option<jmethodID> {
        // SAFETY: a live class; name and signature end with a zero byte.
        let method = unsafe {
            (self.table().GetStaticMethodID)(self.0, class, name.as_ptr(), signature.as_ptr())
        };
        (!self.failed() && !method.is_null()).then_some(method)
    }

    /// Has static methods of a class of ours, without a result, hear of what native
    /// code stores; see [`jni_stores`].
    pub fn tell_of_stores(&self, jvmti: Jvmti, class: jclass) -> bool {
        let methods = [
            self.static_method(class, c"invalidate", c"(Ljava/lang/Object;JJ)V"),
            self.static_method(class, c"invalidateElements", c"(Ljava/lang/Object;II)V"),
        ];
        match (self.global(class), methods) {
            (Some(class), [Some(invalidate), Some(elements)]) => {
                jni_stores::listen(jvmti, class, [invalidate, elements])
            }
            _ => false,
        }
    }

    /// Has `SubsumeStack` cleared, and the context kept, whenever native code calls; see
    /// [`jni_calls`].
    pub fn clear_around_calls(&self, jvmti: Jvmti, class: jclass) -> bool {
        let methods = [
            self.static_method(class, c"nativeCalls", c"()I"),
            self.static_method(class, c"nativeReturns", c"(I)V"),
        ];
        match (self.global(class), methods) {
            (Some(class), [Some(calls), Some(returns)]) => {
                jni_calls::clear_around(jvmti, class, [calls, returns])
            }
            _ => false,
        }
    }

    /// Defines a class in a loader; a null loader is the boot loader.
    pub fn define_class(&self, name: &CStr, loader: jobject, bytes: &[u8]) -> Option<jclass> {
        // SAFETY: the bytes are copied during the call.
        let class = unsafe {
            (self.table().DefineClass)(
                self.0,
                name.as_ptr(),
                loader,
                bytes.as_ptr().cast(),
                bytes.len() as i32,
            )
        };
        self.unless_failed(class)
    }

    /// Finds a class by its internal name in the loader of the class whose
    /// native method is being executed.
    pub fn find_class(&self, name: &CStr) -> Option<jclass> {
        // SAFETY: `name` ends with a zero byte.
        let class = unsafe { (self.table().FindClass)(self.0, name.as_ptr()) };
        self.unless_failed(class)
    }

    /// A class of the boot loader, which no other loader is asked for: these
    /// would remember the name. `class` is any class.
    pub fn boot_class(&self, class: jclass, name: &str) -> Option<jclass> {
        self.class_in_loader(class, name, std::ptr::null_mut())
    }

    /// Has the boot loader load those of the classes that it finds. `class` is any class.
    /// An exception for the others would be the first of its kind, and initialise its class.
    pub fn load_if_there(&self, class: jclass, names: &[&str]) {
        let Some(loader) = self.boot_class(class, "jdk.internal.loader.BootLoader") else { return };
        let signature = c"(Ljava/lang/String;)Ljava/lang/Class;";
        let Some(method) = self.static_method(loader, c"loadClassOrNull", signature) else {
            return;
        };
        for name in names.iter().filter_map(|name| self.new_string(name)) {
            let arguments = [jvalue { l: name }];
            // SAFETY: the method is one of the class; the argument is of the type that its
            // signature says.
            self.unless_failed(unsafe {
                (self.table().CallStaticObjectMethodA)(self.0, loader, method, arguments.as_ptr())
            });
        }
    }

    /// The class that a loader finds for a name with dots. `class` is any class.
    pub fn class_in_loader(&self, class: jclass, name: &str, loader: jobject) -> Option<jclass> {
        let class = self.class_of(class)?;
        let name = self.new_string(name)?;
        let signature = c"(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;";
        let method = self.static_method(class, c"forName", signature)?;
        let arguments = [jvalue { l: name }, jvalue { z: 0 }, jvalue { l: loader }];
        // SAFETY: the method is one of the class; the arguments are of the types that
        // its signature says.
        self.unless_failed(unsafe {
            (self.table().CallStaticObjectMethodA)(self.0, class, method, arguments.as_ptr())
        })
    }

    /// The class that the loader of a class has found for an internal name, by the function of
    /// libjvm with which code is verified: no Java code runs, since the loader has it already.
    pub fn known_class(&self, name: &CStr, from: jclass) -> Option<jclass> {
        type Find =
            unsafe extern "system" fn(*mut JNIEnv, *const c_char, jboolean, jclass) -> jclass;
        let find = vm_structs::symbol(c"JVM_FindClassFromClass")?;
        // SAFETY: HotSpot's function of this name has had these parameters in all releases; the
        // name ends with a zero byte, and the class is a live reference.
        let class = unsafe {
            let find = std::mem::transmute::<*mut c_void, Find>(find);
            find(self.0, name.as_ptr(), 0, from)
        };
        self.unless_failed(class)
    }

    /// A reference that outlives the callback.
    pub fn global(&self, reference: jobject) -> Option<jobject> {
        // SAFETY: `reference` is live during the callback.
        let global = unsafe { (self.table().NewGlobalRef)(self.0, reference) };
        self.unless_failed(global)
    }

    /// Gives such a reference back.
    pub fn forget_global(&self, reference: jobject) {
        // SAFETY: made by `global`, and given back once.
        unsafe { (self.table().DeleteGlobalRef)(self.0, reference) };
    }

    /// Gives a local reference back before the callback ends.
    pub fn forget_local(&self, reference: jobject) {
        // SAFETY: a local reference of this callback, or null, which nobody uses any more.
        unsafe { (self.table().DeleteLocalRef)(self.0, reference) };
    }

    /// Runs `body` with a frame of its own for local references, of which it makes so many:
    /// they are gone afterwards. It must not return one.
    pub fn in_frame<R>(&self, references: usize, body: impl FnOnce() -> R) -> R {
        // What HotSpot takes at most unless a flag says otherwise (MaxJNILocalCapacity).
        const MOST: usize = 65_536;
        // SAFETY: takes no pointers.
        let is_framed =
            unsafe { (self.table().PushLocalFrame)(self.0, references.min(MOST) as i32) == JNI_OK };
        if !is_framed {
            self.failed();
            return body();
        }
        // Also where `body` panics.
        let _frame = Frame(*self);
        body()
    }

    /// Binds native methods of a class, or leaves it: then the first call of one
    /// throws, and the agent gives up before anything is instrumented.
    pub fn bind(&self, class: jclass, natives: &[Native]) {
        let methods: Vec<JNINativeMethod> = natives
            .iter()
            .map(|&(name, signature, code)| JNINativeMethod {
                name: name.as_ptr(),
                signature: signature.as_ptr(),
                fnPtr: code,
            })
            .collect();
        // SAFETY: names and signatures in `methods` end with a zero byte and the
        // functions have the types that the signatures say (see `natives`).
        unsafe {
            (self.table().RegisterNatives)(self.0, class, methods.as_ptr(), methods.len() as i32)
        };
        self.failed();
    }

    /// Calls a static void method that takes one array of strings.
    pub fn call_with_strings(&self, class: jclass, name: &CStr, strings: &[String]) -> bool {
        let Some(array) = self.string_array(strings) else { return false };
        let signature = c"([Ljava/lang/String;)V";
        let Some(method) = self.static_method(class, name, signature) else { return false };
        let arguments = [jvalue { l: array }];
        // SAFETY: the method is one of the class; the argument is of the type that its
        // signature says.
        unsafe {
            (self.table().CallStaticVoidMethodA)(self.0, class, method, arguments.as_ptr());
        }
        !self.failed()
    }

    /// A new array of strings in the Java heap.
    pub fn string_array(&self, strings: &[String]) -> Option<jobject> {
        // The class is taken from a string, since looking it up by its name would
        // ask the application's loader.
        let empty = self.new_string("")?;
        // SAFETY: a live object; a null first element.
        let array = unsafe {
            let class = (self.table().GetObjectClass)(self.0, empty);
            (self.table().NewObjectArray)(self.0, strings.len() as i32, class, std::ptr::null_mut())
        };
        let array = self.unless_failed(array)?;
        for (index, text) in (0..).zip(strings) {
            let string = self.new_string(text)?;
            // SAFETY: a live array of strings; the index is in it.
            unsafe { (self.table().SetObjectArrayElement)(self.0, array, index, string) };
            if self.failed() {
                return None;
            }
        }
        Some(array)
    }

    /// A new array of so many null references, in an array class of strings.
    pub fn empty_references(&self, length: i32) -> Option<jobject> {
        let empty = self.new_string("")?;
        // SAFETY: a live object; a null first element.
        let array = unsafe {
            let class = (self.table().GetObjectClass)(self.0, empty);
            (self.table().NewObjectArray)(self.0, length, class, std::ptr::null_mut())
        };
        self.unless_failed(array)
    }

    /// A new string in the Java heap.
    pub fn new_string(&self, text: &str) -> Option<jobject> {
        let units: Vec<u16> = text.encode_utf16().collect();
        let length = i32::try_from(units.len()).ok()?;
        // SAFETY: so many units are there.
        self.unless_failed(unsafe { (self.table().NewString)(self.0, units.as_ptr(), length) })
    }

    /// An instance field of a class.
    pub fn field(&self, class: jclass, name: &CStr, signature: &CStr) -> Option<Field> {
        // SAFETY: name and signature end with a zero byte.
        let field =
            unsafe { (self.table().GetFieldID)(self.0, class, name.as_ptr(), signature.as_ptr()) };
        (!self.failed() && !field.is_null()).then_some(Field(field))
    }

    /// Reads a reference field of an object of the field's class; `None` if it is null.
    pub fn get_object(&self, object: jobject, field: Field) -> Option<jobject> {
        // SAFETY: callers pass objects of the field's class, and fields with references.
        let found = unsafe { (self.table().GetObjectField)(self.0, object, field.0) };
        (!found.is_null()).then_some(found)
    }

    /// Reads an int field of an object of the field's class.
    pub fn get_int(&self, object: jobject, field: Field) -> u32 {
        // SAFETY: callers pass threads only, and the field is one of Thread.
        unsafe { (self.table().GetIntField)(self.0, object, field.0) as u32 }
    }

    /// Writes an int field of an object of the field's class.
    pub fn set_int(&self, object: jobject, field: Field, value: u32) {
        // SAFETY: as in `get_int`.
        unsafe { (self.table().SetIntField)(self.0, object, field.0, value as i32) };
    }

    /// Reads a long field of an object of the field's class.
    pub fn get_long(&self, object: jobject, field: Field) -> u64 {
        // SAFETY: as in `get_int`.
        unsafe { (self.table().GetLongField)(self.0, object, field.0) as u64 }
    }

    /// Writes a long field of an object of the field's class.
    pub fn set_long(&self, object: jobject, field: Field, value: u64) {
        // SAFETY: as in `get_int`.
        unsafe { (self.table().SetLongField)(self.0, object, field.0, value as i64) };
    }

    /// Writes a static boolean field, if the class has it.
    pub fn set_static_boolean(&self, class: jclass, name: &CStr, value: bool) {
        // Clears an exception that an earlier call left: JNI forbids the calls below with one.
        self.failed();
        // SAFETY: a live class; name and signature end with a zero byte.
        unsafe {
            let field =
                (self.table().GetStaticFieldID)(self.0, class, name.as_ptr(), c"Z".as_ptr());
            if !self.failed() && !field.is_null() {
                (self.table().SetStaticBooleanField)(self.0, class, field, value.into());
            }
        }
    }

    /// A static field with a reference, which the class has.
    pub fn static_object(&self, class: jclass, name: &CStr, signature: &CStr) -> Option<jobject> {
        let table = self.table();
        // SAFETY: a live class; name and signature end with a zero byte; the field is one of
        // the class, and a reference by its signature.
        let found = unsafe {
            let field = (table.GetStaticFieldID)(self.0, class, name.as_ptr(), signature.as_ptr());
            if self.failed() || field.is_null() {
                return None;
            }
            (table.GetStaticObjectField)(self.0, class, field)
        };
        (!found.is_null()).then_some(found)
    }

    /// The method that a `java.lang.reflect.Method` stands for; `None` of null.
    pub fn reflected_method(&self, method: jobject) -> Option<jmethodID> {
        if method.is_null() {
            return None;
        }
        // SAFETY: a live object of that class.
        let id = unsafe { (self.table().FromReflectedMethod)(self.0, method) };
        (!self.failed() && !id.is_null()).then_some(id)
    }

    /// A method of objects of a class, if it has it.
    pub fn method(&self, class: jclass, name: &CStr, signature: &CStr) -> Option<jmethodID> {
        // SAFETY: a live class; name and signature end with a zero byte.
        let method =
            unsafe { (self.table().GetMethodID)(self.0, class, name.as_ptr(), signature.as_ptr()) };
        (!self.failed() && !method.is_null()).then_some(method)
    }

    /// A static field that is an int, or a long, by JDK. `None` if the class has none of them.
    pub fn static_number(&self, class: jclass, name: &CStr) -> Option<i64> {
        let table = self.table();
        let field = |signature: &CStr| {
            // SAFETY: a live class; name and signature end with a zero byte.
            let field = unsafe {
                (table.GetStaticFieldID)(self.0, class, name.as_ptr(), signature.as_ptr())
            };
            (!self.failed() && !field.is_null()).then_some(field)
        };
        if let Some(int) = field(c"I") {
            // SAFETY: the field is one of the class, and an int.
            return Some(unsafe { (table.GetStaticIntField)(self.0, class, int) }.into());
        }
        // SAFETY: as before, a long.
        field(c"J").map(|long| unsafe { (table.GetStaticLongField)(self.0, class, long) })
    }

    /// Calls a static method without arguments that returns a boolean. `None`
    /// if there is none, or if it throws.
    pub fn call_static_boolean(&self, class: jclass, name: &CStr) -> Option<bool> {
        let method = self.static_method(class, name, c"()Z")?;
        // SAFETY: the method is one of the class and takes no arguments.
        let result = unsafe {
            (self.table().CallStaticBooleanMethodA)(self.0, class, method, std::ptr::null())
        };
        (!self.failed()).then_some(result != 0)
    }

    /// Calls a static method without arguments that returns an object.
    pub fn call_static_object(
        &self,
        class: jclass,
        name: &CStr,
        signature: &CStr,
    ) -> Option<jobject> {
        let method = self.static_method(class, name, signature)?;
        // SAFETY: as in `call_static_boolean`; callers' signatures take no arguments
        // and return an object.
        self.unless_failed(unsafe {
            (self.table().CallStaticObjectMethodA)(self.0, class, method, std::ptr::null())
        })
    }

    /// The offset that `Unsafe` says a field of a class has. `class` is one of the boot loader.
    pub fn unsafe_offset(&self, class: jclass, field: jfieldID, is_static: bool) -> Option<u64> {
        let owner = self.boot_class(class, "jdk.internal.misc.Unsafe")?;
        let object =
            self.call_static_object(owner, c"getUnsafe", c"()Ljdk/internal/misc/Unsafe;")?;
        let name = if is_static { c"staticFieldOffset" } else { c"objectFieldOffset" };
        let signature = c"(Ljava/lang/reflect/Field;)J";
        let table = self.table();
        // SAFETY: a live class and a field of it, static or not as it says; the method is one
        // of the object's class, and the argument is of the type that its signature says.
        let offset = unsafe {
            let found = (table.ToReflectedField)(self.0, class, field, is_static.into());
            let reflected = self.unless_failed(found)?;
            let method = (table.GetMethodID)(self.0, owner, name.as_ptr(), signature.as_ptr());
            if self.failed() || method.is_null() {
                return None;
            }
            (table.CallLongMethodA)(self.0, object, method, &jvalue { l: reflected })
        };
        if self.failed() { None } else { u64::try_from(offset).ok() }
    }

    /// The class of an object.
    pub fn class_of(&self, object: jobject) -> Option<jclass> {
        // SAFETY: a live object.
        let class = unsafe { (self.table().GetObjectClass)(self.0, object) };
        (!class.is_null()).then_some(class)
    }

    /// The superclass, if there is one.
    pub fn superclass(&self, class: jclass) -> Option<jclass> {
        // SAFETY: a live class.
        let superclass = unsafe { (self.table().GetSuperclass)(self.0, class) };
        (!superclass.is_null()).then_some(superclass)
    }

    /// A class and its superclasses, up to `Object`.
    pub fn with_superclasses(self, class: jclass) -> impl Iterator<Item = jclass> {
        std::iter::successors(Some(class), move |&class| self.superclass(class))
    }

    /// True if a class, which is initialised, has a `clone` of its own or of a
    /// superclass other than `Object`.
    pub fn overrides_clone(&self, class: jclass) -> bool {
        let method = |class| {
            let (name, descriptor) = (c"clone".as_ptr(), c"()Ljava/lang/Object;".as_ptr());
            // SAFETY: a live class; both names end with a zero byte.
            unsafe { (self.table().GetMethodID)(self.0, class, name, descriptor) }
        };
        let root = self.with_superclasses(class).last();
        root.is_some_and(|root| method(class) != method(root))
    }

    /// True if both are the same object.
    pub fn is_same(&self, one: jobject, other: jobject) -> bool {
        // SAFETY: both are live references.
        unsafe { (self.table().IsSameObject)(self.0, one, other) != 0 }
    }

    /// True if the object is of the class or a subclass of it.
    pub fn is_instance(&self, object: jobject, class: jclass) -> bool {
        // SAFETY: both are live references.
        unsafe { (self.table().IsInstanceOf)(self.0, object, class) != 0 }
    }

    /// Copies a byte array out of the Java heap.
    pub fn bytes(&self, array: jbyteArray) -> Option<Vec<u8>> {
        if array.is_null() {
            return None;
        }
        // SAFETY: a live byte array; the region is the whole array and so is `bytes`.
        unsafe {
            let length = (self.table().GetArrayLength)(self.0, array);
            let mut bytes = vec![0_u8; usize::try_from(length).ok()?];
            (self.table().GetByteArrayRegion)(self.0, array, 0, length, bytes.as_mut_ptr().cast());
            (!self.failed()).then_some(bytes)
        }
    }

    /// A new byte array in the Java heap.
    pub fn byte_array(&self, bytes: &[u8]) -> Option<jbyteArray> {
        let length = i32::try_from(bytes.len()).ok()?;
        // SAFETY: the region is the whole array and so is `bytes`.
        unsafe {
            let array = self.unless_failed((self.table().NewByteArray)(self.0, length))?;
            (self.table().SetByteArrayRegion)(self.0, array, 0, length, bytes.as_ptr().cast());
            self.unless_failed(array)
        }
    }

    /// A new array of longs in the Java heap.
    pub fn long_array(&self, numbers: &[i64]) -> Option<jlongArray> {
        let length = i32::try_from(numbers.len()).ok()?;
        // SAFETY: the region is the whole array and so is `numbers`.
        unsafe {
            let array = self.unless_failed((self.table().NewLongArray)(self.0, length))?;
            (self.table().SetLongArrayRegion)(self.0, array, 0, length, numbers.as_ptr());
            self.unless_failed(array)
        }
    }

    /// Copies the first characters of a string out of the Java heap. Half of a surrogate pair
    /// is replaced.
    pub fn start_of_string(&self, string: jstring, most: usize) -> Option<String> {
        // SAFETY: a live string; the region is a part of the string and as long as `units`.
        let units = unsafe {
            let length = (self.table().GetStringLength)(self.0, string);
            let length = usize::try_from(length).ok()?.min(most);
            let mut units = vec![0_u16; length];
            let count = length as i32;
            (self.table().GetStringRegion)(self.0, string, 0, count, units.as_mut_ptr());
            units
        };
        Some(String::from_utf16_lossy(&units)).filter(|_| !self.failed())
    }

    /// Calls a method without arguments whose result is an object; `None` if that is null, or
    /// if the method throws.
    pub fn call_object(&self, object: jobject, method: jmethodID) -> Option<jobject> {
        // SAFETY: a live object, and a method of its class that takes no arguments.
        let result =
            unsafe { (self.table().CallObjectMethodA)(self.0, object, method, std::ptr::null()) };
        self.unless_failed(result)
    }

    /// Copies a string out of the Java heap; `None` if it is null, or no text
    /// because it has half of a surrogate pair.
    pub fn string(&self, string: jstring) -> Option<String> {
        if string.is_null() {
            return None;
        }
        // SAFETY: a live string; the region is the whole string and so is `units`.
        let units = unsafe {
            let length = (self.table().GetStringLength)(self.0, string);
            let mut units = vec![0_u16; usize::try_from(length).ok()?];
            (self.table().GetStringRegion)(self.0, string, 0, length, units.as_mut_ptr());
            units
        };
        if self.failed() { None } else { String::from_utf16(&units).ok() }
    }
}

/// A frame of local references.
struct Frame(Jni);

impl Drop for Frame {
    fn drop(&mut self) {
        // SAFETY: the frame was pushed, and is the innermost one: those within it are gone.
        unsafe { (self.0.table().PopLocalFrame)(self.0.0, std::ptr::null_mut()) };
    }
}

/// An instance field, see [`Jni::field`].
#[derive(Debug, Clone, Copy)]
pub struct Field(jfieldID);

// SAFETY: field ids are plain numbers to their users, valid in every thread
// while the class is loaded; classes of the boot loader never are unloaded.
unsafe impl Send for Field {}
// SAFETY: as above.
unsafe impl Sync for Field {}
