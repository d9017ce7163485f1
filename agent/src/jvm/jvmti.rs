//! The part of JVM TI that the agent uses, with its pointers wrapped.

use std::ffi::{CStr, c_char, c_void};

use jvmti_bindings::sys::jni::{
    JNINativeInterface_, jboolean, jclass, jfieldID, jint, jmethodID, jobject,
};
use jvmti_bindings::sys::jvmti::{
    JVMTI_CLASS_STATUS_PREPARED, JVMTI_DISABLE, JVMTI_ENABLE, JVMTI_VERSION_11, jvmtiCapabilities,
    jvmtiEnv, jvmtiError, jvmtiEvent, jvmtiEventCallbacks, jvmtiFrameInfo, jvmtiHeapCallbacks,
    jvmtiInterface_1_, jvmtiStartFunction, jvmtiThreadInfo,
};

use super::field_ids::offset_of;
use instrument::modified_utf8::{self, decode};

/// The agent's JVM TI environment.
#[derive(Debug, Clone, Copy)]
pub struct Jvmti(*mut jvmtiEnv);

// SAFETY: JVM TI environments may be used by any thread for as long as the
// process lives (JVM TI specification, "Agents").
unsafe impl Send for Jvmti {}
// SAFETY: as above; its functions synchronise themselves.
unsafe impl Sync for Jvmti {}

/// A function that this JVM does not have.
const ABSENT: jvmtiError = jvmtiError::NOT_AVAILABLE;

type Outcome<T> = Result<T, jvmtiError>;

/// A function that answers yes or no of a class.
type AskFn = unsafe extern "system" fn(*mut jvmtiEnv, jclass, *mut jboolean) -> jvmtiError;
/// A function that lists something of a class.
type ListFn<T> =
    unsafe extern "system" fn(*mut jvmtiEnv, jclass, *mut jint, *mut *mut T) -> jvmtiError;

/// A name as the JVM has it, in modified UTF-8: the same bytes as in class files.
pub type Name = Box<[u8]>;

fn check(error: jvmtiError) -> Outcome<()> {
    if error == jvmtiError::NONE { Ok(()) } else { Err(error) }
}

/// Memory that JVM TI allocated, given back on drop.
#[derive(Debug)]
pub struct Allocated<T> {
    env: Jvmti,
    at: *mut T,
    length: usize,
}

impl<T> Allocated<T> {
    /// What it holds.
    pub fn as_slice(&self) -> &[T] {
        if self.at.is_null() {
            return &[];
        }
        // SAFETY: JVM TI said that so many elements are there, and they are ours
        // until they are given back.
        unsafe { std::slice::from_raw_parts(self.at, self.length) }
    }
}

impl<T> Drop for Allocated<T> {
    fn drop(&mut self) {
        if let Some(deallocate) = self.env.table().Deallocate {
            // SAFETY: allocated by JVM TI, given back once.
            unsafe { deallocate(self.env.0, self.at.cast()) };
        }
    }
}

/// A field that a class declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredField {
    /// Its name, in modified UTF-8.
    pub name: Name,
    /// Its descriptor, in modified UTF-8.
    pub descriptor: Name,
    /// True for a static field.
    pub is_static: bool,
    /// Where the field lies in objects; a static one, in the class's.
    pub offset: u64,
}

impl Jvmti {
    /// Asks a JVM for an environment; the raw pointer must be the JVM's own.
    ///
    /// # Safety
    /// `vm` is the `JavaVM*` that the JVM handed to the agent.
    pub unsafe fn of(vm: *mut jvmti_bindings::sys::jni::JavaVM) -> Option<Self> {
        let mut env: *mut c_void = std::ptr::null_mut();
        // SAFETY: `vm` is valid by contract, `env` is a place for a pointer.
        let code = unsafe { ((**vm).GetEnv)(vm, &mut env, JVMTI_VERSION_11) };
        (code == 0 && !env.is_null()).then(|| Self(env.cast()))
    }

    fn table(&self) -> &jvmtiInterface_1_ {
        // SAFETY: the environment and its function table live as long as the process.
        unsafe { &*(*self.0).functions }
    }

