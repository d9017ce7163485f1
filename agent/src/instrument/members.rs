//! Members that the agent adds to classes of the JDK when they are loaded.
//!
//! Only `Thread` and `Object` get any. Instrumented classes call the methods
//! of `Object`: every class loader has resolved it already, while naming a
//! class of ours would ask the application's loader for it.

use classfile::{ClassEditor, ClassFile, NewMethod, Refusal};

/// Internal name of the class that probes end up in.
pub const RUNTIME: &str = "java/lang/SubsumeRuntime";

/// Prefix of everything that is added to a class.
const PREFIX: &str = "$subsume$";

const PUBLIC: u16 = 0x0001;
const STATIC: u16 = 0x0008;
const TRANSIENT: u16 = 0x0080;
const SYNTHETIC: u16 = 0x1000;

/// Added fields are inlined and invisible in stack traces like the runtime's.
const ANNOTATIONS: [&[u8]; 2] = [
    b"Ljdk/internal/vm/annotation/ForceInline;",
    b"Ljdk/internal/vm/annotation/Hidden;",
];

/// A method of the runtime class that probes call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeMethod {
    /// Its name in the runtime class.
    pub name: &'static str,
    /// Its descriptor: ints in, at most one int out.
    pub descriptor: &'static str,
    /// How many ints it takes.
    pub arguments: u16,
    /// How many ints it returns.
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
    ENTER = "enter" "(I)I" 1 1;
    LEAF = "leaf" "(I)I" 1 1;
    HIDDEN_ENTER = "hiddenEnter" "(I)I" 1 1;
    HIDDEN_LEAF = "hiddenLeaf" "(I)I" 1 1;
    CALL = "call" "(II)V" 2 0;
    PLAIN = "plain" "(III)V" 3 0;
    COUNT = "count" "(II)V" 2 0;
    EXIT = "exit" "(I)V" 1 0;
    EXIT_BYTECODES = "exit" "(II)V" 2 0;
    EXIT_ALLOCATIONS = "exit" "(III)V" 3 0;
    FLUSH = "flush" "(II)V" 2 0;
    POLL = "poll" "(II)I" 2 1;
    POLL_ALLOCATIONS = "pollAllocations" "(II)I" 2 1;
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
            for field in ["slot", "tree"] {
                let name = format!("{PREFIX}{field}");
                editor.add_field(TRANSIENT | SYNTHETIC, name.as_bytes(), b"I")?;
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

/// A static method that passes its ints on to the runtime class.
fn add_forwarder(editor: &mut ClassEditor<'_>, probe: &ProbeMethod) -> Result<(), Refusal> {
    const ILOAD_0: u8 = 0x1a;
    const INVOKESTATIC: u8 = 0xb8;
    const IRETURN: u8 = 0xac;
    const RETURN: u8 = 0xb1;
    let target = editor.pool().methodref(
        RUNTIME.as_bytes(),
        probe.name.as_bytes(),
        probe.descriptor.as_bytes(),
    )?;
    let mut code: Vec<u8> = (0..probe.arguments as u8).map(|index| ILOAD_0 + index).collect();
    code.push(INVOKESTATIC);
    code.extend(target.to_be_bytes());
    code.push(if probe.results == 0 { RETURN } else { IRETURN });
    editor.add_method(NewMethod {
        access: PUBLIC | STATIC | SYNTHETIC,
        name: name_in_object(probe).as_bytes(),
        descriptor: probe.descriptor.as_bytes(),
        code: &code,
        max_stack: probe.arguments.max(1),
        max_locals: probe.arguments,
        annotations: &ANNOTATIONS,
    })
}
