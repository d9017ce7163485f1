//! The part of JVM TI that the witness uses, with its pointers wrapped.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_void};

use jvmti_bindings::sys::jni::{JavaVM, jclass, jint, jmethodID, jobject};
use jvmti_bindings::sys::jvmti::{
    JVMTI_DISABLE, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP, JVMTI_VERSION_11, jvmtiCapabilities,
    jvmtiEnv, jvmtiError, jvmtiEvent, jvmtiEventCallbacks, jvmtiFrameInfo, jvmtiInterface_1_,
    jvmtiThreadInfo,
};

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

/// Frames of the deepest stack that is read.
const DEEPEST: usize = 1 << 16;

/// What a function of JVM TI gave.
pub type Outcome<T> = Result<T, jvmtiError>;

fn check(error: jvmtiError) -> Outcome<()> {
    if error == jvmtiError::NONE { Ok(()) } else { Err(error) }
}

impl Jvmti {
    /// Asks a JVM for an environment.
    ///
    /// # Safety
    /// `vm` is the `JavaVM*` that the JVM handed to the agent.
    pub unsafe fn of(vm: *mut JavaVM) -> Option<Self> {
        let mut env: *mut c_void = std::ptr::null_mut();
        // SAFETY: `vm` is valid by contract, `env` is a place for a pointer.
        let code = unsafe { ((**vm).GetEnv)(vm, &mut env, JVMTI_VERSION_11) };
        (code == 0 && !env.is_null()).then(|| Self(env.cast()))
    }

    fn table(&self) -> &jvmtiInterface_1_ {
        // SAFETY: the environment and its function table live as long as the process.
        unsafe { &*(*self.0).functions }
    }