    /// Gives the environment back, with its capabilities; it is not to be used any more.
    pub fn dispose(self) {
        if let Some(dispose) = self.table().DisposeEnvironment {
            // SAFETY: a live environment, which nobody keeps.
            let _ = check(unsafe { dispose(self.0) });
        }
    }

    /// Takes what the agent needs of what this JVM can give. `tags` are those of objects.
    pub fn add_capabilities(&self, tags: bool) -> Outcome<()> {
        let mut potential = jvmtiCapabilities::default();
        let get = self.table().GetPotentialCapabilities.ok_or(ABSENT)?;
        // SAFETY: both pointers are valid for the call.
        check(unsafe { get(self.0, &mut potential) })?;
        let mut wanted = jvmtiCapabilities::default();
        wanted.set_can_generate_all_class_hook_events(true);
        wanted.set_can_generate_early_class_hook_events(true);
        wanted.set_can_retransform_classes(true);
        wanted.set_can_retransform_any_class(true);
        wanted.set_can_tag_objects(tags);
        // Absent before JDK 21; without it virtual threads never give back their trees.
        wanted.set_can_support_virtual_threads(potential.can_support_virtual_threads());
        let add = self.table().AddCapabilities.ok_or(ABSENT)?;
        // SAFETY: both pointers are valid for the call.
        check(unsafe { add(self.0, &wanted) })
    }

    /// Takes what the agent needs of what a JVM can give that is running already.
    pub fn add_late_capabilities(&self) -> Outcome<()> {
        let mut potential = jvmtiCapabilities::default();
        let get = self.table().GetPotentialCapabilities.ok_or(ABSENT)?;
        // SAFETY: both pointers are valid for the call.
        check(unsafe { get(self.0, &mut potential) })?;
        let mut wanted = jvmtiCapabilities::default();
        wanted.set_can_generate_all_class_hook_events(true);
        wanted.set_can_retransform_classes(true);
        wanted.set_can_retransform_any_class(true);
        // Loaders and virtual threads are marked by tags.
        wanted.set_can_tag_objects(true);
        wanted.set_can_support_virtual_threads(potential.can_support_virtual_threads());
        let add = self.table().AddCapabilities.ok_or(ABSENT)?;
        // SAFETY: both pointers are valid for the call.
        check(unsafe { add(self.0, &wanted) })
    }

    /// Installs the callbacks; `size` is how much of the table this JVM knows.
    pub fn set_callbacks(&self, callbacks: &jvmtiEventCallbacks, size: jint) -> Outcome<()> {
        let set = self.table().SetEventCallbacks.ok_or(ABSENT)?;
        // SAFETY: the table is copied during the call.
        check(unsafe { set(self.0, callbacks, size) })
    }

    /// Switches an event on for all threads.
    pub fn enable(&self, event: jvmtiEvent) -> Outcome<()> {
        let set = self.table().SetEventNotificationMode.ok_or(ABSENT)?;
        // SAFETY: a null thread means all threads.
        check(unsafe { set(self.0, JVMTI_ENABLE, event, std::ptr::null_mut()) })
    }

    /// Switches an event off.
    pub fn disable(&self, event: jvmtiEvent) {
        if let Some(set) = self.table().SetEventNotificationMode {
            // SAFETY: a null thread means all threads.
            let _ = check(unsafe { set(self.0, JVMTI_DISABLE, event, std::ptr::null_mut()) });
        }
    }

    /// Memory for a class file that the JVM frees itself.
    pub fn allocate(&self, bytes: &[u8]) -> Outcome<*mut u8> {
        let allocate = self.table().Allocate.ok_or(ABSENT)?;
        let mut at: *mut u8 = std::ptr::null_mut();
        // SAFETY: `at` is a place for a pointer.
        check(unsafe { allocate(self.0, bytes.len() as i64, &mut at) })?;
        // SAFETY: JVM TI gave that many bytes, and they are not shared yet.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), at, bytes.len()) };
        Ok(at)
    }

