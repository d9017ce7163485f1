//! The methods that probes call, as constant pool entries of the class that
//! is being instrumented.

use classfile::{ClassEditor, NewMethod, Refusal, access};

/// The class that holds the probe methods.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProbeOwner {
    /// `Probes`, a class on the class path that counts and checks.
    Counting,
    /// `java/lang/Object`, which receives empty probe methods when it is
    /// itself instrumented. Every class of every module can call them.
    Object,
}

/// A probe method: its name, its descriptor, and the body, `max_stack` and
/// `max_locals` that it has in [`ProbeOwner::Object`].
struct Probe {
    name: &'static [u8],
    descriptor: &'static [u8],
    body: &'static [u8],
    max_stack: u16,
    max_locals: u16,
}

/// Returns its argument.
const ENTER: Probe =
    Probe { name: b"enter", descriptor: b"(I)I", body: &[0x1a, 0xac], max_stack: 1, max_locals: 1 };
/// Returns its argument as a long.
const MARK: Probe = Probe {
    name: b"mark",
    descriptor: b"(I)J",
    body: &[0x1a, 0x85, 0xad],
    max_stack: 2,
    max_locals: 1,
};
/// Returns null.
const WITNESS: Probe = Probe {
    name: b"witness",
    descriptor: b"()Ljava/lang/Object;",
    body: &[0x01, 0xb0],
    max_stack: 1,
    max_locals: 0,
};
const EXIT: Probe = Probe {
    name: b"exit",
    descriptor: b"(IJLjava/lang/Object;I)V",
    body: &[0xb1],
    max_stack: 0,
    max_locals: 5,
};
const CALL: Probe =
    Probe { name: b"call", descriptor: b"(I)V", body: &[0xb1], max_stack: 0, max_locals: 1 };
const RETURNED: Probe =
    Probe { name: b"returned", descriptor: b"()V", body: &[0xb1], max_stack: 0, max_locals: 0 };
const CAUGHT: Probe =
    Probe { name: b"caught", descriptor: b"()V", body: &[0xb1], max_stack: 0, max_locals: 0 };

/// The owner in internal form, and what precedes the names there: `Object`
/// already has many methods.
fn owner_and_prefix(owner: ProbeOwner) -> (&'static [u8], &'static [u8]) {
    match owner {
        ProbeOwner::Counting => (b"Probes", b""),
        ProbeOwner::Object => (b"java/lang/Object", b"probe$"),
    }
}

/// Constant pool indices of the probe methods.
#[derive(Clone, Copy, Debug)]
pub struct ProbePool {
    /// `static int enter(int method)`.
    pub enter: u16,
    /// `static long mark(int token)`.
    pub mark: u16,
    /// `static Object witness()`.
    pub witness: u16,
    /// `static void exit(int token, long mark, Object witness, int executed)`.
    pub exit: u16,
    /// `static void call(int site)`.
    pub call: u16,
    /// `static void returned()`.
    pub returned: u16,
    /// `static void caught()`.
    pub caught: u16,
    /// The class `java/lang/Object`, the type of the witness.
    pub object_class: u16,
}

impl ProbePool {
    /// Adds what the probes need to the constant pool of a class.
    ///
    /// # Errors
    /// If the constant pool is full.
    pub fn add(editor: &mut ClassEditor<'_>, owner: ProbeOwner) -> Result<ProbePool, Refusal> {
        let (class, prefix) = owner_and_prefix(owner);
        let mut method = |probe: &Probe| {
            let name = [prefix, probe.name].concat();
            editor.pool().methodref(class, &name, probe.descriptor)
        };
        Ok(ProbePool {
            enter: method(&ENTER)?,
            mark: method(&MARK)?,
            witness: method(&WITNESS)?,
            exit: method(&EXIT)?,
            call: method(&CALL)?,
            returned: method(&RETURNED)?,
            caught: method(&CAUGHT)?,
            object_class: editor.pool().class(b"java/lang/Object")?,
        })
    }
}

/// Gives `java/lang/Object` the methods that the probes of all classes call.
///
/// # Errors
/// If the constant pool is full.
pub fn add_probe_methods(editor: &mut ClassEditor<'_>) -> Result<(), Refusal> {
    let (_, prefix) = owner_and_prefix(ProbeOwner::Object);
    for probe in [ENTER, MARK, WITNESS, EXIT, CALL, RETURNED, CAUGHT] {
        editor.add_method(NewMethod {
            access: access::PUBLIC | access::STATIC | access::SYNTHETIC,
            name: &[prefix, probe.name].concat(),
            descriptor: probe.descriptor,
            code: probe.body,
            max_stack: probe.max_stack,
            max_locals: probe.max_locals,
            annotations: &[],
        })?;
    }
    Ok(())
}
