//! Members that the agent adds to classes of the JDK when they are loaded.
//!
//! Only `Thread` and `Object` get any. Instrumented classes call the methods
//! of `Object`: every class loader has resolved it already, while naming a
//! class of ours would ask the application's loader for it.

use classfile::{ClassEditor, ClassFile, Fragment, NewMethod, PoolExtension, Refusal, opcode};

/// Internal name of the class that probes end up in.
pub const RUNTIME: &str = "java/lang/SubsumeRuntime";

/// Prefix of everything that is added to a class.
const PREFIX: &str = "$subsume$";

const PUBLIC: u16 = 0x0001;
const STATIC: u16 = 0x0008;
const TRANSIENT: u16 = 0x0080;
const SYNTHETIC: u16 = 0x1000;

/// Added methods are inlined and left out of stack traces, as the runtime's are.
const ANNOTATIONS: [&[u8]; 2] =
    [b"Ljdk/internal/vm/annotation/ForceInline;", b"Ljdk/internal/vm/annotation/Hidden;"];

/// A method of the runtime class that probes call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeMethod {
    /// Its name in the runtime class.
    pub name: &'static str,
    /// Its descriptor: at most one long in front of ints.
    pub descriptor: &'static str,
    /// How many words of arguments it takes.
    pub arguments: u16,
    /// How many words it returns.
    pub results: u16,
}

macro_rules! probes {
    ($($constant:ident = $name:literal $descriptor:literal $arguments:literal $results:literal;)*) => {
        $(
            #[doc = concat!("`SubsumeRuntime.", $name, "`.")]
            pub const $constant: ProbeMethod = ProbeMethod {
                name: $name,
                descriptor: $descriptor,
                arguments: $arguments,
                results: $results,
            };
        )*
        /// All of them.
        pub const PROBES: &[ProbeMethod] = &[$($constant),*];
    };
}

probes! {
    ENTER = "enter" "(I)J" 1 2;
    LEAF = "leaf" "(I)J" 1 2;
    HIDDEN_ENTER = "hiddenEnter" "(II)J" 2 2;
    HIDDEN_LEAF = "hiddenLeaf" "(II)J" 2 2;
    CALL = "call" "(JI)V" 3 0;
    PLAIN = "plain" "(JII)V" 4 0;
    COUNT = "count" "(JI)V" 3 0;
    EXIT = "exit" "(J)V" 2 0;
    EXIT_BYTECODES = "exit" "(JI)V" 3 0;
    EXIT_ALLOCATIONS = "exit" "(JII)V" 4 0;
    CUT = "cut" "(JI)V" 3 0;
    FLUSH = "flush" "(JI)V" 3 0;
    POLL = "poll" "(JI)I" 3 1;
    POLL_ALLOCATIONS = "pollAllocations" "(JI)I" 3 1;
}

/// Name of a probe method where it was added to `Object`.
pub fn name_in_object(probe: &ProbeMethod) -> String {
    format!("{PREFIX}{}", probe.name)
}

/// Names of the methods added to `Object`, for hiding them.
pub fn object_method_names() -> Vec<String> {
    let mut names: Vec<String> = PROBES.iter().map(name_in_object).collect();
    names.sort();
    names.dedup();
    names
}

/// Adds to a class what it is to have; true if that was anything.
///
/// The same must be added whenever the class is rewritten again, or the JVM
/// refuses it.
pub fn add_members(class: &ClassFile<'_>, editor: &mut ClassEditor<'_>) -> Result<bool, Refusal> {
    match class.this_class() {
        b"java/lang/Thread" => {
            for (field, descriptor) in [("slot", b"J"), ("tree", b"I")] {
                let name = format!("{PREFIX}{field}");
                editor.add_field(TRANSIENT | SYNTHETIC, name.as_bytes(), descriptor)?;
            }
            Ok(true)
        }
        b"java/lang/Object" => {
            for probe in PROBES {
                add_forwarder(editor, probe)?;
            }
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// A static method that passes its arguments on to the runtime class.
fn add_forwarder(editor: &mut ClassEditor<'_>, probe: &ProbeMethod) -> Result<(), Refusal> {
    let target = editor.pool().methodref(
        RUNTIME.as_bytes(),
        probe.name.as_bytes(),
        probe.descriptor.as_bytes(),
    )?;
    let mut code = Vec::new();
    let mut word = 0;
    if probe.descriptor.starts_with("(J") {
        code.push(opcode::LLOAD_0);
        word = 2;
    }
    code.extend((word..probe.arguments as u8).map(|word| opcode::ILOAD_0 + word));
    code.push(opcode::INVOKESTATIC);
    code.extend(target.to_be_bytes());
    code.push(match probe.results {
        0 => opcode::RETURN,
        1 => opcode::IRETURN,
        _ => opcode::LRETURN,
    });
    editor.add_method(NewMethod {
        access: PUBLIC | STATIC | SYNTHETIC,
        name: name_in_object(probe).as_bytes(),
        descriptor: probe.descriptor.as_bytes(),
        code: &code,
        max_stack: probe.arguments.max(2),
        max_locals: probe.arguments,
        annotations: &ANNOTATIONS,
    })
}

/// What a constructor of `Thread` does first: a thread starts with the slot
/// that means "no tree yet". Probes read the slot without asking whether it
/// is there, and a thread that attaches itself to the JVM runs its own
/// object's constructor.
pub fn set_first_slot(base_address: u64, pool: &mut PoolExtension) -> Result<Fragment, Refusal> {
    let name = format!("{PREFIX}slot");
    let field = pool.fieldref(b"java/lang/Thread", name.as_bytes(), b"J")?;
    Ok(Fragment::new()
        .simple(opcode::ALOAD_0)
        // Addresses of processes are below 2^63.
        .push_long(base_address as i64, pool)?
        .putfield(field, 2))
}