    /// All classes that are loaded.
    pub fn loaded_classes(&self) -> Outcome<Allocated<jclass>> {
        let get = self.table().GetLoadedClasses.ok_or(ABSENT)?;
        let (mut count, mut at) = (0, std::ptr::null_mut());
        // SAFETY: both are places for results.
        check(unsafe { get(self.0, &mut count, &mut at) })?;
        Ok(Allocated { env: *self, at, length: count as usize })
    }

    /// All live platform threads.
    pub fn threads(&self) -> Outcome<Allocated<jobject>> {
        let get = self.table().GetAllThreads.ok_or(ABSENT)?;
        let (mut count, mut at) = (0, std::ptr::null_mut());
        // SAFETY: both are places for results.
        check(unsafe { get(self.0, &mut count, &mut at) })?;
        Ok(Allocated { env: *self, at, length: count as usize })
    }

    /// True if the class may be retransformed (hidden classes and arrays may not).
    pub fn is_modifiable(&self, class: jclass) -> bool {
        self.is_so(self.table().IsModifiableClass, class)
    }

    /// Whether the JVM says so of a live class.
    fn is_so(&self, ask: Option<AskFn>, class: jclass) -> bool {
        let mut answer = 0;
        ask.is_some_and(|ask| {
            // SAFETY: `class` is a live reference, `answer` a place for the result.
            check(unsafe { ask(self.0, class, &mut answer) }).is_ok()
        }) && answer != 0
    }

    /// True if the class is linked; arrays are not.
    pub fn is_linked(&self, class: jclass) -> bool {
        let mut status = 0;
        self.table().GetClassStatus.is_some_and(|get| {
            // SAFETY: `class` is a live reference, `status` a place for the result.
            check(unsafe { get(self.0, class, &mut status) }).is_ok()
        }) && status & JVMTI_CLASS_STATUS_PREPARED != 0
    }

    /// Has the load hook called again for these classes, and installs what it returns.
    pub fn retransform(&self, classes: &[jclass]) -> Outcome<()> {
        let retransform = self.table().RetransformClasses.ok_or(ABSENT)?;
        let count = jint::try_from(classes.len()).map_err(|_| ABSENT)?;
        // SAFETY: the slice holds live references.
        check(unsafe { retransform(self.0, count, classes.as_ptr()) })
    }

    /// The interfaces that a linked class says itself that it implements.
    pub fn interfaces(&self, class: jclass) -> Outcome<Allocated<jclass>> {
        self.list_of(self.table().GetImplementedInterfaces, class)
    }

    /// What the JVM lists of a live class.
    fn list_of<T>(&self, get: Option<ListFn<T>>, class: jclass) -> Outcome<Allocated<T>> {
        let get = get.ok_or(ABSENT)?;
        let (mut count, mut at) = (0, std::ptr::null_mut());
        // SAFETY: `class` is a live reference, both others are places for results.
        check(unsafe { get(self.0, class, &mut count, &mut at) })?;
        Ok(Allocated { env: *self, at, length: count as usize })
    }

    /// True for a linked interface none of whose methods has code.
    pub fn is_interface_without_code(&self, class: jclass) -> bool {
        const ABSTRACT: jint = 0x400;
        if !self.is_so(self.table().IsInterface, class) {
            return false;
        }
        let Some(modifiers_of) = self.table().GetMethodModifiers else { return false };
        let Ok(methods) = self.list_of(self.table().GetClassMethods, class) else { return false };
        methods.as_slice().iter().all(|&method| {
            let mut modifiers = 0;
            // SAFETY: the method is one of the class, the other a place for the result.
            check(unsafe { modifiers_of(self.0, method, &mut modifiers) }).is_ok()
                && modifiers & ABSTRACT != 0
        })
    }

    /// Number of the Java release that the JVM implements; 0 if it does not say.
    pub fn release(&self) -> u16 {
        let version = self.property(c"java.vm.specification.version").unwrap_or_default();
        version.parse().unwrap_or(0)
    }