    /// Takes the capabilities that `choose` sets, given those there are.
    pub fn add_capabilities(
        &self,
        choose: impl FnOnce(&mut jvmtiCapabilities, &jvmtiCapabilities),
    ) -> Outcome<()> {
        let mut potential = jvmtiCapabilities::default();
        let get = self.table().GetPotentialCapabilities.ok_or(ABSENT)?;
        // SAFETY: both pointers are valid for the call.
        check(unsafe { get(self.0, &mut potential) })?;
        let mut wanted = jvmtiCapabilities::default();
        choose(&mut wanted, &potential);
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

    /// Switches an event on for one thread, or for all if it is null.
    pub fn enable(&self, event: jvmtiEvent, thread: jobject) -> Outcome<()> {
        let set = self.table().SetEventNotificationMode.ok_or(ABSENT)?;
        // SAFETY: the thread is null or a live reference.
        check(unsafe { set(self.0, JVMTI_ENABLE, event, thread) })
    }

    /// Switches single steps of a thread on or off; true if that worked.
    pub fn step(&self, thread: jobject, on: bool) -> bool {
        let mode = if on { JVMTI_ENABLE } else { JVMTI_DISABLE };
        self.table().SetEventNotificationMode.is_some_and(|set| {
            // SAFETY: the thread is a live reference.
            check(unsafe { set(self.0, mode, JVMTI_EVENT_SINGLE_STEP, thread) }).is_ok()
        })
    }

    /// Sets a breakpoint; false if there is one already, or no instruction.
    pub fn set_breakpoint(&self, method: jmethodID, bci: u32) -> bool {
        self.table().SetBreakpoint.is_some_and(|set| {
            // SAFETY: the method is on the stack, hence alive.
            check(unsafe { set(self.0, method, bci.into()) }).is_ok()
        })
    }

    /// Clears a breakpoint.
    pub fn clear_breakpoint(&self, method: jmethodID, bci: u32) {
        if let Some(clear) = self.table().ClearBreakpoint {
            // SAFETY: the method is on the stack, hence alive. The breakpoint may be
            // cleared already; then nothing happens.
            let _ = unsafe { clear(self.0, method, bci.into()) };
        }
    }

    /// All live platform threads.
    pub fn threads(&self) -> Outcome<Vec<jobject>> {
        let get = self.table().GetAllThreads.ok_or(ABSENT)?;
        let (mut count, mut at) = (0, std::ptr::null_mut());
        // SAFETY: both are places for results.
        check(unsafe { get(self.0, &mut count, &mut at) })?;
        Ok(self.take_array(at, count))
    }

    /// Methods of a class.
    pub fn class_methods(&self, class: jclass) -> Outcome<Vec<jmethodID>> {
        let get = self.table().GetClassMethods.ok_or(ABSENT)?;
        let (mut count, mut at) = (0, std::ptr::null_mut());
        // SAFETY: the class is a live reference, the others are places for results.
        check(unsafe { get(self.0, class, &mut count, &mut at) })?;
        Ok(self.take_array(at, count))
    }

    /// Bytecodes of a method, as they were before breakpoints.
    pub fn bytecodes(&self, method: jmethodID) -> Outcome<Box<[u8]>> {
        let get = self.table().GetBytecodes.ok_or(ABSENT)?;
        let (mut count, mut at) = (0, std::ptr::null_mut());
        // SAFETY: the method is alive, the others are places for results.
        check(unsafe { get(self.0, method, &mut count, &mut at) })?;
        Ok(self.take_array(at, count).into())
    }

    /// Where lines begin in a method, and which; none if it has no such table.
    pub fn line_numbers(&self, method: jmethodID) -> Vec<(u32, u16)> {
        let Some(get) = self.table().GetLineNumberTable else { return Vec::new() };
        let (mut count, mut at) = (0, std::ptr::null_mut());
        // SAFETY: the method is alive, the others are places for results.
        if check(unsafe { get(self.0, method, &mut count, &mut at) }).is_err() {
            return Vec::new();
        }
        let entries = self.take_array(at, count);
        entries.iter().map(|e| (e.start_location as u32, e.line_number as u16)).collect()
    }

    /// Signature of a class, such as `Ljava/lang/String;`.
    pub fn class_signature(&self, class: jclass) -> Outcome<String> {
        let get = self.table().GetClassSignature.ok_or(ABSENT)?;
        let mut at: *mut c_char = std::ptr::null_mut();
        // SAFETY: `class` is a live reference, `at` a place for a pointer; the
        // generic signature is not wanted.
        check(unsafe { get(self.0, class, &mut at, std::ptr::null_mut()) })?;
        Ok(self.take_string(at))
    }

    /// Name of the class of a method, with dots.
    pub fn declaring_class(&self, method: jmethodID) -> Outcome<String> {
        let get = self.table().GetMethodDeclaringClass.ok_or(ABSENT)?;
        let mut class = std::ptr::null_mut();
        // SAFETY: the method is alive, `class` is a place for a reference, which is
        // freed when the callback returns to the JVM.
        check(unsafe { get(self.0, method, &mut class) })?;
        let signature = self.class_signature(class)?;
        let name = signature.strip_prefix('L').and_then(|name| name.strip_suffix(';'));
        Ok(name.unwrap_or(&signature).replace('/', "."))
    }

    /// Constant pool of the class of a method, as in its class file.
    pub fn constant_pool(&self, method: jmethodID) -> Outcome<Vec<u8>> {
        let class_of = self.table().GetMethodDeclaringClass.ok_or(ABSENT)?;
        let get = self.table().GetConstantPool.ok_or(ABSENT)?;
        let mut class = std::ptr::null_mut();
        // SAFETY: the method is alive, `class` is a place for a reference, which is
        // freed when the callback returns to the JVM.
        check(unsafe { class_of(self.0, method, &mut class) })?;
        let (mut entries, mut bytes, mut at) = (0, 0, std::ptr::null_mut());
        // SAFETY: the class is a live reference, the others are places for results.
        check(unsafe { get(self.0, class, &mut entries, &mut bytes, &mut at) })?;
        Ok(self.take_array(at, bytes))
    }

    /// Name and descriptor of a method.
    pub fn method_name(&self, method: jmethodID) -> Outcome<(String, String)> {
        let get = self.table().GetMethodName.ok_or(ABSENT)?;
        let (mut name, mut descriptor) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the method is alive, the others are places for results; the generic
        // signature is not wanted.
        check(unsafe { get(self.0, method, &mut name, &mut descriptor, std::ptr::null_mut()) })?;
        Ok((self.take_string(name), self.take_string(descriptor)))
    }

    /// True if the method has no bytecodes.
    pub fn is_native(&self, method: jmethodID) -> Outcome<bool> {
        let get = self.table().IsMethodNative.ok_or(ABSENT)?;
        let mut native = 0;
        // SAFETY: the method is alive, `native` is a place for the result.
        check(unsafe { get(self.0, method, &mut native) })?;
        Ok(native != 0)
    }

    /// Name of a live thread.
    pub fn thread_name(&self, thread: jobject) -> Outcome<String> {
        let get = self.table().GetThreadInfo.ok_or(ABSENT)?;
        let mut info = jvmtiThreadInfo::default();
        // SAFETY: `info` is a place for the result. The local references in it are
        // freed when the callback returns to the JVM.
        check(unsafe { get(self.0, thread, &mut info) })?;
        Ok(self.take_string(info.name))
    }

    /// Methods on the current thread's stack, innermost first, without the
    /// `skip` first ones.
    pub fn stack(&self, skip: u32) -> Outcome<Vec<jmethodID>> {
        let get = self.table().GetStackTrace.ok_or(ABSENT)?;
        let mut frames = vec![jvmtiFrameInfo::default(); DEEPEST];
        let mut count = 0;
        let none = std::ptr::null_mut();
        // SAFETY: a null thread means the current one; `frames` has as many places.
        let error =
            unsafe { get(self.0, none, 0, DEEPEST as jint, frames.as_mut_ptr(), &mut count) };
        check(error)?;
        Ok(frames.iter().take(count as usize).skip(skip as usize).map(|f| f.method).collect())
    }

    /// A system property of the JVM.
    pub fn property(&self, name: &CStr) -> Outcome<String> {
        let get = self.table().GetSystemProperty.ok_or(ABSENT)?;
        let mut at: *mut c_char = std::ptr::null_mut();
        // SAFETY: `name` ends with a zero byte, `at` is a place for a pointer.
        check(unsafe { get(self.0, name.as_ptr(), &mut at) })?;
        Ok(self.take_string(at))
    }

    /// What was kept for the current thread, null at first.
    pub fn kept(&self) -> *mut c_void {
        let mut data = std::ptr::null_mut();
        if let Some(get) = self.table().GetThreadLocalStorage {
            // SAFETY: a null thread means the current one, `data` is a place for the
            // pointer, which stays null if the call fails.
            let _ = unsafe { get(self.0, std::ptr::null_mut(), &mut data) };
        }
        data
    }

    /// Keeps something for the current thread.
    pub fn keep(&self, data: *const c_void) -> Outcome<()> {
        let set = self.table().SetThreadLocalStorage.ok_or(ABSENT)?;
        // SAFETY: a null thread means the current one; the JVM only stores `data`.
        check(unsafe { set(self.0, std::ptr::null_mut(), data) })
    }

    fn take_array<T: Copy>(&self, at: *mut T, count: jint) -> Vec<T> {
        if at.is_null() {
            return Vec::new();
        }
        // SAFETY: JVM TI said that so many elements are there.
        let elements = unsafe { std::slice::from_raw_parts(at, count as usize) }.to_vec();
        self.give_back(at.cast());
        elements
    }

    fn take_string(&self, at: *mut c_char) -> String {
        if at.is_null() {
            return String::new();
        }
        // SAFETY: JVM TI strings end with a zero byte.
        let text = unsafe { CStr::from_ptr(at) }.to_string_lossy().into_owned();
        self.give_back(at.cast());
        text
    }

    fn give_back(&self, at: *mut u8) {
        if let Some(deallocate) = self.table().Deallocate {
            // SAFETY: allocated by JVM TI, copied, given back once.
            let _ = unsafe { deallocate(self.0, at) };
        }
    }
}
