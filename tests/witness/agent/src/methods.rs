//! What is known of each method that was entered.

use jvmti_bindings::sys::jni::jmethodID;
use parking_lot::{Mutex, RwLock};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::constant_pool::references_to;
use crate::jvmti::{Jvmti, Outcome};

// Instructions that name a field or a method, then the returns, from the first
// to the last.
const GETSTATIC: u8 = 0xb2;
const INVOKEVIRTUAL: u8 = 0xb6;
const INVOKEINTERFACE: u8 = 0xb9;
const INVOKEDYNAMIC: u8 = 0xba;
const IRETURN: u8 = 0xac;
const RETURN: u8 = 0xb1;
const INVOKESTATIC: u8 = 0xb8;

/// A native method that some JVMs replace even in the interpreter, without the
/// event for its entry (HotSpot since JDK 21): class, name, descriptor.
const SILENT: (&str, &str, &str) = ("java/lang/Thread", "currentThread", "()Ljava/lang/Thread;");

/// A method.
#[derive(Debug)]
pub struct Method {
    /// The JVM's own number for it.
    pub id: usize,
    /// Name of its class with dots, as the JVM gives it.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// True if it has no bytecodes.
    pub is_native: bool,
    /// Its bytecodes.
    code: Box<[u8]>,
    /// Which constants name the silent method.
    silent: Vec<u16>,
    /// Where it has resolved what an instruction names.
    resolved: Mutex<FxHashSet<u32>>,
}

impl Method {
    /// If the instruction there names a field or a method and has not been
    /// executed yet: where the next instruction begins.
    pub fn first_resolution(&self, bci: u32) -> Option<u32> {
        let next = self.after_name(bci)?;
        self.resolved.lock().insert(bci).then_some(next)
    }

    /// The instruction there threw, so that it may have to resolve again.
    pub fn forget_resolution(&self, bci: u32) {
        if self.after_name(bci).is_some() {
            self.resolved.lock().remove(&bci);
        }
    }

    /// If the instruction there is a call: where the next one begins.
    pub fn after_call(&self, bci: u32) -> Option<u32> {
        self.after_name(bci).filter(|_| self.code[bci as usize] >= INVOKEVIRTUAL)
    }

    /// If the instruction there names a field or a method: where the next one
    /// begins.
    fn after_name(&self, bci: u32) -> Option<u32> {
        match *self.code.get(bci as usize)? {
            GETSTATIC..INVOKEINTERFACE => Some(bci + 3),
            INVOKEINTERFACE | INVOKEDYNAMIC => Some(bci + 5),
            _ => None,
        }
    }

    /// True if the instruction there calls a method whose entry may give no event.
    pub fn calls_silently(&self, bci: u32) -> bool {
        let bci = bci as usize;
        match self.code.get(bci..bci + 3) {
            Some(&[INVOKESTATIC, high, low]) => {
                self.silent.contains(&u16::from_be_bytes([high, low]))
            }
            _ => false,
        }
    }

    /// True if this is the method whose entry may give no event.
    pub fn may_be_silent(&self) -> bool {
        self.is_native && self.name == SILENT.1 && self.class == "java.lang.Thread"
    }

    /// True if the instruction there leaves the method.
    pub fn returns_at(&self, bci: u32) -> bool {
        self.code.get(bci as usize).is_some_and(|code| (IRETURN..=RETURN).contains(code))
    }
}

/// All methods that were entered.
#[derive(Debug)]
pub struct Methods {
    by_id: RwLock<FxHashMap<usize, &'static Method>>,
    /// Stands for the method whose entry gave no event.
    pub silent: &'static Method,
}

impl Default for Methods {
    fn default() -> Self {
        let silent = Method {
            id: 0,
            class: SILENT.0.replace('/', "."),
            name: SILENT.1.to_owned(),
            descriptor: SILENT.2.to_owned(),
            is_native: true,
            code: Box::default(),
            silent: Vec::new(),
            resolved: Mutex::default(),
        };
        Self { by_id: RwLock::default(), silent: Box::leak(Box::new(silent)) }
    }
}

impl Methods {
    /// The method that the JVM is at.
    pub fn get(&self, jvmti: Jvmti, id: jmethodID) -> Outcome<&'static Method> {
        if let Some(method) = self.by_id.read().get(&(id as usize)) {
            return Ok(method);
        }
        let class = jvmti.declaring_class(id)?;
        let (name, descriptor) = jvmti.method_name(id)?;
        let is_native = jvmti.is_native(id)?;
        let code = if is_native { Box::default() } else { jvmti.bytecodes(id)? };
        let silent = if code.contains(&INVOKESTATIC) {
            references_to(&jvmti.constant_pool(id)?, SILENT)
        } else {
            Vec::new()
        };
        let method = Box::leak(Box::new(Method {
            id: id as usize,
            class,
            name,
            descriptor,
            is_native,
            code,
            silent,
            resolved: Mutex::default(),
        }));
        Ok(self.by_id.write().entry(id as usize).or_insert(method))
    }
}