    /// The methods that a class declares itself.
    pub fn methods(&self, class: jclass) -> Outcome<Allocated<jmethodID>> {
        self.list_of(self.table().GetClassMethods, class)
    }

    /// The fields that a class declares itself.
    pub fn fields(&self, class: jclass) -> Outcome<Vec<DeclaredField>> {
        let ids = self.list_of(self.table().GetClassFields, class)?;
        ids.as_slice().iter().map(|&id| self.field(class, id)).collect()
    }

    /// Those of them that are not static.
    pub fn instance_fields(&self, class: jclass) -> Outcome<Vec<DeclaredField>> {
        self.fields_of(class, false)?.into_iter().map(|id| self.field(class, id)).collect()
    }

    /// The ids of those that are static, or of the others.
    pub fn fields_of(&self, class: jclass, is_static: bool) -> Outcome<Vec<jfieldID>> {
        let ids = self.list_of(self.table().GetClassFields, class)?;
        let is_wanted = |&id: &jfieldID| self.is_static(class, id) == Ok(is_static);
        Ok(ids.as_slice().iter().copied().filter(is_wanted).collect())
    }

    fn is_static(&self, class: jclass, field: jfieldID) -> Outcome<bool> {
        let modifiers_of = self.table().GetFieldModifiers.ok_or(ABSENT)?;
        let mut modifiers = 0;
        // SAFETY: the field is one of the class, the other a place for the result.
        check(unsafe { modifiers_of(self.0, class, field, &mut modifiers) })?;
        Ok(modifiers & 8 != 0)
    }

    fn field(&self, class: jclass, id: jfieldID) -> Outcome<DeclaredField> {
        let name_of = self.table().GetFieldName.ok_or(ABSENT)?;
        let (mut name, mut descriptor) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the field is one of the class; the others are places for results,
        // and the generic signature is not wanted.
        check(unsafe {
            name_of(self.0, class, id, &mut name, &mut descriptor, std::ptr::null_mut())
        })?;
        let is_static = self.is_static(class, id)?;
        Ok(DeclaredField {
            name: self.take_name(name),
            descriptor: self.take_name(descriptor),
            is_static,
            offset: offset_of(id, is_static),
        })
    }

    /// A copy of the table of JNI's functions, which is never given back.
    pub fn jni_functions(&self) -> Outcome<*mut JNINativeInterface_> {
        let get = self.table().GetJNIFunctionTable.ok_or(ABSENT)?;
        let mut at = std::ptr::null_mut();
        // SAFETY: `at` is a place for a pointer.
        check(unsafe { get(self.0, &mut at) })?;
        Ok(at)
    }

    /// Has all threads use these functions of JNI.
    pub fn set_jni_functions(&self, functions: &JNINativeInterface_) -> Outcome<()> {
        let set = self.table().SetJNIFunctionTable.ok_or(ABSENT)?;
        // SAFETY: the table, as large as the JVM's own, is copied during the call.
        check(unsafe { set(self.0, functions) })
    }

    /// Signature of a class, such as `Ljava/lang/String;`.
    pub fn class_signature(&self, class: jclass) -> Outcome<Name> {
        let get = self.table().GetClassSignature.ok_or(ABSENT)?;
        let mut at: *mut c_char = std::ptr::null_mut();
        // SAFETY: `class` is a live reference, `at` a place for a pointer; the
        // generic signature is not wanted.
        check(unsafe { get(self.0, class, &mut at, std::ptr::null_mut()) })?;
        Ok(self.take_name(at))
    }

    /// Internal name of a class, such as `java/lang/String`; of an array its signature.
    pub fn class_name(&self, class: jclass) -> Outcome<Name> {
        let signature = self.class_signature(class)?;
        let name = modified_utf8::class_in(&signature).map(Name::from);
        Ok(name.unwrap_or(signature))
    }

    /// The loader of a class; null is the boot loader.
    pub fn class_loader(&self, class: jclass) -> Outcome<jobject> {
        let get = self.table().GetClassLoader.ok_or(ABSENT)?;
        let mut loader: jobject = std::ptr::null_mut();
        // SAFETY: `class` is a live reference, `loader` a place for the result.
        check(unsafe { get(self.0, class, &mut loader) })?;
        Ok(loader)
    }

