//! What is known of each method that was entered.

use jvmti_bindings::sys::jni::jmethodID;
use parking_lot::{Mutex, RwLock};
use rustc_hash::FxHashMap;

use crate::constant_pool::references_to;
use crate::jvmti::{Jvmti, Outcome};

const INVOKEVIRTUAL: u8 = 0xb6;
const INVOKESTATIC: u8 = 0xb8;
const INVOKEDYNAMIC: u8 = 0xba;
const ATHROW: u8 = 0xbf;
const IRETURN: u8 = 0xac;
const RETURN: u8 = 0xb1;

/// Native methods that HotSpot has code for even in the interpreter, so that
/// their entry gives no event (`currentThread` since JDK 21): class, name and
/// descriptor.
const SILENT: [(&str, &str, &str); 4] = [
    ("java/lang/Thread", "currentThread", "()Ljava/lang/Thread;"),
    ("java/util/zip/CRC32", "update", "(II)I"),
    ("java/util/zip/CRC32", "updateBytes0", "(I[BII)I"),
    ("java/util/zip/CRC32", "updateByteBuffer0", "(IJII)I"),
];

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
    /// Where lines begin, and which.
    lines: Vec<(u32, u16)>,
    /// Which constants name which silent methods.
    silent: Vec<(u16, usize)>,
}

impl Method {
    /// The source line of the instruction there, 0 if unknown.
    pub fn line_of(&self, bci: u32) -> u16 {
        let before = self.lines.iter().filter(|(start, _)| *start <= bci);
        before.max_by_key(|(start, _)| *start).map_or(0, |&(_, line)| line)
    }

    /// True if the JVM may look up a class for the instruction there: it names
    /// something, or throws, and handlers name classes.
    pub fn resolves(&self, bci: u32) -> bool {
        self.after(bci).is_some() || self.code.get(bci as usize) == Some(&ATHROW)
    }

    /// If the instruction there is a call: where the next one begins.
    pub fn after_call(&self, bci: u32) -> Option<u32> {
        let is_call = (INVOKEVIRTUAL..=INVOKEDYNAMIC).contains(self.code.get(bci as usize)?);
        self.after(bci).filter(|_| is_call)
    }

    /// If the instruction there names a constant, a class, a field or a method:
    /// where the next one begins.
    pub fn after(&self, bci: u32) -> Option<u32> {
        let length = match *self.code.get(bci as usize)? {
            // ldc
            0x12 => 2,
            // ldc_w and ldc2_w; fields and most calls; new; anewarray; checkcast and
            // instanceof.
            0x13 | 0x14 | 0xb2..=0xb8 | 0xbb | 0xbd | 0xc0 | 0xc1 => 3,
            // multianewarray
            0xc5 => 4,
            // invokeinterface and invokedynamic
            0xb9 | 0xba => 5,
            _ => return None,
        };
        Some(bci + length)
    }

    /// If the instruction there calls a method whose entry may give no event:
    /// which of [`Methods::silent`].
    pub fn silent_call(&self, bci: u32) -> Option<usize> {
        let bci = bci as usize;
        let &[INVOKESTATIC, high, low] = self.code.get(bci..bci + 3)? else { return None };
        let constant = u16::from_be_bytes([high, low]);
        self.silent.iter().find(|(index, _)| *index == constant).map(|(_, method)| *method)
    }

    /// True if this is one of those.
    pub fn may_be_silent(&self) -> bool {
        self.is_native
            && SILENT.iter().any(|(class, name, descriptor)| {
                self.name == *name
                    && self.descriptor == *descriptor
                    && self.class == class.replace('/', ".")
            })
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
    /// How many threads wait at a breakpoint: the JVM has one for all of them.
    breakpoints: Mutex<FxHashMap<(usize, u32), u32>>,
    /// Stand for the methods whose entry gives no event.
    pub silent: [&'static Method; SILENT.len()],
}

impl Default for Methods {
    fn default() -> Self {
        let silent = SILENT.map(|(class, name, descriptor)| {
            let method = Method {
                // No method of the JVM has it, and no other one here.
                id: name.as_ptr() as usize,
                class: class.replace('/', "."),
                name: name.to_owned(),
                descriptor: descriptor.to_owned(),
                is_native: true,
                code: Box::default(),
                lines: Vec::new(),
                silent: Vec::new(),
            };
            &*Box::leak(Box::new(method))
        });
        Self { by_id: RwLock::default(), breakpoints: Mutex::default(), silent }
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
        let lines = if is_native { Vec::new() } else { jvmti.line_numbers(id) };
        let silent = if code.contains(&INVOKESTATIC) {
            let pool = jvmti.constant_pool(id)?;
            let numbered = SILENT.iter().enumerate();
            numbered
                .flat_map(|(number, &method)| {
                    references_to(&pool, method).into_iter().map(move |index| (index, number))
                })
                .collect()
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
            lines,
            silent,
        }));
        Ok(self.by_id.write().entry(id as usize).or_insert(method))
    }

    /// Sets a breakpoint for one more thread; false if there is no instruction.
    pub fn set_breakpoint(&self, jvmti: Jvmti, method: jmethodID, bci: u32) -> bool {
        let mut breakpoints = self.breakpoints.lock();
        let waiting = breakpoints.entry((method as usize, bci)).or_default();
        if *waiting == 0 && !jvmti.set_breakpoint(method, bci) {
            return false;
        }
        *waiting += 1;
        true
    }

    /// One thread less waits at a breakpoint.
    pub fn clear_breakpoint(&self, jvmti: Jvmti, method: jmethodID, bci: u32) {
        let mut breakpoints = self.breakpoints.lock();
        if let Some(waiting) = breakpoints.get_mut(&(method as usize, bci)) {
            *waiting = waiting.saturating_sub(1);
            if *waiting == 0 {
                jvmti.clear_breakpoint(method, bci);
            }
        }
    }
}