    /// The identity hash of an object; 0 if the JVM does not tell.
    pub fn identity_hash(&self, object: jobject) -> jint {
        let mut hash = 0;
        if let Some(get) = self.table().GetObjectHashCode {
            // SAFETY: `object` is a live reference, `hash` a place for the result.
            let _ = check(unsafe { get(self.0, object, &mut hash) });
        }
        hash
    }

    /// The tag that [`Jvmti::set_tag`] gave an object, or 0.
    pub fn tag(&self, object: jobject) -> i64 {
        let mut tag = 0;
        let found = self.table().GetTag.is_some_and(|get| {
            // SAFETY: `object` is a live reference, `tag` a place for the result.
            check(unsafe { get(self.0, object, &mut tag) }).is_ok()
        });
        if found { tag } else { 0 }
    }

    /// Gives an object a tag that only this environment sees.
    pub fn set_tag(&self, object: jobject, tag: i64) {
        if let Some(set) = self.table().SetTag {
            // Without memory for it the object has none, and is asked again.
            // SAFETY: `object` is a live reference.
            let _ = check(unsafe { set(self.0, object, tag) });
        }
    }

    /// All objects of exactly this class that are in the heap. They have the tag afterwards.
    pub fn instances(&self, class: jclass, tag: i64) -> Outcome<Allocated<jobject>> {
        unsafe extern "system" fn mark(
            _class_tag: i64,
            _size: i64,
            tag: *mut i64,
            _length: jint,
            wanted: *mut c_void,
        ) -> jint {
            // SAFETY: the JVM passes the place of the object's tag, and what was passed below.
            unsafe { *tag = *wanted.cast::<i64>() };
            0
        }
        let iterate = self.table().IterateThroughHeap.ok_or(ABSENT)?;
        let get = self.table().GetObjectsWithTags.ok_or(ABSENT)?;
        let callbacks = jvmtiHeapCallbacks {
            heap_iteration_callback: Some(mark),
            ..jvmtiHeapCallbacks::default()
        };
        let wanted = (&raw const tag).cast::<c_void>();
        // SAFETY: the table and the tag live during the call.
        check(unsafe { iterate(self.0, 0, class, &callbacks, wanted) })?;
        let (mut count, mut at) = (0, std::ptr::null_mut());
        // SAFETY: one tag; places for both results; the tags of the objects are not wanted.
        check(unsafe { get(self.0, 1, &tag, &mut count, &mut at, std::ptr::null_mut()) })?;
        Ok(Allocated { env: *self, at, length: count as usize })
    }

    /// Names of the innermost methods of all platform threads, obsolete ones only.
    pub fn obsolete_methods_on_top(&self, depth: jint) -> Outcome<Vec<Name>> {
        let get = self.table().GetAllStackTraces.ok_or(ABSENT)?;
        let is_obsolete = self.table().IsMethodObsolete.ok_or(ABSENT)?;
        let name_of = self.table().GetMethodName.ok_or(ABSENT)?;
        let (mut count, mut at) = (0, std::ptr::null_mut());
        // SAFETY: both are places for results.
        check(unsafe { get(self.0, depth, &mut at, &mut count) })?;
        let stacks = Allocated { env: *self, at, length: count as usize };
        let mut names = Vec::new();
        for stack in stacks.as_slice() {
            for index in 0..stack.frame_count as usize {
                // SAFETY: so many frames are there.
                let method = unsafe { (*stack.frame_buffer.add(index)).method };
                let mut obsolete = 0;
                // SAFETY: a method that was on a stack; its class may be gone since, then
                // the JVM says so.
                let known = check(unsafe { is_obsolete(self.0, method, &mut obsolete) });
                if known.is_err() || obsolete == 0 {
                    continue;
                }
                let mut name: *mut c_char = std::ptr::null_mut();
                let none = std::ptr::null_mut();
                // SAFETY: as above, and the JVM has just known the method; `name` is a
                // place for the result.
                if check(unsafe { name_of(self.0, method, &mut name, none, none) }).is_ok() {
                    names.push(self.take_name(name));
                }
            }
        }
        Ok(names)
    }

    /// Bytes that an object takes in the Java heap.
    pub fn object_size(&self, object: jobject) -> Outcome<i64> {
        let get = self.table().GetObjectSize.ok_or(ABSENT)?;
        let mut bytes = 0;
        // SAFETY: `object` is a live reference, `bytes` a place for the result.
        check(unsafe { get(self.0, object, &mut bytes) })?;
        Ok(bytes)
    }

    /// Name of a live thread; a null reference means the current one.
    pub fn thread_name(&self, thread: jobject) -> Outcome<String> {
        let get = self.table().GetThreadInfo.ok_or(ABSENT)?;
        let mut info = jvmtiThreadInfo::default();
        // SAFETY: `info` is a place for the result. The local references in it are
        // freed when the callback returns to the JVM.
        check(unsafe { get(self.0, thread, &mut info) })?;
        Ok(decode(&self.take_name(info.name)).into_owned())
    }

    /// Starts a thread, whose object is new, as one of the JVM's that calls a function.
    pub fn run_thread(
        &self,
        thread: jobject,
        function: jvmtiStartFunction,
        argument: *mut c_void,
    ) -> Outcome<()> {
        const NORMAL_PRIORITY: jint = 5;
        let run = self.table().RunAgentThread.ok_or(ABSENT)?;
        // SAFETY: `thread` is a live reference; the function takes the argument as it is.
        check(unsafe { run(self.0, thread, Some(function), argument, NORMAL_PRIORITY) })
    }

    /// The object of the current thread, valid during the callback.
    pub fn current_thread(&self) -> Outcome<jobject> {
        let get = self.table().GetCurrentThread.ok_or(ABSENT)?;
        let mut thread: jobject = std::ptr::null_mut();
        // SAFETY: `thread` is a place for the result.
        check(unsafe { get(self.0, &mut thread) })?;
        Ok(thread)
    }

    /// The methods on the current thread's stack, innermost first: of each the signature of
    /// its class and its name.
    pub fn current_stack(&self, depth: usize) -> Outcome<Vec<(Name, Name)>> {
        let get = self.table().GetStackTrace.ok_or(ABSENT)?;
        let name_of = self.table().GetMethodName.ok_or(ABSENT)?;
        let class_of = self.table().GetMethodDeclaringClass.ok_or(ABSENT)?;
        let mut frames = vec![jvmtiFrameInfo::default(); depth];
        let mut count = 0;
        // SAFETY: a null thread means the current one; `frames` has `depth` places.
        check(unsafe {
            get(self.0, std::ptr::null_mut(), 0, depth as jint, frames.as_mut_ptr(), &mut count)
        })?;
        frames
            .iter()
            .take(count as usize)
            .map(|frame| {
                let mut name: *mut c_char = std::ptr::null_mut();
                let mut class: jclass = std::ptr::null_mut();
                let none = std::ptr::null_mut();
                // SAFETY: the method is on the stack, hence alive; `name` is a place.
                check(unsafe { name_of(self.0, frame.method, &mut name, none, none) })?;
                let name = self.take_name(name);
                // SAFETY: the method is on the stack, hence alive; `class` is a place.
                check(unsafe { class_of(self.0, frame.method, &mut class) })?;
                Ok((self.class_signature(class)?, name))
            })
            .collect()
    }

    /// The class of the innermost method of so many on the current thread's stack that is not
    /// skipped, by the signature of its class and its name.
    pub fn class_on_stack(
        &self,
        depth: usize,
        is_skipped: impl Fn(&[u8], &[u8]) -> bool,
    ) -> Outcome<jclass> {
        let get = self.table().GetStackTrace.ok_or(ABSENT)?;
        let mut frames = vec![jvmtiFrameInfo::default(); depth];
        let mut count = 0;
        // SAFETY: a null thread means the current one; `frames` has `depth` places.
        check(unsafe {
            get(self.0, std::ptr::null_mut(), 0, depth as jint, frames.as_mut_ptr(), &mut count)
        })?;
        for frame in frames.iter().take(count as usize) {
            let class = self.declaring_class(frame.method)?;
            let (name, _) = self.method_name(frame.method)?;
            if !is_skipped(&self.class_signature(class)?, &name) {
                return Ok(class);
            }
        }
        Err(ABSENT)
    }

    /// How many frames are on the current thread's stack.
    pub fn frame_count(&self) -> Outcome<jint> {
        let get = self.table().GetFrameCount.ok_or(ABSENT)?;
        let mut count = 0;
        // SAFETY: a null thread means the current one; `count` is a place for the result.
        check(unsafe { get(self.0, std::ptr::null_mut(), &mut count) })?;
        Ok(count)
    }

    /// The method in a frame of the current thread, 0 being the innermost: a number that
    /// tells it from others and is good for nothing else.
    pub fn method_at(&self, depth: jint) -> Outcome<usize> {
        let get = self.table().GetFrameLocation.ok_or(ABSENT)?;
        let (mut method, mut at) = (std::ptr::null_mut(), 0);
        // SAFETY: a null thread means the current one; both are places for results.
        check(unsafe { get(self.0, std::ptr::null_mut(), depth, &mut method, &mut at) })?;
        Ok(method as usize)
    }

    /// Name and descriptor of a method.
    pub fn method_name(&self, method: jmethodID) -> Outcome<(Name, Name)> {
        let get = self.table().GetMethodName.ok_or(ABSENT)?;
        let (mut name, mut descriptor) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the method is one of a live class, the others are places for results; the
        // generic signature is not wanted.
        check(unsafe { get(self.0, method, &mut name, &mut descriptor, std::ptr::null_mut()) })?;
        Ok((self.take_name(name), self.take_name(descriptor)))
    }

    /// The class that declares a method: a local reference.
    pub fn declaring_class(&self, method: jmethodID) -> Outcome<jclass> {
        let get = self.table().GetMethodDeclaringClass.ok_or(ABSENT)?;
        let mut class: jclass = std::ptr::null_mut();
        // SAFETY: the method is one of a live class; `class` is a place for the result.
        check(unsafe { get(self.0, method, &mut class) })?;
        Ok(class)
    }

    /// Bytes of the code that a method has.
    pub fn code_length(&self, method: jmethodID) -> Outcome<u32> {
        let get = self.table().GetMethodLocation.ok_or(ABSENT)?;
        let (mut first, mut last) = (0, 0);
        // SAFETY: the method is one of a live class, the others are places for results.
        check(unsafe { get(self.0, method, &mut first, &mut last) })?;
        u32::try_from(last + 1).map_err(|_| ABSENT)
    }

    /// Major version of a class's file.
    pub fn major_version(&self, class: jclass) -> Outcome<jint> {
        let get = self.table().GetClassVersionNumbers.ok_or(ABSENT)?;
        let (mut minor, mut major) = (0, 0);
        // SAFETY: `class` is a live reference, both others are places for results.
        check(unsafe { get(self.0, class, &mut minor, &mut major) })?;
        Ok(major)
    }

    /// A system property of the JVM.
    pub fn property(&self, name: &CStr) -> Outcome<String> {
        let get = self.table().GetSystemProperty.ok_or(ABSENT)?;
        let mut at: *mut c_char = std::ptr::null_mut();
        // SAFETY: `name` ends with a zero byte, `at` is a place for a pointer.
        check(unsafe { get(self.0, name.as_ptr(), &mut at) })?;
        Ok(decode(&self.take_name(at)).into_owned())
    }

    /// Copies a name that JVM TI allocated and gives it back.
    fn take_name(&self, at: *mut c_char) -> Name {
        if at.is_null() {
            return Name::default();
        }
        // SAFETY: JVM TI strings end with a zero byte.
        let name = unsafe { CStr::from_ptr(at) }.to_bytes().into();
        drop(Allocated { env: *self, at, length: 0 });
        name
    }
}
